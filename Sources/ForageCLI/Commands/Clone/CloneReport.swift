import Forage
import ForageCore

extension CloneResult {
  /// The result as JSON: `{"id", "path", "state", "error"?}`.
  var json: JSONValue {
    ["id": source.id, "path": path, "state": state.rawValue, "error": error?.message]
  }

  /// The fields of a row for programs: name, with the host where the name would mean another repository,
  /// state, path.
  func fields(_ bareHost: String) -> [String] {
    let host = RepositoryIdentity.hostBeforeName(of: source.id, bareHost: bareHost)
    return [(host.map { $0 + "/" } ?? "") + source.title, state.rawValue, path]
  }
}

/// Writes results, each as soon as it is there where the format allows it.
struct CloneReport {
  let format: OutputFormat
  let output: Output
  /// The home folder, which a terminal shows as `~`.
  let home: String
  /// The host that a name without one means.
  let bareHost: String

  /// Writes one result; failures go to standard error too.
  func write(_ result: CloneResult) throws {
    if let error = result.error { output.problem(error.message, hint: error.advice) }
    switch format {
    case .ndjson: try output.result(verbatim: result.json.text())
    case .tsv: try output.resultRows([result.fields(bareHost)])
    case .table, .auto:
      guard result.state != .failed else { return }
      let path = PathText(home: output.isTerminal ? home : nil).text(result.path)
      try output.result("\(result.state.rawValue) \(result.source.title) \(path)")
    case .json, .markdown: break
    }
  }

  /// Writes what has to wait for the last result.
  func end(_ results: [CloneResult]) throws {
    guard format == .json || format == .markdown else { return }
    try output.list(results, named: "clones", as: format, document: \.json) {
      let titles = ["REPOSITORY", "STATE", "FOLDER"]
      let rows = results.map { $0.fields(bareHost) }
      let table = Table(columns: titles.map { TableColumn(title: $0) }, rows: rows)
      try output.result(table, format: format)
    }
  }
}
