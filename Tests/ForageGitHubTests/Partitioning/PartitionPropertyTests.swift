import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// What holds whatever the results are and however their dates lie: 1,000 worlds each, one test after the other.
@Suite(.serialized) struct PartitionPropertyTests {
  private static let worlds = 1000

  /// Some with a range or an alternative of their own.
  private static let queries = [
    "word", "word OR nothing", "word created:2012-01-01..2020-06-30", "word created:>=2015-03-01 stars:>=1",
    "word -created:2014-01-01..2014-12-31", "word stars:1..150",
  ]

  /// Items that can be told apart by date: those of a second that has no more than a query returns.
  private static func reachable(_ items: [SearchResult]) -> Set<String> {
    let seconds = Dictionary(grouping: items) { $0[.createdAt]?.date }
    return Set(seconds.values.filter { $0.count <= PartitionWorld.rules.cap }.joined().map(\.id))
  }

  /// Totals are a little off, and a search may have to be taken up several times.
  @Test func everyReachableItemComesOnce() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for number in 0..<Self.worlds {
      let items = PartitionWorld.items(&random, isCrowded: random.chance(0.3))
      let most = random.pick([1, 2, 7, 30, 10_000])
      let world = PartitionWorld(
        items: items, lie: random.pick([.none, .byRequest]), maximumRequests: most, seed: random.next())
      let query = random.pick(Self.queries)
      let walk = try await world.walk(query, pageSize: Int.random(in: 1...5, using: &random))
      let found = try PartitionWorld.matching(query, items)
      let label = "world \(number) of \(seed): \(query)"
      #expect(walk.isEnded, "\(label) does not end")
      #expect(Set(walk.ids).count == walk.ids.count)
      #expect(Set(walk.ids).isSubset(of: found.map(\.id)), "\(label)")
      let missing = Self.reachable(found).subtracting(walk.ids)
      #expect(missing.isEmpty, "\(label) lacks \(missing.count) of \(found.count)")
      #expect(walk.requests.allSatisfy { $0 <= most }, "\(label): \(walk.requests), \(most) allowed")
      #expect(walk.requests.dropLast().allSatisfy { $0 == most })
      // What is held back is told, unless it is within the error of the totals.
      if found.count - walk.ids.count > 2 {
        #expect(walk.shortfalls.contains { !$0.isPause }, "\(label) lacks items in silence")
      }
    }
  }

  @Test func theOrderDoesNotDependOnThePageSize() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for number in 0..<Self.worlds {
      let items = PartitionWorld.items(&random, isCrowded: random.chance(0.3))
      let lie = random.pick([PartitionWorld.Lie.none, .byQuery])
      let query = random.pick(Self.queries)
      let sort = random.pick([nil, "stars"])
      let whole = try await PartitionWorld(items: items, lie: lie).walk(query, sort: sort)
      let other = PartitionWorld(items: items, lie: lie, maximumRequests: random.pick([3, 11, 10_000]))
      let pages = try await other.walk(query, sort: sort, pageSize: Int.random(in: 1...4, using: &random))
      #expect(whole.ids == pages.ids, "world \(number) of \(seed): \(query) by \(sort ?? "rank")")
      // The first results are those of the one query, as the server ranks them.
      if sort == nil {
        let ranked = try PartitionWorld.matching(query, items).sorted { a, b in
          let (x, y) = (a["rank"]?.number ?? 0, b["rank"]?.number ?? 0)
          return x == y ? a.id < b.id : x < y
        }
        #expect(
          Array(whole.ids.prefix(PartitionWorld.rules.cap))
            == ranked.prefix(PartitionWorld.rules.cap).map(\.id))
      }
    }
  }

  @Test func sortedListsStaySorted() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for number in 0..<Self.worlds {
      let items = PartitionWorld.items(&random, isCrowded: random.chance(0.2))
      let world = PartitionWorld(
        items: items, lie: random.pick([.none, .byRequest]),
        maximumRequests: random.pick([5, 10_000]), seed: random.next())
      let (sort, field) = random.pick([("stars", ResultField.stars), ("forks", .forks)])
      let order = random.pick([ForageCore.SortOrder.ascending, .descending])
      let query = random.pick(Self.queries)
      let walk = try await world.walk(
        query, sort: sort, order: order, pageSize: Int.random(in: 1...5, using: &random))
      let found = try PartitionWorld.matching(query, items)
      let label = "world \(number) of \(seed): \(query) by \(sort) \(order.rawValue)"
      let values = walk.items.map { $0[field]?.number ?? -1 }
      #expect(values == (order == .ascending ? values.sorted() : values.sorted(by: >)), "\(label)")
      #expect(Self.reachable(found).subtracting(walk.ids).isEmpty, "\(label) lacks items")
      #expect(walk.isEnded)
    }
  }

  /// Any position is written and read again; any change to it is noticed.
  @Test func cursorsSurviveAndDamageIsNoticed() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    var positions = 0
    while positions < Self.worlds {
      let world = PartitionWorld(items: PartitionWorld.items(&random, isCrowded: true))
      let walk = try await world.walk("word", sort: random.pick([nil, "stars"]))
      for cursor in walk.cursors where PartitionPosition.isCursor(cursor) {
        positions += 1
        let position = try #require(PartitionPosition(cursor: cursor))
        #expect(position.cursor == cursor)
        #expect(cursor.utf8.count < 512, "\(cursor)")
        var damaged = Array(cursor)
        let index = Int.random(in: 7..<damaged.count, using: &random)
        if random.chance(0.5) {
          damaged[index] = damaged[index] == "0" ? "1" : "0"
        } else {
          damaged.removeSubrange(index...)
        }
        #expect(PartitionPosition(cursor: String(damaged)) == nil, "seed \(seed): \(String(damaged))")
      }
    }
  }
}
