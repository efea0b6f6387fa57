import ForagePlatform
import Synchronization

/// The environment of the process: its variables, the terminal, and how it can be interrupted.
package struct ProcessEnvironment: Sendable {
  /// The process's variables.
  let environment: [String: String]
  /// Where results and messages go.
  var output: Output
  /// Starts pagers and browsers.
  var terminalPrograms: TerminalProgram
  /// Standard input, for answers to questions.
  var input = Input.standard
  /// The work that Ctrl-C has to wait for.
  package let interruption = Interruption()
  /// Whether connections are closed after a command; the program itself leaves that to its exit.
  package var closesConnections = true
  /// Becomes rg: its path, its options and its paths, which need not be UTF-8, and where the output for
  /// several paths is that for each of them, one behind the other, about how many files each path has;
  /// returns the `errno` of a failure. Only the program itself may.
  package var becomeRipgrep: @Sendable (String, [[UInt8]], [[UInt8]], [Int]?) -> Int32 = { _, _, _, _ in EPERM
  }
  /// The commit that the program was built from; empty where that is not known.
  package var commit = ""
}

extension ProcessEnvironment {
  package init(environment: [String: String], output: Output) {
    self.init(environment: environment, output: output, terminalPrograms: .live)
  }
}

/// The work that Ctrl-C has to wait for; the command changes it, and the main thread reads it.
package final class Interruption: Sendable {
  private struct State {
    var isPaging = false
    var removesFiles = false
  }

  private let state = Mutex(State())

  /// Whether a pager has the terminal, which then gets Ctrl-C.
  package internal(set) var isPaging: Bool {
    get { state.withLock { $0.isPaging } }
    set { state.withLock { $0.isPaging = newValue } }
  }

  /// Whether the command still has files to remove after Ctrl-C: the program then waits for it, or for a
  /// second Ctrl-C.
  package internal(set) var removesFiles: Bool {
    get { state.withLock { $0.removesFiles } }
    set { state.withLock { $0.removesFiles = newValue } }
  }

  /// From now on the program waits for the command after Ctrl-C, and ends as with Ctrl-C where the terminal
  /// is closed or the process is to end, so that nothing is left half done, and no child is left.
  package func waitsForWork() {
    removesFiles = true
    guard (try? WakePipe.endings.open()) != nil else { return }
    for number in [SIGHUP, SIGTERM] {
      signal(number) { WakePipe.endings.write(UInt8(truncatingIfNeeded: $0)) }
    }
    OwnThread.start {
      var ready = pollfd(fd: WakePipe.endings.reading, events: Int16(POLLIN), revents: 0)
      while poll(&ready, 1, -1) <= 0 {}
      // The handler may have run on the thread that waits for Ctrl-C; only while it waits does it get the
      // signal.
      usleep(10_000)
      kill(getpid(), SIGINT)
    }
  }
}

/// Where answers to questions come from.
struct Input: Sendable {
  var isTerminal: Bool
  /// Waits for a line, `nil` at the end.
  var readLine: @Sendable () -> String?

  /// The standard input of this process.
  static let standard = Input(isTerminal: isatty(STDIN_FILENO) == 1) { Swift.readLine() }
}
