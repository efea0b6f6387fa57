import Dispatch
import ForagePlatform
import Synchronization

/// Compares files by content if their metadata does not show whether they differ.
struct ContentCheck {
  /// The number of files from which a second thread with its own handle pays off: some milliseconds of work.
  private static let sharedCount = 256
  /// The files that a thread takes at a time.
  private static let batch = 16

  let index: IndexFile
  let root: String
  let repository: GitRepository

  /// Compares files.
  ///
  /// - Parameters:
  ///   - entries: the indices of the entries.
  ///   - isCancelled: polled on this thread for each file; true cancels.
  /// - Returns: a verdict for each of the entries.
  /// - Throws: `cancelled`, and the errors of opening a second handle.
  func run(_ entries: [Int32], isCancelled: () -> Bool) throws(GitError) -> [ContentHasher.Verdict] {
    if entries.isEmpty { return [] }
    let shared = Shared(entries.count)
    let attributes = attributeEntries()
    let group = DispatchGroup()
    if entries.count >= Self.sharedCount {
      let (open, index, root) = (repository.reopening, index, root)
      OwnThread.start(in: group) {
        do throws(GitError) {
          try Self.work(entries, shared, index, root, attributes, open()) { false }
        } catch {
          shared.fail(error)
        }
      }
    }
    do throws(GitError) {
      try Self.work(entries, shared, index, root, attributes, repository, isCancelled)
    } catch {
      shared.fail(error)
    }
    group.wait()
    return try shared.verdicts()
  }

  /// Returns the entries of `.gitattributes` files that the work tree lacks. Git reads only those from the
  /// index; libgit2 adds the rules of all that its index has.
  private func attributeEntries() -> [Int32] {
    index.withView { view in
      view.records.indices.compactMap { entry in
        let path = view.path(entry)
        guard ContentHasher.isAttributes(path), !FileAccess.exists(root, path) else { return nil }
        return Int32(truncatingIfNeeded: entry)
      }
    }
  }

  private static func work(
    _ entries: [Int32], _ shared: Shared, _ index: IndexFile, _ root: String, _ attributes: [Int32],
    _ repository: GitRepository, _ isCancelled: () -> Bool
  ) throws(GitError) {
    let hasher = try ContentHasher(repository)
    try index.withView { (view) throws(GitError) in
      for entry in attributes { hasher.add(Int(entry), view) }
      while let part = shared.next(batch, of: entries.count) {
        var verdicts: [ContentHasher.Verdict] = []
        for position in part {
          if isCancelled() { throw .cancelled }
          verdicts.append(hasher.compare(Int(entries[position]), view, root: root))
        }
        shared.deliver(verdicts, at: part.lowerBound)
      }
    }
  }

  /// The state that the threads share.
  private final class Shared: Sendable {
    private struct State {
      var verdicts: [ContentHasher.Verdict]
      var next = 0
      var error: GitError?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
      state = Mutex(State(verdicts: [ContentHasher.Verdict](repeating: .different, count: count)))
    }

    func next(_ batch: Int, of count: Int) -> Range<Int>? {
      state.withLock { state in
        guard state.error == nil, state.next < count else { return nil }
        let part = state.next..<min(state.next + batch, count)
        state.next = part.upperBound
        return part
      }
    }

    func deliver(_ verdicts: [ContentHasher.Verdict], at start: Int) {
      state.withLock { state in
        for (offset, verdict) in verdicts.enumerated() { state.verdicts[start + offset] = verdict }
      }
    }

    func fail(_ error: GitError) { state.withLock { $0.error = $0.error ?? error } }

    func verdicts() throws(GitError) -> [ContentHasher.Verdict] {
      let (verdicts, error) = state.withLock { ($0.verdicts, $0.error) }
      if let error { throw error }
      return verdicts
    }
  }
}
