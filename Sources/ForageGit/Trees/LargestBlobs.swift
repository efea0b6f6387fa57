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

extension CommitGraph {
  /// Finds the largest blobs of the history, each with the oldest commit that has it.
  ///
  /// Reads every tree of the history: 80,000 commits of 5,000 files take some 12 seconds and 200 MB. Missing
  /// and invalid objects are counted.
  ///
  /// Reads the commits oldest first, and of each what differs from the first parent, because the rest was
  /// found in that older commit.
  ///
  /// - Throws: `missingObject` and `corrupt` for the tip, `tooLarge`, `cancelled`.
  package mutating func largestBlobs(
    limit: Int = 10, limits: DifferenceLimits = .standard, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> LargestBlobs {
    var walk = try LogWalk(&self)
    var order: [Int] = []
    while let step = try walk.next(&self) {
      if isCancelled() { throw .cancelled }
      order.append(step.number)
    }
    order.reverse()
    var placeOf = [Int](repeating: -1, count: nodes.count)
    for (place, number) in order.enumerated() { placeOf[number] = place }
    var collector = BlobCollector(limits: limits)
    let difference = TreeDifference(in: repository, limits: limits)
    for (place, number) in order.enumerated() {
      // Wrong clocks can make a parent newer.
      let base = parents(of: number).first.map { Int($0) }.flatMap {
        (0..<place).contains(placeOf[$0]) ? id($0) : nil
      }
      try collector.add(place, id(number), base: base, difference, isCancelled: isCancelled)
    }
    let largest = try collector.largest(limit, repository, isCancelled: isCancelled)
    return LargestBlobs(
      blobs: largest.map {
        .init(
          path: String(decoding: $0.path, as: UTF8.self), bytes: $0.bytes, id: $0.id,
          commit: id(order[$0.commit]))
      },
      missing: collector.missing, unreadable: collector.unreadable, lost: walk.lost)
  }
}

/// The distinct blobs of commits, each with its first location.
private struct BlobCollector: TreeVisitor {
  static let seesRemoved = false
  /// The most trees and blobs (some 300 MB); the largest histories in wide use have 4 million.
  private static let objectLimit = 5_000_000

  /// A blob, with the position of its commit from the oldest.
  typealias Blob = (id: ObjectID, bytes: Int, path: [UInt8], commit: Int)

  let limits: DifferenceLimits
  private var trees = IDTable()
  private var blobs = IDTable()
  /// By the number of the blob.
  private var places: [(path: Int32, commit: Int32)] = []
  var paths = PathTable()
  /// The position of the current commit from the oldest.
  private var commit: Int32 = 0
  private(set) var unreadable = 0
  private(set) var missing = 0

  init(limits: DifferenceLimits) {
    self.limits = limits
  }

  mutating func enters(_ tree: ObjectID) -> Bool { trees.insert(tree).isNew }

  mutating func found(
    _ name: UnsafeRawBufferPointer, below parent: Int32, old: TreeSide?, new: TreeSide?
  ) throws(GitError) {
    guard let new, !new.isSubmodule, blobs.insert(new.id).isNew else { return }
    guard blobs.ids.count + trees.ids.count < Self.objectLimit else {
      throw DifferenceLimits.exceeded("too many objects")
    }
    places.append((try folder(name, below: parent), commit))
  }

  /// Adds what a commit has and another one, whose blobs are known, does not have.
  mutating func add(
    _ number: Int, _ id: ObjectID, base: ObjectID?, _ difference: TreeDifference, isCancelled: () -> Bool
  ) throws(GitError) {
    do throws(GitError) {
      let tree = try difference.tree(of: id)
      guard enters(tree) else { return }
      commit = Int32(truncatingIfNeeded: number)
      let old: ObjectID? = if let base { try difference.tree(of: base) } else { nil }
      try difference.compare(old, tree, &self, isCancelled: isCancelled)
    } catch {
      guard error.isDamage else { throw error }
      unreadable += 1
    }
  }

  /// Reads the size of each blob and returns the largest; ``missing`` then counts those that are missing, not
  /// a blob, or of an invalid size.
  mutating func largest(
    _ limit: Int, _ repository: GitRepository, isCancelled: () -> Bool
  ) throws(GitError) -> [Blob] {
    var found: [(bytes: Int, number: Int)] = []
    let ids = blobs.ids
    for (number, id) in ids.enumerated() {
      // Reading a size takes some microseconds.
      if number % 64 == 0, isCancelled() { throw .cancelled }
      if let header = try? repository.header(of: id), header.kind == .blob {
        found.append((header.size, number))
      } else {
        missing += 1
      }
    }
    found.sort { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : ids[$0.number] < ids[$1.number] }
    return found.prefix(limit).map { bytes, number in
      (ids[number], bytes, paths.path(Int(places[number].path)), Int(places[number].commit))
    }
  }
}
