import ArgumentParser
import Forage
import ForageCore

/// A command that prints a list of results.
protocol ListCommand: ReportingCommand {
  var list: ListOptions { get }
}

extension ListCommand {
  static var fields: DocumentFields { .items }

  /// Neither a page in the browser nor lines in the order of arrival are JSON that jq could read.
  func validate() throws {
    guard reporting.jq != nil, list.web || list.stream else { return }
    throw ValidationError(
      list.web
        ? "--web and --jq exclude each other\n--web opens the first result and writes no list"
        : "--stream and --jq exclude each other\nleave out one of them")
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
    help: ArgumentHelp("Sort by a key (for example stars, forks or updated).", valueName: "key"),
    completion: Completion.sorts)
  var sort: String?

  @Option(help: .order, completion: .list(["asc", "desc"]))
  var order: String?

  @Option(help: .timeout)
  var timeout: String?

  @Flag(help: "Exit with status 3 unless every provider answered completely.")
  var strict = false

  @Flag(help: "Show how each result was ranked.")
  var explain = false

  @Option(
    help: ArgumentHelp("Continue after a page, given its \"next\" cursor.", valueName: "cursor"))
  var after: String?

  @Flag(help: "Continue the last list of this terminal.")
  var next = false

  @Flag(help: "Number the results (for example for: forage show 3).")
  var number = false

  @Flag(help: "Show only favorites (see: forage favorite).")
  var favorites = false

  @Flag(help: .offline)
  var offline = false

  @Flag(help: .noCache)
  var noCache = false

  @Flag(help: "Print each result on arrival as a JSON line, unranked.")
  var stream = false

  @Flag(name: .shortAndLong, help: "Open the first result in the browser.")
  var web = false
}

extension ListOptions {
  private static let streamHint = "--stream writes lines of JSON in the order of arrival"

  /// The format, which `--stream` decides by itself.
  ///
  /// - Throws: `ForageError` for options that have no effect together.
  func format(_ reporting: ReportOptions, _ output: Output) throws -> OutputFormat {
    let format = try reporting.format(output)
    let json = ("--json", reporting.json != nil)
    if web {
      try OptionValue.exclude(
        "--web", [("--stream", stream), json, ("--format", reporting.format != nil)],
        hint: "--web opens the first result and writes no list")
    }
    guard stream else { return format }
    let isOther = ![nil, "auto", "ndjson"].contains(reporting.format)
    try OptionValue.exclude(
      "--stream",
      [
        ("--after", after != nil), ("--sort", sort != nil), json,
        ("--format \(format.rawValue)", isOther), ("--number", number),
        ("--explain", explain),
      ], hint: Self.streamHint)
    return .ndjson
  }

  /// Checks the order that a query asks for, which stands for `--sort` and `--order`.
  ///
  /// - Throws: `ForageError` where an option contradicts it.
  func checkOrder(of query: Query?) throws {
    guard let wanted = query?.sort else { return }
    let isOtherOrder = try order != nil && wanted.order != nil && wanted.order != OptionValue.order(order)
    guard sort == nil || sort == wanted.key, !isOtherOrder else {
      throw ForageError(
        "sort: in the query and \(isOtherOrder ? "--order" : "--sort") contradict each other",
        hint: "leave one of them out")
    }
    try OptionValue.exclude("--stream", [("sort:", stream)], hint: Self.streamHint)
  }
}

extension SearchOptions {
  /// Reads the options of a list.
  ///
  /// - Parameter defaultLimit: How many results are wanted where the options do not say it.
  /// - Throws: `ForageError` for an option that cannot be used.
  init(_ list: ListOptions, defaultLimit: Int = defaultLimit, isPaged: Bool) throws {
    self.init()
    limit =
      try list.limit.map { try OptionValue.number($0, 1...Self.maximumLimit, of: "--limit") } ?? defaultLimit
    order = try OptionValue.order(list.order)
    sort = list.sort
    timeout = try list.timeout.map { try TimeLimit.duration($0) }
    after = list.after
    onlyFavorites = list.favorites
    cache = try CacheChoice.use(offline: list.offline, noCache: list.noCache)
    self.isPaged = isPaged
  }
}
