/// Terms that are added to a license: words of a text that are not those of its licenses.
struct LicenseRestrictions {
  /// A license that a text has, or is like, with the number of its text in the list.
  typealias Found = (entry: Int, match: LicenseMatch)

  /// The words of a license in a row that make a part of a text a quotation of it.
  private static let quoteLength = 6
  /// The most words of a phrase.
  private static let longestPhrase = 4

  private let words: [Int32]
  /// Whether each word of the text is neither one of a license nor quoted from it.
  private var isAdded: [Bool]

  /// - Parameters:
  ///   - found: the licenses of the text.
  ///   - quoted: the numbers of other texts of the list that may be quoted.
  init(_ text: LicenseText, _ found: [Found], quoted: [Int] = []) {
    words = text.words
    isAdded = [Bool](repeating: true, count: text.words.count)
    for license in found { for place in license.match.range { isAdded[place] = false } }
    for license in found { for place in license.match.others.joined() { isAdded[place] = true } }
    removeQuotations(of: Set(found.map(\.entry) + quoted))
  }

  /// Parts of a license may be in a text again, and paragraphs at its end that may be absent may be there in another
  /// form.
  private mutating func removeQuotations(of entries: Set<Int>) {
    let length = Self.quoteLength
    guard words.count >= length, isAdded.contains(true) else { return }
    var quotes: Set<ArraySlice<Int32>> = []
    for entry in entries {
      let words = LicenseTemplate(LicenseList.symbols(of: entry)).words
      for start in words.indices.dropLast(length - 1) { quotes.insert(words[start..<(start + length)]) }
    }
    let starts = words.indices.dropLast(length - 1).filter { start in
      isAdded[start..<(start + length)].allSatisfy(\.self) && quotes.contains(words[start..<(start + length)])
    }
    for start in starts { for place in start..<(start + length) { isAdded[place] = false } }
  }

  /// Whether words that were added restrict what a license permits.
  ///
  /// - Parameters:
  ///   - places: the words of the text that are examined.
  ///   - isCollection: whether the words may be those of other works, of which only the clearest count.
  func restrict(in places: some Sequence<Int>, isCollection: Bool = false) -> Bool {
    let phrases = isCollection ? Self.clearPhrases : Self.phrases
    return places.contains { place in
      // Some words of a phrase may count as those of the license that stand behind it.
      isAdded[place]
        && (max(0, place - Self.longestPhrase + 1)...place).contains { start in
          phrases[words[start], default: []].contains { phrase in
            let range = start..<(start + phrase.count)
            return range.contains(place) && isHere(phrase, at: start) && !isHarmless(range)
              && (!isCollection || isAdded[range].allSatisfy(\.self))
          }
        }
    }
  }

  private func isHere(_ phrase: [Int32], at place: Int) -> Bool {
    place >= 0 && place + phrase.count <= words.count && words[place...].starts(with: phrase)
  }

  private func isHarmless(_ range: Range<Int>) -> Bool {
    Self.harmless.contains { phrase in
      phrase.count >= range.count
        && (range.upperBound - phrase.count...range.lowerBound).contains { isHere(phrase, at: $0) }
    }
  }

  /// Words by which a work is not free, whatever else is said of it.
  private static let clear = [
    "noncommercial", "non commercial", "commercial use", "commercial license", "commercial licence",
    "commercial purposes", "commercially", "proprietary and", "proprietary software",
    "software is proprietary", "confidential",
    "subscription", "personal use", "educational use", "educational purposes", "academic use", "evaluation",
    "internal use", "in production", "prohibited", "forbidden", "must not", "may not", "right to sell",
    "evil",
    "competing", "military",
  ]

  /// Words that files with one license have only where they restrict it.
  private static let others = [
    "commercial", "prohibits", "forbids", "disallowed", "banned", "proprietary", "subscribers", "purchase",
    "resell",
    "paid", "payment", "fee", "personal", "educational", "academic", "production", "nuclear", "terminates",
    "expires",
    "employees", "employers", "denied", "violate", "competitors", "requires", "must", "approval", "shall not",
    "cannot", "can not", "not sell", "not permitted", "not allowed", "not grant", "not granted",
    "not include the right", "only to", "only for", "only with", "only if", "only by", "only under",
    "use only",
    "purposes only", "internal purposes", "trial use", "additional terms", "additional conditions",
    "additional restriction", "additional restrictions", "no license is granted", "unless you",
    "hosted service",
    "managed service", "hosted or managed", "functional source license", "business source license",
  ]

  private static let clearPhrases = phrases(clear)
  private static let phrases = phrases(clear + others)

  /// Returns sequences of words by their first word.
  private static func phrases(_ texts: [String]) -> [Int32: [[Int32]]] {
    Dictionary(grouping: texts.map(symbols).filter { !$0.contains(LicenseText.unknown) }, by: \.[0])
  }

  private static func symbols(_ text: String) -> [Int32] {
    text.split(separator: " ").map { LicenseText.symbol(String($0)) }
  }

  /// Parts of sentences of free licenses that have such words.
  private static let harmless = [
    "may not be used to endorse", "must not be used to endorse", "shall not be used in advertising",
    "shall not be used to endorse", "may not pretend", "or may not", "must retain", "must reproduce",
    "must display the following",
    "must be included", "must include", "must acknowledge", "without fee", "restriction or fee",
    "charge a fee",
    "fee is required", "commercial or non commercial", "commercial and non commercial",
    "applies only to", "can not be held", "cannot be held", "additional terms for licensed",
  ].map(symbols)
}
