import ArgumentParser

/// The program: a list of commands.
struct ForageCommand: ParsableCommand {
  static let name = "forage"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "One search across every place code lives: GitHub, the clones on this disk, and more.",
    discussion: """
      Examples:
        forage search "http client language:swift"
        forage search json parser --language rust -L 50 --format json
        forage show apple/swift-nio
        forage star apple/swift-nio
        forage feed --sample 5
        forage inspect .
        forage clones add ~/src
      """,
    version: Context.version,
    subcommands: [
      SearchCommand.self, ShowCommand.self, OpenCommand.self, InspectCommand.self, ClonesCommand.self,
      ProvidersCommand.self,
      FeedCommand.self, StarCommand.self, UnstarCommand.self, StarsCommand.self, FavoriteCommand.self,
      PluginCommand.self, AuthCommand.self, DoctorCommand.self, ManualCommand.self,
    ])

  /// The commands without subcommands. They name this command in their configurations, so that the parser does not look in them for options
  /// that only the program itself has.
  static let leaves: [any Command.Type] = [
    SearchCommand.self, ShowCommand.self, OpenCommand.self, InspectCommand.self, FeedCommand.self,
    StarCommand.self,
    UnstarCommand.self, StarsCommand.self, DoctorCommand.self,
  ]
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print each request and child process on standard error.")
  var verbose = false

  @Flag(help: "Print results and errors only.")
  var quiet = false

  @Option(
    help: ArgumentHelp("Use color: auto, always or never. (default auto)", valueName: "when"),
    completion: .list(ColorChoice.allCases.map(\.rawValue)))
  var color: String?
}

/// When text is colored.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

/// How results are written.
enum OutputFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown

  /// Whether a whole answer tells more than its items.
  var hasEnvelope: Bool { self == .json || self == .ndjson }
}

/// The options of a command that prints results.
///
/// Option values are `String`, because each distinct option type adds to the start-up time of the parser.
struct ReportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Option(
    help: ArgumentHelp(
      "Output format: auto, table, tsv, json, ndjson or markdown. (default auto)",
      valueName: "format"), completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(help: ArgumentHelp("Print JSON objects with only these fields.", valueName: "fields"))
  var json: String?

  @Option(
    name: [.customShort("q"), .long],
    help: ArgumentHelp("Filter the JSON with a jq expression.", valueName: "expression"))
  var jq: String?

  /// The format for where results go.
  ///
  /// - Throws: `CommandError` for an unknown format.
  func format(_ output: Output) throws -> OutputFormat { try Self.format(format, output) }

  /// The format that a text names, for where results go.
  static func format(_ text: String?, _ output: Output) throws -> OutputFormat {
    let format = try text.map { try OptionValue.choice(OutputFormat.self, $0, of: "--format") } ?? .auto
    return format == .auto ? output.isTerminal ? .table : .tsv : format
  }
}

/// A command without options of its own that concern output.
protocol PlainCommand: Command {}

/// A command that prints results in a chosen format.
protocol ReportingCommand: Command {
  var reporting: ReportOptions { get }
}

extension ReportingCommand {
  var common: CommonOptions { reporting.common }
}

/// A command that prints a list of results.
protocol ListCommand: ReportingCommand {
  var list: ListOptions { get }
}

extension ListCommand {
  var reporting: ReportOptions { list.reporting }
}

extension Output {
  /// Writes a JSON document: over several lines on a terminal, on one line in a pipe.
  func result(_ document: JSONValue) throws { try result(document.text(isPretty: isTerminal)) }

  /// Writes a table for a terminal, as Markdown, or its rows with tabs.
  func result(_ table: Table, format: OutputFormat) throws {
    switch format {
    case .table: for line in table.lines(width: columns, isColored: hasColor) { try result(line) }
    case .markdown:
      let header = table.columns.map { String($0.title.prefix(1)) + $0.title.dropFirst().lowercased() }
      for line in MarkdownWriter.table(header, table.rows.map { $0.map(MarkdownWriter.text) }) {
        try result(line)
      }
    default: try resultRows(table.rows)
    }
  }

  /// Writes rows with tabs between the fields; nothing in a field can be taken for a tab or a line break.
  func resultRows(_ rows: [[String]]) throws {
    var text = ""
    for row in rows {
      for (column, field) in row.enumerated() {
        if column > 0 { text += "\t" }
        text += SafeText.line(field)
      }
      text += "\n"
    }
    try writeResult(text)
  }
}
