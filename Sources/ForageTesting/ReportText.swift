import ForageCore
import ForageFoundation

/// Formats a provider's values for one line of a terminal.
enum ReportText {
  /// The most characters of an external text that are shown.
  private static let longest = 120

  /// Returns the text on one line, cut if it is long.
  static func short(_ text: String) -> String {
    let head = text.prefix(longest)
    return SafeText.line(head) + (head.endIndex < text.endIndex ? "…" : "")
  }

  static func isPlain(_ text: String) -> Bool { SafeText.line(text) == text }

  static func value(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): short(QueryTerm.quoted(text))
    case .number, .fraction, .flag, .date: value.plainText ?? ""
    case .list(let texts): short("[" + texts.joined(separator: ", ") + "]")
    case .items: "a list"
    case .record: "a record"
    }
  }

  static func error(_ error: any Error) -> String {
    guard let known = error as? SearchError else { return "\(type(of: error)): " + short("\(error)") }
    return "\(known.code.rawValue): " + short(known.message)
      + (known.hint.isEmpty ? "" : " (\(short(known.hint)))")
  }

  /// Formats a number of things: `1 item`, `2 items`.
  static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

  static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int(duration / .milliseconds(1))
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
