import ForageCore
import ForageFoundation
import Synchronization

/// Reads searches beyond the results of one query, one request per page.
///
/// The pages of the first query are unchanged. Later pages can contain few new results or none.
struct PartitionedSearch: Sendable {
  let depth: SearchDepth
  let rules: PartitionRules
  private let now: @Sendable () -> Date
  /// Absent if no results beyond one query are wanted.
  private let totals: Totals?

  /// - Parameter now: The current time, after which few results have dates.
  init(
    depth: SearchDepth, rules: PartitionRules = PartitionRules(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.depth = depth
    self.rules = rules
    self.now = now
    totals = depth.wanted > rules.cap ? Totals() : nil
  }

  /// The total numbers of results of one search.
  private final class Totals: Sendable {
    let byKind = Mutex<[ResultKind: Int]>([:])
  }

  /// Returns one page.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - ask: Requests a page of one query; its cursors are the server's links.
  /// - Throws: What `ask` throws, and `SearchError` with code `invalid_cursor`.
  func page(
    _ request: SearchRequest, ask: (SearchRequest) async throws -> SearchPage
  ) async throws -> SearchPage {
    let position = try request.cursor.flatMap { PartitionPosition.isCursor($0) ? try Self.position($0) : nil }
    if request.requests.count >= depth.maximumRequestsPerProvider {
      return paused(request, total: position?.total)
    }
    if let position { return try await page(request, at: position, ask: ask) }
    var page = try await ask(request)
    announce(page.total?.value, request)
    guard page.next == nil, !page.items.isEmpty else { return page }
    let answer = answer(page, to: request, plan: nil)
    guard answer.isCapped, let plan = plan(request) else { return page }
    let turn = plan.begin(self.answer(page, to: request, plan: plan))
    page.next = turn.next?.cursor
    page.gaps.shortfall = turn.shortfall
    return page
  }

  private func page(
    _ request: SearchRequest, at position: PartitionPosition, ask: (SearchRequest) async throws -> SearchPage
  ) async throws -> SearchPage {
    guard let plan = plan(request), let query = request.query.flatMap({ plan.narrowed($0, to: position) })
    else {
      throw Self.damaged
    }
    announce(position.total, request)
    var narrowed = request
    narrowed.query = query
    narrowed.cursor = position.link
    if position.step != .read { narrowed.pageSize = rules.pageSize }
    var page = try await ask(narrowed)
    let turn = plan.turn(
      at: position, answer(page, to: narrowed, plan: plan), isReadable: narrowed.pageSize == request.pageSize)
    if !turn.isShown { (page.items, page.gaps) = ([], PageGaps()) }
    page.next = turn.next?.cursor
    page.gaps.shortfall = turn.shortfall
    // The total of a piece is not the total of the search.
    page.total = nil
    page.mayRepeat = true
    return page
  }

  private func plan(_ request: SearchRequest) -> PartitionPlan? {
    PartitionPlan(request, rules: rules, now: Int(now().timeIntervalSince1970))
  }

  /// The properties of a page that determine the next step; without a plan, only how far it reaches.
  private func answer(_ page: SearchPage, to request: SearchRequest, plan: PartitionPlan?)
    -> PartitionPlan.Answer
  {
    let number = request.cursor.flatMap { Self.parameter("page", of: $0) } ?? 1
    let size = request.cursor.flatMap { Self.parameter("per_page", of: $0) } ?? request.pageSize
    let (before, overflow) = (number - 1).multipliedReportingOverflow(by: size)
    let start = overflow ? rules.cap : min(before, rules.cap)
    let reached = min(start + page.items.count + page.gaps.unreadable, rules.cap)
    var answer = PartitionPlan.Answer(
      total: page.total?.value, reached: reached,
      // A page may be short without being the last, so both counts are considered.
      isCapped: reached >= rules.cap
        || page.next == nil && start + size >= rules.cap && (page.total?.value ?? 0) > rules.cap,
      next: page.next)
    guard let plan else { return answer }
    answer.dates = page.items.compactMap(plan.date.value)
    if case .by(let axis, _) = plan.order { answer.level = page.items.last.flatMap(axis.value) }
    return answer
  }

  /// A positive whole number among the parameters of a link.
  private static func parameter(_ name: String, of link: String) -> Int? {
    guard let query = link.firstIndex(of: "?") else { return nil }
    let pairs = link[query...].dropFirst().split(separator: "&")
    let value = pairs.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
    return value.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// An empty page for when the maximum number of requests is reached.
  private func paused(_ request: SearchRequest, total: Int?) -> SearchPage {
    let allowed =
      depth.maximumRequestsPerProvider == 1 ? "request" : "\(depth.maximumRequestsPerProvider) requests"
    let known = total ?? totals?.byKind.withLock { $0[request.kind] }
    let need = known.map {
      rules.estimate(results: $0, of: $0, isSorted: request.sort != nil)
    }
    return SearchPage(
      items: [], next: request.cursor,
      gaps: PageGaps(
        shortfall: SearchShortfall(
          "the search stopped after the maximum of \(allowed)",
          isPause: true, neededRequests: need)),
      mayRepeat: true)
  }

  /// Announces once how many requests the search needs beyond one query.
  private func announce(_ total: Int?, _ request: SearchRequest) {
    guard let total, let totals else { return }
    let isFirst = totals.byKind.withLock { known in
      defer { known[request.kind] = known[request.kind] ?? total }
      return known[request.kind] == nil
    }
    guard isFirst, min(total, depth.wanted) > rules.cap, let plan = plan(request), plan.reachesFurther else {
      return
    }
    let end = min(total, depth.wanted)
    let requests = [end, min(depth.offset, end)].map {
      rules.estimate(results: $0, of: total, isSorted: plan.isSorted)
    }
    if end > depth.offset, requests[0] > requests[1] {
      depth.onPlan(end - depth.offset, requests[0] - requests[1])
    }
  }

  private static func position(_ cursor: String) throws(SearchError) -> PartitionPosition {
    guard let position = PartitionPosition(cursor: cursor) else { throw damaged }
    return position
  }

  private static let damaged = SearchError(
    .invalidCursor, "the cursor is damaged or belongs to another search")
}

struct PartitionRules: Hashable, Sendable {
  /// The maximum number of results that GitHub returns for one query.
  var cap = 1000
  /// The page size for measuring a piece. It is fixed, so that cuts do not depend on the page size of the
  /// search.
  var pageSize = 100
  /// The desired number of results per piece, below `cap` because the dates of one page are only a sample.
  var target = 700
  /// The maximum number of pieces that one piece is divided into.
  var widest = 16
  /// The number of waiting pieces above which pieces are only halved; the cursor contains one number for
  /// each.
  var maximumPieces = 64
  /// The minimum number of known dates for a usable sample.
  var smallestSample = 8
}

extension PartitionRules {
  /// Estimates the number of requests for the first results of a list.
  ///
  /// Formula: the pages of the first query, and beyond it, by best match, the pages of pieces that contain as
  /// many new results (the pieces repeat those of the first query) plus one request per piece for its
  /// incomplete last page; in a sorted search, the further pages plus two requests per window.
  ///
  /// - Parameters:
  ///   - results: The number of results wanted.
  ///   - total: The total number of results.
  ///   - isSorted: Whether the search is sorted by a key that has a qualifier.
  func estimate(results: Int, of total: Int, isSorted: Bool) -> Int {
    let wanted = max(0, min(results, total))
    guard wanted > cap, total > cap else { return Self.quotient(wanted, pageSize) }
    let first = Self.quotient(cap, pageSize)
    let rest = wanted - cap
    if isSorted { return first + Self.quotient(rest, pageSize) + 2 * Self.quotient(rest, cap) }
    // Computed as floating point, because a wrong total from the server must not overflow.
    let read = Int(min(Double(total), Double(rest) * Double(total) / Double(total - cap)).rounded(.up))
    return first + Self.quotient(read, pageSize) + Self.quotient(read, target)
  }

  private static func quotient(_ number: Int, _ size: Int) -> Int {
    number / size + (number % size == 0 ? 0 : 1)
  }
}
