import ArgumentParser
import Forage
import ForageCore
import ForageGit
import ForageGitHub
import ForageInspector
import ForageLocal
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

    @OptionGroup var common: CommonOptions
    @OptionGroup var reporting: ReportOptions

    @Flag(help: "Show upstream, uncommitted changes and stashes of each clone.")
    var status = false

    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions

    @Flag(help: "Number the clones (for example for: forage show 3).")
    var number = false

    static let fields = DocumentFields(
      [
        "path", "id", "url", "branch", "commit", "lastCommitAt", "language", "sizeBytes", "error", "upstream",
        "status", "stashes",
      ], list: "clones")

    /// `--json` with a field of `--status` needs the status.
    mutating func validate() throws {
      let inspected: Set<String> = ["upstream", "status", "stashes"]
      if reporting.fieldNames?.contains(where: inspected.contains) == true { status = true }
    }

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let filter = try conditions.filter(now: context.output.now)
      try await ClonePreparation(context.services).scanWhatIsNew()
      let clones = try context.services.store.existing()?.clones() ?? []
      let isNumbered = try context.output.isTerminal && (number || context.services.settings().showsNumbers)
      if status || filter != nil, !clones.isEmpty {
        let list = CloneStatusList(
          format: format, filter: filter, conditions: conditions.names, isNumbered: isNumbered,
          context: context)
        return try await list.write(clones)
      }
      try Self.write(clones, format, isNumbered, context)
      ListMemory(context).keep(clones.map(\.result), next: nil)
      guard clones.isEmpty else { return .success }
      context.output.problem("no clones are known", hint: "add a folder with: forage clones add DIR")
      return .nothingFound
    }

    private static func write(
      _ clones: [CloneRecord], _ format: OutputFormat, _ isNumbered: Bool, _ context: Context
    ) throws {
      let output = context.output
      func document(_ clone: CloneRecord) -> JSONValue { .members(clone.members) }
      try output.list(clones, named: "clones", as: format, document: document, fields: \.fields) {
        guard !clones.isEmpty else { return }
        let home = format == .table ? context.services.directories.home : nil
        var table = table(clones, PathText(home: home), format == .table ? .init(output) : .days, output)
        if format == .table { table = table.shorteningFolders(to: output.columns, leavesOutCommon: false) }
        try output.result(isNumbered ? table.numbered() : table, format: format)
        for clone in clones {
          guard let error = clone.error else { continue }
          output.problem(
            PathText.message(clone.path, error), hint: Remedy.unreadableClone(at: clone.path).advice)
        }
      }
    }

    private static func table(
      _ clones: [CloneRecord], _ paths: PathText, _ dates: InspectPage.Dates, _ output: Output
    )
      -> Table
    {
      // Where every host is the one that plain names mean, it says nothing.
      let host = GitHubHost.dotCom + "/"
      let isPlain = clones.allSatisfy { $0.entityName?.hasPrefix(host) ?? true }
      return Table(
        columns: [
          .init(
            title: "FOLDER", style: .title, maximum: FolderColumn.width(output.columns), keepsEnd: true,
            isName: true),
          .init(title: "REPOSITORY", style: nil, dropOrder: 2, isFlexible: true, maximum: 48),
          .init(title: "BRANCH", style: .source, dropOrder: 3, maximum: 20),
          .init(title: "LAST COMMIT", style: .dim, alignsRight: true, dropOrder: 1),
          .init(title: "LANGUAGE", style: .language, dropOrder: 4, maximum: 16),
          .init(title: "HEAD SIZE", style: nil, alignsRight: true, dropOrder: 5),
        ],
        rows: clones.map { clone in
          [
            paths.text(clone.path), String((clone.entityName ?? "").dropFirst(isPlain ? host.count : 0)),
            clone.branch ?? "",
            clone.lastCommitAt.map(dates.text) ?? "", clone.language ?? "",
            clone.sizeBytes.map(HumanFormat.bytes) ?? "",
          ].map { SafeText.line($0) }
        })
    }
  }
}

extension CloneRecord {
  /// The fields of a row for programs.
  var fields: [String] {
    [
      path, entityID ?? "", branch ?? "", lastCommitAt.map(HumanFormat.timestamp) ?? "", language ?? "",
      sizeBytes.map(String.init) ?? "", error ?? "",
    ]
  }
}
