import ArgumentParser

/// The program itself: a list of verbs.
struct ForageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forage",
    abstract: "One search across every place code lives: GitHub, the clones on this disk, and more.",
    discussion: """
      Examples:
        forage search "http client language:swift"
        forage search json parser --language rust -L 50 --format json
        forage show apple/swift-nio
        forage inspect .
        forage clones add ~/src
      """,
    version: Context.version,
    subcommands: [
      SearchCommand.self, ShowCommand.self, InspectCommand.self, ClonesCommand.self, ProvidersCommand.self,
      AuthCommand.self, DoctorCommand.self,
    ])
}

/// The options that every command has.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Tell each request and child process on standard error.")
  var verbose = false
}

/// How results are written.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case auto, table, tsv, json, ndjson

  var defaultValueDescription: String { rawValue }
}

/// The option for the format.
struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write results as auto, table, tsv, json or ndjson.",
      discussion: "auto is a table on a terminal and tsv in a pipe.",
      valueName: "format"))
  var format = OutputFormat.auto

  /// The format once it is known where results go.
  func resolved(_ output: Output) -> OutputFormat {
    format == .auto ? output.isTerminal ? .table : .tsv : format
  }
}

extension Output {
  /// Writes a JSON document: over several lines on a terminal, on one line in a pipe.
  func result(_ document: JSONValue) throws { try result(document.text(isPretty: isTerminal)) }

  /// Writes a table for a terminal, or its rows with tabs.
  func result(_ table: Table, format: OutputFormat) throws {
    if format == .table {
      for line in table.lines(width: columns, isColored: hasColor) { try result(line) }
    } else {
      try resultRows(table.rows)
    }
  }

  /// Writes rows with tabs between the fields; nothing in a field can be taken for a tab or a line break.
  func resultRows(_ rows: [[String]]) throws {
    for row in rows { try result(row.map { SafeText.line($0) }.joined(separator: "\t")) }
  }
}
