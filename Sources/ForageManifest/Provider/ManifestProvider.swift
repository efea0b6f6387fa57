package import ForageCore
package import ForageHTTP
import Synchronization

/// A provider that queries the search API described by a manifest.
package struct ManifestProvider: FeedProvider, DetailsProvider {
  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  let manifest: Manifest
  var client: ManifestClient
  /// The faults of rows, each once and for use after the provider's name.
  package let warnings: FirstReports
  /// Takes in all answers, for a validation.
  package var coverage: MapCoverage? {
    get { client.coverage }
    set { client.coverage = newValue }
  }

  /// Creates a provider; no request is sent.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - base: The base address set by the user; `nil` for the manifest's.
  ///   - transport: Sends one request; redirects, retries and limits are added here.
  ///   - services: Cache, rate limits and circuit breaker; `nil` for none.
  ///   - userAgent: The `User-Agent` header.
  ///   - report: Receives each fault of rows once, for use after the provider's name.
  ///   - variable: The variable that the settings name for the secret, for hints.
  ///   - knownSecrets: Returns the secrets of this program, which are masked in what servers say.
  ///   - secret: Returns a secret by its name in the manifest; called before each request.
  ///   - helper: Asks git's credential helpers where that returns none; `nil` to ask none.
  /// - Throws: `SearchError` with code `configuration` if the base address is missing, superfluous or
  ///   invalid.
  package init(
    _ manifest: Manifest, base: String? = nil, transport: HTTPTransport, services: HTTPServices? = nil,
    userAgent: String, variable: String? = nil, report: @escaping @Sendable (String) -> Void = { _ in },
    knownSecrets: @escaping @Sendable () async -> [String] = { [] },
    secret: @escaping @Sendable (String) async -> String? = { _ in nil }, helper: HelperCredential? = nil
  ) throws(SearchError) {
    let base = try manifest.resolvedBase(base)
    self.manifest = manifest
    warnings = FirstReports(report)
    client = ManifestClient(
      manifest: manifest, base: base, transport: transport, services: services,
      userAgent: userAgent, variable: variable, secret: secret, helper: helper,
      knownSecrets: knownSecrets,
      pace: manifest.perSecond.map { RequestPace(perSecond: $0) })
    info = manifest.info(base: base)
    kinds = manifest.abilities
  }

  /// The time between two requests that the API asks for; zero for none.
  package var pace: Duration { client.pace?.gap ?? .zero }

  /// Keeps that time also between its requests and those of another instance.
  package mutating func keepPace(with other: ManifestProvider) { client.pace = other.client.pace }

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    try await search(request, account: nil)
  }

  /// - Parameters:
  ///   - account: The account of the secret; `nil` where it is not known.
  ///   - ignoresMissing: Whether a list that a place does not have is empty.
  func search(_ request: SearchRequest, account: String?, ignoresMissing: Bool = false) async throws
    -> SearchPage
  {
    let variants = try kind(request.kind).lists(for: request.query)
    let parts = variants.map { list -> (ManifestKind, [QueryExpression?]) in
      let host = manifest.host(of: list, base: client.base) ?? ""
      let queries = request.query.map {
        ManifestQuery.each(of: $0, of: manifest.name, at: host, folder: client.base?.folder ?? "")
      }
      return (list, queries ?? [nil])
    }
    let areAlternatives = variants.count > 1 && parts.allSatisfy { $0.1.count == 1 }
    let lists = parts.flatMap { list, queries -> [JoinedLists.List] in
      queries.map { query in
        { [client, warnings, coverage] request in
          var request = request
          request.query = query
          let reader = try PageReader(request, of: list.search, list, client, account: account)
          do {
            return try await RequestOwner.$current.withValue(RequestOwner.of(query) ?? RequestOwner.current) {
              try await reader.page(report: warnings.report, coverage: coverage)
            }
          } catch let error as SearchError where error.code == .notFound && !areAlternatives {
            if ignoresMissing { return SearchPage(items: []) }
            return try await without(list, reader.query, error, deadline: request.deadline)
          }
        }
      }
    }
    guard lists.count > 1 else { return try await lists[0](request) }
    guard areAlternatives else { return try await JoinedLists(lists).page(request) }
    // A repository need not have all of them, for example no issue tracker.
    let missing = MissingLists()
    let present = lists.map { list -> JoinedLists.List in
      { request in
        do {
          return try await list(request)
        } catch let error as SearchError where error.code == .notFound {
          missing.add(error)
          return SearchPage(items: [])
        }
      }
    }
    let page = try await JoinedLists(present).page(request)
    if page.items.isEmpty, request.cursor == nil, !ignoresMissing,
      let error = missing.error(ofAll: lists.count)
    {
      let list = variants[0]
      let query = try ManifestQuery(
        parts[0].1[0], list, of: manifest.name, at: manifest.host(of: list, base: client.base) ?? "",
        folder: client.base?.folder ?? "", account: account)
      return try await without(list, query, error, deadline: request.deadline)
    }
    return page
  }

  /// The page of a repository that is there and lacks a list: issues can be switched off, for example, and
  /// who is named can be nobody.
  ///
  /// - Throws: The error where the repository is not there.
  private func without(
    _ list: ManifestKind, _ query: ManifestQuery, _ error: SearchError, deadline: ContinuousClock.Instant
  ) async throws -> SearchPage {
    guard let within = query.within, within.place.qualifier == "repo", list.kind != .repo,
      let repositories = manifest.kinds.first(where: { $0.kind == .repo && $0.details != nil }),
      let host = manifest.host(of: repositories, base: client.base),
      let id = EntityReference("\(host)/\(within.value)", defaultHost: host), id.subject == .repository,
      try await answer(of: id, deadline: deadline) != nil
    else { throw error }
    guard !query.sendsWithin else { return SearchPage(items: []) }
    let what = list.kind == .issue && list.variant.isEmpty ? "issues" : "\(list.kind.rawValue) results"
    return SearchPage(
      items: [],
      notes: [
        Note(
          .notFound, "\(within.value) has no \(what) on \(manifest.name)", hint: "they can be switched off",
          isMissing: false)
      ])
  }

  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    let kind = try kind(request.kind)
    guard let feed = kind.feed else {
      throw SearchError(.unsupportedQuery, "\(manifest.name) has no feed")
    }
    // What a change empties of the cache are the account's own lists.
    let isOwn = request.kind == .notification
    return try await PageReader(request, of: feed, isFeed: true, kind, client, isOfStars: isOwn).page(
      report: warnings.report, coverage: coverage)
  }

  package var detailedKinds: Set<ResultKind> {
    Set(manifest.kinds.filter { kind in kind.all.contains { $0.details != nil } }.map(\.kind))
  }

  package func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    // How many comments there are is known only afterwards.
    let parts = try list(of: id).details?.parts.filter { $0.name != .comments } ?? []
    return try await PartsReader(parts, ManifestDetails.values(of: id), client, deadline: deadline).completing
    {
      try await answer(of: id, deadline: deadline)
    }
  }

  package func details(ofResult id: String, kind: ResultKind, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    let own = id.hasPrefix(manifest.id + ":") ? String(id.dropFirst(manifest.id.count + 1)) : id
    return try await answer(id, ["id": own], in: self.kind(kind), deadline: deadline)
  }

  /// The kind of an entity, or the variant of it.
  func list(of id: EntityReference) throws(SearchError) -> ManifestKind {
    // Where a forge counts issues and merge requests together, either is found in one place.
    let kind = try kind(id.kind)
    let isMergeRequest = if case .mergeRequest = id.subject { true } else { false }
    return isMergeRequest ? kind.variants.first?.kind ?? kind : kind
  }

  /// Requests one entity without its parts; `nil` if it does not exist.
  func answer(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    let list = try list(of: id)
    let values = ManifestDetails.values(of: id)
    if let found = try await answer(id.title, values, in: list, deadline: deadline) { return found }
    // A name is that of a person or of a group.
    for other in id.subject == .account ? list.variants.map(\.kind) : [] where other.details != nil {
      if let found = try await answer(id.title, values, in: other, deadline: deadline) { return found }
    }
    return nil
  }

  func answer(
    _ title: String, _ values: [String: String], in list: ManifestKind, deadline: ContinuousClock.Instant
  ) async throws -> EntityDetails? {
    guard let details = list.details
    else { throw SearchError(.unsupportedQuery, "\(manifest.name) has no details of \(title)") }
    do {
      let (tree, response) = try await client.get(
        try client.address(details.request, values), details.request, body: [],
        needsToken: false, deadline: deadline)
      let reader = RowReader(
        provider: manifest.id, kind: list.kind, map: list.search.map,
        base: client.baseText(details.request), report: warnings.report)
      let row = details.item.map { $0.value(in: tree) } ?? tree
      // In an empty list it is not.
      if row == nil, tree.array?.isEmpty == true { return nil }
      guard let row, let item = reader.result(row) else {
        response.discardStored?()
        throw client.errors.unreadable(response)
      }
      return EntityDetails(item: item, cache: response.cache)
    } catch let error as SearchError where error.code == .notFound {
      return nil
    }
  }

  func kind(_ kind: ResultKind) throws(SearchError) -> ManifestKind {
    if let found = manifest.kinds.first(where: { $0.kind == kind }) { return found }
    throw SearchError(
      .unsupportedQuery, "\(manifest.name) does not support the kind \(kind.rawValue)",
      hint: "supported kinds: \(manifest.kinds.map(\.kind.rawValue).joined(separator: ", "))")
  }
}

extension Manifest {
  /// Who the provider is.
  ///
  /// - Parameter base: The base address set by the user; `nil` for the manifest's. An invalid address is
  ///   ignored.
  package func info(base: String? = nil) -> ProviderInfo {
    info(base: (base ?? self.base).flatMap(HTTPURL.init))
  }

  func info(base: HTTPURL?) -> ProviderInfo {
    // A forge is authoritative for its repositories; a registry is not.
    let repositories = kinds.first { $0.kind == .repo }
    return ProviderInfo(
      id: id, name: name, hosts: repositories.flatMap { host(of: $0, base: base) }.map { [$0] } ?? [],
      fields: fields,
      vocabulary: kinds.flatMap(\.all).flatMap { kind in
        (kind.qualifiers.values.compactMap(\.definition) + kind.localQualifiers).sorted { $0.name < $1.name }
      })
  }

  /// The host of the pages of a kind, with a port that is not the default.
  ///
  /// - Parameter base: The base address; one of the user's has pages of its own.
  func host(of kind: ManifestKind, base: HTTPURL?) -> String? {
    if let site, base == self.base.flatMap(HTTPURL.init) { return site }
    return switch kind.search.request.origin {
    case .base: base?.authority
    case .fixed(let text): HTTPURL(text)?.authority
    }
  }

  /// The abilities of the provider, by kind.
  package var abilities: [ResultKind: Abilities] {
    Dictionary(uniqueKeysWithValues: kinds.map { ($0.kind, $0.abilities) })
  }

  /// Scheme, host and port of the first kind's address, if they are fixed.
  var fixedOrigin: HTTPURL? {
    if case .fixed(let text)? = kinds.first?.search.request.origin { HTTPURL(text) } else { nil }
  }

  /// The hosts that receive the secret, with ports that are not the default.
  ///
  /// - Parameter base: The base address set by the user; `nil` for the manifest's.
  package func secretHosts(base given: String? = nil) -> Set<String> {
    let own = (given ?? base).flatMap(HTTPURL.init) ?? fixedOrigin
    return Set(hosts + (own.map { [$0.authority] } ?? []))
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

extension ManifestKind {
  /// The kind and its variants.
  var all: [ManifestKind] { [self] + variants.map(\.kind) }

  /// The kind and its variants that can have results of a query: those that `is:` asks for, and of these
  /// those that know all qualifiers, if there are any.
  func lists(for query: QueryExpression?) -> [ManifestKind] {
    guard all.count > 1, let query else { return all }
    let qualifiers = query.negationNormalForm.conjuncts.compactMap { condition -> Qualifier? in
      if case .qualifier(let qualifier) = condition { qualifier } else { nil }
    }
    let names = Set(variants.map(\.name) + [kind.rawValue])
    let asked = qualifiers.compactMap { qualifier -> String? in
      guard qualifier.name == "is", case .text(let word) = qualifier.value else { return nil }
      let name = word.lowercased() == "pull-request" ? "pr" : word.lowercased()
      return names.contains(name) ? name : nil
    }
    var lists =
      asked.first.map { name in all.filter { $0.variant == (name == kind.rawValue ? "" : name) } } ?? all
    // A list that takes no words is that of queries without one.
    if lists.contains(where: \.text.isNone) {
      let hasWords = !query.positiveTerms.isEmpty
      lists = lists.filter { $0.text.isNone != hasWords }
    }
    let able = lists.filter { list in
      qualifiers.allSatisfy {
        $0.name == "is"
          ? $0.fields(for: kind).isEmpty || list.canCheck($0)
          : list.pushes[$0.name] != nil || list.canCheck($0)
      }
    }
    return able.isEmpty ? lists : able
  }

  /// Whether its results have what decides a qualifier.
  func canCheck(_ qualifier: Qualifier) -> Bool {
    let own = localQualifiers + qualifiers.values.compactMap(\.definition)
    let fields = qualifier.fields(for: kind, vocabulary: .common.adding(own))
    return !fields.isEmpty && search.map.allFields(of: kind).isSuperset(of: fields)
  }

  /// How it handles each qualifier, without its variants.
  private var pushes: [String: Pushdown] {
    var pushes = qualifiers.mapValues(\.push)
    let within = search.request.within + (wider?.list.request.within ?? [])
    for name in within.flatMap(\.names) where pushes[name] == nil { pushes[name] = .exact }
    return pushes
  }

  /// What the provider can do.
  var abilities: Abilities {
    var abilities = ownAbilities
    guard !variants.isEmpty else { return abilities }
    // What is sent is checked, too: `is:` chooses between the lists, and a list may lack the qualifier.
    abilities.qualifiers["is"] = abilities.qualifiers["is"] ?? .inexact
    for other in variants.map(\.kind.ownAbilities) {
      abilities.fields.formUnion(other.fields)
      abilities.qualifiers.merge(other.qualifiers) { $0 == .exact ? $1 : $0 }
      abilities.sorts.removeAll {
        !other.sorts.contains($0) || other.onlyOrders[$0] != abilities.onlyOrders[$0]
      }
      // The mildest need of all lists.
      if abilities.needsText != false, other.needsText != abilities.needsText {
        abilities.needsText = other.needsText == false ? false : nil
      }
      abilities.needsToken = abilities.needsToken && other.needsToken
      abilities.maximumPageSize = min(abilities.maximumPageSize, other.maximumPageSize)
      abilities.reachable = min(abilities.reachable ?? .max, other.reachable ?? .max)
    }
    if abilities.reachable == .max { abilities.reachable = nil }
    return abilities
  }

  private var ownAbilities: Abilities {
    var fields = search.map.allFields(of: kind)
    if let feed { fields.formUnion(feed.map.allFields(of: kind)) }
    var abilities = Abilities(
      fields: fields, text: text.push, qualifiers: pushes,
      sorts: search.sorts.keys.sorted(), needsText: needsText, needsToken: needsToken,
      maximumPageSize: search.paging.size, reachable: search.paging.reachable,
      feed: feed.map { Abilities.Feed(sorts: $0.sorts.keys.sorted()) })
    abilities.looksItemsUp = wider?.repository != nil
    abilities.onlyOrders = search.onlyOrders
    abilities.feed?.onlyOrders = feed?.onlyOrders ?? [:]
    return abilities
  }
}

/// The lists that a place does not have.
private final class MissingLists: Sendable {
  private let errors = Mutex<[SearchError]>([])

  func add(_ error: SearchError) { errors.withLock { $0.append(error) } }

  /// The first error where there is one for each list.
  func error(ofAll count: Int) -> SearchError? { errors.withLock { $0.count >= count ? $0.first : nil } }
}
