package import ForageCore
import ForageLocal
import ForageManifest

/// Makes one search, from options to the merged and annotated result; `search`, `stars` and `feed` differ
/// only in what they ask.
package struct SearchRunner: Sendable {
  package let options: SearchOptions
  package let choice: ProviderChoice
  /// The settings of the user.
  package let settings: Settings
  /// Reads queries, with the qualifiers of the chosen providers.
  package let parser: QueryParser
  let forage: Forage
  let start: ContinuousClock.Instant

  var timeout: Duration { options.timeout ?? SearchOptions.defaultTimeout }

  /// Chooses the providers; nothing is sent yet.
  ///
  /// - Parameter choose: Chooses the providers, `nil` for those of the options.
  /// - Throws: `ForageError` for options that cannot be used, and for settings that cannot be read.
  package init(
    _ options: SearchOptions, _ forage: Forage,
    choose: ((_ settings: Settings, _ requestOptions: RequestOptions) throws -> ProviderChoice)? = nil
  ) throws {
    start = ContinuousClock.now
    self.options = options
    self.forage = forage
    guard (1...SearchOptions.maximumLimit).contains(options.limit),
      options.timeout.map({ $0 > .zero }) ?? true
    else {
      throw ForageError(
        "a search takes a limit from 1 to \(SearchOptions.maximumLimit), and a time above 0",
        hint: "change the options of the search")
    }
    let settings = try forage.settings()
    self.settings = settings
    let requestOptions = RequestOptions(
      cache: options.cache, named: ProviderChoice.ids(options.providers), keepsAnswers: options.keepsAnswers)
    var choice =
      try choose.map { try $0(settings, requestOptions) }
      ?? Self.choice(options, requestOptions, settings, forage)
    if let timeout = options.timeout { choice.registry.limit(to: timeout) }
    self.choice = choice
    parser = QueryParser(vocabulary: choice.registry.vocabulary, checkExpression: ExpressionProblem.check)
  }

  private static func choice(
    _ options: SearchOptions, _ requestOptions: RequestOptions, _ settings: Settings, _ forage: Forage
  ) throws -> ProviderChoice {
    let all = try forage.registry(settings, requestOptions)
    var choice = try ProviderChoice(names: options.providers, registry: all, installed: forage.knownIDs) {
      forage.isEnabled($0, settings)
    }
    if options.keepsAnswers, choice.named.isEmpty {
      let forges = choice.registry.ids.filter { id in forage.forges.contains { $0.id == id } }
      if !forges.isEmpty { choice.registry = choice.registry.selecting(forges) }
    }
    if choice.named.isEmpty {
      choice.disabled = all.ids.filter { forage.isBuiltIn($0, settings) && forage.isDisabled($0) }
    }
    return choice
  }

  /// The ids of the providers of which a failure counts: those that the user named, and the forges where gh's
  /// output is wanted, because gh fails then.
  package var counted: Set<String> {
    options.keepsAnswers ? choice.named.union(choice.registry.ids) : choice.named
  }

  /// How far providers read.
  private var depth: SearchDepth {
    var depth = options.depth
    depth.maximumRequests = options.maximumRequestsPerProvider ?? depth.maximumRequests
    // A caller that asks for further pages gives the total that it may read.
    depth.wanted = options.reach > 0 ? options.reach : options.limit
    guard options.reach == 0 else { return depth }
    depth.onPlan = { [notice = forage.reporter.message] id, results, requests in
      let (count, needed) = (HumanFormat.grouped(results), HumanFormat.grouped(requests))
      notice("\(id): \(count) results need about \(needed) requests")
    }
    return depth
  }
}

/// The steps from a query to its results, in the order of a command.
extension SearchRunner {
  /// The kinds that names of kinds mean, each once, with conditions for the query: pull requests are issues,
  /// and no name means ``usualKinds``.
  ///
  /// - Throws: `ForageError` for a kind that no provider has, and for pull requests beside other kinds.
  package func kinds(of named: [ResultKind]) throws -> (kinds: [ResultKind], conditions: [QueryExpression]) {
    for kind in named {
      try KnownNames.checkKind(kind.rawValue, among: kindNames, what: "results") { ids(having: $0) }
      let searched = kind == .pullRequest ? .issue : kind
      // A provider that was named tells itself what it has.
      if choice.named.isEmpty, !options.onlyFavorites, !knownKinds.contains(searched) {
        try KnownNames.checkKind(kind.rawValue, among: [], what: "results") { _ in
          ids(having: searched.rawValue)
        }
      }
    }
    let (kinds, areOnlyPulls) = try Self.searched(named)
    return (kinds.isEmpty ? usualKinds : kinds, areOnlyPulls ? [try parser.parse("is:pr").root] : [])
  }

  /// The kinds that are searched for names of kinds, each once, and whether of the issues only pull requests
  /// are meant.
  ///
  /// - Throws: `ForageError` for pull requests beside other kinds.
  package static func searched(
    _ named: [ResultKind]
  ) throws(ForageError) -> (kinds: [ResultKind], areOnlyPulls: Bool) {
    var kinds: [ResultKind] = []
    for kind in named where kind != .pullRequest && !kinds.contains(kind) { kinds.append(kind) }
    guard named.contains(.pullRequest) else { return (kinds, false) }
    guard kinds.allSatisfy({ $0 == .issue }) else {
      throw ForageError(
        "pr cannot be combined with \(kinds.map(\.rawValue).joined(separator: ", "))",
        hint: "search for each by itself, or for issues")
    }
    return ([.issue], kinds.isEmpty)
  }

  /// The query of a text, with further conditions; its warnings are reported.
  ///
  /// - Throws: `QueryError` for a text that cannot be read; `ForageError` for one without a condition; as
  ///   ``read(_:and:)``.
  package func parsed(_ text: String, and conditions: [QueryExpression] = []) throws -> Query {
    guard !conditions.isEmpty || text.contains(where: { !$0.isWhitespace }) else {
      throw options.onlyFavorites
        ? ForageError("the query is empty", hint: "write what to look for; all are in: forage favorite list")
        : ForageError("the query is empty", .writeQuery)
    }
    let query = try read(text, and: conditions)
    for warning in query.warnings { forage.reporter.warning(warning.message, warning.hint ?? "") }
    return query
  }

  /// The query of a text, with the names of repositories for `repo:.` and `repo:NAME`; its warnings are not
  /// reported.
  ///
  /// - Throws: `QueryError` for a text that cannot be read; `ForageError` for `repo:.` outside of a clone.
  package func read(_ text: String, and conditions: [QueryExpression] = []) throws -> Query {
    var query = try parser.parse(text, and: conditions)
    query.root = try query.root.replacingQualifiers {
      .qualifier($0.name == "repo" ? try naming($0) : $0)
    }
    return query
  }

  /// The search for a query that has been read, with the sort key of the options or else of the query.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of results, which chosen providers have.
  ///   - matches: How much of the matches in files is wanted; `nil` for what the options say.
  /// - Throws: `ForageError` for a sort key that no chosen provider has for one of the kinds.
  package func search(for query: Query, kinds: [ResultKind], matches: MatchOptions? = nil) throws
    -> FederatedSearch
  {
    let sort = try sortKey(query, among: sortKeys(of: kinds))
    if kinds.contains(.code) { warnOfCode(query) }
    var query = query
    if kinds == [.code] { query.root = query.root.replacingQualifiers(\.asContent) }
    var search = FederatedSearch(
      query: query, kinds: kinds, limit: options.limit, sort: sort, order: order(of: sort, query))
    search.matches = matches ?? options.matches
    return completed(search)
  }

  /// A search with what the options say besides its limit and order; only the time that is left is set when
  /// it runs.
  private func completed(_ search: FederatedSearch) -> FederatedSearch {
    var search = search
    (search.pageLimit, search.partCount) = (options.pageLimit ?? search.limit, options.pageCount)
    search.depth = depth
    search.includesRead = options.includesRead
    return search
  }

  /// The addresses of the pages on which the chosen forges show a search themselves, in the order of the
  /// providers and kinds.
  ///
  /// - Returns: Empty where no chosen provider has a page for it, and for a search in favorites.
  package func pages(of search: FederatedSearch) -> [String] {
    guard let query = search.query?.root, !options.onlyFavorites else { return [] }
    return choice.registry.providers.compactMap { $0 as? any ForgeProvider }.flatMap { forge in
      search.kinds.compactMap { kind in
        guard let abilities = forge.kinds[kind] else { return nil }
        let sort = search.sort.flatMap { abilities.sorts.contains($0) ? $0 : nil }
        let page = forge.searchPage(of: query, kind: kind, sort: sort, order: search.order)
        if page != nil, forge is ManifestForgeProvider { noteOfPage(forge.info.name, query) }
        return page
      }
    }
  }

  /// Says what of a query is not in the address of a page, which has words only.
  private func noteOfPage(_ name: String, _ query: QueryExpression) {
    let others = query.conjuncts.filter { if case .term = $0 { false } else { true } }
    guard !others.isEmpty else { return }
    forage.reporter.warnOnce(
      "the page of \(name) has the words only, without \(others.map(\.description).joined(separator: " "))",
      hint: "choose the rest there, or search without --web")
  }
}

/// What a text and options ask for, in one step.
extension SearchRunner {
  /// The search for a query.
  ///
  /// - Throws: `QueryError` for a query that cannot be read; `ForageError` for one without a condition, and
  ///   for kinds and sort keys that no chosen provider has.
  package func search(_ text: String) throws -> FederatedSearch {
    let (kinds, conditions) = try kinds(of: options.kinds)
    return try search(for: parsed(text, and: conditions), kinds: kinds)
  }

  /// The list of what providers offer without a query.
  ///
  /// - Throws: `ForageError` for kinds and sort keys of which no chosen provider has a feed.
  package func feed() throws -> FederatedSearch {
    for kind in options.kinds {
      try KnownNames.checkKind(kind.rawValue, among: feedKinds.map(\.rawValue), what: "a feed") {
        ids(having: $0, feed: true)
      }
    }
    return try feed(of: options.kinds.isEmpty ? usualFeedKinds : options.kinds)
  }

  /// The list of what providers offer, with the sort key of the options or else of the query.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of results; repositories where there are none.
  ///   - query: A condition, `nil` for none.
  /// - Throws: `ForageError` for a sort key of which no chosen provider has a feed.
  package func feed(of kinds: [ResultKind], matching query: Query? = nil) throws -> FederatedSearch {
    let feeds = choice.registry.providers.flatMap { $0.kinds.values.compactMap(\.feed) }
    let known = feeds.flatMap(\.sorts)
    // Of several forges, too, the newest notifications are the first; where one has no such order, a list in
    // this order would be a part.
    let asked = choice.registry.providers.compactMap { $0.kinds[.notification]?.feed }
    let isOrdered = !asked.isEmpty && asked.allSatisfy { $0.sorts.contains("updated") }
    let usual = kinds == [.notification] && isOrdered ? "updated" : nil
    let sort = try sortKey(query, among: known) ?? usual
    let search = FederatedSearch(
      feedOf: kinds.isEmpty ? [.repo] : kinds, query: query, limit: options.limit, sort: sort,
      order: order(of: sort, query))
    return completed(search)
  }
}

/// What the chosen providers have.
extension SearchRunner {
  /// The problem of a regular expression; `nil` if it is valid.
  package static func problem(in expression: String) -> ExpressionProblem? {
    ExpressionProblem.check(expression)
  }

  /// The names of the kinds that providers have, chosen or not; pull requests are issues, and have a name of
  /// their own.
  package var kindNames: [String] {
    let known = Self.sorted(Array(choice.kinds))
    return (known + (known.contains(.issue) ? [.pullRequest] : [])).map(\.rawValue)
  }

  /// The keys by which results of some kinds can be sorted: those of the chosen providers, in their order,
  /// and by which the search sorts: fields of their own, and numbers of which they have a qualifier that is
  /// checked here.
  private func sortKeys(of kinds: [ResultKind]) -> [String] {
    let abilities = choice.registry.entries.flatMap { entry in
      kinds.compactMap { entry.kinds[$0] }.map { (entry.info, $0) }
    }
    let own = abilities.flatMap { info, abilities in
      info.fields.filter { abilities.fields.contains($0.name) && $0.type.isOrdered }.map(\.name.rawValue)
    }
    let checked = abilities.flatMap { info, abilities in
      info.vocabulary.filter { definition in
        definition.type == .number && abilities.push(definition.name) == .unsupported
          && definition.field == ResultField(rawValue: definition.name)
          && abilities.fields.contains(ResultField(rawValue: definition.name))
      }.map(\.name)
    }
    return abilities.flatMap(\.1.sorts) + own + checked
  }

  /// The sort key of the options for results of some kinds.
  ///
  /// - Throws: `ForageError` for a key by which no chosen provider sorts them.
  package func checkedSort(of kinds: [ResultKind]) throws -> String? {
    try sortKey(nil, among: sortKeys(of: kinds))
  }

  /// Checks the order of the options against that which a query asks for.
  ///
  /// - Parameter kinds: The kinds of results; `nil` where an order needs no sort key.
  /// - Throws: `ForageError` where they contradict each other, and for an order without a sort key.
  package func checkOrder(of query: Query?, _ kinds: [ResultKind]?) throws(ForageError) {
    let written = forage.reporter.sortArgument
    if let wanted = query?.sort {
      let isOtherOrder = options.order != nil && wanted.order != nil && wanted.order != options.order
      if !isOtherOrder, options.sort == nil || options.sort == wanted.key { return }
      throw ForageError(
        "sort: in the query and \(written(isOtherOrder ? "order" : "sort", nil)) contradict each other",
        hint: "leave one of them out")
    }
    guard options.order != nil, options.sort == nil, let kinds else { return }
    throw ForageError(
      "\(written("order", nil)) needs \(written("sort", nil))",
      hint: sortKeys(of: kinds).first.map { "for example: " + written("sort", $0) } ?? KnownNames.noSortKey)
  }

  /// The kinds that the chosen providers have, ordered by their names.
  package var knownKinds: [ResultKind] {
    Self.sorted(choice.registry.providers.flatMap { $0.kinds.keys })
  }

  /// The ids of the providers of this machine that have a kind of results, or a feed of it, chosen or not.
  package func ids(having kind: String, feed: Bool = false) -> [String] {
    let all = try? forage.registry(settings, RequestOptions(everything: true))
    return all?.ids(having: kind, feed: feed) ?? []
  }

  /// The kinds of which the chosen providers have a feed, ordered by their names.
  package var feedKinds: [ResultKind] {
    Self.sorted(choice.registry.entries.flatMap { $0.kinds.filter { $0.value.feed != nil }.keys })
  }

  /// The kinds of a feed where none is chosen: notifications are asked for by name, because many tokens may
  /// not read them.
  package var usualFeedKinds: [ResultKind] { feedKinds.filter { $0 != .notification } }

  /// Repositories, or everything where no chosen provider has those.
  package var usualKinds: [ResultKind] {
    let known = knownKinds
    return known.isEmpty || known.contains(.repo) ? [.repo] : known
  }

  private static func sorted(_ kinds: [ResultKind]) -> [ResultKind] {
    Set(kinds).sorted { $0.rawValue < $1.rawValue }
  }

  private func sortKey(_ query: Query?, among known: [String]) throws -> String? {
    try KnownNames.sortKey(options.sort ?? query?.sort?.key, among: known)
  }

  /// The direction that a query gives for the sort key, else that of the options, else the usual one.
  private func order(of sort: String?, _ query: Query?) -> SortOrder {
    query?.sort.flatMap { $0.key == sort ? $0.order : nil } ?? options.order ?? .usual(of: sort)
  }
}

/// Checks the names in a request against those that the chosen providers have; the error suggests what was
/// probably meant.
package enum KnownNames {
  /// Checks the name of a kind.
  ///
  /// - Parameters:
  ///   - known: What there is.
  ///   - what: What is wanted of the kind: `results`, or `a feed`.
  ///   - providers: The ids of the providers that have a kind, also of those that are not chosen.
  /// - Throws: `ForageError` for a kind that there is not.
  package static func checkKind(
    _ name: String, among known: [String], what: String, providers: (_ kind: String) -> [String]
  ) throws {
    if known.contains(name) { return }
    let others = providers(name)
    guard others.isEmpty else {
      throw ForageError("no chosen provider has \(what) of kind \"\(name)\"", .chooseProvider(others))
    }
    throw ForageError(
      "no chosen provider has \(what) of kind \"\(name)\"",
      hint: NearestName.hint(for: name, among: known) ?? kindsHint(known))
  }

  /// The kind whose name a word is, short or long, in the singular or the plural; `nil` for any other word.
  package static func kind(named word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    return known.first { word == $0 || word == plural($0) || $0 == longNames[word] }
  }

  static func plural(_ name: String) -> String {
    name.hasSuffix("y") ? name.dropLast() + "ies" : name + "s"
  }

  package static func kindsHint(_ known: [String]) -> String {
    known.isEmpty ? "there are none here" : "kinds here: \(known.joined(separator: ", "))"
  }

  static let noSortKey = "no order can be chosen for these results; leave it out"

  /// The names of the default order, ours and that of gh.
  private static let defaultOrders: Set = ["relevance", "best-match"]

  /// The same sort key, `nil` for none and for the default order.
  ///
  /// - Throws: `ForageError` for a key that no chosen provider has.
  package static func sortKey(_ text: String?, among keys: [String]) throws -> String? {
    guard let text else { return nil }
    let known = Set(keys).sorted()
    guard known.contains(text) else {
      if defaultOrders.contains(text) { return nil }
      throw ForageError(
        "no chosen provider sorts by \"\(text)\"",
        hint: NearestName.hint(for: text, among: known)
          ?? (known.isEmpty
            ? noSortKey
            : "sort keys here: \(known.joined(separator: ", "))"))
    }
    return text
  }

  /// Longer names of kinds.
  private static let longNames = [
    "repository": "repo", "repositories": "repo", "pull-request": "pr", "pull-requests": "pr",
  ]
}

extension ResultKind {
  /// The name for issues that are pull requests; no provider has it.
  package static let pullRequest = ResultKind(rawValue: "pr")

  /// The names of the known kinds, with that of pull requests.
  package static let names = known.flatMap { kind in
    [kind.rawValue] + (kind == .issue ? [pullRequest.rawValue] : [])
  }
}
