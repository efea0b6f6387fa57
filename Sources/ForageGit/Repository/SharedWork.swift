import Dispatch
import ForagePlatform
import Synchronization

/// Independent jobs that the calling thread shares with a second one, each with a repository handle of its own.
final class SharedWork<Part: Sendable>: Sendable {
  private let count: Int
  private let portion: Int
  private let taken = Atomic(0)
  private let stops = Atomic(false)
  private let other = Mutex<Result<Part, GitError>?>(nil)

  private init(_ count: Int, by portion: Int) {
    self.count = count
    self.portion = portion
  }

  private var isStopped: Bool { stops.load(ordering: .relaxed) }

  private func next() -> Range<Int>? {
    let start = isStopped ? count : taken.wrappingAdd(portion, ordering: .relaxed).oldValue
    return start < count ? start..<min(start + portion, count) : nil
  }

  private func stopped<Value>(_ result: Result<Value, GitError>) -> Result<Value, GitError> {
    if case .failure = result { stops.store(true, ordering: .relaxed) }
    return result
  }

  /// Runs `work` on this thread and, for enough jobs, on a second one.
  ///
  /// - Parameters:
  ///   - portion: the number of neighbouring jobs that a thread takes at a time.
  ///   - sharedCount: the number of jobs from which the second thread pays off.
  ///   - work: takes portions of the jobs until there are none left, and polls its `isCancelled` regularly.
  /// - Returns: the result of each thread.
  /// - Throws: the error of a thread, which stops the other one; `cancelled`.
  static func run(
    _ count: Int, by portion: Int, from sharedCount: Int, in repository: GitRepository,
    isCancelled: () -> Bool,
    _ work:
      @escaping @Sendable (
        _ repository: GitRepository, _ next: () -> Range<Int>?, _ isCancelled: () -> Bool
      ) throws(GitError) -> Part
  ) throws(GitError) -> [Part] {
    let shared = SharedWork(count, by: portion)
    let group = DispatchGroup()
    if count >= sharedCount {
      let reopen = repository.reopening
      OwnThread.start(in: group) {
        let found = Result { () throws(GitError) in
          try work(reopen(), shared.next) { shared.isStopped }
        }
        shared.other.withLock { $0 = shared.stopped(found) }
      }
    }
    let own = shared.stopped(
      Result { () throws(GitError) in
        try work(repository, shared.next) { isCancelled() || shared.isStopped }
      })
    // The milliseconds between two polls.
    while group.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
      if isCancelled() { shared.stops.store(true, ordering: .relaxed) }
    }
    let results = [own] + (shared.other.withLock { $0 }.map { [$0] } ?? [])
    // A thread that the other one's error stopped has no result, or was cancelled.
    for case .failure(let error) in results where error.code != .cancelled { throw error }
    if shared.isStopped { throw .cancelled }
    return try results.map { (result) throws(GitError) in try result.get() }
  }
}
