package import ForageCore
import ForageLocal

/// What a text and options ask for.
extension SearchRunner {
  /// The search for a query.
  ///
  /// - Throws: `QueryError` for a query that cannot be read; `ForageError` for one without a condition, and for kinds and sort keys that no chosen
  ///   provider has.
  package func search(_ text: String) throws -> FederatedSearch {
    let (kinds, conditions) = try kinds(of: options.kinds)
    guard !conditions.isEmpty || text.contains(where: { !$0.isWhitespace }) else {
      throw ForageError(
        "the query is empty", hint: "write what to look for; without a query ask for the feed")
    }
    return try search(for: parsed(text, and: conditions), kinds: kinds, matches: options.matches)
  }

  /// The kinds that names of kinds mean, each once, with conditions for the query: pull requests are issues, and no name means ``usualKinds``.
  ///
  /// - Throws: `ForageError` for a kind that no provider has, and for pull requests beside other kinds.
  package func kinds(of named: [ResultKind]) throws -> (kinds: [ResultKind], conditions: [QueryExpression]) {
    var kinds: [ResultKind] = []
    for kind in named {
      try KnownNames.checkKind(kind.rawValue, among: kindNames, what: "results")
      if kind != .pullRequest, !kinds.contains(kind) { kinds.append(kind) }
    }
    guard named.contains(.pullRequest) else { return (kinds.isEmpty ? usualKinds : kinds, []) }
    guard kinds.allSatisfy({ $0 == .issue }) else {
      throw ForageError(
        "pr cannot be combined with \(kinds.map(\.rawValue).joined(separator: ", "))",
        hint: "search for each by itself, or for issues")
    }
    return ([.issue], kinds.isEmpty ? [try parser.parse("is:pr").root] : [])
  }

  /// The names of the kinds that providers have, chosen or not; pull requests are issues, and have a name of their own.
  package var kindNames: [String] {
    let known = Self.sorted(Array(choice.kinds))
    return (known + (known.contains(.issue) ? [.pullRequest] : [])).map(\.rawValue)
  }

  /// The search for a query that has been read, with the sort key of the options or else of the query.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of results, which chosen providers have.
  ///   - matches: How much of the matches in files is wanted.
  /// - Throws: `ForageError` for a sort key that no chosen provider has for one of the kinds.
  package func search(for query: Query, kinds: [ResultKind], matches: MatchOptions) throws -> FederatedSearch
  {
    let abilities = choice.registry.providers.flatMap { provider in
      kinds.compactMap { provider.descriptor.kinds[$0] }
    }
    let sort = try sortKey(query, among: abilities.flatMap(\.sorts))
    var search = FederatedSearch(
      query: query, kinds: kinds, limit: options.limit, sort: sort, order: order(of: sort, query))
    search.matches = matches
    return search
  }

  /// The list of what providers offer without a query.
  ///
  /// - Throws: `ForageError` for kinds and sort keys of which no chosen provider has a feed.
  package func feed() throws -> FederatedSearch {
    for kind in options.kinds {
      try KnownNames.checkKind(kind.rawValue, among: feedKinds.map(\.rawValue), what: "a feed")
    }
    return try feed(of: options.kinds.isEmpty ? feedKinds : options.kinds)
  }

  /// The list of what providers offer, with the sort key of the options or else of the query.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of results; repositories where there are none.
  ///   - query: A condition, `nil` for none.
  /// - Throws: `ForageError` for a sort key of which no chosen provider has a feed.
  package func feed(of kinds: [ResultKind], matching query: Query? = nil) throws -> FederatedSearch {
    let feeds = choice.registry.providers.flatMap { $0.descriptor.kinds.values.compactMap(\.feed) }
    let sort = try sortKey(query, among: feeds.flatMap(\.sorts))
    return FederatedSearch(
      feedOf: kinds.isEmpty ? [.repo] : kinds, query: query, limit: options.limit, sort: sort,
      order: order(of: sort, query))
  }

  /// The query of a text, with further conditions; its warnings are reported.
  ///
  /// - Throws: `QueryError` for a text that cannot be read.
  package func parsed(_ text: String, and conditions: [QueryExpression] = []) throws -> Query {
    let query = try parser.parse(text, and: conditions)
    for warning in query.warnings { services.reporter.warning(warning.message, warning.hint ?? "") }
    return query
  }

  package var parser: QueryParser {
    QueryParser(vocabulary: choice.registry.vocabulary, checkExpression: ExpressionProblem.check)
  }

  /// What is wrong with a regular expression; `nil` if it is valid.
  package static func problem(in expression: String) -> ExpressionProblem? {
    ExpressionProblem.check(expression)
  }

  /// The kinds that the chosen providers have, ordered by their names.
  package var knownKinds: [ResultKind] {
    Self.sorted(choice.registry.providers.flatMap { $0.descriptor.kinds.keys })
  }

  /// The kinds of which the chosen providers have a feed, ordered by their names. A provider that declares its abilities only when it is asked may
  /// have one of each of its kinds.
  package var feedKinds: [ResultKind] {
    let descriptors = choice.registry.providers.map(\.descriptor)
    return Self.sorted(
      descriptors.flatMap { descriptor in
        descriptor.kinds.filter { descriptor.isProvisional || $0.value.feed != nil }.keys
      })
  }

  /// Repositories, or everything where no chosen provider has those.
  package var usualKinds: [ResultKind] {
    let known = knownKinds
    return known.isEmpty || known.contains(.repo) ? [.repo] : known
  }

  private static func sorted(_ kinds: [ResultKind]) -> [ResultKind] {
    Set(kinds).sorted { $0.rawValue < $1.rawValue }
  }

  private func sortKey(_ query: Query?, among known: [String]) throws -> String? {
    let sort = options.sort ?? query?.sort?.key
    // A provider that declares its abilities only when it is asked may have the key.
    if choice.registry.providers.contains(where: \.descriptor.isProvisional) { return sort }
    return try KnownNames.sortKey(sort, among: known)
  }

  /// The direction that a query gives for the sort key, else that of the options.
  private func order(of sort: String?, _ query: Query?) -> SortOrder {
    query?.sort.flatMap { $0.key == sort ? $0.order : nil } ?? options.order
  }
}

extension ResultKind {
  /// The name for issues that are pull requests; no provider has it.
  package static let pullRequest = ResultKind(rawValue: "pr")
}
