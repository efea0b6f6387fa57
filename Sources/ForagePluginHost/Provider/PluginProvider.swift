import ForageCore
import ForagePluginProtocol

/// A provider of a plugin.
///
/// Before the plugin runs, its `plugin.json` describes the provider. The plugin's own declaration can only
/// restrict that.
struct PluginProvider: SearchProvider {
  /// The provisional descriptor, from `plugin.json`.
  let descriptor: ProviderDescriptor
  let session: PluginSession

  /// The time before a deadline at which a plugin is given up, so that its results so far can be used.
  private static let margin = Duration.milliseconds(50)

  /// Creates the providers of a plugin, which share its process.
  static func all(_ session: PluginSession) -> [PluginProvider] {
    let manifest = session.plugin.manifest
    guard !manifest.providers.isEmpty else {
      let descriptor = ProviderDescriptor(
        id: manifest.id, name: manifest.name,
        kinds: Dictionary(manifest.kinds.map { ($0, .widest) }, uniquingKeysWith: { first, _ in first }),
        hosts: manifest.hosts, hasDetails: true, timeLimit: PluginProtocol.Limits.search,
        isProvisional: true)
      return [PluginProvider(descriptor: descriptor, session: session)]
    }
    return manifest.providers.map { declaration in
      let hosts = declaration.hosts.map { $0.filter(manifest.hosts.contains) } ?? manifest.hosts
      var descriptor = ProviderDescriptor(declaration, hosts: hosts)
      descriptor.timeLimit = PluginProtocol.Limits.search
      descriptor.isProvisional = true
      return PluginProvider(descriptor: descriptor, session: session)
    }
  }

  private var name: String { descriptor.name }

  // MARK: Declaring

  @concurrent
  func declaration(deadline: ContinuousClock.Instant) async throws -> ProviderDescriptor {
    try await narrowed(by: self.deadline(deadline)).descriptor
  }

  /// The plugin's declaration of the provider, restricted to what its `plugin.json` declares.
  private func narrowed(by deadline: ContinuousClock.Instant) async throws(SearchError) -> DeclaredProvider {
    let declared = try await session.declared(by: deadline)
    guard var own = declared.providers.first(where: { $0.id == descriptor.id }) else {
      throw PluginFault.broken(
        session.plugin.manifest.name, "does not provide \(descriptor.id), which its plugin.json declares")
    }
    own.kinds.removeAll { descriptor.kinds[ResultKind(rawValue: $0)] == nil }
    guard !own.kinds.isEmpty else {
      throw PluginFault.broken(
        session.plugin.manifest.name,
        "declares none of the kinds in its plugin.json for \(descriptor.id)")
    }
    return DeclaredProvider(own, provisional: descriptor, warnings: session.warnings)
  }

  // MARK: Asking

  @concurrent
  func search(_ request: SearchRequest) async throws -> SearchPage {
    let deadline = deadline(request.deadline)
    let declared = try await narrowed(by: deadline)
    let (provider, sorts) = (descriptor.id, declared.sorts(for: request.kind))
    let abilities = try declared.abilities(for: request.kind)
    if let key = request.sort, !abilities.sorts.contains(key) { throw refusal("sorting by \(key)") }
    if request.query == nil, abilities.needsText { throw refusal("a search without words") }
    if request.query?.hasDisjunction == true, !abilities.booleans { throw refusal("OR") }
    let query = EncodedQuery(request.query)
    request.requests.add()
    let answer = await session.ask(
      call(PluginProtocol.Method.search, request, deadline) { request in
        try? JSONText(encoding: SearchParams(provider: provider, request, query: query, sorts: sorts))
      })
    return try declared.page(answer, kind: request.kind, query: query)
  }

  @concurrent
  func feed(_ request: SearchRequest) async throws -> SearchPage {
    let deadline = deadline(request.deadline)
    let declared = try await narrowed(by: deadline)
    let provider = descriptor.id
    guard let feed = try declared.abilities(for: request.kind).feed else { throw refusal("a feed") }
    if let key = request.sort, !feed.sorts.contains(key) { throw refusal("a feed sorted by \(key)") }
    request.requests.add()
    let answer = await session.ask(
      call(PluginProtocol.Method.feed, request, deadline) { request in
        try? JSONText(encoding: FeedParams(provider: provider, request))
      })
    return try declared.page(answer, kind: request.kind, query: EncodedQuery(nil))
  }

  private func call(
    _ method: String, _ request: SearchRequest, _ deadline: ContinuousClock.Instant,
    _ params: @escaping @Sendable (SearchRequest) -> JSONText?
  ) -> PluginCall {
    PluginCall(
      provider: descriptor.id, method: method,
      params: { deadline in
        var request = request
        request.deadline = deadline - Self.margin
        return params(request)
      }, limit: min(max(1, request.pageSize), PluginProtocol.Limits.items), deadline: deadline)
  }

  @concurrent
  func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
  {
    let deadline = self.deadline(deadline)
    let declared = try await narrowed(by: deadline)
    guard declared.descriptor.hasDetails else { throw refusal("details") }
    guard declared.descriptor.kinds[id.kind] != nil else { return nil }
    let provider = descriptor.id
    requests.add()
    let answer = await session.ask(
      PluginCall(
        provider: provider, method: PluginProtocol.Method.details,
        params: { deadline in
          try? JSONText(
            encoding: DetailsParams(
              provider: provider, kind: id.kind.rawValue, id: id.id,
              deadlineMs: (deadline - Self.margin).millisecondsFromNow))
        }, limit: 1, deadline: deadline))
    return try declared.details(answer, of: id)
  }

  /// When the plugin is given up: shortly before the caller's deadline.
  private func deadline(_ deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    // For a short deadline the margin is reduced.
    let left = ContinuousClock.now.duration(to: deadline)
    return deadline - min(Self.margin, max(.zero, left) / 4)
  }

  private func refusal(_ what: String) -> SearchError {
    SearchError(.unsupportedQuery, "\(name) does not support \(what)")
  }
}

extension ProviderDescriptor.KindAbilities {
  /// The abilities of a plugin that declares none in its `plugin.json`.
  fileprivate static var widest: ProviderDescriptor.KindAbilities {
    ProviderDescriptor.KindAbilities(
      text: .inexact, qualifiers: [:], fields: Set(ResultField.order), booleans: true, needsText: false,
      maximumPageSize: PluginProtocol.Limits.items, feed: ProviderDescriptor.Feed())
  }
}
