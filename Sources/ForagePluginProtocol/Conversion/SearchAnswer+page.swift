package import ForageCore

extension SearchAnswer {
  /// Describes how a page ends.
  ///
  /// - Parameters:
  ///   - count: How many items were sent.
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
  /// The page that an answer ends.
  ///
  /// - Parameters:
  ///   - items: The items that were sent before.
  ///   - unreadable: How many of them could not be read.
  ///   - query: What was asked.
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
          hint: $0.hint.map(PluginProtocol.Limits.shortened) ?? "ask for less at once",
          isPause: $0.pause ?? false)
      },
      observedAt: answer.observedAt.flatMap(WireTime.date))
  }

  /// No page skips more than this and is still one: a bound, so that sums of what plugins say cannot overflow.
  private static let mostUnreadable = 1_000_000
}
