package import ForageCore
package import ForageHTTP

/// A provider that queries the search API described by a manifest.
package struct ManifestProvider: FeedProvider {
  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  let manifest: Manifest
  let client: ManifestClient
  /// The faults of rows, each once and for use after the provider's name.
  package let warnings: FirstReports

  /// Creates a provider; no request is sent.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - base: The base address set by the user; `nil` for the manifest's.
  ///   - transport: Sends one request; redirects, retries and limits are added here.
  ///   - services: Cache, rate limits and circuit breaker; `nil` for none.
  ///   - userAgent: The `User-Agent` header.
  ///   - report: Receives each fault of rows once, for use after the provider's name.
  ///   - heldSecrets: Returns the secrets of this program, which are masked in what servers say.
  ///   - secret: Returns a secret by its name in the manifest; called before each request.
  /// - Throws: `SearchError` with code `configuration` if the base address is missing, superfluous or
  ///   invalid.
  package init(
    _ manifest: Manifest, base: String? = nil, transport: HTTPTransport, services: HTTPServices? = nil,
    userAgent: String, report: @escaping @Sendable (String) -> Void = { _ in },
    heldSecrets: @escaping @Sendable () async -> [String] = { [] },
    secret: @escaping @Sendable (String) async -> String? = { _ in nil }
  ) throws(SearchError) {
    let base = try manifest.resolvedBase(base)
    self.manifest = manifest
    warnings = FirstReports(report)
    client = ManifestClient(
      manifest: manifest, base: base, transport: transport, services: services,
      userAgent: userAgent, secret: secret, heldSecrets: heldSecrets,
      pace: manifest.perSecond.map { RequestPace(perSecond: $0) })
    info = manifest.info(host: client.origin(manifest.search.request)?.authority)
    kinds = manifest.kinds
  }

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    try checkKind(request)
    return try await page(request, manifest.search, try ManifestQuery(request.query, manifest))
  }

  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    try checkKind(request)
    guard let feed = manifest.feed else {
      throw SearchError(.unsupportedQuery, "\(manifest.name) has no feed")
    }
    return try await page(request, feed, try ManifestQuery(nil, manifest))
  }

  private func checkKind(_ request: SearchRequest) throws(SearchError) {
    guard request.kind == manifest.kind else {
      throw SearchError(
        .unsupportedQuery, "\(manifest.name) does not support the kind \(request.kind.rawValue)",
        hint: "supported kind: \(manifest.kind.rawValue)")
    }
  }
}

extension Manifest {
  /// Who the provider is.
  ///
  /// - Parameter base: The base address set by the user; `nil` for the manifest's. An invalid address is
  ///   ignored.
  package func info(base: String? = nil) -> ProviderInfo {
    var host: String?
    switch search.request.origin {
    case .base: host = (base ?? self.base).flatMap(HTTPURL.init)?.authority
    case .fixed(let text): host = HTTPURL(text)?.authority
    }
    return info(host: host)
  }

  func info(host: String?) -> ProviderInfo {
    ProviderInfo(
      // A forge is authoritative for its repositories; a registry is not.
      id: id, name: name, group: group, hosts: kind == .repo ? host.map { [$0] } ?? [] : [],
      vocabulary: (qualifiers.values.compactMap(\.definition) + localQualifiers).sorted { $0.name < $1.name })
  }

  /// What the provider can do for its kind.
  package var kinds: [ResultKind: Abilities] { [kind: abilities] }

  /// What the provider can do.
  package var abilities: Abilities {
    let fields = Set(search.map.fields.map(\.name)).union(search.map.derivedFields(kind: kind))
      .union((feed?.map).map { Set($0.fields.map(\.name)).union($0.derivedFields(kind: kind)) } ?? [])
    var abilities = Abilities(
      fields: fields, text: text.push, qualifiers: qualifiers.mapValues(\.push),
      sorts: search.sorts.keys.sorted(), booleans: booleans, needsText: needsText,
      needsToken: auth?.isRequired ?? false, maximumPageSize: search.paging.size,
      reachable: search.paging.reachable,
      feed: feed.map { Abilities.Feed(sorts: $0.sorts.keys.sorted()) })
    abilities.onlyOrders = search.onlyOrders
    abilities.feed?.onlyOrders = feed?.onlyOrders ?? [:]
    return abilities
  }

  /// The hosts that receive the secret, with ports that are not the default.
  ///
  /// - Parameter base: The base address set by the user; `nil` for the manifest's.
  package func secretHosts(base given: String? = nil) -> Set<String> {
    let fixed: String? = if case .fixed(let text) = search.request.origin { text } else { nil }
    let own = (given ?? base ?? fixed).flatMap(HTTPURL.init)?.authority
    return Set(hosts + (own.map { [$0] } ?? []))
  }

  func resolvedBase(_ given: String?) throws(SearchError) -> HTTPURL? {
    guard let given else {
      guard !needsBase else {
        throw SearchError(
          .configuration, "\(name) needs the address of its API",
          hint: "set it in config.yaml: providers: {\(id): {config: {url: \"https://HOST\"}}}")
      }
      guard let base else { return nil }
      return try HostRules.checked(base, setting: "the base of \(id)", declared: hosts)
    }
    guard usesBase else {
      throw SearchError(
        .configuration, "\(name) has a fixed address; its url cannot be set",
        hint: "remove the url of \(id) from the configuration")
    }
    return try HostRules.checked(given, setting: "the url of \(id)", declared: nil)
  }
}

extension ManifestPaging {
  /// The maximum number of results that can be reached for one query.
  var reachable: Int? {
    guard case .single = style else { return maximumTotal }
    return min(size, maximumTotal ?? size)
  }
}
