import Forage
import ForageCore

/// Makes a search and prints its list: what `search`, `stars` and `feed` have in common.
struct ListPrinter {
  private let options: ListOptions
  private let context: Context
  private let format: OutputFormat
  /// Whether a cursor for the next page is of use.
  let isPaged: Bool
  /// Whether the list is that of the stars of the token's account.
  var isOwnStars = false
  /// How hints call the kind `issue`: `pr` where pull requests are meant.
  var nameOfIssues = ResultKind.issue.rawValue

  /// - Throws: `ForageError` for options that have no effect together.
  init(_ options: ListOptions, _ reporting: ReportOptions, _ context: Context) throws {
    self.options = options
    self.context = context
    format = try options.format(reporting, context.output)
    // Selected fields leave the cursor out, but a terminal keeps the list and its cursor for --next.
    isPaged =
      !options.stream && (context.output.isTerminal || reporting.json == nil && format.hasEnvelope)
  }

  /// Asks the providers and writes their results.
  ///
  /// - Parameters:
  ///   - adviceForNothing: The hint when nothing was found, `nil` for that of a search.
  ///   - isForEditors: Whether matches in files are written as `path:line:column:text`.
  func printResults(
    of search: FederatedSearch, by runner: SearchRunner, adviceForNothing: String? = nil,
    isForEditors: Bool = false
  ) async throws -> ExitStatus {
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
      && report.isComplete && report.items.count < report.search.limit
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
}
