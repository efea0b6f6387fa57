package import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
package import ForageStore

/// The clones on this disk as a provider: repositories from the catalogue, code and commits from the clones
/// themselves.
package struct LocalProvider: FeedProvider {
  package static let id = "local"

  /// Who it is and what it can do where code is searched, too.
  package static let info = ProviderInfo(
    id: id, name: "Clones", vocabulary: codeVocabulary + commitVocabulary)
  package static let kinds: [ResultKind: Abilities] = [
    .repo: clones, .code: codeAbilities, .commit: commitAbilities,
  ]

  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  /// Opens the catalogue at first use; `nil` when there is none yet.
  let store: @Sendable () throws -> Store?
  /// How code is searched; `nil` if it is not.
  let code: CodeSettings?
  /// What knows the pages of forges.
  var hosts: RemoteHosts { code?.hosts ?? RemoteHosts() }
  /// What forges have told of the repositories of clones.
  private let known: KnownRepositories?

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - code: How code is searched; without it the provider has repositories only.
  ///   - known: What forges have told of repositories, of which words are looked for in the topics.
  ///   - store: Opens the store; called for each search.
  package init(
    code: CodeSettings? = nil, known: KnownRepositories? = nil,
    store: @escaping @Sendable () throws -> Store?
  ) {
    self.store = store
    self.known = known
    self.code = code
    info =
      code == nil
      ? ProviderInfo(id: Self.id, name: Self.info.name, vocabulary: Self.commitVocabulary) : Self.info
    kinds = code == nil ? [.repo: Self.clones, .commit: Self.commitAbilities] : Self.kinds
  }

  private static let clones = Abilities(
    fields: [
      .description, .host, .owner, .name, .fullName, .language, .license, .sizeKB, .updatedAt, .pushedAt,
      .path, .paths, .rootCommits,
    ],
    qualifiers: Dictionary(
      uniqueKeysWithValues: [
        "repo", "user", "org", "owner", "name", "path", "language", "license", "size", "updated", "pushed",
        "in",
      ].map { ($0, .exact) }),
    sorts: sorts, booleans: true, needsText: false, maximumPageSize: 10_000,
    feed: Abilities.Feed(sorts: sorts))

  private static let sorts = ["updated", "pushed", "size", "name", "path"]

  /// The clones, those with the newest commit first.
  @concurrent
  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    // Without words all clones are equally relevant, and the time of their last commits decides.
    var everything = request
    everything.query = nil
    return try await search(everything)
  }

  @concurrent
  package func search(_ request: SearchRequest) async throws -> SearchPage {
    do {
      if request.kind == .code, let code { return try await search(code, request) }
      if request.kind == .commit { return try await searchCommits(request) }
      guard let store = try store(), try store.hasClones() else { throw Self.noClones }
      let words = request.query.map(Self.requiredWords) ?? []
      let scanned = Dictionary(
        try store.cloneFolders().map { ($0.path, $0.scannedAt) }, uniquingKeysWith: { first, _ in first })
      let records = try clones(containing: words, in: store)
      let ids = request.query == nil ? [] : Set(records.compactMap(\.entityID))
      let facts = ids.isEmpty ? [:] : known?.facts(of: ids) ?? [:]
      let matching = records.sorted { $0.precedes($1) }.compactMap { record in
        Match(
          record, topics: record.entityID.flatMap { facts[$0]?.topics } ?? [], query: request.query,
          scannedAt: scanned[record.folder] ?? nil, hosts)
      }
      let unique = Self.sorted(Self.joined(matching), request)
      let start = try request.cursor.map(Self.offset) ?? 0
      let page = unique.dropFirst(start).prefix(request.pageSize)
      return SearchPage(
        items: Array(page), next: start + page.count < unique.count ? String(start + page.count) : nil,
        total: ResultTotal(unique.count))
    } catch let error as StoreError {
      throw SearchError(.local, error.message, hint: error.hint)
    }
  }

  static let noClones = SearchError(
    .nothingToAsk, "there are no clones in the catalogue", hint: "add the folders that contain them")

  static func offset(_ cursor: String) throws -> Int {
    guard let offset = Offset(cursor) else {
      throw SearchError(
        .invalidCursor, "the clones have no such page")
    }
    return offset.value
  }

  /// The clones of which the texts or the topics may have the words.
  private func clones(containing words: [String], in store: Store) throws(StoreError) -> [CloneRecord] {
    let records = try store.clones(containing: words)
    let ids = words.isEmpty ? [] : known?.facts(withTopicOf: words).keys.map(\.self) ?? []
    guard !ids.isEmpty else { return records }
    let found = Set(records.map(\.path))
    return records + (try store.clones(ofEntities: ids)).values.joined().filter { !found.contains($0.path) }
  }

  /// Words that every matching clone has, so that the database can leave the others out.
  private static func requiredWords(_ query: QueryExpression) -> [String] {
    let words = query.negationNormalForm.conjuncts.compactMap { condition in
      if case .term(let term) = condition { term.text.lowercased() } else { nil }
    }
    return Array(words.prefix(wordLimit))
  }

  /// Words that the database looks for; it takes hundreds and no more, and more of them would hardly leave
  /// out more.
  private static let wordLimit = 50

  private static func sorted(_ matches: [Match], _ request: SearchRequest) -> [SearchResult] {
    let ranked = matches.sorted(by: Match.precedes).map(\.result)
    guard let key = request.sort else { return ranked }
    return ResultOrder.sorted(ranked, by: key, order: request.order)
  }

  /// Several clones of one repository become the first of them, which names all their folders.
  private static func joined(_ matches: [Match]) -> [Match] {
    var unique: [Match] = []
    var places: [String: Int] = [:]
    for match in matches {
      guard let place = places[match.result.id] else {
        places[match.result.id] = unique.count
        unique.append(match)
        continue
      }
      let first = unique[place].result
      let paths = (first[.paths]?.texts ?? first[.path]?.texts ?? []) + (match.result[.path]?.texts ?? [])
      unique[place].result.set(.paths, paths)
      unique[place].result.url = first.url ?? match.result.url
      unique[place].result.addRoots(match.result[.rootCommits]?.texts ?? [])
    }
    return unique
  }
}

/// A clone that matches a query, with what its place among the others depends on.
private struct Match {
  var result: SearchResult
  private var relevance: Int

  /// The clone when it matches.
  init?(
    _ record: CloneRecord, topics: [String], query: QueryExpression?, scannedAt: Date?, _ hosts: RemoteHosts
  ) {
    result = record.result(hosts)
    result.observedAt = scannedAt
    let scopes = TextScopes(record, topics: topics, query: query)
    let clone = CodeClone(record)
    let decided = query?.replacingQualifiers { qualifier in
      guard qualifier.name == "repo" else { return .qualifier(qualifier) }
      return .qualifier(Qualifier("repo", .boolean(clone.isMeant(by: qualifier))))
    }
    guard decided?.matches(result, occurs: scopes.contain) ?? true else { return nil }
    relevance = (query?.positiveTerms ?? []).reduce(0) { $0 + scopes.relevance($1) }
  }

  /// More relevant first, then the more recent commit, then the path.
  static func precedes(_ a: Match, _ b: Match) -> Bool {
    if a.relevance != b.relevance { return a.relevance > b.relevance }
    let (x, y) = (a.result[.updatedAt]?.date, b.result[.updatedAt]?.date)
    if x != y { return (x?.timeIntervalSince1970 ?? -.infinity) > (y?.timeIntervalSince1970 ?? -.infinity) }
    return (a.result[.path]?.text ?? "").bytesPrecede(b.result[.path]?.text ?? "")
  }
}
