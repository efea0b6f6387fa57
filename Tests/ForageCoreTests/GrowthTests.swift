import TestSupport
import Testing

@testable import ForageCore

/// Texts that were made to take long.
@Suite struct GrowthTests {
  @Test(arguments: ["/a ", "(/ ", "symbol:/é ", "\\/ ", "- ", "a:\"b\",", "\"a\" OR "])
  func queries(_ piece: String) {
    let factor = Growth.factor(5_000) {
      String(repeating: piece, count: $0) + "c"
    } work: { text in
      _ = try? QueryParser().parse(text)
    }
    #expect(factor < Growth.limit)
  }

  /// Marks on one letter, which comparing and hashing sorts.
  @Test(arguments: ["\u{301}\u{316}", "\\u0301\\u0316", "\u{316}\u{5B0}\u{301}"])
  func keysOfMarks(_ marks: String) throws {
    let factor = try Growth.factor(20_000) { size in
      let name = "é" + String(repeating: marks, count: size)
      return Array("{\"\(name)a\": 1, \"\(name)b\": 2}".utf8)
    } work: { bytes in
      let tree = try JSONTree(parsing: bytes)
      #expect(tree != .null)
    }
    #expect(factor < Growth.limit)
  }

  /// What languages have stays.
  @Test func marksOfLanguages() {
    let text = "e\u{301}\u{316} שָׁלוֹם ทั้งนี้ 한국어 日本語のとても長い文章は記号を持ちません。それでも全部そのままです。"
    #expect(text.limitingMarks.unicodeScalars.elementsEqual(text.unicodeScalars))
    let long = "a" + String(repeating: "\u{301}", count: 100) + "b"
    #expect(long.limitingMarks.unicodeScalars.count == 32)
  }
}
