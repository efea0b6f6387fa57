import Forage
import ForageCore

/// Makes a list from options to exit status: what `search`, `stars` and `feed` have in common.
struct ListRun {
  let options: ListOptions
  /// The same for the search.
  private var search: SearchOptions
  private let context: Context
  private let format: OutputFormat
  /// Whether the list is that of the stars of the token's account.
  var isOwnStars = false
  /// How hints call the kind `issue`: `pr` where pull requests are meant.
  var nameOfIssues = ResultKind.issue.rawValue

  /// Reads the options; nothing is sent yet.
  ///
  /// - Parameter defaultLimit: How many results are wanted where the options do not say it.
  /// - Throws: `ForageError` for an option that cannot be used.
  init(
    _ options: ListOptions, _ reporting: ReportOptions, _ context: Context,
    defaultLimit: Int = SearchOptions.defaultLimit
  ) throws {
    self.options = options
    self.context = context
    format = try Self.format(options, reporting, context.output)
    search = SearchOptions()
    search.limit =
      try options.limit.map { try OptionValue.number($0, 1...SearchOptions.maximumLimit, of: "--limit") }
      ?? defaultLimit
    search.order = try OptionValue.order(options.order)
    search.sort = options.sort
    search.timeout = try options.timeout.map { try TimeLimit.duration($0) }
    search.after = options.after
    search.onlyFavorites = options.favorites
    search.cache = try CacheChoice.use(offline: options.offline, noCache: options.noCache)
    // Selected fields leave the cursor out, but a terminal keeps the list and its cursor for --next.
    search.isPaged =
      !options.stream && (context.output.isTerminal || reporting.json == nil && format.hasEnvelope)
  }

  /// Chooses the providers.
  ///
  /// - Parameters:
  ///   - names: As given with `--provider`.
  ///   - maxRequests: As given with `--max-requests`.
  ///   - sample: Chooses some of the results, `nil` for all; a sample has no further pages.
  ///   - choose: Chooses the providers, `nil` for those of the names.
  func runner(
    _ names: [String] = [], maxRequests: String? = nil, sample: RandomSample? = nil,
    choose: ((_ settings: Settings, _ asking: Asking) throws -> ProviderChoice)? = nil
  ) throws -> SearchRunner {
    var search = search
    search.providers = names
    search.sample = sample
    search.maximumRequests = try maxRequests.map {
      try OptionValue.number($0, 1...SearchCommand.maximumRequests, of: "--max-requests")
    }
    return try SearchRunner(search, context.services, choose: choose)
  }

  /// Checks the order that a query asks for, which stands for `--sort` and `--order`.
  ///
  /// - Throws: `ForageError` where an option contradicts it.
  func checkOrder(of query: Query?) throws {
    guard let wanted = query?.sort else { return }
    let isOtherOrder = options.order != nil && wanted.order != nil && wanted.order != search.order
    guard options.sort == nil || options.sort == wanted.key, !isOtherOrder else {
      throw ForageError(
        "sort: in the query and \(isOtherOrder ? "--order" : "--sort") contradict each other",
        hint: "leave one of them out")
    }
    try OptionValue.exclude("--stream", [("sort:", options.stream)], hint: Self.streamHint)
  }

  /// Asks the providers and writes their results.
  ///
  /// - Parameters:
  ///   - adviceForNothing: The hint when nothing was found, `nil` for that of a search.
  ///   - isForEditors: Whether matches in files are written as `path:line:column:text`.
  func run(
    _ runner: SearchRunner, _ search: FederatedSearch, adviceForNothing: String? = nil,
    isForEditors: Bool = false
  ) async throws -> ExitStatus {
    let output = context.output
    let arrivals =
      options.stream
      ? ArrivalStream(
        limit: self.search.limit, annotation: ResultAnnotation(context.services), output: output) : nil
    let progress = SearchProgress(
      runner.federation, showsResults: arrivals == nil && !context.isTracing, output: output)
    let follow = { @Sendable [arrived = arrivals?.observer] (event: SearchEvent) in
      arrived?(event)
      progress.follow(event)
    }
    let report: SearchReport
    do {
      report = try await arrivals.cancelling { [search] in
        try await runner.run(search, event: follow, searched: progress.end)
      }
    } catch let error as ForageError where error.remedy == .addFavorite && format.hasEnvelope {
      // Programs read an empty list where there are no favorites.
      let empty = SearchRendering(
        result: FederatedResult(items: [], outcomes: []), query: search.query?.text,
        explains: options.explain,
        output: output)
      try empty.write(format)
      throw error
    }
    defer { report.storeNext() }
    arrivals?.flush()
    if let failure = arrivals?.failure { throw failure }
    let result = report.result
    let isInterrupted = Task.isCancelled
    let memory = ListMemory(context)
    let rendering = SearchRendering(
      result: result, query: search.query?.text, explains: options.explain, next: report.next, output: output,
      adviceForNothing: adviceForNothing, hasOneWord: search.query?.isOneWord ?? false,
      nameOfIssues: nameOfIssues, named: runner.choice.named, disabled: runner.choice.disabled,
      order: ShownOrder(search), listsExcluded: options.explain && !format.hasEnvelope,
      isOffline: options.offline, showsList: !options.web, matches: search.matches,
      isForEditors: isForEditors,
      marks: ListMarks(
        output, showsNumbers: options.number || runner.settings.showsNumbers, first: report.offset + 1),
      home: context.services.directories.home,
      continuation: options.web || options.stream ? nil : memory.continuation)
    if options.web {
      if !isInterrupted { try await open(result.items.first) }
    } else if options.stream {
      try rendering.writeSummary()
    } else {
      try await context.paged { try rendering.on($0).write(format) }
    }
    let hasFailed = isInterrupted || result.failure(named: runner.choice.named) != nil
    if result.items.isEmpty, hasFailed {
      // No list was printed, so that the numbers on the terminal are still those of the list before.
    } else if options.stream {
      memory.forget()
    } else if !options.web {
      memory.keep(
        result.items.map(\.result), next: report.next, offset: report.offset, after: options.after)
    }
    if !isInterrupted { report.remember(isEveryStar: isEveryStar(report)) }
    if isInterrupted { rendering.writeInterruption() } else { rendering.writeNotes(format) }
    return isInterrupted
      ? .interrupted
      : ExitStatus(result, named: runner.choice.named, isStrict: options.strict)
  }

  /// Whether a list has every star of the token's account, so that nothing else is starred.
  private func isEveryStar(_ report: SearchReport) -> Bool {
    isOwnStars && report.search.query == nil && report.search.filter == nil && options.after == nil
      && report.isComplete && report.items.count < search.limit
  }

  /// Opens the page of the first result.
  private func open(_ first: MergedItem?) async throws {
    guard let result = first?.result else { return }
    guard let address = result.pageAddress else {
      throw ForageError(
        "the first result, \(result.title), has no page", hint: "leave --web out to see the list",
        code: .nothingFound)
    }
    try await Browser(context).open(address, output: context.output)
  }

  private static let streamHint = "--stream writes lines of JSON in the order of arrival"

  /// The format, which `--stream` decides by itself.
  ///
  /// - Throws: `ForageError` for options that have no effect together.
  private static func format(_ options: ListOptions, _ reporting: ReportOptions, _ output: Output) throws
    -> OutputFormat
  {
    let format = try reporting.format(output)
    let json = ("--json", reporting.json != nil)
    if options.web {
      try OptionValue.exclude(
        "--web", [("--stream", options.stream), json, ("--format", reporting.format != nil)],
        hint: "--web opens the first result and writes no list")
    }
    guard options.stream else { return format }
    let isOther = ![nil, "auto", "ndjson"].contains(reporting.format)
    try OptionValue.exclude(
      "--stream",
      [
        ("--after", options.after != nil), ("--sort", options.sort != nil), json,
        ("--format \(format.rawValue)", isOther), ("--number", options.number),
        ("--explain", options.explain),
      ], hint: streamHint)
    return .ndjson
  }
}
