import ForageCore
import TestSupport
import Testing

@testable import ForageLocal

/// Matching by line, limits, and what a line defines.
@Suite struct CodePatternTests {
  /// The numbers of the lines that match.
  private static func lines(_ expression: String, in text: String, kind: PatternSource.Kind = .expression)
    throws -> [Int]
  {
    let pattern = try CodePattern(PatternSource(text: expression, kind: kind, ignoresCase: true))
    var found: [Int] = []
    let bytes = Array(text.utf8)
    _ = try bytes.withUnsafeBytes { text in
      try pattern.lines(in: text) { line, _ in
        found.append(text[..<line.start].count { $0 == UInt8(ascii: "\n") } + 1)
        return true
      }
    }
    return found
  }

  static let cases: [(String, String, [Int])] = [
    ("b", "a\nb\nB\n", [2, 3]),
    // A match does not extend over lines, and a line is matched alone.
    ("a\\s*b", "a\nb\na b\n", [3]),
    ("^b$", "a\nb\nc", [2]),
    // Looking around ends at the ends of the line, as do anchors and what is not given back.
    ("a(?!\\s)", "a\nab", [1, 2]),
    ("\\Aé", "éa\né\nb\néb\nxé\n", [1, 2, 4]),
    ("(?<!\\n)foo", "a\nfoo\nxfoo\n", [2, 3]),
    ("foo\\z", "foo bar\nfoo\nbar\nfoo bar2\nAfoo\n", [2, 5]),
    ("foo(?!\\s*bar)", "foo bar\nfoo\nbar\nfoo bar2\nAfoo\n", [2, 5]),
    ("(?s)foo.*\\Kbar", "foo bar\nfoo\nbar\nfoo bar2\n", [1, 4]),
    ("foo[^x]*\\Kbar", "foo bar\nfoo\nbar\nfoo bar2\n", [1, 4]),
    ("foo\\s*+$", "foo\nbar\n", [1]),
    ("(?>foo\\s*)$", "foo\nbar\n", [1]),
    ("(?-m)^foo", "foo\nfoo\n", [1, 2]),
    ("(?s:a.b)\\b", "a\nb\na b\n", [3]),
    // An empty match at the end of a last line with or without a line feed.
    ("$", "a\nb", [1, 2]),
    ("$", "a\nb\n", [1, 2]),
    ("(?<=x;)$", "x;\ny\nx;", [1, 3]),
    ("b?$", "ä", [1]),
    ("[^x]*", "x\n\ny", [1, 2, 3]),
    ("x*", "", []),
    ("\\Ab\\z", "a\nb\n", [2]),
    ("é", "É\n", [1]),
  ]

  @Test(arguments: cases) func matchByLine(expression: String, text: String, expected: [Int]) throws {
    #expect(try Self.lines(expression, in: text) == expected)
  }

  @Test func literalsHaveNoMeta() throws {
    #expect(try Self.lines("a.b(", in: "axb(\na.b(\n", kind: .literal) == [2])
  }

  /// Words of ASCII are matched as bytes, yet find the characters that differ by case alone; in texts that
  /// are not UTF-8, too.
  @Test func wordsOfBytesIgnoreCaseAsCharacters() throws {
    let text = "ſTa\u{212A}\nstak\nSTAK\nst\u{E5}k\nſta\n"
    #expect(try Self.lines("stak", in: text, kind: .literal) == [1, 2, 3])
    #expect(try Self.lines("s[x]\n", in: "S[X]\n", kind: .literal).isEmpty)
    var generator = SeededGenerator(seed: propertySeed())
    let alphabet = Array("sSkKaA[(\\.*ſ\u{212A}é ")
    for _ in 0..<300 {
      let word = String((0..<4).map { _ in "skaSKA[(\\.* ".randomElement(using: &generator) ?? "s" })
      let line = String((0..<9).map { _ in alphabet.randomElement(using: &generator) ?? "s" })
      let folded = String(line.map { $0 == "ſ" ? "s" : $0 == "\u{212A}" ? "k" : $0 }).lowercased()
      let expected = folded.contains(word.lowercased())
      #expect(try Self.lines(word, in: line, kind: .literal).isEmpty == !expected, "\(word) in \(line)")
    }
  }

  @Test func invalidUTF8IsNoMatchAndNoEnd() throws {
    let pattern = try CodePattern(PatternSource(text: "é", kind: .literal, ignoresCase: true))
    let bytes: [UInt8] = [0xE9, 0xFF, 0x0A] + Array("xé\n".utf8)
    let found = try bytes.withUnsafeBytes { try pattern.match(in: $0, from: 0) }
    #expect(found == 4..<6)
  }

  /// A line in which backtracking takes too long is decided without it; where that is not possible it is
  /// told, and the other lines count.
  @Test(arguments: [
    ("^(a+)+$", [2], 1), ("a.*a.*a.*c|^b", [3], 0), ("a.*a.*a.*b$|^b", [1, 3], 0), (#"^(a+)+\1$|^b"#, [3], 1),
  ])
  func aLineThatTakesTooLong(_ expression: String, _ lines: [Int], _ limited: Int) throws {
    let long = String(repeating: "a", count: 5_000)
    let text = "\(long)xb\n" + (lines.contains(2) ? "aaa\n" : "x\n") + "b\n"
    let pattern = try CodePattern(PatternSource(text: expression, kind: .expression, ignoresCase: false))
    var (found, unknown): ([Int], Int) = ([], 0)
    try Array(text.utf8).withUnsafeBytes { bytes in
      unknown = try pattern.lines(in: bytes) { line, _ in
        found.append(bytes.lineFeeds(in: 0..<line.start) + 1)
        return true
      }
    }
    #expect(found == lines && unknown == limited)
  }

  /// Many such lines end the search of a text.
  @Test func catastrophicExpressionIsTold() throws {
    let text = String(repeating: String(repeating: "a", count: 5_000) + "b\n", count: 8) + "x\n"
    let pattern = try CodePattern(
      PatternSource(text: #"^(a+)+\1$|x"#, kind: .expression, ignoresCase: false))
    let unknown = try Array(text.utf8).withUnsafeBytes { try pattern.lines(in: $0) { _, _ in true } }
    #expect(unknown == 4)
  }

  /// A match in a long line that only the second search finds has its place.
  @Test func aMatchInALongLine() throws {
    let long = String(repeating: "pd", count: 16_000)
    let line = Array("\(long)password\(long)\n".utf8)
    for expression in [".{0,300}password.{0,300}", "p.*password.*d"] {
      let pattern = try CodePattern(PatternSource(text: expression, kind: .expression, ignoresCase: false))
      try line.withUnsafeBytes { bytes in
        var found: [Int] = []
        let unknown = try pattern.lines(in: bytes) { line, place in
          found.append(place.lowerBound)
          #expect(!pattern.matches(in: bytes, line, limit: 9).isEmpty, "\(expression)")
          return true
        }
        #expect(found.count == 1 && unknown == 0, "\(expression)")
      }
    }
  }

  @Test func invalidExpressionHasAPlace() {
    #expect(ExpressionProblem.check("é(b")?.offset == 3)
    #expect(ExpressionProblem.check("[b") != nil)
    #expect(ExpressionProblem.check("a+b") == nil)
  }

  @Test func longLineIsCutAroundItsMatch() {
    let text = String(repeating: "ä", count: 5_000) + "NEEDLE" + String(repeating: "z", count: 5_000)
    let bytes = Array(text.utf8)
    let start = 10_000
    let shown = bytes.withUnsafeBytes {
      LineText($0, LineRange(start: 0, end: $0.count), [start..<(start + 6)])
    }
    let scalars = Array(shown.text.unicodeScalars)
    #expect(scalars.count <= LineText.limit)
    #expect(scalars.first == "…" && scalars.last == "…")
    #expect(shown.ranges.count == 1)
    let found = shown.ranges.first.map { String(String.UnicodeScalarView(scalars[$0])) }
    #expect(found == "NEEDLE")
  }

  /// A line of as many characters as are shown is shown whole, wherever its match is.
  @Test(arguments: ["x", "日"]) func lineThatIsNotLongIsWhole(character: String) {
    let line = String(repeating: character, count: LineText.limit - 6) + "NEEDLE"
    let bytes = Array(line.utf8)
    let end = bytes.count
    let shown = bytes.withUnsafeBytes {
      LineText($0, LineRange(start: 0, end: end), [(end - 6)..<end])
    }
    #expect(shown.text == line)
    #expect(shown.ranges == [(LineText.limit - 6)..<LineText.limit])
  }

  @Test(arguments: [
    "a\\Ab", "a++b", "(?>a)", "(?=a)", "(?<!a)", "(?s)a", "(?i-m:a)", "(?^)a", "(*UCP)a", "(?1)(a)",
  ])
  func expressionsThatNeedOneLine(expression: String) { #expect(CodePattern.needsOneLine(expression)) }

  @Test(arguments: [
    "a\\\\Ab", "a+b", "(?:a)", "(?<n>a)", "(?P<n>a)", "(?i)ä", "a{2}b", "(a|b)+", "^a$", "\\bé\\b",
  ])
  func expressionsThatDoNot(expression: String) { #expect(!CodePattern.needsOneLine(expression)) }

  @Test func rangesCountScalarsOfRepairedText() {
    let bytes: [UInt8] = [0xFF, 0x61] + Array("e\u{301}X".utf8) + [0x0D]
    let shown = bytes.withUnsafeBytes { LineText($0, LineRange(start: 0, end: $0.count), [5..<6]) }
    #expect(shown.text == "\u{FFFD}ae\u{301}X")
    #expect(shown.ranges == [4..<5])
  }
}
