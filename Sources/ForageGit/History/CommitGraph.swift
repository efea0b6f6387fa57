/// A commit graph of integers in memory, fully walked or loaded lazily.
///
/// The object of each commit is read once. Commits are numbered in the order in which they are found.
package struct CommitGraph {
  /// The commits between two polls of `isCancelled`: some 5 ms.
  static let cancellationStride = 4096
  /// The most commits, which are numbered by 32 bits; the largest known history has some 10 million.
  static let commitLimit = Int(Int32.max) / 2
  /// The most parents, whose positions have 32 bits. One commit adds at most ``CommitScan/parentLimit``, far
  /// less than the other half of the range.
  static let edgeLimit = Int(Int32.max) / 2

  struct Node: Sendable {
    var committedAt: Int64 = 0
    /// The index of the first parent; -1 if the commit is not loaded.
    var parentStart: Int32 = -1
    var parentCount: Int32 = 0
  }

  private var table = IDTable()
  private(set) var nodes: [Node] = []
  private(set) var parents: [Int32] = []
  private(set) var head = 0
  /// The number of commits reachable from the first tip once all are walked; their numbers are below it.
  package private(set) var headCount = 0
  /// The number of those with several parents.
  package private(set) var mergeCount = 0
  /// The tally of the authors of those commits; nil if it was not requested.
  package internal(set) var tally: CommitTally?

  let repository: GitRepository
  /// The shallow boundary: commits whose parents are absent.
  private let shallow: Set<ObjectID>

  /// Whether the history ends at a commit that is missing or damaged; otherwise a walk fails there.
  var skipsDamage: Bool
  /// The number of such commits, and why the first of them could not be read; nil if there is none.
  package private(set) var unread: (count: Int, reason: GitError)?
  /// The date of such commits.
  private static let unreadDate = Int64.min
  /// The number of commits reachable from the first tip that could be read, once all are walked.
  package var commitCount: Int { headCount - (unread?.count ?? 0) }

  /// Creates a graph with a tip; commits are loaded when a search reaches them.
  package init(lazilyFrom tip: ObjectID, in repository: GitRepository) {
    self.init(tip, repository, skipsDamage: false)
  }

  private init(_ tip: ObjectID, _ repository: GitRepository, skipsDamage: Bool) {
    self.repository = repository
    self.skipsDamage = skipsDamage
    shallow = repository.shallow
    head = Int(insert(tip).number)
  }

  /// Creates a graph and walks everything reachable from a commit.
  ///
  /// - Parameters:
  ///   - tallies: whether to count the authors, too.
  ///   - lastMonday: the Monday of the last week of the tally, in days since 1970.
  ///   - skipsDamage: whether the history ends at commits that are missing or damaged, which ``unread``
  ///     counts.
  package init(
    from tip: ObjectID, in repository: GitRepository, tallies: Bool = true, lastMonday: Int64 = 0,
    skipsDamage: Bool = false, isCancelled: () -> Bool
  ) throws(GitError) {
    self.init(tip, repository, skipsDamage: skipsDamage)
    if tallies { tally = CommitTally(lastMonday: lastMonday) }
    // A stack: depth first, because neighbours are close to each other in a pack.
    var pending = [Int32(truncatingIfNeeded: head)]
    var visited = 0
    while let number = pending.popLast() {
      visited += 1
      if visited % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      let first = pending.count
      try load(Int(number)) { pending.append($0) }
      // The first parent comes next.
      if pending.count - first > 1 { pending[first...].reverse() }
    }
    headCount = nodes.count
    mergeCount = nodes.count { $0.parentCount > 1 }
  }

  func number(of id: ObjectID) -> Int? { table.number(of: id).map { Int($0) } }

  /// Returns the number of a tag's target, which a lazy graph assigns now; nil if `HEAD` does not reach it.
  mutating func insertTagTarget(_ id: ObjectID) -> Int? {
    if headCount == 0 { return Int(insert(id).number) }
    return number(of: id).flatMap { $0 < headCount ? $0 : nil }
  }

  @inline(__always) func id(_ number: Int) -> ObjectID { table.ids[number] }

  @inline(__always) func parents(of number: Int) -> ArraySlice<Int32> {
    let node = nodes[number]
    guard node.parentCount > 0 else { return [] }
    return parents[Int(node.parentStart)..<Int(node.parentStart + node.parentCount)]
  }

  /// Assigns a number to a commit.
  @inline(__always) mutating func insert(_ id: ObjectID) -> (number: Int32, isNew: Bool) {
    let (number, isNew) = table.insert(id)
    if isNew { nodes.append(Node()) }
    return (number, isNew)
  }

  /// Loads a commit unless it is loaded: numbers its parents and sets its date.
  ///
  /// - Parameter found: called with each parent that is new to the graph.
  @inline(__always) mutating func load(_ number: Int, _ found: (Int32) -> Void = { _ in }) throws(GitError) {
    guard nodes[number].parentStart < 0 else {
      if !skipsDamage, let unread, nodes[number].committedAt == Self.unreadDate { throw unread.reason }
      return
    }
    try checkLimits()
    let id = table.ids[number]
    do throws(GitError) {
      try repository.withCommit(id) { bytes, scan in add(number, id, bytes, scan, found) ? () : nil }
    } catch {
      guard skipsDamage, error.isDamage, number != head else { throw error }
      nodes[number] = begin(Self.unreadDate)
      unread = ((unread?.count ?? 0) + 1, unread?.reason ?? error)
    }
  }

  /// Loads a commit unless it is missing or damaged; returns whether it could be read.
  ///
  /// - Throws: `missingObject` and `corrupt` for the first tip only, `tooLarge`.
  mutating func canLoad(_ number: Int) throws(GitError) -> Bool {
    do throws(GitError) {
      try load(number)
    } catch {
      guard error.isDamage, number != head else { throw error }
      return false
    }
    return nodes[number].committedAt != Self.unreadDate
  }

  /// Adds a commit object; false if the id of a parent is invalid.
  @inline(__always) private mutating func add(
    _ number: Int, _ id: ObjectID, _ bytes: CheckedBytes, _ scan: CommitScan, _ found: (Int32) -> Void
  ) -> Bool {
    var node = begin(scan.committedAt)
    if shallow.isEmpty || !shallow.contains(id) {
      for index in 0..<scan.parentCount {
        guard let parent = CommitScan.parent(index, bytes) else { return false }
        let (parentNumber, isNew) = insert(parent)
        parents.append(parentNumber)
        node.parentCount += 1
        if isNew { found(parentNumber) }
      }
    }
    nodes[number] = node
    tally?.add(bytes, scan)
    return true
  }

  @inline(__always) private func begin(_ committedAt: Int64) -> Node {
    Node(committedAt: committedAt, parentStart: Int32(truncatingIfNeeded: parents.count))
  }

  @inline(__always) private func checkLimits() throws(GitError) {
    guard nodes.count < Self.commitLimit else {
      throw GitError(.tooLarge, "the history has more than \(Self.commitLimit) commits")
    }
    guard parents.count < Self.edgeLimit else {
      throw GitError(.tooLarge, "the commits have more than \(Self.edgeLimit) parents together")
    }
  }
}
