struct SplitRules: Hashable, Sendable {
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

/// How far a search may go beyond the results of one query.
package struct SearchReach: Sendable {
  /// The default maximum of requests: five times what a single query can need.
  package static let defaultMaximumRequests = 50

  /// The number of results wanted, counted from the beginning of the list.
  package var wanted: Int
  /// The number of results before this search; more than 0 if it continues an earlier one.
  package var offset: Int
  /// The maximum number of requests per kind in one search.
  package var maximumRequests: Int
  /// Called before the second request if results beyond one query are wanted, with the number of results and
  /// the estimated number of requests.
  package var onPlan: @Sendable (_ results: Int, _ requests: Int) -> Void

  package init(
    wanted: Int = 0, offset: Int = 0, maximumRequests: Int = SearchReach.defaultMaximumRequests,
    onPlan: @escaping @Sendable (_ results: Int, _ requests: Int) -> Void = { _, _ in }
  ) {
    self.wanted = wanted
    self.offset = offset
    self.maximumRequests = maximumRequests
    self.onPlan = onPlan
  }
}

extension SplitRules {
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
