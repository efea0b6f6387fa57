/// Tells from a line alone where a name cannot be defined, so that a text need not be read as a program in
/// which a word stands only there. It rules out what no reader of an outline takes for the name of a
/// definition, and nothing that it is not sure of.
struct DefinitionPlaces {
  /// Lines are not looked at beyond this number of bytes.
  private static let lineLimit = 500

  private let text: UnsafeRawBufferPointer
  private let language: Language?
  /// The only words that names stand right behind; `nil` for any.
  private let words: Set<Word>?
  /// Words that no name stands right behind.
  private let otherWords: Set<Word>
  /// Marks that no name stands right behind on its line.
  private let otherMarks: String

  init(_ text: UnsafeRawBufferPointer, _ language: Language?) {
    (self.text, self.language) = (text, language)
    switch language {
    case .go:
      (words, otherWords, otherMarks) = ([.func, .typeWord, .var, .const], [], ".=&!+-|<>:\"%(")
    case .rust:
      words = [.fn, .struct, .union, .enum, .trait, .mod, .typeWord, .const, .static, .mut, .pub]
      (otherWords, otherMarks) = ([], ".=&+-|<>:\"")
    case .python:
      (words, otherWords, otherMarks) = ([.def, .class, .typeWord, .async], [], ".+-|%&<>!@\"'[{")
    case .swift: (words, otherWords, otherMarks) = (nil, [.return], ".:=&+-|<>?\"")
    case .java:
      otherWords = [.new, .return, .throw, .extends, .implements, .instanceof, .import]
      (words, otherMarks) = (nil, ".=&!+-|(:\"%?^")
    case .c: (words, otherWords, otherMarks) = (nil, [.return, .case, .goto], ".=+-%!?|")
    case .cpp: (words, otherWords, otherMarks) = (nil, [], "=+-%!?|")
    case .javaScript, .typeScript, .tsx:
      (words, otherWords, otherMarks) = (nil, [.new, .return, .throw, .typeof, .instanceof], "")
    default: (words, otherWords, otherMarks) = (nil, [], "")
    }
  }

  /// Whether a definition may have a name here.
  func canBe(_ name: Range<Int>) -> Bool {
    guard WordFit(of: name, in: text) == .whole else { return false }
    guard let language else { return true }
    var start = name.lowerBound
    while start > 0, text[start - 1] != Mark.newline {
      guard name.lowerBound - start < Self.lineLimit else { return true }
      start -= 1
    }
    var end = name.upperBound
    while end < text.count, end < name.upperBound + Self.lineLimit, isBlank(text[end]) { end += 1 }
    let next = end < text.count ? text[end] : Mark.newline
    var last = name.lowerBound - 1
    while last >= start, isBlank(text[last]) { last -= 1 }
    if isInComment(start, last, next) || isInString(start, name.lowerBound, next) { return false }
    switch language {
    case .shell where !"(=\\".utf8.contains(next) && !continues(start, last):
      return ["function", "alias"].contains { has($0, from: start, to: name.lowerBound) }
    case .c, .cpp, .objectiveC, .cSharp:
      if text[firstOfLine(start, name.lowerBound)] == Mark.hash { return word(before: last) == .define }
    // `new Name` and `Name name`
    case .java where WordFit.isWord(next):
      if ![.extends, .implements, .permits, .throws].contains(word(at: end)) { return false }
    default: break
    }
    guard last < start else { return canFollow(last, language, next) }
    return continues(start, last) || canBegin(language, next)
  }

  /// Whether the first name of a line can be defined, by what is behind it.
  private func canBegin(_ language: Language, _ next: UInt8) -> Bool {
    switch language {
    case .go: !".:)\"".utf8.contains(next)
    case .python: isPythonTarget(next)
    case .java, .javaScript: next != Mark.dot
    default: true
    }
  }

  /// Whether a name can be defined behind a mark or word of its line, whose last byte is at a place.
  private func canFollow(_ last: Int, _ language: Language, _ next: UInt8) -> Bool {
    let mark = text[last]
    if WordFit.isWord(mark) {
      let word = word(before: last)
      if let words, !words.contains(word) { return false }
      return !otherWords.contains(word)
    }
    let isPair = last > 0 && text[last - 1] == mark
    if otherMarks.utf8.contains(mark) { return mark == Mark.dot && isPair }
    switch (language, mark) {
    case (.python, _): return isPythonTarget(next)
    case (.go, Mark.slash): return next != Mark.quote
    // `let (name, other)`
    case (.swift, Mark.openParenthesis):
      var end = last - 1
      while end > 0, isBlank(text[end]) { end -= 1 }
      guard end >= 0, WordFit.isWord(text[end]) else { return true }
      return [.let, .var].contains(word(before: end))
    // `(*name)`, `(name)`
    case (.c, Mark.openParenthesis), (.cpp, Mark.openParenthesis):
      return !",-.+=&|<>?:*".utf8.contains(next)
    case (.c, Mark.greater): return last == 0 || text[last - 1] != Mark.minus
    // `exports.name =`, `namespace a.name {`
    case (.javaScript, Mark.dot), (.typeScript, Mark.dot), (.tsx, Mark.dot):
      return isPair || "={/\n'\"".utf8.contains(next)
    case (.javaScript, Mark.openParenthesis), (.typeScript, Mark.openParenthesis),
      (.tsx, Mark.openParenthesis):
      return !",).".utf8.contains(next)
    default: return true
    }
  }

  /// `a = b = 1`, `a, b = 1, 2`, `(a, b) = 1, 2`, `a: int = 1`
  private func isPythonTarget(_ next: UInt8) -> Bool { "=:,)#\\\n".utf8.contains(next) }

  /// Whether the line goes on with a command of the line before.
  private func continues(_ start: Int, _ last: Int) -> Bool {
    last < start && start > 1 && (text[start - 2] == Mark.backslash || text[start - 2] == 13)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }

  private func firstOfLine(_ start: Int, _ end: Int) -> Int {
    var first = start
    while first < end, isBlank(text[first]) { first += 1 }
    return first
  }

  /// The word whose last byte is at a place, `.none` if it is no known one.
  private func word(before last: Int) -> Word {
    var first = last
    while first > 0, WordFit.isWord(text[first - 1]) { first -= 1 }
    let hash = text[first...last].reduce(WordTable.seed) { WordTable.step($0, $1) }
    return WordTable.shared.word(forHash: hash)
  }

  /// The word whose first byte is at a place, `.none` if it is no known one.
  private func word(at first: Int) -> Word {
    var last = first
    while last + 1 < text.count, last < first + Self.lineLimit, WordFit.isWord(text[last + 1]) { last += 1 }
    return word(before: last)
  }

  private func has(_ word: StaticString, from start: Int, to end: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - start >= count else { return false }
    return (start...end - count).contains { place in
      (0..<count).allSatisfy { text[place + $0] == word.utf8Start[$0] }
    }
  }

  // MARK: Comments and strings

  /// Whether the line begins with a comment that does not end before a place.
  ///
  /// What is between them may end neither a comment nor a string that began on a line before.
  private func isInComment(_ start: Int, _ last: Int, _ next: UInt8) -> Bool {
    let first = firstOfLine(start, last + 1)
    guard first <= last, var place = endOfSign(first) else { return false }
    let sign = text[first]
    var words = 0
    while place <= last {
      let byte = text[place]
      if WordFit.isWord(byte) {
        if !WordFit.isWord(text[place - 1]) { words += 1 }
      } else if !isBlank(byte) {
        let isHarmless =
          switch sign {
          case Mark.slash: !"*\"`<".utf8.contains(byte)
          case Mark.star: !"*\"`<;={}".utf8.contains(byte)
          default: ".,:;-(".utf8.contains(byte)
          }
        guard isHarmless else { return false }
      }
      place += 1
    }
    // The end of a declaration may begin a line, too: `* const name(`.
    return sign != Mark.star || words > 1 || WordFit.isWord(next)
  }

  /// The place behind the sign of a comment; `nil` if there is none.
  private func endOfSign(_ first: Int) -> Int? {
    switch language {
    case .python, .shell, .ruby, .perl: return text[first] == Mark.hash ? first + 1 : nil
    case .c, .cpp, .objectiveC, .cSharp, .java, .dart, .swift, .kotlin, .scala, .rust, .go, .javaScript,
      .typeScript, .tsx:
      let second = first + 1 < text.count ? text[first + 1] : 0
      if text[first] == Mark.star { return second == Mark.slash ? nil : first + 1 }
      guard text[first] == Mark.slash, second == Mark.slash || second == Mark.star else { return nil }
      var end = first + 2
      while end < text.count, text[end] == Mark.slash || text[end] == Mark.exclamation { end += 1 }
      return end
    default: return nil
    }
  }

  /// Whether a string begins on the line and does not end before a place, if the line begins with code.
  /// Otherwise it may go on with a comment or string, whose end is not between them.
  private func isInString(_ start: Int, _ end: Int, _ next: UInt8) -> Bool {
    switch language {
    case .c, .go, .java, .swift: break
    // Names may have quotes.
    case .javaScript where next != Mark.quote, .typeScript where next != Mark.quote: break
    default: return false
    }
    guard !continues(start, start - 1) else { return false }
    var isInString = false
    var place = start
    while place < end {
      switch text[place] {
      case Mark.quote:
        if place + 2 < text.count, text[place + 1] == Mark.quote, text[place + 2] == Mark.quote {
          return false
        }
        isInString.toggle()
      case Mark.backslash where isInString: place += 1
      case Mark.backtick: return false
      case Mark.slash where !isInString || text[place - 1] == Mark.star: return false
      case Mark.apostrophe where !isInString, Mark.hash where !isInString: return false
      default: break
      }
      place += 1
    }
    return isInString
  }
}
