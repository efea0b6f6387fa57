import Forage
import ForageBrowse
import ForageCore
import Synchronization

/// Carries out the effects of the screens; the outcomes are delivered as events.
final class BrowseSession: Sendable {
  private struct State {
    /// The search that runs or ran last.
    var request: BrowseRequest?
    /// The lists after their first page, by generation: its own, and those that are kept.
    var lists: [Int: BrowseList] = [:]
    var search: Task<Void, Never>?
    var page: Task<Void, Never>?
    var details: Task<Void, Never>?
    var facts: Task<Void, Never>?
    /// The last change of each mark: changes are made one after the other.
    var marks: [BrowseMark: Task<Void, Never>] = [:]
    /// The changes of stars that have not ended.
    var pendingStars = 0
    /// The clones that are being made, by the key of the repository.
    var clones: [String: Task<Void, Never>] = [:]
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
    case .show(let request): for task in begin(request, keeping: nil) { task.cancel() }
    case .more(let generation): more(generation)
    case .stop: state.withLock { $0.page }?.cancel()
    case .details(let result, let request, let isRefresh): details(result, request, isRefresh)
    case .preview(let result, let request): preview(result, request)
    case .facts(let result, let path, let request): facts(result, path, request)
    case .mark(let mark, let result, let isSet, let request): change(mark, result, isSet, request)
    case .open(let address): tell { try await $0.actions.open(address) }
    case .markRead(let result): tell { try await $0.actions.markRead(result) }
    case .cloneFolder(let result):
      run { session in
        let folder = await Self.outcome { try await session.actions.cloneFolder(result) }
        session.deliver(.cloneFolder(key: BrowseItem.key(result), folder))
      }
    case .clone(let result, let folder): clone(result, folder)
    // These are for the terminal.
    case .edit, .act, .copy, .redraw, .suspend, .quit: break
    }
  }

  /// Whether a star that is shown may still fail.
  var isStarring: Bool { state.withLock { $0.pendingStars > 0 } }

  /// Cancels what runs, and waits for clones, so that none is left half, and for marks, which are shown
  /// already.
  ///
  /// - Parameter sendsStars: Whether stars are sent until the task is cancelled; otherwise they are cancelled
  ///   at once.
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

  /// The result of an action, or what its error says.
  private static func outcome<Value>(_ action: () async throws -> Value) async -> Result<Value, BrowseProblem>
  {
    await Result.of(action).mapError { BrowseProblem($0) }
  }

  private func search(_ request: BrowseRequest) {
    let generation = request.generation
    for task in begin(request, keeping: request.kept) { task.cancel() }
    let task = run { session in
      let tell: @Sendable (BrowseSearchEvent) -> Void = { news in
        session.deliver(.search(generation: generation, news))
      }
      do {
        var list = try await BrowseList(request, session.services, tell: tell)
        guard let page = try await list.first() else { return }
        if session.store(list, of: generation) { tell(.page(page)) }
      } catch {
        if !Task.isCancelled { tell(.failed(BrowseProblem(error))) }
      }
    }
    state.withLock { $0.search = task }
  }

  /// Makes a search the one that is shown.
  ///
  /// - Parameter kept: The generations whose lists may be shown again; `nil` for all.
  /// - Returns: What runs for another one.
  private func begin(_ request: BrowseRequest, keeping kept: Set<Int>?) -> [Task<Void, Never>] {
    state.withLock { state in
      state.request = request
      if let kept { state.lists = state.lists.filter { kept.contains($0.key) } }
      return [state.search, state.page].compactMap(\.self)
    }
  }

  /// - Returns: Whether it is still wanted, because it is shown or kept.
  private func store(_ list: BrowseList, of generation: Int) -> Bool {
    state.withLock { state in
      let isWanted = state.request?.generation == generation || state.lists[generation] != nil
      if isWanted { state.lists[generation] = list }
      return isWanted
    }
  }

  private func more(_ generation: Int) {
    guard
      let known = state.withLock({ $0.request?.generation == generation ? $0.lists[generation] : nil })
    else { return }
    let task = run { session in
      var list = known
      guard let page = await list.next(), session.store(list, of: generation) else { return }
      session.deliver(.search(generation: generation, .page(page)))
    }
    state.withLock { $0.page = task }
  }

  private func details(_ result: SearchResult, _ request: Int, _ isRefresh: Bool) {
    let (old, providers) = state.withLock { ($0.details, $0.request?.providers ?? []) }
    old?.cancel()
    let task = run { session in
      let found = await Self.outcome {
        try await session.actions.details(result, providers, isRefresh: isRefresh)
      }
      guard !Task.isCancelled else { return }
      session.deliver(.details(request: request, found.map { $0.text }))
      if case .success(let page) = found, let problem = page.problems.first {
        session.deliver(.reported(problem))
      }
    }
    state.withLock { $0.details = task }
  }

  /// Does something, and shows what was done or why not.
  private func tell(_ work: @escaping @Sendable (BrowseSession) async throws -> String) {
    run { session in
      switch await Self.outcome({ try await work(session) }) {
      case .success(let done): session.deliver(.reported(BrowseProblem(done)))
      case .failure(let problem): session.deliver(.reported(problem))
      }
    }
  }

  private func preview(_ result: SearchResult, _ request: Int) {
    let (old, providers) = state.withLock { ($0.details, $0.request?.providers ?? []) }
    old?.cancel()
    let task = run { session in
      let found = await Self.outcome { try await session.actions.preview(result, providers) }
      guard !Task.isCancelled else { return }
      switch found {
      case .success(nil): session.deliver(.detailsWithheld(request: request))
      case .success(let text?): session.deliver(.details(request: request, .success(text)))
      case .failure(let problem): session.deliver(.details(request: request, .failure(problem)))
      }
    }
    state.withLock { $0.details = task }
  }

  private func facts(_ result: SearchResult, _ path: String?, _ request: Int) {
    state.withLock { $0.facts }?.cancel()
    let task = run { session in
      let facts = await Self.outcome { try await session.actions.facts(result, path: path) }
      if !Task.isCancelled { session.deliver(.facts(request: request, facts)) }
    }
    state.withLock { $0.facts = task }
  }

  /// Changes a mark; stars are sent in the order of the keys, with the pause that the forge asks for.
  private func change(_ mark: BrowseMark, _ result: SearchResult, _ isSet: Bool, _ request: Int) {
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
        if mark == .star { try? await Task.sleep(for: session.actions.pauseOfStars(result)) }
      }
      let changed = await Self.outcome { try await session.actions.set(mark, of: result, to: isSet) }
      var problem: BrowseProblem?
      if case .failure(let error) = changed { problem = error }
      session.deliver(
        .marked(mark, key: BrowseItem.key(result), isSet: isSet, request: request, problem))
    }
    state.withLock { $0.marks[mark] = task }
  }

  private func clone(_ result: SearchResult, _ folder: String) {
    let key = BrowseItem.key(result)
    let task = run { session in
      let cloned = await Self.outcome { try await session.actions.clone(result, into: folder) }
      session.state.withLock { $0.clones[key] = nil }
      session.deliver(.cloned(key: key, cloned))
    }
    state.withLock { $0.clones[key] = task }
  }
}
