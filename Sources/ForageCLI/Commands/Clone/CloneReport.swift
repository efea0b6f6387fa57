import Forage
import ForageCore
import Synchronization

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
    case .ndjson: try output.result(verbatim: result.json.text())
    case .tsv: try output.resultRows([result.fields])
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
      let table = Table(columns: titles.map { TableColumn(title: $0) }, rows: results.map(\.fields))
      try output.result(table, format: format)
    }
  }
}

/// Shows on one line of the terminal which repositories are being cloned; nothing anywhere else.
final class CloneProgress: Sendable {
  private struct State {
    var done = 0
    /// The most repositories that are cloned.
    var total = 0
    /// The names of the repositories in progress, each with git's messages.
    var current: [(name: String, messages: GitMessages)] = []
    var entry: StatusDisplay.Entry?
  }

  private let output: Output
  private let state = Mutex(State())

  init(_ output: Output) { self.output = output }

  /// Shows what is in progress from now on.
  ///
  /// - Parameter total: How many repositories are to be cloned.
  func start(total: Int) {
    let entry = output.showStatus { [weak self] in self?.text.map { [StatusDisplay.Row(text: $0)] } ?? [] }
    state.withLock { ($0.total, $0.entry) = (total, entry) }
  }

  /// Adds a repository to those in progress.
  func begin(_ name: String, messages: GitMessages) {
    state.withLock { $0.current.append((name, messages)) }
  }

  /// Removes a repository from those in progress, if it was.
  func end(_ name: String) {
    state.withLock { state in
      if let index = state.current.firstIndex(where: { $0.name == name }) {
        state.current.remove(at: index)
        state.done += 1
      }
    }
  }

  /// Removes the line.
  func finish() { state.withLock { $0.entry }?.end() }

  /// What is in progress, `nil` for nothing.
  private var text: String? {
    let (current, done, total) = state.withLock { ($0.current, $0.done, $0.total) }
    guard let (name, messages) = current.first else { return nil }
    guard total == 1 else {
      return "cloning: \(done) of \(total) done; \(current.map(\.name).joined(separator: ", "))"
    }
    return "cloning \(name)" + (messages.lastLine.map { ": \($0)" } ?? "")
  }
}
