/// The largest blobs of a history.
package struct LargestBlobs: Sendable, Hashable {
  package struct Blob: Sendable, Hashable {
    /// The path in the commit; of several the first in tree order.
    package let path: String
    package let bytes: Int
    package let id: ObjectID
    /// The oldest commit that has the blob: the last one that `git log` shows.
    package let commit: ObjectID
  }

  /// Largest first, then by id; without repetition.
  package var blobs: [Blob] = []
  /// The number of different blobs that are missing, as in a partial clone, or have an invalid size.
  package var missing = 0
  /// The number of commits that could not be read completely, because trees are missing or damaged.
  package var unreadable = 0
  /// The number of commits that are missing or damaged; those behind them are not known.
  package var lost = 0
}

/// The distinct blobs of commits, each with its first location; each thread has its own.
struct BlobCollector: TreeVisitor, Sendable {
  static let seesRemoved = false
  /// The most trees and blobs of a thread (some 300 MB); the largest histories in wide use have 4 million.
  static let objectLimit = 5_000_000

  struct Place: Sendable {
    let path: Int32
    let commit: Int32
  }

  private let limits: DifferenceLimits
  private var trees = IDTable()
  private(set) var blobs = IDTable()
  /// By the number of the blob.
  private(set) var places: [Place] = []
  private(set) var paths = PathTable()
  /// The position of the current commit from the oldest.
  var commit: Int32 = 0

  init(limits: DifferenceLimits) {
    self.limits = limits
  }

  mutating func folder(_ name: UnsafeRawBufferPointer, below parent: Int32) throws(GitError) -> Int32 {
    let number = paths.insert(name, below: parent)
    guard paths.count <= limits.paths, paths.nameBytes <= limits.nameBytes else {
      throw DifferenceLimits.exceeded("too many different paths")
    }
    return number
  }

  mutating func enters(_ tree: ObjectID) -> Bool { trees.insert(tree).isNew }

  mutating func found(
    _ name: UnsafeRawBufferPointer, below parent: Int32, id: ObjectID, isSubmodule: Bool
  ) throws(GitError) {
    guard !isSubmodule, blobs.insert(id).isNew else { return }
    guard blobs.ids.count + trees.ids.count < Self.objectLimit else {
      throw DifferenceLimits.exceeded("too many objects")
    }
    places.append(Place(path: try folder(name, below: parent), commit: commit))
  }
}

extension CommitGraph {
  /// Finds the largest blobs of the history, each with the oldest commit that has it.
  ///
  /// Reads every tree of the history: 80,000 commits of 5,000 files take some seconds on two threads and some
  /// 100 MB. Missing and invalid objects are counted.
  ///
  /// - Parameter limit: the most blobs in the result.
  /// - Throws: `missingObject` and `corrupt` for the tip, `tooLarge`, `cancelled`.
  package mutating func largestBlobs(
    limit: Int = 10, limits: DifferenceLimits = .standard, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> LargestBlobs {
    // More does not fit into a report, and sums cannot overflow.
    let limit = min(max(0, limit), 1 << 20)
    var walk = try LogWalk(&self)
    var order: [Int] = []
    while let step = try walk.next(&self) {
      if isCancelled() { throw .cancelled }
      order.append(step.number)
    }
    order.reverse()
    var placeOf = [Int](repeating: -1, count: nodes.count)
    for (place, number) in order.enumerated() { placeOf[number] = place }
    let commits = order.enumerated().map { place, number in
      let base = parents(of: number).first.map { placeOf[Int($0)] } ?? -1
      return BlobSearch.Commit(id: id(number), base: Int32(truncatingIfNeeded: base < place ? base : -1))
    }
    let search = BlobSearch(commits: commits, count: limit, limits: limits)
    let outcomes = try search.run(in: repository, isCancelled: isCancelled)
    var found: [ObjectID: BlobSearch.Candidate] = [:]
    for candidate in outcomes.flatMap(\.candidates) {
      if let known = found[candidate.id], known.commit <= candidate.commit { continue }
      found[candidate.id] = candidate
    }
    let sorted = found.values.sorted { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : $0.id < $1.id }
    return LargestBlobs(
      blobs: sorted.prefix(limit).map {
        LargestBlobs.Blob(
          path: String(decoding: $0.path, as: UTF8.self), bytes: $0.bytes, id: $0.id,
          commit: commits[Int($0.commit)].id)
      },
      missing: Set(outcomes.flatMap(\.missing)).count, unreadable: outcomes.reduce(0) { $0 + $1.unreadable },
      lost: walk.lost)
  }
}

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
    let commit: Int32
  }

  struct Outcome: Sendable {
    var candidates: [Candidate] = []
    var missing: [ObjectID] = []
    var unreadable = 0
  }

  /// The commits that a thread takes at a time; neighbours share trees.
  private static let runLength = 64

  let commits: [Commit]
  let count: Int
  let limits: DifferenceLimits

  /// Searches on this thread and, for more than some hundred commits, on a second one.
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
    var found: [(bytes: Int, number: Int)] = []
    let ids = collector.blobs.ids
    for (number, id) in ids.enumerated() {
      // Reading a size takes some microseconds.
      if number % 64 == 0, isCancelled() { throw .cancelled }
      if let bytes = size(id, repository) {
        found.append((bytes, number))
      } else {
        outcome.missing.append(id)
      }
    }
    found.sort { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : ids[$0.number] < ids[$1.number] }
    outcome.candidates = found.prefix(count).map { item in
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
