import ForageCore
import ForageGitHub

/// How many results beyond those of one query a list reads.
extension ListRun {
  /// The most requests that can be allowed: a page each for ten times the results that can be asked for.
  static let maximumRequests = 1000

  /// The reach of `--limit`, `--after` and `--max-requests`, with the id of the provider, which names it in messages.
  ///
  /// - Throws: `CommandError` for a number out of range, or a damaged cursor.
  func reach(maxRequests: String?) throws -> (_ provider: String) -> SearchReach {
    let allowed = try maxRequests.map {
      try OptionValue.number($0, 1...Self.maximumRequests, of: "--max-requests")
    }
    let offset = try options.after.map(SearchCursor.init)?.offset ?? 0
    let (end, overflow) = offset.addingReportingOverflow(limit)
    return { [notices] id in
      SearchReach(
        wanted: overflow ? .max : end, offset: offset,
        maximumRequests: allowed ?? SearchReach.defaultMaximumRequests
      ) { results, requests in
        let (count, needed) = (HumanFormat.grouped(results), HumanFormat.grouped(requests))
        notices.report("\(id): \(count) results need about \(needed) requests")
      }
    }
  }
}
