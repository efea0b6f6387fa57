import Forage
import ForageCore
import ForageInspector
import ForagePlatform

/// Writes the outcomes of inspections, one after the other.
final class InspectWriter {
  /// How the clones are written.
  enum Form {
    /// A table with a row for each clone, for people.
    case rows
    /// A row for each clone, for programs.
    case fields
    /// A page for each clone.
    case pages, markdown, html
    case json, ndjson
    /// Keys and values.
    case facts

    /// Whether it shows the repository on the forge.
    var showsIdentity: Bool {
      switch self {
      case .fields, .pages, .markdown, .html: true
      case .rows, .json, .ndjson, .facts: false
      }
    }

    /// - Parameter isList: Whether there is a row for each clone in the formats with rows.
    init(_ format: InspectFormat, isList: Bool, isTerminal: Bool) {
      switch format {
      case .auto: self = isList ? isTerminal ? .rows : .fields : .pages
      case .table: self = isList ? .rows : .pages
      case .tsv: self = isList ? .fields : .facts
      case .markdown: self = .markdown
      case .html: self = .html
      case .json: self = .json
      case .ndjson: self = .ndjson
      }
    }
  }

  private let form: Form
  private let isList: Bool
  private let context: Context
  private let references: ReferenceReader
  private lazy var style = PageStyle(output, context.forage.environment)
  private var rows: [CloneRow] = []
  private var documents: [JSONValue] = []
  private var pages: [HTMLPage.Part] = []
  private var problems: [(message: String, hint: String)] = []
  private var failures: [ForageError.Code] = []
  /// The paths below the root of a reported repository, each with the root.
  private(set) var inner: [(path: String, root: String)] = []
  private var reports = 0
  private var damaged = 0
  private var written = 0

  /// - Parameters:
  ///   - isList: Whether the clones are a list, in which failures have a place.
  ///   - references: Knows what was probably meant by a path that is not there.
  init(_ form: Form, isList: Bool, _ context: Context, _ references: ReferenceReader) {
    (self.form, self.isList, self.context, self.references) = (form, isList, context, references)
  }

  private var output: Output { context.output }

  var status: ExitStatus {
    guard let first = failures.first else { return damaged > 0 ? .partial : .success }
    return reports == 0 ? ExitStatus(first) : .partial
  }

  /// Takes the error of a result without a clone.
  func add(_ missing: ForageError) {
    failures.append(missing.code)
    problems.append((missing.message, missing.advice))
  }

  /// Takes the next clone, and writes it unless the form needs all of them.
  ///
  /// - Throws: `CancellationError` for a cancelled inspection; errors of writing.
  func add(_ clone: InspectedClone) throws {
    switch clone.outcome {
    case .failure(let error):
      if error.code == .cancelled { throw CancellationError() }
      failures.append(ForageError.Code(error))
      problems.append((PathText.message(clone.path, error.message), hint(for: clone.path, error)))
      if isList { try write(clone.path, error) }
    case .success(let report):
      reports += 1
      if realPath(clone.path)?.hasPrefix(report.path + "/") == true {
        inner.append((clone.path, report.path))
      }
      let missing = report.damagedSections
      if !missing.isEmpty {
        damaged += 1
        problems.append(
          (
            "\(report.path) is damaged, these sections are incomplete: \(missing.joined(separator: ", "))",
            Remedy.repairClone.advice + "; the notes of the report name what is damaged"
          ))
      }
      try write(clone, report)
    }
  }

  /// Writes what needs all clones, then the problems.
  func end() throws {
    switch form {
    case .rows:
      if !rows.isEmpty { try output.result(CloneRow.table(rows, context), format: .table) }
    case .json:
      if isList, !documents.isEmpty {
        try output.result(.array(documents))
      } else if let document = documents.first {
        try output.result(document)
      }
    case .html:
      if !pages.isEmpty { try output.result(verbatim: HTMLPage(parts: pages, now: output.now).text) }
    case .pages, .markdown, .ndjson, .facts, .fields: break
    }
    for (message, hint) in problems {
      if reports > 0 { output.warning(message, hint: hint) } else { output.problem(message, hint: hint) }
    }
  }

  /// What to do about a path that cannot be inspected.
  private func hint(for path: String, _ error: InspectionError) -> String {
    guard [.notFound, .notARepository].contains(error.code), !ReferencePath.exists(path) else {
      return error.hint
    }
    if references.isCatalogued(path) { return Remedy.scanClones.advice }
    guard path.contains("/"), !["/", ".", "~"].contains(path.prefix(1)),
      EntityReference(path, defaultHost: BuiltInProvider.usualHost)?.repository != nil
    else { return error.hint }
    return
      "check the path; to show a repository of a forge run: forage show \(path), to clone it: forage clone \(path)"
  }

  private func write(_ clone: InspectedClone, _ report: InspectionReport) throws {
    let repository = clone.repository?.name
    switch form {
    case .rows: rows.append(CloneRow(report, lastCommitAt: clone.lastCommitAt))
    case .fields:
      let missing = report.damagedSections
      let error = missing.isEmpty ? nil : "damaged: " + missing.joined(separator: ", ")
      try output.resultRows([
        CloneRow.fields(
          report.path, report, id: clone.repository?.id, lastCommitAt: clone.lastCommitAt, error: error)
      ])
    case .json: documents.append(InspectJSON.document(report))
    case .ndjson: try output.result(verbatim: InspectJSON.document(report).text())
    case .facts:
      let facts = InspectJSON.document(report).rows()
      try output.resultRows(isList ? facts.map { [report.path] + $0 } : facts)
    case .html: pages.append(.report(report, repository: repository))
    case .pages:
      try separate()
      try InspectPage(report, repository: repository, dates: .init(output)).write(style, to: output)
    case .markdown:
      try separate()
      try InspectPage(report, repository: repository, dates: .days).writeMarkdown(to: output)
    }
  }

  private func write(_ path: String, _ error: InspectionError) throws {
    switch form {
    case .rows: rows.append(CloneRow(unreadable: path, error))
    case .fields: try output.resultRows([CloneRow.fields(path, error: error.message)])
    case .json: documents.append(InspectJSON.document(path, error))
    case .ndjson: try output.result(verbatim: InspectJSON.document(path, error).text())
    case .html: pages.append(.failure(path: path, error))
    case .markdown:
      try separate()
      try output.result(verbatim: "## " + MarkdownWriter.text(path) + "\n")
      try output.result(verbatim: "- **Error:** " + MarkdownWriter.text(error.message))
    // The message follows on standard error.
    case .pages, .facts: break
    }
  }

  /// An empty line between two pages.
  private func separate() throws {
    if written > 0 { try output.result("") }
    written += 1
  }
}
