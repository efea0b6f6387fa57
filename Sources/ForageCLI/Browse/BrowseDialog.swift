import Forage
import ForageBrowse
import ForageCore
import ForageFoundation

/// `forage browse --plain`: commands and answers line by line, for screen readers, simple terminals and
/// pipes.
///
/// Answers go to standard output, the prompt and problems to standard error. The cursor is never moved.
final class BrowseDialog {
  /// The results that are printed at once.
  private static let pageSize = 30
  private static let prompt = "forage> "

  private let services: BrowseServices
  private let actions: BrowseActions
  private let output: Output
  private let input: Input
  private var request: BrowseRequest
  private var providers: [BrowseProvider]
  private var list: BrowseList?
  /// What the providers did in the last search.
  private var statuses: [ProviderStatus] = []
  /// The results that were printed, with the changes that were made to them.
  private var shown: [MergedItem] = []
  private var results: [MergedItem] { list?.items ?? [] }
  private var hasMore = false

  init(_ services: BrowseServices) throws {
    let options = services.options
    let output = services.context.output
    self.services = services.reporting { reporter in
      // The line that other commands erase again stays here.
      guard output.isTerminal, output.isMessageTerminal else { return }
      reporter.waitsFor = { name in
        let task = Task {
          try await Task.sleep(for: StatusDisplay.standardDelay)
          output.message("waiting for \(name)")
        }
        return { task.cancel() }
      }
    }
    actions = BrowseActions(services: self.services, isDrawn: false)
    (self.output, input) = (output, services.context.input)
    providers = try services.providers()
    request = BrowseRequest(
      generation: 0, query: options.query.trimmingWhitespace(), kinds: options.kinds, sort: options.sort,
      order: options.order, scope: .asked)
  }

  /// Answers until `quit` or the end of the input.
  func run() async throws -> ExitStatus {
    try await answer(request.query.isEmpty ? .feed : .search(request.query))
    let kinds = Set(services.all.providers.flatMap { $0.kinds.keys.map(\.rawValue) })
    while !Task.isCancelled {
      output.writeMessage(Self.prompt)
      guard let line = await OwnThreadExecutor.task({ [input] in input.readLine() }).value else { break }
      let command = LineCommand(line, kinds: Array(kinds), providers: providers.map(\.id))
      if command == .quit { break }
      try await answer(command)
    }
    return Task.isCancelled ? .interrupted : .success
  }

  /// What a command may wait for, where nothing else says it.
  private func awaited(_ command: LineCommand) -> String? {
    switch command {
    case .nothing, .quit, .help, .open, .page, .edit, .mark(.favorite, _): nil
    case .clone: "git"
    case .facts: "the facts of the clone"
    default: providers.filter(\.isChosen).map(\.id).joined(separator: ", ")
    }
  }

  private func answer(_ command: LineCommand) async throws {
    let end = awaited(command).map(services.forage.reporter.waitsFor)
    defer { end?() }
    switch command {
    case .nothing, .quit: break
    case .search(let query):
      request.query = query
      try await search(.asked)
    case .feed:
      request.query = ""
      try await search(.asked)
    case .random:
      request.query = ""
      try await search(.asked, isSample: true)
    case .refresh: try await search(.refresh, isSample: request.isSample)
    case .kind(let name):
      request.kinds = [ResultKind(rawValue: name)]
      try await search(.asked)
    case .sort(let key):
      request.sort = key
      try await search(.asked)
    case .providers(let ids): try await choose(ids)
    case .more: try await more()
    case .help:
      let width = LineCommand.commands.map { TextWidth.of($0.command) }.max() ?? 0
      for (command, does) in LineCommand.commands {
        try output.result(TextWidth.padded(command, to: width) + "  " + does)
      }
    case .open(let number): try await open(number)
    case .mark(let mark, let number): try await change(mark, number)
    case .page(let number):
      try await act(on: number) { result in
        if result.fileToOpen != nil {
          let reference = ResolvedReference(text: result.title, result: result)
          _ = try await self.services.context.openPages(of: [reference])
          return []
        }
        guard let url = result.pageAddress else { throw BrowseProblem("\(result.title) has no page") }
        return [try await self.actions.open(url)]
      }
    case .edit(let number):
      try await act(on: number) { result in
        let reference = ResolvedReference(text: result.title, result: result)
        _ = try await self.services.context.edit(
          [reference], ReferenceReader(self.services.forage), forPage: "open its page with: o \(number)")
        return []
      }
    case .facts(let number):
      try await act(on: number) { result in
        let path = result.kind == .repo ? result[.path]?.text : nil
        guard path != nil || result.kind != .repo else {
          throw BrowseProblem("there is no clone of \(result.title)", hint: "clone it with: c \(number)")
        }
        return self.lines(try await self.actions.facts(result, path: path))
      }
    case .clone(let number, let folder): try await clone(number, folder)
    }
  }

  private func tell(_ problem: BrowseProblem) { output.problem(problem.message, hint: problem.hint) }

  /// Tells which providers wait for limits, and how long.
  private func tellLimits() {
    let now = services.now
    for (id, end) in statuses.limits(after: now).sorted(by: { $0.key < $1.key }) {
      tell(
        BrowseProblem(
          "\(id) is not asked before its limit ends, in \(HumanFormat.wait(end - now))",
          hint: "after that write: refresh"))
    }
  }

  /// Does something with the result of a number and writes lines about it, or why it failed.
  private func act(on number: Int, _ work: (SearchResult) async throws -> [String]) async throws {
    let lines: [String]
    do {
      guard shown.indices.contains(number - 1) else {
        throw BrowseProblem(
          "there is no result \(number)",
          hint: shown.isEmpty ? "write what to search for" : "write a number from 1 to \(shown.count)")
      }
      lines = try await work(shown[number - 1].result)
    } catch {
      return tell(BrowseProblem(error))
    }
    for line in lines { try output.result(line) }
  }

  /// The lines of a page.
  private func lines(_ text: BrowseText) -> [String] { text.rows(output.forPage.columns).map(\.text) }

  private func search(_ scope: BrowseRequest.Scope, isSample: Bool = false) async throws {
    request.generation += 1
    (request.scope, request.isSample) = (scope, isSample)
    request.providers = providers.filter(\.isChosen).map(\.id)
    request.limits = scope == .refresh ? statuses.limits(after: services.now) : [:]
    if request.isRefused { return tellLimits() }
    do {
      var list = try await BrowseList(request, services)
      guard let page = try await list.first() else { return }
      statuses = list.statuses
      page.notes.forEach(tell)
      tellLimits()
      if scope == .refresh, !isSample, !shown.isEmpty, statuses.lose(self.list?.statuses ?? []) {
        return try output.result("the list stays as it was: \(HumanFormat.plural(shown.count, "result"))")
      }
      (self.list, shown, hasMore) = (list, [], page.hasMore)
      if list.items.isEmpty {
        // Who failed has been told.
        guard page.notes.isEmpty || request.query.isEmpty, statuses.limits(after: services.now).isEmpty else {
          return
        }
        return tell(
          request.query.isEmpty
            ? BrowseProblem(
              "the feed is empty",
              hint: "star repositories, or add clone folders with: forage clones add DIR")
            : BrowseProblem("nothing found", hint: "use fewer words or qualifiers"))
      }
      try write()
    } catch let error as Output.ClosedPipe {
      throw error
    } catch let error as Output.WriteFailure {
      throw error
    } catch {
      (list, statuses, shown, hasMore) = (nil, [], [], false)
      tell(BrowseProblem(error))
    }
  }

  /// Writes the next results of the list.
  private func write() throws {
    let items = results
    let fresh = items[min(shown.count, items.count)...].prefix(Self.pageSize)
    let kinds = Set(items.map(\.result.kind)).sorted { $0.rawValue < $1.rawValue }
    let rendering = KindRendering.of(kinds)
    let dates = FactSheet.Dates.ages(Date())
    for item in fresh {
      shown.append(item)
      try output.result("\(shown.count). " + rendering.sentence(item, dates, services.forage.bareHost))
    }
    let rest = hasMore || shown.count < items.count
    try output.result(
      "\(HumanFormat.plural(shown.count, "result"))"
        + (rest ? ", and more with: more" : ", and no more"))
  }

  private func more() async throws {
    guard list != nil else {
      return tell(BrowseProblem("there is no list", hint: "write what to search for"))
    }
    if shown.count >= results.count, hasMore {
      let page = await self.list?.next()
      hasMore = page?.hasMore ?? false
      page?.notes.forEach(tell)
      statuses = list?.statuses ?? []
      tellLimits()
    }
    guard shown.count < results.count else {
      return tell(BrowseProblem("there are no more results", hint: "write other words to search for"))
    }
    try write()
  }

  private func open(_ number: Int) async throws {
    try await act(on: number) { result in
      let (text, problems) = try await self.actions.details(
        result, self.request.providers, isRefresh: false)
      problems.forEach(self.tell)
      return self.lines(text)
    }
  }

  /// Sets a mark, or removes it where it is set.
  private func change(_ mark: BrowseMark, _ number: Int) async throws {
    try await act(on: number) { result in
      let field: ResultField = mark == .star ? .starred : .favorite
      let isSet = result[field]?.flag != true
      try await self.actions.set(mark, of: result, to: isSet)
      self.shown[number - 1].result.set(field, isSet)
      return [mark.done(isSet, result.title)]
    }
  }

  private func clone(_ number: Int, _ folder: String?) async throws {
    try await act(on: number) { result in
      let wanted = if let folder { folder } else { try await self.actions.cloneFolder(result) }
      let path = try await self.actions.clone(result, into: wanted)
      self.shown[number - 1].result.set(.path, path)
      return ["cloned \(result.title) to \(path)"]
    }
  }

  private func choose(_ ids: [String]) async throws {
    guard !ids.isEmpty else {
      for provider in providers {
        try output.result("\(provider.id): \(provider.isChosen ? "chosen" : "not chosen")")
      }
      return
    }
    for index in providers.indices { providers[index].isChosen = ids.contains(providers[index].id) }
    try await search(.asked)
  }
}

extension KindRendering {
  /// The most columns of one fact in a sentence, more than descriptions on GitHub have.
  private static let partColumns = 400

  /// A result as a sentence in which words tell what a table tells by place and color.
  fileprivate func sentence(_ item: MergedItem, _ dates: FactSheet.Dates, _ bareHost: String) -> String {
    var parts = [columns.first?.named(item, dates, bareHost) ?? item.result.title]
    let marks = ListMarks.words(item.result, isUnicode: false)
    if !marks.isEmpty { parts.append(marks) }
    for column in columns.dropFirst() {
      let text = TextWidth.truncated(column.named(item, dates, bareHost), to: Self.partColumns)
      let title = column.look.title.lowercased()
      guard !text.isEmpty else { continue }
      parts.append(
        column.isTime || column.isOrigin || column.isDetail
          ? "\(title) \(text)"
          : column.look.alignsRight
            ? "\(text) \(text == "1" && title.hasSuffix("s") ? String(title.dropLast()) : title)" : text)
    }
    return parts.joined(separator: ", ")
  }
}
