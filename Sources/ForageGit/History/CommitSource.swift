/// Reads the commits of a walk on one thread; of packed commits only the beginning is decompressed.
final class CommitSource {
  private let packs: PackReader
  private let open: () throws(GitError) -> GitRepository
  private var repository: GitRepository?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - packs: the repository's packs.
  ///   - open: creates the thread's repository handle, if the packs are not enough.
  init(_ packs: PackStore, open: @escaping () throws(GitError) -> GitRepository) {
    self.packs = PackReader(packs)
    self.open = open
  }

  /// Calls `body` with at least the header lines of a commit, and the positions of their parts.
  ///
  /// - Throws: `missingObject`, `corrupt`, also if the body returns nil.
  @inline(__always)
  func withCommit<Value>(
    _ id: ObjectID, _ body: (UnsafeRawBufferPointer, CommitScan) -> Value?
  ) throws(GitError) -> Value {
    if let value = packs.withCommit(id, body), let value { return value }
    return try withLoaded(id, body)
  }

  private func withLoaded<Value>(
    _ id: ObjectID, _ body: (UnsafeRawBufferPointer, CommitScan) -> Value?
  ) throws(GitError) -> Value {
    let opened: GitRepository = if let repository { repository } else { try open() }
    repository = opened
    let object = try LoadedObject(id, in: opened)
    let isCommit = object.kind == .commit
    let value: Value? = object.withBytes { bytes in
      isCommit ? CommitScan(bytes).flatMap { body(bytes, $0) } : nil
    }
    guard let value else { throw .corruptObject(id, "it is not a valid commit, or has too many parents") }
    return value
  }
}
