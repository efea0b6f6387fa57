/// A walk over a graph, newest commits first, in which each commit passes marks on to its parents.
///
/// Distances, nearest tags and reachability are found with it instead of `git_graph_ahead_behind`,
/// `git_describe_commit` and `git_revwalk`: libgit2 1.5.1 applies neither a shallow boundary nor replaced
/// objects. The first two return wrong numbers there without an error, and the last one fails.
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
    // The tally covers only what the first tip reaches.
    let (counted, skipped) = (tally, skipsDamage)
    (tally, skipsDamage) = (nil, false)
    defer { (tally, skipsDamage) = (counted, skipped) }
    let (left, right, both): (UInt32, UInt32, UInt32) = (1, 2, 3)
    var walk = MarkedWalk()
    try walk.add(left, to: head, &self)
    try walk.add(right, to: target, &self)
    var (seen, settled) = (0, 0)
    while settled < Self.settledLimit, let number = walk.pop() {
      seen += 1
      if seen % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      try walk.passOn(number, &self, again: true) { $0.marks[number] == both && $0.isQueueMarked(both) }
      guard seen % MarkedWalk.stride == 0 else { continue }
      settled = walk.isQueueMarked(both) ? settled + MarkedWalk.stride : 0
    }
    return AheadBehind(
      ahead: walk.marks.count { $0 == left }, behind: walk.marks.count { $0 == right })
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
  /// builtin/describe.c): visits commits by date, collects at most ten candidates, and counts the commits that
  /// each does not reach.
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
