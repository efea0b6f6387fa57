/// Counts lines of code, comments and blank lines.
///
/// A line ends with a line feed. A carriage return is white space, and so is a byte order mark at the
/// beginning. A last line without a line feed counts if it is not empty.
package enum LineCounter {
  /// Counts the lines of a text.
  ///
  /// For malformed source the sum of the counts is still the number of lines.
  package static func count(_ bytes: UnsafeRawBufferPointer, _ syntax: CommentSyntax) -> LineCounts {
    syntax.classes.withUnsafeBufferPointer { classes in
      syntax.rules.withUnsafeBufferPointer { rules in
        syntax.groups.withUnsafeBufferPointer { groups in
          var scanner = LineScanner(
            bytes.assumingMemoryBound(to: UInt8.self), classes: classes, rules: rules, groups: groups,
            isLineOnly: syntax.isLineOnly)
          return scanner.run()
        }
      }
    }
  }
}

/// The numbers of code, comment and blank lines of a text; each line counts as exactly one of them.
package struct LineCounts: Sendable, Hashable {
  /// Lines that contain more than white space and comments.
  package var code = 0
  /// Lines that contain only comments and white space.
  package var comment = 0
  /// Lines of white space only, also inside a comment or string.
  package var blank = 0

  package var lines: Int { code + comment + blank }

  static func += (a: inout LineCounts, b: LineCounts) {
    a.code += b.code
    a.comment += b.comment
    a.blank += b.blank
  }
}

/// The line counts of a tree by language, for the project's own texts: those that are neither vendored nor
/// generated.
package struct LineTally: Sendable {
  /// The size limit of a file (64 MiB); source files have a hundredth of that.
  static let fileLimit = 64 << 20

  private struct Entry: Sendable {
    let syntax: CommentSyntax?
    var counts = LineCounts()
    var files = 0
  }

  /// By the language's index in ``LanguageTable/shared``.
  private var entries: [UInt16: Entry] = [:]
  /// The number of files that were too large to count.
  var tooLarge = 0
  /// The number of files that could not be read.
  var unreadable = 0

  /// Counts the lines of a text file.
  mutating func count(_ bytes: UnsafeRawBufferPointer, _ language: UInt16) -> LineCounts {
    let known = entries[language]
    var entry =
      known ?? Entry(syntax: CommentSyntax.of(language: LanguageTable.shared.name(Int(language))))
    let counts = LineCounter.count(bytes, entry.syntax ?? .plain)
    entry.counts += counts
    entry.files += 1
    entries[language] = entry
    return counts
  }

  /// The sums, most code first and then by name.
  var lines: [InspectionReport.Lines] {
    entries.map { language, entry in
      InspectionReport.Lines(
        language: LanguageTable.shared.name(Int(language)), files: entry.files, code: entry.counts.code,
        comment: entry.counts.comment, blank: entry.counts.blank)
    }.sorted { ($1.code, $0.language) < ($0.code, $1.language) }
  }

  /// Why the counts are incomplete.
  var notes: [InspectionReport.Note] {
    var notes: [InspectionReport.Note] = []
    func note(_ message: String, isDamage: Bool = false) {
      notes.append(.init(section: InspectionSection.lines.rawValue, message: message, isDamage: isDamage))
    }
    if tooLarge > 0 {
      let verb = tooLarge == 1 ? "is" : "are"
      note("\(counted(tooLarge, "file")) of more than \(Self.fileLimit >> 20) MiB \(verb) not counted")
    }
    if unreadable > 0 { note("\(counted(unreadable, "file")) could not be read", isDamage: true) }
    // Data and prose have hardly any comments.
    let unknown = entries.filter {
      $0.value.syntax == nil && LanguageTable.shared.records[Int($0.key)].kind.counts
    }.map { LanguageTable.shared.name(Int($0.key)) }.sorted()
    if !unknown.isEmpty { note("comments count as code in \(unknown.joined(separator: ", "))") }
    return notes
  }
}

/// A state machine over the bytes of a file that classifies each line.
///
/// All buffers outlive it: ``LineCounter`` passes them for one call. Every index of `bytes` is compared with
/// `count` before it is read; the table of classes has an entry for every byte.
struct LineScanner {
  /// The most bytes of a character literal; `'\u{10FFFF}'` has twelve.
  static let characterLimit = 14

  let bytes: UnsafeBufferPointer<UInt8>
  let classes: UnsafeBufferPointer<UInt8>
  let rules: UnsafeBufferPointer<SyntaxRule>
  let groups: UnsafeBufferPointer<Int>
  let isLineOnly: Bool

  private var at = 0
  private var lineStart = 0
  private var hasCode = false
  private var hasComment = false
  /// The end of the last line that has code, without the white space there.
  private var codeEnd = 0
  private var counts = LineCounts()

  private var count: Int { bytes.count }

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, classes: UnsafeBufferPointer<UInt8>,
    rules: UnsafeBufferPointer<SyntaxRule>, groups: UnsafeBufferPointer<Int>, isLineOnly: Bool
  ) {
    self.bytes = bytes
    self.classes = classes
    self.rules = rules
    self.groups = groups
    self.isLineOnly = isLineOnly
  }

  /// Counts all lines.
  mutating func run() -> LineCounts {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      if count == 3 { return LineCounts(blank: 1) }
      at = 3
      // A construct that must begin its line may follow the byte order mark.
      lineStart = 3
    }
    while at < count {
      let byteClass = classes[Int(bytes[at])]
      switch byteClass {
      case CommentSyntax.ByteClass.plain:
        hasCode = true
        let classes = classes
        if isLineOnly { skipLine() } else { skip { classes[Int($0)] <= CommentSyntax.ByteClass.space } }
      case CommentSyntax.ByteClass.space:
        at += 1
      case CommentSyntax.ByteClass.newline:
        endLine()
      default:
        apply(group: Int(byteClass - CommentSyntax.ByteClass.firstGroup))
      }
    }
    if lineStart < count { account() }
    return counts
  }

  /// Counts the current line.
  private mutating func account() {
    if hasCode {
      counts.code += 1
      codeEnd = at
      while codeEnd > lineStart, bytes[codeEnd - 1] <= 0x20 { codeEnd -= 1 }
    } else if hasComment {
      counts.comment += 1
    } else {
      counts.blank += 1
    }
  }

  /// Counts the current line, whose end is at the current index, and moves to the next.
  private mutating func endLine() {
    account()
    hasCode = false
    hasComment = false
    at += 1
    lineStart = at
  }

  private mutating func skipLine() { skip { $0 != 0x0A } }

  /// Moves on while a condition holds for the byte at the current index.
  @inline(__always) private mutating func skip(while condition: (UInt8) -> Bool) {
    // Local copies stay in registers.
    var place = at
    let end = count
    while place < end, condition(bytes[place]) { place += 1 }
    at = place
  }

  /// Whether a text is at the current index.
  private func stands(_ text: StaticString) -> Bool {
    let length = text.count
    guard length <= count - at else { return false }
    var k = 0
    while k < length {
      if bytes[at + k] != text[k] { return false }
      k += 1
    }
    return true
  }

  /// Applies the first matching rule of a group; without one the byte is code.
  private mutating func apply(group: Int) {
    for number in groups[group]..<groups[group + 1] {
      let rule = rules[number]
      guard stands(rule.open), isPlace(rule.place) else { continue }
      switch rule.kind {
      case .lineComment:
        hasComment = true
        skipLine()
      case .blockComment:
        enclosed(rule, isComment: true)
      case .string:
        enclosed(rule, isComment: false)
      case .character:
        guard let end = characterEnd() else { continue }
        hasCode = true
        at = end
      case .code:
        hasCode = true
        at += rule.open.count
        if at < count, bytes[at] != 0x0A { at += 1 }
      }
      return
    }
    hasCode = true
    at += 1
  }

  /// Whether a construct may begin at the current index.
  private func isPlace(_ place: SyntaxRule.Place) -> Bool {
    switch place {
    case .anywhere: true
    case .firstOnLine: !hasCode
    case .firstColumn: at == lineStart
    case .statement: !hasCode && !continues()
    }
  }

  /// Whether the last line of code calls for more: an open bracket, comma, equals sign or the like ends it.
  private func continues() -> Bool {
    codeEnd > 0 && "([{,=\\+%".utf8.contains(bytes[codeEnd - 1])
  }

  /// Scans a comment or string, from its opening to its closing delimiter.
  private mutating func enclosed(_ rule: SyntaxRule, isComment: Bool) {
    mark(isComment)
    at += rule.open.count
    let close = rule.close[0]
    let open = rule.nests ? rule.open[0] : close
    let escape = rule.escape == 0 ? close : rule.escape
    var depth = 1
    while true {
      skip { $0 != close && $0 != open && $0 != escape && $0 != 0x0A }
      guard at < count else { return }
      if stands(rule.close), rule.place != .firstColumn || at == lineStart {
        at += rule.close.count
        depth -= 1
        if depth == 0 { return }
      } else if rule.nests, stands(rule.open) {
        at += rule.open.count
        depth += 1
      } else if bytes[at] == 0x0A {
        guard rule.spansLines else { return }
        nextLine(isComment)
      } else if bytes[at] == rule.escape {
        at += 1
        if at + 1 < count, bytes[at] == 0x0D, bytes[at + 1] == 0x0A { at += 1 }
        guard at < count else { return }
        if bytes[at] == 0x0A { nextLine(isComment) } else { at += 1 }
      } else {
        at += 1
      }
    }
  }

  /// At the end of a line in a comment or string: moves to the next, which has the same kind unless it is
  /// blank.
  private mutating func nextLine(_ isComment: Bool) {
    endLine()
    let classes = classes
    skip { classes[Int($0)] == CommentSyntax.ByteClass.space }
    if at < count, bytes[at] != 0x0A { mark(isComment) }
  }

  private mutating func mark(_ isComment: Bool) {
    if isComment { hasComment = true } else { hasCode = true }
  }

  /// Returns the end of the character literal at the current index; nil if the quote begins something else.
  private func characterEnd() -> Int? {
    let quote = bytes[at]
    var end = at + 1
    guard end < count, bytes[end] != quote else { return nil }
    let isEscape = bytes[end] == UInt8(ascii: "\\")
    if isEscape { end += 1 }
    guard end < count, bytes[end] != 0x0A else { return nil }
    end += 1
    // The rest of an escape, or the continuation bytes of a UTF-8 character.
    while end < count, end - at < Self.characterLimit, bytes[end] != quote, bytes[end] != 0x0A,
      isEscape || bytes[end] & 0xC0 == 0x80
    {
      end += 1
    }
    return end < count && bytes[end] == quote ? end + 1 : nil
  }
}
