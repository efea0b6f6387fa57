import Forage
import ForageCore

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
