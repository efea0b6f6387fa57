import Dispatch
import Synchronization

/// Commits that were read elsewhere, laid out flat.
struct CommitBatch: Sendable {
  struct Record: Sendable {
    /// How many of the parents are this commit's; 0 where a shallow clone ends.
    let parentCount: Int
    let committedAt: Int64
  }

  /// In the order of the ids that were asked for; fewer when `error` is set.
  var records: [Record] = []
  /// The parents of all records, one after the other.
  var parents: [ObjectID] = []
  /// Why the record after the last could not be read.
  var error: GitError?
}

/// A second thread that reads commits for a walk and counts their authors, with a repository handle of its own.
///
/// Most of a walk is unpacking; the walk itself stays on one thread, which hands over a batch of ids at a time and
/// takes up the records when they are there.
final class CommitReader: Sendable {
  private struct State {
    var ids: [ObjectID]?
    var batch: CommitBatch?
    var stops = false
    var tally: CommitTally?
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private let ready = Atomic(false)
  private let shallow: Set<ObjectID>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - open: makes its handle, when it needs one.
  ///   - packs: where most commits are.
  ///   - shallow: commits whose parents are not there.
  ///   - lastMonday: as of the tally that the counts are added to; nil to count nothing.
  init(
    _ open: @escaping @Sendable () throws(GitError) -> GitRepository, _ packs: PackStore,
    shallow: Set<ObjectID>, _ lastMonday: Int64?
  ) {
    self.shallow = shallow
    OwnThread.start {
      self.work(CommitSource(packs, open: open), lastMonday.map { CommitTally(lastMonday: $0) })
    }
  }

  /// Whether the batch that was asked for is there.
  @inline(__always)
  var isReady: Bool { ready.load(ordering: .acquiring) }

  /// Asks for a batch; the one before has been taken.
  func submit(_ ids: [ObjectID]) {
    state.withLock { $0.ids = ids }
    wake.signal()
  }

  /// Waits for the batch that was asked for.
  func take() -> CommitBatch {
    done.wait()
    ready.store(false, ordering: .relaxed)
    return state.withLock { state in
      defer { state.batch = nil }
      return state.batch ?? CommitBatch()
    }
  }

  /// Lets the thread end after what it is doing.
  func stop() {
    state.withLock { $0.stops = true }
    wake.signal()
  }

  /// Lets the thread end and takes what it counted; all batches have been taken.
  func finish() -> CommitTally? {
    stop()
    done.wait()
    return state.withLock { $0.tally }
  }

  private func work(_ source: CommitSource, _ tally: CommitTally?) {
    var tally = tally
    while true {
      wake.wait()
      let ids: [ObjectID]? = state.withLock { state in
        defer { state.ids = nil }
        return state.stops ? nil : state.ids
      }
      guard let ids else { break }
      let batch = read(ids, source, &tally)
      state.withLock { $0.batch = batch }
      ready.store(true, ordering: .releasing)
      done.signal()
    }
    state.withLock { $0.tally = tally }
    done.signal()
  }

  /// Reads commits; stops at the first that cannot be read.
  private func read(_ ids: [ObjectID], _ source: CommitSource, _ tally: inout CommitTally?) -> CommitBatch {
    var batch = CommitBatch()
    batch.records.reserveCapacity(ids.count)
    batch.parents.reserveCapacity(ids.count * 2)
    do throws(GitError) {
      for id in ids {
        let isCut = !shallow.isEmpty && shallow.contains(id)
        try source.withCommit(id) { bytes, scan -> Void? in
          let before = batch.parents.count
          for index in 0..<(isCut ? 0 : scan.parentCount) {
            guard let parent = CommitScan.parent(index, bytes) else {
              batch.parents.removeLast(batch.parents.count - before)
              return nil
            }
            batch.parents.append(parent)
          }
          batch.records.append(
            .init(parentCount: batch.parents.count - before, committedAt: scan.committedAt))
          return tally?.add(bytes, scan) ?? ()
        }
      }
    } catch {
      batch.error = error
    }
    return batch
  }
}
