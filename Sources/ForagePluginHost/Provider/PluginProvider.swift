package import ForageCore
import ForagePluginProtocol

/// A provider of a plugin, with the abilities that `plugin.json` declares.
package struct PluginProvider: FeedProvider, DetailsProvider {
  package var info: ProviderInfo { declared.info }
  package var kinds: [ResultKind: Abilities] { declared.kinds }
  package var detailedKinds: Set<ResultKind> { declared.detailedKinds }
  let session: PluginSession
  let declared: PluginManifest.Provider

  /// The time before a deadline at which a plugin is given up, so that its results so far can be used.
  private static let margin = Duration.milliseconds(50)

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
    let abilities = try abilities(for: request.kind)
    if let key = request.sort, !abilities.sorts.contains(key) { throw refusal("sorting by \(key)") }
    if request.query == nil, abilities.needsText != false { throw refusal("a search without words") }
    if request.query?.hasDisjunction == true { throw refusal("OR") }
    return try await page(PluginProtocol.Method.search, request, EncodedQuery(request.query))
  }

  @concurrent
  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    guard let feed = try abilities(for: request.kind).feed else { throw refusal("a feed") }
    if let key = request.sort, !feed.sorts.contains(key) { throw refusal("a feed sorted by \(key)") }
    return try await page(PluginProtocol.Method.feed, request, EncodedQuery(nil))
  }

  private func page(_ method: String, _ request: SearchRequest, _ query: EncodedQuery) async throws
    -> SearchPage
  {
    let limit = min(max(1, request.pageSize), PluginProtocol.Limits.items)
    let answer = try await answer(method, limit: limit, by: request.deadline) { [id = info.id] deadline in
      var request = request
      request.deadline = deadline
      return try? JSONTree(encoding: SearchParams(provider: id, request, query: query))
    }
    return try page(answer, kind: request.kind, query: query)
  }

  @concurrent
  package func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    try await details(ofResult: id.id, kind: id.kind, deadline: deadline)
  }

  @concurrent
  package func details(ofResult id: String, kind: ResultKind, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    guard detailedKinds.contains(kind) else { throw refusal("details of the kind \(kind.rawValue)") }
    let answer = try await answer(PluginProtocol.Method.details, limit: 1, by: deadline) {
      [provider = info.id] deadline in
      try? JSONTree(
        encoding: DetailsParams(
          provider: provider, kind: kind.rawValue, id: id, deadlineMs: deadline.millisecondsFromNow))
    }
    return try details(answer, of: kind)
  }

  /// Sends a request to the plugin.
  ///
  /// - Parameter params: Creates the parameters for a deadline of the plugin.
  private func answer(
    _ method: String, limit: Int, by deadline: ContinuousClock.Instant,
    _ params: @escaping @Sendable (ContinuousClock.Instant) -> JSONTree?
  ) async throws -> PluginAnswer {
    let deadline = self.deadline(deadline)
    try await session.start(by: deadline)
    RequestCounter.current?.add()
    return await session.ask(
      PluginCall(
        provider: info.id, method: method, params: { params($0 - Self.margin) }, limit: limit,
        deadline: deadline, counter: RequestCounter.current))
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
