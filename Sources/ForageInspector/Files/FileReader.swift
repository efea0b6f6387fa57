package import ForageGit
import ForagePlatform

/// Reads files of a tree one after another, on one thread.
package protocol FileReader: AnyObject {
  /// Calls `body` with the first bytes of a file: all of them, or at least `limit`. The buffer is valid
  /// during the call.
  ///
  /// - Returns: false if the file cannot be read; then `body` is not called.
  func read(_ file: TreeFile, limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool
}

/// Reads the files of a clone. Unchanged files are read from the work tree, which is five times as fast as
/// unpacking blobs.
package final class CloneFileReader: FileReader {
  private let repository: GitRepository
  private let clean: CleanFiles
  private let worktree: WorktreeReader?

  /// Creates a reader for one thread.
  ///
  /// - Parameter clean: the files whose work tree copy has the bytes of the blob.
  package init(_ repository: GitRepository, clean: CleanFiles) {
    self.repository = repository
    self.clean = clean
    worktree = repository.worktree.flatMap { WorktreeReader($0) }
  }

  package func read(_ file: TreeFile, limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    if let worktree, let size = file.size, size > 0,
      clean.contains(path: file.path, id: file.id, size: size),
      worktree.read(file.path, size: size, limit: limit, body) != nil
    {
      return true
    }
    return (try? repository.withBlob(file.id, body)) != nil
  }
}

/// Reads files below a folder one after another, into one buffer.
final class WorktreeReader {
  /// The initial size of the buffer; most source files are smaller than 256 KiB.
  private static let firstCapacity = 256 << 10

  private let folder: Int32
  private var buffer: UnsafeMutableRawBufferPointer

  /// Opens a folder; nil if that fails.
  init?(_ path: String) {
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    buffer = .allocate(byteCount: Self.firstCapacity, alignment: 16)
  }

  deinit {
    close(folder)
    buffer.deallocate()
  }

  /// Calls `body` with the first bytes of a file. The buffer is valid during the call.
  ///
  /// - Parameters:
  ///   - path: relative to the folder; a symbolic link as the last component is not followed.
  ///   - size: the size that the file must have, in bytes; greater than 0.
  ///   - limit: the most bytes that are read.
  /// - Returns: nil if there is no regular file of that size, or it cannot be read.
  func read<Result>(
    _ path: String, size: Int, limit: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    // O_NONBLOCK: the path may be a pipe by now, and opening a pipe blocks.
    let descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, Int(info.st_size) == size else {
      return nil
    }
    let wanted = min(size, limit)
    if wanted > buffer.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: max(wanted, 2 * buffer.count), alignment: 16)
    }
    var done = 0
    while done < wanted {
      let count = pread(descriptor, buffer.baseAddress.map { $0 + done }, wanted - done, off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      done += count
    }
    return body(UnsafeRawBufferPointer(rebasing: buffer[..<wanted]))
  }
}
