/// Finds the name that a line of a program defines, by patterns that hold for most languages.
///
/// A definition is a keyword such as `func`, `class`, `struct`, `def` or `#define` before a name, a function of C or
/// shell that begins at the start of a line, or an assignment there. What follows decides nothing else, so that a
/// declaration without a body counts too, except for a prototype that ends with a semicolon.
enum Definitions {
  /// Words after which a name is defined.
  private static let keywords: Set<String> = [
    "func", "function", "fn", "def", "defn", "defun", "defmacro", "defmodule", "sub", "proc", "fun", "macro",
    "macro_rules!", "class", "struct", "enum", "union", "interface", "protocol", "trait", "type", "typealias",
    "associatedtype", "module", "namespace", "record", "object", "actor", "let", "var", "val", "const",
    "constexpr", "static", "define", "procedure", "subroutine", "newtype", "data",
  ]
  /// Keywords that also begin a type, as in `struct commit *lookup(`.
  private static let typeWords: Set<String> = [
    "class", "struct", "enum", "union", "const", "constexpr", "static",
  ]
  /// Keywords that define variables, which count only near the left margin: others are local.
  private static let variableWords: Set<String> = ["let", "var", "val", "const"]
  /// Words that follow the name of a type.
  private static let wordsAfterTypes: Set<String> = ["extends", "implements", "where", "with", "is", "final"]
  /// Words that may stand before a keyword, or between a keyword and the name it defines.
  private static let modifiers: Set<String> = [
    "public", "private", "protected", "internal", "package", "open", "fileprivate", "export", "default",
    "pub",
    "mut", "ref", "inline", "async", "final", "abstract", "unsafe", "extern", "indirect", "lazy", "weak",
    "override",
    "virtual", "explicit", "volatile", "sealed", "partial", "mutating", "nonmutating", "nonisolated",
    "convenience",
    "required", "dynamic", "suspend", "declare", "readonly", "crate", "local", "global", "typedef", "friend",
    "void", "int", "char", "long", "short", "unsigned", "signed", "float", "double", "bool", "size_t",
  ]
  /// Modifiers and keywords that are never names: types of C, what stands before a pattern, as in `let mut (a, b) =`, and what
  /// stands before an operator, as in `static func < (`.
  private static let neverNames: Set<String> = [
    "func", "function", "fn", "fun", "def", "let", "var", "val", "mut", "ref", "void", "int", "char", "long",
    "short", "unsigned", "signed", "float", "double", "bool", "size_t",
  ]
  /// Words before a parenthesis that make no function.
  private static let statements: Set<String> = [
    "if", "for", "while", "switch", "return", "else", "do", "case", "catch", "sizeof", "when", "until",
    "foreach",
    "and", "or", "not", "elif", "with", "assert", "print", "throw", "new", "delete", "await", "yield",
    "defined",
    "import", "include", "using", "goto", "guard", "try",
  ]
  /// Longer lines are data.
  private static let lengthLimit = 500
  /// A longer word is no name.
  private static let nameLimit = 128
  /// The indentation in bytes up to which variables count.
  private static let margin = 4

  /// The range of the name that a line defines; `nil` if it defines none.
  static func name(in line: UnsafeRawBufferPointer) -> Range<Int>? {
    guard line.count >= 3, line.count <= lengthLimit else { return nil }
    var position = 0
    var keyword: String?
    var isType = false
    // Whether only modifiers were read so far: in "the type of", a keyword is a word of prose.
    var isLeading = true
    var isDirective = false
    var indentation = 0
    var last: Range<Int>?
    while position < line.count {
      let byte = line[position]
      if isWord(byte) {
        if last == nil { indentation = position }
        let range = position..<wordEnd(line, position)
        position = range.upperBound
        if range.count > nameLimit { return nil }
        var text = String(decoding: line.part(range), as: UTF8.self)
        if text == "macro_rules", position < line.count, line[position] == UInt8(ascii: "!") {
          text += "!"
          position += 1
        }
        if isDirective, keyword == nil, text != "define" { return nil }
        if keyword != nil {
          if typeWords.contains(text) {
            isType = true
          } else if !modifiers.contains(text) && !keywords.contains(text)
            || isName(text, line, position, isType: isType)
          {
            if isType, isFollowedByDeclarator(line, position) {
              // The type of what is declared.
              (keyword, isType, isLeading) = (nil, false, false)
            } else {
              return isDigit(line[range.lowerBound]) ? nil : range
            }
          }
        } else if isLeading, keywords.contains(text) {
          if variableWords.contains(text), indentation > margin { return nil }
          keyword = text
          isType = typeWords.contains(text)
        } else if statements.contains(text) {
          return nil
        } else if !modifiers.contains(text) {
          isLeading = false
        }
        last = range
      } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        position += 1
      } else if last == nil, byte == UInt8(ascii: "#") || byte == UInt8(ascii: "(") {
        // "#define" and "(defun".
        isDirective = isDirective || byte == UInt8(ascii: "#")
        position += 1
      } else if keyword != nil, byte == UInt8(ascii: "*") || byte == UInt8(ascii: "&") {
        position += 1
      } else if keyword != nil || last != nil && isLeading, let end = closing(line, position) {
        // The receiver of a method in Go, type parameters, "pub(crate)".
        position = end
      } else if keyword == nil {
        return topLevel(line, at: position, last)
      } else {
        return nil
      }
    }
    return nil
  }

  /// Whether a modifier or keyword after a keyword is the name itself, as in `let local = 1` or `func open() {`.
  private static func isName(
    _ word: String, _ line: UnsafeRawBufferPointer, _ start: Int, isType: Bool
  ) -> Bool {
    guard !neverNames.contains(word) else { return false }
    let next = line[start...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    // "static inline" stands alone where the type of a function has a line of its own.
    guard let next else { return !isType }
    return "(:=<{".utf8.contains(next)
  }

  /// Whether a word after the keyword of a type is the type of something else that is declared.
  private static func isFollowedByDeclarator(_ line: UnsafeRawBufferPointer, _ start: Int) -> Bool {
    var position = start
    while position < line.count, line[position] == UInt8(ascii: " ") || line[position] == UInt8(ascii: "\t") {
      position += 1
    }
    guard position < line.count else { return false }
    if [UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: ";")].contains(line[position]) { return true }
    guard isWord(line[position]) else { return false }
    let word = String(decoding: line.part(position..<wordEnd(line, position)), as: UTF8.self)
    return !wordsAfterTypes.contains(word)
  }

  private static func wordEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var end = start
    while end < line.count, isWord(line[end]) { end += 1 }
    return end
  }

  /// The name of a function or variable whose line begins at the start of a column.
  ///
  /// - Parameters:
  ///   - position: The first byte after the words that is none.
  ///   - last: The word before it.
  private static func topLevel(_ line: UnsafeRawBufferPointer, at start: Int, _ last: Range<Int>?) -> Range<
    Int
  >? {
    guard let first = line.first, isWord(first), !isDigit(first) else {
      return method(line, at: start, last)
    }
    var position = start
    var name = last
    // The stars of a pointer, and scopes as in "Type::name".
    while position < line.count, "*&:~ \t".utf8.contains(line[position]) {
      if line[position] == UInt8(ascii: ":"),
        position + 1 == line.count || line[position + 1] != UInt8(ascii: ":")
      {
        break
      }
      position += line[position] == UInt8(ascii: ":") ? 2 : 1
      let word = position
      while position < line.count, isWord(line[position]) { position += 1 }
      if position > word { name = word..<position }
    }
    guard let name, position < line.count, !isDigit(line[name.lowerBound]) else { return nil }
    switch line[position] {
    case UInt8(ascii: "("):
      return lastByte(line) == UInt8(ascii: ";") || isCall(line, at: position, of: name) ? nil : name
    case UInt8(ascii: "="):
      // An assignment, not a comparison.
      let isComparison = position + 1 < line.count && line[position + 1] == UInt8(ascii: "=")
      return isComparison ? nil : name
    case UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "+"):
      return position + 1 < line.count && line[position + 1] == UInt8(ascii: "=") ? name : nil
    default: return nil
    }
  }

  /// The name of an indented method as in Java and C#: at least two words before a parenthesis, and a brace at the end.
  private static func method(_ line: UnsafeRawBufferPointer, at position: Int, _ last: Range<Int>?) -> Range<
    Int
  >? {
    guard let last, position < line.count, line[position] == UInt8(ascii: "("), last.upperBound == position,
      lastByte(line) == UInt8(ascii: "{"), !isCall(line, at: position, of: last)
    else { return nil }
    let before = line[..<last.lowerBound].filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return before.isEmpty ? nil : last
  }

  /// Whether the parenthesis at a position opens the arguments of a call rather than parameters: with a closure or a
  /// record among or after them, or, where no type stands before the name, with a literal text. A name and a parenthesis
  /// alone in a line may be either; in C the type is often in the line before.
  private static func isCall(_ line: UnsafeRawBufferPointer, at open: Int, of name: Range<Int>) -> Bool {
    let end = closing(line, open) ?? line.count
    let (arguments, rest) = (line[open..<end], line[end...])
    let isAlone = !line[..<name.lowerBound].contains { " \t*&".utf8.contains($0) }
    if isAlone, hasArrow(rest) || arguments.contains(where: { "\"'`".utf8.contains($0) }) { return true }
    guard rest.contains(UInt8(ascii: "{")) else {
      return arguments.contains(UInt8(ascii: "{")) || hasArrow(arguments)
    }
    // A closure of Swift or Kotlin with parameters: "{ x in", "{ x ->".
    let last = rest.split { " \t\r".utf8.contains($0) }.last
    return last.map { $0.elementsEqual("in".utf8) || $0.elementsEqual("->".utf8) } ?? false
  }

  /// Whether a part of a line has "=>".
  private static func hasArrow(_ part: Slice<UnsafeRawBufferPointer>) -> Bool {
    zip(part, part.dropFirst()).contains { $0 == UInt8(ascii: "=") && $1 == UInt8(ascii: ">") }
  }

  /// The position after the bracket that closes the one at a position; `nil` for another byte.
  private static func closing(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    let pairs: [UInt8: UInt8] = [
      UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "<"): UInt8(ascii: ">"),
      UInt8(ascii: "["): UInt8(ascii: "]"),
    ]
    guard let end = pairs[line[start]] else { return nil }
    var depth = 0
    for position in start..<line.count {
      if line[position] == line[start] { depth += 1 }
      // In "->" and "=>" it closes nothing.
      let isArrow = line[position] == UInt8(ascii: ">") && "-=".utf8.contains(line[position - 1])
      if line[position] == end, !isArrow { depth -= 1 }
      if depth == 0 { return position + 1 }
    }
    return nil
  }

  private static func lastByte(_ line: UnsafeRawBufferPointer) -> UInt8? {
    line.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
  }

  static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a word stands before names that are defined.
  static func isKeyword(_ word: String) -> Bool { keywords.contains(word) || neverNames.contains(word) }

  /// The name that a word or phrase of a query seeks: a word of two bytes or more, alone or after words such as "struct";
  /// `nil` for any other text.
  static func soughtName(in text: String) -> String? {
    let words = text.split(separator: " ")
    guard let name = words.last, name.utf8.count >= 2, name.utf8.allSatisfy(isWord),
      words.count == 1 ? name.utf8.count == text.utf8.count : text.last != " ",
      words.dropLast().allSatisfy({ isKeyword(String($0)) || modifiers.contains(String($0)) })
    else { return nil }
    return String(name)
  }

  /// The hashes of all names that a text defines.
  static func hashes(in text: UnsafeRawBufferPointer) -> Set<Int> {
    var found: Set<Int> = []
    var start = 0
    while start < text.count {
      let end = text.lineEnd(from: start)
      let line = text.part(start..<end)
      if let name = name(in: line) { found.insert(hash(line.part(name))) }
      start = end + 1
    }
    return found
  }

  /// The hash of a name for the index, 31 bits; ASCII case is ignored. Names with the same hash are told apart on the
  /// bytes.
  static func hash(_ name: some Sequence<UInt8>) -> Int {
    // FNV-1a.
    var hash: UInt32 = 2_166_136_261
    for byte in name { hash = (hash ^ UInt32(folded(byte))) &* 16_777_619 }
    return Int(hash >> 1)
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether a line defines a name: 2 in the same case, 1 in another where that counts, otherwise 0.
  static func definition(of name: [UInt8], in line: UnsafeRawBufferPointer, ignoresCase: Bool) -> Int {
    guard let range = Definitions.name(in: line), range.count == name.count else { return 0 }
    let pairs = zip(line.part(range), name)
    if pairs.allSatisfy({ $0 == $1 }) { return 2 }
    return ignoresCase && pairs.allSatisfy { folded($0) == folded($1) } ? 1 : 0
  }
}
