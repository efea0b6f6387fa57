import Synchronization

/// One line on the terminal that is written over and over; nothing anywhere else.
final class ProgressLine: Sendable {
  private struct State {
    var isShown = false
    var last: ContinuousClock.Instant?
  }

  /// Redrawing more often than this costs more than it tells.
  private static let interval: Duration = .milliseconds(50)

  private let output: Output
  private let state = Mutex(State())

  init(_ output: Output) { self.output = output }

  /// Shows a text, cut to the width.
  func show(_ text: String) {
    guard output.isMessageTerminal else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.last, now - last < Self.interval { return }
      state = State(isShown: true, last: now)
      output.writeMessage("\r\u{1B}[2K" + TextWidth.truncated(SafeText.line(text), to: output.columns - 1))
    }
  }

  /// Takes the line away.
  func clear() {
    state.withLock { state in
      if state.isShown { output.writeMessage("\r\u{1B}[2K") }
      state.isShown = false
    }
  }
}
