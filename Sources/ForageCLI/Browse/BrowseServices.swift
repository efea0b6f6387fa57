import Forage
import ForageBrowse
import ForageCore
import ForageGitHub
import ForageHTTP
import ForageLocal
import Synchronization

/// What `forage browse` searches and acts with: the providers in the ways in which they are asked.
final class BrowseServices: Sendable {
  /// How cached answers are used.
  private enum Mode: Hashable {
    case normal, cacheOnly, fresh
  }

  let options: BrowseOptions
  let settings: Settings
  let context: Context
  /// Every provider, enabled or not.
  let all: ProviderRegistry
  /// The ids of providers that are plugins: they have no cache, so that asking them is never quick.
  private let plugins: Set<String>
  private let chosen = Mutex<Set<String>>([])
  private let registries = Mutex<[Mode: ProviderRegistry]>([:])
  /// Passes on the waits for limits.
  let relay: SearchRelay
  private let hasScanned = Mutex(false)
  private let start = ContinuousClock.now

  /// The time since the start, as the state counts it.
  var now: Duration { ContinuousClock.now - start }

  /// Finds the providers; nothing is sent.
  init(_ options: BrowseOptions, _ settings: Settings, _ context: Context) throws {
    (self.options, self.settings, self.context) = (options, settings, context)
    relay = SearchRelay(context.services.reporter)
    all = try Self.registry(
      options, settings, context, relay, Asking(cache: options.isOffline ? .offline : .normal))
    plugins = Set(context.services.knownIDs.plugins.values.flatMap(\.self))
    registries.withLock { $0[options.isOffline ? .cacheOnly : .normal] = all }
  }

  private static func registry(
    _ options: BrowseOptions, _ settings: Settings, _ context: Context, _ relay: SearchRelay, _ asking: Asking
  ) throws -> ProviderRegistry {
    var asking = asking
    asking.everything = true
    asking.waiting = { relay.waiting($0, $1) }
    asking.reach = { _ in
      // The end of a list is not known beforehand.
      SearchReach(
        wanted: ListOptions.maximumLimit,
        maximumRequests: options.maximumRequests ?? SearchReach.defaultMaximumRequests)
    }
    return try context.services.registry(settings, asking)
  }

  /// Remembers the providers of the command line, and later those that the user chooses instead.
  func choose(_ ids: [String]) { chosen.withLock { $0 = Set(ids) } }

  /// The ids of the providers that are chosen: no other is asked.
  var chosenIDs: [String] { chosen.withLock { chosen in all.ids.filter(chosen.contains) } }

  /// The providers as they can be chosen.
  var providers: [BrowseProvider] {
    let chosen = Set(chosenIDs)
    return all.providers.map(\.descriptor).map { descriptor in
      BrowseProvider(
        id: descriptor.id,
        kinds: descriptor.kinds.keys.sorted { $0.rawValue < $1.rawValue },
        sorts: descriptor.isProvisional ? nil : descriptor.kinds.mapValues(\.sorts),
        isChosen: chosen.contains(descriptor.id),
        isEnabled: context.services.isEnabled(descriptor.id, settings))
    }
  }

  /// The providers for a request, and those that are left out because few of their searches are left.
  func registry(for request: BrowseRequest) throws -> (asked: ProviderRegistry, held: [ProviderStatus]) {
    switch request.scope {
    case .local:
      let ids = request.providers.filter { !plugins.contains($0) }
      return (try registry(.cacheOnly).selecting(ids), [])
    case .typing:
      let held = request.providers.compactMap { id in
        left(of: id, request.kinds).map { ProviderStatus(id: id, state: .held(left: $0)) }
      }
      let ids = request.providers.filter { id in !held.contains { $0.id == id } }
      return (try registry(options.isOffline ? .cacheOnly : .normal).selecting(ids), held)
    case .asked:
      return (try registry(options.isOffline ? .cacheOnly : .normal).selecting(request.providers), [])
    case .refresh:
      // Whatever failed before, everybody is asked once.
      context.services.httpServices.breaker.admitNextRequests()
      return (try registry(options.isOffline ? .cacheOnly : .fresh).selecting(request.providers), [])
    }
  }

  /// The registry for a use of the cache. Plugins are the same in all, so that each runs once.
  private func registry(_ mode: Mode) throws -> ProviderRegistry {
    if let known = registries.withLock({ $0[mode] }) { return known }
    // Naming them asks also those that were not reached a moment ago.
    let asking = Asking(
      cache: mode == .cacheOnly ? .offline : mode == .fresh ? .bypass : .normal,
      named: mode == .fresh ? all.ids : [])
    let made = try Self.registry(options, settings, context, relay, asking)
    let registry = ProviderRegistry(
      made.providers.map { provider in
        plugins.contains(provider.descriptor.id)
          ? all[provider.descriptor.id]?.provider ?? provider : provider
      }, preferences: settings.preferences(of:))
    registries.withLock { $0[mode] = registry }
    return registry
  }

  /// The searches that are left of a provider's limit, where they are few.
  private func left(of id: String, _ kinds: [ResultKind]) -> Int? {
    guard !options.isOffline,
      let instance = context.services.instances.first(where: {
        $0.id == id
      }),
      let host = try? instance.host.get().credentialHost
    else { return nil }
    let fingerprint = context.services.accounts[host]
    let left = context.services.httpServices.budgets.remaining(
      host: host, credential: fingerprint.flatMap { $0.isEmpty ? nil : $0 },
      resource: kinds == [.code] ? "code_search" : "search")
    return left.flatMap { $0 < BrowseState.fewRequests ? $0 : nil }
  }

  /// Scans folders of clones that have never been scanned, once.
  func scanClones(within limit: Duration) async throws {
    guard all[LocalProvider.id] != nil,
      hasScanned.withLock({ hasScanned in
        defer { hasScanned = true }
        return !hasScanned
      })
    else { return }
    try await ClonePreparation(context.services).scanWhatIsNew(within: limit)
  }
}
