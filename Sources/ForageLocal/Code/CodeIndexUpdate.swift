import ForageFoundation
import ForageGit
import ForageStore
import Synchronization

/// Brings the code index up to date for many clones.
package struct CodeIndexUpdate: Sendable {
  package struct Progress: Sendable {
    /// Clones that are done, and all.
    package var done: Int
    package var total: Int
    /// The texts that were indexed.
    package var files: Int
    /// The bytes of text that were indexed.
    package var bytes: Int
    /// The texts that will have been indexed at the end: those of the clones that have been looked at, and on
    /// average as many of each other one.
    package var expected: Int

    /// How long the rest takes at the rate so far; `nil` before there is one and when nothing is left.
    package func remaining(after elapsed: Duration) -> Duration? {
      files > 0 && files < expected ? elapsed * (Double(expected - files) / Double(files)) : nil
    }
  }

  package struct Summary: Sendable {
    /// Clones that are in the index now.
    package var clones = 0
    /// The files of these that are searched.
    package var files = 0
    /// The bytes of text that were indexed.
    package var bytes = 0
    /// Whether the index was emptied and built again.
    package var isRebuilt = false
    /// Clones that could not be read, with the reason.
    package var failures: [(path: String, message: String)] = []
  }

  /// From this number of blobs it matters how many of them no clone has any more.
  private static let leastBlobs = 1_000

  private let code: CodeSettings

  package init(_ code: CodeSettings) { self.code = code }

  /// Updates the index.
  ///
  /// - Parameters:
  ///   - stamps: The states of clones that were observed just now; without one the state is observed here.
  ///   - all: The roots of all clones, if those that are not among them are to be removed from the index.
  ///   - checks: Whether the index is checked first and built again if it is damaged.
  /// - Throws: `StoreError` if the index cannot be written; `CancellationError`.
  package func run(
    _ paths: [String], stamps: [String: String] = [:], all: [String]? = nil, checks: Bool = false,
    progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> Summary {
    let work = self
    let result: Result<Summary, any Error>
    do throws(GitError) {
      result = try await BlockingGit.run { isCancelled throws(GitError) in
        Result { try work.update(paths, stamps, all: all, checks: checks, isCancelled, progress) }
      }
    } catch {
      throw CancellationError()
    }
    do {
      return try result.get()
    } catch let error as GitError where error.code == .cancelled {
      throw CancellationError()
    }
  }

  private func update(
    _ paths: [String], _ stamps: [String: String], all: [String]?, checks: Bool,
    _ isCancelled: @escaping @Sendable () -> Bool,
    _ progress: @escaping @Sendable (Progress) -> Void
  ) throws -> Summary {
    var summary = Summary()
    if checks, try !code.index.isSound() {
      try code.index.discard()
      summary.isRebuilt = true
    }
    try code.index.setMaximumFileSize(code.maximumFileSize)
    let clones = Set(paths)
    let paths = Self.withSubmodules(paths)
    if let all {
      let gone = Set(try code.index.trees().keys).subtracting(Self.withSubmodules(all))
      try code.index.remove(gone.sorted())
      try code.index.removeSnapshots(of: code.index.snapshotPaths().subtracting(all).sorted())
      if let usage = try code.index.usage(), usage.blobs >= Self.leastBlobs, usage.unused * 3 >= usage.blobs {
        try code.index.clear()
        summary.isRebuilt = true
      }
    }
    let known = try code.index.trees()
    var changed: [String] = []
    for path in paths {
      if let tree = known[path], tree.missing == 0,
        tree.stamp == stamps[path] ?? CloneProbe.fingerprint(path)
      {
        summary.clones += clones.contains(path) ? 1 : 0
        summary.files += tree.files
      } else {
        changed.append(path)
      }
    }
    let shared = Shared(total: paths.count, changed: changed.count)
    // Clones of which files are missing, with the number of texts that were indexed until then.
    var lacking: [(path: String, files: Int)] = []
    for path in changed {
      if isCancelled() { throw GitError.cancelled }
      shared.begin()
      // Each clone is closed before the next one is opened.
      let indexer = CloneIndexer(
        index: code.index, repositories: CodeRepositories(),
        maximumFileSize: code.maximumFileSize, isCancelled: isCancelled,
        announce: { shared.announce($0) },
        progress: { bytes in
          progress(
            shared.change {
              $0.bytes += bytes
              $0.files += 1
            })
        })
      do {
        if case .indexed(let tree) = try indexer.update(path, clone: 0, known: known[path]) {
          summary.clones += clones.contains(path) ? 1 : 0
          summary.files += tree.files
          if tree.missing > 0 { lacking.append((path, shared.progress.files)) }
        }
      } catch let error as GitError where error.code != .cancelled {
        summary.failures.append((path, error.message))
      }
      progress(shared.change { $0.done += 1 })
    }
    if let ripgrep = code.ripgrep {
      let survey = WorkTreeSurvey(
        ripgrep: ripgrep, index: code.index, maximumFileSize: code.maximumFileSize, isCancelled: isCancelled)
      for path in paths where clones.contains(path) && CloneProbe.hasWorktree(path) {
        if isCancelled() { throw GitError.cancelled }
        try survey.update(path)
      }
    }
    // What a partial clone lacks may have come with a later clone.
    for (path, files) in lacking where files < shared.progress.files {
      let indexer = CloneIndexer(
        index: code.index, repositories: CodeRepositories(), maximumFileSize: code.maximumFileSize,
        isCancelled: isCancelled)
      guard let known = try code.index.tree(path: path) else { continue }
      do {
        if case .indexed(let tree) = try indexer.update(path, clone: 0, known: known) {
          summary.files += tree.files - known.files
        }
      } catch let error as GitError where error.code != .cancelled {
        summary.failures.append((path, error.message))
      }
    }
    summary.bytes = shared.progress.bytes
    return summary
  }

  /// Clones, each followed by its submodules that are checked out, which are searched with it.
  private static func withSubmodules(_ paths: [String]) -> [String] {
    var known: Set<String> = Set(paths)
    return paths.flatMap { root in
      [root]
        + GitRepository.checkedOutSubmodules(in: root).map { root + "/" + $0 }.filter {
          known.insert($0).inserted
        }
    }
  }

  /// What the progress of an update shares with its callbacks.
  private final class Shared: Sendable {
    private struct State {
      var progress: Progress
      /// Clones to index, those that were begun, and the texts to index that these have.
      let changed: Int
      var begun = 0
      var announced = 0
    }

    private let state: Mutex<State>

    init(total: Int, changed: Int) {
      let progress = Progress(done: total - changed, total: total, files: 0, bytes: 0, expected: 0)
      state = Mutex(State(progress: progress, changed: changed))
    }

    var progress: Progress { state.withLock { $0.progress } }

    func begin() { state.withLock { $0.begun += 1 } }

    func announce(_ texts: Int) {
      state.withLock { state in
        state.announced += texts
        state.progress.expected =
          state.announced + state.announced * (state.changed - state.begun) / max(1, state.begun)
      }
    }

    func change(_ body: (inout Progress) -> Void) -> Progress {
      state.withLock { state in
        body(&state.progress)
        return state.progress
      }
    }
  }
}
