import ForageCore

/// The words of a query that may be the name of what is looked for.
struct SoughtNames: Sendable {
  struct Word: Sendable {
    /// In lower case.
    var text: String
    /// The number of its pattern in the query.
    var pattern: Int
    /// Whether it stands before a name, as in `struct name`: a file has it where it defines a name.
    var isKeyword = false
  }

  /// Shorter words are names only if they are alone: there are too many files with them in their names.
  private static let leastLength = 3
  /// The most words, one a bit.
  private static let limit = 64

  private(set) var words: [Word] = []
  /// How many of the words a file must define or have in its name, so that this is what is looked for: one, but two of
  /// several words that a file must have.
  private(set) var needed = 0
  /// Whether more than one of the words is no keyword.
  private(set) var areSeveral = false

  init() {}

  init(_ query: CodeQuery) {
    let positive = query.patterns.indices.filter { query.patterns[$0].isPositive }
    words = positive.filter { query.patterns[$0].source.kind == .literal }.map {
      let pattern = query.patterns[$0]
      return Word(text: (pattern.name ?? pattern.source.text).lowercased(), pattern: $0)
    }
    if positive.count > 1 { words.removeAll { $0.text.count < Self.leastLength } }
    words = Array(words.prefix(Self.limit))
    if let name = words.lastIndex(where: { !Definitions.isKeyword($0.text) }) {
      for place in 0..<name { words[place].isKeyword = Definitions.isKeyword(words[place].text) }
    }
    areSeveral = words.count { !$0.isKeyword } > 1
    let required = Set(query.required.filter { query.patterns[$0].name != nil })
    needed = min(2, max(1, words.count { required.contains($0.pattern) }))
  }
}

/// The place of a file among others. All numbers are compared in this order, the larger one first:
///
/// 1. the words of which the base name without extensions consists, if the file is neither a test nor generated,
///    vendored or documentation,
/// 2. the words that a line defines as functions, types or macros, in the same case rather than in another, and, with
///    capitals in the same case, as variables or constants, under the condition of the first,
/// 3. the words that the base name contains as words, under the condition of the first,
/// 4. the words that a line defines as other variables or constants, or without the condition of the first,
/// 5. the words that occur as whole words,
/// 6. the words that occur near each other, on one line rather than on several,
/// 7. whether the file is neither a test nor generated, vendored or documentation,
/// 8. the words that the base name contains where the first and third do not count,
/// 9. whether it is in the clone that contains the current folder,
/// 10. the time of the commit;
///
/// then the path, in the order of its bytes, and the clone, in the order of the search. The first four count only if
/// they have as many of the words together as a name needs (`SoughtNames`). Of several words, one that is defined counts
/// only if the line holds another one or the base name has one: a large file defines many frequent words.
struct CodeRank: Sendable, Equatable {
  private var isName = 0
  private var definition = 0
  private var inName = 0
  private var variables = 0
  private var wholeWords: Int
  private var nearby: Int
  private let isPlain: Int
  private var inPart = 0
  private let isCurrent: Int
  private let committedAt: Int
  private let path: String
  private let clone: Int
  /// The words that the base name contains and that count for the first and third number, one a bit; and the numbers
  /// before it is known whether the words are a name.
  private var named: UInt64 = 0
  private var weights = Weights()

  private struct Weights: Equatable {
    var (isName, inName, inPart) = (0, 0, 0)
  }

  /// The rank of a file before its text was read.
  init(_ file: CodeFile, _ clone: CodeClone, _ names: SoughtNames, committedAt: Int) {
    (wholeWords, nearby) = (0, 0)
    isPlain = file.flags == 0 ? 1 : 0
    isCurrent = clone.isCurrent ? 1 : 0
    self.committedAt = committedAt
    path = file.path
    self.clone = file.clone
    guard !names.words.isEmpty else { return }
    let name = file.name.lowercased()
    let bytes = Array(name.utf8)
    var found: [(text: String, bit: UInt64)] = []
    for (place, word) in names.words.enumerated() where Self.contains(bytes, word.text.utf8) {
      // A keyword is in many names by chance: "def" in "default".
      if word.isKeyword, !name.split(whereSeparator: { "._-+ ".contains($0) }).contains(word.text[...]) {
        continue
      }
      found.append((word.text, 1 << UInt64(place)))
    }
    guard !found.isEmpty else { return }
    let words = found.map(\.text)
    let consists = Self.consists(name[...], of: words) || Self.consists(Self.stem(of: name), of: words)
    for word in found {
      if isPlain == 1, consists || Self.contains(file.name, word: word.text, lowercased: name) {
        named |= word.bit
        weights.inName += 1
      } else {
        weights.inPart += 1
      }
    }
    if consists, isPlain == 1 { weights.isName = found.count } else if consists { weights.inPart += 1 }
  }

  /// Whether the bytes of a name contain those of a word. With `String` a search for a frequent word in 76 clones takes 180
  /// instead of 148 ms.
  private static func contains(_ name: [UInt8], _ word: String.UTF8View) -> Bool {
    guard let first = word.first, word.count <= name.count else { return false }
    return (0...name.count - word.count).contains { start in
      name[start] == first && name[start..<start + word.count].elementsEqual(word)
    }
  }

  /// Whether a name has only some words, and what separates them.
  private static func consists(_ name: Substring, of words: [String]) -> Bool {
    var rest = name
    for word in words {
      guard let range = rest.firstRange(of: word) else { return false }
      rest.removeSubrange(range)
    }
    return !rest.contains { $0.isLetter || $0.isNumber }
  }

  /// Whether a name contains a word between what separates words: other characters, digits, or a change of case as in
  /// "apiCreateApp". "the" is no word of "theme", nor "mit" one of "smithy".
  private static func contains(_ name: Substring, word: String, lowercased: String) -> Bool {
    let (bytes, folded, sought) = (Array(name.utf8), Array(lowercased.utf8), Array(word.utf8))
    guard bytes.count == folded.count, !sought.isEmpty else { return true }
    func kind(_ place: Int) -> Character {
      switch bytes[place] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: "a"
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): "A"
      case UInt8(ascii: "0")...UInt8(ascii: "9"): "0"
      default: "."
      }
    }
    /// Whether a word may begin at a place.
    func isBoundary(_ place: Int) -> Bool {
      guard place > 0, place < bytes.count else { return true }
      switch (kind(place - 1), kind(place)) {
      case ("a", "a"): return false
      // "HTTPClient", but not "LIMITS".
      case ("A", "A"): return place + 1 < bytes.count && kind(place + 1) == "a"
      case ("A", "a"): return false
      case ("0", "0"): return false
      default: return true
      }
    }
    guard sought.count <= folded.count else { return false }
    return (0...folded.count - sought.count).contains { start in
      folded[start..<start + sought.count].elementsEqual(sought)
        && isBoundary(start) && isBoundary(start + sought.count)
    }
  }

  /// The most characters after the stem of a name: those of extensions such as ".test.js".
  private static let extensionLimit = 20

  /// A base name without its extensions. What is long or has other characters than letters and digits, as in
  /// "diff.all_files", is a part of the name.
  private static func stem(of name: String) -> Substring {
    let stem = name.prefix { $0 != "." }
    let rest = name[stem.endIndex...]
    let isExtension =
      rest.utf8.count <= extensionLimit && rest.allSatisfy { $0 == "." || $0.isLetter || $0.isNumber }
    return isExtension ? stem : name[...]
  }

  private init() {
    (isName, definition, inName, variables, wholeWords, nearby) = (-1, -1, -1, -1, -1, -1)
    (isPlain, isCurrent, committedAt, path, clone) = (-1, -1, .min, "", .max)
  }

  /// A rank after all others.
  static let worst = CodeRank()

  /// Sets the numbers that depend on the text; larger ones make a better rank.
  ///
  /// - Parameters:
  ///   - alone: The patterns whose words are defined on lines that hold no other word.
  ///   - defined: How a line defines the word of a pattern.
  mutating func settle(
    _ names: SoughtNames, wholeWords: Int, nearby: Int, alone: Set<Int> = [],
    defined: (_ pattern: Int) -> Definition
  ) {
    (self.wholeWords, self.nearby) = (wholeWords, nearby)
    var (words, keywords) = (named, UInt64(0))
    var definesName = false
    (isName, definition, inName, variables, inPart) = (0, 0, 0, 0, weights.inName + weights.inPart)
    var (best, other) = (0, 0)
    for (place, word) in names.words.enumerated() {
      if word.isKeyword { keywords |= 1 << UInt64(place) }
      if names.areSeveral, named == 0, alone.contains(word.pattern) { continue }
      let value = defined(word.pattern)
      if value == .none { continue }
      // Tests have functions of their own with the names of those that they test.
      if value == .variable || isPlain == 0 { other += 1 } else { best += value == .exact ? 2 : 1 }
      words |= 1 << UInt64(place)
      if !word.isKeyword { definesName = true }
    }
    if definesName { words |= keywords }
    guard words.nonzeroBitCount >= names.needed else { return }
    (definition, variables) = (best, other)
    (isName, inName, inPart) = (weights.isName, weights.inName, weights.inPart)
  }

  func precedes(_ other: CodeRank) -> Bool {
    if isName != other.isName { return isName > other.isName }
    if definition != other.definition { return definition > other.definition }
    if inName != other.inName { return inName > other.inName }
    if variables != other.variables { return variables > other.variables }
    if wholeWords != other.wholeWords { return wholeWords > other.wholeWords }
    if nearby != other.nearby { return nearby > other.nearby }
    if isPlain != other.isPlain { return isPlain > other.isPlain }
    if inPart != other.inPart { return inPart > other.inPart }
    if isCurrent != other.isCurrent { return isCurrent > other.isCurrent }
    if committedAt != other.committedAt { return committedAt > other.committedAt }
    if path != other.path { return path.bytesPrecede(other.path) }
    return clone < other.clone
  }
}
