import Forage
import ForageCore

/// Writes a list of records in any of the formats: rows and lines as the records come, a document or a table at the end.
struct ListWriter<Record> {
  private let output: Output
  private let format: OutputFormat
  private let document: (Record) -> JSONValue
  private let rows: ((Record) -> [[String]])?
  private var documents: [JSONValue] = []
  private var records: [Record] = []

  /// - Parameters:
  ///   - document: Makes the JSON of a record.
  ///   - rows: Makes the rows of a record for programs; `nil` where the table has them.
  init(
    _ output: Output, _ format: OutputFormat, document: @escaping (Record) -> JSONValue,
    rows: ((Record) -> [[String]])? = nil
  ) {
    (self.output, self.format, self.document, self.rows) = (output, format, document, rows)
  }

  /// Takes the next record, and writes it unless the format needs all of them.
  mutating func add(_ record: Record) throws {
    switch format {
    case .json: documents.append(document(record))
    case .ndjson: try output.result(verbatim: document(record).text())
    case .tsv, .table, .auto, .markdown:
      if format == .tsv, let rows { return try output.resultRows(rows(record)) }
      records.append(record)
    }
  }

  /// Writes what has to wait for the last record.
  ///
  /// - Parameters:
  ///   - envelope: Makes the JSON document of the list, given those of the records.
  ///   - people: Writes the records in a format for people, and in rows where they have no other rows.
  func end(_ envelope: ([JSONValue]) -> JSONValue, people: ([Record]) throws -> Void) throws {
    switch format {
    case .json: try output.result(envelope(documents))
    case .ndjson: break
    case .tsv, .table, .auto, .markdown: if format != .tsv || rows == nil { try people(records) }
    }
  }
}
