import Dispatch
import ForagePlatform
import Synchronization

/// Finds the largest blobs of commits on two threads.
///
/// Each thread takes runs of commits, oldest first. Of each commit it reads what differs from the first
/// parent, because the rest was found in that older commit, on either thread. A blob that both threads find
/// belongs to the older of the two commits.
final class BlobSearch: Sendable {
  /// A commit, identified by its position from the oldest.
  struct Job: Sendable {
    let tree: ObjectID
    /// The position of the first parent; -1 if there is none, or if wrong clocks make it newer.
    let base: Int32
  }

  struct Candidate: Sendable {
    let id: ObjectID
    let bytes: Int
    let path: [UInt8]
    /// The position of the commit from the oldest.
    let commit: Int32
  }

  struct Outcome: Sendable {
    var candidates: [Candidate] = []
    /// The blobs that are missing.
    var missing: [ObjectID] = []
    var unreadable = 0
  }

  /// The commits that a thread takes at a time; neighbours share trees.
  private static let runLength = 64

  private let jobs: [Job]
  private let count: Int
  private let limits: DifferenceLimits
  private let next = Atomic(0)
  private let stops = Atomic(false)
  private let result = Mutex<Result<Outcome, GitError>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - jobs: the commits, oldest first.
  ///   - count: the number of blobs to find.
  ///   - limits: the limits of the comparison.
  init(_ jobs: [Job], count: Int, limits: DifferenceLimits) {
    self.jobs = jobs
    self.count = count
    self.limits = limits
  }

  /// Searches on this thread and, for more than some hundred commits, on a second one.
  ///
  /// - Throws: `tooLarge`, `cancelled`, `other`.
  func run(in repository: GitRepository, isCancelled: () -> Bool) throws(GitError) -> [Outcome] {
    let isShared = jobs.count > 4 * Self.runLength
    if isShared {
      let reopen = repository.reopening
      OwnThread.start { self.help(reopen()) }
    }
    var outcomes: [Outcome] = []
    var failure: GitError?
    do throws(GitError) {
      outcomes.append(try search(repository) { isCancelled() || self.stops.load(ordering: .relaxed) })
    } catch {
      failure = error
      stops.store(true, ordering: .relaxed)
    }
    guard isShared else {
      if let failure { throw failure }
      return outcomes
    }
    while done.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
      if isCancelled() { stops.store(true, ordering: .relaxed) }
    }
    let other = result.withLock { $0 }
    // If the other thread failed, this one was only stopped.
    if case .failure(let error) = other, failure == nil || failure?.code == .cancelled { throw error }
    if let failure { throw failure }
    if case .success(let outcome) = other { outcomes.append(outcome) }
    return outcomes
  }

  private func help(_ repository: GitRepository) {
    do throws(GitError) {
      let outcome = try search(repository) { self.stops.load(ordering: .relaxed) }
      result.withLock { $0 = .success(outcome) }
    } catch {
      result.withLock { $0 = .failure(error) }
      stops.store(true, ordering: .relaxed)
    }
    done.signal()
  }

  private func search(_ repository: GitRepository, _ isCancelled: () -> Bool) throws(GitError) -> Outcome {
    var collector = BlobCollector(limits: limits)
    var outcome = Outcome()
    let difference = TreeDifference(in: repository, limits: limits)
    while true {
      let start = next.add(Self.runLength, ordering: .relaxed).oldValue
      guard start < jobs.count else { break }
      for number in start..<min(start + Self.runLength, jobs.count) {
        let job = jobs[number]
        guard collector.enters(job.tree) else { continue }
        collector.commit = Int32(truncatingIfNeeded: number)
        let base: ObjectID? = job.base < 0 ? nil : jobs[Int(job.base)].tree
        do throws(GitError) {
          try difference.compare(base, job.tree, &collector, isCancelled: isCancelled)
        } catch {
          guard error.code == .missingObject || error.code == .corrupt else { throw error }
          outcome.unreadable += 1
        }
      }
    }
    try measure(collector, repository, &outcome, isCancelled)
    return outcome
  }

  /// Reads the size of each blob and keeps the largest.
  private func measure(
    _ collector: BlobCollector, _ repository: GitRepository, _ outcome: inout Outcome,
    _ isCancelled: () -> Bool
  ) throws(GitError) {
    var best: [(bytes: Int, number: Int)] = []
    let ids = collector.blobs.ids
    let capacity = max(count &* 2, 1024)
    func cut() {
      best.sort { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : ids[$0.number] < ids[$1.number] }
      if best.count > count { best.removeLast(best.count - count) }
    }
    for (number, id) in ids.enumerated() {
      // Reading a size takes some microseconds.
      if number % 64 == 0, isCancelled() { throw .cancelled }
      guard let bytes = size(id, repository) else {
        outcome.missing.append(id)
        continue
      }
      best.append((bytes, number))
      if best.count >= capacity { cut() }
    }
    cut()
    outcome.candidates = best.map { item in
      let place = collector.places[item.number]
      return Candidate(
        id: ids[item.number], bytes: item.bytes, path: collector.paths.path(Int(place.path)),
        commit: place.commit)
    }
  }

  /// Returns the size of a blob; nil if it is missing, not a blob, or its size is invalid.
  private func size(_ id: ObjectID, _ repository: GitRepository) -> Int? {
    guard let header = try? repository.header(of: id), header.kind == .blob else { return nil }
    return header.size
  }
}
