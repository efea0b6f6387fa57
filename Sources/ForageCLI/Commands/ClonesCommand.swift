import ArgumentParser
import Forage
import ForageCore

/// `forage clones`: manages the catalogue of clones.
struct ClonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clones", abstract: "Manage the folders searched for clones, and list clones.",
    subcommands: [Add.self, Remove.self, Scan.self, Index.self, List.self], defaultSubcommand: List.self)
}

extension Context {
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

    @OptionGroup var common: CommonOptions
    @Flag(help: "Leave the code index as it is.")
    var noIndex = false
    @Argument(help: ArgumentHelp("Folders.", valueName: "dir"), completion: .directory)
    var folders: [String]

    func run(in context: Context) async throws -> ExitStatus {
      let paths = try await ClonePreparation(context.forage).add(folders)
      if !noIndex {
        try await CatalogueIndexer(context.forage).update(below: paths, notice: context.indexNotice)
      }
      return .success
    }
  }

  struct Remove: Command {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a folder and its clones from the catalogue only.", aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("A folder.", valueName: "dir"), completion: Completion.cloneFolder)
    var folder: String

    func run(in context: Context) async throws -> ExitStatus {
      let preparation = ClonePreparation(context.forage)
      let (path, known) = (ClonePreparation.absolute(folder), try preparation.folders())
      guard known.contains(path) else {
        throw ForageError(
          "\(path) is not among the folders",
          hint: known.isEmpty
            ? "there are none; add one with: forage clones add DIR"
            : "the folders are: \(known.joined(separator: ", "))")
      }
      try await preparation.remove(path)
      return .success
    }
  }

  struct Scan: Command {
    static let configuration = CommandConfiguration(
      commandName: "scan",
      abstract: "Find new, changed and removed clones, and index their code.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Leave the code index as it is.")
    var noIndex = false

    func run(in context: Context) async throws -> ExitStatus {
      let hasFolders = try await ClonePreparation(context.forage).scanAll { path in
        context.output.problem(
          "\(path) does not exist; its clones stay in the catalogue",
          hint: "to remove them, run: forage clones remove \(path)")
      }
      guard hasFolders else {
        throw ForageError(
          "there are no folders to scan", hint: "add one with: forage clones add DIR", code: .nothingFound)
      }
      if !noIndex { try await CatalogueIndexer(context.forage).update(notice: context.indexNotice) }
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
      let indexer = CatalogueIndexer(context.forage)
      guard let folder else {
        guard try ClonePreparation(context.forage).hasClones() else {
          throw ForageError(
            "there are no clones to index", hint: "add a folder with: forage clones add DIR",
            code: .nothingFound)
        }
        return try await indexer.update(reports: true) ? .success : .partial
      }
      let path = try ClonePreparation.folder(folder)
      return try await indexer.update(below: [path], reports: true) ? .success : .partial
    }
  }
}
