import ArgumentParser
import Forage
import ForageCore

/// The program, whose commands are its subcommands.
struct ForageCommand: ParsableCommand {
  static let name = "forage"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Search GitHub, local clones and more with one command.",
    discussion: """
      Examples:
        forage search "http client language:swift"
        forage search json parser --language rust -L 50 --format json
        forage browse http client
        forage show apple/swift-nio
        forage star apple/swift-nio
        forage clone apple/swift-nio
        forage feed --sample 5
        forage inspect .
        forage clones add ~/src
      """,
    version: Services.version,
    subcommands: [
      SearchCommand.self, BrowseCommand.self, ShowCommand.self, OpenCommand.self, InspectCommand.self,
      CloneCommand.self, ClonesCommand.self, ProvidersCommand.self, FeedCommand.self, StarCommand.self,
      UnstarCommand.self, StarsCommand.self, FavoriteCommand.self, PluginCommand.self, AuthCommand.self,
      MCPCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
    ])

  /// The commands without subcommands. Their configurations name this command, so that the parser does not look in them for options of the
  /// program itself.
  static let leaves: [any Command.Type] = [
    SearchCommand.self, BrowseCommand.self, ShowCommand.self, OpenCommand.self, InspectCommand.self,
    CloneCommand.self, FeedCommand.self, StarCommand.self, UnstarCommand.self, StarsCommand.self,
    MCPCommand.self, DoctorCommand.self, CompletionCommand.self,
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

extension Output {
  /// Applies `--color`, which wins over the environment; `nil` and `auto` leave the choice to the environment and the terminal.
  mutating func setColor(_ choice: ColorChoice?) {
    guard let choice, choice != .auto else { return }
    (hasColor, hasMessageColor) = (choice == .always, choice == .always)
  }

  /// The same output while something else has the terminal: nothing is drawn, and messages go elsewhere.
  ///
  /// - Parameter isTerminal: Whether they are shown as they are, and wrapped to the width of the terminal.
  func diverted(isTerminal: Bool, _ write: @escaping @Sendable (String) -> Void) -> Output {
    var output = self
    output.writeMessage = write
    output.hasMessageColor = false
    output.canMoveCursor = false
    if !isTerminal { output.isMessageTerminal = false }
    return output
  }
}

/// How results are written.
enum OutputFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown

  /// Whether it writes more than the items.
  var hasEnvelope: Bool { self == .json || self == .ndjson }
}

/// The options of a command that prints results.
///
/// Option values are `String`, because each distinct option type adds to the start-up time of the parser.
struct ReportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Option(
    help: ArgumentHelp(
      "Print as auto, table, tsv, json, ndjson or markdown. (default auto)",
      valueName: "format"), completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp("Print JSON with only these fields (without names: list them).", valueName: "fields"),
    completion: Completion.fields)
  var json: String?

  @Option(
    name: [.customShort("q"), .long], parsing: .unconditional,
    help: ArgumentHelp("Filter the JSON with a jq expression (needs jq).", valueName: "expression"))
  var jq: String?

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
  func format(_ output: Output) throws -> OutputFormat { try Self.format(format, output) }

  /// The format of a page and the output for it: by default a page for people, also outside a terminal.
  ///
  /// - Throws: `ForageError` for an unknown format.
  func page(_ output: Output) throws -> (format: OutputFormat, output: Output) {
    let format = try format.map { try OptionValue.choice(OutputFormat.self, $0, of: "--format") } ?? .auto
    return format == .auto ? (.table, output.forPage) : (format, output)
  }

  /// The format that a text names, for where results go.
  static func format(_ text: String?, _ output: Output) throws -> OutputFormat {
    let format = try text.map { try OptionValue.choice(OutputFormat.self, $0, of: "--format") } ?? .auto
    return format == .auto ? output.isTerminal ? .table : .tsv : format
  }
}

/// A command that prints no results in a chosen format.
protocol PlainCommand: Command {}

/// A command that prints results in a chosen format.
protocol ReportingCommand: Command {
  var reporting: ReportOptions { get }
  /// The fields of the JSON document, from which `--json` selects.
  static var fields: DocumentFields { get }
}

extension ReportingCommand {
  static var fields: DocumentFields { .any }
  var common: CommonOptions { reporting.common }
}

/// A command that prints a list of results.
protocol ListCommand: ReportingCommand {
  var list: ListOptions { get }
}

extension ListCommand {
  static var fields: DocumentFields { .items }
  var reporting: ReportOptions { list.reporting }
}

extension Output {
  /// Writes a JSON document: over several lines on a terminal, on one line in a pipe.
  ///
  /// Under `--json` it has the requested fields alone.
  func result(_ document: JSONValue) throws {
    try result((selection?.applied(to: document) ?? document).text(isPretty: isTerminal))
  }

  /// Writes a table for a terminal, as Markdown, or its rows with tabs.
  func result(_ table: Table, format: OutputFormat) throws {
    switch format {
    case .table: for line in table.lines(width: columns, isColored: hasColor) { try result(line) }
    case .markdown:
      for line in MarkdownWriter.table(
        table.columns.map(\.heading), table.rows.map { $0.map(MarkdownWriter.text) })
      {
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
