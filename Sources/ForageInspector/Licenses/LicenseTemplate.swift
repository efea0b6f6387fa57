/// A text of the license list: its words, those that may be absent, and places where any words may be.
package struct LicenseTemplate {
  /// The marks among the symbols of a text.
  private enum Mark {
    static let open: Int32 = 0
    static let close: Int32 = 1
    static let gap: Int32 = 2
  }

  package private(set) var words: [Int32] = []
  package private(set) var isOptional: [Bool] = []
  /// Whether any words may be before each word, and after the last one.
  package private(set) var gaps: [Bool] = [false]
  /// The number of words that must not be absent.
  package private(set) var required = 0
  /// The first to the last word that must not be absent.
  private var body = 0..<0

  /// Whether a number is never a small difference: notices of versions of one license differ in nothing else.
  private let hasVersion: Bool

  package init(_ symbols: [Int32], hasVersion: Bool = false) {
    self.hasVersion = hasVersion
    var isOpen = false
    for symbol in symbols {
      switch symbol {
      case Mark.open: isOpen = true
      case Mark.close: isOpen = false
      case Mark.gap: gaps[gaps.count - 1] = true
      default:
        words.append(symbol)
        isOptional.append(isOpen)
        gaps.append(false)
        if !isOpen {
          required += 1
          body = (body.isEmpty ? words.count - 1 : body.lowerBound)..<words.count
        }
      }
    }
  }
}

/// What the comparison of a text with a template found.
struct LicenseMatch {
  /// The words of the text.
  var range: Range<Int>
  /// The words that are equal.
  var equal = 0
  /// The words that were added or are missing, other than the template permits.
  var differences = 0
  /// Whether one of these changes what is permitted, such as `not`.
  var changesMeaning = false
  /// The words of the text in ``range`` that are not those of the template, also where it has a gap.
  var others: [Range<Int>] = []
}

extension LicenseTemplate {
  /// The most words that are skipped at once: those of a template, of which paragraphs may be optional, those of
  /// them that are not, and those of a text, where names of copyright holders and contacts may be long.
  private static let reach = (template: 400, required: 48, text: 96)
  /// The words of a text that are skipped between paragraphs that may be absent.
  private static let tail = 16
  /// The words that must be equal after skipped ones.
  private static let run = 3
  private static let paragraphRun = 8

  /// Words that permit or restrict; a difference in one of them is never a small one.
  static let decisive = Set(
    [
      "not", "no", "non", "noncommercial", "commercial", "except", "only", "unless", "prohibited",
      "forbidden", "evil", "military", "personal", "educational", "academic", "evaluation", "competing",
    ].map(LicenseText.symbol)
  ).subtracting([LicenseText.unknown])

  /// Rights of which the absence from a short license is never a small difference.
  private static let rights = [LicenseText.symbol("sublicense"), LicenseText.symbol("sell")]
  private static let shortLength = 300

  /// Numbers, by which versions of one license differ.
  private static let numbers = Set((0...99).map { LicenseText.symbol("\($0)") })
    .subtracting([LicenseText.unknown])

  /// Compares this template with the words of a text around a place where both are equal.
  ///
  /// - Parameters:
  ///   - place: a position in the text.
  ///   - position: the word of this template at that place.
  ///   - limit: the differences at which the comparison ends.
  /// - Returns: nil if there are more differences.
  func match(_ text: LicenseText, at place: Int, position: Int, limit: Int) -> LicenseMatch? {
    var result = LicenseMatch(range: place..<place)
    guard
      let end = extend(&result, text, from: position, place, by: 1, limit),
      let start = extend(&result, text, from: position - 1, place - 1, by: -1, limit)
    else { return nil }
    result.range = (start + 1)..<end
    return result
  }

  /// Follows both texts in one direction; returns the place in the text after the last equal word.
  private func extend(
    _ match: inout LicenseMatch, _ text: LicenseText, from position: Int, _ place: Int, by step: Int,
    _ limit: Int
  ) -> Int? {
    var position = position
    var place = place
    while words.indices.contains(position) {
      if text.words.indices.contains(place), words[position] == text.words[place] {
        match.equal += 1
        position += step
        place += step
        continue
      }
      guard let skip = skip(text, position, place, step, limit - match.differences) else { break }
      // Paragraphs at the end that may be absent are followed only where they are there.
      if !body.contains(position) {
        if skip.cost > 0 || skip.others > Self.tail { break }
        // A few words of another sentence are no paragraph of the template.
        let next = (position: position + skip.words * step, place: place + skip.others * step)
        if skip.words > Self.tail, !isEqual(text, next.position, next.place, step, run: Self.paragraphRun) {
          break
        }
      }
      match.differences += skip.cost
      if skip.cost > 0 {
        match.changesMeaning = match.changesMeaning || isDecisive(skip, text, position, place, step)
      }
      if match.differences > limit { return nil }
      position += skip.words * step
      if skip.others > 0 {
        match.others.append(
          step > 0 ? place..<(place + skip.others) : (place - skip.others + 1)..<(place + 1))
      }
      place += skip.others * step
    }
    while words.indices.contains(position) {
      if !isOptional[position] {
        match.differences += 1
        if isDecisive(words[position]) {
          match.changesMeaning = true
        }
      }
      position += step
    }
    return match.differences > limit ? nil : place
  }

  private typealias Skip = (cost: Int, words: Int, others: Int)

  /// Returns the cheapest way to a place where both texts are equal again, with at most `limit` differences.
  private func skip(
    _ text: LicenseText, _ position: Int, _ place: Int, _ step: Int, _ limit: Int
  ) -> Skip? {
    let left = step > 0 ? words.count - position : position + 1
    let there = step > 0 ? text.words.count - place : place + 1
    var best: Skip?
    var missing = 0
    var hasGap = false
    // Behind the last word the template ends.
    for skipped in 0..<min(Self.reach.template, left) {
      let at = position + skipped * step
      if gaps[step > 0 ? at : at + 1] { hasGap = true }
      if missing > min(best?.cost ?? limit, Self.reach.required) { break }
      var added = 0
      for other in 0..<max(0, min(Self.reach.text, there)) {
        let cost = missing + (hasGap ? 0 : added)
        if cost > best?.cost ?? limit { break }
        let next = place + other * step
        if text.words[next] == words[at], isEqual(text, at, next, step) {
          // Of ways that cost the same, the shortest.
          if let best, best.cost == cost, best.words + best.others <= skipped + other { break }
          best = (cost, skipped, other)
          break
        }
        if !text.isFree[next] { added += 1 }
      }
      if !isOptional[at] { missing += 1 }
    }
    return best
  }

  /// Whether some words are equal from a place on, apart from those that may be absent.
  private func isEqual(
    _ text: LicenseText, _ position: Int, _ place: Int, _ step: Int, run: Int = Self.run
  ) -> Bool {
    var position = position
    var place = place
    var rest = run
    while rest > 0, words.indices.contains(position) {
      guard text.words.indices.contains(place) else { return false }
      if words[position] == text.words[place] {
        place += step
        rest -= 1
      } else if !isOptional[position] || rest == run {
        return false
      }
      position += step
    }
    return true
  }

  /// Whether the absence of a word makes another license.
  private func isDecisive(_ word: Int32) -> Bool {
    Self.decisive.contains(word) || required < Self.shortLength && Self.rights.contains(word)
  }

  private func isDecisive(
    _ skip: Skip, _ text: LicenseText, _ position: Int, _ place: Int, _ step: Int
  ) -> Bool {
    (0..<skip.words).contains {
      let at = position + $0 * step
      return !isOptional[at]
        && (isDecisive(words[at])
          || hasVersion && Self.numbers.contains(words[at]))
    } || (0..<skip.others).contains { Self.decisive.contains(text.words[place + $0 * step]) }
  }
}
