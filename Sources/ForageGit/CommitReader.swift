import CLibGit2
import Dispatch
import Synchronization

/// Commits that were read elsewhere, laid out flat.
struct CommitBatch: Sendable {
  struct Record: Sendable {
    let parentCount: Int
    let authorCount: Int
    let encodingCount: Int
    let authoredAt: Int64
    let committedAt: Int64
  }

  /// In the order of the ids that were asked for; fewer when `error` is set.
  var records: [Record] = []
  /// The parents of all records, one after the other.
  var parents: [ObjectID] = []
  /// The author's and the encoding's text of all records, one after the other.
  var text: [UInt8] = []
  /// Why the record after the last could not be read.
  var error: GitError?

  /// Reads commits; stops at the first that cannot be read.
  static func read(_ ids: [ObjectID], in repository: GitRepository) -> CommitBatch {
    var batch = CommitBatch()
    do throws(GitError) {
      for id in ids {
        let object = try LoadedObject(id, in: repository.odb)
        let valid = object.type == GIT_OBJECT_COMMIT && object.withBytes { batch.append($0) }
        guard valid else { throw .corruptObject(id, "it is not a valid commit, or has too many parents") }
      }
    } catch {
      batch.error = error
    }
    return batch
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let scan = CommitScan(bytes) else { return false }
    for index in 0..<scan.parentCount {
      guard let parent = CommitScan.parent(index, bytes) else { return false }
      parents.append(parent)
    }
    text.append(contentsOf: bytes[scan.author])
    text.append(contentsOf: bytes[scan.encoding])
    records.append(
      Record(
        parentCount: scan.parentCount, authorCount: scan.author.count, encodingCount: scan.encoding.count,
        authoredAt: scan.authoredAt, committedAt: scan.committedAt))
    return true
  }
}

/// A second thread that unpacks commits for a walk, with a repository handle of its own.
///
/// Four fifths of a walk are spent unpacking; the walk itself stays on one thread, which hands over a batch
/// of ids
/// at a time and takes up the records when they are there.
final class CommitReader: Sendable {
  private struct State {
    var ids: [ObjectID]?
    var batch: CommitBatch?
    var stops = false
  }

  private static let queue = DispatchQueue(
    label: "forage.commits", qos: .userInitiated, attributes: .concurrent)

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private let ready = Atomic(false)

  /// Starts the thread.
  init(_ open: @escaping @Sendable () throws(GitError) -> GitRepository) {
    Self.queue.async { self.work(open) }
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

  private func work(_ open: () throws(GitError) -> GitRepository) {
    var repository: GitRepository?
    while true {
      wake.wait()
      let ids: [ObjectID]? = state.withLock { state in
        defer { state.ids = nil }
        return state.stops ? nil : state.ids
      }
      guard let ids else { return }
      var batch = CommitBatch()
      do throws(GitError) {
        let opened: GitRepository = if let repository { repository } else { try open() }
        repository = opened
        batch = CommitBatch.read(ids, in: opened)
      } catch {
        batch.error = error
      }
      state.withLock { $0.batch = batch }
      ready.store(true, ordering: .releasing)
      done.signal()
    }
  }
}
