import ForageCore
import ForagePlatform
import Synchronization

/// The process of a plugin, from its start until its process group has ended.
final class PluginProcess: Sendable {
  /// Receives events, sequentially on the process's thread.
  struct Observer: Sendable {
    var output: @Sendable (UnsafeRawBufferPointer) -> Void
    var redaction = SecretRedaction([])
    /// Receives each line of standard error.
    var log: @Sendable (String) -> Void
    /// Performs due work, and returns when work is due next.
    var due: @Sendable (ContinuousClock.Instant) -> ContinuousClock.Instant?
    /// Called once after the process group has ended, with the last line of standard error.
    var ended: @Sendable (PluginEnding, _ lastLine: String?) -> Void
  }

  /// The usual time for exiting after the end of input, and again after SIGTERM.
  static let exitTimeout = Duration.seconds(1)
  /// The same at the exit of the host.
  static let shutdownTimeout = Duration.milliseconds(100)
  /// The maximum length of the last line in a message, in characters.
  private static let lastLineLimit = 200

  private struct State {
    var hasEnded = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let child = ChildProgram()

  /// Starts the program on a thread of its own; called once.
  ///
  /// Returns immediately. A failure to start is reported to `Observer.ended`.
  func start(_ launch: ChildLaunch, _ observer: Observer) {
    ChildProgram.onThread { [self] in
      var log = ErrorLog(observer.redaction)
      let ending: PluginEnding
      do throws(ChildFailure) {
        ending = try run(launch, observer, &log)
      } catch {
        ending = .notStarted(error.code)
      }
      observer.ended(ending, log.lastLine(limit: Self.lastLineLimit))
      let waiters = state.withLock { state in
        state.hasEnded = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Writes to the program's standard input without blocking; nothing once it is being stopped.
  func send(_ bytes: [UInt8]) { child.send(bytes) }

  /// Makes the thread ask its observer for due work.
  func wake() { child.wake() }

  /// Ends the program's input, sends SIGTERM to its group after a time, and SIGKILL after the same time
  /// again; the most urgent of several calls counts.
  func stop(_ exitTimeout: Duration) { child.stop(exitTimeout, grace: exitTimeout) }

  var hasEnded: Bool { state.withLock(\.hasEnded) }
  var wasSignalled: Bool { child.wasSignalled }
  var leavesChildren: Bool { child.leavesChildren }

  /// Returns when the process group has ended.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiters.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// Runs the program until it has ended or is waited for no longer.
  private func run(_ launch: ChildLaunch, _ observer: Observer, _ log: inout ErrorLog)
    throws(ChildFailure) -> PluginEnding
  {
    var launch = launch
    (launch.group, launch.input, launch.output, launch.error) = (.own, .pipe, .pipe, .pipe)
    var hasClosedOutput = false
    let ending = try child.run(launch, endsGroup: true) { bytes in
      if !bytes.isEmpty { return observer.output(bytes) }
      // Without standard output it cannot answer.
      if child.isStopped { return }
      hasClosedOutput = true
      stop(Self.exitTimeout)
    } error: { bytes in
      log.take(bytes, report: observer.log)
    } due: { now in
      observer.due(now)
    }
    log.finish(report: observer.log)
    if case .signalled = ending, hasClosedOutput, wasSignalled { return .closedOutput }
    return PluginEnding(ending)
  }
}
