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

  /// Called with the number and the object of each commit that is loaded.
  var visitor: ((Int, CheckedBytes) -> Void)?

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
    visitor?(number, bytes)
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

/// A priority queue of commits, newest first; equal dates keep their order of insertion, as in git's sorted
/// list.
struct DateQueue {
  private struct Item {
    /// Git orders by an unsigned number, so that a date before 1970 is later than all others.
    let date: UInt64
    let order: Int
    let number: Int
  }

  private var heap: [Item] = []
  private var pushed = 0

  var isEmpty: Bool { heap.isEmpty }

  func allSatisfy(_ predicate: (Int) -> Bool) -> Bool {
    heap.allSatisfy { predicate($0.number) }
  }

  mutating func push(_ number: Int, date: Int64) {
    heap.append(Item(date: UInt64(bitPattern: date), order: pushed, number: number))
    pushed += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> Int? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.number }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, precedes(child + 1, child) { child += 1 }
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first.number
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (heap[left], heap[right])
    return a.date != b.date ? a.date > b.date : a.order < b.order
  }
}

/// A walk over a graph, newest commits first, in which each commit passes marks on to its parents.
///
/// Distances, nearest tags and reachability are found with it instead of `git_graph_ahead_behind`,
/// `git_describe_commit` and `git_revwalk`: libgit2 does not apply replaced objects (still so in 1.9), and a
/// shallow boundary from version 1.7 on only. The first two return wrong numbers there without an error, and
/// the last one fails.
struct MarkedWalk {
  /// The commits between two looks at the whole queue.
  static let stride = 32

  /// By number; 0 for commits that are not reached.
  private(set) var marks: [UInt32] = []
  private var queue = DateQueue()

  var isEmpty: Bool { queue.isEmpty }

  mutating func pop() -> Int? { queue.pop() }

  /// Whether all queued commits have all of some marks.
  func isQueueMarked(_ wanted: UInt32) -> Bool { queue.allSatisfy { marks[$0] & wanted == wanted } }

  /// Adds marks to a commit, and queues it if it had none; with `again` if one of them is new to it.
  mutating func add(
    _ new: UInt32, to number: Int, _ graph: inout CommitGraph, again: Bool = false
  ) throws(GitError) {
    try graph.load(number)
    if marks.count < graph.nodes.count {
      marks.append(contentsOf: repeatElement(0, count: graph.nodes.count - marks.count))
    }
    let old = marks[number]
    marks[number] = old | new
    if old == 0 || again && old != marks[number] { putBack(number, graph) }
  }

  /// Adds the marks of a commit to its parents.
  ///
  /// - Parameter canMiss: whether parents that are missing or damaged change nothing.
  mutating func passOn(
    _ number: Int, _ graph: inout CommitGraph, again: Bool = false,
    canMiss: (MarkedWalk) -> Bool = { _ in false }
  ) throws(GitError) {
    for place in graph.parents(of: number).indices {
      do throws(GitError) {
        try add(marks[number], to: Int(graph.parents[place]), &graph, again: again)
      } catch {
        guard error.isDamage, canMiss(self) else { throw error }
      }
    }
  }

  /// Queues a commit behind those of its date.
  mutating func putBack(_ number: Int, _ graph: CommitGraph) {
    queue.push(number, date: graph.nodes[number].committedAt)
  }

  mutating func mark(_ number: Int, _ new: UInt32) { marks[number] |= new }
}

package struct AheadBehind: Sendable, Hashable {
  /// The number of commits that only the first tip reaches.
  package let ahead: Int
  /// The number of commits that only the other tip reaches.
  package let behind: Int
}

extension CommitGraph {
  /// The common commits that are visited to see whether one leads to a commit that is not, because a clock
  /// was off: some hundredths of a second. `git rev-list` visits five.
  private static let settledLimit = 4_096

  /// Compares the first tip with another commit; visits only the commits that are needed, newest first from
  /// both sides, whether or not all are walked, so that the result does not depend on it.
  ///
  /// A common commit that cannot be read leads no further once only common commits are left.
  package mutating func aheadBehind(
    of other: ObjectID, isCancelled: () -> Bool
  ) throws(GitError) -> AheadBehind {
    let target = Int(insert(other).number)
    if target == head { return AheadBehind(ahead: 0, behind: 0) }
    let walk = try compared(with: [target], isCancelled: isCancelled)
    return AheadBehind(
      ahead: walk.marks.count { $0 == Self.left }, behind: walk.marks.count { $0 == Self.right })
  }

  /// The number of commits that the first tip reaches and none of some others; skips objects that are not
  /// commits.
  ///
  /// - Parameter more: Further tips beside the first one.
  package mutating func ahead(
    of others: Set<ObjectID>, and more: Set<ObjectID> = [], isCancelled: () -> Bool
  ) throws(GitError) -> Int {
    let (targets, tips) = (try numbers(of: others), try numbers(of: more))
    return try compared(tips, with: targets, isCancelled: isCancelled).marks.count { $0 == Self.left }
  }

  private mutating func numbers(of ids: Set<ObjectID>) throws(GitError) -> [Int] {
    var numbers: [Int] = []
    for id in ids {
      let (commit, kind) = try repository.peel(id)
      if kind == .commit { numbers.append(Int(insert(commit).number)) }
    }
    return numbers
  }

  /// The marks of commits that only the first tip reaches, and of those that only others reach.
  private static let (left, right): (UInt32, UInt32) = (1, 2)

  /// Walks from the first tip and further ones, and from others, until each further commit is reached from
  /// both sides.
  private mutating func compared(
    _ tips: [Int] = [], with targets: [Int], isCancelled: () -> Bool
  ) throws(GitError) -> MarkedWalk {
    // The tally covers only what the first tip reaches.
    let (counted, skipped) = (tally, skipsDamage)
    (tally, skipsDamage) = (nil, false)
    defer { (tally, skipsDamage) = (counted, skipped) }
    let both = Self.left | Self.right
    var walk = MarkedWalk()
    for tip in [head] + tips { try walk.add(Self.left, to: tip, &self) }
    for target in targets { try walk.add(Self.right, to: target, &self) }
    var (seen, settled) = (0, 0)
    while settled < Self.settledLimit, let number = walk.pop() {
      seen += 1
      if seen % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      try walk.passOn(number, &self, again: true) { $0.marks[number] == both && $0.isQueueMarked(both) }
      guard seen % MarkedWalk.stride == 0 else { continue }
      settled = walk.isQueueMarked(both) ? settled + MarkedWalk.stride : 0
    }
    return walk
  }
}

struct DescribeName: Sendable {
  let name: String
  /// The object of an annotated tag; nil for a lightweight one.
  let tag: ObjectID?
}

extension CommitGraph {
  /// Git's default for `git describe --candidates`.
  private static let candidateLimit = 10

  /// A tag, and the number of visited commits that it does not reach.
  private struct Candidate {
    let name: DescribeName
    var depth: Int
    let mark: UInt32
  }

  /// Finds the nearest tag and its distance from the first tip, as `git describe --tags` does (git's
  /// builtin/describe.c): visits commits by date, collects at most ten candidates, and counts the commits
  /// that each does not reach.
  ///
  /// - Parameter tags: tag names by the number of the commit that they point to.
  /// - Returns: nil if no tag is reachable.
  mutating func describe(_ tags: [Int: DescribeName], isCancelled: () -> Bool) throws(GitError) -> (
    name: DescribeName, distance: Int
  )? {
    if tags.isEmpty { return nil }
    if let exact = tags[head] { return (exact, 0) }
    var candidates: [Candidate] = []
    var best: Candidate? { candidates.min { $0.depth < $1.depth } }
    var isFull = false
    var walk = MarkedWalk()
    try walk.add(1, to: head, &self)
    var seen = 0
    while let number = walk.pop() {
      seen += 1
      if seen % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      if !isFull, let name = tags[number] {
        if let best, candidates.count == Self.candidateLimit {
          // Git counts the other commits, with this one, for the best candidate only.
          (isFull, candidates) = (true, [best])
          walk.putBack(number, self)
          continue
        }
        let mark: UInt32 = 2 << UInt32(candidates.count)
        candidates.append(Candidate(name: name, depth: seen - 1, mark: mark))
        walk.mark(number, mark)
      }
      for index in candidates.indices where walk.marks[number] & candidates[index].mark == 0 {
        candidates[index].depth += 1
      }
      // What the best candidate reaches, as far as it has been visited.
      let reached = best.flatMap { walk.marks[number] & $0.mark != 0 ? $0.mark : nil }
      // If that is all of the queue, its depth no longer grows, and later candidates have at least as many.
      if let reached, walk.isEmpty || seen % MarkedWalk.stride == 0, walk.isQueueMarked(reached) { break }
      // What is behind a candidate does not count for it.
      try walk.passOn(number, &self) { _ in reached != nil }
    }
    return best.map { ($0.name, $0.depth) }
  }
}
