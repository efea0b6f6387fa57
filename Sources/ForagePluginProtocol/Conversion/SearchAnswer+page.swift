package import ForageCore

extension SearchAnswer {
  /// Creates the result that ends a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - count: The number of items sent.
  ///   - unapplied: The numbers of the filters that were not applied.
  package init(_ page: SearchPage, count: Int, unapplied: [Int]) {
    let missing = page.notes.first { $0.isMissing && $0.code != .incompleteResults }
    self.init(
      count: count, next: page.next, unapplied: unapplied,
      complete: !page.notes.contains { $0.code == .incompleteResults }, total: page.total,
      unreadable: page.unreadable > 0 ? page.unreadable : nil,
      mayRepeat: page.mayRepeat ? true : nil,
      shortfall: missing.map {
        ShortfallInfo(message: $0.message, hint: $0.hint, pause: page.isPaused ? true : nil)
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
  ///   - name: The provider's display name.
  package init(
    _ answer: SearchAnswer, items: [SearchResult], unreadable: Int, query: EncodedQuery, of name: String
  ) {
    var items = items
    // The time of an item takes precedence over that of the page.
    if let observed = answer.observedAt.flatMap(DatePoint.instant) {
      for index in items.indices where items[index].observedAt == nil { items[index].observedAt = observed }
    }
    var notes = answer.complete == false ? [Note.incompleteResults(of: name)] : []
    if let shortfall = answer.shortfall {
      notes.append(
        Note(
          .outOfReach, PluginProtocol.Limits.shortened(shortfall.message),
          hint: shortfall.hint.map(PluginProtocol.Limits.shortened) ?? "request fewer results"))
    } else if let odd = ["next", "shortfall", "complete"].first(where: answer.oddMembers.contains) {
      // Without it a list would end as if it were complete.
      notes.append(
        Note(
          .invalidResponse, "results may be missing, because the plugin sent an invalid \(odd)",
          hint: "this is a fault of the plugin; report it to its author"))
    }
    self.init(
      items: items, next: answer.next, total: answer.total.flatMap { $0.value >= 0 ? $0 : nil },
      unapplied: query.names(of: answer.oddMembers.contains("unapplied") ? nil : answer.unapplied ?? []),
      notes: notes, unreadable: unreadable + min(max(0, answer.unreadable ?? 0), Self.mostUnreadable),
      isPaused: answer.shortfall?.pause ?? false, mayRepeat: answer.mayRepeat ?? false,
      cache: answer.cacheUse)
    limit = answer.limit
  }

  /// The maximum of `unreadable`, so that sums of plugin values cannot overflow.
  private static let mostUnreadable = 1_000_000
}
