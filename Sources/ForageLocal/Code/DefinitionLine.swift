/// Reads the beginning of a line of a program up to what decides whether it defines a name.
///
/// Modifiers, a keyword, the words of a type and a name are read up to the first byte that is part of none. That byte
/// and what follows decide.
struct DefinitionLine {
  private enum Step {
    case next
    case end(Range<Int>?)
  }
  /// What stands before a position.
  private enum Previous { case nothing, modifier, keyword, word, star }

  /// Longer lines are data.
  private static let lengthLimit = 500
  /// A longer word is no name.
  private static let nameLimit = 128
  /// The most words of a declaration without a keyword: more are prose.
  private static let wordLimit = 4
  /// The indentation up to which variables, and methods without a type, count; a tab is as wide.
  static let margin = 4

  let line: UnsafeRawBufferPointer
  private(set) var position = 0
  private(set) var indentation = 0
  private(set) var keyword: DefinitionWord = []
  private(set) var modifiers: DefinitionWord = []
  private var previous = Previous.nothing
  /// The number of words that are neither keywords nor modifiers; types count.
  private(set) var words = 0
  /// The last word that may be the name, without what precedes a point or colons in it.
  private(set) var name: Range<Int>?
  /// The first one.
  private(set) var firstName: Range<Int>?
  /// Where the last one begins, with what precedes a point or colons in it.
  private(set) var start = 0
  /// Whether it has points, or colons.
  private(set) var (isDotted, isScoped) = (false, false)
  /// Whether brackets follow it.
  private(set) var hasBrackets = false

  private init(_ line: UnsafeRawBufferPointer) { self.line = line }

  /// The range of the name that a line defines, and whether it is that of a variable; `nil` if it defines none.
  static func name(in line: UnsafeRawBufferPointer) -> (range: Range<Int>, isVariable: Bool)? {
    guard line.count >= 3, line.count <= lengthLimit else { return nil }
    var end = line.count
    while end > 0, line.isSpace(end - 1) { end -= 1 }
    var reader = DefinitionLine(line.part(0..<end))
    guard let name = reader.read(), !name.isEmpty else { return nil }
    return (name, reader.isVariable(name))
  }

  private mutating func read() -> Range<Int>? {
    while line.isSpace(position) {
      indentation += line.has("\t", at: position) ? Self.margin : 1
      position += 1
    }
    guard position < line.count else { return nil }
    switch line[position] {
    case UInt8(ascii: "#"): return directive()
    case UInt8(ascii: "("): return lisp()
    case UInt8(ascii: "}"): return typeAfterBody()
    case UInt8(ascii: "-"), UInt8(ascii: "+"): return objectiveC()
    default: return declaration()
    }
  }

  private mutating func declaration() -> Range<Int>? {
    while position < line.count {
      if line.isWord(position) {
        if case .end(let name) = readWord() { return name }
      } else if line.isSpace(position) {
        position += 1
      } else if !skip() {
        break
      }
    }
    return decision()
  }

  // MARK: Words

  private mutating func readWord() -> Step {
    let range = position..<line.wordEnd(position)
    position = range.upperBound
    let meaning = DefinitionWord(line[range])
    if keyword.contains(.type), name != nil, previous == .word, meaning.contains(.afterType) {
      return .end(name)
    }
    if meaning.isEmpty || line.has(".", at: position) || isName(meaning) { return readName(range) }
    let isSeparate = line.hasOne(of: meaning.contains(.symbol) ? " (" : " \t*!<", at: position)
    if meaning.contains(.keyword), words == 0, isSeparate { return readKeyword(meaning) }
    if meaning.contains(.statement), keyword.isEmpty { return .end(nil) }
    if meaning.contains(.modifier) {
      modifiers.formUnion(meaning)
      let isType = meaning.contains(.builtIn)
      if isType { words += 1 }
      previous = isType ? .word : .modifier
      return .next
    }
    // "the type of", "function("
    let isProse = meaning.contains(.prose) || meaning.contains(.keyword) && line.isSpace(position)
    let isAfterKeyword = !keyword.isEmpty && !keyword.contains(.type)
    if isProse || meaning.contains(.reserved) && !isAfterKeyword { return .end(nil) }
    return readName(range)
  }

  private mutating func readKeyword(_ meaning: DefinitionWord) -> Step {
    if meaning.contains(.variable), indentation > Self.margin, modifiers.isEmpty { return .end(nil) }
    // "using namespace std"
    if keyword.contains(.value) { return .end(nil) }
    (keyword, previous) = (meaning, .keyword)
    return meaning.contains(.symbol) ? .end(symbol()) : .next
  }

  private mutating func readName(_ range: Range<Int>) -> Step {
    guard range.count <= Self.nameLimit, !line.isDigit(range.lowerBound) else { return .end(nil) }
    // An attribute, as in "char names[] ALIGNED =".
    if hasBrackets, words > 1 { return .next }
    start = range.lowerBound
    let range = lastPart(range)
    if !keyword.isEmpty, !keyword.contains(.type) { return .end(isDefined(range) ? range : nil) }
    words += 1
    if words > Self.wordLimit { return .end(nil) }
    (name, firstName) = (range, firstName ?? range)
    (previous, hasBrackets) = (.word, false)
    return .next
  }

  /// The last part of a name such as `A.B.name`, `A::name` or `List<T>.name`.
  private mutating func lastPart(_ range: Range<Int>) -> Range<Int> {
    var range = range
    (isDotted, isScoped) = (false, false)
    while true {
      var next = position
      if !keyword.isEmpty, let end = line.closing("<", ">", at: next), line.hasOne(of: ".?", at: end) {
        next = end
      }
      if line.has("?.", at: next) { next += 1 }
      let isPoint = line.has(".", at: next)
      if isPoint {
        next += 1
      } else if line.has("::", at: next) {
        next += line.has("~", at: next + 2) ? 3 : 2
      } else if keyword.contains(.colons), line.has(":", at: next) {
        next += 1
      } else {
        return range
      }
      guard line.isWord(next) else { return range }
      if isPoint { isDotted = true } else { isScoped = true }
      range = next..<line.wordEnd(next)
      position = range.upperBound
    }
  }

  /// Whether a word with a meaning is a name all the same, as in `let local = 1` or `func open() {`.
  private func isName(_ meaning: DefinitionWord) -> Bool {
    if meaning.contains(.reserved) { return false }
    let next = line.spaceEnd(position)
    let isAfterKeyword = !keyword.isEmpty && !keyword.contains(.type)
    if meaning.contains(.prose), !isAfterKeyword {
      if meaning.contains(.statement), words == 0 { return false }
      return line.has("(", at: position) || line.hasOne(of: ":=<{[;,", at: next)
    }
    guard !keyword.isEmpty || words > 0 || line.has("=", at: next) else { return false }
    // "static inline" stands alone where the type of a function has a line of its own.
    if next == line.count { return isAfterKeyword && !meaning.contains(.prose) }
    return line.hasOne(of: "(:=<{[;,", at: next)
  }

  // MARK: Between words

  /// Skips what may stand between words.
  private mutating func skip() -> Bool {
    switch line[position] {
    case UInt8(ascii: "*"), UInt8(ascii: "&"):
      // "function *name()", but "struct type *name".
      guard previous != .nothing, previous != .keyword || keyword.contains(.colons),
        !line.has(" &&", at: position - 1)
      else { return false }
      (position, previous) = (position + 1, .star)
    case UInt8(ascii: "!"), UInt8(ascii: "`"):
      guard previous == .keyword else { return false }
      position += 1
    case UInt8(ascii: "$"), UInt8(ascii: "?"):
      guard modifiers.contains(.member), line.isWord(position + 1) || line.isSpace(position + 1) else {
        return false
      }
      position += 1
    case UInt8(ascii: "@"): return skipAttribute()
    case UInt8(ascii: "\""):
      // extern "C"
      guard previous == .modifier, let end = line[(position + 1)...].firstIndex(of: line[position]) else {
        return false
      }
      position = end + 1
    case UInt8(ascii: "("):
      // The receiver of a method in Go, "pub(crate)".
      guard previous == .keyword || previous == .modifier,
        let end = line.closing("(", ")", at: position)
      else { return false }
      position = end
    case UInt8(ascii: "<"):
      guard previous != .nothing, let end = line.closing("<", ">", at: position) else { return false }
      position = end
    case UInt8(ascii: "["):
      guard previous != .nothing, let end = line.closing("[", "]", at: position) else { return false }
      (position, hasBrackets) = (end, true)
    default: return false
    }
    return true
  }

  /// Skips `@name(arguments)`, but before a keyword only the sign.
  private mutating func skipAttribute() -> Bool {
    guard words == 0, keyword.isEmpty, line.isWord(position + 1) else { return false }
    let range = (position + 1)..<line.wordEnd(position + 1)
    let meaning = DefinitionWord(line[range])
    if meaning.contains(.statement) { return false }
    position += 1
    if meaning.contains(.keyword) { return true }
    position = range.upperBound
    _ = lastPart(range)
    position = line.closing("(", ")", at: position) ?? position
    previous = .modifier
    return true
  }

  // MARK: Lines that begin with a sign

  /// `#define name`, or a declaration after `#[attribute]`.
  private mutating func directive() -> Range<Int>? {
    if let end = line.closing("[", "]", at: position + 1) {
      position = end
      return declaration()
    }
    let start = line.spaceEnd(position + 1)
    guard line.has("define ", at: start) || line.has("define\t", at: start) else { return nil }
    let begin = line.spaceEnd(start + 7)
    let name = begin..<line.wordEnd(begin)
    if name.isEmpty || line.isDigit(begin) { return nil }
    // "# define what is meant" is a comment.
    let isProse =
      start > position + 1 && (DefinitionWord(line[name]).contains(.prose) || isSentence(after: name))
    return isProse ? nil : name
  }

  /// `(defun name`, `(define (name x)`.
  private func lisp() -> Range<Int>? {
    let end = line.wordEnd(position + 1)
    guard line.has("def", at: position + 1), DefinitionWord(line[(position + 1)..<end]).contains(.keyword),
      let space = line[end...].firstIndex(of: UInt8(ascii: " "))
    else { return nil }
    var start = line.spaceEnd(space)
    if line.hasOne(of: "('", at: start) { start += 1 }
    return line.isWord(start) && !line.isDigit(start) ? start..<line.wordEnd(start) : nil
  }

  /// `} name;` at the end of a `typedef`.
  private mutating func typeAfterBody() -> Range<Int>? {
    guard indentation == 0 else { return nil }
    position += 1
    previous = .modifier
    while position < line.count, name == nil || !line.hasOne(of: ";,[", at: position) {
      if line.isWord(position) {
        if case .end = readWord() { return nil }
      } else if line.isSpace(position) {
        position += 1
      } else if !skip() {
        return nil
      }
    }
    return position < line.count && keyword.isEmpty && !isDotted ? name : nil
  }

  /// `- (void)name:(int)x {`
  private func objectiveC() -> Range<Int>? {
    guard indentation == 0, let end = line.closing("(", ")", at: line.spaceEnd(1)), line.isWord(end),
      line.last != UInt8(ascii: ";")
    else { return nil }
    let name = end..<line.wordEnd(end)
    let next = line.spaceEnd(name.upperBound)
    return next == line.count || line.hasOne(of: ":{", at: next) ? name : nil
  }
}
