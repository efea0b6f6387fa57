import ForageCore
import Synchronization

/// Shows the providers that a search waits for, where there is no live display: under `--stream` and `--verbose`.
final class SearchWaits: Sendable {
  private struct Pending {
    var wait: WaitLine.Wait
    /// The number of kinds that the provider has not answered for yet.
    var kinds: Int
  }

  private let line: WaitLine
  private let pending = Mutex<[String: Pending]>([:])

  /// - Parameter line: The line to show them on.
  init(_ line: WaitLine) { self.line = line }

  /// Follows an event of the search.
  func follow(_ event: SearchEvent) {
    pending.withLock { pending in
      switch event {
      case .started(let outcomes):
        for outcome in outcomes {
          pending[outcome.id, default: Pending(wait: line.begin(outcome.id), kinds: 0)].kinds += 1
        }
      // What is written of them erases the line.
      case .found: line.showAgain()
      case .ended(let outcome):
        guard var ended = pending[outcome.id] else { return }
        ended.kinds -= 1
        pending[outcome.id] = ended.kinds > 0 ? ended : nil
        if ended.kinds == 0 { line.end(ended.wait) }
      }
    }
  }

  /// Ends all waits.
  func end() {
    pending.withLock { pending in
      for waiting in pending.values { line.end(waiting.wait) }
      pending = [:]
    }
  }
}
