import ForageCore
package import ForageFoundation
import ForagePlatform
import Synchronization

/// The streams for results and messages of a command, and the abilities of the terminal.
package struct Output: Sendable {
  /// Writes results. Throws `ClosedPipe` when the reader has closed the pipe.
  package var writeResult: @Sendable (String) throws -> Void
  /// Writes results that need not be UTF-8. Throws as `writeResult`.
  var writeBytes: @Sendable ([UInt8]) throws -> Void
  /// Writes errors of other programs, which need not be UTF-8.
  var writeMessageBytes: @Sendable ([UInt8]) -> Void
  /// Writes progress, warnings and errors.
  package var writeMessage: @Sendable (String) -> Void
  /// Whether results go to a terminal.
  package var isTerminal: Bool
  /// Whether results go to another program.
  package var isPipe = false
  /// Whether messages go to a terminal.
  package var isMessageTerminal: Bool
  /// The width of results in columns: that of the terminal, or of a page.
  package var columns: Int
  /// The terminal's width in columns, to which messages are wrapped.
  private let messageColumns: Int
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
  /// The fields that `--json` asks for.
  var selection: FieldSelection?
  /// Whether results are collected for another program, so that no pager shows them.
  var isCollected = false
  /// Names the terminal of this process together with its session leader; `nil` without a terminal.
  var terminalName: String?
  /// Whether the terminal shows symbols beyond ASCII.
  var isUnicode = true
  /// Whether something else draws on the terminal.
  private var isDiverted = false
  /// The rows that show what is waited for; every other text erases them before it is written.
  let status: StatusDisplay

  /// The width of a page that goes to no terminal.
  private static let pageColumns = 80

  /// - Parameter canMoveCursor: Whether the terminal for messages supports cursor movement, so that lines can
  ///   be replaced.
  package init(
    writeResult: @escaping @Sendable (String) throws -> Void,
    writeMessage: @escaping @Sendable (String) -> Void,
    isTerminal: Bool, isMessageTerminal: Bool, columns: Int = 80, rows: Int = 24, hasColor: Bool = false,
    hasMessageColor: Bool = false, canMoveCursor: Bool = true,
    now: Date
  ) {
    let status = StatusDisplay(
      columns: columns, rows: rows, canMoveCursor: canMoveCursor, write: writeMessage)
    self.status = status
    self.writeMessage = { text in status.erased { writeMessage(text) } }
    // A pipe may block for as long as its reader does not read: messages do not wait for it.
    self.writeResult = writeResult
    writeBytes = { try writeResult(String(decoding: $0, as: UTF8.self)) }
    writeMessageBytes = { writeMessage(String(decoding: $0, as: UTF8.self)) }
    if isTerminal { self.writeResult = { text in try status.erased { try writeResult(text) } } }
    self.isTerminal = isTerminal
    self.isMessageTerminal = isMessageTerminal
    self.columns = columns
    messageColumns = columns
    self.rows = rows
    self.hasColor = hasColor
    self.hasMessageColor = hasMessageColor
    self.now = now
  }

  /// Whether the terminal for messages supports cursor movement, so that lines can be replaced.
  var canMoveCursor: Bool { status.canMoveCursor && !isDiverted }

  /// Whether progress is shown: only where results and messages go to a terminal.
  var hasProgress: Bool { isTerminal && isMessageTerminal && !isDiverted }

  /// The output for a page that is written for people by default: outside a terminal it is 80 columns wide.
  var forPage: Output {
    var output = self
    if !isTerminal { output.columns = Self.pageColumns }
    return output
  }

  /// The reader has closed the pipe. This ends the command without an error.
  package struct ClosedPipe: Error {}

  /// Results could not be written for another reason, for example a full disk.
  struct WriteFailure: Error {
    var reason: String
    var hint = "free some space, or write them to another place"
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
      hasMessageColor: wantsColor(environment, isTerminal: isMessageTerminal),
      canMoveCursor: environment["TERM"] != "dumb", now: Date())
    var entry = stat()
    output.isPipe = fstat(STDOUT_FILENO, &entry) == 0 && entry.st_mode & S_IFMT == S_IFIFO
    output.writeBytes = { try $0.withUnsafeBytes { bytes in try write(bytes, to: STDOUT_FILENO) } }
    output.writeMessageBytes = { $0.withUnsafeBytes { bytes in try? write(bytes, to: STDERR_FILENO) } }
    output.terminalName = sessionName
    output.isUnicode = environment["TERM"] != "dumb" && isUnicode(environment)
    return output
  }

  /// The same output for a command that changes something: a reader that ends early, such as `head`, does not
  /// stop the work.
  var withoutReader: Output {
    var output = self
    output.writeResult = { [writeResult] text in
      do { try writeResult(text) } catch is ClosedPipe {}
    }
    output.writeBytes = { [writeBytes] bytes in
      do { try writeBytes(bytes) } catch is ClosedPipe {}
    }
    return output
  }

  /// The terminal of the first standard stream that is one, with the session leader: two windows never share
  /// it.
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
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    switch writeAll(bytes, to: descriptor) {
    case 0: break
    case EPIPE: throw ClosedPipe()
    case EBADF:
      throw WriteFailure(reason: "standard output is closed", hint: "to discard them, write: > /dev/null")
    case let number: throw WriteFailure(reason: String(cString: strerror(number)))
    }
  }

  /// The widths that are used: in less a table has no room beside a name, and more is no screen.
  private static let columnsRange = 20...1000

  /// The value of `COLUMNS`, else the width of the terminal, else 80.
  private static func width(environment: [String: String]) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columnsRange.contains(columns) {
      return columns
    }
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO]
    where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return max(columnsRange.lowerBound, Int(size.ws_col))
    }
    return 80
  }

  /// The height of the terminal, else 24 rows.
  private static func height() -> Int {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }

  /// The conventions of no-color.org and bixense.com/clicolors: `CLICOLOR_FORCE` wins, then `NO_COLOR`, then
  /// `CLICOLOR=0`.
  static func wantsColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
    if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
    if let none = environment["NO_COLOR"], !none.isEmpty { return false }
    return isTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
  }

  /// Whether the locale uses UTF-8. Without a locale, as in many containers, UTF-8 is assumed.
  static func isUnicode(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale = locale?.lowercased() else { return true }
    // language_TERRITORY.charset@modifier
    let charset = locale.split(separator: "@").first?.split(separator: ".").last ?? ""
    return charset == "utf-8" || charset == "utf8"
  }
}

extension Output {
  /// Writes a line of results, made safe for a terminal.
  func result(_ text: String) throws { try result(verbatim: SafeText.line(text)) }

  /// Writes lines of results as they are: the caller has made untrusted parts safe.
  func result(verbatim text: String) throws { try writeResult(text + "\n") }

  /// Writes a label and a text as results, wrapped as messages are; untrusted parts are made safe here.
  func result(_ text: String, label: String, _ style: Style? = nil) throws {
    try writeResult(labelled(label, style, text, columns: isTerminal ? columns : nil, hasColor))
  }

  /// Prints a message; untrusted parts are made safe here. Left out under `--quiet`.
  func message(_ text: String) {
    if !isQuiet { writeMessage(labelled(Self.nameLabel, nil, text)) }
  }

  /// Prints one line about how an answer came about, however long it is. Left out under `--quiet`.
  func trace(_ text: String) {
    if !isQuiet { writeMessage(Self.nameLabel + " " + SafeText.line(text) + "\n") }
  }

  /// Prints a warning: something is missing from results that are there. Left out under `--quiet`.
  func warning(_ message: String, hint: String, details: [String] = []) {
    if !isQuiet { problem(message, hint: hint, details: details) }
  }

  /// Prints an error: what happened, and on the next line what to do.
  func problem(_ message: String, hint: String, details: [String] = []) {
    let advice = hint.isEmpty ? "" : labelled(Self.hintLabel, .hint, hint)
    writeMessage(labelled(Self.nameLabel, .error, message) + advice + details.map(detail).joined())
  }

  /// Prints a line below a list on a terminal, for example how many results it shows.
  func footer(_ text: String, label: String = "") {
    let lines = Self.lines(label + text, indentation: max(2, label.count), columns: wrapColumns)
    writeMessage(lines.map { Style.dim.apply($0, hasMessageColor) + "\n" }.joined())
  }

  private static let nameLabel = "forage:"
  private static let hintLabel = "hint:"

  /// The width to which messages are wrapped; `nil` where they go to no terminal.
  var wrapColumns: Int? { isMessageTerminal ? messageColumns : nil }

  private func labelled(_ label: String, _ style: Style?, _ text: some StringProtocol) -> String {
    labelled(label, style, text, columns: wrapColumns, hasMessageColor)
  }

  /// A label and the text after it; further lines are indented to where the text begins.
  private func labelled(
    _ label: String, _ style: Style?, _ text: some StringProtocol, columns: Int?, _ hasColor: Bool
  ) -> String {
    let lines = Self.lines(label + " " + text, indentation: label.count + 1, columns: columns)
    let first = lines.first?.dropFirst(label.count) ?? ""
    let styled = style?.apply(label, hasColor) ?? label
    return ([styled + first] + lines.dropFirst()).joined(separator: "\n") + "\n"
  }

  /// A line below an error. One that is no message of its own keeps its form, which may point to a column.
  private func detail(_ line: String) -> String {
    for label in [Self.nameLabel, Self.hintLabel] where line.hasPrefix(label + " ") {
      return labelled(label, nil, line.dropFirst(label.count + 1))
    }
    return SafeText.line(line) + "\n"
  }

  /// The lines of a message: on a terminal wrapped at words to its width, elsewhere one.
  ///
  /// No word is broken, so that names and commands can be copied.
  ///
  /// - Parameters:
  ///   - indentation: The columns before the second and later lines.
  ///   - columns: The width; `nil` for one line.
  private static func lines(_ text: String, indentation: Int, columns: Int?) -> [String] {
    let text = SafeText.line(text)
    guard let columns, TextWidth.of(text) > columns else { return [text] }
    // The first line has no indentation; it is wrapped as if its beginning were one.
    let start = text.prefix(indentation)
    let rest = String(text.dropFirst(indentation))
    let lines = TextWidth.wrapped(rest, width: columns - indentation) { _ in false }
    let space = String(repeating: " ", count: indentation)
    return lines.enumerated().map { index, line in (index == 0 ? String(start) : space) + line }
  }
}

/// When text is colored.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

extension Output {
  /// Applies `--color`, which wins over the environment; `nil` and `auto` leave the choice to the environment
  /// and the terminal.
  mutating func setColor(_ choice: ColorChoice?) {
    guard let choice, choice != .auto else { return }
    (hasColor, hasMessageColor) = (choice == .always, choice == .always)
  }

  /// The same output while something else has the terminal: nothing is drawn, and messages go elsewhere.
  ///
  /// - Parameter isTerminal: Whether they are shown as they are, and wrapped to the width of the terminal.
  func diverted(isTerminal: Bool, _ write: @escaping @Sendable (String) -> Void) -> Output {
    var output = self
    output.writeMessage = write
    output.hasMessageColor = false
    output.isDiverted = true
    if !isTerminal { output.isMessageTerminal = false }
    return output
  }
}

/// How results are written.
enum OutputFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown

  /// Whether it writes more than the items.
  var hasEnvelope: Bool { self == .json || self == .ndjson }
}

/// Collects a text from several places.
final class CollectedText: Sendable {
  private let parts = Mutex("")

  func add(_ part: String) { parts.withLock { $0 += part } }

  /// All pieces so far.
  var text: String { parts.withLock { $0 } }
}
