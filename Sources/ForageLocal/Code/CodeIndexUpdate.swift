import ForageFoundation
import ForageGit
import ForageStore
import Synchronization

/// Brings the code index up to date for many clones.
package struct CodeIndexUpdate: Sendable {
  /// How far an update is.
  package struct Progress: Sendable {
    /// Clones that are done, and all.
    package var done: Int
    package var total: Int
    /// The texts that were indexed.
    package var files: Int
    /// The bytes of text that were indexed.
    package var bytes: Int
  }

  /// What an update did.
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
  ///   - paths: The roots of the clones to update.
  ///   - stamps: The states of clones that were observed just now; without one the state is observed here.
  ///   - all: The roots of all clones, if those that are not among them are to be removed from the index.
  ///   - checks: Whether the index is checked first and built again if it is damaged.
  ///   - progress: Receives how far the update is.
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
    if let all {
      let gone = Set(try code.index.trees().keys).subtracting(all)
      try code.index.remove(gone.sorted())
      if let usage = try code.index.usage(), usage.blobs >= Self.leastBlobs, usage.unused * 3 >= usage.blobs {
        try code.index.clear()
        summary.isRebuilt = true
      }
    }
    let shared = Shared(Progress(done: 0, total: paths.count, files: 0, bytes: 0))
    let known = try code.index.trees(checksBlobs: true)
    // Clones of which files are missing, with the number of texts that were indexed until then.
    var lacking: [(path: String, files: Int)] = []
    for path in paths {
      if isCancelled() { throw GitError.cancelled }
      if let tree = known[path], tree.missing == 0,
        tree.stamp == stamps[path] ?? CloneProbe.fingerprint(path)
      {
        summary.clones += 1
        summary.files += tree.files
        shared.state.withLock { $0.done += 1 }
        continue
      }
      // Each clone is closed before the next one is opened.
      let indexer = CodeIndexer(
        index: code.index, repositories: CodeRepositories(),
        maximumFileSize: code.maximumFileSize, isCancelled: isCancelled,
        progress: { bytes in
          let now = shared.state.withLock { state in
            state.bytes += bytes
            state.files += 1
            return state
          }
          progress(now)
        })
      do {
        if case .indexed(let tree) = try indexer.update(path, clone: 0, known: known[path]) {
          summary.clones += 1
          summary.files += tree.files
          if tree.missing > 0 { lacking.append((path, shared.state.withLock { $0.files })) }
        }
      } catch let error as GitError where error.code != .cancelled {
        summary.failures.append((path, error.message))
      }
      progress(
        shared.state.withLock { state in
          state.done += 1
          return state
        })
    }
    // What a partial clone lacks may have come with a later clone.
    for (path, files) in lacking where files < shared.state.withLock({ $0.files }) {
      let indexer = CodeIndexer(
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
    // An index that cannot be written may still be right.
    try? code.index.seal()
    summary.bytes = shared.state.withLock { $0.bytes }
    return summary
  }

  /// What the progress of an update shares with its callbacks.
  private final class Shared: Sendable {
    let state: Mutex<Progress>
    init(_ progress: Progress) { state = Mutex(progress) }
  }
}
