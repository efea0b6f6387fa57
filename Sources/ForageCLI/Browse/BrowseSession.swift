import Forage
import ForageBrowse
import ForageCore
import Synchronization

/// Carries out the effects of the screens; the outcomes are delivered as events.
final class BrowseSession: Sendable {
  private struct State {
    /// The search that runs or ran last.
    var request: BrowseRequest?
    /// Its list, after its first page.
    var list: BrowseList?
    var search: Task<Void, Never>?
    var page: Task<Void, Never>?
    var details: Task<Void, Never>?
    var facts: Task<Void, Never>?
    /// The last change of each mark: changes are made one after the other.
    var marks: [BrowseMark: Task<Void, Never>] = [:]
    /// The changes of stars that have not ended.
    var pendingStars = 0
    var clones: [Int: Task<Void, Never>] = [:]
    var count = 0
    /// Every result that was shown, by its key.
    var results: [String: SearchResult] = [:]
  }

  private let services: BrowseServices
  private let actions: BrowseActions
  private let deliver: @Sendable (BrowseEvent) -> Void
  private let state = Mutex(State())

  /// - Parameter deliver: Receives the events, on any thread.
  init(_ services: BrowseServices, deliver: @escaping @Sendable (BrowseEvent) -> Void) {
    self.deliver = deliver
    self.services = services.reporting {
      $0.waiting = { deliver(.waiting(provider: $0, until: services.now + $1)) }
    }
    actions = BrowseActions(services: self.services)
  }

  /// Carries out an effect; returns at once.
  func perform(_ effect: BrowseEffect) {
    switch effect {
    case .search(let request): search(request)
    case .more(let generation): more(generation)
    case .stop: state.withLock { $0.page }?.cancel()
    case .details(let key, let request, let isRefresh): details(key, request, isRefresh)
    case .facts(let key, let request): facts(key, request)
    case .mark(let mark, let key, let isSet, let request): change(mark, key, isSet, request)
    case .open(let address):
      run { session in
        do throws(BrowseProblem) {
          session.deliver(.told(try await session.actions.open(address)))
        } catch {
          session.deliver(.told(error))
        }
      }
    case .cloneFolder(let key):
      run { session in
        session.deliver(
          .cloneFolder(
            key: key,
            await session.outcome(key) { result async throws(BrowseProblem) in
              try await session.actions.cloneFolder(result)
            }))
      }
    case .clone(let key, let folder): clone(key, folder)
    // These are for the terminal.
    case .edit, .copy, .redraw, .suspend, .quit: break
    }
  }

  /// Whether a star that is shown may still fail.
  var isStarring: Bool { state.withLock { $0.pendingStars > 0 } }

  /// Cancels what runs, and waits for clones, so that none is left half, and for marks, which are shown already.
  ///
  /// - Parameter sendsStars: Whether stars are sent until the task is cancelled; otherwise they are cancelled at once.
  func end(sendsStars: Bool) async {
    let (tasks, clones, marks) = state.withLock {
      ([$0.search, $0.page, $0.details, $0.facts].compactMap(\.self), Array($0.clones.values), $0.marks)
    }
    for task in tasks + clones { task.cancel() }
    if !sendsStars { marks[.star]?.cancel() }
    await withTaskCancellationHandler {
      for task in clones + marks.values { await task.value }
    } onCancel: {
      marks[.star]?.cancel()
    }
  }

  @discardableResult
  private func run(_ work: @escaping @Sendable (BrowseSession) async -> Void) -> Task<Void, Never> {
    OwnThreadExecutor.task { [self] in await work(self) }
  }

  private func result(_ key: String) throws(BrowseProblem) -> SearchResult {
    guard let result = state.withLock({ $0.results[key] }) else {
      throw BrowseProblem("the result is no longer there", hint: "search again")
    }
    return result
  }

  private func outcome<Value>(
    _ key: String, _ work: (SearchResult) async throws(BrowseProblem) -> Value
  ) async -> Result<Value, BrowseProblem> {
    do throws(BrowseProblem) {
      return .success(try await work(try result(key)))
    } catch {
      return .failure(error)
    }
  }

  /// Remembers the results of rows, so that they can be acted on as soon as they are shown.
  private func keep(_ results: [SearchResult]) {
    state.withLock { state in
      for result in results { state.results[BrowseItem.key(result)] = result }
    }
  }

  private func search(_ request: BrowseRequest) {
    let generation = request.generation
    let old = state.withLock { state in
      (state.request, state.list) = (request, nil)
      return [state.search, state.page].compactMap(\.self)
    }
    for task in old { task.cancel() }
    let task = run { session in
      let tell: @Sendable (BrowseSearchEvent) -> Void = { news in
        session.deliver(.search(generation: generation, news))
      }
      do {
        var list = try BrowseList(request, session.services, keep: session.keep, tell: tell)
        guard let page = try await list.first() else { return }
        session.store(list, of: generation)
        tell(.page(page))
      } catch {
        if !Task.isCancelled { tell(.failed(BrowseProblem(error))) }
      }
    }
    state.withLock { $0.search = task }
  }

  private func store(_ list: BrowseList, of generation: Int) {
    state.withLock { if $0.request?.generation == generation { $0.list = list } }
  }

  private func more(_ generation: Int) {
    guard
      let known = state.withLock({ $0.request?.generation == generation ? $0.list : nil })
    else { return }
    let task = run { session in
      var list = known
      let news: BrowseSearchEvent
      do throws(SearchError) {
        guard let page = try await list.next() else { return }
        session.store(list, of: generation)
        news = .page(page)
      } catch {
        news = .page(
          BrowsePage(
            BrowseRows(columns: [], items: []), isAppended: true,
            notes: [BrowseProblem(error.message, hint: "search again with r")]))
      }
      session.deliver(.search(generation: generation, news))
    }
    state.withLock { $0.page = task }
  }

  private func details(_ key: String, _ request: Int, _ isRefresh: Bool) {
    let (old, providers) = state.withLock { ($0.details, $0.request?.providers ?? []) }
    old?.cancel()
    let task = run { session in
      let found = await session.outcome(key) { result async throws(BrowseProblem) in
        try await session.actions.details(result, providers, isRefresh: isRefresh)
      }
      guard !Task.isCancelled else { return }
      session.deliver(.details(request: request, found.map { $0.text }))
      if case .success(let page) = found, let problem = page.problems.first {
        session.deliver(.told(problem))
      }
    }
    state.withLock { $0.details = task }
  }

  private func facts(_ key: String, _ request: Int) {
    state.withLock { $0.facts }?.cancel()
    let task = run { session in
      let facts = await session.outcome(key) { result async throws(BrowseProblem) in
        try await session.actions.facts(result, orElse: "clone it with c")
      }
      if !Task.isCancelled { session.deliver(.facts(request: request, facts)) }
    }
    state.withLock { $0.facts = task }
  }

  /// Changes a mark; stars are sent in the order of the keys, with the pause that GitHub asks for.
  private func change(_ mark: BrowseMark, _ key: String, _ isSet: Bool, _ request: Int) {
    let before = state.withLock { state in
      if mark == .star { state.pendingStars += 1 }
      return state.marks[mark]
    }
    let task = run { session in
      defer { if mark == .star { session.state.withLock { $0.pendingStars -= 1 } } }
      if let before {
        await withTaskCancellationHandler {
          await before.value
        } onCancel: {
          before.cancel()
        }
        if mark == .star { try? await Task.sleep(for: Starring.pause) }
      }
      let changed = await session.outcome(key) { result async throws(BrowseProblem) in
        try await session.actions.set(mark, of: result, to: isSet)
      }
      var problem: BrowseProblem?
      if case .failure(let error) = changed { problem = error }
      session.deliver(.marked(mark, key: key, isSet: isSet, request: request, problem))
    }
    state.withLock { $0.marks[mark] = task }
  }

  private func clone(_ key: String, _ folder: String) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let task = run { session in
      let cloned = await session.outcome(key) { result async throws(BrowseProblem) in
        try await session.actions.clone(result, into: folder)
      }
      session.state.withLock { state in
        if case .success(let path) = cloned { state.results[key]?.set(.path, path) }
        state.clones[number] = nil
      }
      session.deliver(.cloned(key: key, cloned))
    }
    state.withLock { $0.clones[number] = task }
  }
}
