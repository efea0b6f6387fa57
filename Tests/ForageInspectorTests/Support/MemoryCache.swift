import Synchronization

@testable import ForageInspector

/// A cache in memory.
final class MemoryCache: Sendable {
  private struct State {
    var entries: [String: (identity: String, facts: [UInt8])] = [:]
    var stores = 0
  }

  private let state = Mutex(State())

  /// How often an entry was stored.
  var stores: Int { state.withLock { $0.stores } }

  var cache: InspectionCache {
    InspectionCache { gitDir, identity in
      self.state.withLock { $0.entries[gitDir].flatMap { $0.identity == identity ? $0.facts : nil } }
    } store: { gitDir, identity, facts in
      self.state.withLock {
        $0.entries[gitDir] = (identity, facts)
        $0.stores += 1
      }
    }
  }

  /// Changes the facts of all entries.
  func change(_ body: (String) -> String) {
    state.withLock { state in
      for (gitDir, entry) in state.entries {
        state.entries[gitDir]?.facts = Array(body(String(decoding: entry.facts, as: UTF8.self)).utf8)
      }
    }
  }
}
