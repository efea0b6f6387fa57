import CForageSupervisor
import ForagePlatform

/// The loop of a plugin process's thread: transfers bytes, performs due work, and stops the program.
struct ProcessLoop {
  /// The time for exiting after the input was closed, and again after SIGTERM.
  static let patience: Duration = .seconds(1)
  /// The times of a hurried termination, until SIGTERM and until SIGKILL.
  static let hurry: (terminate: Duration, kill: Duration) = (.milliseconds(100), .milliseconds(200))
  /// The time after which the supervisor of a killed program is abandoned. It exceeds the two seconds for
  /// which the supervisor looks for descendants.
  private static let supervisorPatience: Duration = .seconds(3)
  /// How often to check for the remains of a killed supervisor, and the pause between two checks in
  /// microseconds.
  private static let burial: (looks: Int, pause: UInt32) = (500, 2000)
  /// The number of bytes per read, the capacity of a pipe.
  private static let readSize = 64 << 10

  /// How often a pipe is read after its writers have ended; the largest pipe on Linux is 1 MiB.
  private static let lastReads = 32

  let process: PluginProcess
  let observer: PluginProcess.Observer
  let wakePipe: Int32
  var log: ErrorLog

  private var child = forage_supervised()
  private var unsent: [UInt8] = []
  private var reports: [UInt8] = []
  private var ending: PluginEnding?
  private var urgency: PluginProcess.Urgency?
  /// Whether the program has closed its standard output before its termination was requested.
  private var hasClosedOutput = false
  private var hasTerminated = false
  private var terminateAt: ContinuousClock.Instant?
  private var killAt: ContinuousClock.Instant?
  private var abandonAt: ContinuousClock.Instant?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)

  init(process: PluginProcess, observer: PluginProcess.Observer, wakePipe: Int32) {
    self.process = process
    self.observer = observer
    self.wakePipe = wakePipe
    log = ErrorLog(observer.redaction)
  }

  /// Runs a program until its process group has ended.
  mutating func run(_ launch: PluginLaunch) -> PluginEnding {
    defer { buffer.deallocate() }
    // Signals are for the host's other threads; a closed pipe shows as an error.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    let failure = start(launch)
    guard failure == 0 else { return .notStarted(failure) }
    _ = Self.endOfOrphans
    while child.status >= 0 {
      takeWork()
      let now = ContinuousClock.now
      escalate(now)
      wait(until: [observer.due(now), terminateAt, killAt, abandonAt].compactMap { $0 }.min(), now: now)
    }
    return finish()
  }

  /// Ends what plugins have left that killed an earlier run of this program and the supervisor, once.
  private static let endOfOrphans: Void = { _ = forage_end_orphans() }()

  private mutating func start(_ launch: PluginLaunch) -> Int32 {
    let variables = launch.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return Self.withCStrings(launch.arguments) { arguments in
      Self.withCStrings(variables) { variables in
        forage_supervise(launch.program, arguments, variables, launch.folder, &child)
      }
    }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }

  private mutating func takeWork() {
    let (outgoing, requested) = process.takeWork(unsent: unsent.count)
    if child.input >= 0 { unsent += outgoing }
    guard let requested, urgency.map({ $0 < requested }) ?? true else { return }
    if urgency == nil {
      if requested == .gentle { command(forage_observe) }
      write()
      Self.close(&child.input)
    }
    urgency = requested
    let now = ContinuousClock.now
    let times: (terminate: Duration, kill: Duration) =
      switch requested {
      case .gentle: (Self.patience, Self.patience + Self.patience)
      case .hurried: Self.hurry
      case .immediate: (.zero, .zero)
      }
    // A more urgent request only moves later steps forward.
    if !hasTerminated { terminateAt = min(terminateAt ?? now + times.terminate, now + times.terminate) }
    if abandonAt == nil { killAt = min(killAt ?? now + times.kill, now + times.kill) }
  }

  /// Sends SIGTERM, then SIGKILL, when their times have come.
  private mutating func escalate(_ now: ContinuousClock.Instant) {
    if let time = terminateAt, time <= now {
      terminateAt = nil
      hasTerminated = true
      command(forage_terminate)
    }
    if let time = killAt, time <= now {
      (terminateAt, killAt) = (nil, nil)
      abandonAt = now + Self.supervisorPatience
      command(forage_kill)
      // A stopped process must be continued to be terminated, so the group is killed.
      killGroup()
      kill(child.supervisor, SIGCONT)
    }
    if let time = abandonAt, time <= now {
      abandonAt = now + Self.supervisorPatience
      killGroup()
      kill(child.supervisor, SIGKILL)
    }
  }

  private func command(_ byte: UInt8) {
    _ = withUnsafeBytes(of: byte) { System.write(child.control, $0) }
  }

  /// Waits until a descriptor is ready or work is due, and transfers bytes.
  private mutating func wait(until time: ContinuousClock.Instant?, now: ContinuousClock.Instant) {
    var polled = [
      pollfd(fd: wakePipe, events: Int16(POLLIN), revents: 0),
      pollfd(fd: child.status, events: Int16(POLLIN), revents: 0),
      // poll() ignores negative descriptors.
      pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: child.error, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : child.input, events: Int16(POLLOUT), revents: 0),
    ]
    guard poll(&polled, nfds_t(polled.count), Self.milliseconds(time.map { $0 - now })) > 0 else { return }
    if polled[0].revents != 0 { _ = System.read(wakePipe, buffer) }
    if polled[4].revents != 0 { write() }
    if polled[3].revents != 0 { readError() }
    if polled[2].revents != 0 { readOutput() }
    if polled[1].revents != 0 { readStatus() }
  }

  /// A wait in milliseconds for `poll`, rounded up so that it does not wake too early.
  private static func milliseconds(_ wait: Duration?) -> Int32 {
    guard let wait else { return -1 }
    let (seconds, rest) = wait.components
    let milliseconds = seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: max(0, milliseconds))
  }

  private mutating func write() {
    while !unsent.isEmpty, child.input >= 0 {
      let count = unsent.withUnsafeBytes { System.write(child.input, $0) }
      if count > 0 {
        unsent.removeFirst(count)
      } else if errno == EINTR {
        continue
      } else {
        // The program does not read any more; its end is reported separately.
        if errno != EAGAIN {
          Self.close(&child.input)
          unsent = []
        }
        return
      }
    }
  }

  /// Reads once, and closes a pipe at its end.
  ///
  /// - Returns: The bytes read.
  private static func read(_ descriptor: inout Int32, _ buffer: UnsafeMutableRawBufferPointer)
    -> UnsafeRawBufferPointer?
  {
    guard descriptor >= 0 else { return nil }
    let count = System.read(descriptor, buffer)
    if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
    if count == 0 || errno != EAGAIN && errno != EINTR { close(&descriptor) }
    return nil
  }

  private static func close(_ descriptor: inout Int32) {
    if descriptor >= 0 { System.close(descriptor) }
    descriptor = -1
  }

  private mutating func readOutput() {
    if let bytes = Self.read(&child.output, buffer) { observer.output(bytes) }
    // Without standard output it cannot answer.
    if child.output < 0, urgency == nil {
      hasClosedOutput = true
      process.terminate(.gentle)
    }
  }

  private mutating func readError() {
    if let bytes = Self.read(&child.error, buffer) { log.take(bytes, report: observer.log) }
  }

  private mutating func readStatus() {
    guard let bytes = Self.read(&child.status, buffer) else { return }
    reports.append(contentsOf: bytes)
    let size = MemoryLayout<forage_report>.size
    while reports.count >= size {
      let report = reports.withUnsafeBytes { $0.loadUnaligned(as: forage_report.self) }
      reports.removeFirst(size)
      switch UInt32(report.event) {
      case forage_started.rawValue: process.setProcessGroup(report.value)
      case forage_left_children.rawValue: process.leaveChildren()
      case forage_no_folder.rawValue: ending = .noFolder(report.value)
      case forage_not_started.rawValue: ending = .notStarted(report.value)
      default:
        let signal = forage_status_signal(report.value)
        ending =
          signal == 0
          ? .exited(forage_status_exit(report.value))
          : hasClosedOutput && hasTerminated ? .closedOutput : .signalled(signal)
      }
    }
  }

  /// Reads the remaining output after the supervisor has ended, and closes all descriptors.
  private mutating func finish() -> PluginEnding {
    var status: Int32 = 0
    while waitpid(child.supervisor, &status, 0) < 0, errno == EINTR {}
    // A supervisor that was killed could not stop the program, nor what has left its process group.
    if ending == nil || forage_status_signal(status) != 0 {
      for _ in 0..<Self.burial.looks {
        let hasGroup = killGroup()
        guard forage_end_inherited() > 0 || hasGroup else { break }
        usleep(Self.burial.pause)
      }
    }
    for _ in 0..<Self.lastReads where child.output >= 0 || child.error >= 0 {
      if let bytes = Self.read(&child.error, buffer) {
        log.take(bytes, report: observer.log)
      } else {
        Self.close(&child.error)
      }
      if let bytes = Self.read(&child.output, buffer) {
        observer.output(bytes)
      } else {
        Self.close(&child.output)
      }
    }
    log.finish(report: observer.log)
    Self.close(&child.input)
    Self.close(&child.control)
    return ending ?? .lost
  }

  /// Kills the program's process group, unless the supervisor has reported its end: the id may have been
  /// reused.
  ///
  /// - Returns: Whether there was a process to kill.
  @discardableResult
  private func killGroup() -> Bool {
    guard ending == nil, let group = process.group else { return false }
    return kill(-group, SIGKILL) == 0
  }
}
