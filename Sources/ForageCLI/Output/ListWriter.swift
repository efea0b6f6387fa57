import Forage
import ForageCore

/// What is around the records of a list in its JSON document.
enum ListEnvelope {
  /// Nothing: the only record is the document.
  case none
  /// An array.
  case array
  /// An object that has the array as its last member.
  case object([(String, JSONTree)], list: String)

  /// The document of a list that says nothing else.
  static func list(named name: String) -> ListEnvelope { .object([("schema", .integer(1))], list: name) }
}

/// Writes a list of records in any of the formats: rows and lines as the records come, a document or a table
/// at the end.
struct ListWriter<Record: Sendable> {
  private let output: Output
  private let format: OutputFormat
  private let document: @Sendable (Record) -> JSONTree
  private let rows: ((Record) -> [[String]])?
  private var records: [Record] = []

  /// - Parameters:
  ///   - document: Makes the JSON of a record.
  ///   - rows: Makes the rows of a record for programs; `nil` where the table has them.
  init(
    _ output: Output, _ format: OutputFormat, document: @escaping @Sendable (Record) -> JSONTree,
    rows: ((Record) -> [[String]])? = nil
  ) {
    (self.output, self.format, self.document, self.rows) = (output, format, document, rows)
  }

  /// Takes the next record, and writes it unless the format needs all of them.
  mutating func add(_ record: Record) throws {
    switch format {
    case .ndjson: try output.result(verbatim: document(record).text())
    case .tsv where rows != nil: try output.resultRows(rows?(record) ?? [])
    case .json, .tsv, .table, .auto, .markdown: records.append(record)
    }
  }

  /// Writes what has to wait for the last record.
  ///
  /// - Parameters:
  ///   - envelope: What is around the records in the JSON document.
  ///   - people: Writes the records in a format for people, and in rows where they have no other rows; by
  ///     default nobody.
  func end(_ envelope: @autoclosure () -> ListEnvelope, people: ([Record]) throws -> Void = { _ in }) throws {
    switch format {
    case .json: try output.result(records, in: envelope(), document: document)
    case .ndjson: break
    case .tsv where rows != nil: break
    case .tsv, .table, .auto, .markdown: try people(records)
    }
  }
}

/// Writes what became of many clones or repositories in any of the formats: a line or a row as soon as one is
/// done, a document or a table of Markdown at the end.
struct WorkReport<Record: Sendable> {
  let output: Output
  let format: OutputFormat
  /// The member of the JSON document that has the records.
  let name: String
  /// The titles of the columns of a row.
  let titles: [String]
  let document: @Sendable (Record) -> JSONTree
  let row: (Record) -> [String]

  /// Takes the next record, and writes it unless the format needs all of them.
  ///
  /// - Parameter line: Writes it for people.
  func add(_ record: Record, line: () throws -> Void) throws {
    switch format {
    case .ndjson: try output.result(verbatim: document(record).text())
    case .tsv: try output.resultRows([row(record)])
    case .table, .auto: try line()
    case .json, .markdown: break
    }
  }

  /// Writes what has to wait for the last record.
  ///
  /// - Parameter records: All of them, in the order of the list.
  func end(_ records: [Record]) throws {
    guard format == .json || format == .markdown else { return }
    try output.list(records, named: name, as: format, document: document) {
      let table = Table(columns: titles.map { TableColumn(title: $0) }, rows: records.map(row))
      try output.result(table, format: format)
    }
  }
}
