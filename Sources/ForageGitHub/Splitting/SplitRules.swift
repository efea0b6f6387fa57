/// The numbers by which a search is split.
struct SplitRules: Hashable, Sendable {
  /// GitHub gives out at most this many results of one query.
  var cap = 1000
  /// Items of the page by which a piece is measured, whatever the page size of the search is, so that it does not decide where pieces are cut.
  var pageSize = 100
  /// Results that a piece is meant to have: room for the dates of one page to misjudge those of the rest.
  var target = 700
  /// Pieces that one piece is cut into at most: more than the dates of one page can tell apart.
  var widest = 16
  /// Pieces that wait at a time before pieces are only halved: the cursor holds one number for each.
  var maximumPieces = 64
  /// Fewer known dates than this say little of how the results lie.
  var smallestSample = 8
}

/// How far a search may go beyond what one query gives out.
package struct SearchReach: Sendable {
  /// Requests of one search unless the user says otherwise: five times what a single query can need.
  package static let defaultMaximumRequests = 50

  /// The place up to which results are wanted, from 1.
  package var wanted: Int
  /// The place behind which the search begins; more than 0 when it goes on with an earlier one.
  package var offset: Int
  /// Requests that may be sent for one kind in one search.
  package var maximumRequests: Int
  /// Told before the second request, when results beyond the reach of one query are wanted: how many results and about how many requests.
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
  /// About how many requests the first results of a list need.
  ///
  /// Formula: the pages of one query, and behind it, by best match, as many pages of pieces as hold so many new results (the pieces repeat those
  /// of the first query) and one request more for each piece, because its last page is not full; in an order that pieces can follow, the further
  /// pages, and two requests more for each window.
  ///
  /// - Parameters:
  ///   - results: How many are wanted.
  ///   - total: How many there are.
  func estimate(results: Int, of total: Int, isSorted: Bool) -> Int {
    let wanted = max(0, min(results, total))
    guard wanted > cap, total > cap else { return Self.quotient(wanted, pageSize) }
    let first = Self.quotient(cap, pageSize)
    let rest = wanted - cap
    if isSorted { return first + Self.quotient(rest, pageSize) + 2 * Self.quotient(rest, cap) }
    // As a fraction: a total that a server makes up must not overflow.
    let read = Int(min(Double(total), Double(rest) * Double(total) / Double(total - cap)).rounded(.up))
    return first + Self.quotient(read, pageSize) + Self.quotient(read, target)
  }

  private static func quotient(_ number: Int, _ size: Int) -> Int {
    number / size + (number % size == 0 ? 0 : 1)
  }
}
