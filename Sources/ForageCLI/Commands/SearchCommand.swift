import ArgumentParser
import ForageCore
import ForageLocal
import ForageStore

/// `forage search`: all chosen providers, one merged list.
struct SearchCommand: ReportingVerb {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: ForageCommand.name,
    abstract: "Search all chosen providers, merge, print.",
    discussion: """
      The query is GitHub's search syntax: words (all must match), "quoted phrases", name:value, -name:value, NOT word, \
      >N >=N <N <=N A..B for numbers and ISO 8601 dates, OR, AND, parentheses.

      Exit status: 0 results, 1 nothing found, 2 usage, 3 a part is missing (--strict, or a provider named with -p), 4 no provider answered.
      """)

  /// The most results that can be asked for.
  static let maximumLimit = 10_000
  /// How many results there are by default.
  static let defaultLimit = 30

  @OptionGroup var reporting: ReportOptions

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
  var limit: String?

  @Option(
    help: ArgumentHelp(
      "Sort by a key, for example stars, forks or updated, instead of by relevance.", valueName: "key"))
  var sort: String?

  @Option(
    help: ArgumentHelp("The direction of --sort: asc or desc. (default: desc)", valueName: "order"),
    completion: .list(["asc", "desc"]))
  var order: String?

  @Option(
    help: ArgumentHelp("How long the search may take; decimals are fine. (default: 10)", valueName: "seconds")
  )
  var timeout: String?

  @Flag(help: "End with status 3 unless every provider that can answer the query delivered everything.")
  var strict = false

  @Flag(help: "Tell for each result how its place came about.")
  var explain = false

  @Option(help: ArgumentHelp("Write an array of objects with just these fields.", valueName: "fields"))
  var json: String?

  // The qualifiers that people use every day; the same as writing them in the query.

  @Option(help: ArgumentHelp("Only in this programming language.", valueName: "language"))
  var language: String?

  @Option(help: ArgumentHelp("Only of this user or organisation.", valueName: "name"))
  var owner: String?

  @Option(help: ArgumentHelp("Only with this topic (repeatable: all must match).", valueName: "topic"))
  var topic: [String] = []

  @Option(help: ArgumentHelp("Only under this license.", valueName: "key"))
  var license: String?

  @Option(help: ArgumentHelp("Only with so many stars: 10, >10, 10..50.", valueName: "number"))
  var stars: String?

  @Option(help: ArgumentHelp("Only created then: 2024-01-31, >=2024-01-31.", valueName: "date"))
  var created: String?

  @Option(help: ArgumentHelp("Only changed then.", valueName: "date"))
  var updated: String?

  @Option(help: ArgumentHelp("Only archived ones (true) or only others (false).", valueName: "bool"))
  var archived: String?

  private enum Order: String, CaseIterable {
    case asc, desc
  }

  func run(in context: Context) async throws -> ExitStatus {
    let format = try reporting.format(context.output)
    let fields = try json.map(SearchJSON.fields)
    let limit = try limit.map { try OptionValue.number($0, 1...Self.maximumLimit, of: "--limit") }
    let order = try order.map { try OptionValue.choice(Order.self, $0, of: "--order") }
    let start = ContinuousClock.now
    var settings = try context.settings()
    // What is asked for now wins over what the file says.
    if timeout != nil { for id in settings.providers.keys { settings.providers[id]?.timeout = nil } }
    let timeout = try TimeLimit.duration(timeout)
    let all = try context.registry(settings)
    let choice = try ProviderChoice(names: provider, registry: all, settings: settings)
    var search = FederatedSearch(
      query: try parsedQuery(choice.registry.vocabulary, output: context.output),
      kinds: try kinds(choice.registry), limit: limit ?? Self.defaultLimit,
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
      try rendering.write(format)
    }
    rendering.writeNotes(named: choice.named)
    return status(result, named: choice.named)
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
