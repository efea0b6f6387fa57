import ArgumentParser
import Forage
import ForageCore

/// `forage favorite`: manages the favorites on this machine.
struct FavoriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite",
    abstract: "Manage favorites on this machine, without an account.",
    subcommands: [Add.self, Remove.self, List.self], defaultSubcommand: List.self, aliases: ["favorites"])
}

extension FavoriteCommand {
  struct Add: Command {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add repositories, issues, accounts and others to favorites.",
      discussion: ReferenceReader.help)

    @OptionGroup var common: CommonOptions
    @Argument(help: .references, completion: Completion.reference)
    var references: [String]

    func run(in context: Context) async throws -> ExitStatus {
      let references = try await context.references().references(references)
      let favorites = Favorites(context.forage)
      var unseen: [String] = []
      for reference in references {
        let (isNew, hasFacts, name) = try favorites.add(reference)
        if isNew, !hasFacts { unseen.append(name) }
        let state = "is \(isNew ? "now" : "already") a favorite"
        try context.output.result(
          reference.isLocal
            ? "\(reference.id) has no remote on a forge; the folder itself \(state)"
            : "\(name) \(state)")
      }
      // Nothing is sent here, so that a name may be misspelled.
      if context.output.isMessageTerminal, let first = unseen.first {
        context.output.footer(
          "not checked, because no request is sent: \(unseen.joined(separator: ", ")); to check: forage show \(first)"
        )
      }
      return .success
    }
  }

  struct Remove: Command {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove favorites.", discussion: ReferenceReader.help, aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(help: .references, completion: Completion.favorite)
    var references: [String]

    func run(in context: Context) async throws -> ExitStatus {
      // A favorite can be removed by its id when what it names is gone, a folder for example.
      let favorites = Favorites(context.forage)
      let known = try favorites.ids()
      let reader = try context.references()
      var ids: [String] = []
      for text in references {
        ids += known.contains(text) ? [text] : try await reader.references([text]).map(\.id)
      }
      let names = try favorites.names(of: ids)
      var isMissing = false
      for (place, id) in ids.enumerated() where ids.firstIndex(of: id) == place {
        if try favorites.remove(id) {
          try context.output.result(
            "\(names[id] ?? context.forage.shortName(id)) is no longer a favorite")
        } else {
          context.output.problem(
            "\(context.forage.shortName(id)) is not a favorite", hint: "see: forage favorite list")
          isMissing = true
        }
      }
      return isMissing ? .nothingFound : .success
    }
  }
}

extension FavoriteCommand {
  /// `forage favorite list`: a list as `search`, `stars` and `feed` print it, without the network.
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List favorites, the newest first.",
      discussion: """
        Facts are those of the last search or page that showed a favorite; nothing is sent.

        Sort keys: added (the default), name, stars, forks, updated, pushed, created.
        """, aliases: ["ls"])

    static let fields = DocumentFields(SearchJSON.fieldNames + ["addedAt"], list: "favorites").withOwnFields

    /// The fields that `--sort` reads.
    static let sorts: [String: ResultField] = [
      "added": .addedAt, "name": .name, "stars": .stars, "forks": .forks, "updated": .updatedAt,
      "pushed": .pushedAt, "created": .createdAt,
    ]

    /// How long the store is waited for.
    private static let storeTime: Duration = .seconds(5)

    @Option(
      name: .letter("L"),
      help: ArgumentHelp(
        "Print at most n favorites, 1 to \(SearchOptions.maximumLimit). (default all)", valueName: "n"))
    var limit: String?

    @Option(
      help: ArgumentHelp("Sort by a key such as stars or name. (default added)", valueName: "key"),
      completion: .list(FavoriteCommand.List.sorts.keys.sorted()))
    var sort: String?

    @Option(help: .order, completion: .list(["asc", "desc"]))
    var order: String?

    @Flag(inversion: .prefixedNo, help: .numbers)
    var number: Bool?

    @Flag(name: .shortAndLong, help: "Open the first favorite in the browser.")
    var web = false

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let output = context.output
      let format = try reporting.format(output)
      let limit =
        try limit.map { try OptionValue.number($0, 1...SearchOptions.maximumLimit, of: "--limit") } ?? .max
      let key = try KnownNames.sortKey(sort, among: Self.sorts.keys.sorted())
      let order = try OptionValue.order(order) ?? .usual(of: key)
      let settings = try context.forage.settings()
      let all = try Favorites(context.forage).list()
      let sorted = ResultOrder.sorted(
        all, by: key.flatMap { Self.sorts[$0] }?.rawValue ?? ResultField.addedAt.rawValue, order: order)
      let items = sorted.prefix(limit).map { MergedItem($0) }
      var result = FederatedResult(items: items, outcomes: [])
      await StarMarks(context.forage).findAccounts()
      await ResultAnnotation(context.forage).annotate(&result, until: .now + Self.storeTime)
      if web, let first = result.items.first?.result {
        return try await context.openPages(of: [ResolvedReference(text: first.title, result: first)])
      }
      if !web {
        var style = ListStyle(
          format: format, documents: .list(named: "favorites"), settings: settings, showsNumbers: number,
          home: context.forage.paths.home)
        style.bareHost = context.forage.bareHost
        style.layout = .favorites(items.map(\.result.kind))
        let sort = key.flatMap { $0 == "added" ? nil : $0 } ?? ResultField.addedAt.rawValue
        let report = SearchReport(result, of: FederatedSearch(feedOf: [.repo], sort: sort))
        let rendering = SearchRendering(report, nil, style, output: output)
        try await context.paged { try rendering.on($0).write() }
        LastListStore(context).keep(result.items.map(\.result))
      }
      guard all.isEmpty else {
        if output.isTerminal, output.isMessageTerminal {
          let shown =
            result.items.count < all.count ? "showing \(HumanFormat.grouped(result.items.count)) of " : ""
          output.footer(shown + HumanFormat.plural(all.count, "favorite"))
        }
        return .success
      }
      output.problem("there are no favorites", hint: "add one with: forage favorite add owner/name")
      return .nothingFound
    }
  }
}

extension KindRendering {
  /// Favorites as other lists of their kinds, with the time at which each was added at the end.
  fileprivate static func favorites(_ kinds: [ResultKind]) -> KindRendering {
    var rendering = KindRendering.of(kinds)
    let rows = rendering.rows
    let added = Field.date("Added") { $0[.addedAt]?.date }
    // Providers are those of a search; a favorite is from the store.
    rendering.columns.removeAll(where: \.isOrigin)
    rendering.columns.append(.age("ADDED", dropOrder: 2, .addedAt))
    rendering.fields.append(added)
    rendering.rows = { item in rows(item).map { $0 + [added.text(item)] } }
    return rendering
  }
}
