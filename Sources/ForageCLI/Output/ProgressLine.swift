import ForageCore
import Synchronization

/// Shows how far a command is on one line of the terminal; does nothing anywhere else.
final class ProgressLine: Sendable {
  /// The shortest time between two drawings.
  private static let interval: Duration = .milliseconds(50)

  private let output: Output
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ output: Output) { self.output = output }

  /// Shows a text, cut to the width; untrusted parts are made safe here.
  func show(_ text: String) {
    guard output.hasProgress else { return }
    let isDue = last.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last < Self.interval { return false }
      last = now
      return true
    }
    if isDue { output.changeProgress { .draw(text) } }
  }

  /// Erases the line.
  func clear() { output.progress.erase() }
}

extension Output {
  /// Changes the progress line, cut to the width; untrusted parts are made safe here.
  func changeProgress(_ change: @escaping @Sendable () -> TransientLine.Change?) {
    progress.change { [columns] in
      let wanted = change()
      guard case .draw(let text) = wanted else { return wanted }
      return .draw(TextWidth.truncated(SafeText.line(text), to: columns - 1))
    }
  }
}
