import ArgumentParser
import ForageCore
import ForageGitHub

/// `forage search`: all chosen providers, one merged list.
struct SearchCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: ForageCommand.name,
    abstract: "Search all chosen providers, merge, print.",
    discussion: """
      The query is GitHub's search syntax: words (all must match), "quoted phrases", name:value, -name:value, NOT word, \
      >N >=N <N <=N A..B for numbers and ISO 8601 dates, OR, AND, parentheses.

      Exit status: 0 results, 1 nothing found, 2 usage, 3 a part is missing (--strict, or a provider named with -p), 4 no provider answered.
      """)

  @OptionGroup var reporting: ReportOptions

  @Argument(help: "What to look for.")
  var query: [String] = []

  @Option(
    name: [.customShort("p", allowingJoined: true), .long],
    help: ArgumentHelp("Ask only these providers (repeatable, or with commas).", valueName: "id"))
  var provider: [String] = []

  @Option(
    name: [.customShort("k", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Find these kinds of things: repo, code, issue, commit, user, topic, story, question, package. (default: repo)",
      valueName: "kind"
    ))
  var kind: [String] = []

  @Option(
    help: ArgumentHelp(
      "Ask also the plugin or manifest at a path, for this run only (repeatable).", valueName: "path"))
  var plugin: [String] = []

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp(
      "How many results, 1 to \(ListWishes.maximumLimit). (default: \(ListWishes.defaultLimit))",
      valueName: "n"))
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

  @Option(
    help: ArgumentHelp(
      "How many requests a provider may send, for --limit above 1000. (default: \(SearchReach.defaultMaximumRequests))",
      valueName: "n"))
  var maxRequests: String?

  @Flag(help: "End with status 3 unless every provider that can answer the query delivered everything.")
  var strict = false

  @Flag(help: "Tell for each result how its place came about.")
  var explain = false

  @Option(help: ArgumentHelp("Write an array of objects with just these fields.", valueName: "fields"))
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Go on behind a page: the query as before, with the \"next\" of that page.", valueName: "cursor"))
  var after: String?

  @Flag(help: "Only favorites (see: forage favorite).")
  var favorites = false

  @Flag(help: "Send nothing: answer from what was kept of earlier searches, up to a day old.")
  var offline = false

  @Flag(help: "Neither use nor keep answers of earlier searches.")
  var noCache = false

  @Flag(help: "Write each result as it arrives, unranked, one JSON object a line; then a summary.")
  var stream = false

  @Flag(name: .shortAndLong, help: "Open the first result in the browser instead of writing the list.")
  var web = false

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

  /// What it has in common with the other commands that print lists.
  private var wishes: ListWishes {
    ListWishes(
      format: reporting.format, limit: limit, order: order, timeout: timeout, json: json, after: after,
      strict: strict, explain: explain, favorites: favorites, offline: offline, noCache: noCache,
      stream: stream, isSorted: sort != nil, web: web)
  }

  func run(in context: Context) async throws -> ExitStatus {
    let list = try ListRun(wishes, context)
    let choice = try list.choice(provider, plugins: plugin, maxRequests: maxRequests)
    let query = try parsedQuery(choice.registry.vocabulary, output: context.output)
    let kinds = try kinds(choice.registry)
    let search = FederatedSearch(query: query, kinds: kinds, sort: try sortKey(choice.registry, kinds))
    return try await list.run(search, choice)
  }
}
