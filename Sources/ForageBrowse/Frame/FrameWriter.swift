import ForageFoundation

/// Writes frames to a terminal: of each frame only the rows that have changed, all in one piece.
///
/// Rows are addressed one by one, so that a terminal that gives a character another width breaks no other row.
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

  /// The sequence that sets the clipboard of the terminal (OSC 52).
  package static func copy(_ text: String) -> String {
    "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{7}"
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
