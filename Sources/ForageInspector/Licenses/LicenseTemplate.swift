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

  package init(_ symbols: [Int32]) {
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
      }
    }
  }
}

/// Three words in a row, as one number.
struct LicenseGram: Hashable {
  private let bits: UInt64

  /// Returns nil if a word is one that no text of the list has.
  init?(_ first: Int32, _ second: Int32, _ third: Int32) {
    guard min(first, second, third) > LicenseText.unknown else { return nil }
    // Symbols have 18 bits.
    bits = UInt64(first) << 40 | UInt64(second) << 20 | UInt64(third)
  }
}

/// The grams of a text of the license list, also those that it has where words that may be absent are absent.
struct LicenseGrams {
  private typealias Occurrence = (gram: LicenseGram, places: (Int, Int, Int), isRequired: Bool)

  private let template: LicenseTemplate
  /// The last word that must not be absent, up to each word, and the first one from each word on.
  private var requiredBefore: [Int] = []
  private var requiredAfter: [Int]
  private var occurrences: [Occurrence] = []
  private(set) var all: Set<LicenseGram> = []
  /// The grams directly before and behind a place where any words may be.
  private(set) var beforeGap: Set<LicenseGram> = []
  private(set) var afterGap: Set<LicenseGram> = []
  /// The number of words that must not be absent.
  let required: Int
  /// The first gram that the text has in any case.
  var title: LicenseGram? { occurrences.first(where: \.isRequired)?.gram }

  init(_ template: LicenseTemplate) {
    self.template = template
    required = template.isOptional.count { !$0 }
    var last = -1
    for (place, isOptional) in template.isOptional.enumerated() {
      if !isOptional { last = place }
      requiredBefore.append(last)
    }
    requiredAfter = requiredBefore
    var next = template.words.count
    for place in template.words.indices.reversed() {
      if !template.isOptional[place] { next = place }
      requiredAfter[place] = next
    }
    all.reserveCapacity(template.words.count * 2)
    for first in template.words.indices {
      for second in followers(of: first) { for third in followers(of: second) { add(first, second, third) } }
    }
  }

  private mutating func add(_ first: Int, _ second: Int, _ third: Int) {
    let words = template.words
    guard let gram = LicenseGram(words[first], words[second], words[third]) else { return }
    let isRequired = third == first + 2 && !(first...third).contains { template.isOptional[$0] }
    occurrences.append((gram, (first, second, third), isRequired && !hasGap(first, third)))
    all.insert(gram)
    let end = third + 1 < words.count ? requiredAfter[third + 1] : words.count
    if hasGap(requiredBefore[third], end) { beforeGap.insert(gram) }
    if hasGap(first > 0 ? requiredBefore[first - 1] : -1, requiredAfter[first]) { afterGap.insert(gram) }
  }

  /// The next word, and the one that follows where the words between them are absent.
  private func followers(of place: Int) -> [Int] {
    let next = place + 1
    guard next < template.words.count else { return [] }
    let required = requiredAfter[next]
    return required == next || required == template.words.count ? [next] : [next, required]
  }

  /// Whether any words may be between two words.
  private func hasGap(_ place: Int, _ next: Int) -> Bool {
    place < next && template.gaps[(place + 1)...next].contains(true)
  }

  /// Returns the words that must not be absent and that are in none of these grams.
  func missing(from grams: Set<LicenseGram>) -> [Int32] {
    var isNeeded = [Bool](repeating: false, count: template.words.count)
    var isFound = isNeeded
    for (gram, places, isRequired) in occurrences {
      let isThere = grams.contains(gram)
      guard isThere || isRequired else { continue }
      for place in [places.0, places.1, places.2] {
        if isThere { isFound[place] = true } else { isNeeded[place] = true }
      }
    }
    return template.words.indices.filter { isNeeded[$0] && !isFound[$0] }.map { template.words[$0] }
  }
}
