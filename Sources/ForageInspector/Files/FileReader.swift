package import ForageGit

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

  /// Creates a reader for one thread.
  ///
  /// - Parameter clean: the files whose work tree copy has the bytes of the blob.
  package init(_ repository: GitRepository, clean: CleanFiles) {
    self.repository = repository
    self.clean = clean
  }

  package func read(_ file: TreeFile, limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    if let worktree = repository.worktree, let size = file.size, size > 0,
      clean.contains(path: file.path, id: file.id, size: size),
      // One more byte would show that the file has grown meanwhile.
      let bytes =
        (try? FileAccess.read(
          "\(worktree)/\(file.path)", first: limit < size ? limit : size + 1, follow: false)) ?? nil,
      bytes.count == min(size, limit)
    {
      bytes.withUnsafeBytes(body)
      return true
    }
    return (try? repository.withBlob(file.id, body)) != nil
  }
}
