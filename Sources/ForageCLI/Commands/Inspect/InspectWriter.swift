import ForageGit
import ForageInspector

/// Writes what came of inspecting clones, one after the other.
final class InspectWriter {
  /// How the clones are written.
  enum Form {
    /// A table with a row for each.
    case rows
    /// A page for each.
    case pages, markdown, html
    case json, ndjson, tsv

    init(_ format: InspectFormat) {
      switch format {
      case .auto, .table: self = .pages
      case .markdown: self = .markdown
      case .html: self = .html
      case .json: self = .json
      case .ndjson: self = .ndjson
      case .tsv: self = .tsv
      }
    }
  }

  private let form: Form
  private let isList: Bool
  private let sections: Set<InspectionSection>
  private let output: Output
  private let environment: [String: String]
  /// The home folder, which rows show as `~`.
  private let home: String
  private lazy var style = PageStyle(output, environment)
  private var rows: [CloneRow] = []
  private var documents: [JSONValue] = []
  private var pages: [HTMLPage.Part] = []
  private var problems: [(message: String, hint: String)] = []
  private var failures: [GitError] = []
  private var reports = 0
  private var damaged = 0
  private var written = 0

  /// Prepares to write.
  ///
  /// - Parameters:
  ///   - isList: Whether the clones are a list, whose failures have a place among the results.
  ///   - sections: What was asked of each.
  init(
    format form: Form, isList: Bool, sections: Set<InspectionSection>, output: Output,
    environment: [String: String], home: String
  ) {
    self.form = form
    self.isList = isList
    self.sections = sections
    self.output = output
    self.environment = environment
    self.home = home
  }

  /// How the run ended.
  var status: ExitStatus {
    guard let first = failures.first else { return damaged > 0 ? .partial : .success }
    return reports == 0 ? InspectCommand.status(of: first) : .partial
  }

  /// Takes the next clone, and writes it where that need not wait for others.
  ///
  /// - Throws: `CancellationError` for a clone that was given up; what writing throws.
  func add(_ clone: InspectedClone) throws {
    switch clone.outcome {
    case .failure(let error):
      if error.code == .cancelled { throw CancellationError() }
      failures.append(error)
      tell(PathText.message(clone.path, error.message), hint: error.hint)
      if isList { try write(clone.path, error) }
    case .success(let report):
      reports += 1
      let missing = report.damage(sections)
      if !missing.isEmpty {
        damaged += 1
        tell(
          "\(report.path) is damaged; not everything could be told: \(missing.joined(separator: ", "))",
          hint: "run git fsck in it, or clone it again; the report's notes say more")
      }
      try write(clone, report)
    }
  }

  /// Writes what had to wait for the last clone.
  func end() throws {
    switch form {
    case .rows:
      let table = CloneRow.table(
        rows, width: output.columns, home: home, now: output.now, isUnicode: style.isUnicode)
      if !rows.isEmpty { try output.result(table, format: .table) }
    case .json:
      if isList {
        try output.result(.array(documents))
      } else if let document = documents.first {
        try output.result(document)
      }
    case .html: if !pages.isEmpty { try HTMLPage(parts: pages, now: output.now).write(to: output) }
    case .pages, .markdown, .ndjson, .tsv: break
    }
    for (message, hint) in problems { output.problem(message, hint: hint) }
  }

  /// Tells of a problem, behind a table that is still to be written.
  private func tell(_ message: String, hint: String) {
    if form == .rows { problems.append((message, hint)) } else { output.problem(message, hint: hint) }
  }

  private func write(_ clone: InspectedClone, _ report: InspectionReport) throws {
    switch form {
    case .rows: rows.append(CloneRow(report, lastCommitAt: clone.lastCommitAt))
    case .json: documents.append(InspectJSON.document(report))
    case .ndjson: try output.result(InspectJSON.document(report).text())
    case .tsv:
      try output.resultRows(
        InspectJSON.document(report).flattened().map {
          isList ? [report.path, $0.path, $0.value] : [$0.path, $0.value]
        })
    case .html: pages.append(.report(report))
    case .pages:
      try separate()
      try InspectPage(report, dates: .ages(output.now)).write(style, to: output)
    case .markdown:
      try separate()
      try InspectPage(report, dates: .days).writeMarkdown(to: output)
    }
  }

  private func write(_ path: String, _ error: GitError) throws {
    switch form {
    case .rows: rows.append(CloneRow(unreadable: path))
    case .json: documents.append(InspectJSON.document(path, error))
    case .ndjson: try output.result(InspectJSON.document(path, error).text())
    case .html: pages.append(.failure(path: path, message: error.message, hint: error.hint))
    case .markdown:
      try separate()
      try output.result("## " + MarkdownWriter.text(path) + "\n")
      try output.result("- **Error:** " + MarkdownWriter.text(error.message))
    // On a terminal the message has just been told; rows with tabs are facts alone.
    case .pages, .tsv: break
    }
  }

  /// An empty line between two pages.
  private func separate() throws {
    if written > 0 { try output.result("") }
    written += 1
  }
}
