import ForageCore
import Foundation
import Synchronization
import TestSupport

@testable import ForageGitHub

/// A small server that returns at most 20 results of a query, and its items.
final class PartitionWorld: SearchProvider {
  /// Twenty results a query, five a page: the numbers are smaller than GitHub's, the cases the same.
  static let rules = PartitionRules(
    cap: 20, pageSize: 5, target: 14, widest: 4, maximumPieces: 8, smallestSample: 4)

  /// How totals are off.
  enum Lie: Sendable {
    case none
    /// By up to two, otherwise for each request.
    case byRequest
    /// By up to two, the same whenever a query is asked.
    case byQuery
  }

  let items: [SearchResult]
  private let lie: Lie
  private let maximumRequests: Int
  private let random: Mutex<SeededGenerator>
  /// What was found so far, by query and order.
  private let answers = Mutex<[String: [SearchResult]]>([:])

  init(items: [SearchResult], lie: Lie = .none, maximumRequests: Int = 10_000, seed: UInt64 = 1) {
    self.items = items
    self.lie = lie
    self.maximumRequests = maximumRequests
    random = Mutex(SeededGenerator(seed: seed))
  }

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      id: "world", name: "World",
      kinds: [
        .repo: ProviderDescriptor.KindAbilities(
          qualifiers: ["created": .exact, "stars": .exact, "forks": .exact],
          fields: [.createdAt, .stars, .forks], sorts: ["stars", "forks", "updated"], booleans: true,
          maximumPageSize: 5)
      ])
  }

  /// A value for each call: what a page needs is in its cursor.
  func search(_ request: SearchRequest) async throws -> SearchPage {
    let depth = SearchDepth(maximumRequestsPerProvider: maximumRequests)
    return try await PartitionedSearch(
      depth: depth, rules: Self.rules, now: { Date(timeIntervalSince1970: 1_790_000_000) }
    ).page(request, ask: answer)
  }

  private func answer(_ request: SearchRequest) async throws -> SearchPage {
    request.requests.add()
    let text = request.query?.description ?? ""
    let found = try found(text, request)
    let words = (request.cursor ?? "?per_page=\(request.pageSize)&page=1").split { "?&=".contains($0) }
    guard words.count >= 4, let size = Int(words[words.count - 3]), let page = Int(words[words.count - 1]),
      (page - 1) * size < Self.rules.cap
    else { throw SearchError(.invalidQuery, "only the first 20 results are available", hint: "") }
    let end = min(page * size, found.count, Self.rules.cap)
    let start = min((page - 1) * size, end)
    return SearchPage(
      items: Array(found[start..<end]),
      next: end < min(found.count, Self.rules.cap)
        ? "https://h/search?per_page=\(size)&page=\(page + 1)" : nil,
      total: ResultTotal(max(0, found.count + error(text))))
  }

  private func found(_ text: String, _ request: SearchRequest) throws -> [SearchResult] {
    let key = "\(text) \(request.sort ?? "") \(request.order)"
    if let known = answers.withLock({ $0[key] }) { return known }
    let found = sorted(try Self.matching(text, items), request)
    answers.withLock { $0[key] = found }
    return found
  }

  /// The items that a query finds; all of them have the word `word` and no other.
  static func matching(_ query: String, _ items: [SearchResult]) throws -> [SearchResult] {
    let root = try QueryParser().parse(query).root
    return items.filter { root.matches($0) { $0.text == "word" } }
  }

  private func error(_ query: String) -> Int {
    switch lie {
    case .none: 0
    case .byRequest: random.withLock { Int.random(in: -2...2, using: &$0) }
    case .byQuery: query.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) % 10_007 } % 5 - 2
    }
  }

  private func sorted(_ found: [SearchResult], _ request: SearchRequest) -> [SearchResult] {
    let field: ResultField
    switch request.sort {
    case "stars": field = .stars
    case "forks": field = .forks
    case "updated": field = .updatedAt
    default: field = "rank"
    }
    func key(_ item: SearchResult) -> Double {
      let value = item[field]?.number.map(Double.init) ?? item[field]?.date?.timeIntervalSince1970 ?? 0
      return request.sort != nil && request.order == .descending ? -value : value
    }
    let keyed: [(key: Double, item: SearchResult)] = found.map { (key($0), $0) }
    return keyed.sorted { a, b in a.key == b.key ? a.item.id < b.item.id : a.key < b.key }.map(\.item)
  }
}

extension PartitionWorld {
  /// What came of reading a list to its end.
  struct Walk {
    var ids: [String] = []
    var items: [SearchResult] = []
    /// The cursors that were met.
    var cursors: [String] = []
    /// Requests of each search; a search that was put down is followed by another.
    var requests: [Int] = []
    var shortfalls: [SearchShortfall] = []
    var isEnded = false
  }

  /// A bound that no list of these tests comes near, but one without end.
  private static let maximumPages = 5000

  /// Reads a list to its end as the federation does: each item once, a page without anything new is the end unless it says otherwise.
  func walk(
    _ query: String, sort: String? = nil, order: ForageCore.SortOrder = .descending, pageSize: Int = 5
  ) async throws -> Walk {
    // What waits beside these tests, a server for one, gets its turn.
    await Task.yield()
    var walk = Walk()
    var seen: Set<String> = []
    var request = SearchRequest(
      kind: .repo, query: try QueryParser().parse(query).root, sort: sort, order: order, pageSize: pageSize,
      deadline: .now + .seconds(600))
    for _ in 0..<Self.maximumPages {
      let page = try await search(request)
      let fresh = page.items.filter { seen.insert($0.id).inserted }
      walk.items += fresh
      walk.ids += fresh.map(\.id)
      if let shortfall = page.gaps.shortfall, !walk.shortfalls.contains(shortfall) {
        walk.shortfalls.append(shortfall)
      }
      if page.gaps.shortfall?.isPause == true {
        walk.requests.append(request.requests.count)
        request.requests = RequestCounter()
      }
      if page.next == nil || fresh.isEmpty && !page.mayRepeat {
        walk.requests.append(request.requests.count)
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
    let (first, last) = (1_200_000_000, 1_790_000_000)
    let bursts = (0..<3).map { _ in Int.random(in: first...last, using: &random) }
    let stars = random.pick([1, 3, 200])
    var seconds: [Int: Int] = [:]
    return (0..<count).map { index in
      var second = Int.random(in: first...last, using: &random)
      if random.chance(0.4) { second = random.pick(bursts) + Int.random(in: 0...40, using: &random) }
      if random.chance(isCrowded ? 0.4 : 0.1) { second = bursts[0] }
      if !isCrowded { while seconds[second, default: 0] >= rules.cap { second += 1 } }
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
        .forks: .number(forks), "rank": .number(rank), .updatedAt: .date(Date(timeIntervalSince1970: 0)),
      ])
  }
}
