import ForageCore
import TestSupport
import Testing

@Suite struct ByteOrderTests {
  private static let pieces = ["", "a", "b", "ä", "a\u{308}", "é", "😀", "\0", "host/owner/", "\u{FFFD}", "Z"]

  @Test func isThatOfTheBytes() {
    var random = SeededGenerator(seed: propertySeed())
    func text() -> String {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
    }
    for _ in 0..<5000 {
      let (a, b) = (text(), text())
      let expected = Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
      #expect(a.bytesPrecede(b) == expected, "\(a.debugDescription) \(b.debugDescription)")
    }
    // Equal as text, and yet one comes first.
    #expect("a\u{308}".bytesPrecede("ä"))
    #expect(!"".bytesPrecede(""))
  }
}
