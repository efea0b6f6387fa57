import ArgumentParser
import Forage
import ForageCore

/// `forage stars`: lists what an account has starred on the forge.
struct StarsCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "stars", _superCommandName: ForageCommand.name,
    abstract: "List the stars of your account, or of another one.",
    discussion: """
      Your own stars need a token (see: forage auth status); they are those of every forge that has one. Those of another account are \
      public. With a query, only stars that match are listed.

      Sort keys: starred (the time of the star, the default), pushed, stars, forks, created, updated, size, name.
      """)

  @Argument(help: "Words and qualifiers.")
  var query: [String] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Ask the forge of this provider.", valueName: "id"),
    completion: Completion.forge)
  var provider: String?

  @Option(
    help: ArgumentHelp("List the stars of this account; needs no token.", valueName: "login"))
  var user: String?

  @OptionGroup(title: "Results") var list: ListOptions
  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var answers: AnswerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    var style = ListStyle()
    style.format = try list.format(reporting, context.output)
    let options = try SearchOptions(list, answers, continuing: context.continued)
    if let user, user.allSatisfy({ $0.isWhitespace }) || user.contains("/") {
      throw ForageError(
        "--user takes the name of an account, not \"\(user)\"", hint: "for example: --user octocat")
    }
    let requestOptions = RequestOptions(cache: options.cache)
    // A name of an account is one of one forge.
    let forges =
      user != nil && provider == nil
      ? [try context.forage.starForge(called: nil, requestOptions)]
      : try await context.forage.starredForges(provider, context.forage.settings(), requestOptions)
    let lists: [any SearchProvider] = forges.map { forge in
      if let user { ForgeListProvider(starsOf: user, at: forge) } else { forge }
    }
    let runner = try SearchRunner(options, context.forage) { settings, _ in
      ProviderChoice(only: lists, settings)
    }
    let condition = try condition(runner)
    try runner.checkOrder(of: condition, nil)
    let search = try runner.feed(of: [.repo], matching: condition)
    if search.query == nil { style.adviceForNothing = "star a repository with: forage star owner/name" }
    var printer = ListPrinter(list, answers, style, context)
    printer.isOwnStars = user == nil
    return try await printer.printResults(of: search, by: runner)
  }

  /// The condition in the arguments, `nil` for none.
  private func condition(_ runner: SearchRunner) throws -> Query? {
    let text = ProgramArguments.query(query)
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    return try runner.parsed(text)
  }
}
