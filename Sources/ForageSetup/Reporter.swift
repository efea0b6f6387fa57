package import ForageCore

/// The functions that take reports for the user. None of them is called while a lock is held.
package struct Reporter: Sendable {
  /// Takes the lines about requests and child processes, `nil` where nobody reads them.
  package var trace: (@Sendable (_ line: String) -> Void)?
  /// Whether `trace` takes the header fields of requests as well.
  package var tracesHeaders = false
  /// Takes a problem that does not end the work.
  package var warning: @Sendable (_ message: String, _ hint: String) -> Void = { _, _ in }
  /// Takes an error that does not end the work.
  package var problem: @Sendable (_ message: String, _ hint: String) -> Void = { _, _ in }
  /// Takes a line about what was done.
  package var message: @Sendable (_ line: String) -> Void = { _ in }
  /// Takes what is being done and how far it is; `nil` once it is done.
  package var progress: @Sendable (_ text: String?) -> Void = { _ in }
  /// Takes the start of a wait for a rate limit.
  package var waiting: @Sendable (_ provider: String, _ duration: Duration) -> Void = { _, _ in }
  /// Takes what is waited for, and returns what ends the wait.
  package var waitsFor: @Sendable (_ name: String) -> @Sendable () -> Void = { _ in {} }
  /// The hint about an error of a provider, for the reader of the report.
  package var hint: @Sendable (SearchError) -> String = { $0.hint }
  /// The text of a remedy, for who reads it.
  package var text: @Sendable (Remedy) -> String = { $0.text }
  /// How the argument `sort` or `order` of a search is written; with a sort key, an example of both.
  package var sortArgument: @Sendable (_ name: String, _ key: String?) -> String = { name, key in
    "\"\(name)\"" + (key.map { ": \"\($0)\"" } ?? "")
  }
  /// Asks a question to be answered by yes or no.
  package var agrees: @Sendable (_ question: String) -> Bool = { _ in false }

  /// What was told once.
  private var told = Locked<Set<String>>([])

  /// Creates a reporter that reports nothing and agrees to nothing.
  package init() {}
}

extension Reporter {
  /// Traces that a child process has ended.
  package func traceEnd(of child: String, _ outcome: String, since start: ContinuousClock.Instant) {
    trace?("\(child): \(outcome), \(HumanFormat.duration(ContinuousClock.now - start))")
  }

  /// The same, which does not repeat what another one has told once.
  func sharingWhatIsTold(with other: Reporter) -> Reporter {
    var copy = self
    copy.told = other.told
    return copy
  }

  /// Reports a problem once, however often it occurs in a run.
  package func warnOnce(_ message: String, hint: String) {
    if told.withLock({ $0.insert(message).inserted }) { warning(message, hint) }
  }

  /// Does not report a problem by ``warnOnce(_:hint:)``, because it is told in another place.
  package func leaveOut(_ message: String) { told.withLock { _ = $0.insert(message) } }

  /// Passes a message on once, however often it occurs in a run.
  package func messageOnce(_ line: String) {
    if told.withLock({ $0.insert(line).inserted }) { message(line) }
  }

  /// Does some work, and reports what is waited for meanwhile.
  ///
  /// - Parameter name: What is waited for, for example `github`.
  package func waiting<Value>(for name: String, _ work: () async throws -> Value) async rethrows -> Value {
    let end = waitsFor(name)
    defer { end() }
    return try await work()
  }
}
