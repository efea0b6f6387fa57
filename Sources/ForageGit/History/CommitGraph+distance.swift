/// How two branches differ.
package struct AheadBehind: Sendable, Hashable {
  /// Commits that only the first tip reaches.
  package let ahead: Int
  /// Commits that only the other tip reaches.
  package let behind: Int
}

extension CommitGraph {
  /// Compares the first tip with a number of the graph, as `git rev-list --left-right --count` does; all that either
  /// reaches was walked.
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

  /// Compares the first tip with another commit; looks only at what is needed, newest first from both.
  ///
  /// Ends when all that is left is common and more than ``clockSkew`` older than any commit that is not. Where a
  /// clock was off by more, too many commits may be told; `git rev-list` has the same limit, only tighter.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`, `cancelled`.
  package mutating func aheadBehind(
    lazilyOf other: ObjectID, isCancelled: () -> Bool
  ) throws(GitError) -> AheadBehind {
    var search = TwoSidedSearch()
    return try search.run(&self, Int(insert(other).number), isCancelled)
  }
}

/// A walk from two tips that tells what each reaches alone.
private struct TwoSidedSearch {
  /// A day, in seconds: git allows for as much where it orders commits by their dates.
  static let clockSkew: Int64 = 86_400

  private static let left: UInt8 = 1
  private static let right: UInt8 = 2
  private static let both: UInt8 = 3
  private static let queued: UInt8 = 4
  private static let wasTaken: UInt8 = 8

  /// By number; 0 for those that were not reached.
  private var flags: [UInt8] = []
  private var queue = DateQueue<Int64>()
  /// How many of the queue only one side has reached.
  private var oneSided = 0
  /// How many taken from the queue have each combination of sides.
  private var counts = [0, 0, 0, 0]
  /// The oldest that was taken with only one side.
  private var oldest = Int64.max

  mutating func run(
    _ graph: inout CommitGraph, _ other: Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> AheadBehind {
    try reach(graph.head, Self.left, &graph)
    try reach(other, Self.right, &graph)
    var seen = 0
    while let date = queue.nextDate {
      // Dates are within the years 1 to 9999.
      if oneSided == 0, oldest == .max || date < oldest - Self.clockSkew { break }
      guard let number = queue.pop() else { break }
      seen += 1
      if seen % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      let sides = flags[number] & Self.both
      flags[number] = sides | Self.wasTaken
      counts[Int(sides)] += 1
      if sides != Self.both {
        oneSided -= 1
        oldest = min(oldest, date)
      }
      for index in graph.parents(of: number).indices {
        try reach(Int(graph.parents[index]), sides, &graph)
      }
    }
    return AheadBehind(ahead: counts[Int(Self.left)], behind: counts[Int(Self.right)])
  }

  /// Notes that sides reach a commit; one that was taken before is taken again when that is news.
  private mutating func reach(
    _ number: Int, _ sides: UInt8, _ graph: inout CommitGraph
  ) throws(GitError) {
    try graph.load(number)
    if flags.count < graph.nodes.count {
      flags.append(contentsOf: repeatElement(0, count: graph.nodes.count - flags.count))
    }
    let old = flags[number]
    let new = old & Self.both | sides
    guard new != old & Self.both else { return }
    if old & Self.queued != 0 {
      // It had one side and has both now.
      oneSided -= 1
      flags[number] = new | Self.queued
      return
    }
    if old & Self.wasTaken != 0 { counts[Int(old & Self.both)] -= 1 }
    flags[number] = new | Self.queued
    if new != Self.both { oneSided += 1 }
    queue.push(number, date: graph.nodes[number].committedAt)
  }
}
