import ArgumentParser
import Forage
import ForageCore

/// `forage searches`: searches under names.
struct SearchesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searches", abstract: "Manage saved searches.",
    discussion: """
      A saved search is run with forage search @NAME, and a tab of forage browse. It is written by forage searches save, or stands in the settings:

      searches: {crashes: {kind: issue, query: "crash state:open", providers: [github, work], limit: 50}}
      """,
    subcommands: [List.self, Save.self, Remove.self], defaultSubcommand: List.self)
}

extension SearchesCommand {
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List saved searches.", aliases: ["ls"])

    static let fields = DocumentFields(
      ["name", "kind", "query", "sort", "order", "providers", "limit", "settings"], list: "searches")

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let (format, searches) = (try reporting.format(context.output), try context.forage.savedSearches())
      try context.output.list(searches, named: "searches", as: format, document: Self.document) {
        let table = Table(
          columns: [
            .init(title: "NAME", style: .title, isName: true), .init(title: "KIND", dropOrder: 1),
            .init(title: "QUERY"), .init(title: "OPTIONS", style: .dim, dropOrder: 2),
          ],
          rows: searches.map { search in
            [search.name, search.kinds.joined(separator: ","), search.query, search.optionsText].map(
              SafeText.line)
          })
        if !searches.isEmpty { try context.output.result(table, format: format) }
      }
      guard searches.isEmpty else { return .success }
      context.output.problem(
        "there are no saved searches",
        hint: "for example: forage searches save crashes -k issue \"crash state:open\"")
      return .nothingFound
    }

    private static func document(_ search: SavedSearch) -> JSONTree {
      .members([("name", search.name.json)] + search.members + [("settings", search.isOfSettings.json)])
    }
  }

  struct Save: Command {
    static let configuration = CommandConfiguration(
      commandName: "save", abstract: "Save a search under a name.",
      discussion: """
        The options that stand for qualifiers become part of the query.

        Examples:
          forage searches save review -k pr "review-requested:@me is:open" --sort updated
          forage searches save crashes -k issue crash --state open -p github,work
        """)

    @Argument(help: "Letters, digits, - and _.")
    var name: String

    @Argument(help: "Words and qualifiers.")
    var query: [String] = []

    @OptionGroup(title: "Results") var providers: ProviderOptions
    @Option(
      name: .letter("L"),
      help: ArgumentHelp("Print at most n results, 1 to \(SearchOptions.maximumLimit).", valueName: "n"))
    var limit: String?
    @Option(help: .sort, completion: Completion.sorts)
    var sort: String?
    @Option(help: .order, completion: .list(["asc", "desc"]))
    var order: String?
    @OptionGroup(title: "Qualifiers") var qualifiers: QualifierOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
      guard SavedSearch.isName(name) else {
        throw ForageError(
          "\"\(name)\" cannot be the name of a search", hint: "a name has letters, digits, - and _")
      }
      var search = SavedSearch(name: name)
      var options = SearchOptions()
      (options.providers, options.sort) = (providers.provider, sort)
      options.order = try OptionValue.order(order)
      let runner = try SearchRunner(options, context.forage)
      let kinds = try OptionValue.kinds(providers.kind, among: runner.kindNames, what: "results") {
        runner.ids(having: $0)
      }
      let searched = try runner.kinds(of: kinds ?? []).kinds
      _ = try runner.checkedSort(of: searched)
      let conditions = try qualifiers.conditions(runner)
      let text = ProgramArguments.query(query)
      let parsed = try runner.parsed(text, and: conditions)
      try runner.checkOrder(of: parsed, searched)
      search.query = conditions.isEmpty ? text : parsed.root.description
      search.kinds = providers.kind.flatMap { $0.split(separator: ",").map(String.init) }
      search.providers = runner.choice.named.isEmpty ? [] : runner.choice.registry.ids
      search.limit = try limit.map {
        try OptionValue.number($0, 1...SearchOptions.maximumLimit, of: "--limit")
      }
      (search.sort, search.order) = (sort, options.order)
      let isReplaced = try context.forage.save(search)
      context.output.message(
        "\(isReplaced ? "replaced" : "saved") \(name); run it with: forage search @\(name)")
      return .success
    }
  }

  struct Remove: Command {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove saved searches.", aliases: ["rm"])

    @Argument(help: "Names of saved searches.", completion: Completion.savedSearch)
    var names: [String]
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      for name in names {
        let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        try context.forage.removeSavedSearch(name)
        context.output.message("removed \(name)")
      }
      return .success
    }
  }
}

extension SavedSearch {
  /// The options beside kind and query, as they are written.
  fileprivate var optionsText: String {
    let parts = [
      providers.isEmpty ? nil : "-p " + providers.joined(separator: ","), sort.map { "--sort \($0)" },
      order.map { "--order \($0.rawValue)" }, limit.map { "-L \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }
}

extension SavedSearch {
  /// Options of a command line, with its kinds and providers where they name none.
  func completing(_ options: ProviderOptions) -> ProviderOptions {
    var options = options
    if options.kind.isEmpty { options.kind = kinds }
    if options.provider.isEmpty { options.provider = providers }
    return options
  }

  /// The values of `--sort`, `--order` and `--limit`, with its own where they are not given.
  func completing(_ sort: String?, _ order: String?, _ limit: String?) -> (String?, String?, String?) {
    // A sort key of the command line has its own direction.
    (
      sort ?? self.sort, order ?? (sort == nil ? self.order?.rawValue : nil),
      limit ?? self.limit.map(String.init)
    )
  }

  /// Its query, with what must hold beside it.
  func query(with words: some Collection<String>) -> [String] {
    query.isEmpty ? Array(words) : [words.isEmpty ? query : QueryParser.grouped(query)] + words
  }
}
