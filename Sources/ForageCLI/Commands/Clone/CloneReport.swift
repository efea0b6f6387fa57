import Forage
import ForageCore

extension CloneResult {
  /// The result as JSON: `{"id", "path", "state", "error"?}`.
  var json: JSONTree {
    JSONTree(["id": source.id, "path": path, "state": state.rawValue, "error": error?.message])
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
  private let report: WorkReport<CloneResult>
  /// The home folder, which a terminal shows as `~`.
  private let home: String?

  init(format: OutputFormat, context: Context) {
    let (output, bareHost) = (context.output, context.forage.bareHost)
    report = WorkReport(
      output: output, format: format, name: "clones", titles: ["REPOSITORY", "STATE", "FOLDER"],
      document: \.json, row: { $0.fields(bareHost) })
    home = output.isTerminal ? context.forage.paths.home : nil
  }

  /// Writes one result; failures go to standard error too.
  func write(_ result: CloneResult) throws {
    let output = report.output
    if let error = result.error { output.problem(error.message, hint: error.advice) }
    try report.add(result) {
      guard result.state != .failed else { return }
      let path = PathText(home: home).text(result.path)
      try output.result("\(result.state.rawValue) \(result.source.title) \(path)")
    }
  }

  /// Writes what has to wait for the last result.
  func end(_ results: [CloneResult]) throws { try report.end(results) }
}
