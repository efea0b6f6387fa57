import Forage
import ForageCore

/// Makes a search and prints its list: what `search`, `stars` and `feed` have in common.
struct ListPrinter {
  private let options: ListOptions
  private let context: Context
  /// Whether a cursor for the next page is of use.
  let isPaged: Bool
  /// How the list is written.
  var style = ListStyle()
  /// Whether the list is that of the stars of the token's account.
  var isOwnStars = false

  /// - Throws: `ForageError` for options that have no effect together.
  init(_ options: ListOptions, _ reporting: ReportOptions, _ context: Context) throws {
    self.options = options
    self.context = context
    style.format = try options.format(reporting, context.output)
    style.explains = options.explain
    style.isOffline = options.offline
    style.showsList = !options.web
    style.home = context.services.directories.home
    if !options.web, !options.stream { style.continuation = LastListStore(context).continuation }
    // Selected fields leave the cursor out, but a terminal keeps the list and its cursor for --next.
    isPaged =
      !options.stream && (context.output.isTerminal || reporting.json == nil && style.format.hasEnvelope)
  }

  /// Asks the providers and writes their results.
  func printResults(of search: FederatedSearch, by runner: SearchRunner) async throws -> ExitStatus {
    var style = style
    style.showsNumbers = options.number || runner.settings.showsNumbers
    let output = context.output
    let arrivals =
      options.stream
      ? ArrivalStream(
        limit: search.limit, annotation: ResultAnnotation(context.services), output: output) : nil
    let progress = SearchProgress(
      runner.federation, showsResults: arrivals == nil && !context.isTracing, output: output)
    let follow = { @Sendable [arrived = arrivals?.observer] (event: SearchEvent) in
      arrived?(event)
      progress.follow(event)
    }
    let report: SearchReport
    do {
      report = try await arrivals.cancelling {
        try await runner.run(search, event: follow, searched: progress.end)
      }
    } catch let error as ForageError where error.remedy == .addFavorite && style.format.hasEnvelope {
      // Programs read an empty list where there are no favorites.
      let empty = SearchReport(FederatedResult(items: [], outcomes: []), of: search)
      try SearchRendering(empty, runner.choice, style, output: output).write()
      throw error
    }
    defer { report.storeNext() }
    arrivals?.flush()
    if let failure = arrivals?.failure { throw failure }
    let result = report.result
    let isInterrupted = Task.isCancelled
    let lastList = LastListStore(context)
    if result.items.isEmpty, style.adviceForNothing == nil {
      let isLocal = result.outcomes.allSatisfy { $0.id == BuiltInProvider.clonesID || !$0.state.isAnswer }
      let unknown = runner.unknownNames(in: report.search.query, isLocal: isLocal)
      if !unknown.isEmpty { style.adviceForNothing = unknown.joined(separator: "; ") }
    }
    let rendering = SearchRendering(report, runner.choice, style, output: output)
    if options.web {
      if !isInterrupted { try await open(result.items.first) }
    } else if options.stream {
      try rendering.writeSummary()
    } else {
      try await context.paged { try rendering.on($0).write() }
    }
    let hasFailed = isInterrupted || result.failure(named: runner.choice.named) != nil
    if result.items.isEmpty, hasFailed || options.stream {
      // No list was printed, so that the numbers on the terminal are still those of the list before.
    } else if options.stream {
      lastList.forget()
    } else if !options.web {
      lastList.keep(
        result.items.map(\.result), next: report.next, offset: report.offset, after: options.after)
    }
    if !isInterrupted { report.remember(isEveryStar: isEveryStar(report)) }
    if isInterrupted { rendering.writeInterruption() } else { rendering.writeNotes() }
    return isInterrupted
      ? .interrupted
      : ExitStatus(result, named: runner.choice.named, isStrict: options.strict)
  }

  /// Whether a list has every star of the token's account, so that nothing else is starred.
  private func isEveryStar(_ report: SearchReport) -> Bool {
    isOwnStars && report.search.query == nil && report.search.filter == nil && options.after == nil
      && report.isComplete && report.items.count < report.search.limit
  }

  /// Opens the page of the first result.
  private func open(_ first: MergedItem?) async throws {
    guard let result = first?.result else { return }
    guard result.pageAddress != nil || result.filePlace != nil else {
      throw ForageError(
        "the first result, \(result.title), has no page", hint: "leave --web out to see the list",
        code: .nothingFound)
    }
    _ = try await context.openPages(of: [ResolvedReference(text: result.title, result: result)])
  }
}
