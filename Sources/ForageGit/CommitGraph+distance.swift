/// How two branches differ.
package struct AheadBehind: Sendable, Hashable {
  /// Commits that only the first tip reaches.
  package let ahead: Int
  /// Commits that only the other tip reaches.
  package let behind: Int
}

extension CommitGraph {
  /// Compares the first tip with a number of the graph, as `git rev-list --left-right --count` does.
  package func aheadBehind(of other: Int) -> AheadBehind {
    var seen = [Bool](repeating: false, count: nodes.count)
    var pending = [Int32(truncatingIfNeeded: other)]
    seen[other] = true
    var common = 0
    var behind = 0
    while let number = pending.popLast() {
      if Int(number) < headCount { common += 1 } else { behind += 1 }
      for parent in parents(of: Int(number)) where !seen[Int(parent)] {
        seen[Int(parent)] = true
        pending.append(parent)
      }
    }
    return AheadBehind(ahead: headCount - common, behind: behind)
  }

  /// The nearest tag and the distance from the first tip, as `git describe --tags` tells
  /// (builtin/describe.c).
  ///
  /// - Parameter tags: tag names by the number of the commit that they name.
  /// - Returns: nil when no tag is reachable.
  func describe(_ tags: [Int: DescribeName], isCancelled: () -> Bool) throws(GitError) -> (
    name: String, distance: Int
  )? {
    guard headCount > 0 else { return nil }
    if let exact = tags[0] { return (exact.name, 0) }
    var search = DescribeSearch(graph: self)
    return try search.run(tags, isCancelled)
  }
}

/// A tag that describes a commit.
struct DescribeName: Sendable {
  let name: String
  let isAnnotated: Bool
}

/// The search of git's describe: commits by date, at most ten candidates, and for each how many commits it
/// lacks.
private struct DescribeSearch {
  /// Git's default for `--candidates`.
  static let candidateLimit = 10
  private static let seenFlag: UInt32 = 1

  struct Candidate {
    let name: DescribeName
    var depth: Int
    let flag: UInt32
    let order: Int
  }

  let graph: CommitGraph
  var flags: [UInt32]
  var queue = DateQueue()

  init(graph: CommitGraph) {
    self.graph = graph
    flags = [UInt32](repeating: 0, count: graph.headCount)
  }

  mutating func run(
    _ tags: [Int: DescribeName], _ isCancelled: () -> Bool
  ) throws(GitError) -> (name: String, distance: Int)? {
    var candidates: [Candidate] = []
    var hasAnnotated = false
    var seen = 0
    var gaveUpOn: Int?
    push(0, 0)
    while let number = queue.pop() {
      seen += 1
      if seen % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      if let name = tags[number] {
        guard candidates.count < Self.candidateLimit else {
          gaveUpOn = number
          break
        }
        let order = candidates.count + 1
        let candidate = Candidate(name: name, depth: seen - 1, flag: 1 << UInt32(order), order: order)
        candidates.append(candidate)
        flags[number] |= candidate.flag
        if name.isAnnotated { hasAnnotated = true }
      }
      for index in candidates.indices where flags[number] & candidates[index].flag == 0 {
        candidates[index].depth += 1
      }
      if hasAnnotated, queue.isEmpty {
        let best = candidates.map(\.depth).min() ?? 0
        let within = candidates.filter { $0.depth == best }.reduce(0) { $0 | $1.flag }
        if flags[number] & within == within { break }
      }
      pushParents(of: number)
    }
    guard var best = candidates.min(by: { ($0.depth, $0.order) < ($1.depth, $1.order) }) else { return nil }
    if let gaveUpOn { queue.push(gaveUpOn, date: graph.nodes[gaveUpOn].committedAt) }
    try finish(&best, isCancelled)
    return (best.name.name, best.depth)
  }

  /// Counts what the best candidate lacks among the commits that were not looked at.
  private mutating func finish(_ best: inout Candidate, _ isCancelled: () -> Bool) throws(GitError) {
    var seen = 0
    while let number = queue.pop() {
      seen += 1
      if seen % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      if flags[number] & best.flag != 0 {
        let flag = best.flag
        if queue.allSatisfy({ flags[$0] & flag != 0 }) { break }
      } else {
        best.depth += 1
      }
      pushParents(of: number)
    }
  }

  private mutating func pushParents(of number: Int) {
    for parent in graph.parents(of: number) { push(Int(parent), flags[number]) }
  }

  private mutating func push(_ number: Int, _ inherited: UInt32) {
    if flags[number] & Self.seenFlag == 0 {
      queue.push(number, date: graph.nodes[number].committedAt)
    }
    flags[number] |= inherited | Self.seenFlag
  }
}

/// Commits by date, newest first; of equal dates the one that came first, as git's sorted list has them.
private struct DateQueue {
  private struct Item {
    let date: Int64
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
    heap.append(Item(date: date, order: pushed, number: number))
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
