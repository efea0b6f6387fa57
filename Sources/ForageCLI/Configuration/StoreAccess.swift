import ForageStore
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens the store once, at first use.
final class StoreAccess: Sendable {
  let path: String
  private let opened = Mutex<Store?>(nil)

  init(path: String) { self.path = path }

  /// The store for reading, `nil` when there is none yet. One that cannot be written is opened as it is.
  func existing() throws(StoreError) -> Store? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try opened.withLock { opened throws(StoreError) in
      if let store = opened { return store }
      let store: Store
      do throws(StoreError) {
        store = try Store(path: path)
      } catch {
        guard error.canBeRead else { throw error }
        store = try Store(readingFrom: path)
      }
      opened = store
      return store
    }
  }

  /// The store for writing, made where there is none.
  func writable() throws(StoreError) -> Store {
    if let store = try existing() { return store }
    return try opened.withLock { opened throws(StoreError) in
      let store = try Store(path: path)
      opened = store
      return store
    }
  }
}
