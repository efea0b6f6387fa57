import Synchronization

/// The reports of work in progress: each is made once, by the work itself or, if nobody waits for it any
/// more, at the end of the program.
package final class PendingReports: Sendable {
  private struct State {
    var last = 0
    var reports: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Creates an empty set.
  package init() {}

  /// Adds work that begins.
  ///
  /// - Parameter report: Reports that the work was given up.
  /// - Returns: The number of the work.
  package func begin(_ report: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.last += 1
      state.reports[state.last] = report
      return state.last
    }
  }

  /// Removes work that has ended.
  ///
  /// - Returns: Whether its report is still to be made.
  package func end(_ number: Int) -> Bool { state.withLock { $0.reports.removeValue(forKey: number) != nil } }

  /// Reports all work in progress as given up.
  package func giveUp() {
    let reports = state.withLock { state in
      defer { state.reports = [:] }
      return state.reports.sorted { $0.key < $1.key }.map(\.value)
    }
    for report in reports { report() }
  }
}

/// Passes each message on once: the same fault of many items is one report.
package final class FirstReports: Sendable {
  /// The maximum number of different messages.
  private static let limit = 100

  private let told = Mutex<[String]>([])
  private let pass: @Sendable (String) -> Void

  /// Creates the filter.
  ///
  /// - Parameter pass: Receives each message the first time, on the caller's thread.
  package init(_ pass: @escaping @Sendable (String) -> Void = { _ in }) { self.pass = pass }

  /// The messages so far, in order.
  package var messages: [String] { told.withLock { $0 } }

  /// Passes a message on unless it was passed on before or there were too many.
  package func report(_ message: String) {
    let isNew = told.withLock { told in
      guard told.count < Self.limit, !told.contains(message) else { return false }
      told.append(message)
      return true
    }
    if isNew { pass(message) }
  }
}
