import ForageCore

/// Converts the Markdown of readmes and issues to plain text for people.
///
/// Headings, paragraphs, list items and code are kept; images, badges, comments and tags are removed, links become their text. Other
/// formats, for example reStructuredText, are treated as text. Source: the parts of the CommonMark specification 0.31 that matter for reading.
struct PlainMarkdown {
  /// A block of the document.
  enum Block: Hashable {
    case heading(String)
    case paragraph(String)
    /// An item of a list; the level counts from 0.
    case item(level: Int, mark: String, text: String)
    /// One line of code, unchanged.
    case code(String)
  }

  /// The number of scalars that are read: forges return no longer text.
  private static let maximumScalars = 1 << 20
  /// Lists nested deeper are shown at this level.
  private static let maximumLevel = 4

  private(set) var blocks: [Block] = []
  /// The paragraph or item that the next line may continue, without its text.
  private var open: Block?
  /// The lines of the open block, which are joined once.
  private var openLines: [Substring] = []
  /// Lines of running text whose inline markup is not read yet: it may span lines.
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

  /// Reads the collected running text.
  private mutating func readText() {
    let stripped = MarkdownInline.stripped(text.joined(separator: "\n"))
    text = []
    var isInDirective = false
    for line in stripped.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let trimmed = line.trimmingWhitespace()[...]
      // A directive of reStructuredText, for example an image, continues while lines are indented.
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
      line.allSatisfy({ $0 == underline }), case .paragraph = open
    {
      blocks.append(.heading(openLines.joined(separator: " ")))
      (open, openLines) = (nil, [])
    } else if Self.isRule(line) {
      close()
    } else if let heading = Self.heading(line) {
      close()
      if !heading.isEmpty { blocks.append(.heading(heading)) }
    } else if line.first == "|" {
      close()
      let cells = line.split(separator: "|").map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
      // The row below the header separates it and has no text.
      if cells.contains(where: { cell in !cell.allSatisfy { "-:".contains($0) } }) {
        blocks.append(.paragraph(cells.joined(separator: " · ")))
      }
    } else if let (mark, rest) = Self.listMark(line) {
      close()
      open = .item(level: min(Self.maximumLevel, indent / 2), mark: mark, text: "")
      let text = rest.trimmingWhitespace()
      openLines = text.isEmpty ? [] : [text[...]]
    } else {
      let quoted = line.drop { $0 == ">" || $0 == " " }
      if !quoted.isEmpty { append(quoted) }
    }
  }

  private mutating func append(_ line: Substring) {
    open = open ?? .paragraph("")
    openLines.append(line)
  }

  private mutating func close() {
    let text = openLines.joined(separator: " ")
    switch open {
    case .item(let level, let mark, _) where !text.isEmpty:
      blocks.append(.item(level: level, mark: mark, text: text))
    case .paragraph: blocks.append(.paragraph(text))
    default: break
    }
    (open, openLines) = (nil, [])
  }

  /// `---`, `* * *`: lines that separate sections.
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

  /// `- `, `* `, `+ `, `1. `, `1) ` and the text after them.
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
