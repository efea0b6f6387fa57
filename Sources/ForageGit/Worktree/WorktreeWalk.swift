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
  init(
    _ index: IndexFile, in repository: GitRepository, at worktree: String, _ tasks: WalkItem.Tasks,
    isStrict: Bool = false
  ) throws(GitError) {
    self.index = index
    rules = StatRules(repository.config, index, isStrict: isStrict)
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
  /// - Parameter meanwhile: runs on this thread while the helper thread, if any, starts.
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
  /// - Parameter isAlone: whether there is no other thread; receives the number of this thread's waiting folders.
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
  /// - Parameter isBusy: whether this thread has processed a folder since its last call.
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

struct WalkItem: Sendable {
  /// What to do with the folder.
  struct Tasks: OptionSet, Sendable {
    let rawValue: UInt8
    /// Compare the files of the index with those on disk.
    static let compare = Tasks(rawValue: 1)
    /// Find names that the index does not have.
    static let list = Tasks(rawValue: 2)
    /// Report the paths of untracked files, besides their number.
    static let name = Tasks(rawValue: 4)
  }

  /// The path from the root without a trailing slash, with a NUL at the end.
  var path: [UInt8]
  /// The number of the folder in the index; -1 if it is untracked.
  var directory: Int32
  var tasks: Tasks
  /// The entries to compare; nil for all of the folder and its subfolders.
  var entries: Range<Int32>?
  /// The ignore rules that apply.
  var rules: IgnoreRules?
  /// Whether the index has a file of this name.
  var isShadowed = false
}

/// A finding about an entry of the index that is not simply clean.
struct WalkFinding: Sendable {
  enum Kind: UInt8, Sendable {
    /// The file differs or is absent.
    case changed
    case deleted
    /// The content must be compared.
    case doubtful
    /// A submodule, which is examined later.
    case submodule
    /// An intent-to-add entry whose file exists.
    case intentToAdd
    /// Not compared: skip-worktree or assume-unchanged.
    case unchecked
    /// Not compared, because the file cannot be reached.
    case unreachable
  }

  let entry: Int32
  let kind: Kind
}

/// The result of one thread of a walk.
struct WalkResult: Sendable {
  var findings: [WalkFinding] = []
  var untracked = 0
  /// The paths of untracked files, if they are requested.
  var untrackedPaths: [[UInt8]] = []
  /// Why the untracked files could not be counted.
  var error: GitError?

  mutating func add(_ other: WalkResult) {
    findings += other.findings
    untracked += other.untracked
    untrackedPaths += other.untrackedPaths
    error = error ?? other.error
  }
}

/// The root of a work tree as an open descriptor, which keeps relative paths short; closed when it is
/// deinitialised.
final class RootFolder: Sendable {
  let descriptor: Int32
  let path: String

  init(_ path: String) throws(GitError) {
    descriptor = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else {
      if errno == EACCES { throw FileAccess.denied(path) }
      throw GitError(.notFound, "the work tree \(path) cannot be opened: \(FileAccess.reason())")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Opens a folder below the root, but not through a symbolic link as the last component; -1 on failure (see
  /// `errno`).
  ///
  /// - Parameters:
  ///   - path: relative to the root, with a NUL at the end; empty for the root itself.
  ///   - lists: whether the names will be read.
  func open(_ path: UnsafePointer<CChar>, lists: Bool) -> Int32 {
    let flags = (lists ? O_RDONLY : enteringOnly) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    if path.pointee == 0 { return openat(descriptor, ".", flags) }
    return openat(descriptor, path, flags)
  }
}
