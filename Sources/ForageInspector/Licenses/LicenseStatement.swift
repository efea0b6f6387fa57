/// A license file that is nothing but a short statement, such as `MIT` or "Licensed under the GNU General Public
/// License, version 2".
enum LicenseStatement {
  /// The size of the longest text that is examined, in bytes: a statement, and lines with copyright holders.
  private static let byteLimit = 1024
  /// The most words of a statement, without those lines.
  private static let wordLimit = 48
  /// The most words of a line that names a copyright holder.
  private static let copyrightLimit = 20

  /// Returns the identifier of the one license that a text names; nil if the text says anything else.
  static func identifier(in text: [UInt8]) -> String? {
    guard text.count <= byteLimit else { return nil }
    var words: [String] = []
    for line in String(decoding: text, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline) {
      let own = Self.words(of: line)
      if !isCopyright(line, own) { words += own }
    }
    guard words.count <= wordLimit else { return nil }
    return identifiers[name(words.joined(separator: " "))] ?? nil
  }

  /// Returns the runs of letters or digits of a text; a plus sign behind one is `or later`, and the `v` of
  /// `GPLv2` is left out.
  private static func words(of text: some StringProtocol) -> [String] {
    var words: [String] = []
    var last: Character = " "
    for character in text {
      if character == "+", last.isLetter || last.isNumber {
        words += ["or", "later"]
      } else if character.isLetter && last.isLetter || character.isNumber && last.isNumber {
        words[words.count - 1].append(character)
      } else if character.isLetter || character.isNumber {
        if last == "v", character.isNumber, words[words.count - 1] != "v" {
          words[words.count - 1].removeLast()
        }
        words.append(String(character))
      }
      last = character
    }
    return words
  }

  /// Whether a line only names a copyright holder.
  private static func isCopyright(_ line: Substring, _ words: [String]) -> Bool {
    if words == ["all", "rights", "reserved"] { return true }
    let isSigned = words.first == "copyright" || line.contains("©") || line.contains("(c)")
    return isSigned && words.count <= copyrightLimit
      && !words.contains {
        ["under", "license", "licence", "licensed", "terms", "permission"].contains($0)
          || LicenseTemplate.decisive.contains(LicenseText.symbol($0))
      }
  }

  /// Words that say no more than that a license applies.
  private static let frame: Set<String> = [
    "the", "a", "an", "this", "software", "source", "code", "project", "program", "library", "package",
    "work", "repository", "is", "are", "released", "licensed", "licenced", "license", "licence", "available",
    "made",
    "provided", "distributed", "published", "covered", "under", "terms", "of", "and", "conditions", "v",
    "version", "gnu", "either", "at", "your", "option", "any",
  ]

  /// Names of licenses with those in their identifiers, in the order in which they are replaced.
  private static let names = [
    ("lesser general public", "lgpl"), ("library general public", "lgpl"), ("affero general public", "agpl"),
    ("general public", "gpl"), ("free documentation", "gfdl"), ("mozilla public", "mpl"),
    ("eclipse public", "epl"), ("european union public", "eupl"), ("boost", "bsl"), ("expat", "mit"),
    ("creative commons zero", "cc 0"), ("creative commons", "cc"), ("attribution", "by"),
    ("share alike", "sa"), ("sharealike", "sa"), ("non commercial", "nc"), ("noncommercial", "nc"),
    ("no derivatives", "nd"), ("noderivatives", "nd"), ("international", ""), ("universal", ""),
    ("zero clause bsd", "0 bsd"), ("two clause", "2 clause"), ("three clause", "3 clause"),
    ("2 clause bsd", "bsd 2 clause"), ("3 clause bsd", "bsd 3 clause"), ("simplified bsd", "bsd 2 clause"),
    ("new bsd", "bsd 3 clause"), ("modified bsd", "bsd 3 clause"), ("revised bsd", "bsd 3 clause"),
    ("bsd 2 clause simplified", "bsd 2 clause"), ("bsd 3 clause new or revised", "bsd 3 clause"),
  ]

  /// Returns the name of a license as the words of its identifier, if a text is nothing else.
  private static func name(_ text: String) -> String {
    var text = " \(text) "
    for (long, short) in names { text.replace(" \(long) ", with: " \(short) ") }
    let words = shortened(text.split(separator: " ").map(String.init).filter { !frame.contains($0) })
    // "ISC License (ISC)", "GNU General Public License (GPL) 2".
    let half = words.prefix(words.count / 2)
    if half + half == words[...] { return half.joined(separator: " ") }
    return words.indices.filter { $0 == 0 || words[$0] != words[$0 - 1] || isNumber(words[$0]) }
      .map { words[$0] }.joined(separator: " ")
  }

  /// Returns words without the `0` that ends a version such as `2.0`.
  private static func shortened(_ words: [String]) -> [String] {
    words.indices.filter { place in
      words[place] != "0" || place == 0 || !isNumber(words[place - 1])
        || place + 1 < words.count && isNumber(words[place + 1])
    }.map { words[$0] }
  }

  private static func isNumber(_ word: String) -> Bool { word.first?.isNumber == true }

  /// The identifiers by their words; nil for words that stand for several.
  private static let identifiers: [String: String?] = {
    var result: [String: String?] = [:]
    let all = Set(LicenseList.entries.filter { $0.kind != .exception }.map(\.identifier))
    for identifier in all {
      let key = shortened(words(of: identifier.lowercased())).joined(separator: " ")
      result[key] = .some(result[key] == nil ? identifier : nil)
    }
    // A version of a GNU license by itself is that version only.
    for identifier in all where identifier.hasSuffix("-only") {
      let key = shortened(words(of: identifier.dropLast("-only".count).lowercased())).joined(separator: " ")
      if result[key] == nil { result[key] = .some(identifier) }
    }
    return result
  }()
}
