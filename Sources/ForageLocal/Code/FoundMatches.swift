/// A matching line of a file.
struct CodeMatch: Sendable {
  /// The number of the line, from 1.
  var line: Int
  /// The byte in the line at which the first match begins, from 1.
  var column: Int
  var text: String
  /// The matches as Unicode scalars of the text.
  var ranges: [Range<Int>]
  var before: [String]
  var after: [String]
  /// What the line defines, as far as `symbol:` found it.
  var definitions: [CodeSymbol] = []
  /// The definition that a use is in.
  var user: CodeSymbol?
}

/// The name that a line defines, as far as it has words of the query.
struct DefinedWords: Sendable {
  /// The words that the name has, and the keywords on the line, one a bit.
  var words: UInt64 = 0
  /// How well the name fits, the larger the better: more words; then a function, type or macro, or a name
  /// with capitals in the same case, rather than another variable; then a name of nothing but words; then the
  /// same case.
  var value: Int

  /// The words that a name has as parts; `nil` if there are none.
  init?(_ name: Definitions.Name, in line: UnsafeRawBufferPointer, _ words: [SoughtWords.Word]) {
    let folded = WordFit.folded(line)
    var rest = WordFit.length(folded[name.range])
    var (count, isSameCase) = (0, true)
    for (place, word) in words.enumerated() {
      let bit: UInt64 = 1 << UInt64(place)
      if let best = WordFit.best(of: word.text, in: line, folded, name.range), best.fit >= .part {
        self.words |= bit
        count += 1
        rest -= WordFit.length(word.text)
        if !line[best.place].elementsEqual(word.original) { isSameCase = false }
      } else if word.isKeyword, WordFit.best(of: word.text, in: line, folded, line.indices)?.fit == .whole {
        self.words |= bit
      }
    }
    guard count > 0 else { return nil }
    let isWhole = rest <= 0
    let hasCapitals = !line[name.range].elementsEqual(folded[name.range])
    let isNotable = !name.isVariable || isWhole && isSameCase && hasCapitals
    value = count * 8 + (isNotable ? 4 : 0) + (isWhole ? 2 : 0) + (isSameCase ? 1 : 0)
  }

  /// Whether the name is more than a variable as there are many.
  var isNotable: Bool { value & 4 != 0 }
}

/// What was found in a file.
struct FoundMatches: Sendable {
  /// The matching lines that are shown: those with the most words in them, then the first that defines a
  /// word, then those with the most words near them, then the first; of one word that no line defines, the
  /// first in which it stands best.
  var matches: [CodeMatch] = []
  /// The number of all matching lines.
  var count = 0
  /// The encoding of the file, unless its own bytes were searched.
  var encoding: CodeText.Encoding?
  /// The best definition of words; `nil` if there is none.
  var definition: DefinedWords?
  /// The words that some line defines as functions, types or macros, one a bit.
  var definedWords: UInt64 = 0
  /// The words that occur as whole words, twice, and as parts of names, once.
  var wholeWords = 0
  /// Twice the largest number of words that occur near each other, and one more if a line has as many.
  var nearness = 0
  /// Whether a line has the whole message that is looked for.
  var hasMessage = false
  /// How often the words occur: for each the binary digits of the number of its lines.
  var frequency = 0
}
