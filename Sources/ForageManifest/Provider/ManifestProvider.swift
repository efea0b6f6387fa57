package import ForageCore
package import ForageHTTP

/// A search API that a manifest describes, as a provider.
package struct ManifestProvider: SearchProvider {
  package let descriptor: ProviderDescriptor
  let manifest: Manifest
  let client: ManifestClient

  /// Creates a provider; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - base: Where the user says that the API is, `nil` for where the manifest says.
  ///   - weight: How much its ranks count.
  ///   - timeout: Its own time limit, `nil` for none.
  ///   - transport: Sends one request; redirects, retries and limits are added here.
  ///   - services: What requests share, `nil` for nothing.
  ///   - userAgent: What the program calls itself.
  ///   - isNamed: Whether the user named the provider.
  ///   - secret: Finds a secret by its name in the manifest, `nil` for none; called before each request.
  /// - Throws: `SearchError` with code `configuration` when there is no base although one is needed, when there is one although none
  ///   is, and for one that is no address.
  package init(
    _ manifest: Manifest, base: String? = nil, weight: Double = 1, timeout: Duration? = nil,
    transport: HTTPTransport, services: HTTPServices? = nil, userAgent: String, isNamed: Bool = false,
    secret: @escaping @Sendable (String) async -> String? = { _ in nil }
  ) throws(SearchError) {
    let base = try manifest.resolvedBase(base)
    self.manifest = manifest
    client = ManifestClient(
      manifest: manifest, base: base, transport: transport, services: services, userAgent: userAgent,
      isNamed: isNamed, secret: secret, pace: manifest.perSecond.map { RequestPace(perSecond: $0) })
    descriptor = manifest.descriptor(
      host: client.origin(manifest.search.request)?.authority, weight: weight, timeout: timeout)
  }

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    try checkKind(request)
    return try await page(request, manifest.search, try ManifestQuery(request.query, manifest))
  }

  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    try checkKind(request)
    guard let feed = manifest.feed else {
      throw SearchError(
        .unsupportedQuery, "\(manifest.name) has no feed", hint: "ask another provider with --provider")
    }
    return try await page(request, feed, try ManifestQuery(nil, manifest))
  }

  private func checkKind(_ request: SearchRequest) throws(SearchError) {
    guard request.kind == manifest.kind else {
      throw SearchError(
        .unsupportedQuery, "\(manifest.name) has no results of kind \(request.kind.rawValue)",
        hint: "it has: \(manifest.kind.rawValue)")
    }
  }
}

extension Manifest {
  /// What the provider is and can do.
  ///
  /// - Parameters:
  ///   - base: As the settings have it, `nil` for that of the manifest; one that cannot be used tells nothing.
  package func descriptor(base: String? = nil, weight: Double = 1, timeout: Duration? = nil)
    -> ProviderDescriptor
  {
    var host: String?
    switch search.request.origin {
    case .base: host = (base ?? self.base).flatMap(HTTPURL.init)?.authority
    case .fixed(let text): host = HTTPURL(text)?.authority
    }
    return descriptor(host: host, weight: weight, timeout: timeout)
  }

  func descriptor(host: String?, weight: Double, timeout: Duration?) -> ProviderDescriptor {
    let fields = Set(search.map.fields.map(\.name)).union(search.map.derivedFields(kind: kind))
      .union((feed?.map).map { Set($0.fields.map(\.name)).union($0.derivedFields(kind: kind)) } ?? [])
    let abilities = ProviderDescriptor.KindAbilities(
      text: text.push, qualifiers: qualifiers.mapValues(\.push), fields: fields,
      sorts: search.sorts.keys.sorted(), booleans: booleans, needsText: needsText,
      needsToken: auth?.isRequired ?? false, maximumPageSize: search.paging.size,
      reachable: search.paging.reachable,
      feed: feed.map { ProviderDescriptor.Feed(sorts: $0.sorts.keys.sorted()) })
    return ProviderDescriptor(
      // A forge knows its own repositories first-hand; a registry knows none.
      id: id, name: name, group: group, kinds: [kind: abilities],
      hosts: kind == .repo ? host.map { [$0] } ?? [] : [], weight: weight, timeout: timeout,
      vocabulary: qualifiers.values.compactMap(\.definition).sorted { $0.name < $1.name })
  }

  /// The base that is asked.
  func resolvedBase(_ given: String?) throws(SearchError) -> HTTPURL? {
    guard let given else {
      guard !needsBase else {
        throw SearchError(
          .configuration, "\(name) needs to know where its API is",
          hint: "set it in config.yaml: providers: {\(id): {config: {url: \"https://HOST\"}}}")
      }
      guard let base else { return nil }
      return try HostRules.checked(base, setting: "the base of \(id)", declared: hosts)
    }
    guard usesBase else {
      throw SearchError(
        .configuration, "\(name) has one fixed address, so a url for it means nothing",
        hint: "leave the url of \(id) out of the settings")
    }
    return try HostRules.checked(given, setting: "the url of \(id)", declared: nil)
  }
}

extension ManifestPaging {
  /// How many results of one query can be reached at all.
  var reachable: Int? {
    guard case .single = style else { return maximumTotal }
    return min(size, maximumTotal ?? size)
  }
}
