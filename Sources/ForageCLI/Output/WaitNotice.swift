import Synchronization

extension Context {
  /// How long a wait is before the terminal shows what is waited for.
  private static let noticeDelay: Duration = .milliseconds(300)

  /// Runs a body; a terminal shows what is waited for when it takes longer than 0.3 s.
  ///
  /// - Parameter what: What is waited for, for example `asking github.com`.
  func showingWait<Result>(for what: String, _ body: () async throws -> Result) async rethrows -> Result {
    // The lines of --verbose show it already.
    if isTracing { return try await body() }
    let notice = WaitNotice(output)
    let timer = Task {
      try await Task.sleep(for: Self.noticeDelay)
      notice.show(what)
    }
    defer {
      timer.cancel()
      notice.end()
    }
    return try await body()
  }
}

/// A progress line that does not come back after its end.
private final class WaitNotice: Sendable {
  private let line: ProgressLine
  private let hasEnded = Mutex(false)

  init(_ output: Output) { line = ProgressLine(output) }

  func show(_ text: String) {
    hasEnded.withLock { if !$0 { line.show(text) } }
  }

  func end() {
    hasEnded.withLock { hasEnded in
      hasEnded = true
      line.clear()
    }
  }
}
