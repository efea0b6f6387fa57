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
    case failed(StoreError, at: ContinuousClock.Instant)
  }

  package let path: String
  /// Whether the clone at a path is left out of what is read.
  private let isIgnored: @Sendable (String) -> Bool
  /// Takes what a row of the store stands for that cannot be read and is left out.
  private let onUnreadable: @Sendable (StoredEntity) -> Void
  private let state = Mutex(State.unopened)
  /// How long reading is refused after it has waited in vain for another process: it would wait as long
  /// again.
  private static let refusalPause: Duration = .seconds(5)

  package init(
    path: String, isIgnored: @escaping @Sendable (String) -> Bool = { _ in false },
    onUnreadable: @escaping @Sendable (StoredEntity) -> Void = { _ in }
  ) {
    (self.path, self.isIgnored, self.onUnreadable) = (path, isIgnored, onUnreadable)
  }

  /// Whether there is no store, so that there is nothing to wait for.
  package var isMissing: Bool { (try? exists()) == false }

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

  /// The store for reading, `nil` when there is none yet. A store that cannot be written is opened read-only,
  /// and writing throws the reason. One that another process keeps is not waited for.
  package func existing() throws(StoreError) -> Store? { try opened(isForReading: true) }

  private func opened(isForReading: Bool) throws(StoreError) -> Store? {
    try state.withLock { state throws(StoreError) in
      switch state {
      case .opened(let store): return store
      case .failed(let error, let time)
      where !error.isBusy || isForReading && ContinuousClock.now - time < Self.refusalPause:
        throw error
      case .failed, .unopened: break
      }
      do throws(StoreError) {
        guard try exists() else { return nil }
        let store = try open(isForReading: isForReading)
        state = .opened(store)
        return store
      } catch {
        state = .failed(error, at: .now)
        throw error
      }
    }
  }

  /// The store for writing, created where there is none.
  ///
  /// - Parameter isUrgent: Whether writing must not wait long for other processes, because the command is not
  ///   for writing.
  package func writable(isUrgent: Bool = false) throws(StoreError) -> Store {
    let store = if let known = try opened(isForReading: isUrgent) { known } else { try made() }
    if !isUrgent { store.extendWritingTimeout() }
    return store
  }

  private func made() throws(StoreError) -> Store {
    try state.withLock { state throws(StoreError) in
      let store = try Store(path: path, isIgnored: isIgnored, onUnreadable: onUnreadable)
      state = .opened(store)
      return store
    }
  }

  /// Closes the store, so that the database is one file again; not while it is being opened or used.
  package func close() { _ = state.withLockIfAvailable { $0 = .unopened } }

  /// Opens the file; `nil` for an empty one that cannot be made a store.
  private func open(isForReading: Bool) throws(StoreError) -> Store? {
    do throws(StoreError) {
      return try Store(
        path: path, isForReading: isForReading, isIgnored: isIgnored, onUnreadable: onUnreadable)
    } catch {
      guard error.canBeRead else { throw error }
      let store = try Store(
        readingFrom: path, refusal: error, isIgnored: isIgnored, onUnreadable: onUnreadable)
      return try store.isBlank() ? nil : store
    }
  }
}
