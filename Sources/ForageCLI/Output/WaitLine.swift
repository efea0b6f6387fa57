import Synchronization

/// Counts a wait for a limit down on one line of the terminal; nothing anywhere else.
final class WaitLine: Sendable {
  private let line: ProgressLine
  private let isOver = Mutex(false)

  init(_ output: Output) { line = ProgressLine(output) }

  /// Begins to count; the line goes when the wait is over.
  func wait(_ provider: String, for duration: Duration) {
    let end = ContinuousClock.now + duration
    Task { [weak self] in
      while self?.show(provider, until: end) == true { try? await Task.sleep(for: .seconds(1)) }
    }
  }

  /// Takes the line away for good.
  func clear() {
    isOver.withLock { isOver in
      isOver = true
      line.clear()
    }
  }

  /// - Returns: Whether there is more to count.
  private func show(_ provider: String, until end: ContinuousClock.Instant) -> Bool {
    isOver.withLock { isOver in
      if isOver { return false }
      let left = end - .now
      guard left > .zero else {
        line.clear()
        return false
      }
      line.show("\(provider): waiting \(HumanFormat.wait(left)) for the limit")
      return true
    }
  }
}
