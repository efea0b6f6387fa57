import ArgumentParser
import ForageCore
import ForageStore

/// `forage favorite`: manages the favorites on this machine.
struct FavoriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite",
    abstract: "Manage favorites on this machine, without an account.",
    subcommands: [Add.self, Remove.self, List.self], defaultSubcommand: List.self)

  /// What the references name.
  ///
  /// - Throws: `CommandError` for one that names nothing; then nothing is changed.
  fileprivate static func entities(_ references: [String], _ context: Context) throws -> [EntityReference] {
    let settings = try context.settings()
    let registry = try context.registry(settings, named: [GitHubInstance.mainID])
    let host = registry.providers.lazy.compactMap(\.descriptor.hosts.first).first ?? "github.com"
    let hosts = context.twoLevelHosts(settings)
    return try references.map { reference in
      guard let entity = EntityReference(reference, defaultHost: host, twoLevelHosts: hosts) else {
        throw CommandError(
          "\"\(reference)\" names nothing that can be marked",
          hint: "write owner/name, host/owner/name, @login, or an address; nothing was changed")
      }
      return entity
    }
  }
}

extension FavoriteCommand {
  /// `forage favorite add`.
  struct Add: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add repositories, issues, commits or accounts to favorites.")

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("What to add, as for show.", valueName: "ref"), completion: Completion.reference)
    var references: [String]

    func run(in context: Context) async throws -> ExitStatus {
      let entities = try FavoriteCommand.entities(references, context)
      let store = try context.store.writable()
      for entity in entities {
        let isNew = try store.addFavorite(
          Favorite(
            id: entity.id, kind: entity.kind.rawValue, title: entity.title, url: entity.webAddress,
            addedAt: context.output.now))
        context.output.message("\(entity.id) is \(isNew ? "now" : "already") a favorite")
      }
      return .success
    }
  }

  /// `forage favorite remove`.
  struct Remove: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove from favorites.", aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("What to remove, as for show.", valueName: "ref"), completion: Completion.favorite)
    var references: [String]

    func run(in context: Context) async throws -> ExitStatus {
      let entities = try FavoriteCommand.entities(references, context)
      var isMissing = false
      for entity in entities {
        if try context.store.existing() != nil, try context.store.writable().removeFavorite(entity.id) {
          context.output.message("\(entity.id) is no longer a favorite")
        } else {
          context.output.problem("\(entity.id) is not a favorite", hint: "see: forage favorite list")
          isMissing = true
        }
      }
      return isMissing ? .nothingFound : .success
    }
  }

  /// `forage favorite list`.
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List favorites, the newest first.", aliases: ["ls"])

    @OptionGroup var reporting: ReportOptions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let favorites = try context.store.existing()?.favorites() ?? []
      let output = context.output
      switch format {
      case .json:
        try output.result(.object([("schema", .int(1)), ("favorites", .array(favorites.map(\.json)))]))
      case .ndjson: for favorite in favorites { try output.result(favorite.json.text()) }
      case .table, .auto, .tsv, .markdown:
        let isTable = format == .table
        let rows = favorites.map { favorite in
          [
            favorite.title,
            isTable
              ? HumanFormat.age(favorite.addedAt, now: output.now) : HumanFormat.timestamp(favorite.addedAt),
            favorite.url ?? "",
          ].map { isTable ? SafeText.line($0) : $0 }
        }
        let table = Table(
          columns: [
            .init(title: "FAVORITE", style: .title, isFlexible: true),
            .init(title: "ADDED", style: .dim, alignsRight: true),
            .init(title: "ADDRESS", style: nil, dropOrder: 1, maximum: 60),
          ], rows: rows)
        if !favorites.isEmpty { try output.result(table, format: format) }
      }
      guard favorites.isEmpty else { return .success }
      output.problem("there are no favorites", hint: "add one with: forage favorite add owner/name")
      return .nothingFound
    }
  }
}

extension Favorite {
  /// The favorite as it stands in the list.
  fileprivate var json: JSONValue {
    .members([
      ("id", .string(id)), ("kind", .string(kind)), ("title", .string(title)),
      ("url", url.map(JSONValue.string)), ("addedAt", .date(addedAt)),
    ])
  }
}
