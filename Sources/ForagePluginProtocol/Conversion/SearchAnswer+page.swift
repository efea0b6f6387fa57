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
      count: count, next: page.next, unapplied: unapplied, complete: !page.isIncomplete, total: page.total,
      unreadable: page.unreadable > 0 ? page.unreadable : nil, mayRepeat: page.mayRepeat ? true : nil,
      shortfall: page.shortfall.map {
        ShortfallInfo(message: $0.message, hint: $0.hint, pause: $0.isPause ? true : nil)
      },
      cacheAgeMs: page.cacheAge.map { Int(min(max(.zero, $0), .seconds(86_400 * 365)) / .milliseconds(1)) },
      stale: page.isStale ? true : nil, observedAt: page.observedAt.map(Timestamp.text))
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
    self.init(
      items: items, next: answer.next,
      total: answer.total.flatMap { $0.value >= 0 ? $0 : nil }, isIncomplete: answer.complete == false,
      unapplied: query.names(of: answer.unapplied ?? []),
      unreadable: unreadable + min(max(0, answer.unreadable ?? 0), Self.mostUnreadable),
      cacheAge: answer.cacheAgeMs.map { .milliseconds(max(0, $0)) }, isStale: answer.stale ?? false,
      mayRepeat: answer.mayRepeat ?? false,
      shortfall: answer.shortfall.map {
        SearchShortfall(
          PluginProtocol.Limits.shortened($0.message),
          hint: $0.hint.map(PluginProtocol.Limits.shortened) ?? "use a lower --limit",
          isPause: $0.pause ?? false)
      },
      observedAt: answer.observedAt.flatMap(WireTime.date))
  }

  /// The maximum of `unreadable`, so that sums of plugin values cannot overflow.
  private static let mostUnreadable = 1_000_000
}
