package import ForageCore
import ForageLocal

/// What a text and options ask for.
extension SearchRunner {
  /// The search for a query.
  ///
  /// - Throws: `QueryError` for a query that cannot be read; `ForageError` for one without a condition, and for kinds and sort keys that no chosen
  ///   provider has.
  package func search(_ text: String) throws -> FederatedSearch {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ForageError(
        "the query is empty", hint: "write what to look for; without a query ask for the feed")
    }
    let query = try parsed(text)
    let kinds = options.kinds.isEmpty ? usualKinds : options.kinds
    let abilities = choice.registry.providers.flatMap { provider in
      kinds.compactMap { provider.descriptor.kinds[$0] }
    }
    try checkKinds(kinds, among: choice.registry.providers.flatMap { $0.descriptor.kinds.keys })
    let sort = options.sort ?? query.sort?.key
    try checkSort(sort, among: abilities.flatMap(\.sorts))
    var search = FederatedSearch(
      query: query, kinds: kinds, limit: options.limit, sort: sort,
      order: (options.sort == nil ? query.sort?.order : nil) ?? options.order)
    search.matches = options.matches
    return search
  }

  /// The list of what providers offer without a query.
  ///
  /// - Throws: `ForageError` for kinds and sort keys of which no chosen provider has a feed.
  package func feed() throws -> FederatedSearch {
    let feeds = choice.registry.providers.flatMap { provider in
      provider.descriptor.kinds.compactMap { kind, abilities in abilities.feed.map { (kind, $0) } }
    }
    let reticent = choice.registry.providers.map(\.descriptor).filter(\.isProvisional)
    let known = feeds.map(\.0) + reticent.flatMap(\.kinds.keys)
    try checkKinds(options.kinds, among: known)
    try checkSort(options.sort, among: feeds.flatMap(\.1.sorts))
    let all = Set(known.map(\.rawValue)).sorted().map(ResultKind.init(rawValue:))
    return FederatedSearch(
      feedOf: !options.kinds.isEmpty ? options.kinds : all.isEmpty ? [.repo] : all, limit: options.limit,
      sort: options.sort,
      order: options.order)
  }

  /// The query of a text, with further conditions; its warnings are reported.
  ///
  /// - Throws: `QueryError` for a text that cannot be read.
  package func parsed(_ text: String, and conditions: [QueryExpression] = []) throws -> Query {
    let query = try parser.parse(text, and: conditions)
    for warning in query.warnings { services.reporter.warning(warning.message, warning.hint ?? "") }
    return query
  }

  /// Reads queries for the chosen providers.
  package var parser: QueryParser {
    QueryParser(vocabulary: choice.registry.vocabulary, checkExpression: ExpressionProblem.check)
  }

  /// Repositories, or everything where no chosen provider has those.
  package var usualKinds: [ResultKind] {
    let known = Set(choice.registry.providers.flatMap { $0.descriptor.kinds.keys.map(\.rawValue) })
    let hasRepositories = known.isEmpty || known.contains(ResultKind.repo.rawValue)
    return hasRepositories ? [.repo] : known.sorted().map(ResultKind.init(rawValue:))
  }

  private func checkKinds(_ kinds: [ResultKind], among known: [ResultKind]) throws {
    guard let kind = kinds.first(where: { !known.contains($0) }) else { return }
    throw ForageError(
      "no chosen provider has results of kind \"\(kind.rawValue)\"",
      hint: "kinds here: \(Set(known.map(\.rawValue)).sorted().joined(separator: ", "))")
  }

  private func checkSort(_ sort: String?, among known: [String]) throws {
    // A provider that declares its abilities only when it is asked may have the key.
    guard let sort, !known.contains(sort),
      !choice.registry.providers.contains(where: \.descriptor.isProvisional)
    else { return }
    throw ForageError(
      "no chosen provider sorts by \"\(sort)\"",
      hint: "sort keys here: \(Set(known).sorted().joined(separator: ", "))")
  }
}
