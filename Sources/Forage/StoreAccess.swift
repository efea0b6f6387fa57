import ForagePlatform
package import ForageStore
import Synchronization

/// Opens the store once, at first use, for the whole run.
package final class StoreAccess: Sendable {
  /// How messages call the store.
  package static let name = "the store"

  private enum State {
    /// Before the first use, and while there is no store.
    case unopened
    /// `nil` for an empty file that cannot be made a store.
    case opened(Store?)
    case failed(StoreError)
  }

  package let path: String
  /// Whether the clone at a path is left out of what is read.
  private let isIgnored: @Sendable (String) -> Bool
  private let state = Mutex(State.unopened)
  private let wait = Mutex(Duration?.none)

  package init(path: String, isIgnored: @escaping @Sendable (String) -> Bool = { _ in false }) {
    (self.path, self.isIgnored) = (path, isIgnored)
  }

  /// Whether there is no store, so that there is nothing to wait for.
  var isMissing: Bool { (try? exists()) == false }

  /// Whether the file exists.
  ///
  /// - Throws: `StoreError` if a folder above it is not accessible.
  private func exists() throws(StoreError) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    guard errno == EACCES else { return false }
    throw StoreError(
      "the folder of the store \(path) cannot be created or used",
      hint: "check its permissions, or set XDG_DATA_HOME to another folder")
  }

  /// Limits how long other processes are waited for when the store is opened, for commands with a time limit.
  package func limitWait(to duration: Duration) { wait.withLock { $0 = duration } }

  /// The store for reading, `nil` when there is none yet. A store that cannot be written is opened read-only, and writing throws the reason.
  package func existing() throws(StoreError) -> Store? {
    try state.withLock { state throws(StoreError) in
      switch state {
      case .opened(let store): return store
      case .failed(let error): throw error
      case .unopened: break
      }
      do throws(StoreError) {
        guard try exists() else { return nil }
        let store = try open()
        state = .opened(store)
        return store
      } catch {
        state = .failed(error)
        throw error
      }
    }
  }

  /// The store for writing, created where there is none.
  ///
  /// - Parameter isUrgent: Whether writing must not wait long for other processes, because the command is not for writing.
  package func writable(isUrgent: Bool = false) throws(StoreError) -> Store {
    let store = if let known = try existing() { known } else { try made() }
    if !isUrgent { try store.extendBusyTimeout() }
    return store
  }

  private func made() throws(StoreError) -> Store {
    try state.withLock { state throws(StoreError) in
      let store = try Store(path: path, isIgnored: isIgnored)
      state = .opened(store)
      return store
    }
  }

  /// Closes the store, so that the database is one file again; not while it is being opened or used.
  package func close() { _ = state.withLockIfAvailable { $0 = .unopened } }

  /// Opens the file; `nil` for an empty one that cannot be made a store.
  private func open() throws(StoreError) -> Store? {
    do throws(StoreError) {
      return try Store(path: path, waiting: wait.withLock { $0 }, isIgnored: isIgnored)
    } catch {
      guard error.canBeRead else { throw error }
      let store = try Store(readingFrom: path, refusal: error, isIgnored: isIgnored)
      return try store.isBlank() ? nil : store
    }
  }
}
