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
    try bytes.withUnsafeBytes { text in
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

  /// Words of ASCII are matched as bytes, yet find the characters that differ by case alone; in texts that are not UTF-8, too.
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

  @Test func catastrophicExpressionIsTold() throws {
    let text = String(repeating: "a", count: 5_000) + "b"
    #expect(throws: CodePattern.Failure.self) { try Self.lines("^(a+)+$", in: text) }
  }

  @Test func invalidExpressionHasAPlace() {
    #expect(ExpressionProblem.check("é(b")?.offset == 3)
    #expect(ExpressionProblem.check("[b") != nil)
    #expect(ExpressionProblem.check("a+b") == nil)
  }

  static let definitions: [(String, String?)] = [
    ("func search(_ x: Int) {", "search"),
    ("  public static func matches() -> Bool {", "matches"),
    ("class Federation: Sendable {", "Federation"),
    ("def parse_line(self):", "parse_line"),
    ("#define MAX_SIZE 10", "MAX_SIZE"),
    ("int main(int argc, char **argv)", "main"),
    ("struct commit *lookup_commit(struct repository *r)", "lookup_commit"),
    ("static void die_builtin(const char *err)", "die_builtin"),
    ("static const struct option builtin_options[] = {", "builtin_options"),
    ("int main(void);", nil),
    ("struct commit {", "commit"),
    ("struct commit;", nil),
    ("func (r *Reader) ReadLine() string {", "ReadLine"),
    ("pub(crate) fn compile(re: &str) -> Regex {", "compile"),
    ("VERSION = 3", "VERSION"),
    ("if (x == 3) {", nil),
    ("  return search(x)", nil),
    ("the type of a thing", nil),
    ("    let local = 1", "local"),
    ("        let inner = 1", nil),
    ("    func open() throws {", "open"),
    ("  def default", "default"),
    ("let data: Data", "data"),
    ("class open {", "open"),
    ("static inline", nil),
    ("  static func < (a: Self, b: Self) -> Bool {", nil),
    ("static int (*handler)(void);", nil),
    ("(defun find-it ()", "find"),
    ("    public void run(String[] args) {", "run"),
    ("export default class Größe {", "Größe"),
    ("addEventListener(\"größe\", event => {", nil),
    ("useEffect(() => {", nil),
    ("find_it(", "find_it"),
    ("  async find(props: { name: 'x' }, f: () => void) {", "find"),
    ("int find(int x) => x", "find"),
    ("listen(x).then(y => y, 1) {", nil),
    ("describe(name, function () {", nil),
    ("withLock(self) { state in", nil),
    ("launch(scope) { job ->", nil),
    ("configure({", nil),
    ("setup(name='x')", nil),
    ("    window.listen(x => {", nil),
    ("    expect page.then(x => {", nil),
    ("find_it (int x, int y)", "find_it"),
    ("find_it() {", "find_it"),
    ("char *find_it(const char *x = \"y\") {", "find_it"),
    ("auto find_it(int x) -> int {", "find_it"),
    ("    void run(@Named(\"x\") String y) {", "run"),
  ]

  @Test(arguments: definitions) func definedName(line: String, expected: String?) {
    let bytes = Array(line.utf8)
    let name = bytes.withUnsafeBytes { text in
      Definitions.name(in: text).map { String(decoding: text[$0], as: UTF8.self) }
    }
    #expect(name == expected)
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
