import ForageCore

/// The words of a query that the names in and of a file may have.
struct SoughtWords: Sendable {
  struct Word: Sendable {
    /// In lower case.
    var text: [UInt8]
    /// As it stands in the query.
    var original: [UInt8]
    /// Whether it may stand before a name that is defined, as in `struct name`.
    var isKeyword: Bool
  }

  /// The most words, one a bit.
  private static let limit = 64

  private(set) var words: [Word] = []

  init() {}

  init(_ query: CodeQuery) {
    // No file is called by what it uses.
    let named = query.patterns.filter { $0.isPositive && $0.source.kind == .literal && $0.role != .use }
    words = named.prefix(Self.limit).map {
      let text = $0.name ?? $0.source.text
      return Word(
        text: Array(text.lowercased().utf8), original: Array(text.utf8),
        isKeyword: Definitions.isKeyword(text))
    }
  }
}

/// The words of a query that the name of a file has.
struct NamedWords: Sendable {
  /// The words that the base name has as parts, and those that only folders have, one a bit.
  var inName: UInt64 = 0
  var inFolders: UInt64 = 0
  /// Whether the base name without extensions consists of words.
  var isName = false

  /// Folders further up say little about a file.
  private static let folders = 3

  init(of file: CodeFile, _ words: [SoughtWords.Word]) {
    guard !words.isEmpty else { return }
    var path = file.path
    path.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      let folded = WordFit.folded(bytes)
      let start = folded.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let folders = Self.lastFolders(folded, before: start)
      // The letters and digits of the stem that belong to no word.
      var rest = WordFit.length(folded[start..<Self.endOfStem(folded, from: start)])
      for (place, word) in words.enumerated() {
        let bit: UInt64 = 1 << UInt64(place)
        if let best = WordFit.best(of: word.text, in: bytes, folded, start..<folded.count), best.fit >= .part
        {
          inName |= bit
          rest -= WordFit.length(word.text)
        } else if let best = WordFit.best(of: word.text, in: bytes, folded, folders..<start),
          best.fit >= .part
        {
          inFolders |= bit
        }
      }
      isName = inName != 0 && rest <= 0
    }
  }

  /// Where the last folders of a path begin.
  private static func lastFolders(_ path: [UInt8], before end: Int) -> Int {
    var (place, folders) = (end - 1, 0)
    while place > 0 {
      if path[place - 1] == UInt8(ascii: "/") { folders += 1 }
      if folders == Self.folders { return place }
      place -= 1
    }
    return 0
  }

  /// The most characters after the stem of a name: those of extensions such as ".test.js".
  private static let extensionLimit = 20

  /// The end of a base name without its extensions. What is long or has other characters than letters and
  /// digits, as in "diff.all_files", is a part of the name.
  private static func endOfStem(_ path: [UInt8], from start: Int) -> Int {
    let dot = path[start...].dropFirst().firstIndex(of: UInt8(ascii: ".")) ?? path.count
    let isExtension =
      path.count - dot <= extensionLimit
      && path[dot...].allSatisfy { $0 == UInt8(ascii: ".") || $0 != UInt8(ascii: "_") && WordFit.isWord($0) }
    return isExtension ? dot : path.count
  }
}

/// The place of a file among others: all numbers are compared in the order in which they stand here, the
/// larger one first, then the path, in the order of its bytes, and the clone, in the order of the search.
struct CodeRank: Sendable {
  /// Whether the file is the project's own work: not vendored or generated, no translation and no data.
  private let isOwn: Int
  /// Whether a line has the whole message that is looked for.
  private var hasMessage = 0
  /// How well a line defines a function, type or macro; 0 unless it and the path together have all words of
  /// the query.
  private var definition = 0
  /// How well the name of the file has words of the query.
  private var name = 0
  /// Whether it is no test, example or benchmark.
  private let isPlain: Int
  /// The words that occur as whole words, twice, and as parts of names, once.
  private var wholeWords = 0
  /// The words that occur near each other, twice, and one more if they do so on one line.
  private var nearness = 0
  /// How well a line defines some of the words, or a variable.
  private var partDefinition = 0
  /// Code before prose and configuration.
  private let kind: Int
  /// Whether it is in the clone that contains the current folder.
  private let isCurrent: Int
  /// How often the words occur: for each the binary digits of the number of its lines.
  private var frequency = 0
  private let committedAt: Int
  private let path: String
  private let clone: Int

  /// The rank of a file.
  ///
  /// - Parameters:
  ///   - committedAt: The time of the commit; 0 before the text was read, so that all clones have their turn.
  ///   - matches: What was found in its text; `nil` before it was read.
  init(
    _ file: CodeFile, _ clone: CodeClone, _ words: SoughtWords, committedAt: Int, matches: FoundMatches? = nil
  ) {
    let kind = FileKind(of: file)
    isOwn = kind > .foreign ? 1 : 0
    isPlain = kind == .test ? 0 : 1
    self.kind = kind.rawValue
    isCurrent = clone.isCurrent ? 1 : 0
    self.committedAt = committedAt
    path = file.path
    self.clone = file.clone
    let named = NamedWords(of: file, words.words)
    let count = named.inName.nonzeroBitCount
    let defined = kind == .code ? matches?.definition : nil
    // A large file defines many frequent words: all of its definitions count only if its name has a word,
    // too.
    let definedWords = named.inName == 0 ? defined?.words : matches?.definedWords
    let known = named.inName | named.inFolders | (defined == nil ? 0 : definedWords ?? 0)
    if kind >= .prose {
      name = count * 4 + named.inFolders.nonzeroBitCount + (named.isName ? 2 : 0)
      // The names of documents have many words.
      if kind == .prose { name /= 2 }
      // Of files with one name that in the root is the project's own.
      name = name * 2 + (named.isName && !file.path.contains("/") ? 1 : 0)
    }
    guard let matches else { return }
    (wholeWords, nearness, frequency) = (matches.wholeWords, matches.nearness, matches.frequency)
    if matches.hasMessage { hasMessage = 1 }
    guard let defined else { return }
    if defined.isNotable, known.nonzeroBitCount == words.words.count {
      definition = defined.value
    } else {
      partDefinition = defined.value
    }
  }

  func precedes(_ other: CodeRank) -> Bool {
    if isOwn != other.isOwn { return isOwn > other.isOwn }
    if hasMessage != other.hasMessage { return hasMessage > other.hasMessage }
    if definition != other.definition { return definition > other.definition }
    if name != other.name { return name > other.name }
    if isPlain != other.isPlain { return isPlain > other.isPlain }
    if wholeWords != other.wholeWords { return wholeWords > other.wholeWords }
    if nearness != other.nearness { return nearness > other.nearness }
    if partDefinition != other.partDefinition { return partDefinition > other.partDefinition }
    if kind != other.kind { return kind > other.kind }
    if isCurrent != other.isCurrent { return isCurrent > other.isCurrent }
    if frequency != other.frequency { return frequency > other.frequency }
    if committedAt != other.committedAt { return committedAt > other.committedAt }
    if path.bytesPrecede(other.path) { return true }
    if other.path.bytesPrecede(path) { return false }
    return clone < other.clone
  }
}
