/// Something that happens: input of the user, time, or an answer to an effect.
package enum BrowseEvent: Sendable {
  case input(BrowseInput)
  case resize(columns: Int, rows: Int)
  /// The time since the start, before other events and when `BrowseState.deadline` is due.
  case clock(Duration)
  /// News of a search; dropped unless its generation is the running one.
  case search(generation: Int, BrowseSearchEvent)
  /// Details of an entity; dropped unless they are the ones that were asked for last.
  case details(request: Int, Result<BrowseText, BrowseProblem>)
  /// Facts about a clone; dropped likewise.
  case facts(request: Int, Result<BrowseText, BrowseProblem>)
  /// The outcome of a change of a mark.
  case marked(BrowseMark, key: String, isSet: Bool, request: Int, BrowseProblem?)
  /// The folder into which a repository would be cloned.
  case cloneFolder(key: String, Result<String, BrowseProblem>)
  /// The folder into which a repository was cloned.
  case cloned(key: String, Result<String, BrowseProblem>)
  /// A provider waits for a limit, outside of a search.
  case waiting(provider: String, until: Duration)
  /// Something that was done, or that failed.
  case told(BrowseProblem)
}

/// News of a search.
package enum BrowseSearchEvent: Sendable {
  /// What the providers that take part do, at the beginning and when it changes.
  case providers([ProviderStatus])
  /// The merged rows so far.
  case rows(BrowseRows)
  /// The search or a further page ended.
  case page(BrowsePage)
  /// The search could not be made at all.
  case failed(BrowseProblem)
}

/// One page of a list in its final order.
package struct BrowsePage: Sendable {
  package var rows: BrowseRows
  /// Whether the rows follow those of earlier pages; otherwise they replace what is shown.
  package var isAppended: Bool
  /// Whether another page can be loaded.
  package var hasMore: Bool
  /// What else is to be said, for example why the list ends.
  package var notes: [BrowseProblem]

  /// Creates a page.
  package init(
    _ rows: BrowseRows, isAppended: Bool = false, hasMore: Bool = false, notes: [BrowseProblem] = []
  ) {
    self.rows = rows
    self.isAppended = isAppended
    self.hasMore = hasMore
    self.notes = notes
  }
}

/// A mark of a result.
package enum BrowseMark: Hashable, Sendable {
  /// The star of the token's account, on the forge.
  case star
  /// A favorite on this machine.
  case favorite
}
