/// Where one thread's walk gets its commits from: of packed ones only the beginning is unpacked.
final class CommitSource {
  private let packs: PackReader
  private let open: () throws(GitError) -> GitRepository
  private var repository: GitRepository?

  /// - Parameters:
  ///   - packs: the repository's packs.
  ///   - open: makes the handle of this thread when the packs are not enough.
  init(_ packs: PackStore, open: @escaping () throws(GitError) -> GitRepository) {
    self.packs = PackReader(packs)
    self.open = open
  }

  /// Lends a commit's header lines (perhaps more, perhaps not the message) and where its parts are.
  ///
  /// - Throws: `missingObject`, `corrupt`, also when the body returns nil.
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
