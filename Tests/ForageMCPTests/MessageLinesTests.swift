import TestSupport
import Testing

@testable import ForageMCP

struct MessageLinesTests {
  @Test func anyChunksGiveTheSameLines() {
    let seed = propertySeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let pieces = ["{}", "\n", "\r\n", " ", "é", "{\"a\":1}", "\n\n", "😀"]
      let bytes = Array(
        (0..<Int.random(in: 0...30, using: &generator)).map { _ in
          pieces.randomElement(using: &generator) ?? ""
        }.joined().utf8)
      var whole = MessageLines()
      let expected = whole.append(bytes)
      var chunked = MessageLines()
      var found: [MessageLines.Line] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &generator)
        found += chunked.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(found == expected)
    }
  }

  @Test func skipsALineThatIsTooLongAndReadsTheNext() {
    var lines = MessageLines()
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    var found: [MessageLines.Line] = []
    for _ in 0..<6 { found += lines.append(chunk) }
    found += lines.append(Array("\n{}\n".utf8))
    #expect(found == [.tooLong, .message(Array("{}".utf8))])
  }
}
