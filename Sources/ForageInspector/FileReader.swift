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
  private let stamps: FileStamps
  private let files: ClonedFiles?

  /// Creates a reader for one thread.
  ///
  /// - Parameter stamps: the stamps of the files that may be read from the work tree.
  package init(_ repository: GitRepository, stamps: FileStamps) {
    self.repository = repository
    self.stamps = stamps
    files = repository.clonedFiles()
  }

  package func read(_ file: TreeFile, limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    if let files, let size = file.size, size > 0,
      let stamp = stamps.stamp(of: file.path, id: file.id, size: size),
      // One more byte would show that the file has grown meanwhile.
      let found = (try? files.read(Array(file.path.utf8), first: limit < size ? limit : size + 1)) ?? nil,
      found.stamp == stamp, found.bytes.count == min(size, limit)
    {
      found.bytes.withUnsafeBytes(body)
      return true
    }
    return (try? repository.withBlob(file.id, body)) != nil
  }
}

/// A pointer that Git LFS or git-annex commits in place of a file whose contents are elsewhere. It has no
/// language, lines or license.
package enum FilePointer {
  /// The longest pointer in bytes; that of Git LFS by its specification, and more than the key of git-annex,
  /// which is the name of a file.
  static let limit = 1024
  /// The first lines of Git LFS, also of its earlier names (github.com/git-lfs/git-lfs, docs/spec.md).
  private static let versions = ["https://git-lfs.github.com/spec/", "https://hawser.github.com/spec/"].map {
    "version " + $0
  }
  private static let annex = "/annex/objects/"

  /// Whether the bytes of a whole file are a pointer.
  package static func isPointer(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= limit else { return false }
    func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
    // The key is a backend and a name: `MD5E-s12--d41d8cd9.txt`.
    if bytes.starts(with: annex.utf8) { return contains("--") }
    return versions.contains { bytes.starts(with: $0.utf8) } && contains("\noid ") && contains("\nsize ")
  }

  static func isPointer(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isPointer($0) } }
}
