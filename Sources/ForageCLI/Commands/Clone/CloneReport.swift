import Forage
import ForageCore

extension CloneResult {
  /// The result as JSON: `{"id", "path", "state", "error"?}`.
  var json: JSONValue {
    ["id": source.id, "path": path, "state": state.rawValue, "error": error?.message]
  }

  /// The fields of a row for programs: name, state, path.
  var fields: [String] { [source.title, state.rawValue, path] }
}

/// Writes results, each as soon as it is there where the format allows it.
struct CloneReport {
  let format: OutputFormat
  let output: Output
  /// The home folder, which a terminal shows as `~`.
  let home: String

  /// Writes one result; failures go to standard error too.
  func write(_ result: CloneResult) throws {
    if let error = result.error { output.problem(error.message, hint: error.advice) }
    switch format {
    case .ndjson: try output.result(result.json.text())
    case .tsv: try output.resultRows([result.fields])
    case .table, .auto:
      guard result.state != .failed else { return }
      let path = PathText(home: output.isTerminal ? home : nil).text(result.path)
      try output.result(SafeText.line("\(result.state.rawValue) \(result.source.title) \(path)"))
    case .json, .markdown: break
    }
  }

  /// Writes what has to wait for the last result.
  func end(_ results: [CloneResult]) throws {
    switch format {
    case .json:
      try output.result(
        .object([("schema", .int(1)), ("clones", .array(results.map(\.json)))]))
    case .markdown:
      let rows = results.map { $0.fields.map(MarkdownWriter.text) }
      for line in MarkdownWriter.table(["Repository", "State", "Folder"], rows) { try output.result(line) }
    default: break
    }
  }
}
