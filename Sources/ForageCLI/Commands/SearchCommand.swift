import ArgumentParser
import ForageCore
import ForageGitHub

/// `forage search`: all chosen providers, one merged list.
struct SearchCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: ForageCommand.name,
    abstract: "Search all chosen providers, merge, print.",
    discussion: """
      The query is GitHub's search syntax: words (all must match), "quoted phrases", name:value, -name:value, NOT word, \
      >N >=N <N <=N A..B for numbers and ISO 8601 dates, OR, AND, parentheses.

      Exit status: 0 results, 1 nothing found, 2 usage, 3 a part is missing (--strict, or a provider named with -p), 4 no results and a provider failed.
      """)

  @OptionGroup var list: ListOptions

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
    help: ArgumentHelp(
      "How many requests a provider may send, for --limit above 1000. (default: \(SearchReach.defaultMaximumRequests))",
      valueName: "n"))
  var maxRequests: String?

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

  func run(in context: Context) async throws -> ExitStatus {
    if list.next { return try await ListContinuation(query: query).run(in: context) }
    let run = try ListRun(list, context, plugins: plugin)
    let choice = try run.choice(provider, plugins: plugin, maxRequests: maxRequests)
    let query = try parsedQuery(choice.registry.vocabulary, output: context.output)
    let kinds = try kinds(choice.registry)
    let search = FederatedSearch(query: query, kinds: kinds, sort: try sortKey(choice.registry, kinds))
    return try await run.run(search, choice)
  }
}
