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
      var worker = WalkWorker(self, view)
      var item = take(returning: [], finished: false)
      while let current = item {
        if isCancelled() {
          stops.store(true, ordering: .relaxed)
          break
        }
        let found = worker.process(current)
        if !hasHelper, found.count + state.withLock({ $0.items.count }) >= Self.sharedFolders {
          hasHelper = true
          help(group)
        }
        item = take(returning: found, finished: true, isCancelled: isCancelled)
      }
      deliver(worker.result)
    }
    group.wait()
    if stops.load(ordering: .relaxed) { throw .cancelled }
    let result = state.withLock { $0.result }
    if let error = result.error { throw error }
    return result
  }

  private func help(_ group: DispatchGroup) {
    OwnThread.start(in: group) {
      self.index.withView { view in
        var worker = WalkWorker(self, view)
        var item = self.take(returning: [], finished: false)
        while let current = item {
          item = self.take(returning: worker.process(current), finished: true)
        }
        self.deliver(worker.result)
      }
    }
  }

  private func deliver(_ result: WalkResult) {
    state.withLock { $0.result.add(result) }
  }

  /// Adds what was found and takes the next folder; nil when there is none and none can come.
  private func take(
    returning found: [WalkItem], finished: Bool, isCancelled: () -> Bool = { false }
  ) -> WalkItem? {
    var item = state.withLock { state -> WalkItem? in
      if finished { state.busy -= 1 }
      state.items.append(contentsOf: found)
      return next(&state)
    }
    while item == nil {
      if stops.load(ordering: .relaxed) { return nil }
      let isOver = state.withLock { $0.busy == 0 && $0.items.isEmpty }
      if isOver { return nil }
      state.withLock { $0.waiting += 1 }
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
    if item != nil { state.busy += 1 }
    if state.waiting > 0, !state.items.isEmpty || state.busy == 0 { wake.signal() }
    return item
  }
}
