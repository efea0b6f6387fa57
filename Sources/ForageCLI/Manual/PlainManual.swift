import Forage
import ForageCore

/// The manual page as text, for systems without the man program: the macros that ``ManualPage`` writes,
/// filled to a width.
struct PlainManual {
  private static let (textIndent, itemIndent, width) = (7, 14, 80)

  private var lines: [String] = []
  private var words: [String] = []
  private var indent = Self.textIndent

  /// - Parameter source: The page in the macros of man(7).
  static func text(_ source: String) -> String {
    var page = PlainManual()
    page.read(source.split(separator: "\n", omittingEmptySubsequences: false))
    return page.lines.drop(while: \.isEmpty).joined(separator: "\n") + "\n"
  }

  private mutating func read(_ source: [Substring]) {
    var (isTag, isFilled) = (false, true)
    for line in source {
      let macro = line.hasPrefix(".") ? line.prefix { $0 != " " } : ""
      let text = Self.plain(line.dropFirst(macro.count).trimmingPrefix(" "))
      if [".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".br"].contains(macro) { end() }
      switch macro {
      case ".TH": break
      case ".SH", ".SS":
        let title = text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
        lines += ["", (macro == ".SS" ? "   " : "") + title]
        indent = Self.textIndent
      case ".PP":
        lines.append("")
        indent = Self.textIndent
      case ".TP": isTag = true
      case ".nf", ".fi": isFilled = macro == ".fi"
      case ".br": break
      default:
        if isTag {
          lines += ["", String(repeating: " ", count: Self.textIndent) + text]
          (isTag, indent) = (false, Self.itemIndent)
        } else if isFilled {
          words += text.split(separator: " ").map(String.init)
        } else {
          lines.append(String(repeating: " ", count: indent) + text)
        }
      }
    }
    end()
  }

  /// Writes the words of a paragraph.
  private mutating func end() {
    let start = String(repeating: " ", count: indent)
    var line = ""
    for word in words {
      if !line.isEmpty, TextWidth.of(start + line + " " + word) > Self.width {
        lines.append(start + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(start + line) }
    words = []
  }

  /// A text without changes of the font and with the characters that escapes stand for.
  private static func plain(_ text: some StringProtocol) -> String {
    var result = String(text)
    for (escape, character) in [
      ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"),
      ("\\(ti", "~"), ("\\(dq", "\""), ("\\&", ""), ("\\e", "\\"),
    ] { result.replace(escape, with: character) }
    return result
  }
}
