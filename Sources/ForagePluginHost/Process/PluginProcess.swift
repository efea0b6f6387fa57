import ForageCore
import ForagePlatform
import Synchronization

/// The process of a plugin, from its start until its process group has ended.
///
/// A thread of its own serves its pipes, so that neither a flood of output nor silence blocks anything else. Another
/// one waits for its exit. The host program is not changed: no signal handler, no disposition, no other child.
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
  /// How long after SIGKILL a process is waited for: one of another user gets no signal of ours.
  private static let killTimeout = Duration.seconds(1)
  /// The number of bytes per read, the capacity of a pipe.
  private static let readSize = 64 << 10
  /// How often a pipe is read after its writers have ended; the largest pipe on Linux is 1 MiB.
  private static let lastReads = 32
  /// The maximum length of the last line in a message, in characters.
  private static let lastLineLimit = 200

  private struct Step {
    var time: ContinuousClock.Instant
    /// The signal for the process group; `nil` to wait no longer.
    var signal: Int32?
  }

  private struct State {
    /// Not yet read by the program.
    var unsent: [UInt8] = []
    /// What is still to be done to stop it. Not empty from the request to stop it until it has ended.
    var steps: [Step] = []
    /// Whether it was sent a signal.
    var wasSignalled = false
    /// How the leader of the group has ended; no signal is sent to the group afterwards.
    var ending: PluginEnding?
    /// Whether it has ended by itself before others of its group.
    var leavesChildren = false
    var hasEnded = false
    var wakeEnd: Int32 = -1
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  // MARK: The host's side

  /// Starts the program on a thread of its own; called once.
  ///
  /// Returns immediately. A failure to start is reported to `Observer.ended`.
  func start(_ launch: PluginLaunch, _ observer: Observer) {
    OwnThread.start { [self] in
      // Signals are for the host's other threads. The one for a pipe without a reader ends with this thread.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      var log = ErrorLog(observer.redaction)
      let ending: PluginEnding
      do throws(PluginEnding) { ending = try run(launch, observer, &log) } catch { ending = error }
      observer.ended(ending, log.lastLine(limit: Self.lastLineLimit))
      let waiters = state.withLock { state in
        (state.hasEnded, state.unsent) = (true, [])
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Writes to the program's standard input without blocking; nothing once it is being stopped.
  func send(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.hasEnded, state.steps.isEmpty else { return }
      state.unsent += bytes
      Self.wake(state)
    }
  }

  /// Makes the thread ask its observer for due work.
  func wake() { state.withLock { Self.wake($0) } }

  /// Ends the program's input, sends SIGTERM to its group after a time, and SIGKILL after the same time again; the most
  /// urgent of several calls counts.
  func stop(_ exitTimeout: Duration) {
    state.withLock { state in
      let (terminate, kill) = (ContinuousClock.now + exitTimeout, ContinuousClock.now + exitTimeout * 2)
      let end = kill + Self.killTimeout
      guard !state.hasEnded, state.steps.last.map({ end < $0.time }) ?? true else { return }
      state.steps = [
        Step(time: terminate, signal: SIGTERM), Step(time: kill, signal: SIGKILL),
        Step(time: end, signal: nil),
      ]
      Self.wake(state)
    }
  }

  var hasEnded: Bool { state.withLock(\.hasEnded) }
  var wasSignalled: Bool { state.withLock(\.wasSignalled) }
  var leavesChildren: Bool { state.withLock(\.leavesChildren) }

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

  private static func wake(_ state: State) {
    // A full pipe wakes the thread as well.
    if state.wakeEnd >= 0 { _ = withUnsafeBytes(of: UInt8(0)) { write(state.wakeEnd, $0.baseAddress, 1) } }
  }

  // MARK: The threads

  /// Runs the program until it has ended or is waited for no longer.
  private func run(_ launch: PluginLaunch, _ observer: Observer, _ log: inout ErrorLog) throws(PluginEnding)
    -> PluginEnding
  {
    let wakeEnds = try ChildProgram.pipe()
    for end in wakeEnds { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let isWanted = state.withLock { state in
      state.wakeEnd = wakeEnds[1]
      return state.steps.isEmpty
    }
    defer {
      state.withLock { $0.wakeEnd = -1 }
      for end in wakeEnds { close(end) }
    }
    guard isWanted else { return .lost }
    var child = try ChildProgram(launch)
    OwnThread.start { [self, id = child.id] in waitForExit(of: id) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
    var hasClosedOutput = false
    defer {
      buffer.deallocate()
      for end in [child.input, child.output, child.error] where end >= 0 { close(end) }
    }
    while true {
      let now = ContinuousClock.now
      let due = observer.due(now)
      let (ending, next, writing) = advance(&child, now)
      if var ending {
        if case .signalled = ending, hasClosedOutput, wasSignalled { ending = .closedOutput }
        drain(&child, buffer, observer, &log)
        return ending
      }
      // poll() ignores negative descriptors.
      var polled = [wakeEnds[0], child.output, child.error].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      polled.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0))
      let time = [due, next].compactMap(\.self).min()
      guard poll(&polled, nfds_t(polled.count), Self.milliseconds(time.map { $0 - now })) > 0 else {
        continue
      }
      if polled[0].revents != 0 { _ = read(wakeEnds[0], buffer.baseAddress, buffer.count) }
      if polled[2].revents != 0, let bytes = ChildProgram.readOnce(&child.error, buffer) {
        log.take(bytes, report: observer.log)
      }
      if polled[1].revents != 0, let bytes = ChildProgram.readOnce(&child.output, buffer) {
        observer.output(bytes)
      }
      // Without standard output it cannot answer.
      if child.output < 0, state.withLock(\.steps.isEmpty) {
        hasClosedOutput = true
        stop(Self.exitTimeout)
      }
    }
  }

  /// Sends the signals that are due, and writes to the program.
  ///
  /// - Returns: How it ended, or `nil`; when the next signal is due; the descriptor to write to when it is ready.
  private func advance(_ child: inout ChildProgram, _ now: ContinuousClock.Instant)
    -> (PluginEnding?, next: ContinuousClock.Instant?, writing: Int32)
  {
    state.withLock { state in
      if let ending = state.ending { return (ending, nil, -1) }
      while let step = state.steps.first, step.time <= now {
        guard let signal = step.signal else { return (.lost, nil, -1) }
        state.steps.removeFirst()
        state.wasSignalled = true
        kill(-child.id, signal)
      }
      while child.input >= 0, !state.unsent.isEmpty {
        let count = state.unsent.withUnsafeBytes { write(child.input, $0.baseAddress, $0.count) }
        if count > 0 {
          state.unsent.removeFirst(count)
        } else if errno == EAGAIN {
          break
        } else if errno != EINTR {
          // The program reads no more; its end is reported separately.
          ChildProgram.shut(&child.input)
        }
      }
      if !state.steps.isEmpty { ChildProgram.shut(&child.input) }
      if child.input < 0 { state.unsent = [] }
      return (nil, state.steps.first?.time, state.unsent.isEmpty ? -1 : child.input)
    }
  }

  /// Waits for the exit of the program, and kills what is left of its group.
  private func waitForExit(of id: pid_t) {
    var info = siginfo_t()
    // It is not reaped yet, so that its number cannot become that of another group before the lock is taken.
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      if waitpid(id, &status, 0) == id {
        state.ending = PluginEnding(status: status)
        // The number stays that of the group while there is a process in it.
        state.leavesChildren = kill(-id, SIGKILL) == 0 && !state.wasSignalled
      } else {
        // The host program has its status, or ignores that its children end: the number may be another one's.
        state.ending = .lost
      }
      Self.wake(state)
    }
  }

  /// Reads what the program has written before its end.
  private func drain(
    _ child: inout ChildProgram, _ buffer: UnsafeMutableRawBufferPointer, _ observer: Observer,
    _ log: inout ErrorLog
  ) {
    for _ in 0..<Self.lastReads {
      if let bytes = ChildProgram.readOnce(&child.error, buffer) { log.take(bytes, report: observer.log) }
      if let bytes = ChildProgram.readOnce(&child.output, buffer) { observer.output(bytes) }
    }
    log.finish(report: observer.log)
  }

  /// A wait in milliseconds for `poll`, rounded up so that it does not wake too early.
  private static func milliseconds(_ wait: Duration?) -> Int32 {
    guard let wait else { return -1 }
    return Int32(clamping: Int((max(.zero, wait) / .milliseconds(1)).rounded(.up)))
  }
}
