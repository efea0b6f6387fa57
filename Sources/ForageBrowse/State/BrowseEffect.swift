package import ForageCore

/// Something to be done outside of the state; its outcome comes back as an event.
package enum BrowseEffect: Hashable, Sendable {
  /// Searches, in place of the search that runs.
  case search(BrowseRequest)
  /// Loads the next page of the list.
  case more(generation: Int)
  /// Stops loading a page; what is loaded stays.
  case stop(generation: Int)
  /// Loads the details of an entity, in place of other details.
  case details(key: String, request: Int, isRefresh: Bool)
  /// Inspects a clone, in place of another inspection.
  case facts(key: String, request: Int)
  /// Sets or removes a mark.
  case mark(BrowseMark, key: String, isSet: Bool, request: Int)
  /// Opens a page in the browser.
  case open(address: String)
  /// Sets the clipboard.
  case copy(String)
  /// Asks for the folder into which a repository would be cloned.
  case cloneFolder(key: String)
  /// Clones a repository into a folder.
  case clone(key: String, folder: String)
  /// Draws the whole terminal again.
  case redraw
  /// Gives the terminal back and stops the program until it is continued.
  case suspend
  /// Ends the program.
  case quit(BrowseEnding)
}

/// How the program ends.
package enum BrowseEnding: Hashable, Sendable {
  case done
  /// By Ctrl-C.
  case interrupted
}

/// What a search asks.
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
  package var order: SortOrder
  /// The ids of the providers to ask.
  package var providers: [String]
  package var scope: Scope
  /// Whether ten of the feed are chosen at random.
  package var isSample: Bool
  /// The providers that a refresh leaves out because a limit holds, with the times at which it ends.
  package var limits: [String: Duration] = [:]

  /// Creates a request.
  package init(
    generation: Int, query: String, kinds: [ResultKind] = [], sort: String? = nil,
    order: SortOrder = .descending, providers: [String] = [], scope: Scope, isSample: Bool = false
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
