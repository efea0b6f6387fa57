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
    let required = Set(query.required.filter { query.patterns[$0].name != nil })
    needed = min(2, max(1, words.count { required.contains($0.pattern) }))
  }
}

/// The place of a file among others. All numbers are compared in this order, the larger one first:
///
/// 1. the words that the base name contains as words, one that it is, without extensions, counting more, if the file is
///    neither a test nor generated, vendored or documentation,
/// 2. the words that a line defines, in the same case rather than in another,
/// 3. the words that occur as whole words,
/// 4. the words that occur near each other, on one line rather than on several,
/// 5. whether the file is neither a test nor generated, vendored or documentation,
/// 6. the words that the base name contains where the first does not count,
/// 7. whether it is in the clone that contains the current folder,
/// 8. the time of the commit;
///
/// then the path and the clone, in the order of their bytes. The first two count only if they have as many of the
/// words together as a name needs (`SoughtNames`).
struct CodeRank: Sendable, Equatable {
  private var inName = 0
  private var definition = 0
  private var wholeWords: Int
  private var nearby: Int
  private let isPlain: Int
  private var inPart = 0
  private let isCurrent: Int
  private let committedAt: Int
  private let path: String
  private let clone: String
  /// The words that count for the first number, one a bit, what they count, and what the other words in the base name count.
  private var named: UInt64 = 0
  private var weight = 0
  private var partWeight = 0

  /// The rank of a file before its text was read.
  init(_ file: CodeFile, _ clone: CodeClone, _ names: SoughtNames, committedAt: Int) {
    (wholeWords, nearby) = (0, 0)
    isPlain = file.flags == 0 ? 1 : 0
    isCurrent = clone.isCurrent ? 1 : 0
    self.committedAt = committedAt
    path = file.path
    self.clone = clone.path
    guard !names.words.isEmpty else { return }
    let name = file.name.lowercased()
    lazy var stem = Self.stem(of: name)
    for (place, word) in names.words.enumerated() where name.contains(word.text) {
      // A keyword is in many names by chance: "def" in "default".
      if word.isKeyword, !name.split(whereSeparator: { "._-+ ".contains($0) }).contains(word.text[...]) {
        continue
      }
      let isWhole = name == word.text || stem == word.text
      if isPlain == 1, isWhole || Self.contains(file.name, word: word.text, lowercased: name) {
        named |= 1 << UInt64(place)
        weight += isWhole ? 3 : 2
      } else {
        partWeight += isWhole ? 3 : 2
      }
    }
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
    (inName, definition, wholeWords, nearby) = (-1, -1, -1, -1)
    (isPlain, isCurrent, committedAt, path, clone) = (-1, -1, .min, "", "")
  }

  /// A rank after all others.
  static let worst = CodeRank()

  /// Sets the numbers that depend on the text; larger ones make a better rank.
  ///
  /// - Parameter defined: How a line defines the word of a pattern: 2 in the same case, 1 in another, 0 not at all.
  mutating func settle(
    _ names: SoughtNames, wholeWords: Int, nearby: Int, defined: (_ pattern: Int) -> Int
  ) {
    (self.wholeWords, self.nearby) = (wholeWords, nearby)
    var (words, keywords, sum) = (named, UInt64(0), 0)
    var definesName = false
    for (place, word) in names.words.enumerated() {
      let value = defined(word.pattern)
      if value > 0 { words |= 1 << UInt64(place) }
      if word.isKeyword { keywords |= 1 << UInt64(place) } else if value > 0 { definesName = true }
      sum += value
    }
    if definesName { words |= keywords }
    let isName = words.nonzeroBitCount >= names.needed
    (inName, definition, inPart) = isName ? (weight, sum, partWeight) : (0, 0, weight + partWeight)
  }

  func precedes(_ other: CodeRank) -> Bool {
    if inName != other.inName { return inName > other.inName }
    if definition != other.definition { return definition > other.definition }
    if wholeWords != other.wholeWords { return wholeWords > other.wholeWords }
    if nearby != other.nearby { return nearby > other.nearby }
    if isPlain != other.isPlain { return isPlain > other.isPlain }
    if inPart != other.inPart { return inPart > other.inPart }
    if isCurrent != other.isCurrent { return isCurrent > other.isCurrent }
    if committedAt != other.committedAt { return committedAt > other.committedAt }
    if path != other.path { return path.bytesPrecede(other.path) }
    return clone.bytesPrecede(other.clone)
  }
}
