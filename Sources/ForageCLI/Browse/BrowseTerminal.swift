import Forage
import ForageBrowse
import ForagePlatform
import Synchronization

/// The terminal of this process while the screens have it.
///
/// All but `wake` is called by one thread.
final class BrowseTerminal {
  /// What woke the thread that waits for input.
  enum Wake {
    case input([UInt8])
    case signal(Int32)
    /// Somebody else has something to tell, or the time is up.
    case other
    /// The terminal is gone.
    case end
  }

  /// The signals that are handled here; the others end the program as ever.
  private static let signals = [SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]
  /// The size where the terminal does not tell its own.
  private static let usualSize = (columns: 80, rows: 24)

  private let input: Int32
  private let output: Int32
  private let modes: termios
  private var isEntered = false

  /// Takes note of the modes of the terminal.
  ///
  /// - Parameters:
  ///   - input: The open terminal that keys are read from.
  ///   - output: The one that is drawn on.
  ///   - hint: What to do where there is none.
  /// - Throws: `ForageError` where they cannot be read.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, hint: String = "use --plain") throws {
    var modes = termios()
    guard tcgetattr(input, &modes) == 0 else {
      throw ForageError("the terminal cannot be used: \(String(cString: strerror(errno)))", hint: hint)
    }
    (self.input, self.output) = (input, output)
    self.modes = modes
    try WakePipe.shared.open()
    for number in Self.signals { handle(number) }
  }

  deinit {
    leave()
    for number in Self.signals { _ = signal(number, SIG_DFL) }
  }

  private func handle(_ number: Int32) {
    _ = signal(number) { WakePipe.shared.write(UInt8(truncatingIfNeeded: $0)) }
  }

  /// Switches to the alternate screen and to keys that arrive one by one.
  func enter() {
    var raw = modes
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    raw.c_oflag &= ~tcflag_t(OPOST)
    raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    tcsetattr(input, TCSANOW, &raw)
    isEntered = true
    write(FrameWriter.begin)
  }

  /// Gives the terminal back as it was.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write(FrameWriter.end)
    var modes = modes
    tcsetattr(input, TCSANOW, &modes)
  }

  /// Stops the program, as Ctrl-Z does, and takes the terminal again when it is continued.
  func suspend() {
    leave()
    Self.raiseUnhandled(SIGTSTP)
    handle(SIGTSTP)
    enter()
  }

  /// Gives the terminal to another program while a body runs. Ctrl-Z stops both, as ever.
  func lend(_ body: () -> Void) {
    leave()
    _ = signal(SIGTSTP, SIG_DFL)
    body()
    handle(SIGTSTP)
    enter()
  }

  /// Waits for Enter while the terminal is lent, so that what a program wrote can be read.
  var waitForEnter: @Sendable () -> Void {
    { [input, output] in
      var text = "\nEnter goes back "
      text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: output) }
      var byte: UInt8 = 0
      while byte != UInt8(ascii: "\n") {
        let count = ForagePlatform.read(input, &byte, 1)
        if count == 0 || count < 0 && errno != EINTR { return }
      }
    }
  }

  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Self.usualSize
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: output) }
  }

  /// Waits for input, a signal, or somebody who calls `WakePipe.shared.wake`.
  ///
  /// - Parameter timeout: How long; `nil` for as long as it takes.
  func wait(_ timeout: Duration?) -> Wake {
    var list = [
      pollfd(fd: WakePipe.shared.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
    ]
    // Rounded up, so that what is due by then is due.
    let milliseconds = timeout.map { Int32(min(max(0, $0 / .milliseconds(1)) + 1, 60_000)) } ?? -1
    guard poll(&list, 2, milliseconds) > 0 else { return .other }
    // Signals come before keys, which may go on without end. All calls of `wake` so far are one.
    while let byte = WakePipe.shared.read() {
      if byte != 0 { return .signal(Int32(byte)) }
    }
    guard list[1].revents != 0 else { return .other }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { ForagePlatform.read(input, $0.baseAddress, $0.count) }
    if count > 0 { return .input(Array(bytes[..<count])) }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? .other : .end
  }

  /// Ends the process by a signal, as if nobody had handled it.
  static func die(by number: Int32) -> Never {
    raiseUnhandled(number)
    _exit(128 + number)
  }

  /// Sends this thread a signal that nobody handles. Threads of Dispatch block most signals.
  private static func raiseUnhandled(_ number: Int32) {
    _ = signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}

/// Wakes the thread that waits for input; handlers of signals use it, too.
final class WakePipe: Sendable {
  static let shared = WakePipe()

  /// Gets only the signals that end a program whose work is waited for: what wakes a screen ends nothing.
  static let endings = WakePipe()

  private let readingEnd = Atomic<Int32>(-1)
  private let writingEnd = Atomic<Int32>(-1)

  /// The end that becomes readable.
  var reading: Int32 { readingEnd.load(ordering: .relaxed) }

  /// Makes the pipe, unless it is there.
  ///
  /// - Throws: `ForageError` where that is not possible.
  func open() throws {
    guard reading < 0 else { return }
    guard let pipe = closeOnExecPipe() else {
      throw ForageError(
        "the terminal cannot be used: \(String(cString: strerror(errno)))",
        hint: errno == EMFILE ? "allow more open files: ulimit -n 256" : "close other programs")
    }
    for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    writingEnd.store(pipe.writing, ordering: .relaxed)
    readingEnd.store(pipe.reading, ordering: .relaxed)
  }

  /// Wakes the thread without a signal.
  func wake() { write(0) }

  /// Writes the number of a signal. A pipe that is full wakes in any case.
  func write(_ byte: UInt8) {
    let error = errno
    var byte = byte
    _ = ForagePlatform.write(writingEnd.load(ordering: .relaxed), &byte, 1)
    errno = error
  }

  /// The number of the next signal, 0 for a call of `wake`; `nil` for neither.
  func read() -> UInt8? {
    var byte: UInt8 = 0
    return ForagePlatform.read(reading, &byte, 1) == 1 ? byte : nil
  }
}
