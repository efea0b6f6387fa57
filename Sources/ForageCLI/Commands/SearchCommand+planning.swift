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
        hint: "say what to look for, for example: forage search \"http client language:swift\"")
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

  /// The kinds of `--kind`, each once.
  func kinds(_ registry: ProviderRegistry) throws -> [ResultKind] {
    let names = kind.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace().lowercased() } }
    if kind.isEmpty { return [.repo] }
    let known = Set(registry.providers.flatMap { $0.descriptor.kinds.keys.map(\.rawValue) }).sorted()
    for name in names where !known.contains(name) {
      let nearest = NearestName.of(name, among: known)
      throw CommandError(
        "no chosen provider has results of kind \"\(name)\"",
        hint: nearest.map { "did you mean \($0)?" } ?? "kinds here: \(known.joined(separator: ", "))")
    }
    guard !names.isEmpty else {
      throw CommandError("--kind names nothing", hint: "kinds here: \(known.joined(separator: ", "))")
    }
    var unique: [ResultKind] = []
    for name in names where !unique.contains(ResultKind(rawValue: name)) {
      unique.append(ResultKind(rawValue: name))
    }
    return unique
  }

  /// The key of `--sort`, which a chosen provider must know for one of the kinds.
  func sortKey(_ registry: ProviderRegistry, _ kinds: [ResultKind]) throws -> String? {
    guard let sort else { return nil }
    let abilities = registry.providers.flatMap { provider in
      kinds.compactMap { provider.descriptor.kinds[$0] }
    }
    let known = Set(abilities.flatMap(\.sorts)).sorted()
    guard known.contains(sort) else {
      let nearest = NearestName.of(sort, among: known)
      throw CommandError(
        "no chosen provider sorts by \"\(sort)\"",
        hint: nearest.map { "did you mean \($0)?" } ?? "sort keys here: \(known.joined(separator: ", "))")
    }
    return sort
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
