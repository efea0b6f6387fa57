import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

/// Makes a search and prints its list: what `search`, `stars` and `feed` have in common.
struct ListPrinter {
  private let options: ListOptions
  private let isStrict: Bool
  private let context: Context
  /// What comes later, the list does not show.
  private let asked = Date()
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

    /// How far a list is read.
    static let reach = 1_000
    /// How many results are asked for at once of a list that is read to its end.
    static let pageLimit = 100

    /// What was read of a list, of which a part is shown.
    struct Reading {
      /// The results that count as seen.
      var seen: [SearchResult] = []
      /// How many results were read before what could not be; `nil` where everything was.
      var gap: Int?
      /// The last result of a list by update that goes on.
      var last: SearchResult?
      /// How many results were compared where the list goes on, and nothing says that what follows is old.
      var compared: Int?
    }

    /// Whether what is new of a search comes first, so that it need not be read to its end.
    ///
    /// A repository that is new among those of a search can be one that nobody changed for years.
    static func comesFirst(in search: FederatedSearch) -> Bool {
      switch search.sort {
      case "updated": search.order == .descending && search.kinds == [.issue]
      case "committer-date": search.order == .descending && search.kinds == [.commit]
      default: false
      }
    }
  }

  /// Whether the list is that of the stars of the token's account.
  var isOwnStars = false

  /// - Parameter style: The format, and what the command knows of its list.
  init(_ options: ListOptions, _ answers: AnswerOptions, _ style: ListStyle, _ context: Context) {
    (self.options, self.style, self.context) = (options, style, context)
    isStrict = answers.strict
    self.style.take(options, answers)
    self.style.home = context.forage.paths.home
    self.style.folder = realPath(".")
    self.style.bareHost = context.forage.bareHost
  }

  /// Asks the providers and writes their results.
  func printResults(of search: FederatedSearch, by runner: SearchRunner) async throws -> ExitStatus {
    var style = style
    style.settings = runner.settings
    let output = context.output
    if !isStrict {
      style.isKnown = { [forage = context.forage] error in
        error.code == .unreadableClones && !DailyNotice("unreadable-clones", forage).take(error.message)
      }
    }
    let progress = SearchProgress(runner.choice.registry, showsResults: !context.isTracing, output: output)
    var report: SearchReport
    var search = search
    if news != nil, !News.comesFirst(in: search) {
      (search.limit, search.pageLimit) = (News.pageLimit, News.pageLimit)
    }
    do {
      report = try await runner.run(search, event: progress.follow)
    } catch let error as ForageError where error.remedy == .addFavorite && style.format.hasEnvelope {
      // Programs read an empty list where there are no favorites.
      let empty = SearchReport(FederatedResult(items: [], outcomes: []), of: search)
      try SearchRendering(empty, runner.choice, style, output: output).write()
      throw error
    }
    progress.end()
    var reading = News.Reading()
    if let news {
      // All of a list that one asked to shorten counts as shown the first time.
      let limit = options.limit == nil ? News.reach : runner.options.limit
      try await context.forage.reporter.waiting(for: "the rest of the list") {
        reading = try await report.keepNews(news.seen, firstLimit: limit)
      }
    }
    if let continued = context.continued { report.leaveOut(continued.items, limit: runner.options.pageLimit) }
    let result = report.result
    let isInterrupted = Task.isCancelled
    if result.items.isEmpty, style.adviceForNothing == nil {
      let unknown = runner.unknownNames(in: report.search.query, isLocal: report.isOfClonesAlone)
      if !unknown.isEmpty { style.adviceForNothing = unknown.joined(separator: "; ") }
    }
    let lastList = LastListStore(context, asked: asked)
    if !options.web { style.continuation = lastList.continuation }
    let rendering = SearchRendering(report, runner.choice, style, output: output)
    if options.web {
      if !isInterrupted { try await open(result.items.first) }
    } else {
      try await context.paged { try rendering.on($0).write() }
    }
    if let news, !isInterrupted { keep(news, reading, shown: report.items.count, output) }
    if isInterrupted { rendering.writeInterruption() } else { rendering.writeNotes() }
    let failure = result.failure(named: runner.counted)
    // Where no list was printed, the numbers on the terminal are still those of the list before.
    if !options.web, !result.items.isEmpty || !isInterrupted && failure == nil {
      lastList.keep(
        result.items.map(\.result), hasMore: report.hasMore,
        age: result.outcomes.compactMap(\.cache.age).max() ?? .zero)
    }
    if isInterrupted { return .interrupted }
    report.remember(everyStarOf: isEveryStar(report) ? report.outcomes.map(\.id) : [])
    if news != nil, result.outcomes.contains(where: { $0.state.isFailure }) {
      return result.items.isEmpty ? .failed : .partial
    }
    return status(of: result, failure, named: runner.counted)
  }

  /// The status after a search.
  ///
  /// - Parameters:
  ///   - failure: Why nothing could be answered; `nil` where there is an answer.
  ///   - named: The ids of the providers that the user named.
  private func status(of result: FederatedResult, _ failure: ForageError?, named: Set<String>) -> ExitStatus {
    if let failure { return ExitStatus(failure.code) }
    // Files of clones that were not searched are noted, and no failure of the clones.
    let failed = result.outcomes.filter { $0.state.isFailure && !$0.lacksFiles }
    if isStrict && !result.isComplete || failed.contains(where: { named.contains($0.id) }) { return .partial }
    return result.items.isEmpty ? .nothingFound : .success
  }

  /// Takes note of what was read, and says how far and what happens the first time.
  private func keep(_ news: News, _ reading: News.Reading, shown: Int, _ output: Output) {
    if let compared = reading.compared {
      output.warning(
        "only the first \(HumanFormat.grouped(compared)) results of \(news.name) are compared",
        hint: "narrow the search, or use --new more often")
    }
    if news.seen.isFirst {
      let isWhole =
        shown == reading.seen.count && reading.last == nil && reading.compared == nil && reading.gap == nil
      let what = isWhole ? "everything" : "the first \(HumanFormat.plural(shown, "result"))"
      output.message(
        "the first --new of \(news.name) shows \(what); the next one what is new since then")
    }
    guard news.isKept, !news.seen.add(reading.seen, gap: reading.gap, last: reading.last) else { return }
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
    guard result.pageAddress != nil || result.fileLocation != nil else {
      throw ForageError(
        "the first result, \(result.title), has no page", hint: "leave --web out to see the list",
        code: .nothingFound)
    }
    _ = try await context.openPages(of: [ResolvedReference(text: result.title, result: result)])
  }
}

extension SearchReport {
  /// Leaves out what was shown before. A list is read until what follows was shown, else to its end, so that
  /// nothing is missed behind its limit, and nothing is new because another result is gone.
  ///
  /// - Parameter firstLimit: The number of results that are shown the first time.
  fileprivate mutating func keepNews(_ seen: SeenResults, firstLimit: Int) async throws
    -> ListPrinter.News.Reading
  {
    typealias News = ListPrinter.News
    let comesFirst = News.comesFirst(in: search)
    let leastCount = seen.gap.map { ($0 + items.count).value } ?? 0
    while hasMore, items.count < News.reach, !Task.isCancelled,
      !comesFirst
        || !seen.isFirst
          && (items.count < leastCount || items.last.map { seen.isNew($0.result) } == true)
    {
      guard let next = await more() else { break }
      result.items += next.items
      // What failed is told also where it left nothing of a page.
      (result.hasMore, result.outcomes) = (next.hasMore, next.outcomes)
      if next.items.isEmpty { break }
    }
    var reading = News.Reading()
    let hasFailed = result.outcomes.contains { $0.state.isFailure }
    if hasFailed { reading.gap = items.count }
    if comesFirst, hasMore, !hasFailed { reading.last = items.last?.result }
    if items.count >= News.reach, !comesFirst || !seen.isFirst { reading.compared = items.count }
    result.items.removeAll { !seen.isNew($0.result) }
    reading.seen = items.map(\.result)
    if seen.isFirst, items.count > firstLimit { result.items = Array(items.prefix(firstLimit)) }
    result.hasMore = false
    if result.items.isEmpty { result.outcomes = result.outcomes.map(\.ofEmptyPart) }
    return reading
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
