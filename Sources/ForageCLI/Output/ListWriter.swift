import Forage
import ForageCore

/// Writes a list of records in any of the formats: rows and lines as the records come, a document or a table at the end.
struct ListWriter<Record: Sendable> {
  private let output: Output
  private let format: OutputFormat
  private let document: @Sendable (Record) -> JSONValue
  private let rows: ((Record) -> [[String]])?
  private var records: [Record] = []

  /// - Parameters:
  ///   - document: Makes the JSON of a record.
  ///   - rows: Makes the rows of a record for programs; `nil` where the table has them.
  init(
    _ output: Output, _ format: OutputFormat, document: @escaping @Sendable (Record) -> JSONValue,
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
  ///   - envelope: Makes the JSON document of the list, given the array of the records' documents.
  ///   - people: Writes the records in a format for people, and in rows where they have no other rows; by default
  ///     nobody.
  func end(_ envelope: (JSONValue) -> JSONValue, people: ([Record]) throws -> Void = { _ in }) throws {
    switch format {
    case .json:
      try output.result(
        envelope(.list(count: records.count) { [document, records] in document(records[$0]) }))
    case .ndjson: break
    case .tsv where rows != nil: break
    case .tsv, .table, .auto, .markdown: try people(records)
    }
  }
}
