import ForageCore

/// What the arguments ask for.
extension SearchCommand {
  /// The query of the arguments and of the qualifiers that are options.
  func parsedQuery(_ vocabulary: QualifierVocabulary, output: Output) throws -> Query {
    let parser = QueryParser(vocabulary: vocabulary)
    let text = query.joined(separator: " ")
    let extra = try everyday(parser)
    let isBlank = text.allSatisfy(\.isWhitespace)
    if isBlank, extra.isEmpty {
      throw CommandError(
        "the query is empty",
        hint:
          "say what to look for, for example: forage search \"http client language:swift\"; without a query: forage feed"
      )
    }
    var parsed = isBlank ? nil : try parser.parse(text)
    for warning in parsed?.warnings ?? [] { output.problem(warning.message, hint: warning.hint ?? "") }
    let parts = (parsed.map { [$0.root] } ?? []) + extra
    guard let root = QueryExpression.all(parts) else {
      throw CommandError("the query is empty", hint: "say what to look for")
    }
    if !extra.isEmpty || parsed == nil { parsed = Query(root: root) }
    return parsed ?? Query(root: root)
  }

  /// The kinds of `--kind`, each once; without it repositories, or everything where no chosen provider has those.
  func kinds(_ registry: ProviderRegistry) throws -> [ResultKind] {
    let known = Set(registry.providers.flatMap { $0.descriptor.kinds.keys.map(\.rawValue) }).sorted()
    if let kinds = try OptionValue.kinds(kind, among: known, what: "results") { return kinds }
    let hasRepositories = known.isEmpty || known.contains(ResultKind.repo.rawValue)
    return hasRepositories ? [.repo] : known.map(ResultKind.init(rawValue:))
  }

  /// The key of `--sort`, which a chosen provider must know for one of the kinds.
  func sortKey(_ registry: ProviderRegistry, _ kinds: [ResultKind]) throws -> String? {
    let abilities = registry.providers.flatMap { provider in
      kinds.compactMap { provider.descriptor.kinds[$0] }
    }
    // Who tells only when asked what it can do may know the key.
    if let sort = list.sort, registry.providers.contains(where: \.descriptor.isProvisional) { return sort }
    return try OptionValue.sortKey(list.sort, among: abilities.flatMap(\.sorts))
  }

  /// The conditions of the everyday options, in the order of the options.
  private func everyday(_ parser: QueryParser) throws -> [QueryExpression] {
    let single = [
      ("language", language), ("owner", owner), ("license", license), ("stars", stars), ("created", created),
      ("updated", updated), ("archived", archived),
    ]
    let given = single.compactMap { name, value in value.map { (name, $0) } } + topic.map { ("topic", $0) }
    return try given.map { name, value in
      guard value.contains(where: { !$0.isWhitespace }) else {
        throw CommandError(
          "--\(name) has no value", hint: "write it behind the option, or leave the option out")
      }
      return try parser.parse(name + ":" + QueryTerm.quoted(value)).root
    }
  }
}
