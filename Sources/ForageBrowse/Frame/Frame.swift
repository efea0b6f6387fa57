package import ForageCore
import ForageFoundation

/// The look of a span of text: SGR parameters of ECMA-48, and whether it is in reverse video.
package struct SpanStyle: Hashable, Sendable {
  /// The parameters, for example `1;31`; empty for none. They are left out on a terminal without colors.
  package var codes: String
  /// Whether foreground and background are exchanged, which also works without colors.
  package var isReversed: Bool

  package init(_ codes: String = "", isReversed: Bool = false) {
    self.codes = codes
    self.isReversed = isReversed
  }

  package init(_ style: Style?) { self.init(style?.rawValue ?? "") }

  package static let plain = SpanStyle()
  package static let title = SpanStyle(Style.title)
  package static let dim = SpanStyle(Style.dim)
  package static let mark = SpanStyle(Style.stars)
  package static let good = SpanStyle(Style.source)
  package static let error = SpanStyle(Style.error)
  package static let hint = SpanStyle(Style.hint)
}

/// Text of one style, without anything that a terminal interprets.
package struct Span: Hashable, Sendable {
  package let text: String
  package var style: SpanStyle
  /// The columns that it takes.
  package let width: Int

  /// Creates a span; the text is made safe here.
  package init(_ text: String, _ style: SpanStyle = .plain) {
    var safe = SafeText.line(text)
    // Marks at the beginning join the last character of the span before, which variation selector 16 would
    // widen.
    if let first = safe.first, TextWidth.width(first) == 0 {
      let marks = first.unicodeScalars.filter { $0 != "\u{FE0F}" }
      safe = String(String.UnicodeScalarView(marks)) + safe.dropFirst()
    }
    self.text = safe
    self.style = style
    width = TextWidth.of(self.text)
  }
}

package struct FrameRow: Hashable, Sendable {
  package private(set) var spans: [Span] = []
  /// The columns that its text takes.
  package private(set) var width = 0

  package init() {}

  /// Creates a row of one span.
  package init(_ text: String, _ style: SpanStyle = .plain) { add(text, style) }

  /// Creates a row from text of this program with SGR sequences; every other control character is made
  /// visible.
  package init(styled line: String) {
    var style = SpanStyle.plain
    var rest = Substring(line)
    while let mark = rest.firstRange(of: "\u{1B}[") {
      add(String(rest[..<mark.lowerBound]), style)
      rest = rest[mark.upperBound...]
      let codes = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ";") }
      guard rest.dropFirst(codes.count).first == "m" else { continue }
      style = codes.isEmpty || codes == "0" ? .plain : SpanStyle(String(codes))
      rest = rest.dropFirst(codes.count + 1)
    }
    add(String(rest), style)
  }

  /// The text without styles.
  package var text: String { spans.map(\.text).joined() }

  package mutating func add(_ text: String, _ style: SpanStyle = .plain) {
    add(Span(text, style))
  }

  package mutating func add(_ span: Span) {
    guard !span.text.isEmpty else { return }
    spans.append(span)
    width += span.width
  }

  /// Adds text in a field of a width: cut where it is longer, padded where it is shorter.
  ///
  /// - Parameter isShort: Whether the name of a file's repository is cut in any case, as it is in other rows.
  package mutating func add(
    _ text: String, _ style: SpanStyle = .plain, width: Int, alignsRight: Bool = false,
    keepsEnd: Bool = false,
    isShort: Bool = false
  ) {
    guard width > 0 else { return }
    let safe = SafeText.line(text)
    let shown =
      keepsEnd
      ? PlaceText.fitted(safe, to: width, isShort: isShort) : TextWidth.truncated(safe, to: width)
    let space = String(repeating: " ", count: max(0, width - TextWidth.of(shown)))
    if alignsRight { add(space) }
    add(shown, style)
    if !alignsRight { add(space) }
  }

  /// Adds the spans of another row.
  package mutating func add(_ other: FrameRow) {
    for span in other.spans { add(span) }
  }

  /// Adds spaces up to a column.
  package mutating func pad(to column: Int) {
    if column > width { add(String(repeating: " ", count: column - width)) }
  }

  /// The row cut to a width; an ellipsis marks the cut.
  package func cut(to limit: Int) -> FrameRow {
    guard width > limit else { return self }
    var row = FrameRow()
    for span in spans {
      let room = limit - row.width
      guard span.width >= room else {
        row.add(span)
        continue
      }
      // A span that just fits leaves no room for the mark that something follows.
      row.add(TextWidth.truncated(span.width == room ? span.text + " …" : span.text, to: room), span.style)
      break
    }
    return row
  }

  /// The row in pieces of at most a width, at least one.
  package func broken(to limit: Int) -> [FrameRow] {
    guard width > limit else { return [self] }
    var pieces = [FrameRow()]
    for span in spans {
      for character in span.text {
        let last = pieces[pieces.count - 1]
        if last.width > 0, last.width + TextWidth.width(character) > limit { pieces.append(FrameRow()) }
        pieces[pieces.count - 1].add(String(character), span.style)
      }
    }
    return pieces
  }

  /// The row in one faint style.
  func dimmed() -> FrameRow { styled { $0 = .dim } }

  private func styled(_ change: (inout SpanStyle) -> Void) -> FrameRow {
    var row = FrameRow()
    for var span in spans {
      change(&span.style)
      row.add(span)
    }
    return row
  }

  /// The row in reverse video, padded to a width.
  package func reversed(to width: Int) -> FrameRow {
    var row = styled { $0.isReversed = true }
    row.add(String(repeating: " ", count: max(0, width - row.width)), SpanStyle(isReversed: true))
    return row
  }
}

/// The content of the whole terminal.
package struct Frame: Hashable, Sendable {
  /// The place of the visible cursor.
  package struct Cursor: Hashable, Sendable {
    package var row: Int
    package var column: Int

    /// Creates a place; both count from 0.
    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// The columns of the terminal.
  package var columns: Int
  /// As many rows as the terminal has, none wider than it.
  package var rows: [FrameRow]
  /// The position of the cursor, `nil` to hide it.
  package var cursor: Cursor?

  /// The text without styles, one line a row, without spaces at the ends of lines.
  package var text: String {
    rows.map { row in
      var line = row.text
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

/// Writes frames to a terminal: of each frame only the rows that have changed, all in one piece.
///
/// Rows are addressed one by one, so that a terminal that gives a character another width breaks no other
/// row.
package struct FrameWriter: Sendable {
  /// Whether colors are written; reverse video is written in any case.
  private let hasColor: Bool
  /// What the terminal shows, `nil` where that is not known.
  private var shown: Frame?

  /// Creates a writer for a terminal whose content is not known.
  package init(hasColor: Bool) { self.hasColor = hasColor }

  /// Switches to the alternate screen, and switches on bracketed paste and the mouse; line wrap off.
  package static let begin = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?25l"
  /// Restores what `begin` has changed.
  package static let end =
    "\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  // Mode 2026 (synchronized output); terminals without it ignore the sequences.
  private static let beginUpdate = "\u{1B}[?2026h"
  private static let endUpdate = "\u{1B}[?2026l"

  /// The sequence that asks the terminal to set its clipboard (OSC 52), also behind tmux and screen; `nil`
  /// for the console of Linux, which has no clipboard.
  package static func copy(_ text: String, _ environment: [String: String]) -> String? {
    let sequence = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{7}"
    if environment["TMUX"]?.isEmpty == false {
      // By its options tmux takes the one, passes on the other, or ignores both.
      return sequence + "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
    }
    if environment["STY"]?.isEmpty == false { return "\u{1B}P" + sequence + "\u{1B}\\" }
    return environment["TERM"] == "linux" ? nil : sequence
  }

  /// Forgets what the terminal shows, after another program has used it or its size has changed.
  package mutating func forget() { shown = nil }

  /// The bytes that turn what the terminal shows into a frame; empty where nothing has changed.
  package mutating func bytes(for frame: Frame) -> String {
    let old = shown?.columns == frame.columns && shown?.rows.count == frame.rows.count ? shown : nil
    defer { shown = frame }
    var text = ""
    for (index, row) in frame.rows.enumerated() where old?.rows[index] != row {
      text += "\u{1B}[\(index + 1);1H\u{1B}[2K"
      for span in row.spans { text += styled(span) }
    }
    guard !text.isEmpty || old?.cursor != frame.cursor else { return "" }
    let cursor =
      frame.cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? ""
    return Self.beginUpdate + "\u{1B}[?25l" + text + cursor + Self.endUpdate
  }

  private func styled(_ span: Span) -> String {
    let codes = [hasColor ? span.style.codes : "", span.style.isReversed ? "7" : ""].filter { !$0.isEmpty }
    return codes.isEmpty ? span.text : "\u{1B}[\(codes.joined(separator: ";"))m\(span.text)\u{1B}[0m"
  }
}
