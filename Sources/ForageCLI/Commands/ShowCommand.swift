import ArgumentParser
import Forage
import ForageCore
import ForageInspector

/// `forage show`: shows everything known about one entity, remote and local, in one record.
struct ShowCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: ForageCommand.name,
    abstract: "Show a repository, issue, commit or account.",
    discussion: """
      \(ReferenceReader.helpForOne)

      Of a file of a clone the definitions are shown, with their lines and kinds; of one that a search found, the lines around the first \
      match. forage open shows the whole file.
      """
  )

  @Argument(
    help: ArgumentHelp("A repository, issue, commit, account or path.", valueName: "ref"),
    completion: Completion.place)
  var reference: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Ask only these providers.", valueName: "id"),
    completion: Completion.providers)
  var provider: [String] = []

  @Option(help: .timeout)
  var timeout: String?

  @Option(
    help: ArgumentHelp(
      "Show the last n comments of an issue. (0 to \(ShowCommand.maximumComments), default 0)",
      valueName: "n"))
  var comments: String?

  @Flag(help: .offline)
  var offline = false

  @Flag(help: .noCache)
  var noCache = false

  @Flag(name: .shortAndLong, help: "Open its page in the browser, without a request.")
  var web = false

  @OptionGroup var plugins: PluginOptions
  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func configure(_ setup: inout ForageSetup) { plugins.configure(&setup) }

  /// What one request returns.
  static let maximumComments = 100

  /// The fields of the item, and the members beside it.
  static let fields = DocumentFields(
    SearchJSON.fieldNames + ["local", "providers", "notes"], inner: "item"
  ).withOwnFields

  func validate() throws {
    guard web, let option = reporting.jq != nil ? "--jq" : reporting.json != nil ? "--json" : nil else {
      return
    }
    throw ValidationError("--web and \(option) exclude each other\n--web opens a page and prints nothing")
  }

  func run(in context: Context) async throws -> ExitStatus {
    let (format, output) = try reporting.page(context.output)
    let timeout = try TimeLimit.duration(timeout)
    let cache = try CacheChoice.use(offline: offline, noCache: noCache)
    let comments = try comments.map {
      try OptionValue.number($0, 0...Self.maximumComments, of: "--comments")
    }
    let lookup = try EntityLookup(
      context.forage, providers: provider, cache: cache, files: .paths, lastList: context.lastList)
    let target = try await lookup.target(reference)
    if web { return try await context.openPages(of: [target.reference.withoutFile]) }
    let answer = try await lookup.answer(
      target,
      sections: format.hasEnvelope || format == .tsv
        ? InspectionSection.standard : ShowRendering.localSections,
      within: timeout)
    lookup.reportMissing(answer)
    let record = try await lookup.record(of: answer, comments: comments ?? 0, within: timeout)
    if let comments, comments > 0, record.item.kind != .issue {
      output.warning(
        "--comments is ignored: \(record.item.title) is not an issue or pull request",
        hint: "for example: forage show owner/name#12 --comments \(comments)")
    }
    let isPage = !format.hasEnvelope && format != .tsv
    var rendering = ShowRendering(record, bareHost: context.forage.bareHost)
    rendering.tabWidth = try context.forage.settings().tabWidth
    try await context.paged(on: output, byDefault: isPage) { [rendering] in
      try rendering.write(format, to: $0, PageStyle($0, context.forage.environment))
    }
    lookup.remember(answer)
    let isMissing = record.outcomes.contains { lookup.choice.named.contains($0.id) && $0.state.isFailure }
    return isMissing ? .partial : .success
  }
}
