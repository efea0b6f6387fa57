/// Finds the largest blobs of commits.
///
/// Each thread takes runs of commits, oldest first. Of each commit it reads what differs from the first
/// parent, because the rest was found in that older commit, on either thread. A blob that both threads find
/// belongs to the older of the two commits.
struct BlobSearch: Sendable {
  /// A commit, identified by its position from the oldest.
  struct Commit: Sendable {
    let id: ObjectID
    /// The position of the first parent; -1 if there is none, or if wrong clocks make it newer.
    let base: Int32
  }

  struct Candidate: Sendable {
    let id: ObjectID
    let bytes: Int
    let path: [UInt8]
    /// The position of the commit from the oldest.
    let commit: Int32
  }

  struct Outcome: Sendable {
    var candidates: [Candidate] = []
    /// The blobs that are missing.
    var missing: [ObjectID] = []
    var unreadable = 0
  }

  /// The commits that a thread takes at a time; neighbours share trees.
  private static let runLength = 64

  /// Oldest first.
  let commits: [Commit]
  /// The number of blobs to find.
  let count: Int
  let limits: DifferenceLimits

  /// Searches on this thread and, for more than some hundred commits, on a second one.
  ///
  /// - Throws: `tooLarge`, `cancelled`, `other`.
  func run(in repository: GitRepository, isCancelled: () -> Bool) throws(GitError) -> [Outcome] {
    try SharedWork.run(
      commits.count, by: Self.runLength, from: 4 * Self.runLength, in: repository, isCancelled: isCancelled
    ) { (repository, next, isCancelled) throws(GitError) in
      try search(repository, next, isCancelled)
    }
  }

  private func search(
    _ repository: GitRepository, _ next: () -> Range<Int>?, _ isCancelled: () -> Bool
  ) throws(GitError) -> Outcome {
    var collector = BlobCollector(limits: limits)
    var outcome = Outcome()
    let difference = TreeDifference(in: repository, limits: limits)
    while let range = next() {
      for number in range {
        do throws(GitError) {
          let tree = try difference.tree(of: commits[number].id)
          guard collector.enters(tree) else { continue }
          collector.commit = Int32(truncatingIfNeeded: number)
          let base = Int(commits[number].base)
          let old: ObjectID? = if base >= 0 { try difference.tree(of: commits[base].id) } else { nil }
          try difference.compare(old, tree, &collector, isCancelled: isCancelled)
        } catch {
          guard error.code == .missingObject || error.code == .corrupt else { throw error }
          outcome.unreadable += 1
        }
      }
    }
    try measure(collector, repository, &outcome, isCancelled)
    return outcome
  }

  /// Reads the size of each blob and keeps the largest.
  private func measure(
    _ collector: BlobCollector, _ repository: GitRepository, _ outcome: inout Outcome,
    _ isCancelled: () -> Bool
  ) throws(GitError) {
    var best: [(bytes: Int, number: Int)] = []
    let ids = collector.blobs.ids
    let capacity = max(count &* 2, 1024)
    func cut() {
      best.sort { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : ids[$0.number] < ids[$1.number] }
      if best.count > count { best.removeLast(best.count - count) }
    }
    for (number, id) in ids.enumerated() {
      // Reading a size takes some microseconds.
      if number % 64 == 0, isCancelled() { throw .cancelled }
      guard let bytes = size(id, repository) else {
        outcome.missing.append(id)
        continue
      }
      best.append((bytes, number))
      if best.count >= capacity { cut() }
    }
    cut()
    outcome.candidates = best.map { item in
      let place = collector.places[item.number]
      return Candidate(
        id: ids[item.number], bytes: item.bytes, path: collector.paths.path(Int(place.path)),
        commit: place.commit)
    }
  }

  /// Returns the size of a blob; nil if it is missing, not a blob, or its size is invalid.
  private func size(_ id: ObjectID, _ repository: GitRepository) -> Int? {
    guard let header = try? repository.header(of: id), header.kind == .blob else { return nil }
    return header.size
  }
}
