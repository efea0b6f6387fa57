import TestSupport
import Testing

@testable import ForageCore

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("langauge", "language"), ("Language", "language"), ("LANGUGE", "language"), ("start", "stars"),
    ("licence", "license"), ("topicc", "topic"), ("creatde", "created"), ("ownr", "owner"),
  ])
  func slips(word: String, expected: String) {
    #expect(NearestName.of(word, among: QualifierVocabulary.common.names) == expected)
  }

  @Test(arguments: ["", "x", "foo", "zzzzzz", "https", "completely-different-thing"])
  func nothingNear(word: String) {
    #expect(NearestName.of(word, among: ["language", "stars", "license", "created"]) == nil)
  }

  /// A beginning is enough where it is that of one name only.
  @Test func beginnings() {
    let names = ["language", "license", "created", "creator"]
    #expect(NearestName.of("lang", among: names) == "language")
    #expect(NearestName.of("languages-of-it", among: names) == "language")
    #expect(NearestName.of("crea", among: names) == nil)
    #expect(NearestName.of("lang", among: names, byBeginning: false) == nil)
  }

  @Test func tiesGoToTheFirstInTheAlphabet() {
    #expect(NearestName.of("bat", among: ["rat", "cat", "hat"]) == "cat")
    #expect(NearestName.of("cart", among: ["cat", "carts", "cart"]) == "cart")
    #expect(NearestName.of("swif", among: ["swig", "swift"]) == "swift")
    #expect(NearestName.of("a", among: [String]()) == nil)
  }

  /// At most a third of the word may be wrong, and never more than three letters.
  @Test func limits() {
    #expect(NearestName.of("abc", among: ["abx"]) == "abx")
    #expect(NearestName.of("abc", among: ["axx"]) == nil)
    // Of two letters half would be wrong.
    #expect(NearestName.of("fn", among: ["in"]) == nil)
    #expect(NearestName.of("IN", among: ["in"]) == "in")
    #expect(NearestName.of("abcdef", among: ["abcdxx"]) == "abcdxx")
    #expect(NearestName.of("abcdefghijklmno", among: ["abcdefghijklxxx"]) == "abcdefghijklxxx")
    #expect(NearestName.of("abcdefghijklmno", among: ["abcdefghijkxxxx"]) == nil)
    #expect(NearestName.of(String(repeating: "x", count: 100_000), among: ["x"]) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ac", 1),
    ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("ab", "ba", 1),
  ])
  func distances(a: String, b: String, expected: Int) {
    #expect(NearestName.editDistance(Array(a.unicodeScalars), Array(b.unicodeScalars)) == expected)
  }

  @Test func distanceIsSymmetricAndBounded() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let (a, b) = (Self.letters(&random), Self.letters(&random))
      let distance = NearestName.editDistance(a, b)
      #expect(distance == NearestName.editDistance(b, a))
      #expect(distance >= abs(a.count - b.count) && distance <= max(a.count, b.count))
      #expect((distance == 0) == (a == b))
    }
  }

  private static func letters(_ random: inout SeededGenerator) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      result.append(random.pick(["a", "b", "c", "é", "\u{301}"]))
    }
    return result
  }
}
