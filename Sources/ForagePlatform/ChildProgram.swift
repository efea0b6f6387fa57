import Synchronization

/// How a program ended.
package enum ChildEnding: Hashable, Sendable {
  case exited(Int32)
  case signalled(Int32)
  /// It was stopped before its start, did not end after SIGKILL, or somebody else has its status.
  case lost

  /// Reads a status of `waitpid`: the low seven bits are the signal, the next byte is the exit status.
  fileprivate init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }

  package var isSuccess: Bool { self == .exited(0) }
}

/// A program that is run once: the one way in which programs are started, served, stopped and waited for.
///
/// One thread serves its pipes, so that neither a flood of output nor silence blocks anything else. Another
/// one waits for its exit. This process is not changed: no signal handler, no disposition, no other child.
package final class ChildProgram: Sendable {
  package typealias Bytes = UnsafeRawBufferPointer
  package typealias Instant = ContinuousClock.Instant

  /// How long after SIGKILL a process is waited for: one of another user gets no signal of ours.
  private static let killTimeout = Duration.seconds(1)
  /// The number of bytes per read, the capacity of a pipe.
  private static let readSize = 64 << 10
  /// How often a pipe is read after the end of the program, whose children may go on writing; the largest
  /// pipe on Linux is 1 MiB.
  private static let lastReads = 32

  private struct Step {
    var time: Instant
    /// The signal for the program and its group; `nil` to wait no longer.
    var signal: Int32?
  }

  private struct State {
    /// What was sent; of that, the number of bytes that are written.
    var input: [UInt8] = []
    var written = 0
    var isInputComplete = false
    /// What is still to be done to stop it. Not empty from the request to stop it until it has ended.
    var steps: [Step] = []
    /// Whether it was sent a signal.
    var wasSignalled = false
    /// How it has ended; no signal is sent afterwards.
    var ending: ChildEnding?
    var leavesChildren = false
    var wakeEnd: Int32 = -1
  }

  private let state = Mutex(State())

  package init() {}

  /// Runs a body on a thread that gets no signal: signals are for the other threads, and the one for a pipe
  /// without a reader ends with this one.
  package static func onThread(_ body: @escaping @Sendable () -> Void) {
    OwnThread.start {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      body()
    }
  }

  // MARK: From any thread

  /// Writes to the program's standard input without blocking; nothing once it is being stopped.
  package func send(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.ending == nil, state.steps.isEmpty else { return }
      // Seldom enough that moving the rest costs no more than writing it.
      if state.written > state.input.count / 2 {
        state.input.removeFirst(state.written)
        state.written = 0
      }
      state.input += bytes
      Self.wake(state)
    }
  }

  /// Ends the program's standard input after what was sent.
  package func completeInput() {
    state.withLock { state in
      state.isInputComplete = true
      Self.wake(state)
    }
  }

  /// Makes the thread that runs the program ask for due work.
  package func wake() { state.withLock { Self.wake($0) } }

  /// Ends the program's input, sends SIGTERM after a time, and SIGKILL after a second time; the most urgent
  /// of several calls counts. What is left of its group ends with the program.
  package func stop(_ exitTimeout: Duration = .zero, grace: Duration) {
    state.withLock { state in
      let terminate = ContinuousClock.now + exitTimeout
      let kill = terminate + grace
      let end = kill + Self.killTimeout
      guard state.ending == nil, state.steps.last.map({ end < $0.time }) ?? true else { return }
      state.steps = [
        Step(time: terminate, signal: SIGTERM), Step(time: kill, signal: SIGKILL),
        Step(time: end, signal: nil),
      ]
      Self.wake(state)
    }
  }

  /// Whether it was asked to end.
  package var isStopped: Bool { state.withLock { !$0.steps.isEmpty } }
  /// Whether it was sent a signal.
  package var wasSignalled: Bool { state.withLock(\.wasSignalled) }
  /// Whether it has ended by itself before others of its group, which have been killed.
  package var leavesChildren: Bool { state.withLock(\.leavesChildren) }

  private static func wake(_ state: State) {
    // A full pipe wakes the thread as well.
    if state.wakeEnd >= 0 { _ = withUnsafeBytes(of: UInt8(0)) { write(state.wakeEnd, $0.baseAddress, 1) } }
  }

  // MARK: The threads

  /// Runs a program until it has ended, and blocks the thread; called once.
  ///
  /// Its children that go on keep nothing from returning, though they hold its pipes.
  ///
  /// - Parameters:
  ///   - launch: The program. Where its input is a pipe, the thread is one of `onThread`.
  ///   - endsGroup: Whether what is left of its group is killed when it ends by itself, too.
  ///   - output: Receives its standard output; no bytes are its end.
  ///   - error: The same for its standard error.
  ///   - due: Performs due work, and returns when work is due next.
  package func run(
    _ launch: ChildLaunch, endsGroup: Bool = false, output: (Bytes) -> Void, error: (Bytes) -> Void,
    due: (Instant) -> Instant?
  ) throws(ChildFailure) -> ChildEnding {
    guard let wakeEnds = closeOnExecPipe() else { throw ChildFailure(code: errno, path: launch.program) }
    for end in [wakeEnds.reading, wakeEnds.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let isWanted = state.withLock { state in
      state.wakeEnd = wakeEnds.writing
      return state.steps.isEmpty
    }
    defer {
      state.withLock { state in (state.wakeEnd, state.input) = (-1, []) }
      for end in [wakeEnds.reading, wakeEnds.writing] { close(end) }
    }
    guard isWanted else { return .lost }
    var child = try launch.start()
    // A signal for the group would be one for this process, too.
    let target = launch.group == .shared ? child.id : -child.id
    OwnThread.start { [self, id = child.id] in
      waitForExit(of: id, target: target, endsGroup: endsGroup && launch.group != .shared)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let now = ContinuousClock.now
      let dueTime = due(now)
      let (ending, stepTime, writing) = advance(&child, target, now)
      if let ending {
        for _ in 0..<Self.lastReads {
          if let bytes = child.readError(buffer) { error(bytes) }
          if let bytes = child.readOutput(buffer) { output(bytes) }
        }
        return ending
      }
      // poll() ignores negative descriptors.
      var polled = [wakeEnds.reading, child.output, child.error].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      polled.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0))
      let time = [dueTime, stepTime].compactMap(\.self).min()
      guard poll(&polled, nfds_t(polled.count), Self.milliseconds(time.map { $0 - now })) > 0 else {
        continue
      }
      if polled[0].revents != 0 { _ = read(wakeEnds.reading, buffer.baseAddress, buffer.count) }
      if polled[2].revents != 0, let bytes = child.readError(buffer) { error(bytes) }
      if polled[1].revents != 0, let bytes = child.readOutput(buffer) { output(bytes) }
    }
  }

  /// Sends the signals that are due, and writes to the program.
  ///
  /// - Returns: How it ended, or `nil`; when the next signal is due; the descriptor to write to when it is
  ///   ready.
  private func advance(_ child: inout StartedChild, _ target: pid_t, _ now: Instant)
    -> (ChildEnding?, next: Instant?, writing: Int32)
  {
    state.withLock { state in
      if let ending = state.ending { return (ending, nil, -1) }
      while let step = state.steps.first, step.time <= now {
        guard let signal = step.signal else { return (.lost, nil, -1) }
        state.steps.removeFirst()
        state.wasSignalled = true
        kill(target, signal)
      }
      while child.input >= 0, state.written < state.input.count {
        let count = state.input.withUnsafeBytes { bytes in
          write(child.input, bytes.baseAddress.map { $0 + state.written }, bytes.count - state.written)
        }
        if count > 0 {
          state.written += count
        } else if errno == EAGAIN {
          break
        } else if errno != EINTR {
          // The program reads no more; its end is reported separately.
          child.closeInput()
        }
      }
      let isWritten = child.input < 0 || state.written == state.input.count
      if isWritten { (state.input, state.written) = ([], 0) }
      if !state.steps.isEmpty || isWritten && state.isInputComplete { child.closeInput() }
      return (nil, state.steps.first?.time, isWritten ? -1 : child.input)
    }
  }

  /// Waits for the exit of the program, and kills what is left of its group where that is to end.
  private func waitForExit(of id: pid_t, target: pid_t, endsGroup: Bool) {
    var info = siginfo_t()
    // It is not reaped yet, so that its number cannot become that of another group before the lock is taken.
    var failure: Int32 = 0
    repeat {
      failure = waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) == 0 ? 0 : errno
    } while failure == EINTR
    state.withLock { state in
      let isStopped = state.wasSignalled || !endsGroup && !state.steps.isEmpty
      if isStopped, failure == 0 { kill(target, SIGKILL) }
      var status: Int32 = 0
      if waitpid(id, &status, 0) == id {
        state.ending = ChildEnding(status: status)
        // The number stays that of the group while there is a process in it.
        if endsGroup, !isStopped { state.leavesChildren = kill(target, SIGKILL) == 0 }
      } else {
        // This process ignores that its children end, or another part of it has the status: the number may be
        // another's.
        state.ending = .lost
      }
      Self.wake(state)
    }
  }

  /// A wait in milliseconds for `poll`.
  private static func milliseconds(_ wait: Duration?) -> Int32 {
    Int32(clamping: wait.map { max(.zero, $0).millisecondsRoundedUp } ?? -1)
  }
}
