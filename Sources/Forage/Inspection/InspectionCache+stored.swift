package import ForageInspector
import ForageStore
import Synchronization

/// Stores facts about clones in a file of the cache folder.
///
/// The file is opened at the first query and created when the first facts are stored. Every fact in it can be computed again.
extension InspectionCache {
  /// The largest size of the file in bytes: room for some thousand clones with tens of thousands of authors and files.
  package static let maximumBytes = 64 * 1024 * 1024

  package static func file(_ folder: String) -> String { folder + "/inspections.db" }

  /// The cache of an inspector.
  ///
  /// After a failure, for example of a locked file, the file is not used again in this run.
  package static func stored(in folder: String) -> InspectionCache {
    let store = CacheStore(path: file(folder), maximumBytes: maximumBytes)
    let hasFailed = Mutex(false)
    @Sendable func unlessFailed<Value>(_ body: () throws(StoreError) -> Value) -> Value? {
      guard !hasFailed.withLock({ $0 }) else { return nil }
      do throws(StoreError) {
        return try body()
      } catch {
        hasFailed.withLock { $0 = true }
        return nil
      }
    }
    return InspectionCache(
      load: { key in unlessFailed { () throws(StoreError) in try store.inspectionFacts(key) } ?? nil },
      store: { key, facts in
        _ = unlessFailed { () throws(StoreError) in try store.keepInspectionFacts(key, facts) }
      })
  }
}
