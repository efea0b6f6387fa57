import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// What holds whatever the results are and however their values lie.
struct PartitionPropertyTests {
  private static let worlds = 400
  private static let small = PartitionWorld.small

  /// Some with a range or an alternative of their own.
  private static let queries = [
    "word", "word OR nothing", "word created:2012-01-01..2020-06-30", "word created:>=2015-03-01 stars:>=1",
    "word -created:2014-01-01..2014-12-31", "word stars:1..150", "stars:>=0",
  ]

  /// The orders, with the kind that has the sort key.
  private static let orders: [(kind: ResultKind, sort: String?)] = [
    (.repo, nil), (.repo, nil), (.repo, "stars"), (.repo, "forks"), (.issue, "created"),
  ]

  /// Items that ranges can tell apart: those with a value that no more items have than a query returns.
  private static func reachable(_ items: [SearchResult], _ sort: String?) -> Set<String> {
    let values = Dictionary(grouping: items) { PartitionWorld.value($0, sort ?? "created") }
    return Set(values.values.filter { $0.count <= small.cap }.joined().map(\.id))
  }

  /// Every reachable item comes once, in the order of the search, whatever the page size is and however often
  /// the search is interrupted.
  @Test func everyReachableItemComesOnce() async throws {
    for seed in propertySeeds() { try await walk(seed) }
  }

  private func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for number in 0..<Self.worlds {
      let items = PartitionWorld.items(&random, isCrowded: random.chance(0.3))
      let most = random.pick([1, 2, 7, 30, 10_000])
      let world = PartitionWorld(items: items, maximumRequests: most)
      let (kind, sort) = random.pick(Self.orders)
      let order = random.pick([ForageCore.SortOrder.ascending, .descending])
      let query = random.pick(Self.queries)
      let walk = try await world.walk(
        query, kind: kind, sort: sort, order: order, pageSize: Int.random(in: 1...5, using: &random))
      let found = PartitionWorld.sorted(try PartitionWorld.matching(query, items), sort, order)
      let label: Comment = "world \(number) of \(seed): \(query) by \(sort ?? "rank") \(order.rawValue)"
      #expect(walk.isEnded, label)
      #expect(Set(walk.ids).count == walk.ids.count, label)
      #expect(Set(walk.ids).isSubset(of: found.map(\.id)), label)
      #expect(Self.reachable(found, sort).subtracting(walk.ids).isEmpty, label)
      // What is out of reach is told.
      #expect(walk.ids.count == found.count || walk.notes.contains { $0.code == .outOfReach }, label)
      // The first results are those of the one query, as the server sorts them.
      let first = found.prefix(Self.small.cap).map(\.id)
      #expect(Array(walk.ids.prefix(Self.small.cap)) == first, label)
      if let sort {
        let values = walk.items.map { PartitionWorld.value($0, sort) }
        #expect(values == (order == .ascending ? values.sorted() : values.sorted(by: >)), label)
      }
      #expect(walk.requests.allSatisfy { $0 <= most } && walk.requests.dropLast().allSatisfy { $0 == most })
      for cursor in walk.cursors {
        #expect(cursor.utf8.count < 2048, label)
        guard let position = try PartitionPosition.parsed(cursor) else { continue }
        #expect(position.cursor == cursor, label)
      }
      let whole = try await PartitionWorld(items: items).walk(query, kind: kind, sort: sort, order: order)
      #expect(whole.ids == walk.ids, label)
    }
  }

  /// Totals that are a little off end no list early by more than that, and none goes on without end.
  @Test func inexactTotals() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for number in 0..<Self.worlds {
      let items = PartitionWorld.items(&random, isCrowded: false)
      let world = PartitionWorld(items: items, errors: random.next())
      let walk = try await world.walk("word")
      let label: Comment = "world \(number) of \(seed)"
      #expect(walk.isEnded && Set(walk.ids).count == walk.ids.count, label)
      // At most two of each range with more than a query returns are missing.
      #expect(items.count - walk.ids.count <= 2 * (items.count / Self.small.cap + 1), label)
    }
  }
}
