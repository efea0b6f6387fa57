import ArgumentParser
import ForageCore
import ForageLocal
import ForageStore

/// `forage search`: all chosen providers, one merged list.
struct SearchCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search all chosen providers, merge, print.",
    discussion: """
      The query is GitHub's search syntax: words (all must match), "quoted phrases", name:value, -name:value, NOT word, \
      >N >=N <N <=N A..B for numbers and ISO 8601 dates, OR, AND, parentheses.

      Exit status: 0 results, 1 nothing found, 2 usage, 3 a part is missing (--strict, or a provider named with -p), 4 no provider answered.
      """)

  /// The most results that can be asked for.
  static let maximumLimit = 10_000
  /// How many results there are by default.
  static let defaultLimit = 30

  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var everyday: EverydayQualifiers

  @Argument(help: "What to look for.")
  var query: [String] = []

  @Option(
    name: [.customShort("p", allowingJoined: true), .long],
    help: ArgumentHelp("Ask only these providers (repeatable, or with commas).", valueName: "id"))
  var provider: [String] = []

  @Option(
    name: [.customShort("k", allowingJoined: true), .long],
    help: ArgumentHelp("Find these kinds of things.", valueName: "kind"))
  var kind: [String] = []

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp("How many results, 1 to \(maximumLimit). (default: \(defaultLimit))", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Sort by a key, for example stars, forks or updated, instead of by relevance.", valueName: "key"))
  var sort: String?

  @Option(help: ArgumentHelp("The direction of --sort: asc or desc. (default: desc)", valueName: "order"))
  var order: SortDirection?

  @Option(
    help: ArgumentHelp("How long the search may take; decimals are fine. (default: 10)", valueName: "seconds")
  )
  var timeout: Double?

  @Flag(help: "End with status 3 unless every provider that can answer the query delivered everything.")
  var strict = false

  @Flag(help: "Tell for each result how its place came about.")
  var explain = false

  @Option(help: ArgumentHelp("Write an array of objects with just these fields.", valueName: "fields"))
  var json: String?

  enum SortDirection: String, ExpressibleByArgument, CaseIterable {
    case asc, desc
  }

  func run(in context: Context) async throws -> ExitStatus {
    let fields = try json.map(SearchJSON.fields)
    let limit = limit ?? Self.defaultLimit
    guard (1...Self.maximumLimit).contains(limit) else {
      throw CommandError(
        "--limit takes a number from 1 to \(Self.maximumLimit), not \(limit)", hint: "for example: -L 100")
    }
    let start = ContinuousClock.now
    var settings = try context.settings()
    // What is asked for now wins over what the file says.
    if timeout != nil { for id in settings.providers.keys { settings.providers[id]?.timeout = nil } }
    let timeout = try TimeLimit.duration(seconds: timeout)
    let all = try context.registry(settings)
    let choice = try ProviderChoice(names: provider, registry: all, settings: settings)
    var search = FederatedSearch(
      query: try parsedQuery(choice.registry.vocabulary, output: context.output),
      kinds: try kinds(choice.registry), limit: limit,
      sort: try sortKey(choice.registry), order: order == .asc ? .ascending : .descending,
      timeout: timeout)
    if choice.registry["local"] != nil {
      try await ClonePreparation(context).scanWhatIsNew(within: timeout / 2)
    }
    search.timeout = max(.milliseconds(1), timeout - (ContinuousClock.now - start))
    var result = await Federation(choice.registry).search(search)
    annotate(&result, context)
    let rendering = SearchRendering(
      result: result, query: search.query.text, explains: explain, output: context.output)
    if let fields {
      try context.output.result(SearchJSON.selection(result.items, fields: fields))
    } else {
      try rendering.write(formatting.resolved(context.output))
    }
    rendering.writeNotes(named: choice.named)
    return status(result, named: choice.named)
  }

  private func parsedQuery(_ vocabulary: QualifierVocabulary, output: Output) throws -> Query {
    let parser = QueryParser(vocabulary: vocabulary)
    let text = query.joined(separator: " ")
    let extra = try everyday.conditions(parser)
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

  private func kinds(_ registry: ProviderRegistry) throws -> [ResultKind] {
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

  private func sortKey(_ registry: ProviderRegistry) throws -> String? {
    guard let sort else { return nil }
    let known = Set(registry.providers.flatMap { $0.descriptor.kinds.values.flatMap(\.sorts) }).sorted()
    guard known.contains(sort) else {
      let nearest = NearestName.of(sort, among: known)
      throw CommandError(
        "no chosen provider sorts by \"\(sort)\"",
        hint: nearest.map { "did you mean \($0)?" } ?? "sort keys here: \(known.joined(separator: ", "))")
    }
    return sort
  }

  /// Adds the folders of clones to every result that has one, also where the clones did not or could not rank it.
  private func annotate(_ result: inout FederatedResult, _ context: Context) {
    do {
      guard let store = try context.store.existing() else { return }
      let paths = try CloneCatalogue(store: store).paths(of: result.items.map(\.result.id))
      for index in result.items.indices {
        guard let found = paths[result.items[index].result.id] else { continue }
        result.items[index].result.addClones(found)
      }
    } catch {
      context.output.problem("clones could not be looked up: " + error.message, hint: error.hint)
    }
  }

  private func status(_ result: FederatedResult, named: Set<String>) -> ExitStatus {
    guard result.outcomes.contains(where: \.state.isAnswer) else { return .noAnswer }
    if strict, !result.isComplete { return .partial }
    let missing = result.outcomes.contains { outcome in
      named.contains(outcome.id) && outcome.state.isFailure
        && result.outcomes.contains { $0.id != outcome.id && $0.state.isAnswer }
    }
    if missing { return .partial }
    return result.items.isEmpty ? .nothingFound : .success
  }
}

extension SearchResult {
  /// Adds the folders of clones; one folder is the path, several are listed as well.
  mutating func addClones(_ found: [String]) {
    if self[.path] == nil { set(.path, found.first) }
    if found.count > 1 { set(.paths, found) }
  }
}
