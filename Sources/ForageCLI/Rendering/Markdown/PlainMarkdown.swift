import ForageCore

/// Converts the Markdown of readmes and issues to plain text for people.
///
/// Headings, paragraphs, list items, tables and code are kept; images become their alternative text, links
/// their text; badges, comments and tags are removed. Other formats, for example reStructuredText, are
/// treated as text. Source: the parts of the CommonMark specification 0.31 that matter for reading.
struct PlainMarkdown {
  private enum Kind { case text, item, code }

  /// The number of scalars that are read: forges return no longer text.
  private static let maximumScalars = 1 << 20
  /// The indentation of code and of lists that are nested deeper.
  private static let (codeIndent, maximumIndent) = (4, 8)

  private let inline = MarkdownInline()
  private let rule = /([-*_=])(?: *\1)+/
  /// `# Heading`, and `= Heading` as in AsciiDoc, without the signs behind it.
  private let heading = /(?:#{1,6}|={1,6})(?: (.*))?/
  private let item = /([-*+]|[0-9]{1,9}[.)]) (.*)/
  private let width: Int
  private let isColored: Bool
  private var lines: [String] = []
  private var last: Kind?
  /// The paragraph or item that the next line may continue, and the rows of a table.
  private var openLines: [Substring] = []
  private var openHead = ""
  private var openRows: [[String]] = []

  /// The lines of a text for a terminal, safe for it and at most `width` columns wide.
  static func lines(of source: String, width: Int, isColored: Bool) -> [String] {
    var page = PlainMarkdown(width: max(1, width), isColored: isColored)
    let scalars = String.UnicodeScalarView(source.unicodeScalars.prefix(maximumScalars))
    page.read(String(scalars).limitingMarks.replacing("\r\n", with: "\n"))
    while page.lines.last?.isEmpty == true { page.lines.removeLast() }
    return page.lines
  }

  private mutating func read(_ source: String) {
    // Lines of running text are read together, because markup may span lines.
    var text: [Substring] = []
    var fence: Substring?
    var (isAfterBlank, isInList) = (true, false)
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      let marks = trimmed.prefix { $0 == trimmed.first }
      let rest = trimmed.dropFirst(marks.count)
      let isFence = marks.count >= 3 && (marks.first == "~" || marks.first == "`" && !rest.contains("`"))
      let isIndented = line.hasPrefix("    ") || line.hasPrefix("\t")
      let isCode = isIndented && isAfterBlank && !isInList && !trimmed.isEmpty && trimmed.first != "<"
      if let open = fence {
        if isFence, marks.hasPrefix(open), rest.allSatisfy(\.isWhitespace) {
          fence = nil
        } else {
          writeCode(line)
        }
      } else if isFence || isCode {
        readText(text.joined(separator: "\n")[...])
        text = []
        if isFence { fence = marks } else { writeCode(line.dropFirst(line.first == "\t" ? 1 : 4)) }
      } else {
        if !trimmed.isEmpty, !isIndented {
          isInList = trimmed.wholeMatch(of: item) != nil || isInList && !isAfterBlank
        }
        isAfterBlank = trimmed.isEmpty
        text.append(line)
      }
    }
    readText(text.joined(separator: "\n")[...])
  }

  private mutating func readText(_ text: Substring) {
    var isInDirective = false
    for line in inline.plain(text).split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let trimmed = line.trimmingWhitespace()[...]
      // A directive of reStructuredText, for example an image, continues while lines are indented.
      if isInDirective, indent > 0 { continue }
      isInDirective = trimmed.hasPrefix(".. ")
      if isInDirective || trimmed.isEmpty { close() } else { readLine(trimmed, indent: indent / 2 * 2) }
    }
    close()
  }

  private mutating func readLine(_ line: Substring, indent: Int) {
    if openRows.isEmpty == (line.first == "|") { close() }
    if line.wholeMatch(of: rule) != nil {
      close(asHeading: openHead.isEmpty && (line.first == "=" || line.first == "-"))
    } else if let text = Self.trimmed(line, "#=").wholeMatch(of: heading)?.1 {
      close()
      openLines = [text]
      close(asHeading: true)
    } else if line.first == "|" {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
      // The row below the header separates it and has no text.
      guard cells.contains(where: { $0.contains { !"-: ".contains($0) } }) else { return }
      openRows.append(cells.map { SafeText.line($0.trimmingWhitespace()) })
    } else if let (_, mark, rest) = line.wholeMatch(of: item)?.output {
      close()
      let indentation = String(repeating: " ", count: min(indent, Self.maximumIndent, width / 4))
      // A number that takes half of the line is replaced by a dash.
      let isShort = mark.count > 1 && indentation.count + mark.count < width / 2
      (openLines, openHead) = ([rest], indentation + (isShort ? mark : "-") + " ")
    } else {
      openLines.append(line.drop { $0 == ">" || $0 == " " })
    }
  }

  /// Writes what is open.
  private mutating func close(asHeading isHeading: Bool = false) {
    let text = hanging(openLines.joined(separator: " ").trimmingWhitespace(), openHead)
    if !openLines.isEmpty {
      write(openHead.isEmpty ? .text : .item, text.map { isHeading ? Style.title.apply($0, isColored) : $0 })
    }
    var widths: [Int] = []
    for row in openRows {
      widths += [Int](repeating: 0, count: max(0, row.count - widths.count))
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], TextWidth.of(cell) + 2) }
    }
    // A table that is too wide has an item for each row.
    let isWide = widths.reduce(-2, +) > width
    let table = openRows.flatMap { row in
      isWide
        ? hanging(row.filter { !$0.isEmpty }.joined(separator: " · "), "- ")
        : [Self.trimmed(zip(row, widths).map { TextWidth.padded($0, to: $1) }.joined())]
    }
    write(.text, table)
    (openLines, openHead, openRows) = ([], "", [])
  }

  /// A text wrapped after a head; further lines begin below its text. Nothing for no text.
  private func hanging(_ text: String, _ head: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let lines = TextWidth.wrapped(
      SafeText.line(text), width: max(1, width - head.count), breaks: WebAddress.canBeBroken)
    return lines.indices.map { ($0 == 0 ? head : String(repeating: " ", count: head.count)) + lines[$0] }
  }

  /// Code is indented; a line that is too long continues on the next one.
  private mutating func writeCode(_ line: Substring) {
    let indent = String(repeating: " ", count: min(Self.codeIndent, width / 4))
    let pieces = TextWidth.broken(SafeText.line(line.replacing("\t", with: "    ")), to: width - indent.count)
    write(.code, pieces.map { Self.trimmed(indent + $0) })
  }

  private mutating func write(_ kind: Kind, _ new: [String]) {
    guard !new.isEmpty else { return }
    if let last, last != kind || kind == .text { lines.append("") }
    lines += new
    last = kind
  }

  private static func trimmed(_ line: String) -> String { String(trimmed(line[...], " ")) }

  /// The line without some characters at its end.
  private static func trimmed(_ line: Substring, _ end: String) -> Substring {
    line.lastIndex { !end.contains($0) }.map { line[...$0] } ?? ""
  }
}

/// Removes the markup of running Markdown text. Every pattern is bounded, so that the time is linear in the
/// length of the text.
struct MarkdownInline {
  /// What stands for itself or is hidden; a comment without an end hides the rest of the text, as in a
  /// browser.
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

  /// The construct at the beginning of a text, as plain text, and where it ends; `nil` for a character that
  /// stands for itself.
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
    guard let (whole, slash, name, attributes) = rest.prefixMatch(of: tag)?.output else {
      // Backticks without others that end them stand for themselves, all of them: not each is tried.
      let marks = rest.prefix { $0 == "`" }
      return marks.isEmpty ? nil : (String(marks), marks.endIndex)
    }
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
