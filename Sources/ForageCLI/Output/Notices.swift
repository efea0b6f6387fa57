import Synchronization

/// Writes messages about a search while it runs, above the live display where there is one.
final class Notices: Sendable {
  private let output: Output
  private let display = Mutex<LiveDisplay?>(nil)

  init(_ output: Output) { self.output = output }

  /// Sets the live display, `nil` for none.
  func setDisplay(_ shown: LiveDisplay?) { display.withLock { $0 = shown } }

  /// Writes one line on standard error.
  func report(_ message: String) {
    if let shown = display.withLock({ $0 }) { shown.report(message) } else { output.message(message) }
  }
}
