import Forage
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageStore

/// Inspects the clones of the catalogue and writes those that meet the conditions of `clones list`.
struct CloneStatusList {
  /// What is looked at in each clone; everything else is in the catalogue.
  private static let sections: Set<InspectionSection> = [.head, .upstream, .status, .stashes]

  let format: OutputFormat
  /// `nil` to list every clone.
  let filter: CloneFilter?
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
      clones.map(\.path), Self.sections,
      memory: InspectionCache.memory(context.services.directories.cacheFolder),
      findsLastCommit: true, findsUnsavedWork: filter?.conditions.safeToDelete ?? false, output: output
    ) { inspected in
      var clone = clones[index]
      index += 1
      do throws(GitError) {
        if let filter, try !filter.matches(inspected) { return }
        try Self.check(try inspected.outcome.get())
      } catch {
        if error.code == .cancelled { throw CancellationError() }
        problems.append((clone.path, error))
        if filter != nil { return }
        clone.error = error.message
      }
      clone.lastCommitAt = inspected.lastCommitAt ?? clone.lastCommitAt
      listed.append(clone)
      let report = inspected.report
      switch format {
      case .json: documents.append(clone.json(report))
      case .ndjson: try output.result(clone.json(report).text())
      case .tsv: try output.resultRows([clone.fields + Self.fields(report)])
      case .table, .auto, .markdown: rows.append(clone.row(report))
      }
    }
    if format == .json { try output.result(ClonesCommand.List.document(documents)) }
    if !rows.isEmpty {
      let table = table(rows)
      try output.result(isNumbered ? table.numbered() : table, format: format)
    }
    ListMemory(context).keep(listed.map(\.result), next: nil)
    // Without conditions, formats for programs have the error in its clone's place.
    if filter != nil || !rows.isEmpty {
      for (path, error) in problems {
        let (message, hint) = (PathText.message(path, error.message), Self.hint(error))
        // Nobody named the clone, so that under conditions it does not decide the exit status.
        if filter == nil { output.problem(message, hint: hint) } else { output.warning(message, hint: hint) }
      }
    }
    if listed.isEmpty, let filter {
      output.problem(
        "none of \(HumanFormat.plural(clones.count, "clone")) meets \(filter.conditions.names.joined(separator: " "))",
        hint: "list all with: forage clones list --status")
    }
    if filter != nil { return listed.isEmpty ? .nothingFound : .success }
    if problems.count == clones.count { return .noAnswer }
    return problems.isEmpty ? .success : .partial
  }

  /// What to do about a clone of the catalogue that cannot be read.
  private static func hint(_ error: GitError) -> String {
    [.notARepository, .notFound].contains(error.code)
      ? "remove or repair that folder, then run: forage clones scan" : error.hint
  }

  /// - Throws: `GitError` for a damaged clone, of which there is no more than a part.
  private static func check(_ report: InspectionReport) throws(GitError) {
    guard report.head == nil, let missing = report.damagedSections.first else { return }
    let note = report.notes.first { $0.section == missing }?.message ?? "its \(missing) cannot be read"
    throw GitError(.corrupt, note, hint: "run git fsck in it, or clone it again")
  }

  private func table(_ rows: [CloneRow]) -> Table {
    let output = context.output
    let isTable = format == .table
    return CloneRow.table(
      rows, width: isTable ? output.columns : .max, home: isTable ? context.services.directories.home : nil,
      now: isTable && output.isTerminal ? output.now : nil,
      isUnicode: PageStyle(output, context.services.environment).isUnicode)
  }

  /// The fields after those of `clones list` in a row for programs: the upstream, commits ahead and behind, paths that are staged, unstaged,
  /// untracked, conflicted, and stashes.
  private static func fields(_ report: InspectionReport?) -> [String] {
    let (upstream, status) = (report?.upstream, report?.status)
    let numbers = [
      upstream?.ahead, upstream?.behind, status?.staged, status?.unstaged, status?.untracked,
      status?.conflicted, report?.stashes,
    ]
    return [upstream?.name ?? ""] + numbers.map { $0.map(String.init) ?? "" }
  }
}

extension CloneRecord {
  /// The members of the clone with its state.
  fileprivate func json(_ report: InspectionReport?) -> JSONValue {
    .members(
      members + [
        ("upstream", report?.upstream.map(InspectJSON.upstream)),
        ("status", report?.status.map(InspectJSON.status)),
        ("stashes", report?.stashes.map(JSONValue.int)),
      ])
  }

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
