/// A fuzzy match: the places of the characters of a pattern in a text, in their order, and a score.
///
/// The score follows fzf's first algorithm: points for each character, more at the beginning of a word and
/// beside the one before, fewer for gaps.
package struct FuzzyMatch: Hashable, Sendable {
  package let score: Int
  /// The places of the matched characters, ascending.
  package let places: [Int]

  private enum Points {
    static let match = 16
    /// The first character of the text, or one behind a slash.
    static let start = 9
    /// One behind another separator.
    static let word = 8
    /// A capital behind a small letter, or a digit behind a letter.
    static let hump = 7
    /// Beside the character before.
    static let beside = 4
    static let firstGap = -3
    static let gap = -1
  }

  /// - Parameters:
  ///   - pattern: The characters to find; small ones also stand for capitals.
  ///   - text: The text, whose small letters `lower` has.
  /// - Returns: `nil` where they do not all occur.
  package init?(_ pattern: [Unicode.Scalar], in text: [Unicode.Scalar], lower: [Unicode.Scalar]) {
    guard !pattern.isEmpty, text.count == lower.count else { return nil }
    func fits(_ wanted: Unicode.Scalar, _ place: Int) -> Bool {
      text[place] == wanted || lower[place] == wanted
    }
    // The first place where the last one is found, then back to the nearest place of the first one.
    var (found, place) = (0, 0)
    while place < text.count, found < pattern.count {
      if fits(pattern[found], place) { found += 1 }
      place += 1
    }
    guard found == pattern.count else { return nil }
    var places: [Int] = []
    while found > 0 {
      place -= 1
      if fits(pattern[found - 1], place) {
        found -= 1
        places.append(place)
      }
    }
    places.reverse()
    var score = 0
    var run = 0
    for (index, place) in places.enumerated() {
      let bonus = Self.bonus(text, place)
      if index > 0, place == places[index - 1] + 1 {
        run = max(run, bonus, Points.beside)
        score += Points.match + run
      } else {
        let gap = index == 0 ? 0 : place - places[index - 1] - 1
        if gap > 0 { score += Points.firstGap + (gap - 1) * Points.gap }
        run = bonus
        score += Points.match + bonus * (index == 0 ? 2 : 1)
      }
    }
    (self.score, self.places) = (score, places)
  }

  private static func bonus(_ text: [Unicode.Scalar], _ place: Int) -> Int {
    guard place > 0 else { return Points.start }
    let (before, now) = (text[place - 1].properties, text[place].properties)
    if text[place - 1] == "/" { return Points.start }
    if !before.isAlphabetic, before.numericType == nil { return Points.word }
    if before.isLowercase && now.isUppercase || before.isAlphabetic && now.numericType != nil {
      return Points.hump
    }
    return 0
  }
}
