import Synchronization

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
