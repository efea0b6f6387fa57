extension CommitGraph {
  /// Finds the nearest tag and its distance from the first tip, as `git describe --tags` does (git's
  /// builtin/describe.c).
  ///
  /// - Parameter tags: tag names by the number of the commit that they point to.
  /// - Returns: nil if no tag is reachable.
  mutating func describe(_ tags: [Int: DescribeName], isCancelled: () -> Bool) throws(GitError) -> (
    name: DescribeName, distance: Int
  )? {
    if tags.isEmpty { return nil }
    if let exact = tags[head] { return (exact, 0) }
    var search = DescribeSearch()
    return try search.run(&self, tags, isCancelled)
  }
}

struct DescribeName: Sendable {
  let name: String
  /// The object of an annotated tag; nil for a lightweight one.
  let tag: ObjectID?
}

/// The search of `git describe`: visits commits by date, collects at most ten candidates, and counts the
/// commits that each does not reach.
private struct DescribeSearch {
  /// Git's default for `--candidates`.
  static let candidateLimit = 10
  /// The commits between two checks whether the result is certain; a check examines the whole queue.
  private static let decisionStride = 32
  private static let seenFlag: UInt32 = 1

  struct Candidate {
    let name: DescribeName
    var depth: Int
    let flag: UInt32
    let order: Int
  }

  /// By number; 0 for commits that are not visited.
  var flags: [UInt32] = []
  var queue = DateQueue<Int64>()

  mutating func run(
    _ graph: inout CommitGraph, _ tags: [Int: DescribeName], _ isCancelled: () -> Bool
  ) throws(GitError) -> (name: DescribeName, distance: Int)? {
    var candidates: [Candidate] = []
    var seen = 0
    var gaveUpOn: Int?
    try push(graph.head, 0, &graph)
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
      }
      for index in candidates.indices where flags[number] & candidates[index].flag == 0 {
        candidates[index].depth += 1
      }
      if queue.isEmpty || seen % Self.decisionStride == 0, isDecided(candidates, number) { break }
      try pushParents(of: number, behind: Self.best(candidates), &graph)
    }
    guard var best = Self.best(candidates) else { return nil }
    if let gaveUpOn { queue.push(gaveUpOn, date: graph.nodes[gaveUpOn].committedAt) }
    try finish(&best, &graph, isCancelled)
    return (best.name, best.depth)
  }

  /// Whether the best candidate is certain. If it reaches all of the queue, its count no longer grows, and
  /// later candidates have at least as many.
  private func isDecided(_ candidates: [Candidate], _ number: Int) -> Bool {
    guard let best = Self.best(candidates), flags[number] & best.flag != 0 else { return false }
    let flag = best.flag
    return queue.allSatisfy { flags[$0] & flag != 0 }
  }

  private static func best(_ candidates: [Candidate]) -> Candidate? {
    candidates.min { ($0.depth, $0.order) < ($1.depth, $1.order) }
  }

  private mutating func finish(
    _ best: inout Candidate, _ graph: inout CommitGraph, _ isCancelled: () -> Bool
  ) throws(GitError) {
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
      try pushParents(of: number, behind: best, &graph)
    }
  }

  /// - Parameter best: the best candidate so far. What is behind it does not count for it, so that a commit
  ///   there may be missing or damaged.
  private mutating func pushParents(
    of number: Int, behind best: Candidate?, _ graph: inout CommitGraph
  ) throws(GitError) {
    let inherited = flags[number]
    for index in graph.parents(of: number).indices {
      do throws(GitError) {
        try push(Int(graph.parents[index]), inherited, &graph)
      } catch {
        guard error.isDamage, let best, inherited & best.flag != 0 else { throw error }
      }
    }
  }

  private mutating func push(
    _ number: Int, _ inherited: UInt32, _ graph: inout CommitGraph
  ) throws(GitError) {
    try graph.load(number)
    if flags.count < graph.nodes.count {
      flags.append(contentsOf: repeatElement(0, count: graph.nodes.count - flags.count))
    }
    if flags[number] & Self.seenFlag == 0 {
      queue.push(number, date: graph.nodes[number].committedAt)
    }
    flags[number] |= inherited | Self.seenFlag
  }
}
