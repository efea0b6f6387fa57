import Forage
import ForageBrowse
import ForageCore

/// What `forage browse` searches and acts with.
struct BrowseServices: Sendable {
  var options: BrowseOptions
  let context: Context
  /// Those of the context, with other takers of what they report.
  private(set) var services: Services
  /// Every provider, enabled or not.
  let all: ProviderRegistry
  private let start = ContinuousClock.now

  /// The time since the start, as the state counts it.
  var now: Duration { ContinuousClock.now - start }

  /// How cached answers are used where nothing else is asked for.
  var cache: CacheMode { options.isOffline ? .offline : .normal }

  /// Finds the providers; nothing is sent.
  init(_ options: BrowseOptions, _ context: Context) throws {
    (self.options, self.context, services) = (options, context, context.services)
    var requestOptions = RequestOptions(cache: options.isOffline ? .offline : .normal)
    requestOptions.everything = true
    all = try services.registry(services.settings(), requestOptions)
    // What was declined at the start is not asked for again while the terminal shows something else.
    services = reporting { $0.agrees = { _ in false } }.services
  }

  /// The same services, with changes to what takes their reports.
  func reporting(_ change: (inout Reporter) -> Void) -> BrowseServices {
    var (copy, reporter) = (self, services.reporter)
    change(&reporter)
    copy.services = services.reporting(to: reporter)
    return copy
  }

  /// The providers as they can be chosen.
  func providers() throws -> [BrowseProvider] {
    let settings = try services.settings()
    return all.providers.map(\.descriptor).map { descriptor in
      BrowseProvider(
        id: descriptor.id,
        kinds: descriptor.kinds.keys.sorted { $0.rawValue < $1.rawValue },
        sorts: descriptor.kinds.mapValues(\.sorts),
        isChosen: options.providers.contains(descriptor.id),
        isEnabled: services.isEnabled(descriptor.id, settings))
    }
  }

  /// The providers that a request leaves out because a limit holds, or few of their searches are left.
  func held(_ request: BrowseRequest) -> [ProviderStatus] {
    let limited = request.limits.sorted { $0.key < $1.key }.filter { request.providers.contains($0.key) }
    guard limited.isEmpty else {
      return limited.map { ProviderStatus(id: $0.key, state: .limited(until: $0.value)) }
    }
    guard request.scope == .typing, !options.isOffline else { return [] }
    return request.providers.compactMap { id in
      guard let left = services.searchesLeft(of: id, request.kinds), left < BrowseState.fewRequests else {
        return nil
      }
      return ProviderStatus(id: id, state: .held(left: left))
    }
  }

  /// The runner of a request; nothing is sent yet.
  ///
  /// - Parameter held: The ids of the providers that are left out.
  func runner(_ request: BrowseRequest, without held: Set<String>) throws -> SearchRunner {
    let isRefresh = request.scope == .refresh
    var search = SearchOptions()
    search.limit = request.isSample ? FeedCommand.sampleReach : options.limit
    search.reach = request.isSample ? 0 : SearchOptions.maximumLimit
    search.order = request.order
    search.onlyFavorites = options.showsOnlyFavorites
    search.cache = request.scope == .local ? .offline : isRefresh && !options.isOffline ? .bypass : cache
    search.maximumRequestsPerProvider = options.maximumRequests
    if request.isSample { search.sample = RandomSample(count: BrowseState.sampleSize, seed: nil) }
    // Plugins have no cache, so that asking them is never quick.
    let slow = request.scope == .local ? Set(services.knownIDs.plugins.values.flatMap(\.self)) : []
    let asked = request.providers.filter { !held.contains($0) && !slow.contains($0) }
    if isRefresh { services.admitNextRequests() }
    return try SearchRunner(search, services) { settings, requestOptions in
      var requestOptions = requestOptions
      requestOptions.everything = true
      let registry = try services.registry(settings, requestOptions)
      return ProviderChoice(all: registry.selecting(asked))
    }
  }
}
