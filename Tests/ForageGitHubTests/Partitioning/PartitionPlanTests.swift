import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// Pieces, ranges and cursors one by one.
struct PartitionPlanTests {
  @Test func piecesLieEndToEnd() {
    let whole = PartitionPieces(100...199)
    let sample = Array(stride(from: 100, to: 200, by: 10))
    let four = whole.dividing(into: 4, sample: sample, usual: 0...1000)
    #expect(four.ends == [199, 169, 149, 119] && four.start == 100)
    #expect(four.first == 170...199)
    #expect(four.dropFirst()?.first == 150...169)
    let two = four.dividing(into: 2, sample: [], usual: 0...1000)
    #expect(two.ends == [199, 184, 169, 149, 119])
  }

  /// A second that most results share becomes a piece by itself.
  @Test func aCrowdedSecondIsSetApart() {
    let pieces = PartitionPieces(0...999).dividing(
      into: 3, sample: [Int](repeating: 500, count: 50), usual: 0...999)
    #expect(pieces.ends == [999, 500, 499])
    let edge = PartitionPieces(0...999).dividing(
      into: 3, sample: [Int](repeating: 0, count: 50), usual: 0...999)
    #expect(edge.ends == [999, 0])
  }

  @Test(arguments: [(5...6, [6, 5]), (5...7, [7, 5]), (900...999, [999, 949])])
  func withoutDatesItIsHalved(range: ClosedRange<Int>, ends: [Int]) {
    #expect(PartitionPieces(range).dividing(into: 2, sample: [], usual: 0...100).ends == ends)
    #expect(PartitionPieces(7...7).dividing(into: 2, sample: [7], usual: 0...100).ends == [7])
  }

  private static let created = PartitionAxis(qualifier: "created", field: .createdAt, unit: .second)
  private static let stars = PartitionAxis(qualifier: "stars", field: .stars, unit: .number)

  @Test func conditions() {
    func text(_ axis: PartitionAxis, _ range: ClosedRange<Int>) -> String? {
      axis.condition(range)?.description
    }
    #expect(text(Self.created, Self.created.bounds) == nil)
    #expect(text(Self.created, 0...1_500_000_000) == "created:<=2017-07-14T02:40:00Z")
    #expect(text(Self.created, 1_500_000_000...4_102_444_800) == "created:>=2017-07-14T02:40:00Z")
    #expect(
      text(Self.created, 1_500_000_000...1_500_000_000)
        == "created:2017-07-14T02:40:00Z..2017-07-14T02:40:00Z")
    #expect(text(Self.stars, 0...7) == "stars:<=7")
    #expect(text(Self.stars, 7...7) == "stars:7..7")
  }

  @Test(arguments: [
    ("created:2020-01-01", 1_577_836_800...1_577_923_199),
    ("created:>2020-01-01", 1_577_923_200...4_102_444_800),
    ("created:<2020-01-01", 0...1_577_836_799),
    ("created:2020-01-01T00:00:00Z..2020-01-01T00:00:09Z", 1_577_836_800...1_577_836_809),
  ])
  func rangesOfDates(_ text: String, _ range: ClosedRange<Int>) throws {
    guard case .qualifier(let qualifier) = try QueryParser().parse(text).root else {
      Issue.record("no qualifier")
      return
    }
    #expect(Self.created.range(qualifier.value) == range)
  }

  @Test(arguments: [
    ("stars:5", 5...5), ("stars:>5", 6...2_147_483_647), ("stars:<=5", 0...5), ("stars:3..5", 3...5),
  ])
  func rangesOfNumbers(_ text: String, _ range: ClosedRange<Int>) throws {
    guard case .qualifier(let qualifier) = try QueryParser().parse(text).root else {
      Issue.record("no qualifier")
      return
    }
    #expect(Self.stars.range(qualifier.value) == range)
    #expect(Self.stars.range(.number(Bounds(lower: nil, upper: .init(0, isInclusive: false)))) == nil)
    #expect(Self.stars.range(.number(.exactly(.max)))?.upperBound == 2_147_483_647)
  }

  private func request(_ query: String, sort: String? = nil, kind: ResultKind = .repo) throws -> SearchRequest
  {
    var request = try searchRequest(query, sort: sort)
    request.kind = kind
    return request
  }

  /// The query's own range gives way to ranges within it; alternatives are put in parentheses.
  @Test(arguments: [
    ("a OR b", "(a OR b) created:>=2017-07-14T02:40:00Z"),
    ("a created:2017-01-01..2018-01-01", "a created:2017-07-14T02:40:00Z..2018-01-01T23:59:59Z"),
    ("a -created:2019-01-01", "a -created:2019-01-01 created:>=2017-07-14T02:40:00Z"),
    ("a created:>2017-01-01 created:<2018-01-01", "a created:2017-07-14T02:40:00Z..2017-12-31T23:59:59Z"),
  ])
  func narrowing(_ query: String, _ expected: String) throws {
    let request = try request(query)
    let plan = try #require(PartitionPlan(request, rules: PartitionRules(), now: 1_790_000_000))
    let pieces = PartitionPieces(plan.dates).dividing(
      into: 2, sample: [Int](repeating: 1_490_000_000, count: 9) + [Int](repeating: 1_500_000_000, count: 9),
      usual: plan.dates)
    let position = PartitionPosition(
      part: .pieces(pieces, level: nil), step: .measure, total: 5000)
    let narrowed = try #require(request.query.flatMap { plan.narrowed($0, to: position) })
    #expect(try GitHubQuery.text(narrowed) == expected)
  }

  @Test func whatCannotBeSplit() throws {
    #expect(PartitionPlan(try request("a", kind: .code), rules: PartitionRules(), now: 0) == nil)
    let empty = try request("a created:<2010-01-01 created:>2011-01-01")
    #expect(PartitionPlan(empty, rules: PartitionRules(), now: 0) == nil)
    let updated = try #require(
      PartitionPlan(try request("a", sort: "updated"), rules: PartitionRules(), now: 0))
    #expect(!updated.reachesFurther && !updated.isSorted)
    let turn = updated.begin(PartitionPlan.Answer(total: 1500, reached: 1000, isCapped: true))
    #expect(turn.next == nil && turn.shortfall?.message.contains("sorted by updated") == true)
  }

  /// A position of one search does not fit another.
  @Test func foreignPlaces() async throws {
    let split = PartitionedSearch(depth: SearchDepth())
    let position = PartitionPosition(
      part: .window(beyond: 7), step: .read, link: "https://h/?page=2", total: 2000)
    for cursor in [position.cursor, "split1.", "split1.00000000.", position.cursor + "0"] {
      var request = try request("a")
      request.cursor = cursor
      let error = await searchError {
        _ = try await split.page(request) { _ in SearchPage(items: []) }
      }
      #expect(error?.code == .invalidCursor)
    }
  }

  @Test(arguments: [(0, 5000, 0), (30, 5000, 1), (1000, 5000, 10), (1000, 1000, 10), (2500, 2500, 39)])
  func estimates(results: Int, total: Int, requests: Int) {
    #expect(PartitionRules().estimate(results: results, of: total, isSorted: false) == requests)
  }

  @Test func estimatesOfMadeUpTotals() {
    let rules = PartitionRules()
    #expect(rules.estimate(results: 10_000, of: .max, isSorted: false) > 90)
    #expect(rules.estimate(results: .max, of: .max, isSorted: true) > 90)
    #expect(rules.estimate(results: -5, of: -7, isSorted: false) == 0)
  }

  /// GitHub's own numbers, with dates that lie evenly: the estimate holds.
  @Test func theEstimateHolds() async throws {
    let items = (0..<2300).map {
      PartitionWorld.item($0, created: 1_300_000_000 + $0 * 100_000, stars: $0 % 700, rank: $0 * 7919 % 2300)
    }
    for sort in [nil, "stars"] {
      let server = PlainServer(items: items)
      let split = PartitionedSearch(depth: SearchDepth(maximumRequestsPerProvider: 1000))
      var request = try searchRequest("word", sort: sort, pageSize: 100)
      var seen: Set<String> = []
      repeat {
        let page = try await split.page(request, ask: server.answer)
        seen.formUnion(page.items.map(\.id))
        request.cursor = page.next
      } while request.cursor != nil
      #expect(seen.count == 2300)
      let expected = PartitionRules().estimate(results: 2300, of: 2300, isSorted: sort != nil)
      #expect(request.requests.count <= expected + expected / 4, "\(request.requests.count) for \(expected)")
    }
  }
}

/// Returns at most a thousand results of a query, a hundred a page.
private struct PlainServer: Sendable {
  let items: [SearchResult]

  func answer(_ request: SearchRequest) async throws -> SearchPage {
    request.requests.add()
    let query = try QueryParser().parse(request.query?.description ?? "").root
    let field: ResultField = request.sort == nil ? "rank" : .stars
    let found = items.filter { query.matches($0) }.sorted { a, b in
      let (x, y) = (a[field]?.number ?? 0, b[field]?.number ?? 0)
      return x == y ? a.id < b.id : request.sort == nil ? x < y : x > y
    }
    let page = request.cursor.flatMap { Int($0.split(separator: "=").last ?? "") } ?? 1
    let end = min(page * 100, found.count, 1000)
    return SearchPage(
      items: Array(found[min((page - 1) * 100, end)..<end]),
      next: end < min(found.count, 1000) ? "https://h/?per_page=100&page=\(page + 1)" : nil,
      total: ResultTotal(found.count))
  }
}
