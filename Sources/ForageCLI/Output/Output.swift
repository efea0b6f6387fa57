#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Where a command writes to, and what is known of it.
package struct Output: Sendable {
  /// Writes results. Throws `ClosedPipe` when nobody reads any more.
  package var writeResult: @Sendable (String) throws -> Void
  /// Writes progress, warnings and errors.
  package var writeMessage: @Sendable (String) -> Void
  /// Whether results go to a terminal.
  package var isTerminal: Bool
  /// Whether messages go to a terminal.
  package var isMessageTerminal: Bool
  /// The terminal's width in columns.
  package var columns: Int
  /// The terminal's height in rows.
  package var rows: Int
  /// Whether results may be coloured.
  package var hasColor: Bool
  /// Whether messages may be coloured.
  package var hasMessageColor: Bool
  /// The time that relative times count from.
  package var now: Date
  /// Whether only results and errors are printed.
  var isQuiet = false
  /// Names the terminal of this process together with its session leader; `nil` without a terminal.
  var terminalName: @Sendable () -> String? = { nil }
  /// Whether the terminal shows symbols beyond ASCII.
  var isUnicode = true
  /// Whether the terminal for messages supports cursor movement, so that lines can be replaced.
  var canMoveCursor = true

  package init(
    writeResult: @escaping @Sendable (String) throws -> Void,
    writeMessage: @escaping @Sendable (String) -> Void,
    isTerminal: Bool, isMessageTerminal: Bool, columns: Int = 80, rows: Int = 24, hasColor: Bool = false,
    hasMessageColor: Bool = false,
    now: Date
  ) {
    self.writeResult = writeResult
    self.writeMessage = writeMessage
    self.isTerminal = isTerminal
    self.isMessageTerminal = isMessageTerminal
    self.columns = columns
    self.rows = rows
    self.hasColor = hasColor
    self.hasMessageColor = hasMessageColor
    self.now = now
  }

  /// The reader of the results has gone: not an error, just the end.
  package struct ClosedPipe: Error {}

  /// Results could not be written for another reason, a full disk for example.
  struct WriteFailure: Error {
    var reason: String
  }

  /// The standard streams of this process.
  package static func standard(environment: [String: String]) -> Output {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let isMessageTerminal = isatty(STDERR_FILENO) == 1
    var output = Output(
      writeResult: { try write($0, to: STDOUT_FILENO) }, writeMessage: { try? write($0, to: STDERR_FILENO) },
      isTerminal: isTerminal, isMessageTerminal: isMessageTerminal, columns: width(environment: environment),
      rows: isTerminal ? height() : 24,
      hasColor: wantsColor(environment, isTerminal: isTerminal),
      hasMessageColor: wantsColor(environment, isTerminal: isMessageTerminal), now: Date())
    output.terminalName = { sessionName }
    output.isUnicode = environment["TERM"] != "dumb" && PageStyle.isUnicode(environment)
    output.canMoveCursor = environment["TERM"] != "dumb"
    return output
  }

  /// The terminal of the first standard stream that is one, with the session leader: two windows never share it.
  private static var sessionName: String? {
    // Longer than the path of any terminal.
    let capacity = 256
    for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO] {
      var bytes = [CChar](repeating: 0, count: capacity)
      guard ttyname_r(descriptor, &bytes, capacity) == 0 else { continue }
      let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return name + "." + String(getsid(0))
    }
    return nil
  }

  private static func write(_ text: String, to descriptor: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count, let base = bytes.baseAddress {
        let count = Self.systemWrite(descriptor, base + done, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EPIPE {
          throw ClosedPipe()
        } else if errno != EINTR && errno != EAGAIN {
          throw WriteFailure(reason: String(cString: strerror(errno)))
        }
      }
    }
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }

  /// `COLUMNS`, else what the terminal says, else 80.
  private static func width(environment: [String: String]) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), (20...1000).contains(columns) {
      return columns
    }
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO]
    where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return max(20, Int(size.ws_col))
    }
    return 80
  }

  /// What the terminal says, else 24 rows.
  private static func height() -> Int {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }

  /// The conventions of no-color.org and bixense.com/clicolors: `CLICOLOR_FORCE` wins, then `NO_COLOR`, then `CLICOLOR=0`.
  static func wantsColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
    if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
    if let none = environment["NO_COLOR"], !none.isEmpty { return false }
    return isTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
  }
}

extension Output {
  /// Writes a line of results.
  func result(_ line: String) throws { try writeResult(line + "\n") }

  /// Tells the user something; untrusted parts are made safe here.
  func message(_ text: String) {
    if !isQuiet { writeMessage("forage: " + SafeText.line(text) + "\n") }
  }

  /// Prints a warning: something is missing from results that are there. Left out under `--quiet`.
  func warning(_ message: String, hint: String, details: [String] = []) {
    if !isQuiet { problem(message, hint: hint, details: details) }
  }

  /// Tells of an error or a warning: what happened, and on the next line what to do.
  func problem(_ message: String, hint: String, details: [String] = []) {
    let label = Style.error.apply("forage:", hasMessageColor)
    let advice =
      hint.isEmpty ? "" : Style.hint.apply("hint:", hasMessageColor) + " " + SafeText.line(hint) + "\n"
    writeMessage(
      label + " " + SafeText.line(message) + "\n" + advice + details.map { SafeText.line($0) + "\n" }.joined()
    )
  }
}
