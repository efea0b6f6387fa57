package struct AheadBehind: Sendable, Hashable {
  /// The number of commits that only the first tip reaches.
  package let ahead: Int
  /// The number of commits that only the other tip reaches.
  package let behind: Int
}

extension CommitGraph {
  /// Compares the first tip with another commit; visits only the commits that are needed, newest first from
  /// both sides, whether or not all are walked, so that the result does not depend on it.
  ///
  /// The search ends when everything in the queue is common, more than ``TwoSidedSearch/clockSkew`` older than
  /// any commit that is not, and stays so for ``TwoSidedSearch/settledLimit`` commits. Only if a clock was off
  /// by more in a longer history, the counts may be too high; `git rev-list` has a similar, tighter limit. A
  /// common commit beyond the tolerance that cannot be read leads no further.
  package mutating func aheadBehind(
    of other: ObjectID, isCancelled: () -> Bool
  ) throws(GitError) -> AheadBehind {
    // The tally covers only what the first tip reaches.
    let counted = tally
    tally = nil
    defer { tally = counted }
    var search = TwoSidedSearch()
    return try search.run(&self, Int(insert(other).number), isCancelled)
  }
}

/// A walk from two tips that counts what each reaches alone.
private struct TwoSidedSearch {
  /// The tolerated error of clocks: a day, in seconds, as git tolerates where it orders commits by date.
  static let clockSkew: Int64 = 86_400
  /// The common commits that are visited to see whether one leads to a commit that is not: some hundredths
  /// of a second.
  static let settledLimit = 4_096

  private static let left: UInt8 = 1
  private static let right: UInt8 = 2
  private static let both: UInt8 = 3
  private static let queued: UInt8 = 4
  private static let visited: UInt8 = 8

  /// By number; 0 for commits that are not reached.
  private var flags: [UInt8] = []
  private var queue = DateQueue<Int64>()
  /// The number of queued commits that only one side reaches.
  private var oneSided = 0
  /// The number of visited commits for each combination of sides.
  private var counts = [0, 0, 0, 0]
  /// The number of commits visited since only common ones are queued.
  private var settled = 0
  /// The date of the oldest visited commit that only one side reaches.
  private var oldest = Int64.max

  mutating func run(
    _ graph: inout CommitGraph, _ other: Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> AheadBehind {
    try reach(graph.head, Self.left, &graph)
    try reach(other, Self.right, &graph)
    var seen = 0
    while let date = queue.nextDate {
      // Dates are within the years 1 to 9999, so the difference does not overflow.
      settled = oneSided == 0 ? settled + 1 : 0
      let isOlder = oldest == .max || date < oldest - Self.clockSkew
      if settled > Self.settledLimit, isOlder { break }
      // Both tips are the same commit.
      if oneSided == 0, oldest == .max { break }
      guard let number = queue.pop() else { break }
      seen += 1
      if seen % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      let sides = flags[number] & Self.both
      flags[number] = sides | Self.visited
      counts[Int(sides)] += 1
      if sides != Self.both {
        oneSided -= 1
        oldest = min(oldest, date)
      }
      for index in graph.parents(of: number).indices {
        do throws(GitError) {
          try reach(Int(graph.parents[index]), sides, &graph)
        } catch {
          guard settled > 0, isOlder, error.isDamage else { throw error }
        }
      }
    }
    return AheadBehind(ahead: counts[Int(Self.left)], behind: counts[Int(Self.right)])
  }

  /// Records that sides reach a commit; queues a visited commit again if a side is new.
  private mutating func reach(
    _ number: Int, _ sides: UInt8, _ graph: inout CommitGraph
  ) throws(GitError) {
    do throws(GitError) {
      try graph.load(number)
      if graph.nodes[number].committedAt == CommitGraph.unreadDate, let unread = graph.unread {
        throw unread.reason
      }
    } catch {
      // What is behind a commit that both sides reach is common, too, and counts for neither.
      guard error.isDamage, sides == Self.both, oneSided == 0 else { throw error }
      return
    }
    if flags.count < graph.nodes.count {
      flags.append(contentsOf: repeatElement(0, count: graph.nodes.count - flags.count))
    }
    let old = flags[number]
    let new = old & Self.both | sides
    guard new != old & Self.both else { return }
    if old & Self.queued != 0 {
      // It had one side and now has both.
      oneSided -= 1
      flags[number] = new | Self.queued
      return
    }
    if old & Self.visited != 0 { counts[Int(old & Self.both)] -= 1 }
    flags[number] = new | Self.queued
    if new != Self.both { oneSided += 1 }
    queue.push(number, date: graph.nodes[number].committedAt)
  }
}
