package import ForageStore
import Synchronization

/// Opens the store once, at first use, for the whole run.
package final class StoreAccess: Sendable {
  /// How messages call the store.
  package static let name = "the store"

  package let path: String
  /// `nil` before the first use and while there is no store.
  private let opened = Mutex<Result<Store?, StoreError>?>(nil)

  package init(path: String) { self.path = path }

  /// The store for reading, `nil` when there is none yet. A store that cannot be written is opened read-only, and writing throws the reason.
  package func existing() throws(StoreError) -> Store? {
    try opened.withLock { opened throws(StoreError) in
      if let opened { return try opened.get() }
      let result: Result<Store?, StoreError>
      do throws(StoreError) {
        guard try Store.exists(path) else { return nil }
        result = .success(try open())
      } catch {
        result = .failure(error)
      }
      opened = result
      return try result.get()
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
    try opened.withLock { opened throws(StoreError) in
      let store = try Store(path: path)
      opened = .success(store)
      return store
    }
  }

  /// Closes the store, so that the database is one file again; not while it is being opened or used.
  package func close() { _ = opened.withLockIfAvailable { $0 = nil } }

  /// Opens the file; `nil` for an empty one that cannot be made a store.
  private func open() throws(StoreError) -> Store? {
    do throws(StoreError) {
      return try Store(path: path)
    } catch {
      guard error.canBeRead else { throw error }
      let store = try Store(readingFrom: path, refusal: error)
      return try store.isBlank() ? nil : store
    }
  }
}
