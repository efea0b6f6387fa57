import Dispatch
import Synchronization

/// Compares a work tree with its index, folder by folder, on one or two threads.
///
/// Each folder is opened once: its files are compared by what the file system says of them, and its names tell
/// what the index does not have.
final class WorktreeWalk: Sendable {
  /// From this many entries on a second thread is worth waking: some hundred microseconds of work.
  private static let sharedEntries = 512
  /// Or from this many folders still to be read.
  private static let sharedFolders = 32
  /// How long a thread sleeps at most before it looks again whether to stop, in milliseconds.
  private static let patience = 20

  private struct State {
    var items: [WalkItem] = []
    /// Threads that are at work on an item.
    var busy = 0
    /// Threads that wait for one.
    var waiting = 0
    var result = WalkResult()
  }

  let index: IndexFile
  let rules: StatRules
  /// The root of the work tree, opened; lives as long as the walk.
  let root: RootFolder
  /// The real path of the git folder, which is no other repository.
  let gitDir: String
  /// Reads a file of ignored paths that is only in the index.
  let skippedIgnoreFiles: [Int32: [UInt8]]

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let stops = Atomic(false)
  /// Whether a thread that has folders should leave some to others.
  private let isEmpty = Atomic(true)

  init(
    _ index: IndexFile, _ rules: StatRules, _ root: RootFolder, gitDir: String,
    skippedIgnoreFiles: [Int32: [UInt8]]
  ) {
    self.index = index
    self.rules = rules
    self.root = root
    self.gitDir = gitDir
    self.skippedIgnoreFiles = skippedIgnoreFiles
  }

  /// Walks.
  ///
  /// - Parameters:
  ///   - tasks: what to do in all folders.
  ///   - ignoring: what is ignored everywhere.
  ///   - meanwhile: done on this thread while the other begins, when there is one.
  ///   - isCancelled: asked on this thread, between folders.
  /// - Throws: `cancelled`, `tooLarge`, and what `meanwhile` throws.
  func run(
    _ tasks: WalkItem.Tasks, ignoring: IgnoreRules?, meanwhile: () throws(GitError) -> Void,
    isCancelled: () -> Bool
  ) throws(GitError) -> WalkResult {
    state.withLock {
      $0.items.append(WalkItem(path: [0], directory: 0, tasks: tasks, entries: nil, rules: ignoring))
    }
    let group = DispatchGroup()
    var hasHelper = index.records.count >= Self.sharedEntries
    if hasHelper { help(group) }
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
          help(group)
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

  private func help(_ group: DispatchGroup) {
    OwnThread.start(in: group) {
      self.index.withView { self.work($0) }
    }
  }

  /// Does folder after folder on this thread: those that it finds itself, but for some that it leaves to others.
  ///
  /// - Parameter isAlone: whether there is no other thread; told how many folders this one has still to do.
  private func work(
    _ view: IndexView, isCancelled: () -> Bool = { false }, isAlone: (Int) -> Bool = { _ in false }
  ) {
    var worker = WalkWorker(self, view)
    var own: [WalkItem] = []
    var isBusy = false
    while let item = own.popLast() ?? take(isBusy, isCancelled) {
      isBusy = true
      if isCancelled() { stops.store(true, ordering: .relaxed) }
      if stops.load(ordering: .relaxed) { break }
      own += worker.process(item)
      if !isAlone(own.count), own.count > 1, isEmpty.load(ordering: .relaxed) { give(&own) }
    }
    state.withLock { $0.result.add(worker.result) }
  }

  /// Leaves half of the folders to others: those that were found first, below which there may be most.
  private func give(_ own: inout [WalkItem]) {
    let count = own.count / 2
    let wakes = state.withLock { state in
      state.items += own[..<count]
      isEmpty.store(false, ordering: .relaxed)
      return state.waiting > 0
    }
    if wakes { wake.signal() }
    own.removeFirst(count)
  }

  /// The next folder that was left by others; nil when there is none and none can come.
  ///
  /// - Parameter isBusy: whether this thread has taken one before, which it has now done.
  private func take(_ isBusy: Bool, _ isCancelled: () -> Bool) -> WalkItem? {
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
      _ = wake.wait(timeout: .now() + .milliseconds(Self.patience))
      if isCancelled() { stops.store(true, ordering: .relaxed) }
      item = state.withLock { state in
        state.waiting -= 1
        return next(&state)
      }
    }
    return item
  }

  /// The next folder, if any; wakes the other thread when it waits and should look.
  private func next(_ state: inout State) -> WalkItem? {
    if stops.load(ordering: .relaxed) { return nil }
    let item = state.items.popLast()
    isEmpty.store(state.items.isEmpty, ordering: .relaxed)
    if item != nil { state.busy += 1 }
    if state.waiting > 0, !state.items.isEmpty || state.busy == 0 { wake.signal() }
    return item
  }
}
