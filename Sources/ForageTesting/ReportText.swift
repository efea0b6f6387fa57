import ForageCore
import ForageFoundation

/// Formats a provider's values for one line of a terminal.
enum ReportText {
  /// The most characters of an external text that are shown.
  static let longest = 80

  /// Returns the text on one line, cut if it is long.
  static func short(_ text: String) -> String {
    let head = text.prefix(longest)
    return SafeText.line(head) + (head.endIndex < text.endIndex ? "…" : "")
  }

  static func isPlain(_ text: String) -> Bool { SafeText.line(text) == text }

  static func value(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): short(QueryTerm.quoted(text))
    case .number(let number): String(number)
    case .fraction(let value): String(value)
    case .flag(let flag): flag ? "true" : "false"
    case .date(let date): Timestamp.text(date)
    case .list(let texts): short("[" + texts.joined(separator: ", ") + "]")
    case .items(let values): short("[" + values.map(Self.value).joined(separator: ", ") + "]")
    case .record(let members):
      short(
        "{"
          + members.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.value($0.value))" }.joined(
            separator: ", ")
          + "}")
    }
  }

  static func error(_ error: any Error) -> String {
    guard let known = error as? SearchError else { return "\(type(of: error)): " + short("\(error)") }
    return "\(known.code.rawValue): " + short(known.message)
  }

  /// Formats a number of things: `1 item`, `2 items`.
  static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

  static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    guard milliseconds > 0 else { return "\(seconds) s" }
    return "\(seconds * 1000 + milliseconds) ms"
  }
}
