import Forage
import ForageCore

extension Output {
  /// Writes a JSON document: over several lines on a terminal, on one line in a pipe.
  ///
  /// Under `--json` it has the requested fields alone.
  func result(_ document: JSONValue) throws {
    try result((selection?.applied(to: document) ?? document).text(isPretty: isTerminal))
  }

  /// Writes one record.
  ///
  /// - Parameter page: Writes it in a format for people.
  func result(_ document: @autoclosure () -> JSONValue, as format: OutputFormat, page: () throws -> Void)
    throws
  {
    switch format {
    case .json: try result(document())
    case .ndjson: try result(document().text())
    case .tsv: try resultRows(document().rows())
    case .table, .auto, .markdown: try page()
    }
  }

  /// Writes a list of records.
  ///
  /// - Parameters:
  ///   - name: The member of the JSON document that holds the records.
  ///   - fields: A row for programs; `nil` where `others` writes these rows too.
  ///   - others: Writes the records in a format for people.
  func list<Record>(
    _ records: [Record], named name: String, as format: OutputFormat, document: (Record) -> JSONValue,
    fields: ((Record) -> [String])? = nil, others: () throws -> Void
  ) throws {
    switch format {
    case .json: try result(.list(records.map(document), named: name))
    case .ndjson: for record in records { try result(document(record).text()) }
    case .tsv, .table, .auto, .markdown:
      if format == .tsv, let fields { return try resultRows(records.map(fields)) }
      try others()
    }
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

extension JSONValue {
  /// The document of a list of records.
  static func list(_ documents: [JSONValue], named name: String) -> JSONValue {
    .object([("schema", .int(1)), (name, .array(documents))])
  }
}
