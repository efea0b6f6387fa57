package import ForageCore
import ForagePluginProtocol

/// A provider of a plugin, with the abilities that `plugin.json` declares.
package struct PluginProvider: FeedProvider, DetailsProvider {
  package var info: ProviderInfo { declared.info }
  package var kinds: [ResultKind: Abilities] { declared.kinds }
  package var detailedKinds: Set<ResultKind> { declared.detailedKinds }
  let session: PluginSession
  private let declared: PluginManifest.Provider

  /// The time before a deadline at which a plugin is given up, so that its results so far can be used.
  private static let margin = Duration.milliseconds(50)

  /// Creates the providers of a plugin, which share its process.
  static func all(_ session: PluginSession) -> [PluginProvider] {
    session.plugin.manifest.providers.map { PluginProvider(session: session, declared: $0) }
  }

  /// Starts the plugin if it does not run, and waits until it has answered `initialize`.
  ///
  /// - Parameter deadline: When the call times out.
  /// - Throws: `SearchError` if the plugin is not trusted, cannot be started, or refuses its settings.
  @concurrent
  package func start(by deadline: ContinuousClock.Instant) async throws {
    try await session.start(by: self.deadline(deadline))
  }

  // MARK: Asking

  @concurrent
  package func search(_ request: SearchRequest) async throws -> SearchPage {
    let deadline = deadline(request.deadline)
    let abilities = try abilities(for: request.kind)
    if let key = request.sort, !abilities.sorts.contains(key) { throw refusal("sorting by \(key)") }
    if request.query == nil, abilities.needsText { throw refusal("a search without words") }
    if request.query?.hasDisjunction == true, !abilities.booleans { throw refusal("OR") }
    try await session.start(by: deadline)
    let (provider, query) = (info.id, EncodedQuery(request.query))
    RequestCounter.current?.add()
    let answer = await session.ask(
      call(PluginProtocol.Method.search, request, deadline) { request in
        try? JSONTree(encoding: SearchParams(provider: provider, request, query: query))
      })
    return try page(answer, kind: request.kind, query: query)
  }

  @concurrent
  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    let deadline = deadline(request.deadline)
    guard let feed = try abilities(for: request.kind).feed else { throw refusal("a feed") }
    if let key = request.sort, !feed.sorts.contains(key) { throw refusal("a feed sorted by \(key)") }
    try await session.start(by: deadline)
    let provider = info.id
    RequestCounter.current?.add()
    let answer = await session.ask(
      call(PluginProtocol.Method.feed, request, deadline) { request in
        try? JSONTree(encoding: FeedParams(provider: provider, request))
      })
    return try page(answer, kind: request.kind, query: EncodedQuery(nil))
  }

  private func call(
    _ method: String, _ request: SearchRequest, _ deadline: ContinuousClock.Instant,
    _ params: @escaping @Sendable (SearchRequest) -> JSONTree?
  ) -> PluginCall {
    PluginCall(
      provider: info.id, method: method,
      params: { deadline in
        var request = request
        request.deadline = deadline - Self.margin
        return params(request)
      }, limit: min(max(1, request.pageSize), PluginProtocol.Limits.items), deadline: deadline)
  }

  @concurrent
  package func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    guard detailedKinds.contains(id.kind) else { throw refusal("details of the kind \(id.kind.rawValue)") }
    let deadline = self.deadline(deadline)
    try await session.start(by: deadline)
    let provider = info.id
    RequestCounter.current?.add()
    let answer = await session.ask(
      PluginCall(
        provider: provider, method: PluginProtocol.Method.details,
        params: { deadline in
          try? JSONTree(
            encoding: DetailsParams(
              provider: provider, kind: id.kind.rawValue, id: id.id,
              deadlineMs: (deadline - Self.margin).millisecondsFromNow))
        }, limit: 1, deadline: deadline))
    return try details(answer, of: id)
  }

  private func abilities(for kind: ResultKind) throws(SearchError) -> Abilities {
    guard let abilities = kinds[kind] else {
      throw SearchError(
        .unsupportedQuery, "\(info.name) does not support the kind \(kind.rawValue)",
        hint: "supported kinds: " + kinds.keys.map(\.rawValue).sorted().joined(separator: ", "))
    }
    return abilities
  }

  /// When the plugin is given up: shortly before the caller's deadline.
  private func deadline(_ deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    // For a short deadline the margin is reduced.
    let left = ContinuousClock.now.duration(to: deadline)
    return deadline - min(Self.margin, max(.zero, left) / 4)
  }

  private func refusal(_ what: String) -> SearchError {
    SearchError(.unsupportedQuery, "\(info.name) does not support \(what)")
  }
}
