import ArgumentParser
import Forage
import ForageCore
import ForagePlatform

/// `forage clones`: manages the catalogue of clones.
struct ClonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clones", abstract: "List clones, and manage the folders searched for them.",
    subcommands: [
      Add.self, Remove.self, Scan.self, Index.self, Ignore.self, List.self, Status.self,
      Fetch.self, Pull.self, Sync.self, Run.self,
      Delete.self,
    ],
    defaultSubcommand: List.self)
}

extension Context {
  /// Prepares the indexing of code: after a signal the program waits until it has ended its children.
  fileprivate func makeIndexer() -> CatalogueIndexer {
    process.interruption.waitsForWork()
    return CatalogueIndexer(forage)
  }

  /// How to stop the indexing that follows a scan; `nil` outside a terminal.
  fileprivate var indexNotice: String? {
    output.hasProgress
      ? "indexing the code; Ctrl-C stops it and loses nothing, --no-index leaves it out" : nil
  }
}

extension ClonesCommand {
  struct Add: Command {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add folders, scan them for clones, and index their code.")

    @Flag(help: "Leave the code index as it is.")
    var noIndex = false
    @Argument(help: ArgumentHelp("Folders.", valueName: "dir"), completion: .directory)
    var folders: [String]

    @OptionGroup var common: CommonOptions

    var readsCatalogue: Bool { false }

    func run(in context: Context) async throws -> ExitStatus {
      let paths = try await ClonePreparation(context.forage).add(folders)
      if !noIndex {
        try await context.makeIndexer().update(below: paths, notice: context.indexNotice)
      }
      return .success
    }
  }

  struct Remove: Command {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a folder or a clone from the catalogue only.",
      discussion: """
        A clone that the next scan would find again is ignored from then on (see: forage clones ignore).
        """, aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("A folder, or a clone.", valueName: "dir"), completion: Completion.removable)
    var folder: String

    var readsCatalogue: Bool { false }

    func run(in context: Context) async throws -> ExitStatus {
      let preparation = ClonePreparation(context.forage)
      for path in try preparation.paths(folder, lastList: context.lastList) {
        try await preparation.remove(path)
      }
      return .success
    }
  }

  struct Ignore: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "ignore", abstract: "Leave clones and folders out of every search and list.",
      discussion: """
        Without an argument, lists what is ignored. A folder is ignored with everything in it. In a pattern, * and ? stand for characters \
        of a name, ** for any folders; unless it begins with / or ~/, it matches the end of a path. The name of a clone is its path. \
        The clone that one stands in is searched all the same.

        Examples:
          forage clones ignore ~/src/archive
          forage clones ignore '*-mirror' '~/src/**/fixtures'
          forage clones ignore --remove ~/src/archive
        """)

    static let fields = DocumentFields(["pattern", "place"], list: "ignored")

    @Flag(help: "Ignore these no longer.")
    var remove = false
    @Argument(
      help: ArgumentHelp("Names of clones, paths and patterns.", valueName: "path|glob"),
      completion: Completion.ignorable)
    var patterns: [String] = []

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let preparation = ClonePreparation(context.forage)
      guard patterns.isEmpty else {
        if remove {
          try preparation.includeAgain(patterns: patterns, lastList: context.lastList)
        } else {
          try preparation.ignore(patterns, lastList: context.lastList)
        }
        return .success
      }
      if remove {
        throw ForageError(
          "--remove takes what is ignored no longer", hint: "see what is: forage clones ignore")
      }
      let (format, ignored) = (try reporting.format(context.output), try preparation.ignored())
      try context.output.list(ignored, named: "ignored", as: format, document: \.document) {
        let table = Table(
          columns: [
            .init(title: "PATTERN", style: .title, isName: true), .init(title: "PLACE", style: .dim),
          ],
          rows: ignored.map { [SafeText.line($0.text), SafeText.line($0.place)] })
        if !ignored.isEmpty { try context.output.result(table, format: format) }
      }
      guard ignored.isEmpty else { return .success }
      context.output.problem("nothing is ignored", hint: "ignore a folder with: forage clones ignore DIR")
      return .nothingFound
    }
  }

  struct Scan: Command {
    static let configuration = CommandConfiguration(
      commandName: "scan",
      abstract: "Find new, changed and removed clones, and index their code.",
      discussion: """
        The clones of a folder that does not exist or is empty, as of an unmounted disk, stay in the catalogue until: forage clones remove DIR
        """)

    @Flag(help: "Leave the code index as it is.")
    var noIndex = false

    @OptionGroup var common: CommonOptions

    var readsCatalogue: Bool { false }

    func run(in context: Context) async throws -> ExitStatus {
      let preparation = ClonePreparation(context.forage)
      let hasFolders = try await preparation.scanAll { preparation.reportUnavailable($0) }
      guard hasFolders else {
        throw ForageError(
          "there are no folders to scan", hint: "add one with: forage clones add DIR", code: .nothingFound)
      }
      if !noIndex { try await context.makeIndexer().update(notice: context.indexNotice) }
      return .success
    }
  }

  struct Index: Command {
    static let configuration = CommandConfiguration(
      commandName: "index",
      abstract: "Index the code of clones, for searches with --kind code.",
      discussion:
        "Without a folder, indexes every clone in the catalogue and removes all others from the index.")

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("A clone, or a folder of clones.", valueName: "dir"), completion: .directory)
    var folder: String?

    func run(in context: Context) async throws -> ExitStatus {
      let indexer = context.makeIndexer()
      guard let folder else {
        guard try ClonePreparation(context.forage).hasClones() else {
          throw ForageError(
            "there are no clones to index", hint: "add a folder with: forage clones add DIR",
            code: .nothingFound)
        }
        return try await indexer.update(reports: true) ? .success : .partial
      }
      var paths = try ClonePreparation(context.forage).paths(folder, lastList: context.lastList)
      if paths == [ClonePreparation.absolute(folder)] { paths = [try ClonePreparation.folder(folder)] }
      return try await indexer.update(below: paths, reports: true) ? .success : .partial
    }
  }
}

extension Settings.Clones.Ignored {
  fileprivate var document: JSONTree { JSONTree(["pattern": text.json, "place": place.json]) }
}
