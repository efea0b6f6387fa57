import Dispatch
import ForagePlatform
import Synchronization

/// A batch of commits that another thread read, laid out flat.
struct CommitBatch: Sendable {
  struct Record: Sendable {
    /// The number of the commit's ids in `parents`; 0 at the shallow boundary.
    let parentCount: Int
    let committedAt: Int64
  }

  /// In the order of the requested ids; fewer if `error` is set.
  var records: [Record] = []
  /// The parents of all records, one after another.
  var parents: [ObjectID] = []
  /// Why the record after the last one could not be read.
  var error: GitError?
}

/// A second thread that reads commits for a walk and counts their authors, with its own repository handle.
///
/// Most of a walk is decompression. The walk itself stays on one thread, which submits a batch of ids at a
/// time and adds the records when they are ready.
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

  /// Starts the thread; without a `lastMonday` it counts nothing.
  init(
    _ open: @escaping @Sendable () -> GitRepository, shallow: Set<ObjectID>, _ lastMonday: Int64?
  ) {
    self.shallow = shallow
    OwnThread.start {
      self.work(open(), lastMonday.map { CommitTally(lastMonday: $0) })
    }
  }

  /// Whether the submitted batch is ready.
  @inline(__always) var isReady: Bool { ready.load(ordering: .acquiring) }

  /// Submits a batch; the previous one must have been taken.
  func submit(_ ids: [ObjectID]) {
    state.withLock { $0.ids = ids }
    wake.signal()
  }

  func take() -> CommitBatch {
    done.wait()
    ready.store(false, ordering: .relaxed)
    return state.withLock { state in
      defer { state.batch = nil }
      return state.batch ?? CommitBatch()
    }
  }

  /// Ends the thread after its current batch.
  func stop() {
    state.withLock { $0.stops = true }
    wake.signal()
  }

  /// Ends the thread and returns its tally; all batches must have been taken.
  func finish() -> CommitTally? {
    stop()
    done.wait()
    return state.withLock { $0.tally }
  }

  private func work(_ repository: GitRepository, _ tally: CommitTally?) {
    var tally = tally
    while true {
      wake.wait()
      let ids: [ObjectID]? = state.withLock { state in
        defer { state.ids = nil }
        return state.stops ? nil : state.ids
      }
      guard let ids else { break }
      let batch = read(ids, repository, &tally)
      state.withLock { $0.batch = batch }
      ready.store(true, ordering: .releasing)
      done.signal()
    }
    state.withLock { $0.tally = tally }
    done.signal()
  }

  /// Reads commits, up to the first that cannot be read.
  private func read(
    _ ids: [ObjectID], _ repository: GitRepository, _ tally: inout CommitTally?
  ) -> CommitBatch {
    var batch = CommitBatch()
    batch.records.reserveCapacity(ids.count)
    batch.parents.reserveCapacity(ids.count * 2)
    do throws(GitError) {
      for id in ids {
        let isShallow = !shallow.isEmpty && shallow.contains(id)
        try repository.withCommit(id) { bytes, scan -> Void? in
          let before = batch.parents.count
          for index in 0..<(isShallow ? 0 : scan.parentCount) {
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
