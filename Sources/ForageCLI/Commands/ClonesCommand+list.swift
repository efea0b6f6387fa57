import ArgumentParser
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageStore

extension ClonesCommand {
  /// `forage clones list`.
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the clones that are known.")

    @OptionGroup var reporting: ReportOptions

    @Flag(help: "Look into each clone: how far it is from its upstream, what is not committed, stashes.")
    var status = false

    @Flag(help: "Show the number of each clone, for example for: forage show 3")
    var number = false

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      try await ClonePreparation(context).scanWhatIsNew()
      let clones = try context.store.existing()?.clones() ?? []
      let output = context.output
      let isNumbered = try output.isTerminal && (number || context.settings().showsNumbers)
      let ending =
        status && !clones.isEmpty ? try await writeStatus(clones, format, isNumbered, context) : .success
      if !status || clones.isEmpty { try Self.write(clones, format, isNumbered, output) }
      ListMemory(context).keep(clones.map(\.result), next: nil)
      guard clones.isEmpty else { return ending }
      output.problem("no clones are known", hint: "add a folder with: forage clones add DIR")
      return .nothingFound
    }

    private static func write(
      _ clones: [CloneRecord], _ format: OutputFormat, _ isNumbered: Bool, _ output: Output
    ) throws {
      switch format {
      case .json: try output.result(document(clones.map { .members($0.members) }))
      case .ndjson: for clone in clones { try output.result(JSONValue.members(clone.members).text()) }
      case .table, .auto, .markdown:
        if !clones.isEmpty {
          let table = table(clones, output)
          try output.result(isNumbered ? table.numbered() : table, format: format)
        }
      case .tsv: try output.resultRows(clones.map(\.fields))
      }
    }

    private static func document(_ clones: [JSONValue]) -> JSONValue {
      .object([("schema", .int(1)), ("clones", .array(clones))])
    }

    private static func table(_ clones: [CloneRecord], _ output: Output) -> Table {
      Table(
        columns: [
          .init(title: "FOLDER", style: .title, isFlexible: true),
          .init(title: "REPOSITORY", style: nil, dropOrder: 2, maximum: 48),
          .init(title: "BRANCH", style: .source, dropOrder: 3, maximum: 20),
          .init(title: "LAST COMMIT", style: .dim, alignsRight: true, dropOrder: 1),
          .init(title: "LANGUAGE", style: .language, dropOrder: 4, maximum: 16),
          .init(title: "SIZE", style: nil, alignsRight: true, dropOrder: 5),
          .init(title: "ERROR", style: .error, dropOrder: 6, maximum: 60),
        ],
        rows: clones.map { clone in
          [
            clone.path, clone.entityName ?? "", clone.branch ?? "",
            clone.lastCommitAt.map { HumanFormat.age($0, now: output.now) } ?? "", clone.language ?? "",
            clone.sizeBytes.map(HumanFormat.bytes) ?? "", clone.error ?? "",
          ].map { SafeText.line($0) }
        })
    }
  }
}

extension ClonesCommand.List {
  /// What is looked at in each clone; everything else is in the catalogue.
  private static let sections: Set<InspectionSection> = [.head, .upstream, .status, .stashes]

  /// Inspects the clones and writes them, each as soon as those before it are done.
  private func writeStatus(
    _ clones: [CloneRecord], _ format: OutputFormat, _ isNumbered: Bool, _ context: Context
  ) async throws -> ExitStatus {
    let output = context.output
    var rows: [CloneRow] = []
    var documents: [JSONValue] = []
    var index = 0
    var failed = 0
    try await InspectedClone.all(
      clones.map(\.path), Self.sections, memory: KeptInspections.memory(context.directories.cacheFolder),
      output: output
    ) { inspected in
      var clone = clones[index]
      index += 1
      if let error = inspected.failure {
        if error.code == .cancelled { throw CancellationError() }
        clone.error = error.message
        failed += 1
      }
      let report = inspected.report
      switch format {
      case .json: documents.append(clone.json(report))
      case .ndjson: try output.result(clone.json(report).text())
      case .tsv: try output.resultRows([clone.fields + Self.fields(report)])
      case .table, .auto, .markdown: rows.append(clone.row(report))
      }
    }
    if format == .json { try output.result(Self.document(documents)) }
    if !rows.isEmpty {
      let style = PageStyle(output, context.environment)
      let table = CloneRow.table(
        rows, width: format == .table ? output.columns : .max, now: output.now, isUnicode: style.isUnicode)
      try output.result(isNumbered ? table.numbered() : table, format: format)
    }
    return failed > 0 ? failed == clones.count ? .noAnswer : .partial : .success
  }

  /// What stands behind the other fields of a line with tabs: the upstream, commits ahead and behind, paths that are staged, unstaged,
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
  /// The clone as it stands in the list.
  fileprivate var members: [(String, JSONValue?)] {
    [
      ("path", .string(path)), ("id", entityID.map(JSONValue.string)),
      ("url", remoteURL.map(JSONValue.string)),
      ("branch", branch.map(JSONValue.string)), ("commit", commit.map(JSONValue.string)),
      ("lastCommitAt", lastCommitAt.map(JSONValue.date)), ("language", language.map(JSONValue.string)),
      ("sizeBytes", sizeBytes.map(JSONValue.int)), ("error", error.map(JSONValue.string)),
    ]
  }

  /// The same with what was found in it.
  fileprivate func json(_ report: InspectionReport?) -> JSONValue {
    .members(
      members + [
        ("upstream", report?.upstream.map(InspectJSON.upstream)),
        ("status", report?.status.map(InspectJSON.status)),
        ("stashes", report?.stashes.map(JSONValue.int)),
      ])
  }

  fileprivate var fields: [String] {
    [
      path, entityID ?? "", branch ?? "", lastCommitAt.map(HumanFormat.timestamp) ?? "", language ?? "",
      sizeBytes.map(String.init) ?? "", error ?? "",
    ]
  }

  /// The clone as a row with what was found in it.
  fileprivate func row(_ report: InspectionReport?) -> CloneRow {
    guard let report else {
      var row = CloneRow(path: path, error: error)
      row.branch = branch
      (row.lastCommitAt, row.sizeBytes) = (lastCommitAt, sizeBytes)
      return row
    }
    var row = CloneRow(report, lastCommitAt: lastCommitAt, error: error)
    row.path = path
    row.sizeBytes = sizeBytes
    return row
  }
}
