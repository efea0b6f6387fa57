import Dispatch
import ForagePlatform
import Synchronization

/// Compares a work tree with its index folder by folder, on one or two threads.
///
/// Each folder is opened once: its files are compared by metadata, and its names are matched with the index.
final class WorktreeWalk: Sendable {
  /// The number of entries from which a second thread pays off: some hundred microseconds of work.
  private static let sharedEntries = 512
  /// The number of waiting folders from which a second thread pays off.
  private static let sharedFolders = 32
  /// The interval in milliseconds at which a waiting thread checks for cancellation.
  private static let wakeInterval = 20

  private struct State {
    var items: [WalkItem] = []
    /// The number of threads that process an item.
    var busy = 0
    /// The number of threads that wait for an item.
    var waiting = 0
    var result = WalkResult()
  }

  let index: IndexFile
  let rules: StatRules
  /// The root of the work tree, open as long as the walk.
  let root: RootFolder
  /// The real path of the git directory, to distinguish it from nested repositories.
  let gitDir: String
  /// The `.gitignore` files that are only in the index, by folder.
  let skippedIgnoreFiles: [Int32: [UInt8]]

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let stops = Atomic(false)
  /// Whether the shared queue is empty, so that a busy thread should share its folders.
  private let isEmpty = Atomic(true)

  /// Prepares a walk, with the ignore rules if names are listed.
  ///
  /// - Parameter tasks: what to do in all folders.
  init(
    _ index: IndexFile, in repository: GitRepository, at worktree: String, _ tasks: WalkItem.Tasks
  ) throws(GitError) {
    self.index = index
    rules = StatRules(repository.config, index)
    root = try RootFolder(worktree)
    gitDir = repository.gitDir
    let lists = tasks.contains(.list)
    skippedIgnoreFiles = try lists ? index.skippedIgnoreFiles(repository) : [:]
    let ignoring = try lists ? repository.globalIgnoreRules(foldsCase: rules.foldsCase) : nil
    state.withLock {
      $0.items.append(WalkItem(path: [0], directory: 0, tasks: tasks, entries: nil, rules: ignoring))
    }
  }

  /// Runs the walk, once.
  ///
  /// - Parameters:
  ///   - meanwhile: runs on this thread while the helper thread, if any, starts.
  ///   - isCancelled: polled on this thread between folders; true cancels.
  /// - Throws: `cancelled`, `tooLarge`, and the errors of `meanwhile`.
  func run(
    meanwhile: () throws(GitError) -> Void, isCancelled: () -> Bool
  ) throws(GitError) -> WalkResult {
    let group = DispatchGroup()
    var hasHelper = index.records.count >= Self.sharedEntries
    if hasHelper { startHelper(group) }
    do throws(GitError) {
      try meanwhile()
    } catch {
      stops.store(true, ordering: .relaxed)
      group.wait()
      throw error
    }
    index.withView { view in
      work(view, isCancelled: isCancelled) { waiting in
        if !hasHelper, waiting >= Self.sharedFolders {
          hasHelper = true
          startHelper(group)
        }
        return !hasHelper
      }
    }
    group.wait()
    if stops.load(ordering: .relaxed) { throw .cancelled }
    let result = state.withLock { $0.result }
    if let error = result.error { throw error }
    return result
  }

  private func startHelper(_ group: DispatchGroup) {
    OwnThread.start(in: group) {
      self.index.withView { self.work($0) }
    }
  }

  /// Processes folders on this thread: those that it finds, and those that other threads share.
  ///
  /// - Parameters:
  ///   - view: the index.
  ///   - isCancelled: polled between folders; true cancels.
  ///   - isAlone: whether there is no other thread; receives the number of this thread's waiting folders.
  private func work(
    _ view: IndexView, isCancelled: () -> Bool = { false }, isAlone: (Int) -> Bool = { _ in false }
  ) {
    var worker = WalkWorker(self, view)
    var own: [WalkItem] = []
    var isBusy = false
    while let item = own.popLast() ?? takeShared(isBusy, isCancelled) {
      isBusy = true
      if isCancelled() { stops.store(true, ordering: .relaxed) }
      if stops.load(ordering: .relaxed) { break }
      own += worker.process(item)
      if !isAlone(own.count), own.count > 1, isEmpty.load(ordering: .relaxed) { share(&own) }
    }
    state.withLock { $0.result.add(worker.result) }
  }

  /// Shares half of the folders: those found first, which may have the most below them.
  private func share(_ own: inout [WalkItem]) {
    let count = own.count / 2
    let wakes = state.withLock { state in
      state.items += own[..<count]
      isEmpty.store(false, ordering: .relaxed)
      return state.waiting > 0
    }
    if wakes { wake.signal() }
    own.removeFirst(count)
  }

  /// Takes the next shared folder; nil if there is none and none can follow.
  ///
  /// - Parameters:
  ///   - isBusy: whether this thread has processed a folder since its last call.
  ///   - isCancelled: polled while waiting; true cancels.
  private func takeShared(_ isBusy: Bool, _ isCancelled: () -> Bool) -> WalkItem? {
    var item = state.withLock { state -> WalkItem? in
      if isBusy { state.busy -= 1 }
      return next(&state)
    }
    while item == nil {
      if stops.load(ordering: .relaxed) { return nil }
      let isOver = state.withLock { state in
        let isOver = state.busy == 0 && state.items.isEmpty
        if !isOver { state.waiting += 1 }
        return isOver
      }
      if isOver { return nil }
      _ = wake.wait(timeout: .now() + .milliseconds(Self.wakeInterval))
      if isCancelled() { stops.store(true, ordering: .relaxed) }
      item = state.withLock { state in
        state.waiting -= 1
        return next(&state)
      }
    }
    return item
  }

  /// Takes the next folder, if any; wakes the other thread if it waits and has reason to check.
  private func next(_ state: inout State) -> WalkItem? {
    if stops.load(ordering: .relaxed) { return nil }
    let item = state.items.popLast()
    isEmpty.store(state.items.isEmpty, ordering: .relaxed)
    if item != nil { state.busy += 1 }
    if state.waiting > 0, !state.items.isEmpty || state.busy == 0 { wake.signal() }
    return item
  }
}
