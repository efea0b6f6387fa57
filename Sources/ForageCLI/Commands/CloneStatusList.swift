import Forage
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageStore

/// Inspects the clones of the catalogue and writes those that meet the conditions of `clones list`.
struct CloneStatusList {
  let format: OutputFormat
  /// `nil` to list every clone.
  let filter: CloneFilter?
  /// The conditions as options, as given.
  let conditions: [String]
  /// Whether a table shows numbers.
  let isNumbered: Bool
  let context: Context

  /// Writes the clones, in formats of lines each as soon as those before it are done.
  ///
  /// Clones that cannot be read are reported below the list; under conditions they are not part of it.
  func write(_ clones: [CloneRecord]) async throws -> ExitStatus {
    let output = context.output
    var rows: [CloneRow] = []
    var documents: [JSONValue] = []
    var problems: [(path: String, error: GitError)] = []
    var listed: [CloneRecord] = []
    var index = 0
    try await InspectedClone.all(
      clones.map(\.path), CloneState.sections,
      memory: InspectionCache.memory(context.services.directories.cacheFolder),
      findsLastCommit: true, findsUnsavedWork: filter?.isSafeToDelete ?? false, output: output
    ) { inspected in
      let state = CloneState(clones[index], inspected, filter)
      index += 1
      if let error = state.error {
        if error.code == .cancelled { throw CancellationError() }
        problems.append((state.clone.path, error))
      }
      guard state.isListed else { return }
      let (clone, report) = (state.clone, state.report)
      listed.append(clone)
      switch format {
      case .json: documents.append(state.document)
      case .ndjson: try output.result(state.document.text())
      case .tsv: try output.resultRows([clone.fields + CloneRow.statusFields(report)])
      case .table, .auto, .markdown: rows.append(clone.row(report))
      }
    }
    if format == .json { try output.result(.list(documents, named: "clones")) }
    if !rows.isEmpty {
      let table = table(rows)
      try output.result(isNumbered ? table.numbered() : table, format: format)
    }
    ListMemory(context).keep(listed.map(\.result), next: nil)
    // Without conditions, formats for programs have the error in its clone's place.
    if filter != nil || !rows.isEmpty {
      for (path, error) in problems {
        let (message, hint) = (PathText.message(path, error.message), Self.hint(path, error))
        // Nobody named the clone, so that under conditions it does not decide the exit status.
        if filter == nil { output.problem(message, hint: hint) } else { output.warning(message, hint: hint) }
      }
    }
    if listed.isEmpty, filter != nil {
      output.problem(
        "none of \(HumanFormat.plural(clones.count, "clone")) meets \(conditions.joined(separator: " "))",
        hint: "list all with: forage clones list --status")
    }
    if filter != nil { return listed.isEmpty ? .nothingFound : .success }
    if problems.count == clones.count { return .noAnswer }
    return problems.isEmpty ? .success : .partial
  }

  /// What to do about a clone of the catalogue that cannot be read.
  private static func hint(_ path: String, _ error: GitError) -> String {
    error.isDamage || [.notARepository, .notFound].contains(error.code)
      ? Remedy.unreadableClone(at: path).advice : error.hint
  }

  private func table(_ rows: [CloneRow]) -> Table {
    let output = context.output
    let isTable = format == .table
    return CloneRow.table(
      rows, width: isTable ? output.columns : .max, home: isTable ? context.services.directories.home : nil,
      now: isTable && output.isTerminal ? output.now : nil,
      isUnicode: PageStyle(output, context.services.environment).isUnicode)
  }
}

extension CloneRecord {
  /// The clone as a row with what was found in it.
  fileprivate func row(_ report: InspectionReport?) -> CloneRow {
    guard let report else {
      var row = CloneRow(unreadable: path)
      row.branch = branch
      (row.lastCommitAt, row.sizeBytes) = (lastCommitAt, sizeBytes)
      return row
    }
    var row = CloneRow(report, lastCommitAt: lastCommitAt)
    row.path = path
    row.sizeBytes = sizeBytes
    return row
  }
}
