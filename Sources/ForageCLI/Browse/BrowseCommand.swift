import ArgumentParser
import Forage
import ForageBrowse
import ForageCore

/// `forage browse`: the screens, or a dialog line by line.
struct BrowseCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "browse", _superCommandName: ForageCommand.name,
    abstract: "Search, read, star and clone on one screen.",
    discussion: """
      Type to search; ? lists all keys, in the query only while it is empty. Without a query it shows the feed: your stars, clones with new commits, and what other providers offer.

      When it ends, the address of the result that was opened last is printed.

      --plain reads commands line by line and never moves the cursor. It is the default in a pipe and for TERM=dumb.

      Exit status: 0, or 130 after Ctrl-C.
      """)

  @OptionGroup(title: "Results") var providers: ProviderOptions

  @Argument(help: "Words and qualifiers; @NAME for a saved search.", completion: Completion.savedQuery)
  var query: [String] = []

  @Option(
    name: .letter("L"),
    help: ArgumentHelp(
      "Load n results at first, 1 to \(SearchOptions.maximumLimit). (default \(SearchOptions.defaultLimit))",
      valueName: "n"))
  var limit: String?

  @Option(
    help: .sort, completion: Completion.sorts)
  var sort: String?

  @Option(help: .order, completion: .list(["asc", "desc"]))
  var order: String?

  @Flag(help: .favorites)
  var favorites = false

  @Flag(help: .offline)
  var offline = false

  @Option(
    help: ArgumentHelp(
      "Send at most n requests. (default \(SearchOptions.defaultMaximumRequests) for one list)",
      valueName: "n")
  )
  var maxRequests: String?

  @Flag(help: "Read commands line by line, without moving the cursor.")
  var plain = false

  @OptionGroup var plugins: PluginOptions
  @OptionGroup var common: CommonOptions

  func configure(_ setup: inout ForageSetup) throws {
    plugins.configure(&setup)
    setup.maximumRequests = try maxRequests.map {
      try OptionValue.number($0, 1...SearchCommand.maximumRequests, of: "--max-requests")
    }
  }

  func run(in outer: Context) async throws -> ExitStatus {
    let original = outer.output
    let hasScreen =
      !plain && original.isTerminal && outer.input.isTerminal && original.canMoveCursor
    let (queue, messages) = (BrowseScreen.Queue(), CollectedText())
    let output = original.diverted(
      isTerminal: !hasScreen,
      hasScreen
        ? BrowseScreen.receiver(outer.process.output, isTracing: outer.isTracing, queue, messages)
        : original.writeMessage)
    let context = try outer.reporting(to: output, configure)
    let result = await Result.of {
      let services: BrowseServices
      do { services = try withSavedSearch(context.forage).services(context) } catch {
        // No screen will show what was told until here, for example which manifest cannot be read.
        if hasScreen { original.writeMessage(messages.text) }
        throw error
      }
      return hasScreen
        ? try await BrowseScreen.run(services, queue, messages, original)
        : try await BrowseDialog(services).run()
    }
    await context.close()
    return try result.get()
  }

  /// The command with what the saved search has that its first word names, unless an option says otherwise.
  private func withSavedSearch(_ forage: Forage) throws -> BrowseCommand {
    guard let name = query.first.flatMap(SavedSearch.name) else { return self }
    let saved = try forage.savedSearch(name)
    var command = self
    command.query = saved.query(with: query.dropFirst())
    command.providers = saved.completing(providers)
    (command.sort, command.order, command.limit) = saved.completing(sort, order, limit)
    return command
  }

  /// Reads the options.
  private func services(_ context: Context) throws -> BrowseServices {
    let settings = try context.forage.settings()
    var options = BrowseOptions(query: ProgramArguments.query(query))
    options.limit =
      try limit.map { try OptionValue.number($0, 1...SearchOptions.maximumLimit, of: "--limit") }
      ?? SearchOptions.defaultLimit
    options.order = try OptionValue.order(order)
    options.maximumRequests = context.forage.setup.maximumRequests
    (options.isOffline, options.showsOnlyFavorites) = (offline, favorites)
    var services = try BrowseServices(options, context)
    let choice = try ProviderChoice(names: providers.provider, registry: services.all) {
      context.forage.isEnabled($0, settings)
    }
    services.options.providers = choice.registry.ids
    try choose(&services.options, choice.registry, of: services.all)
    return services
  }

  /// Checks the kinds and the sort key, which a chosen provider must have.
  private func choose(
    _ options: inout BrowseOptions, _ registry: ProviderRegistry, of all: ProviderRegistry
  ) throws {
    let known = Set(registry.providers.flatMap { $0.kinds.keys.map(\.rawValue) }).sorted()
    let pulls = ResultKind.pullRequest.rawValue
    let kinds =
      try OptionValue.kinds(
        providers.kind, among: known + (known.contains(ResultKind.issue.rawValue) ? [pulls] : []),
        what: "results", providers: { all.ids(having: $0) })
      ?? []
    (options.kinds, options.query) = try BrowseServices.searched(kinds, options.query)
    let abilities = registry.providers.flatMap { provider in
      provider.kinds.filter { options.kinds.isEmpty || options.kinds.contains($0.key) }.values
    }
    options.sort = try KnownNames.sortKey(
      sort, among: abilities.flatMap { $0.sorts + ($0.feed?.sorts ?? []) })
  }
}

struct BrowseOptions: Sendable {
  var query: String
  /// The ids of the providers that are chosen at first.
  var providers: [String] = []
  /// The kinds of results; empty for the usual ones.
  var kinds: [ResultKind] = []
  /// How many results a list has at first.
  var limit = SearchOptions.defaultLimit
  var sort: String?
  var order: SortOrder?
  var isOffline = false
  var showsOnlyFavorites = false
  /// The requests of the whole run; `nil` for the usual number for one list.
  var maximumRequests: Int?
}
