import ArgumentParser
import Forage
import ForageInspector

/// `forage inspect`: reports facts about local clones without the network.
struct InspectCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", _superCommandName: ForageCommand.name,
    abstract: "Report facts about local clones, without the network.",
    discussion: """
      Examples:
        forage inspect
        forage inspect ~/src
        forage inspect . --only languages,lines
        forage inspect . --format html > page.html
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var reporting: ReportOptions

  @Option(
    help: ArgumentHelp("Report only these sections (repeatable, or with commas).", valueName: "section"),
    completion: Completion.list(of: InspectionSection.allCases.map(\.rawValue)))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Report these sections too.", valueName: "section"),
    completion: Completion.list(of: InspectionSection.allCases.map(\.rawValue)))
  var with: [String] = []

  @Option(
    help: ArgumentHelp("Leave out these sections.", valueName: "section"),
    completion: Completion.list(of: InspectionSection.allCases.map(\.rawValue)))
  var without: [String] = []

  @Flag(help: "List the sections without inspecting anything.")
  var listSections = false

  @Flag(help: .noCache)
  var noCache = false

  @Argument(
    help: "Paths, names, or numbers of the last list. (default .)", completion: .directory)
  var paths: [String] = []

  static let fields = DocumentFields([
    "schema", "path", "gitDir", "bare", "worktree", "shallow", "empty", "operation", "head", "upstream",
    "branches", "defaultBranch", "tags", "remotes", "status", "stashes", "commits", "authorCount",
    "busFactor", "authors", "activity", "churn", "effort", "languages", "lines", "skipped", "files",
    "licenses", "size", "version", "largestFiles", "largestBlobs", "dependencies", "submodules", "worktrees",
    "lfs", "hooks",
    "alternates", "signedShare", "lastFetchAt", "commitGraph", "partial", "sparse", "notes", "error",
  ])

  /// Members that do not belong to one section.
  private static let general: Set<String> = ["operation", "skipped", "notes", "error"]

  /// `--json` computes only the sections that its fields name, unless the sections are chosen.
  mutating func validate() throws {
    guard let names = reporting.fieldNames, only.isEmpty, with.isEmpty, without.isEmpty else { return }
    let sections = names.filter { InspectionSection(rawValue: $0) != nil }
    if names.contains(where: Self.general.contains) {
      with = sections
    } else {
      only = sections.isEmpty ? [InspectionSection.head.rawValue] : sections
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let format = try InspectFormat.named(reporting.format)
    let output = format == .auto ? context.output.forPage : context.output
    let choice = SectionChoice(only: only, with: with, without: without)
    var sections = try choice.sections()
    if listSections {
      try SectionList.write(format, to: context.output)
      return .success
    }
    let references = ReferenceReader(context.services, lastList: context.lastList)
    let named = try await references.paths(paths)
    let targets = try await InspectTargets.find(named.isEmpty ? ["."] : named, output)
    // Sections that were asked for by name have no room in a row.
    let form = InspectWriter.Form(
      format, isList: targets.isList && !choice.isExplicit, isTerminal: output.isTerminal)
    if form == .rows { sections.formIntersection(InspectedClone.rowSections) }
    if form == .fields { sections.formIntersection(InspectedClone.fieldSections) }
    let writer = InspectWriter(
      format: form, isList: targets.isList, sections: sections, output: output,
      environment: context.services.environment, home: context.services.directories.home,
      references: references)
    try await InspectedClone.all(
      targets.paths, sections,
      memory: noCache ? nil : InspectionCache.memory(context.services.directories.cacheFolder),
      findsLastCommit: form == .rows || form == .fields, findsIdentity: form.showsIdentity, output: output
    ) { try writer.add($0) }
    try writer.end()
    for (path, root) in writer.inner where !named.isEmpty {
      output.message("\(path) is in the repository \(root), which is reported as a whole")
    }
    return writer.status
  }
}
