/// A file that differs between two trees.
package struct ChangedFile: Sendable {
  /// Its path, or the former one when it is gone.
  package let path: [UInt8]
  /// The blobs before and after; `nil` where there is none. The same one where only its permissions differ.
  package let old, new: ObjectID?
}

/// Finds the files that differ between trees, without links and submodules, in the order of trees.
package final class FileChanges {
  private let repository: GitRepository
  private let difference: TreeDifference

  /// - Parameter repository: Its trees are kept for the next comparison, as far as there is room.
  package init(in repository: GitRepository) {
    self.repository = repository
    difference = TreeDifference(in: repository, limits: .standard)
  }

  /// The files that a commit has changed against its first parent, a moved one as two; none for merges.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`, `cancelled`.
  package func made(by commit: Commit, isCancelled: () -> Bool) throws(GitError) -> [ChangedFile] {
    guard commit.parents.count < 2 else { return [] }
    return try between(repository.treeBefore(commit), commit.tree, isCancelled: isCancelled)
  }

  /// The files that differ between two trees.
  ///
  /// - Parameters:
  ///   - old: `nil` for an empty tree.
  ///   - limit: The most files; where there are more, `tooLarge` is thrown.
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`, `cancelled`.
  package func between(
    _ old: ObjectID?, _ new: ObjectID, limit: Int = .max, isCancelled: () -> Bool
  ) throws(GitError) -> [ChangedFile] {
    var collector = Collector(limit: limit)
    try difference.compare(old, new, &collector, isCancelled: isCancelled)
    return collector.files
  }

  private struct Collector: TreeVisitor {
    static let seesRemoved = true
    let limits = DifferenceLimits.standard
    let limit: Int
    var paths = PathTable()
    var files: [ChangedFile] = []

    init(limit: Int) { self.limit = limit }

    mutating func found(
      _ name: UnsafeRawBufferPointer, below parent: Int32, old: TreeSide?, new: TreeSide?
    ) throws(GitError) {
      let (before, after) = (old.flatMap { $0.isFile ? $0.id : nil }, new.flatMap { $0.isFile ? $0.id : nil })
      guard before != nil || after != nil else { return }
      guard files.count < limit else { throw DifferenceLimits.exceeded("too many changed files") }
      let number = try folder(name, below: parent)
      files.append(ChangedFile(path: paths.path(Int(number)), old: before, new: after))
    }
  }
}
