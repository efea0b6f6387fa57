import ArgumentParser
import Forage
import ForageCore
import ForageInspector

/// `forage inspect`: reports facts about local clones without the network.
struct InspectCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", _superCommandName: ForageCommand.name,
    abstract: "Report facts about local clones, without the network.",
    discussion: """
      Several clones are compared in a table: commits, authors, highest release, lines of code, licenses, main language, size of the \
      files. --only, --with and --without choose its columns; sections without a column are printed on a page for each clone. \
      A page has no hooks, alternates, signedShare and commitGraph unless they are named. \
      --format html prints one page for a browser, with charts.

      Examples:
        forage inspect
        forage inspect ~/src
        forage inspect ~/src/nio ~/src/vapor --only commits,lines
        forage inspect . --only languages,lines
        forage inspect . --format html > page.html
      """)

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

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  static let fields = DocumentFields([
    "schema", "path", "gitDir", "bare", "worktree", "shallow", "empty", "operation", "head", "upstream",
    "branches", "defaultBranch", "tags", "remotes", "status", "stashes", "commits", "authorCount",
    "busFactor", "authors", "activity", "churn", "languages", "lines", "skipped", "files",
    "license", "licenses", "size", "version", "largestFiles", "largestBlobs", "dependencies", "submodules",
    "worktrees",
    "lfs", "hooks",
    "alternates", "signedShare", "lastFetchAt", "commitGraph", "partial", "sparse", "notes", "error",
  ])

  /// Members that do not belong to one section.
  private static let general: Set<String> = ["operation", "skipped", "notes", "error"]

  /// `--json` computes only the sections that its fields name, unless the sections are chosen.
  mutating func validate() throws {
    guard let names = reporting.fieldNames, only.isEmpty, with.isEmpty, without.isEmpty else { return }
    let sections = names.map { $0 == "license" ? InspectionSection.licenses.rawValue : $0 }.filter {
      InspectionSection(rawValue: $0) != nil
    }
    if names.contains(where: Self.general.contains) {
      with = sections
    } else {
      only = sections.isEmpty ? [InspectionSection.head.rawValue] : sections
    }
  }

  /// A path needs no catalogue.
  var readsCatalogue: Bool { paths.contains { ReferencePath.written($0, home: nil) == nil } }

  func run(in context: Context) async throws -> ExitStatus {
    let format = try InspectFormat.named(reporting.format)
    var output = format == .auto ? context.output.forPage : context.output
    let collected = context.collectedForPager
    if let collected { output.writeResult = { collected.add($0) } }
    let asked = try InspectionSection.named(only, by: "--only").union(
      try InspectionSection.named(with, by: "--with"))
    var sections = try sections()
    if listSections {
      try SectionList.write(format, to: context.output)
      return .success
    }
    let references = ReferenceReader(context.forage, lastList: context.lastList)
    let (named, missing, hasGroup) = try await references.paths(paths)
    var targets = try await InspectTargets.find(paths.isEmpty ? ["."] : named, context.forage)
    targets.isList = targets.isList || hasGroup || named.count + missing.count > 1
    let form = InspectWriter.Form(
      format, isList: targets.isList, asked: asked, isTerminal: output.isTerminal)
    sections = try self.sections(of: form.usualSections)
    let writer = InspectWriter(
      form, format, sections, isList: targets.isList, context.writing(to: output), references)
    for error in missing { writer.add(error) }
    do {
      try await InspectedClone.all(
        targets.paths, sections,
        cache: noCache ? nil : InspectionCache.stored(in: context.forage.paths.cacheFolder),
        findsLastCommit: form == .fields,
        identifiedBy: form.showsIdentity ? context.forage.remoteHosts : nil,
        reporter: context.forage.reporter
      ) { try writer.add($0) }
      try writer.end()
    } catch {
      try? await context.page(collected)
      throw error
    }
    try await context.page(collected)
    writer.writeProblems()
    for (path, root) in writer.inner where !named.isEmpty {
      output.message("\(path) is in the repository \(root), which is reported as a whole")
    }
    return writer.status
  }

  /// The sections: those of `--only`, else the usual ones; with those of `--with`, and without those of
  /// `--without`.
  ///
  /// - Throws: `ForageError` for an unknown section, and where none is left.
  func sections(of usual: Set<InspectionSection> = InspectionSection.standard) throws -> Set<
    InspectionSection
  > {
    let base = only.isEmpty ? usual : try InspectionSection.named(only, by: "--only")
    let sections = base.union(try InspectionSection.named(with, by: "--with")).subtracting(
      try InspectionSection.named(without, by: "--without"))
    guard !sections.isEmpty else {
      throw ForageError("--without leaves no section to report", hint: "leave it out, or name fewer sections")
    }
    return sections
  }
}

enum SectionList {
  /// Writes the sections: name, whether it is part of a report by default, content.
  static func write(_ format: InspectFormat, to output: Output) throws {
    let sections = InspectionSection.allCases
    @Sendable func isDefault(_ section: InspectionSection) -> Bool {
      InspectionSection.standard.contains(section)
    }
    @Sendable func json(_ section: InspectionSection) -> JSONTree {
      JSONTree(["name": section.rawValue, "default": isDefault(section), "summary": section.summary])
    }
    let table = Table(
      columns: [
        .init(title: "SECTION", style: .title), .init(title: "DEFAULT", style: nil, dropOrder: 1),
        .init(title: "CONTENT", style: nil, isFlexible: true),
      ],
      rows: sections.map { [$0.rawValue, isDefault($0) ? "yes" : "no", $0.summary] })
    guard var format = OutputFormat(rawValue: format.rawValue) else {
      throw ForageError(
        "the list of sections cannot be printed as html",
        hint: "for example: --list-sections --format markdown")
    }
    if format == .auto { format = output.isTerminal ? .table : .tsv }
    try output.list(sections, named: "sections", as: format, document: json) {
      try output.result(table, format: format)
    }
  }
}

/// The formats of `inspect`: those of other commands, and a page for the browser.
enum InspectFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown, html

  /// The format that a text names; `auto` where there is none.
  ///
  /// - Throws: `ForageError` for an unknown format.
  static func named(_ text: String?) throws -> InspectFormat {
    try text.map { try OptionValue.choice(Self.self, $0, of: "--format") } ?? .auto
  }
}
