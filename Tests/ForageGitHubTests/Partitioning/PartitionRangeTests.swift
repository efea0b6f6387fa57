import ForageCore
import ForageHTTP
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// Ranges, conditions, cursors and estimates one by one.
struct PartitionRangeTests {
  private func halves(
    _ range: ClosedRange<Int>, _ sample: [Int] = [], now: Int = 1000, isAscending: Bool = false
  ) -> [ClosedRange<Int>]? {
    PartitionPosition(qualifier: "created", ranges: [range, 1...2], total: 5000)
      .halved(sample: sample, now: now, isAscending: isAscending)?.ranges
  }

  @Test func rangesAreHalved() {
    #expect(halves(100...199) == [150...199, 100...149, 1...2])
    #expect(halves(100...199, isAscending: true) == [100...149, 150...199, 1...2])
    #expect(halves(5...6) == [6...6, 5...5, 1...2])
    #expect(halves(7...7, [7]) == nil)
    // Few dates are in the future.
    #expect(halves(0...999, now: 200) == [101...999, 0...100, 1...2])
    #expect(halves(199...999, now: 200) == [200...999, 199...199, 1...2])
    #expect(halves(200...999, now: 200) == [600...999, 200...599, 1...2])
    #expect(halves(0...Int.max, now: Int.max)?.count == 3)
  }

  /// A value that most results have becomes a range by itself.
  @Test func samplesOfOneValue() {
    #expect(halves(0...999, [700, 700, 700]) == [701...999, 0...700, 1...2])
    #expect(halves(0...700, [700, 700, 700]) == [700...700, 0...699, 1...2])
    #expect(halves(0...999, [0, 0]) == [1...999, 0...0, 1...2])
    #expect(halves(100...199, [190, 191]) == [150...199, 100...149, 1...2])
    #expect(halves(100...199, [200]) == [150...199, 100...149, 1...2])
  }

  /// Whatever the samples are, halving ends, and a cursor contains its ranges.
  @Test(arguments: [[], [0]])
  func halvingEnds(_ sample: [Int]) throws {
    for (now, isAscending) in [(1_790_000_000, false), (1, false), (Int.max, true)] {
      var position = PartitionPosition(qualifier: "created", ranges: [0...4_102_444_800], total: 5000)
      while let next = position.halved(sample: sample, now: now, isAscending: isAscending) {
        position = next
        #expect(try PartitionPosition.parsed(position.cursor) == position)
      }
    }
  }

  private static let created = PartitionAxis.date("created", .createdAt, from: 0)
  private static let stars = PartitionAxis.count("stars", .stars)

  @Test(arguments: [
    ("created:2020-01-01", 1_577_836_800...1_577_923_199),
    ("created:>2020-01-01", 1_577_923_200...4_102_444_800),
    ("created:<2020-01-01 word", 0...1_577_836_799),
    ("created:2020-01-01T00:00:00Z..2020-01-01T00:00:09Z", 1_577_836_800...1_577_836_809),
    ("created:>2019-12-31 created:<2020-01-02", 1_577_836_800...1_577_923_199),
    ("word -created:2020-01-01", 0...4_102_444_800),
  ])
  func rangesOfDates(_ text: String, _ range: ClosedRange<Int>) throws {
    #expect(Self.created.range(of: try QueryParser().parse(text).root) == range)
  }

  @Test(arguments: [
    ("stars:5", 5...5), ("stars:>5", 6...1_048_575), ("stars:<=5", 0...5), ("stars:3..5", 3...5),
    ("stars:<9223372036854775807", 0...1_048_574),
  ])
  func rangesOfNumbers(_ text: String, _ range: ClosedRange<Int>) throws {
    #expect(Self.stars.range(of: try QueryParser().parse(text).root) == range)
  }

  @Test func emptyRanges() throws {
    #expect(Self.stars.range(of: try QueryParser().parse("stars:<0").root) == nil)
    let query = "a created:<2010-01-01 created:>2011-01-01"
    #expect(Self.created.range(of: try QueryParser().parse(query).root) == nil)
  }

  /// The query's own range gives way to ranges within it; alternatives are put in parentheses.
  @Test(arguments: [
    ("a OR b", 1_500_000_000...4_102_444_800, "(a OR b) created:>=2017-07-14T02:40:00Z"),
    ("a", 0...1_500_000_000, "a created:<=2017-07-14T02:40:00Z"),
    ("a", 0...4_102_444_800, "a"),
    (
      "a created:2017-01-01..2018-01-01", 1_500_000_000...1_514_851_199,
      "a created:2017-07-14T02:40:00Z..2018-01-01T23:59:59Z"
    ),
    (
      "a -created:2019-01-01", 1_500_000_000...1_500_000_000,
      "a -created:2019-01-01 created:2017-07-14T02:40:00Z..2017-07-14T02:40:00Z"
    ),
  ])
  func narrowing(_ query: String, _ range: ClosedRange<Int>, _ expected: String) throws {
    let narrowed = Self.created.narrowed(try QueryParser().parse(query).root, to: range)
    #expect(try GitHubQuery.text(narrowed) == expected)
  }

  @Test func kindsAndSortKeys() {
    #expect(PartitionAxis.of(.code, sort: nil) == nil)
    #expect(PartitionAxis.of(.repo, sort: nil)?.qualifier == "created")
    #expect(PartitionAxis.of(.repo, sort: "stars") == Self.stars)
    #expect(PartitionAxis.of(.repo, sort: "updated") == nil)
    #expect(PartitionAxis.of(.commit, sort: nil)?.qualifier == "committer-date")
    // Each sort key of a kind is one of GitHub's.
    for kind in GitHubKind.all {
      let known = kind.abilities.sorts.filter { PartitionAxis.of(kind.kind, sort: $0) != nil }
      #expect(PartitionAxis.of(kind.kind, sort: nil) != nil || known.isEmpty)
    }
  }

  @Test func cursorsAreParsed() throws {
    let position = PartitionPosition(
      qualifier: "created", ranges: [7...9, 3...6, 0...2], total: 2000, link: "https://h/?q=a|b&page=2")
    #expect(try PartitionPosition.parsed(position.cursor) == position)
    let following = try #require(position.following)
    #expect(following.ranges == [3...6, 0...2] && following.link == nil)
    #expect(try PartitionPosition.parsed(following.cursor) == following)
    #expect(following.following?.following == nil)
    #expect(try PartitionPosition.parsed("https://h/?page=2") == nil)
  }

  /// A position of one search does not fit another, and damage is noticed.
  @Test func foreignPositions() async throws {
    let split = PartitionedSearch(id: "github")
    for cursor in [
      "ranges stars 2000 1 2", "ranges ", "ranges created", "ranges created 2000", "ranges created 2000 1",
      "ranges created 2000 2 1", "ranges created 2000 -1 1", "ranges created 2000 1 x",
      "ranges created 2000 1  2",
    ] {
      let request = try searchRequest("a", cursor: cursor)
      let error = await searchError {
        _ = try await split.page(request) { _ in SearchPage(items: []) }
      }
      #expect(error?.code == .invalidCursor, "\(cursor)")
    }
  }

  @Test(arguments: [(0, 5000, 0), (30, 5000, 1), (1000, 5000, 10), (1000, 1000, 10), (2500, 2500, 43)])
  func estimates(results: Int, total: Int, requests: Int) {
    #expect(PartitionRules().estimate(results: results, of: total, isSorted: false) == requests)
  }

  @Test func estimatesOfMadeUpTotals() {
    let rules = PartitionRules()
    #expect(rules.estimate(results: 10_000, of: .max, isSorted: false) > 90)
    #expect(rules.estimate(results: .max, of: .max, isSorted: false) > 90)
    #expect(rules.estimate(results: .max, of: .max, isSorted: true) > 90)
    #expect(rules.estimate(results: -5, of: -7, isSorted: false) == 0)
  }

  /// A cursor may contain any numbers.
  @Test func thePauseTellsWhatIsNeeded() async throws {
    let split = PartitionedSearch(id: "github")
    for (total, hint) in [(2500, "about 43 for all"), (-1, "")] {
      var request = try searchRequest("a", cursor: "ranges created \(total) 0 \(Int.max)")
      request.depth = SearchDepth(maximumRequests: 0)
      let page = try await split.page(request) { _ in SearchPage(items: []) }
      #expect(page.next == request.cursor && page.items.isEmpty)
      #expect(
        page.notes == [
          Note(
            .requestsExceeded, "the search stopped after the maximum of 0 requests",
            hint: hint)
        ])
      #expect(page.isPaused)
    }
  }

  /// Any number in a cursor and in the number of a page.
  @Test func hostileNumbers() {
    for cursor in HostileNumbers.variants(of: "ranges created 2500 0 100 200 300") {
      guard let position = try? PartitionPosition.parsed(cursor) else { continue }
      for sample in [[], [0], [Int.max], [Int.min]] {
        _ = position.halved(sample: sample, now: .max, isAscending: true)?.cursor
      }
    }
    for address in HostileNumbers.variants(of: "https://api.github.com/x?page=2&per_page=3") {
      _ = HTTPURL(address)?.page(size: 30)
    }
  }

  /// With GitHub's own numbers, and dates that lie evenly, the estimate holds.
  @Test(arguments: [nil, "stars"])
  func theEstimateHolds(_ sort: String?) async throws {
    let items = (0..<2300).map {
      PartitionWorld.item($0, created: 1_300_000_000 + $0 * 200_000, stars: $0 % 700, rank: $0 * 7919 % 2300)
    }
    let world = PartitionWorld(items: items, rules: PartitionRules())
    let walk = try await world.walk("word", sort: sort, pageSize: 100)
    #expect(walk.ids.count == 2300 && walk.notes.isEmpty)
    let expected = PartitionRules().estimate(results: 2300, of: 2300, isSorted: sort != nil)
    let requests = walk.requests.reduce(0, +)
    #expect(requests <= expected + expected / 4, "\(requests) for \(expected)")
  }
}
