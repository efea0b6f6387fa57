package import ForageGit

/// Reads files of a tree, one after the other, on one thread.
package protocol FileReader: AnyObject {
  /// Lends the first bytes of a file for the duration of the call: all that it has, or at least `limit`.
  ///
  /// - Returns: false if they cannot be read; the body was not called then.
  func read(_ file: TreeFile, limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool
}

/// Reads the files of a clone: from the work tree where they are unchanged, which is five times as fast as unpacking
/// them, else from the objects.
package final class CloneFileReader: FileReader {
  private let repository: GitRepository
  private let clean: CleanFiles
  private let worktree: WorktreeReader?

  /// - Parameters:
  ///   - repository: a handle for this thread.
  ///   - clean: the files whose bytes the work tree has.
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
