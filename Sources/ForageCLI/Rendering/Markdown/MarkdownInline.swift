import ForageCore

/// Removes the markup of running Markdown text. Every pattern is bounded, so that the time is linear in the length of the text.
struct MarkdownInline {
  /// What stands for itself or is hidden; a comment without an end hides the rest of the text, as in a browser.
  private let literal =
    #/
    (`++)((?:[^\n]|\n(?!\n)){1,400}?)\1(?!`) | \\([!-\/:-@\[-`\{-~]) | <((?:https?|mailto):[^<>\s]{1,2000})>
    | (&\#?[A-Za-z0-9]{1,10};) | <!--(?:.|\n)*?(?:-->|$) | <(script|style)\b(?:.|\n)*?(?:</\6>|$) | <[!?][^<>]{0,2000}>
    /#
  private let link =
    /(!?)\[((?:[^\[\]]|\[[^\[\]]{0,600}\]){0,600})\](\((?:[^()]|\([^()]{0,600}\)){0,2000}\)|\[[^\[\]]{0,600}\]|:)/
  private let tag =
    /<(\/?)([A-Za-z][A-Za-z0-9-]*+)((?:[\s\/](?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,2000})?)>/
  private let alternative = /(?:.|\n)*?\salt=(["'])(.*?)\1/

  /// The text without markup; line breaks are kept, and tags that end a paragraph add some.
  ///
  /// - Parameter isInLink: Whether the text is that of a link, in which images are badges.
  func plain(_ source: Substring, isInLink: Bool = false) -> String {
    var (result, rest, isInLink) = ("", source, isInLink)
    while let place = rest.utf8.firstIndex(where: { "\\`<![*_~&".utf8.contains($0) }) {
      result += rest[..<place]
      rest = rest[place...]
      let piece = piece(rest, after: result.last ?? "\n", &isInLink)
      result += piece?.text ?? String(rest.prefix(1))
      rest = piece.map { rest[$0.end...] } ?? rest.dropFirst()
    }
    return result + rest
  }

  /// The construct at the beginning of a text, as plain text, and where it ends; `nil` for a character that stands for itself.
  private func piece(
    _ rest: Substring, after last: Character, _ isInLink: inout Bool
  ) -> (text: String, end: String.Index)? {
    if let first = rest.first, "*_~".contains(first) {
      let marks = rest.prefix { $0 == first }
      let next = rest[marks.endIndex...].first ?? "\n"
      let isOpening = !next.isWhitespace && !last.isLetter && !last.isNumber
      let isClosing = !last.isWhitespace && !next.isLetter && !next.isNumber
      // `snake_case`, `2 * 3` and `~5` are kept.
      let isEmphasis = (isOpening || isClosing) && (first == "~" ? 2...2 : 1...3).contains(marks.count)
      return (isEmphasis ? "" : String(marks), marks.endIndex)
    }
    if let (whole, mark, label, target) = rest.prefixMatch(of: link)?.output {
      // The definition of a link or a footnote is left out.
      if target == ":" { return last == "\n" ? ("", rest.firstIndex(of: "\n") ?? rest.endIndex) : nil }
      let isHidden = !mark.isEmpty && (isInLink || Self.isBadge(target))
      return (isHidden ? "" : plain(label, isInLink: true).trimmingWhitespace(), whole.endIndex)
    }
    if let match = rest.prefixMatch(of: literal)?.output {
      let reference = match.5.map { HTMLText.decode(String($0)) }
      return (reference ?? String(match.2 ?? match.3 ?? match.4 ?? ""), match.0.endIndex)
    }
    guard let (whole, slash, name, attributes) = rest.prefixMatch(of: tag)?.output else { return nil }
    let tag = name.lowercased()
    if tag == "a" { isInLink = slash.isEmpty }
    let text =
      switch tag {
      case "h1", "h2", "h3", "h4", "h5", "h6": slash.isEmpty ? "\n\n# " : "\n\n"
      case "p", "div", "table", "tr", "ul", "ol", "hr", "details", "summary", "pre", "blockquote", "center",
        "section", "picture", "dl", "dt", "dd":
        "\n\n"
      case "br": "\n"
      case "li": slash.isEmpty ? "\n- " : "\n"
      case "td", "th": " "
      case "img" where !isInLink && !Self.isBadge(attributes):
        attributes.prefixMatch(of: alternative).map { String($0.2) } ?? ""
      default: ""
      }
    return (text, whole.endIndex)
  }

  private static func isBadge(_ target: Substring) -> Bool {
    target.contains("badge") || target.contains("shields.io")
  }
}
