import ForagePlatform
public import Foundation
import Synchronization

/// A child process that runs: signals may be sent, its output so far be seen, its end be waited for.
///
/// One thread of its own drives it, until the end or the timeout, also when nobody waits.
public final class RunningProcess: Sendable {
  /// The process id; with pipes also its group's, with a terminal also its session's.
  public let pid: Int32
  let shared: Shared

  /// What the driver's thread and the callers see.
  final class Shared: Sendable {
    struct State {
      var stdout = Data()
      var stderr = Data()
      /// Input that has not been written yet.
      var input = Data()
      var isInputEnded: Bool
      /// The size that the terminal gets next.
      var size: (columns: Int, rows: Int)?
      var reaped = false
      var result: ProcessResult?
      var waiters: [CheckedContinuation<ProcessResult, Never>] = []
    }

    let state: Mutex<State>

    init(isInputEnded: Bool) { state = Mutex(State(isInputEnded: isInputEnded)) }

    func finish(_ result: ProcessResult) {
      let waiters = state.withLock { state in
        state.result = result
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume(returning: result) }
    }
  }

  init(_ launch: ProcessRunner.Launch) throws {
    let begin = ContinuousClock.now
    let child = try Spawn.start(launch)
    let shared = Shared(isInputEnded: !launch.keepsInputOpen)
    pid = child.pid
    self.shared = shared
    let stdin = launch.stdin ?? Data()
    let (timeout, closeAfter) = (launch.timeout, launch.closeOutputAfter)
    Thread.detachNewThread {
      var driver = ChildDriver(
        child: child, stdin: stdin, begin: begin, timeout: timeout, closeAfter: closeAfter, shared: shared)
      shared.finish(driver.drive())
    }
  }

  /// What came on standard output so far.
  public var stdoutSoFar: Data { shared.state.withLock { $0.stdout } }
  /// What came on standard error so far.
  public var stderrSoFar: Data { shared.state.withLock { $0.stderr } }
  /// False once the process has ended and was reaped.
  public var isRunning: Bool { shared.state.withLock { !$0.reaped } }

  /// Waits for the end.
  public func wait() async -> ProcessResult {
    await withCheckedContinuation { continuation in
      let done = shared.state.withLock { state -> ProcessResult? in
        if state.result == nil { state.waiters.append(continuation) }
        return state.result
      }
      if let done { continuation.resume(returning: done) }
    }
  }

  /// Sends a signal, to the process only or to its whole group as a terminal's Ctrl-C does.
  ///
  /// - Returns: false when the process has ended already; its number may belong to another one by then.
  @discardableResult
  public func sendSignal(_ signal: Int32, toGroup: Bool = false) -> Bool {
    shared.state.withLock { state in
      guard !state.reaped else { return false }
      return Spawn.deliver(signal, to: toGroup ? -pid : pid)
    }
  }

  /// Writes to standard input of a process that was started with `keepsInputOpen`.
  public func send(_ text: String) { shared.state.withLock { $0.input += Data(text.utf8) } }

  /// Closes standard input behind what was sent.
  public func endInput() { shared.state.withLock { $0.isInputEnded = true } }

  /// Changes the size of the terminal, which tells the process.
  public func resize(columns: Int, rows: Int) {
    shared.state.withLock { $0.size = (columns, rows) }
  }

  /// Kills the process and its group.
  public func kill() { sendSignal(SIGKILL, toGroup: true) }

  /// Waits until a text appears on standard output or standard error.
  ///
  /// - Throws: `SupportError` when the process ends without it or the time is up.
  public func waitForOutput(containing text: String, timeout: Duration = .seconds(120)) async throws {
    let deadline = ContinuousClock.now + timeout
    let wanted = Data(text.utf8)
    while true {
      let (seen, ended) = shared.state.withLock { state in
        (state.stdout.range(of: wanted) != nil || state.stderr.range(of: wanted) != nil, state.result != nil)
      }
      if seen { return }
      guard !ended, ContinuousClock.now < deadline else {
        throw SupportError(
          code: .timeout, message: "\"\(text)\" was not written\(ended ? " before the process ended" : "")",
          hint: "look at the output so far: "
            + [stdoutSoFar, stderrSoFar].map { String(decoding: $0.suffix(2000), as: UTF8.self) }
            .joined(separator: "\n"))
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
