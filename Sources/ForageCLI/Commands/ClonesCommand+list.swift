import ArgumentParser
import ForageCore
import ForageGit
import ForageInspector
import ForageStore

extension ClonesCommand {
  /// `forage clones list`.
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the clones in the catalogue.",
      discussion: """
        Conditions inspect each clone and combine by AND. Untracked files count as changes; commits of the upstream are those of the last fetch. \
        --safe-to-delete lists clones that are clean, have no stash, and whose branches and HEAD are on a remote.

        Examples:
          forage clones list --status
          forage clones list --dirty --stale 90d
          forage clones list --safe-to-delete --format tsv | cut -f1
        """, aliases: ["ls"])

    @OptionGroup var reporting: ReportOptions

    @Flag(help: "Show upstream, uncommitted changes and stashes of each clone.")
    var status = false

    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let filter = try conditions.filter(now: context.output.now)
      try await ClonePreparation(context).scanWhatIsNew()
      let clones = try context.store.existing()?.clones() ?? []
      if status || filter != nil, !clones.isEmpty {
        return try await CloneStatusList(format: format, filter: filter, context: context).write(clones)
      }
      try Self.write(clones, format, context)
      guard clones.isEmpty else { return .success }
      context.output.problem("no clones are known", hint: "add a folder with: forage clones add DIR")
      return .nothingFound
    }

    private static func write(_ clones: [CloneRecord], _ format: OutputFormat, _ context: Context) throws {
      let output = context.output
      switch format {
      case .json: try output.result(document(clones.map { .members($0.members) }))
      case .ndjson: for clone in clones { try output.result(JSONValue.members(clone.members).text()) }
      case .table, .auto, .markdown:
        guard !clones.isEmpty else { return }
        let home = format == .table ? context.directories.home : nil
        try output.result(table(clones, PathText(home: home), output), format: format)
        for clone in clones {
          guard let error = clone.error else { continue }
          output.problem(
            PathText.message(clone.path, error), hint: "see what git says: git -C \(clone.path) status")
        }
      case .tsv: try output.resultRows(clones.map(\.fields))
      }
    }

    /// A document of clones.
    static func document(_ clones: [JSONValue]) -> JSONValue {
      .object([("schema", .int(1)), ("clones", .array(clones))])
    }

    private static func table(_ clones: [CloneRecord], _ paths: PathText, _ output: Output) -> Table {
      Table(
        columns: [
          .init(
            title: "FOLDER", style: .title, isFlexible: true, maximum: CloneRow.folderWidth(output.columns),
            keepsEnd: true),
          .init(title: "REPOSITORY", style: nil, dropOrder: 2, maximum: 48),
          .init(title: "BRANCH", style: .source, dropOrder: 3, maximum: 20),
          .init(title: "LAST COMMIT", style: .dim, alignsRight: true, dropOrder: 1),
          .init(title: "LANGUAGE", style: .language, dropOrder: 4, maximum: 16),
          .init(title: "SIZE", style: nil, alignsRight: true, dropOrder: 5),
        ],
        rows: clones.map { clone in
          [
            paths.text(clone.path), clone.fullName ?? "", clone.branch ?? "",
            clone.lastCommitAt.map { HumanFormat.age($0, now: output.now) } ?? "", clone.language ?? "",
            clone.sizeBytes.map(HumanFormat.bytes) ?? "",
          ].map { SafeText.line($0) }
        })
    }
  }
}

extension CloneRecord {
  /// The clone as it stands in the list.
  var members: [(String, JSONValue?)] {
    [
      ("path", .string(path)), ("id", entityID.map(JSONValue.string)),
      ("url", remoteURL.map(JSONValue.string)),
      ("branch", branch.map(JSONValue.string)), ("commit", commit.map(JSONValue.string)),
      ("lastCommitAt", lastCommitAt.map(JSONValue.date)), ("language", language.map(JSONValue.string)),
      ("sizeBytes", sizeBytes.map(JSONValue.int)), ("error", error.map(JSONValue.string)),
    ]
  }

  /// Host, owner and name as the address of the remote spells them.
  fileprivate var fullName: String? {
    guard let host, let owner else { return entityID }
    return "\(host)/\(owner)/\(name)"
  }

  /// The fields of a row for programs.
  var fields: [String] {
    [
      path, entityID ?? "", branch ?? "", lastCommitAt.map(HumanFormat.timestamp) ?? "", language ?? "",
      sizeBytes.map(String.init) ?? "", error ?? "",
    ]
  }
}
