package import ForageCore

extension SearchAnswer {
  /// Creates the result that ends a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - count: The number of items sent.
  ///   - unapplied: The numbers of the filters that were not applied.
  package init(_ page: SearchPage, count: Int, unapplied: [Int]) {
    self.init(
      count: count, next: page.next, unapplied: unapplied, complete: !page.gaps.isIncomplete,
      total: page.total,
      unreadable: page.gaps.unreadable > 0 ? page.gaps.unreadable : nil,
      mayRepeat: page.mayRepeat ? true : nil,
      shortfall: page.gaps.shortfall.map {
        ShortfallInfo(message: $0.message, hint: $0.hint, pause: $0.isPause ? true : nil)
      },
      cacheAgeMs: page.cache.age.map { Int(min(max(.zero, $0), .seconds(86_400 * 365)) / .milliseconds(1)) },
      stale: page.cache.isStale ? true : nil)
  }

  /// The time for which the service accepts no further request; `nil` if it does, or if the time is unknown.
  package var limit: Duration? {
    guard let left = rate?.remaining, left <= 0, let time = rate?.resetMs, time > 0 else { return nil }
    return .milliseconds(time)
  }

  /// How the plugin's cache contributed.
  package var cacheUse: CacheUse {
    CacheUse(age: cacheAgeMs.map { .milliseconds(max(0, $0)) }, isStale: stale ?? false)
  }
}

extension SearchPage {
  /// Creates the page from a result.
  ///
  /// - Parameters:
  ///   - answer: The result.
  ///   - items: The items received before it.
  ///   - unreadable: The number of items that could not be read.
  ///   - query: The query.
  package init(_ answer: SearchAnswer, items: [SearchResult], unreadable: Int, query: EncodedQuery) {
    var items = items
    // The time of an item takes precedence over that of the page.
    if let observed = answer.observedAt.flatMap(DatePoint.instant) {
      for index in items.indices where items[index].observedAt == nil { items[index].observedAt = observed }
    }
    var shortfall = answer.shortfall.map {
      SearchShortfall(
        PluginProtocol.Limits.shortened($0.message),
        hint: $0.hint.map(PluginProtocol.Limits.shortened) ?? "request fewer results",
        isPause: $0.pause ?? false)
    }
    // Without it a list would end as if it were complete.
    for name in ["next", "shortfall", "complete"] where answer.oddMembers.contains(name) {
      shortfall =
        shortfall
        ?? SearchShortfall(
          "results may be missing, because the plugin sent an invalid \(name)",
          hint: "this is a fault of the plugin; report it to its author")
    }
    self.init(
      items: items, next: answer.next, total: answer.total.flatMap { $0.value >= 0 ? $0 : nil },
      unapplied: query.names(of: answer.oddMembers.contains("unapplied") ? nil : answer.unapplied ?? []),
      gaps: PageGaps(
        isIncomplete: answer.complete == false,
        unreadable: unreadable + min(max(0, answer.unreadable ?? 0), Self.mostUnreadable),
        shortfall: shortfall),
      cache: answer.cacheUse, mayRepeat: answer.mayRepeat ?? false)
    limit = answer.limit
  }

  /// The maximum of `unreadable`, so that sums of plugin values cannot overflow.
  private static let mostUnreadable = 1_000_000
}
