import ArgumentParser
import ForageGit
import ForageInspector

/// `forage inspect`: facts of local clones, without the network.
struct InspectCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", _superCommandName: ForageCommand.name,
    abstract: "Tell the facts of local clones; needs no network and changes nothing in them.",
    discussion: """
      Examples:
        forage inspect
        forage inspect ~/src
        forage inspect . --only languages,lines
        forage inspect . --format html > page.html
      """)

  @OptionGroup var reporting: ReportOptions

  @Option(
    help: ArgumentHelp("Tell only these sections.", valueName: "section"),
    completion: .list(InspectionSection.allCases.map(\.rawValue)))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Tell these sections too, although they are not told by default.", valueName: "section"),
    completion: .list(InspectionSection.allCases.map(\.rawValue)))
  var with: [String] = []

  @Option(
    help: ArgumentHelp("Leave these sections out.", valueName: "section"),
    completion: .list(InspectionSection.allCases.map(\.rawValue)))
  var without: [String] = []

  @Flag(help: "List the sections, and inspect nothing.")
  var listSections = false

  @Flag(help: "Neither use nor keep facts of earlier runs.")
  var noCache = false

  @Argument(
    help:
      "Paths in clones, folders of clones, names of repositories, or numbers of the last list. (default .)")
  var paths: [String] = []

  func run(in context: Context) async throws -> ExitStatus {
    let output = context.output
    let format = try InspectFormat.chosen(reporting.format, output)
    let choice = SectionChoice(only: only, with: with, without: without)
    var sections = try choice.sections()
    if listSections {
      try SectionList.write(format, to: output)
      return .success
    }
    let named = try await ReferenceReader.paths(paths, context)
    let targets = try await InspectTargets.find(named.isEmpty ? ["."] : named, output)
    // A table has no room for what was asked for by name.
    let isTable = targets.isList && format == .table && !choice.isExplicit
    if isTable { sections.formIntersection(InspectedClone.rowSections) }
    let writer = InspectWriter(
      format: isTable ? .rows : .init(format), isList: targets.isList, sections: sections, output: output,
      environment: context.environment)
    try await InspectedClone.all(
      targets.paths, sections,
      memory: noCache ? nil : KeptInspections.memory(context.directories.cacheFolder),
      tellsLastCommit: isTable, output: output
    ) { try writer.add($0) }
    try writer.end()
    return writer.status
  }

  /// A path that names no clone is a mistake in the arguments; a clone that cannot be read is one that gives no answer.
  static func status(of error: GitError) -> ExitStatus {
    switch error.code {
    case .notFound, .notARepository: .usage
    case .cancelled: .interrupted
    default: .noAnswer
    }
  }
}
