import ForageCore

/// Brings the Markdown of readmes and issues to plain text, as much of it as a terminal shows.
///
/// Headings, paragraphs, list items and code are kept; images, badges, comments and tags go, links become their text. What is not Markdown,
/// reStructuredText for example, comes through as text. Source: the CommonMark specification 0.31, as far as it matters for reading.
struct PlainMarkdown {
  /// A piece of text that is laid out by itself.
  enum Block: Hashable {
    case heading(String)
    case paragraph(String)
    /// An item of a list; the level counts from 0.
    case item(level: Int, mark: String, text: String)
    /// One line of code as it stands.
    case code(String)
  }

  /// Scalars that are looked at: a readme that begins with so much markup and nothing else says nothing.
  private static let maximumScalars = 16 << 10
  /// Lists nested deeper are shown at this level.
  private static let maximumLevel = 4

  private(set) var blocks: [Block] = []
  private var open: Block?
  /// Lines of running text whose inline markup is not read yet: it may go over line ends.
  private var text: [Substring] = []

  /// Reads a text.
  init(_ source: String) {
    let scalars = source.unicodeScalars.prefix(Self.maximumScalars)
    let normal = String(String.UnicodeScalarView(scalars)).replacing("\r\n", with: "\n")
    var fence: (mark: Character, length: Int)?
    var (isAfterBlank, isInList) = (true, false)
    for line in normal.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      if let current = fence {
        if trimmed.allSatisfy({ $0 == current.mark || $0 == " " }), !trimmed.isEmpty,
          trimmed.prefix(while: { $0 == current.mark }).count >= current.length
        {
          fence = nil
        } else {
          blocks.append(.code(String(line)))
        }
        continue
      }
      if let mark = Self.fence(trimmed) {
        readText()
        fence = mark
        continue
      }
      let isIndented = line.hasPrefix("    ") || line.hasPrefix("\t")
      if isIndented, isAfterBlank, !isInList, !trimmed.isEmpty, trimmed.first != "<" {
        readText()
        blocks.append(.code(String(line.hasPrefix("\t") ? line.dropFirst() : line.dropFirst(4))))
        continue
      }
      if !trimmed.isEmpty, !isIndented {
        isInList = Self.listMark(trimmed) != nil || isInList && !isAfterBlank
      }
      isAfterBlank = trimmed.isEmpty
      text.append(line)
    }
    readText()
  }

  private static func fence(_ line: Substring) -> (mark: Character, length: Int)? {
    guard let mark = line.first, mark == "`" || mark == "~" else { return nil }
    let length = line.prefix { $0 == mark }.count
    return length >= 3 && !(mark == "`" && line.dropFirst(length).contains("`")) ? (mark, length) : nil
  }

  /// Reads the running text that has come together.
  private mutating func readText() {
    let stripped = MarkdownInline.stripped(text.joined(separator: "\n"))
    text = []
    var isInDirective = false
    for line in stripped.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let trimmed = line.trimmingWhitespace()[...]
      // A directive of reStructuredText, an image for example, goes on as long as lines are indented.
      if isInDirective, indent > 0 { continue }
      isInDirective = trimmed.hasPrefix(".. ")
      if isInDirective || trimmed.isEmpty {
        close()
      } else {
        read(trimmed, indent: indent)
      }
    }
    close()
  }

  private mutating func read(_ line: Substring, indent: Int) {
    if let underline = line.first, "=-".contains(underline), line.count > 1,
      line.allSatisfy({ $0 == underline }), case .paragraph(let text) = open
    {
      open = nil
      blocks.append(.heading(text))
    } else if Self.isRule(line) {
      close()
    } else if let heading = Self.heading(line) {
      close()
      if !heading.isEmpty { blocks.append(.heading(heading)) }
    } else if line.first == "|" {
      close()
      let cells = line.split(separator: "|").map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
      // The row below the header only draws lines.
      if cells.contains(where: { cell in !cell.allSatisfy { "-:".contains($0) } }) {
        blocks.append(.paragraph(cells.joined(separator: " · ")))
      }
    } else if let (mark, rest) = Self.listMark(line) {
      close()
      open = .item(
        level: min(Self.maximumLevel, indent / 2), mark: mark, text: rest.trimmingWhitespace())
    } else {
      let quoted = line.drop { $0 == ">" || $0 == " " }
      if !quoted.isEmpty { append(quoted) }
    }
  }

  private mutating func append(_ line: Substring) {
    switch open {
    case .paragraph(let text): open = .paragraph(text + " " + line)
    case .item(let level, let mark, let text):
      open = .item(level: level, mark: mark, text: text + (text.isEmpty ? "" : " ") + line)
    default: open = .paragraph(String(line))
    }
  }

  private mutating func close() {
    guard let block = open else { return }
    open = nil
    if case .item(_, _, let text) = block, text.isEmpty { return }
    blocks.append(block)
  }

  /// `---`, `* * *`: lines that only separate.
  private static func isRule(_ line: Substring) -> Bool {
    guard let mark = line.first, "-*_=".contains(mark) else { return false }
    return line.count { $0 == mark } >= 3 && line.allSatisfy { $0 == mark || $0 == " " }
  }

  /// `# Heading`, and `= Heading` as in AsciiDoc.
  private static func heading(_ line: Substring) -> String? {
    guard let mark = line.first, mark == "#" || mark == "=" else { return nil }
    let rest = line.drop { $0 == mark }
    guard line.count - rest.count <= 6, rest.isEmpty || rest.first == " " else { return nil }
    var text = rest.trimmingWhitespace()
    while text.last == mark { text.removeLast() }
    return text.trimmingWhitespace()
  }

  /// `- `, `* `, `+ `, `1. `, `1) ` and what follows.
  private static func listMark(_ line: Substring) -> (mark: String, rest: Substring)? {
    if let first = line.first, "-*+".contains(first), line.dropFirst().first == " " {
      return ("-", line.dropFirst(2))
    }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(digits.count)
    guard (1...9).contains(digits.count), let mark = rest.first, mark == "." || mark == ")",
      rest.dropFirst().first == " "
    else { return nil }
    return (digits + String(mark), rest.dropFirst(2))
  }
}
