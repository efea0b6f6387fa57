import ArgumentParser
import Forage
import ForageCore

extension NameSpecification {
  /// The long name and a letter, whose value may follow without a space: `-L5`.
  static func letter(_ letter: Character) -> NameSpecification {
    [.customShort(letter, allowingJoined: true), .long]
  }
}

/// The help of options that several commands have.
extension ArgumentHelp {
  static let references = ArgumentHelp(
    "Names, URLs, paths, or numbers of the last list.", valueName: "ref")
  static let providers = ArgumentHelp(
    "Ask only these providers (repeatable, or with commas).", valueName: "id")
  static let sort = ArgumentHelp(
    "Sort by a key (for example stars, forks or updated).", valueName: "key")
  static let order = ArgumentHelp(
    "Sort asc or desc. (default desc; names asc)", valueName: "order")
  static let numbers: ArgumentHelp = "Show the numbers of a list on a terminal. (default on)"
  static let timeout = ArgumentHelp(
    "Stop waiting after this time. \(TimeLimit.defaultText)", valueName: "seconds")
  static let timeoutOfEach = ArgumentHelp(
    "Stop waiting for each after this time. \(TimeLimit.defaultText)", valueName: "seconds")
  static let readNotifications: ArgumentHelp = "List notifications that were read, too."
  static let favorites: ArgumentHelp = "Show only favorites (see: forage favorite)."
  static let offline: ArgumentHelp = "Send nothing; use cached answers up to a day old."
  static let noCache: ArgumentHelp = "Bypass the cache."
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Log requests and child processes on standard error.")
  var verbose = false

  @Flag(help: "Print results and errors only.")
  var quiet = false

  @Option(
    help: ArgumentHelp("Use color: auto, always or never. (default auto)", valueName: "when"),
    completion: .list(ColorChoice.allCases.map(\.rawValue)))
  var color: String?
}

/// The options of a command that prints results.
///
/// Option values are `String`, because each distinct option type adds to the start-up time of the parser.
/// Groups lie beside each other in a command, not within each other: in a debug build the parser checks each
/// level of groups four times.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print auto, table, tsv, json, ndjson, markdown; inspect: html.", valueName: "format"),
    completion: Completion.formats)
  var format: String?

  @Option(
    name: .customLong("json"),
    help: ArgumentHelp("Print these fields as JSON (no names: list them).", valueName: "fields"),
    completion: Completion.fields)
  var fieldLists: [String] = []

  @Option(
    name: [.customShort("q"), .long], parsing: .unconditional,
    help: ArgumentHelp("Filter the JSON with a jq expression.", valueName: "expression"))
  var jq: String?

  /// The names of all `--json`, with commas between them, `nil` without one.
  var json: String? { fieldLists.isEmpty ? nil : fieldLists.joined(separator: ",") }
  /// The names of `--json`, `nil` without it.
  var fieldNames: [String]? { json.map(FieldSelection.names) }

  /// `--json` and `--jq` stand for `--format json`.
  mutating func validate() throws {
    guard let option = jq != nil ? "--jq" : json != nil ? "--json" : nil else { return }
    if let format, !["auto", OutputFormat.json.rawValue].contains(format) {
      throw ValidationError("\(option) and --format \(format) exclude each other\n\(option) prints JSON")
    }
    format = OutputFormat.json.rawValue
  }

  /// The format for where results go.
  ///
  /// - Throws: `ForageError` for an unknown format.
  func format(_ output: Output) throws -> OutputFormat {
    let format = try format.map { try OptionValue.choice(OutputFormat.self, $0, of: "--format") } ?? .auto
    return format == .auto ? output.isTerminal ? .table : .tsv : format
  }

  /// The format of a page and the output for it: by default a page for people, also outside a terminal.
  ///
  /// - Throws: `ForageError` for an unknown format.
  func page(_ output: Output) throws -> (format: OutputFormat, output: Output) {
    let format = try format.map { try OptionValue.choice(OutputFormat.self, $0, of: "--format") } ?? .auto
    return format == .auto ? (.table, output.forPage) : (format, output)
  }
}

/// A command that prints results in a chosen format.
protocol ReportingCommand: Command {
  var reporting: ReportOptions { get }
  /// The fields of the JSON document, from which `--json` selects.
  static var fields: DocumentFields { get }
  /// The fields for these arguments.
  var fields: DocumentFields { get }
  /// The fields that `--json` lists, `nil` for all.
  func listedFields(_ forage: Forage) -> [String]?
}

extension ReportingCommand {
  static var fields: DocumentFields { .any }
  var fields: DocumentFields { Self.fields }
  func listedFields(_ forage: Forage) -> [String]? {
    fields.hasOwnFields ? fields.names + Set(forage.ownFields.map(\.name.rawValue)).sorted() : nil
  }
}

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
