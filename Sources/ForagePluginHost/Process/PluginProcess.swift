import CForageSupervisor
import ForageCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plugin's program, from its start until nothing of it is left.
///
/// One thread of its own reads all that the program writes, so that no flood and no silence of it holds up
/// anything else.
final class PluginProcess: Sendable {
  /// Who is told what happens, on the process's thread, one call at a time.
  struct Observer: Sendable {
    /// Gets what the program writes to its standard output, in pieces of any size.
    var output: @Sendable (UnsafeRawBufferPointer) -> Void
    /// Replaces secrets in what the program writes to its standard error.
    var redaction = SecretRedaction([])
    /// Gets each line that it writes to its standard error.
    var log: @Sendable (String) -> Void
    /// Does what is due, and tells when something is due next.
    var due: @Sendable (ContinuousClock.Instant) -> ContinuousClock.Instant?
    /// Told once, when nothing of the program is left, with the last line of its standard error.
    var ended: @Sendable (PluginEnding, _ lastWords: String?) -> Void
  }

  /// How much time the program gets to end by itself, the least patient last.
  enum End: Int, Comparable, Sendable {
    /// Its input ends; a second later it is asked to terminate, and another second later it is killed.
    case gentle
    /// The same within 200 milliseconds.
    case hurried
    /// It is killed.
    case immediate

    static func < (a: End, b: End) -> Bool { a.rawValue < b.rawValue }
  }

  /// What may wait to be read by the program: more than any program leaves unread that means to answer.
  static let inputLimit = 8 << 20

  private struct State {
    /// Written, but not yet taken by the thread.
    var outgoing: [UInt8] = []
    /// What the thread has taken and the program has not.
    var unsent = 0
    var end: End?
    var isGone = false
    var group: pid_t?
    /// Written to, to make the thread look.
    var wakePipe: Int32 = -1
    var waiters: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Starts the program; to be called once.
  ///
  /// Returns at once; that the program could not be started is told as its end.
  func start(_ launch: PluginLaunch, observer: Observer) {
    let isStarted = System.onOwnThread { [self] in
      var ends: [Int32] = [-1, -1]
      let failure = forage_pipe(&ends)
      guard failure == 0 else { return finish(.notStarted(failure), nil, observer) }
      let isWanted = state.withLock { state in
        state.wakePipe = ends[1]
        return state.end == nil
      }
      // Closed after nobody rings any more: who writes to a pipe without a reader gets a signal.
      defer { System.close(ends[0]) }
      // Ended before it began: nothing is started.
      guard isWanted else { return finish(.lost, nil, observer) }
      var loop = ProcessLoop(process: self, observer: observer, wakePipe: ends[0])
      let ending = loop.run(launch)
      finish(ending, loop.log.lastLine(limit: Self.lastWordsLimit), observer)
    }
    if !isStarted { finish(.notStarted(EAGAIN), nil, observer) }
  }

  /// Characters of the last line that stand in a message: a sentence, not a report.
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

  /// Writes to the program's standard input, without waiting for it to read.
  ///
  /// - Returns: Whether that was taken; not so when the program is gone or being ended, or has left too much
  ///   unread.
  func send(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isGone, state.end == nil,
        state.outgoing.count + state.unsent + bytes.count <= Self.inputLimit
      else { return false }
      state.outgoing += bytes
      Self.ring(state.wakePipe)
      return true
    }
  }

  /// Makes the thread ask its observer what is due.
  func nudge() {
    state.withLock { state in Self.ring(state.wakePipe) }
  }

  /// Ends the program; the least patient of several wishes counts.
  func end(_ end: End) {
    state.withLock { state in
      guard !state.isGone else { return }
      state.end = max(end, state.end ?? end)
      Self.ring(state.wakePipe)
    }
  }

  /// Whether nothing of the program is left.
  var isGone: Bool { state.withLock { $0.isGone } }

  /// The program's process group, `nil` before it runs.
  var group: pid_t? { state.withLock { $0.group } }

  /// Calls a closure, once, when nothing of the program is left; at once when that is so.
  func whenGone(_ body: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.waiters.append(body) }
      return state.isGone
    }
    if isGone { body() }
  }

  private static func ring(_ wakePipe: Int32) {
    guard wakePipe >= 0 else { return }
    // A full pipe wakes the thread as well.
    _ = withUnsafeBytes(of: UInt8(0)) { System.write(wakePipe, $0) }
  }

  /// What the thread has to do.
  func takeWork(unsent: Int) -> (outgoing: [UInt8], end: End?) {
    state.withLock { state in
      defer { state.outgoing = [] }
      state.unsent = unsent + state.outgoing.count
      return (state.outgoing, state.end)
    }
  }

  /// Tells the process which group it leads.
  func lead(_ group: pid_t) { state.withLock { $0.group = group } }
}
