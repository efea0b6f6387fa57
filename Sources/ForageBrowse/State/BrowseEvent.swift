package import ForageCore

/// Something that happens: input of the user, time, or an answer to an effect.
package enum BrowseEvent: Sendable {
  case input(BrowseInput)
  case resize(columns: Int, rows: Int)
  /// The time since the start, before other events and when `BrowseState.deadline` is due.
  case clock(Duration)
  /// News of a search; dropped unless its generation is the running one or one whose list is kept.
  case search(generation: Int, BrowseSearchEvent)
  /// Details of an entity; dropped unless they are the ones that were asked for last.
  case details(request: Int, Result<BrowseText, BrowseProblem>)
  /// More than the list knows of an entity would take requests that the user has not asked for; dropped
  /// likewise.
  case detailsWithheld(request: Int)
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
  case reported(BrowseProblem)
}

/// News of a search.
package enum BrowseSearchEvent: Sendable {
  /// The states of the providers that take part, at the beginning and when one changes.
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
  /// Further notes, for example why the list ends.
  package var notes: [BrowseProblem]

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

  /// A message that says what was done to a result.
  package func done(_ isSet: Bool, _ title: String) -> String {
    switch self {
    case .star: "\(isSet ? "starred" : "unstarred") \(title)"
    case .favorite: "\(title) is \(isSet ? "now" : "no longer") a favorite"
    }
  }
}

/// Something to be done outside of the state; its outcome comes back as an event.
package enum BrowseEffect: Hashable, Sendable {
  /// Searches, in place of the search that runs.
  case search(BrowseRequest)
  /// Goes back to the list of an earlier search that was kept, in place of the search that runs.
  case show(BrowseRequest)
  /// Loads the next page of the list.
  case more(generation: Int)
  /// Stops loading a page; what is loaded stays.
  case stop(generation: Int)
  /// Loads the details of an entity, in place of other details.
  case details(SearchResult, request: Int, isRefresh: Bool)
  /// The same for an entity that is only selected: where its forge has few requests left for the user,
  /// nothing is sent.
  case preview(SearchResult, request: Int)
  /// Inspects the clone of a result, in place of another inspection.
  ///
  /// - Parameter path: The folder; `nil` where it is not known.
  case facts(SearchResult, path: String?, request: Int)
  /// Sets or removes a mark.
  case mark(BrowseMark, SearchResult, isSet: Bool, request: Int)
  /// Marks a notification as read.
  case markRead(SearchResult)
  /// Opens a page in the browser.
  case open(address: String)
  /// Gives the terminal to the editor for a file, and takes it back.
  case edit(FileLocation)
  /// Gives the terminal to the program of an action, and takes it back.
  case act(ResultAction, SearchResult)
  /// Sets the clipboard.
  case copy(String)
  /// Asks for the folder into which a repository would be cloned.
  case cloneFolder(SearchResult)
  /// Clones a repository into a folder.
  case clone(SearchResult, folder: String)
  /// Draws the whole terminal again.
  case redraw
  /// Gives the terminal back and stops the program until it is continued.
  case suspend
  case quit(BrowseEnding)
}

package enum BrowseEnding: Hashable, Sendable {
  case done
  /// By Ctrl-C.
  case interrupted
}

/// The request of a search.
package struct BrowseRequest: Hashable, Sendable {
  /// Whom it asks, and when answers of the cache do.
  package enum Scope: Hashable, Sendable {
    /// Clones, and cached answers; nothing is sent.
    case local
    /// Everybody but providers with few requests left: the user is typing.
    case typing
    /// Everybody.
    case asked
    /// Everybody once, past the cache.
    case refresh
  }

  /// Counts the searches of this run.
  package var generation: Int
  /// The query; the feed where it is empty.
  package var query: String
  /// The kinds of results; empty for the usual ones.
  package var kinds: [ResultKind]
  package var sort: String?
  package var order: SortOrder?
  /// The ids of the providers to ask.
  package var providers: [String]
  package var scope: Scope
  /// Whether ten of the feed are chosen at random.
  package var isSample: Bool
  /// The providers that a refresh leaves out because a limit holds, with the times at which it ends.
  package var limits: [String: Duration] = [:]
  /// The generations of the searches whose lists are kept.
  package var kept: Set<Int> = []

  package init(
    generation: Int, query: String, kinds: [ResultKind] = [], sort: String? = nil,
    order: SortOrder? = nil, providers: [String] = [], scope: Scope, isSample: Bool = false
  ) {
    self.generation = generation
    self.query = query
    self.kinds = kinds
    self.sort = sort
    self.order = order
    self.providers = providers
    self.scope = scope
    self.isSample = isSample
  }

  /// Whether limits hold for everybody whom it asks.
  package var isRefused: Bool { !providers.isEmpty && providers.allSatisfy { limits[$0] != nil } }

  /// Whether another request asks for the same list.
  func isSameList(_ other: BrowseRequest) -> Bool {
    query == other.query && kinds == other.kinds && sort == other.sort && order == other.order
      && providers == other.providers && isSample == other.isSample
  }
}
