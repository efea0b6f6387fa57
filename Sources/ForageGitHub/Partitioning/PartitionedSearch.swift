import ForageCore
import ForageFoundation

/// Reads searches beyond the results of one query, one request per page.
///
/// The pages of the first query are unchanged. By best match, the search is then read again in ranges of
/// dates, newest first. By a sort key that has a qualifier, it continues in ranges of that key's values, from
/// the last value on, so that the list stays sorted. A range with more results than one query returns is
/// halved. Later pages can contain few new results or none; the caller removes those that it knows.
struct PartitionedSearch: Sendable {
  /// The provider's id, for messages.
  let id: String
  var rules = PartitionRules()
  /// The current time, after which few results have dates.
  var now: @Sendable () -> Date = { Date() }

  /// Returns one page; an empty one if as many requests as allowed were counted for the task.
  ///
  /// - Parameters:
  ///   - request: The request. Pages of ranges do not depend on its page size.
  ///   - ask: Requests a page of one query; its cursors are the server's links.
  /// - Throws: What `ask` throws, and `SearchError` with code `invalid_cursor`.
  func page(
    _ request: SearchRequest, ask: (SearchRequest) async throws -> SearchPage
  ) async throws -> SearchPage {
    let position = try request.cursor.flatMap(PartitionPosition.parsed)
    let sent = RequestCounter.current?.count ?? 0
    if sent >= request.depth.maximumRequests { return paused(request, position) }
    if let position { return try await page(request, at: position, ask: ask) }
    var page = try await ask(request)
    guard let total = page.total?.value, total > rules.cap else { return page }
    let axis = PartitionAxis.of(request.kind, sort: request.sort)
    if request.cursor == nil, axis != nil, request.depth.wanted > rules.cap {
      let results = min(total, request.depth.wanted)
      request.depth.onPlan(
        id, results, rules.estimate(results: results, of: total, isSorted: request.sort != nil))
    }
    guard page.next == nil, !page.items.isEmpty else { return page }
    if let axis {
      page.next = first(request, axis, after: page.items.last, total: total)?.cursor
    } else if let key = request.sort, PartitionAxis.of(request.kind, sort: nil) != nil {
      page.notes.append(
        Note(
          .outOfReach,
          "GitHub returns only \(HumanFormat.grouped(rules.cap)) of \(HumanFormat.grouped(total)) results sorted by \(key)",
          hint: "use another sort key, or none, to get the others"))
    }
    return page
  }

  /// The position after the first query, which returned a part of its results; `nil` if its conditions
  /// exclude each other.
  private func first(
    _ request: SearchRequest, _ axis: PartitionAxis, after last: SearchResult?, total: Int
  ) -> PartitionPosition? {
    guard var range = request.query.flatMap(axis.range) else { return nil }
    if request.sort != nil, let value = last.flatMap(axis.value), range.contains(value) {
      range = request.order == .ascending ? value...range.upperBound : range.lowerBound...value
    }
    let whole = PartitionPosition(qualifier: axis.qualifier, ranges: [range], total: total)
    return halved(whole, request, sample: []) ?? whole
  }

  private func halved(_ position: PartitionPosition, _ request: SearchRequest, sample: [Int])
    -> PartitionPosition?
  {
    position.halved(
      sample: sample, now: Int(now().timeIntervalSince1970),
      isAscending: request.sort != nil && request.order == .ascending)
  }

  private func page(
    _ request: SearchRequest, at position: PartitionPosition, ask: (SearchRequest) async throws -> SearchPage
  ) async throws -> SearchPage {
    let range = position.ranges[0]
    guard let axis = PartitionAxis.of(request.kind, sort: request.sort),
      axis.qualifier == position.qualifier, let query = request.query
    else { throw PartitionPosition.damaged }
    var narrowed = request
    narrowed.query = axis.narrowed(query, to: range)
    (narrowed.cursor, narrowed.pageSize) = (position.link, rules.pageSize)
    var page = try await ask(narrowed)
    let total = page.total?.value ?? 0
    if total > rules.cap, position.link == nil || page.next == nil {
      // The halves contain the items of this page.
      if let halves = halved(position, request, sample: page.items.compactMap(axis.value)) {
        return SearchPage(items: [], next: halves.cursor, mayRepeat: true, cache: page.cache)
      }
      if page.next == nil {
        page.notes.append(
          Note(
            .outOfReach,
            "GitHub returns at most \(rules.cap) of \(total) results "
              + (axis.isDate ? "of one second, " : "with ")
              + "\(axis.qualifier):\(axis.text(range.lowerBound))",
            hint: "search for these alone, with another qualifier"))
      }
    }
    var rest = position
    rest.link = page.next
    page.next = (page.next == nil ? position.following : rest)?.cursor
    // The total of a range is not the total of the search.
    page.total = nil
    page.mayRepeat = true
    return page
  }

  /// An empty page for when the maximum number of requests is reached.
  private func paused(_ request: SearchRequest, _ position: PartitionPosition?) -> SearchPage {
    let allowed =
      request.depth.maximumRequests == 1 ? "one request" : "\(request.depth.maximumRequests) requests"
    let needed = position.map {
      rules.estimate(results: $0.total, of: $0.total, isSorted: request.sort != nil)
    }
    return SearchPage(
      items: [], next: request.cursor,
      notes: [
        Note(
          .requestsExceeded, "the search stopped after the maximum of \(allowed)",
          hint: needed.flatMap { $0 > request.depth.maximumRequests ? "about \($0) for all" : nil } ?? "")
      ], isPaused: true, mayRepeat: true)
  }
}

struct PartitionRules: Hashable, Sendable {
  /// The maximum number of results that GitHub returns for one query.
  var cap = 1000
  /// The page size in ranges.
  var pageSize = 100
  /// The usual number of results in a range, below `cap` because ranges are halved.
  var usualCount = 700

  /// Estimates the number of requests for the first results of a list.
  ///
  /// Formula: the pages of the first query, the pages of ranges with the further results (by best match,
  /// ranges repeat those of the first query), and two requests per range: for its incomplete last page and
  /// for the larger range of which it is a half.
  ///
  /// - Parameters:
  ///   - results: The number of results wanted.
  ///   - total: The total number of results.
  ///   - isSorted: Whether the search is sorted.
  func estimate(results: Int, of total: Int, isSorted: Bool) -> Int {
    // A wrong total from the server must not overflow.
    let total = min(total, Int(Int32.max))
    let wanted = max(0, min(results, total))
    guard wanted > cap else { return Self.quotient(wanted, pageSize) }
    let rest = wanted - cap
    let read = isSorted ? rest : min(total, Self.quotient(rest * total, total - cap))
    return Self.quotient(cap, pageSize) + Self.quotient(read, pageSize) + 2 * Self.quotient(read, usualCount)
  }

  private static func quotient(_ number: Int, _ size: Int) -> Int {
    number / size + (number % size == 0 ? 0 : 1)
  }
}
