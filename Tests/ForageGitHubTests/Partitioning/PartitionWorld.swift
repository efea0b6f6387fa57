import ForageCore
import Foundation
import Synchronization
import TestSupport

@testable import ForageGitHub

/// A small server that returns at most `rules.cap` results of a query, and its items.
final class PartitionWorld: Sendable {
  /// Twenty results a query, five a page: the numbers are smaller than GitHub's, the cases the same.
  static let small = PartitionRules(cap: 20, pageSize: 5, usualCount: 14)

  let items: [SearchResult]
  private let rules: PartitionRules
  private let maximumRequests: Int
  /// The random errors of totals; `nil` if totals are exact.
  private let errors: Mutex<SeededGenerator>?
  /// What was found so far, by query and order.
  private let answers = Mutex<[String: [SearchResult]]>([:])

  /// - Parameter errors: The seed of errors of up to two in the totals; `nil` for exact totals.
  init(
    items: [SearchResult], rules: PartitionRules = small, maximumRequests: Int = 10_000,
    errors: UInt64? = nil
  ) {
    self.items = items
    self.rules = rules
    self.maximumRequests = maximumRequests
    self.errors = errors.map { Mutex(SeededGenerator(seed: $0)) }
  }

  private func search(_ request: SearchRequest) async throws -> SearchPage {
    // A value for each call: what a page needs is in its cursor.
    var request = request
    request.depth = SearchDepth(maximumRequests: maximumRequests)
    return try await PartitionedSearch(
      id: "github", rules: rules, now: { Date(timeIntervalSince1970: 1_790_000_000) }
    ).page(request, ask: answer)
  }

  private func answer(_ request: SearchRequest) async throws -> SearchPage {
    RequestCounter.current?.add()
    let found = try found(request)
    let words = (request.cursor ?? "?per_page=\(request.pageSize)&page=1").split { "?&=".contains($0) }
    guard words.count >= 4, let size = Int(words[words.count - 3]), let page = Int(words[words.count - 1]),
      (page - 1) * size < rules.cap
    else { throw SearchError(.invalidQuery, "results beyond the maximum are not available", hint: "") }
    let reachable = min(found.count, rules.cap)
    let end = min(page * size, reachable)
    let error = errors?.withLock { Int.random(in: -2...2, using: &$0) } ?? 0
    return SearchPage(
      items: Array(found[min((page - 1) * size, end)..<end]),
      next: end < reachable ? "https://h/search?per_page=\(size)&page=\(page + 1)" : nil,
      total: ResultTotal(max(0, found.count + error)))
  }

  private func found(_ request: SearchRequest) throws -> [SearchResult] {
    let text = request.query?.description ?? ""
    let key = "\(text) \(request.sort ?? "") \(request.order)"
    if let known = answers.withLock({ $0[key] }) { return known }
    let found = Self.sorted(try Self.matching(text, items), request.sort, request.order)
    answers.withLock { $0[key] = found }
    return found
  }

  /// The items that a query finds; all of them have the word `word` and no other.
  static func matching(_ query: String, _ items: [SearchResult]) throws -> [SearchResult] {
    let root = try QueryParser().parse(query).root
    return items.filter { root.matches($0) { $0.text == "word" } }
  }

  /// The field of a sort key; without one, the rank.
  static func field(_ sort: String?) -> ResultField {
    switch sort {
    case "stars": .stars
    case "forks": .forks
    case nil: "rank"
    default: .createdAt
    }
  }

  /// The value by which items are sorted.
  static func value(_ item: SearchResult, _ sort: String?) -> Double {
    let value = item[field(sort)]
    return value?.number.map(Double.init) ?? value?.date?.timeIntervalSince1970 ?? 0
  }

  static func sorted(_ items: [SearchResult], _ sort: String?, _ order: ForageCore.SortOrder)
    -> [SearchResult]
  {
    let sign: Double = sort != nil && order == .descending ? -1 : 1
    let keyed: [(key: Double, item: SearchResult)] = items.map { (sign * value($0, sort), $0) }
    return keyed.sorted { a, b in a.key == b.key ? a.item.id < b.item.id : a.key < b.key }.map(\.item)
  }
}

extension PartitionWorld {
  /// What came of reading a list to its end.
  struct Walk {
    var items: [SearchResult] = []
    var ids: [String] { items.map(\.id) }
    /// The cursors that were met.
    var cursors: [String] = []
    /// Requests of each search; a search that was interrupted is followed by another.
    var requests: [Int] = []
    var notes: [Note] = []
    var isEnded = false
  }

  /// A bound that no list of these tests comes near, but one without end.
  private static let maximumPages = 5000

  /// Reads a list to its end as the federation does: each item once, and a page without anything new is the
  /// end unless it says otherwise.
  func walk(
    _ query: String, kind: ResultKind = .repo, sort: String? = nil,
    order: ForageCore.SortOrder = .descending, pageSize: Int = 5
  ) async throws -> Walk {
    // What waits beside these tests, a server for one, gets its turn.
    await Task.yield()
    var walk = Walk()
    var seen: Set<String> = []
    var request = try searchRequest(
      query, kind: kind, sort: sort, order: order, pageSize: pageSize, within: .seconds(600))
    var counter = RequestCounter()
    for _ in 0..<Self.maximumPages {
      let page = try await counter.counting { try await search(request) }
      let fresh = page.items.filter { seen.insert($0.id).inserted }
      walk.items += fresh
      walk.notes += page.notes.filter { !walk.notes.contains($0) }
      if page.isPaused {
        walk.requests.append(counter.count)
        counter = RequestCounter()
      }
      if page.next == nil || fresh.isEmpty && !page.mayRepeat {
        walk.requests.append(counter.count)
        walk.isEnded = true
        return walk
      }
      if let next = page.next { walk.cursors.append(next) }
      request.cursor = page.next
    }
    return walk
  }

  /// Items with created times that lie evenly, in bursts, and many in one second.
  ///
  /// - Parameter isCrowded: Whether a second may have more items than a query returns.
  static func items(_ random: inout SeededGenerator, isCrowded: Bool) -> [SearchResult] {
    let count = Int.random(in: 0...90, using: &random)
    let (first, last) = (1_200_000_000, 1_800_000_000)
    let bursts = (0..<3).map { _ in Int.random(in: first...last, using: &random) }
    let stars = random.pick([1, 3, 200])
    var seconds: [Int: Int] = [:]
    return (0..<count).map { index in
      var second = Int.random(in: first...last, using: &random)
      if random.chance(0.4) { second = random.pick(bursts) + Int.random(in: 0...40, using: &random) }
      if random.chance(isCrowded ? 0.4 : 0.1) { second = bursts[0] }
      if !isCrowded { while seconds[second, default: 0] >= small.cap { second += 1 } }
      seconds[second, default: 0] += 1
      return item(
        index, created: second, stars: Int.random(in: 0...stars, using: &random),
        forks: Int.random(in: 0...20, using: &random), rank: Int.random(in: 0...1000, using: &random))
    }
  }

  static func item(_ index: Int, created: Int, stars: Int = 0, forks: Int = 0, rank: Int = 0) -> SearchResult
  {
    SearchResult(
      id: "h/o/word\(index)", kind: .repo, title: "o/word\(index)",
      fields: [
        .createdAt: .date(Date(timeIntervalSince1970: Double(created))), .stars: .number(stars),
        .forks: .number(forks), "rank": .number(rank),
      ])
  }
}
