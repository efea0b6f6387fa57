/// Extracts the first paragraph of prose from a README (Markdown, reStructuredText or plain text), without
/// markup.
enum Paragraph {
  /// The length limit of a description in characters, about two lines of a terminal; longer text is cut at a
  /// word.
  static let limit = 300
  /// The characters of a paragraph that are examined for markup: enough for ``limit`` characters after links
  /// are reduced, and few enough that crafted text cannot make the patterns slow.
  private static let rawLimit = 2000

  /// Returns the paragraph as one line; nil if there is none.
  static func first(of text: String) -> String? {
    var lines: [Substring] = []
    var fence: Substring?
    var isComment = false
    let all = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false)
    for (position, raw) in (frontMatterEnd(all)..<all.count).map({ ($0, all[$0]) }) {
      let line = trimmed(raw)
      if let open = fence {
        if line.hasPrefix(open) { fence = nil }
        continue
      }
      if isComment || line.hasPrefix("<!--") {
        isComment = !line.contains("-->")
        continue
      }
      if line.hasPrefix("```") || line.hasPrefix("~~~") {
        fence = line.prefix(3)
      } else if isUnderline(line) {
        // The previous line was a heading.
        lines = []
        continue
      } else if !line.isEmpty, !isSkipped(line, raw, position) {
        lines.append(line.drop { $0 == ">" || $0 == " " })
        continue
      }
      if let found = joined(lines) { return found }
      lines = []
    }
    return joined(lines)
  }

  /// Cuts a text at a word to at most ``limit`` characters; nil for an empty text.
  static func shortened(_ text: String) -> String? {
    if text.isEmpty { return nil }
    guard text.count > limit else { return text }
    let cut = text.prefix(limit - 1)
    let word = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
    return word + "…"
  }

  private static func joined(_ lines: [Substring]) -> String? {
    let text = plain(String(lines.joined(separator: " ").prefix(rawLimit))).split(
      whereSeparator: \.isWhitespace
    ).joined(
      separator: " ")
    return text.contains(where: \.isLetter) ? shortened(text) : nil
  }

  /// Whether a line is not prose: a heading, directive, rule, table or link definition.
  private static func isSkipped(_ line: Substring, _ raw: Substring, _ position: Int) -> Bool {
    if line.hasPrefix("#") || line.hasPrefix("|") || line.hasPrefix("..") || line.hasPrefix("[!") {
      return true
    }
    if line.hasPrefix(":"), line.dropFirst().contains(":") { return true }
    if line.hasPrefix("["), line.contains("]:") { return true }
    // A heading in AsciiDoc or Org.
    return line.hasPrefix("= ") || line.hasPrefix("* ") && position == 0
  }

  private static func isUnderline(_ line: Substring) -> Bool {
    guard let first = line.first, "=-~^*+_#".contains(first), line.count >= 2 else { return false }
    return line.allSatisfy { $0 == first }
  }

  /// Returns the index of the line after a YAML front matter; 0 if there is none.
  private static func frontMatterEnd(_ lines: [Substring]) -> Int {
    guard lines.first == "---" else { return 0 }
    return lines.dropFirst().firstIndex(of: "---").map { $0 + 1 } ?? 0
  }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop(while: \.isWhitespace)
    while line.last?.isWhitespace == true { line.removeLast() }
    return line
  }

  /// Removes images, link targets, tags and emphasis.
  private static func plain(_ text: String) -> String {
    var result = text
    // Images first, because a link may contain one and then has no text left.
    result.replace(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/, with: "")
    result.replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/) { String($0.1) }
    result.replace(/`([^`<]*[^`<\s])\s*<[^`>]*>`__?/) { String($0.1) }
    result.replace(/<(https?:[^>]*)>/) { String($0.1) }
    result.replace(/<[a-zA-Z\/!][^>]*>/, with: "")
    result.replace(/\*\*|__|`+/, with: "")
    result.replace(/(^|\s)[*_]([^*_]+)[*_](?=\W|$)/) { String($0.1) + String($0.2) }
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&"),
    ] {
      result.replace(entity, with: character)
    }
    return result
  }
}
