import Forage
import ForageBrowse
import ForageCore

/// What `forage browse` searches and acts with.
struct BrowseServices: Sendable {
  var options: BrowseOptions
  let context: Context
  /// That of the context, with other takers of what it reports.
  private(set) var forage: Forage
  /// Every provider, enabled or not.
  let all: ProviderRegistry
  private let start = ContinuousClock.now

  /// The time since the start, as the state counts it.
  var now: Duration { ContinuousClock.now - start }

  /// How cached answers are used where nothing else is asked for.
  var cache: CacheMode { options.isOffline ? .offline : .normal }

  /// Finds the providers; nothing is sent.
  init(_ options: BrowseOptions, _ context: Context) throws {
    (self.options, self.context, forage) = (options, context, context.forage)
    var requestOptions = RequestOptions(cache: options.isOffline ? .offline : .normal)
    requestOptions.everything = true
    all = try forage.registry(forage.settings(), requestOptions)
    // What was declined at the start is not asked for again while the terminal shows something else.
    forage = reporting { $0.agrees = { _ in false } }.forage
  }

  /// The same, with changes to what takes their reports.
  func reporting(_ change: (inout Reporter) -> Void) -> BrowseServices {
    var (copy, reporter) = (self, forage.reporter)
    change(&reporter)
    copy.forage = forage.reporting(to: reporter)
    return copy
  }

  /// The providers as they can be chosen.
  func providers() throws -> [BrowseProvider] {
    let settings = try forage.settings()
    return all.entries.map { entry in
      BrowseProvider(
        id: entry.info.id,
        kinds: entry.kinds.keys.sorted { $0.rawValue < $1.rawValue },
        feeds: Set(entry.kinds.filter { $0.value.feed != nil }.keys),
        sorts: entry.kinds.mapValues(\.sorts),
        isChosen: options.providers.contains(entry.info.id),
        isEnabled: forage.isEnabled(entry.info.id, settings))
    }
  }

  /// The actions; one whose key is taken has only its name, which a warning says.
  func actions() throws -> [ResultAction] {
    let (actions, conflicts) = try forage.actionsWithFreeKeys()
    guard let first = conflicts.first?.action else { return actions }
    let list = conflicts.map {
      "\($0.action.key.map(String.init) ?? "") (\($0.action.fullName)) is \($0.owner)"
    }
    context.output.warning(
      "keys of actions are taken: " + list.joined(separator: ", "),
      hint: "give them other keys, or run them with: forage act \(first.fullName) REF")
    return actions
  }

  /// The saved searches as tabs, without those whose kinds cannot be searched for.
  func savedSearches() throws -> [BrowseSavedSearch] {
    let known = Set(all.providers.flatMap { $0.kinds.keys.map(\.rawValue) })
    return try forage.savedSearches().compactMap { search in
      let named = search.kinds.map { name in
        ResultKind(
          rawValue: KnownNames.kind(named: name, among: known.sorted() + ResultKind.names) ?? name)
      }
      guard let (kinds, query) = try? Self.searched(named, search.query),
        kinds.allSatisfy({ known.contains($0.rawValue) })
      else { return nil }
      return BrowseSavedSearch(
        name: search.name, query: query, kinds: kinds, sort: search.sort, order: search.order,
        providers: search.providers)
    }
  }

  /// The kinds and the query for kinds that were named; the condition for pull requests can be seen and
  /// edited in the query.
  ///
  /// - Throws: `ForageError` for pull requests beside other kinds.
  static func searched(
    _ named: [ResultKind], _ query: String
  ) throws -> (kinds: [ResultKind], query: String) {
    let (kinds, areOnlyPulls) = try SearchRunner.searched(named)
    guard areOnlyPulls else { return (kinds, query) }
    return (kinds, query.isEmpty ? "is:pr" : QueryParser.grouped(query) + " is:pr")
  }

  /// The providers that a request leaves out because a limit holds, or few of their searches are left.
  func excludedProviders(_ request: BrowseRequest) async -> [ProviderStatus] {
    let limited = request.limits.sorted { $0.key < $1.key }.filter { request.providers.contains($0.key) }
    guard limited.isEmpty else {
      return limited.map { ProviderStatus(id: $0.key, state: .limited(until: $0.value)) }
    }
    guard request.scope == .typing, !options.isOffline else { return [] }
    var excluded: [ProviderStatus] = []
    for id in request.providers {
      guard let remaining = await forage.searchesRemaining(of: id, request.kinds),
        remaining < BrowseState.fewRequests
      else { continue }
      excluded.append(ProviderStatus(id: id, state: .deferred(remaining: remaining)))
    }
    return excluded
  }

  /// The runner of a request; nothing is sent yet.
  ///
  /// - Parameter excluded: The ids of the providers that are left out.
  func runner(_ request: BrowseRequest, without excluded: Set<String>) throws -> SearchRunner {
    let isRefresh = request.scope == .refresh
    var search = SearchOptions()
    search.limit = request.isSample ? FeedCommand.reach : options.limit
    search.reach = request.isSample ? 0 : SearchOptions.maximumLimit
    search.order = request.order
    search.onlyFavorites = options.showsOnlyFavorites
    search.cache = request.scope == .local ? .offline : isRefresh && !options.isOffline ? .bypass : cache
    search.maximumRequestsPerProvider = options.maximumRequests
    if request.isSample { search.sample = RandomSample(count: BrowseState.sampleSize, seed: nil) }
    // Plugins have no cache, so that asking them is never quick.
    let slow = request.scope == .local ? Set(forage.knownIDs.plugins.values.flatMap(\.self)) : []
    let asked = request.providers.filter { !excluded.contains($0) && !slow.contains($0) }
    if isRefresh { forage.network.admitNextRequests() }
    return try SearchRunner(search, forage) { settings, requestOptions in
      var requestOptions = requestOptions
      requestOptions.everything = true
      let registry = try forage.registry(settings, requestOptions)
      return ProviderChoice(all: registry.selecting(asked))
    }
  }
}
