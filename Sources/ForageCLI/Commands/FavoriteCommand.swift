import ArgumentParser
import Forage
import ForageCore
import ForageStore

/// `forage favorite`: manages the favorites on this machine.
struct FavoriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite",
    abstract: "Manage favorites on this machine, without an account.",
    subcommands: [Add.self, Remove.self, List.self], defaultSubcommand: List.self)
}

extension FavoriteCommand {
  /// `forage favorite add`.
  struct Add: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add repositories, issues, accounts and others to favorites.",
      discussion: ReferenceReader.help)

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("Names, URLs, paths, or numbers of the last list.", valueName: "ref"),
      completion: Completion.reference)
    var references: [String]

    func run(in context: Context) async throws -> ExitStatus {
      let references = try await context.references().references(references)
      let favorites = Favorites(context.services)
      for reference in references {
        let isNew = try favorites.add(reference)
        let state = "is \(isNew ? "now" : "already") a favorite"
        context.output.message(
          reference.isLocal
            ? "\(reference.id) has no remote on a forge; the folder itself \(state)"
            : "\(reference.id) \(state)")
      }
      return .success
    }
  }

  /// `forage favorite remove`.
  struct Remove: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove favorites.", discussion: ReferenceReader.help, aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("Names, URLs, paths, or numbers of the last list.", valueName: "ref"),
      completion: Completion.favorite)
    var references: [String]

    func run(in context: Context) async throws -> ExitStatus {
      // A favorite can be removed by its id when what it names is gone, a folder for example.
      let favorites = Favorites(context.services)
      let known = try favorites.ids()
      let reader = try context.references()
      var ids: [String] = []
      for text in references {
        ids += known.contains(text) ? [text] : try await reader.references([text]).map(\.id)
      }
      var isMissing = false
      for (place, id) in ids.enumerated() where ids.firstIndex(of: id) == place {
        if try favorites.remove(id) {
          context.output.message("\(id) is no longer a favorite")
        } else {
          context.output.problem("\(id) is not a favorite", hint: "see: forage favorite list")
          isMissing = true
        }
      }
      return isMissing ? .nothingFound : .success
    }
  }
}
