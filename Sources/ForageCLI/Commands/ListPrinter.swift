import Forage
import ForageCore
import ForagePlatform

/// Makes a search and prints its list: what `search`, `stars` and `feed` have in common.
struct ListPrinter {
  private let options: ListOptions
  private let isStrict: Bool
  private let context: Context
  /// Made before anybody is asked.
  private let lastList: LastListStore
  /// How the list is written.
  private var style: ListStyle
  /// What is new of a saved search is shown alone; `nil` for the whole list.
  var news: News?

  /// What `--new` has shown of a saved search.
  struct News {
    let seen: SeenResults
    let name: String
    /// Whether what is shown now counts as seen.
    let isKept: Bool

    /// How far back a list is read until it has nothing new.
    static let reach = 1_000
    /// The sort keys by which what is new comes first.
    static let sorts: Set = ["updated", "created", "pushed", "author-date", "committer-date", "joined"]
  }

  /// Whether the list is that of the stars of the token's account.
  var isOwnStars = false

  /// - Parameter style: The format, and what the command knows of its list.
  init(_ options: ListOptions, _ answers: AnswerOptions, _ style: ListStyle, _ context: Context) {
    (self.options, self.style, self.context) = (options, style, context)
    isStrict = answers.strict
    lastList = LastListStore(context)
    self.style.explains = answers.explain
    self.style.showsList = !options.web
    self.style.home = context.forage.paths.home
    self.style.folder = realPath(".")
    self.style.bareHost = context.forage.bareHost
    if !options.web { self.style.continuation = lastList.continuation }
  }

  /// Asks the providers and writes their results.
  func printResults(of search: FederatedSearch, by runner: SearchRunner) async throws -> ExitStatus {
    var style = style
    style.showsNumbers = options.number ?? runner.settings.showsNumbers
    style.tabWidth = runner.settings.tabWidth
    let output = context.output
    if !isStrict {
      style.isKnown = { [forage = context.forage] error in
        error.code == .unreadableClones && !DailyNotice("unreadable-clones", forage).take(error.message)
      }
    }
    let progress = SearchProgress(runner.choice.registry, showsResults: !context.isTracing, output: output)
    var report: SearchReport
    do {
      report = try await runner.run(search, event: progress.follow, searched: progress.end)
    } catch let error as ForageError where error.remedy == .addFavorite && style.format.hasEnvelope {
      // Programs read an empty list where there are no favorites.
      let empty = SearchReport(FederatedResult(items: [], outcomes: []), of: search)
      try SearchRendering(empty, runner.choice, style, output: output).write()
      throw error
    }
    let gap = if let news { try await report.keepNews(news.seen) } else { nil as Int? }
    if let continued = context.continued { report.leaveOut(continued.items, limit: runner.options.pageLimit) }
    let result = report.result
    let isInterrupted = Task.isCancelled
    if result.items.isEmpty, style.adviceForNothing == nil {
      let isLocal = result.outcomes.allSatisfy { $0.id == BuiltInProvider.clonesID || !$0.state.isAnswer }
      let unknown = runner.unknownNames(in: report.search.query, isLocal: isLocal)
      if !unknown.isEmpty { style.adviceForNothing = unknown.joined(separator: "; ") }
    }
    let rendering = SearchRendering(report, runner.choice, style, output: output)
    if options.web {
      if !isInterrupted { try await open(result.items.first) }
    } else {
      try await context.paged { try rendering.on($0).write() }
    }
    if let news, !isInterrupted { keep(news, report, gap, output) }
    let hasFailed = isInterrupted || result.failure(named: runner.counted) != nil
    // Where no list was printed, the numbers on the terminal are still those of the list before.
    if !result.items.isEmpty || !hasFailed, !options.web {
      lastList.keep(
        result.items.map(\.result), hasMore: report.hasMore,
        age: result.outcomes.compactMap(\.cache.age).max() ?? .zero)
    }
    if !isInterrupted { report.remember(everyStarOf: isEveryStar(report) ? report.outcomes.map(\.id) : []) }
    if isInterrupted { rendering.writeInterruption() } else { rendering.writeNotes() }
    if news != nil, !isInterrupted, result.outcomes.contains(where: { $0.state.isFailure }) {
      return result.items.isEmpty ? .noAnswer : .partial
    }
    return isInterrupted
      ? .interrupted
      : ExitStatus(result, named: runner.counted, isStrict: isStrict)
  }

  /// Takes note of what is shown as new, and says what happens the first time.
  ///
  /// - Parameter gap: The number of results that were read before what could not be.
  private func keep(_ news: News, _ report: SearchReport, _ gap: Int?, _ output: Output) {
    if !news.seen.isFirst, report.items.count >= News.reach {
      output.warning(
        "only \(News.reach) new results of \(news.name) are looked at; older ones are not shown",
        hint: "narrow the search, or use --new more often")
    }
    if news.seen.isFirst {
      output.message("the first --new of \(news.name) shows everything; the next one what is new since then")
    }
    guard news.isKept, !news.seen.add(report.items.map(\.result), gap: gap) else { return }
    output.warning(
      "what was shown of \(news.name) could not be written, and is new again the next time",
      hint: "check the space and the permissions of \(context.forage.paths.stateFolder)")
  }

  /// Whether a list has every star of the token's account, so that nothing else is starred.
  private func isEveryStar(_ report: SearchReport) -> Bool {
    isOwnStars && report.search.query == nil && report.search.filter == nil && report.offset == 0
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

extension SearchReport {
  /// Leaves out what was shown before. A list by time that ends with something new is read on, so that nothing falls behind its limit, and
  /// so is one of which not everything could be read the last time.
  ///
  /// - Returns: How many results were read before what could not be; `nil` where everything was.
  fileprivate mutating func keepNews(_ seen: SeenResults) async throws -> Int? {
    let isByTime = search.order == .descending && ListPrinter.News.sorts.contains(search.sort ?? "")
    let leastCount = seen.gap.map { ($0 + items.count).value } ?? 0
    while !seen.isFirst, hasMore, items.count < ListPrinter.News.reach, !Task.isCancelled,
      items.count < leastCount || isByTime && items.last.map({ seen.isNew($0.result) }) == true,
      let next = await more()
    {
      result.items += next.items
      (result.hasMore, result.outcomes) = (next.hasMore, next.outcomes)
    }
    let gap = result.outcomes.contains { $0.state.isFailure } ? items.count : nil
    result.items.removeAll { !seen.isNew($0.result) }
    result.hasMore = false
    if result.items.isEmpty { result.outcomes = result.outcomes.map(\.ofEmptyPart) }
    return gap
  }

  /// Leaves out results that were printed before, and what follows the next page.
  ///
  /// What the forge moved in between may be missed, and nothing is printed twice.
  ///
  /// - Parameters:
  ///   - printed: The results of the pages before.
  ///   - limit: The number of results of a page.
  fileprivate mutating func leaveOut(_ printed: [SearchResult], limit: Int?) {
    func name(_ result: SearchResult) -> String { result.kind.rawValue + " " + result.id }
    let known = Set(printed.map(name))
    let rest = result.items.filter { !known.contains(name($0.result)) }
    result.items = Array(rest.prefix(limit ?? rest.count))
    result.hasMore = result.hasMore || rest.count > result.items.count
    result.offset = printed.count
    if result.items.isEmpty { result.outcomes = result.outcomes.map(\.ofEmptyPart) }
  }
}
