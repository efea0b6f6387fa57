import CForageSupervisor
import ForageCore
import ForagePlatform
import Synchronization

/// The process of a plugin, from its start until its process group has ended.
///
/// A dedicated thread reads its output, so that neither a flood of output nor silence blocks anything else.
final class PluginProcess: Sendable {
  /// Receives events, sequentially on the process's thread.
  struct Observer: Sendable {
    var output: @Sendable (UnsafeRawBufferPointer) -> Void
    var redaction = SecretRedaction([])
    var log: @Sendable (String) -> Void
    /// Performs due work, and returns when work is due next.
    var due: @Sendable (ContinuousClock.Instant) -> ContinuousClock.Instant?
    /// Called once after the process group has ended, with the last line of standard error.
    var ended: @Sendable (PluginEnding, _ lastWords: String?) -> Void
  }

  /// How soon the program must exit, in increasing order.
  enum Urgency: Int, Comparable, Sendable {
    /// Its input is closed; it receives SIGTERM after a second, and SIGKILL after another second.
    case gentle
    /// The same within 200 milliseconds.
    case hurried
    /// It receives SIGKILL.
    case immediate

    static func < (a: Urgency, b: Urgency) -> Bool { a.rawValue < b.rawValue }
  }

  /// The maximum number of bytes waiting to be read by the program.
  static let inputLimit = 8 << 20

  private struct State {
    /// Written, but not yet taken by the thread.
    var outgoing: [UInt8] = []
    /// Taken by the thread, but not yet read by the program.
    var unsent = 0
    var urgency: Urgency?
    var isGone = false
    var group: pid_t?
    var leavesChildren = false
    var wakePipe: Int32 = -1
    var waiters: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Starts the thread, which runs the program; called once.
  ///
  /// Returns immediately. A failure to start is reported to `Observer.ended`.
  func startThread(_ launch: PluginLaunch, observer: Observer) {
    OwnThread.start { [self] in
      var ends: [Int32] = [-1, -1]
      let failure = forage_pipe(&ends)
      guard failure == 0 else { return finish(.notStarted(failure), nil, observer) }
      let isWanted = state.withLock { state in
        state.wakePipe = ends[1]
        return state.urgency == nil
      }
      // Closed last: writing to a pipe without a reader raises SIGPIPE.
      defer { System.close(ends[0]) }
      // Stopped before it was started.
      guard isWanted else { return finish(.lost, nil, observer) }
      var loop = ProcessLoop(process: self, observer: observer, wakePipe: ends[0])
      let ending = loop.run(launch)
      finish(ending, loop.log.lastLine(limit: Self.lastWordsLimit), observer)
    }
  }

  /// The maximum length of the last line in a message, in characters.
  private static let lastWordsLimit = 200

  private func finish(_ ending: PluginEnding, _ lastWords: String?, _ observer: Observer) {
    observer.ended(ending, lastWords)
    let waiters = state.withLock { state in
      state.isGone = true
      state.outgoing = []
      if state.wakePipe >= 0 { System.close(state.wakePipe) }
      state.wakePipe = -1
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter() }
  }

  /// Writes to the program's standard input without blocking.
  ///
  /// - Returns: Whether the bytes were accepted. They are not if the program has ended or is being stopped,
  ///   or if too much is unread.
  func send(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isGone, state.urgency == nil,
        state.outgoing.count + state.unsent + bytes.count <= Self.inputLimit
      else { return false }
      state.outgoing += bytes
      Self.wake(state.wakePipe)
      return true
    }
  }

  /// Makes the thread ask its observer for due work.
  func wake() {
    state.withLock { state in Self.wake(state.wakePipe) }
  }

  /// Makes the thread stop the program; the most urgent of several calls counts.
  func terminate(_ urgency: Urgency) {
    state.withLock { state in
      guard !state.isGone else { return }
      state.urgency = max(urgency, state.urgency ?? urgency)
      Self.wake(state.wakePipe)
    }
  }

  var isGone: Bool { state.withLock { $0.isGone } }

  /// The program's process group; `nil` before it runs.
  var group: pid_t? { state.withLock { $0.group } }

  /// Calls a closure once when the process group has ended; immediately if it already has.
  func onExit(_ body: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.waiters.append(body) }
      return state.isGone
    }
    if isGone { body() }
  }

  private static func wake(_ wakePipe: Int32) {
    guard wakePipe >= 0 else { return }
    // A full pipe wakes the thread as well.
    _ = withUnsafeBytes(of: UInt8(0)) { System.write(wakePipe, $0) }
  }

  func takeWork(unsent: Int) -> (outgoing: [UInt8], urgency: Urgency?) {
    state.withLock { state in
      defer { state.outgoing = [] }
      state.unsent = unsent + state.outgoing.count
      return (state.outgoing, state.urgency)
    }
  }

  /// Whether the program has ended by itself before its child processes.
  var leavesChildren: Bool { state.withLock { $0.leavesChildren } }

  func leaveChildren() { state.withLock { $0.leavesChildren = true } }

  func setProcessGroup(_ group: pid_t) { state.withLock { $0.group = group } }
}
