import ForagePlatform
import Foundation
import Synchronization

/// Feeds, drains, times and reaps one child on one thread, with `poll`, so that no pipe can block another.
struct ChildDriver {
  let child: ChildDescriptors
  let shared: RunningProcess.Shared
  let begin: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  private let closeAfter: Int?
  private var input: Int32
  private var output: Int32
  private var error: Int32
  private var pending: Data
  private var received = 0
  private var sampledPeak = 0
  private var timedOut = false
  private var ended: (status: Int32, usage: rusage, at: ContinuousClock.Instant)?
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(
    child: ChildDescriptors, stdin: Data, begin: ContinuousClock.Instant, timeout: Duration, closeAfter: Int?,
    shared: RunningProcess.Shared
  ) {
    self.child = child
    self.shared = shared
    self.begin = begin
    deadline = begin + timeout
    self.closeAfter = closeAfter
    input = child.input
    output = child.output
    error = child.error
    pending = stdin
  }

  /// Runs until the child has ended and its output is drained.
  mutating func drive() -> ProcessResult {
    // A child that closes its input early must give EPIPE here, not a signal to the tests.
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
    let baseline = peak(of: "self")
    samplePeak()
    closeInputIfDone()
    var leftOpen = false
    while output >= 0 || error >= 0 || ended == nil {
      pollOnce()
      samplePeak()
      reap()
      let now = ContinuousClock.now
      if ended == nil, now >= deadline, !timedOut {
        timedOut = true
        shared.state.withLock { state in if !state.reaped { Spawn.deliver(SIGKILL, to: -child.pid) } }
      }
      if let ended, now >= ended.at + ProcessRunner.drainGrace, output >= 0 || error >= 0 {
        leftOpen = true
        break
      }
    }
    for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
    return result(leftOpen: leftOpen, baseline: baseline)
  }

  /// Waits for one event, at most `pollMilliseconds`, and moves the bytes.
  private mutating func pollOnce() {
    takeInput()
    var list: [pollfd] = []
    if input >= 0, !pending.isEmpty {
      list.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0))
    }
    if output >= 0 { list.append(pollfd(fd: output, events: Int16(POLLIN), revents: 0)) }
    if error >= 0 { list.append(pollfd(fd: error, events: Int16(POLLIN), revents: 0)) }
    // With the output closed nothing tells of the end: look more often, so that the wall time stays exact.
    let wait: Int32 = output < 0 && error < 0 ? 1 : ProcessRunner.pollMilliseconds
    guard poll(&list, nfds_t(list.count), wait) > 0 else { return }
    for entry in list where entry.revents != 0 {
      if entry.fd == input { feed() } else { drain(entry.fd) }
    }
  }

  private mutating func feed() {
    let count = pending.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    if count > 0 {
      pending = pending.dropFirst(count)
    } else if errno != EAGAIN, errno != EINTR {
      pending = Data()
    }
    closeInputIfDone()
  }

  /// Takes what the callers have sent meanwhile.
  private mutating func takeInput() {
    let (sent, size) = shared.state.withLock { state in
      defer { (state.input, state.size) = (Data(), nil) }
      return (state.input, state.size)
    }
    pending += sent
    if let size, output >= 0 { Terminal.resize(output, columns: size.columns, rows: size.rows) }
    closeInputIfDone()
  }

  private mutating func closeInputIfDone() {
    guard input >= 0, pending.isEmpty, shared.state.withLock({ $0.isInputEnded && $0.input.isEmpty }) else {
      return
    }
    close(input)
    input = -1
  }

  private mutating func drain(_ descriptor: Int32) {
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    // A terminal's master reports EIO where a pipe reports its end.
    guard count > 0 else { return finish(descriptor) }
    let isOutput = descriptor == output
    shared.state.withLock { state in
      if isOutput {
        state.stdout.append(contentsOf: buffer[0..<count])
      } else {
        state.stderr.append(contentsOf: buffer[0..<count])
      }
    }
    if isOutput {
      received += count
      if let closeAfter, received >= closeAfter { finish(descriptor) }
    }
  }

  private mutating func finish(_ descriptor: Int32) {
    close(descriptor)
    if descriptor == output { output = -1 } else { error = -1 }
  }

  /// Reaps under the lock, so that no signal can go to a number that is free again.
  private mutating func reap() {
    guard ended == nil else { return }
    ended = shared.state.withLock { state in
      var status: Int32 = 0
      var usage = rusage()
      guard wait4(child.pid, &status, WNOHANG, &usage) == child.pid else { return nil }
      state.reaped = true
      return (status, usage, ContinuousClock.now)
    }
  }

  private mutating func samplePeak() {
    guard ended == nil else { return }
    sampledPeak = max(sampledPeak, peak(of: String(child.pid)))
  }

  /// `VmHWM` of a process in KB; 0 where that cannot be told.
  private func peak(of process: String) -> Int {
    #if os(Linux)
      let file = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return 0 }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return 0 }
      for line in String(decoding: bytes[0..<count], as: UTF8.self).split(separator: "\n")
      where line.hasPrefix("VmHWM:") {
        return Int(line.filter(\.isNumber)) ?? 0
      }
    #endif
    return 0
  }

  private func result(leftOpen: Bool, baseline: Int) -> ProcessResult {
    let (stdout, stderr) = shared.state.withLock { ($0.stdout, $0.stderr) }
    let raw = ended?.status ?? 0
    let usage = ended?.usage ?? rusage()
    // wait(2)'s encoding on Linux and macOS: low seven bits the signal, next byte the exit code.
    let signal = raw & 0x7f
    #if canImport(Darwin)
      let reported = Int(usage.ru_maxrss) / 1024
    #else
      let reported = Int(usage.ru_maxrss)
    #endif
    return ProcessResult(
      status: signal == 0 ? (raw >> 8) & 0xff : 128 + signal, signal: signal == 0 ? nil : signal,
      timedOut: timedOut, outputLeftOpen: leftOpen, stdout: stdout, stderr: stderr,
      wallMilliseconds: milliseconds(begin.duration(to: ended?.at ?? .now)), userCPU: seconds(usage.ru_utime),
      systemCPU: seconds(usage.ru_stime), peakKB: reported > baseline ? reported : sampledPeak)
  }

  private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  private func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
  }
}
