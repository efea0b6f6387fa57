import Forage
import ForageCore

extension Output {
  /// Writes a JSON document: over several lines on a terminal, on one line in a pipe.
  ///
  /// Under `--json` it has the requested fields alone.
  func result(_ document: JSONTree) throws {
    try result(verbatim: (selection?.applied(to: document) ?? document).text(isPretty: isTerminal))
  }

  /// Writes the document of a list.
  ///
  /// Its records become JSON one by one when they are written: a long list never stands in memory twice. Under
  /// `--json` they have the requested fields alone, and nothing is around them.
  func result<Record>(_ records: [Record], in envelope: ListEnvelope, document: (Record) -> JSONTree) throws {
    var writer = JSONWriter(isPretty: isTerminal, isDocument: true)
    func write(_ record: Record, to writer: inout JSONWriter) {
      writer.write(selection?.applied(to: document(record)) ?? document(record))
    }
    func writeAll(to writer: inout JSONWriter) {
      writer.array { for record in records { write(record, to: &$0) } }
    }
    switch envelope {
    case .none: for record in records { write(record, to: &writer) }
    case .object(let members, let list) where selection == nil:
      writer.object { writer in
        for (name, value) in members { writer.member(name) { $0.write(value) } }
        writer.member(list) { writeAll(to: &$0) }
      }
    case .array, .object: writeAll(to: &writer)
    }
    try result(verbatim: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// Writes one record.
  ///
  /// - Parameter page: Writes it in a format for people.
  func result(_ document: @autoclosure () -> JSONTree, as format: OutputFormat, page: () throws -> Void)
    throws
  {
    switch format {
    case .json: try result(document())
    case .ndjson: try result(verbatim: document().text())
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
  func list<Record: Sendable>(
    _ records: [Record], named name: String, as format: OutputFormat,
    document: @escaping @Sendable (Record) -> JSONTree,
    fields: ((Record) -> [String])? = nil, others: () throws -> Void
  ) throws {
    var list = ListWriter<Record>(
      self, format, document: document, rows: fields.map { fields in { [fields($0)] } })
    for record in records { try list.add(record) }
    try list.end(.list(named: name), people: { _ in try others() })
  }

  /// Writes a table for a terminal, as Markdown, or its rows with tabs.
  func result(_ table: Table, format: OutputFormat) throws {
    switch format {
    case .table: for line in table.lines(width: columns, isColored: hasColor) { try result(verbatim: line) }
    case .markdown:
      for line in MarkdownWriter.table(
        table.columns.map(\.heading), table.rows.map { $0.map(MarkdownWriter.text) })
      {
        try result(verbatim: line)
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

/// Writes a document as rows for programs.
extension JSONTree {
  /// The fields of lists some of whose members may be absent, so that each field keeps its place.
  private static let listFields: [String: [String]] = [
    "licenses": ["spdx", "path"], "submodules": ["path", "url", "commit", "state"],
    "worktrees": ["path", "branch"], "contributors": ["login", "commits", "name"],
    "fragments": ["text", "line", "matches"],
    "matches": ["line", "column", "text", "ranges", "before", "after"],
    "places": ["repository", "path", "ref", "commit", "file"],
    "providers": ["id", "kind", "state", "returned"],
  ]

  /// The document as rows: for each scalar its key and its value, for each item of a list the list's key and
  /// the fields of the item.
  ///
  /// The keys of nested objects are joined with dots: `head.branch`. The members of an object in an item are
  /// fields as those of the item are; a list in an item is JSON.
  func rows(_ key: String = "") -> [[String]] {
    switch self {
    case .null: return []
    case .object(let members):
      return members.flatMap { name, value in value.rows(key.isEmpty ? name : key + "." + name) }
    case .array(let items):
      let name = key.split(separator: ".").last.map(String.init) ?? key
      return items.map { [key] + $0.fields(Self.listFields[name]) }
    default: return [[key, field]]
    }
  }

  /// An item of a list as fields: of an object the values of these members, or of all.
  private func fields(_ names: [String]?) -> [String] {
    guard case .object(let members) = self else { return [field] }
    guard let names else {
      return members.flatMap { _, value in
        if case .object(let inner) = value { inner.map(\.1.field) } else { [value.field] }
      }
    }
    return names.map { name in members.first { $0.0 == name }?.1.field ?? "" }
  }

  /// The value on one line: of `null` nothing.
  private var field: String {
    switch self {
    case .null: ""
    case .string(let value): value
    case .bool, .integer, .double, .array, .object: text()
    }
  }
}
