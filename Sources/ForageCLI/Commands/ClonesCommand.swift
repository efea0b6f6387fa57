import ArgumentParser
import Forage
import ForageCore
import ForageGit
import ForageStore

/// `forage clones`: manages the catalogue of clones.
struct ClonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clones", abstract: "Manage the folders searched for clones, and list clones.",
    subcommands: [Add.self, Remove.self, Scan.self, Index.self, List.self], defaultSubcommand: List.self)

  /// An absolute path without links; the folder need not exist any more.
  static func absolute(_ path: String) -> String {
    if let real = FileAccess.realPath(path) { return real }
    var base = FileAccess.join(FileAccess.realPath(".") ?? "/", path)
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    return base
  }
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
      let preparation = ClonePreparation(context.services)
      let (store, paths) = try preparation.store(adding: folders)
      for path in paths {
        let folder = CloneFolder(path: path, isFound: false)
        preparation.report(try await preparation.scan(folder, store), folder)
      }
      if !noIndex {
        try await CodeIndexing(context.services).update(store, below: paths, notice: context.indexNotice)
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
      let path = ClonesCommand.absolute(folder)
      let known = try context.services.store.existing()?.cloneFolders() ?? []
      guard known.contains(where: { $0.path == path }) else {
        let list = known.map(\.path).joined(separator: ", ")
        throw ForageError(
          "\(path) is not among the folders",
          hint: list.isEmpty
            ? "there are none; add one with: forage clones add DIR" : "the folders are: \(list)")
      }
      let (store, forgotten) = try await context.services.waiting(for: StoreAccess.name) {
        let store = try context.services.store.writable()
        return (store, try store.removeCloneFolder(path) ?? 0)
      }
      context.output.message(
        "\(path) is no longer searched; \(HumanFormat.plural(forgotten, "clone")) forgotten, nothing deleted")
      // A clone that another folder covers too is found again there.
      let preparation = ClonePreparation(context.services)
      for other in known
      where other.path != path && (Self.holds(other.path, path) || Self.holds(path, other.path)) {
        _ = try await preparation.scan(other, store)
      }
      return .success
    }

    private static func holds(_ outer: String, _ inner: String) -> Bool {
      inner.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
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
      let preparation = ClonePreparation(context.services)
      let store = try preparation.store().store
      let folders = try store.cloneFolders()
      guard !folders.isEmpty else {
        throw ForageError(
          "there are no folders to scan", hint: "add one with: forage clones add DIR", code: .nothingFound)
      }
      for folder in folders {
        if !FileAccess.isDirectory(folder.path) {
          context.output.problem(
            "\(folder.path) does not exist; its clones stay in the catalogue",
            hint: "to remove them, run: forage clones remove \(folder.path)")
          continue
        }
        preparation.report(try await preparation.scan(folder, store), folder)
      }
      if !noIndex { try await CodeIndexing(context.services).update(store, notice: context.indexNotice) }
      return .success
    }
  }

  struct Index: Command {
    static let configuration = CommandConfiguration(
      commandName: "index",
      abstract: "Index the code of clones, for searches with --kind code.",
      discussion:
        "Without a folder, all clones of the list are indexed, and others are removed from the index.")

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("A clone, or a folder of clones.", valueName: "dir"), completion: .directory)
    var folder: String?

    func run(in context: Context) async throws -> ExitStatus {
      let indexing = CodeIndexing(context.services)
      guard let folder else {
        guard let store = try context.services.store.existing(), try store.hasClones() else {
          throw ForageError(
            "there are no clones to index", hint: "add a folder with: forage clones add DIR",
            code: .nothingFound)
        }
        return try await indexing.update(store, reports: true) ? .success : .partial
      }
      guard let path = FileAccess.realPath(folder), FileAccess.isDirectory(path) else {
        throw ForageError("\(folder) is not a folder", hint: "check the path")
      }
      return try await indexing.update(try context.services.store.existing(), below: [path], reports: true)
        ? .success : .partial
    }
  }
}
