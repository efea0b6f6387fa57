import Forage
import ForageCore
import ForageInspector
import ForagePlatform

/// Writes the outcomes of inspections, one after the other.
final class InspectWriter {
  /// How the clones are written.
  enum Form {
    /// A table with a row for each clone, for people.
    case comparison
    /// A row for each clone, for programs.
    case fields
    case json, ndjson
    /// A page for each clone.
    case pages, html
    /// Keys and values.
    case facts

    /// - Parameters:
    ///   - isList: Whether there are several clones.
    ///   - asked: The sections that are asked for by name.
    init(_ format: InspectFormat, isList: Bool, asked: Set<InspectionSection>, isTerminal: Bool) {
      // A section without a column is shown on pages.
      let isCompared = isList && asked.isSubset(of: CloneRow.columnSections)
      switch format {
      case .auto where !isTerminal: self = isList && asked.isEmpty ? .fields : .pages
      case .auto, .table, .markdown: self = isCompared ? .comparison : .pages
      case .tsv: self = isList && asked.isEmpty ? .fields : .facts
      case .html: self = .html
      case .json: self = .json
      case .ndjson: self = .ndjson
      }
    }

    /// The sections that it has unless others are asked for.
    var usualSections: Set<InspectionSection> {
      switch self {
      case .comparison: CloneRow.comparedSections
      case .fields: InspectedClone.fieldSections
      case .pages, .html: .ofPages
      case .json, .ndjson, .facts: InspectionSection.standard
      }
    }

    /// Whether it shows the repository on the forge.
    var showsIdentity: Bool { self != .json && self != .ndjson && self != .facts }
  }

  private let form: Form
  private let format: OutputFormat
  private let sections: Set<InspectionSection>
  private let isList: Bool
  private let context: Context
  private let references: ReferenceReader
  private lazy var list = ListWriter<InspectedClone>(
    output, format, document: Self.document, rows: { [CloneRow.fields($0)] })
  private var pages: [HTMLPage.Part] = []
  private var problems: [(message: String, hint: String)] = []
  private var failures: [ForageError.Code] = []
  /// The paths below the root of a reported repository, each with the root.
  private(set) var inner: [(path: String, root: String)] = []
  private var reports = 0
  private var damaged = 0
  private var written = 0

  /// - Parameters:
  ///   - sections: The sections of the reports.
  ///   - isList: Whether the clones are a list, in which failures have a place.
  ///   - references: Knows what was probably meant by a path that is not there.
  init(
    _ form: Form, _ format: InspectFormat, _ sections: Set<InspectionSection>, isList: Bool,
    _ context: Context, _ references: ReferenceReader
  ) {
    (self.form, self.sections, self.isList) = (form, sections, isList)
    (self.context, self.references) = (context, references)
    self.format =
      switch form {
      case .comparison, .pages, .html: format == .markdown ? .markdown : .table
      case .fields, .facts: .tsv
      case .json: .json
      case .ndjson: .ndjson
      }
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
      if isList { try write(clone) }
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
      try write(clone)
    }
  }

  /// Writes what needs all clones.
  func end() throws {
    if form == .html, !pages.isEmpty {
      try output.result(verbatim: HTMLPage(parts: pages, sections: sections, now: output.now).text)
    } else if written > 0 {
      try list.end(
        isList ? .array : .none,
        people: { if form == .comparison { try output.result(comparison($0), format: format) } })
    }
  }

  /// Writes what is wrong with clones on standard error.
  func writeProblems() {
    for (message, hint) in problems {
      if reports > 0 { output.warning(message, hint: hint) } else { output.problem(message, hint: hint) }
    }
  }

  /// The table of several clones; those of one repository are named by their paths.
  private func comparison(_ clones: [InspectedClone]) -> Table {
    let counts = Dictionary(clones.map { ($0.repository?.name, 1) }, uniquingKeysWith: +)
    let rows = clones.map { clone in
      let name = counts[clone.repository?.name] == 1 ? clone.repository?.name : nil
      return CloneRow(clone, name: name)
    }
    return CloneRow.table(rows, CloneRow.comparison(sections), CloneRow.Form(context, format))
  }

  /// What to do about a path that cannot be inspected.
  private func hint(for path: String, _ error: InspectionError) -> String {
    guard [.notFound, .notARepository].contains(error.code), !ReferencePath.exists(path) else {
      return error.hint
    }
    if references.isCatalogued(path) { return Remedy.scanClones.advice }
    guard path.contains("/"), !["/", ".", "~"].contains(path.prefix(1)),
      EntityReference(path, defaultHost: context.forage.bareHost)?.repository != nil
    else { return error.hint }
    return
      "check the path; to show a repository of a forge run: forage show \(path.shellQuoted), to clone it: forage clone \(path.shellQuoted)"
  }

  private func write(_ clone: InspectedClone) throws {
    switch form {
    case .comparison, .fields, .json, .ndjson: try list.add(clone)
    case .html: pages.append(HTMLPage.Part(clone))
    case .facts:
      guard let report = clone.report else { return }
      let facts = InspectJSON.document(report).rows()
      try output.resultRows(isList ? facts.map { [report.path] + $0 } : facts)
    case .pages:
      guard let sheet = sheet(of: clone) else { return }
      if written > 0 { try output.result("") }
      try sheet.write(to: output, as: format, PageStyle(output, context.forage.environment))
    }
    written += 1
  }

  private static func document(_ clone: InspectedClone) -> JSONTree {
    switch clone.outcome {
    case .success(let report): InspectJSON.document(report)
    case .failure(let error): InspectJSON.document(clone.path, error)
    }
  }

  /// The page of a clone; on a terminal the message about one that cannot be inspected is enough.
  private func sheet(of clone: InspectedClone) -> FactSheet? {
    let isMarkdown = format == .markdown
    switch clone.outcome {
    case .success(let report):
      var sheet = FactSheet(
        report, repository: clone.repository?.name, dates: isMarkdown ? .days : .init(output))
      if sheet.groups.isEmpty {
        for section in sections.map(\.rawValue).sorted() { sheet.add(section, "none") }
      }
      return sheet
    case .failure(let error):
      guard isMarkdown else { return nil }
      var sheet = FactSheet(title: clone.path)
      sheet.add("Error", error.message)
      return sheet
    }
  }
}
