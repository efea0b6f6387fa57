package import ForageCore
import Synchronization

/// Follows a search while it runs; called on any thread, never while a lock is held.
package struct SearchObserver: Sendable {
  /// Takes the events of the federation.
  package var event: (@Sendable (SearchEvent) -> Void)?
  /// Takes the start of a provider's wait for a rate limit.
  package var waiting: (@Sendable (_ provider: String, _ duration: Duration) -> Void)?
  /// Takes a line about what the search needs.
  package var notice: (@Sendable (_ line: String) -> Void)?
  /// Called when the providers are done, before anything else is reported.
  package var searched: @Sendable () async -> Void = {}

  package init() {}
}

/// Passes on to the observer of a search what its providers report. They are made before the search, and so before its observer.
package final class SearchRelay: Sendable {
  private let observer = Mutex<SearchObserver?>(nil)
  private let reporter: Reporter

  package init(_ reporter: Reporter) { self.reporter = reporter }

  /// Sets the observer; without one the reporter of the services takes what providers report.
  package func follow(_ new: SearchObserver) { observer.withLock { $0 = new } }

  package func waiting(_ provider: String, _ duration: Duration) {
    (observer.withLock { $0?.waiting } ?? reporter.waiting)(provider, duration)
  }

  package func notice(_ line: String) { (observer.withLock { $0?.notice } ?? reporter.message)(line) }
}
