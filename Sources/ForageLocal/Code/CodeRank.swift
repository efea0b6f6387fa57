import ForageCore

/// The place of a file among others. All numbers are compared in this order, the larger one first:
///
/// 1. the words that the base name of the file contains,
/// 2. whether a line defines one of the words, in the same case rather than in another,
/// 3. the words that occur as whole words,
/// 4. the words that occur near each other,
/// 5. whether the file is neither a test nor generated, vendored or documentation,
/// 6. whether it is in the clone that contains the current folder,
/// 7. the time of the commit;
///
/// then the path and the clone, in the order of their bytes.
struct CodeRank: Sendable, Equatable {
  var inName: Int
  var definition: Int
  var wholeWords: Int
  var nearby: Int
  var isPlain: Int
  var isCurrent: Int
  var committedAt: Int
  var path: String
  var clone: String

  /// The rank of a file before its text was read: the numbers that depend on the text are the largest that they
  /// can be.
  ///
  /// - Parameter words: The words in lower case.
  init(
    _ file: CodeFile, _ clone: CodeClone, words: [String], definition: Int, wholeWords: Int, nearby: Int,
    committedAt: Int
  ) {
    let name = words.isEmpty ? "" : file.name.lowercased()
    inName = words.count { name.contains($0) }
    self.definition = definition
    self.wholeWords = wholeWords
    self.nearby = nearby
    isPlain = file.flags == 0 ? 1 : 0
    isCurrent = clone.isCurrent ? 1 : 0
    self.committedAt = committedAt
    path = file.path
    self.clone = clone.path
  }

  private init() {
    (inName, definition, wholeWords, nearby) = (-1, -1, -1, -1)
    (isPlain, isCurrent, committedAt, path, clone) = (-1, -1, .min, "", "")
  }

  /// A rank after all others.
  static let worst = CodeRank()

  /// Whether a file comes before another one.
  func precedes(_ other: CodeRank) -> Bool {
    if inName != other.inName { return inName > other.inName }
    if definition != other.definition { return definition > other.definition }
    if wholeWords != other.wholeWords { return wholeWords > other.wholeWords }
    if nearby != other.nearby { return nearby > other.nearby }
    if isPlain != other.isPlain { return isPlain > other.isPlain }
    if isCurrent != other.isCurrent { return isCurrent > other.isCurrent }
    if committedAt != other.committedAt { return committedAt > other.committedAt }
    if path != other.path { return path.bytesPrecede(other.path) }
    return clone.bytesPrecede(other.clone)
  }
}
