import ArgumentParser
import Forage
import ForageCore

/// A command that prints a list of results.
protocol ListCommand: ReportingCommand {
  var list: ListOptions { get }
  /// The words of the command line.
  var query: [String] { get }
}

extension ListCommand {
  static var fields: DocumentFields { .items }

  var query: [String] { [] }

  /// A page in the browser is no JSON that jq could read.
  func validate() throws {
    guard reporting.jq != nil, list.web else { return }
    throw ValidationError(
      "--web and --jq exclude each other\n--web opens a page and writes no list")
  }
}

/// The options shared by every command that prints a list of results: `search`, `stars` and `feed`.
struct ListOptions: ParsableArguments {
  @Option(
    name: .letter("L"),
    help: ArgumentHelp(
      "Print at most n results, 1 to \(SearchOptions.maximumLimit). (default \(SearchOptions.defaultLimit))",
      valueName: "n"))
  var limit: String?

  @Option(
    help: .sort, completion: Completion.sorts)
  var sort: String?

  @Option(help: .order, completion: .list(["asc", "desc"]))
  var order: String?

  @Flag(help: "Continue the last list of this terminal.")
  var next = false

  @Flag(inversion: .prefixedNo, help: .numbers)
  var number: Bool?

  @Flag(help: .favorites)
  var favorites = false

  @Flag(
    name: .shortAndLong,
    help: "Open the query's page on the forge.")
  var web = false
}

/// How long, how fresh and how complete the answers of a list are: rarely needed, so that they stand with the
/// last options of a command.
struct AnswerOptions: ParsableArguments {
  @Option(help: .timeout)
  var timeout: String?

  @Flag(help: .offline)
  var offline = false

  @Flag(help: .noCache)
  var noCache = false

  @Flag(help: "Exit with status 3 if an answer is incomplete.")
  var strict = false

  @Flag(help: "Show how each result was ranked.")
  var explain = false
}

extension ListOptions {
  /// The format.
  ///
  /// - Throws: `ForageError` for options that have no effect together.
  func format(_ reporting: ReportOptions, _ output: Output) throws -> OutputFormat {
    let format = try reporting.format(output)
    if web {
      try OptionValue.exclude(
        "--web", [("--json", reporting.json != nil), ("--format", reporting.format != nil)],
        hint: "--web opens a page and writes no list")
    }
    return format
  }
}

extension SearchRunner {
  /// Checks `--sort` and `--order` against the order that a query asks for.
  ///
  /// - Parameter kinds: As for ``checkOrder(of:_:written:)``.
  func checkOrder(of query: Query?, _ kinds: [ResultKind]?) throws(ForageError) {
    try checkOrder(of: query, kinds) { option, key in
      "--\(option)" + (key.map { " \($0) --order asc" } ?? "")
    }
  }
}

extension SearchOptions {
  /// Reads the options of a list.
  ///
  /// - Parameters:
  ///   - defaultLimit: How many results are wanted where the options do not say it.
  ///   - continued: The list that is continued: it is made again with further results.
  /// - Throws: `ForageError` for an option that cannot be used.
  init(
    _ list: ListOptions, _ answers: AnswerOptions, defaultLimit: Int = defaultLimit,
    continuing continued: LastList?
  ) throws {
    self.init()
    let page =
      try list.limit.map { try OptionValue.number($0, 1...Self.maximumLimit, of: "--limit") } ?? defaultLimit
    limit = min(page + (continued?.last ?? 0), Self.maximumLimit)
    (pageLimit, pageCount) = (page, 1 + (continued?.pages ?? 0))
    folder = continued?.folder
    order = try OptionValue.order(list.order)
    sort = list.sort
    timeout = try answers.timeout.map { try TimeLimit.duration($0) }
    onlyFavorites = list.favorites
    cache = try CacheChoice.use(offline: answers.offline, noCache: answers.noCache)
    if continued != nil, cache == .normal { cache = .continuing }
  }
}

/// The options that choose providers and kinds of results.
struct ProviderOptions: ParsableArguments {
  @Option(
    name: .letter("k"),
    help: ArgumentHelp(
      "Find these kinds (\(ResultKind.names.joined(separator: ", "))). (default repo; all for feed)",
      valueName: "kind"), completion: Completion.kinds)
  var kind: [String] = []

  @Option(name: .letter("p"), help: .providers, completion: Completion.providers)
  var provider: [String] = []
}

/// The options that add providers for one run: rarely needed, so that they stand with the last options of a
/// command.
struct PluginOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Ask a plugin or manifest by path (repeatable).", valueName: "path"),
    completion: .file())
  var plugin: [String] = []

  @Flag(name: .shortAndLong, help: "Allow --plugin to get your secrets without asking.")
  var yes = false

  /// Chooses the plugins beside those of the user.
  func configure(_ setup: inout ForageSetup) { (setup.pluginPaths, setup.assumesYes) = (plugin, yes) }
}
