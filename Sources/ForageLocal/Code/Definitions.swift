/// How a line defines a word, the best last.
enum Definition: Int, Comparable {
  case none
  /// As a variable or constant, of which there are many of one name.
  case variable
  /// As a function, type or macro in another case, or as a variable in the same case if that has capitals.
  case similar
  /// As a function, type or macro in the same case.
  case exact

  static func < (a: Definition, b: Definition) -> Bool { a.rawValue < b.rawValue }
}

/// Finds the name that a line of a program defines, by patterns that hold for most languages.
///
/// A definition is a keyword such as `func`, `class`, `case`, `def` or `#define` before a name, a function, variable
/// or `typedef` of C, a member after `public` or `static`, a method with a body, or an assignment at the left margin.
/// A declaration without a body counts too, except for a prototype that ends with a semicolon. A line defines one
/// name at most: the last part of `A.B.name`, the first one of `case name, other`.
enum Definitions {
  /// The range of the name that a line defines; `nil` if it defines none.
  static func name(in line: UnsafeRawBufferPointer) -> Range<Int>? { DefinitionLine.name(in: line)?.range }

  static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a word stands before names that are defined.
  static func isKeyword(_ word: String) -> Bool {
    let meaning = DefinitionWord(word.utf8)
    return meaning.contains(.keyword) && !meaning.contains(.body) || meaning.contains([.modifier, .reserved])
  }

  /// The name that a word or phrase of a query seeks: a word of two bytes or more, alone or after words such as "struct";
  /// `nil` for any other text.
  static func soughtName(in text: String) -> String? {
    let words = text.split(separator: " ")
    guard let name = words.last, name.utf8.count >= 2, name.utf8.allSatisfy(isWord),
      words.count == 1 ? name.utf8.count == text.utf8.count : text.last != " ",
      words.dropLast().allSatisfy({ isKeyword(String($0)) || DefinitionWord($0.utf8).contains(.modifier) })
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

  /// How a line defines a name.
  static func definition(
    of name: [UInt8], in line: UnsafeRawBufferPointer, ignoresCase: Bool
  ) -> Definition {
    guard let found = DefinitionLine.name(in: line), found.range.count == name.count else { return .none }
    let pairs = zip(line.part(found.range), name)
    if pairs.allSatisfy({ $0 == $1 }) {
      if !found.isVariable { return .exact }
      return name.contains { folded($0) != $0 } ? .similar : .variable
    }
    guard ignoresCase, pairs.allSatisfy({ folded($0) == folded($1) }) else { return .none }
    return found.isVariable ? .variable : .similar
  }
}
