/// How `inspect` writes its reports: as other verbs do, or as a page for the browser.
enum InspectFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown, html

  /// The format that a text asks for, for where results go.
  ///
  /// - Throws: `CommandError` for a format that there is not.
  static func chosen(_ text: String?, _ output: Output) throws -> InspectFormat {
    let format = try text.map { try OptionValue.choice(Self.self, $0, of: "--format") } ?? .auto
    return format == .auto ? output.isTerminal ? .table : .tsv : format
  }
}
