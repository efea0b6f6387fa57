import ArgumentParser
import Forage
import ForageCore

/// `forage feed`: lists what the providers offer without a query.
struct FeedCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", _superCommandName: ForageCommand.name,
    abstract: "List your stars, recent clones and front pages.",
    discussion: """
      A feed is what a provider lists without a query. To see which provider has a feed and its sort keys, run: \
      forage providers show ID

      -k notification lists all your unread notifications (on GitLab your to-dos), which are in no other feed (see: forage notification --help).

      Exit status as for a search; a provider without a feed is not asked.
      """)

  /// How far a feed is read to choose from it at random, and how many notifications are listed: ten pages of
  /// a forge.
  static let reach = 1000

  @OptionGroup(title: "Results") var providers: ProviderOptions
  @OptionGroup(title: "Results") var list: ListOptions
  @OptionGroup(title: "Output") var reporting: ReportOptions

  @Option(
    help: ArgumentHelp("Pick n at random from the first --limit results.", valueName: "n"))
  var sample: String?

  @Option(help: ArgumentHelp("Repeat a choice of --sample.", valueName: "number"))
  var seed: String?

  @Flag(help: .readNotifications)
  var all = false

  @OptionGroup var answers: AnswerOptions
  @OptionGroup var plugins: PluginOptions
  @OptionGroup var common: CommonOptions

  func configure(_ setup: inout ForageSetup) { plugins.configure(&setup) }

  func run(in context: Context) async throws -> ExitStatus {
    let names = providers.kind.flatMap {
      $0.split(separator: ",").map { $0.trimmingWhitespace().lowercased() }
    }
    let isOfNotifications =
      !names.isEmpty
      && names.allSatisfy { KnownNames.kind(named: $0, among: ResultKind.names) == "notification" }
    if all, !isOfNotifications {
      throw ForageError(
        "--all needs -k notification", hint: "leave it out, or write: forage notification --all")
    }
    let chosen = try randomSample()
    var style = ListStyle()
    style.format = try list.format(reporting, context.output)
    var options = try SearchOptions(
      list, answers,
      defaultLimit: chosen == nil && !isOfNotifications ? SearchOptions.defaultLimit : Self.reach,
      continuing: context.continued)
    options.providers = providers.provider
    options.sample = chosen
    options.includesRead = all
    let runner = try SearchRunner(options, context.forage)
    let known = runner.feedKinds
    let kinds = try OptionValue.kinds(providers.kind, among: known.map(\.rawValue), what: "a feed") {
      runner.ids(having: $0, feed: true)
    }
    let search = try runner.feed(of: kinds ?? runner.usualFeedKinds)
    style.adviceForNothing =
      kinds == [.notification]
      ? "there is nothing to read" + (all ? "" : "; to list read ones too, add --all")
      : "star repositories with: forage star, or add clone folders with: forage clones add DIR"
    return try await ListPrinter(list, answers, style, context).printResults(of: search, by: runner)
  }

  /// The command for notifications alone.
  static func ofNotifications(
    _ list: ListOptions, _ reporting: ReportOptions, _ answers: AnswerOptions, _ common: CommonOptions,
    providers: [String], all: Bool
  ) throws -> FeedCommand {
    var command = try FeedCommand.parse(["--kind", ResultKind.notification.rawValue])
    (command.list, command.reporting, command.answers, command.common) = (list, reporting, answers, common)
    (command.providers.provider, command.all) = (providers, all)
    return command
  }

  private func randomSample() throws -> RandomSample? {
    guard let sample else {
      if seed != nil { throw ForageError("--seed needs --sample", hint: "for example: --sample 5 --seed 1") }
      return nil
    }
    let count = try OptionValue.number(sample, 1...SearchOptions.maximumLimit, of: "--sample")
    let seed = try self.seed.map { text in
      guard let number = UInt64(text) else {
        throw ForageError(
          "--seed takes a whole number from 0, not \"\(text)\"", hint: "for example: --seed 1")
      }
      return number
    }
    return RandomSample(count: count, seed: seed)
  }
}
