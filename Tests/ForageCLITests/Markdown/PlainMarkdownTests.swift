import ForageCore
import TestSupport
import Testing

@testable import ForageCLI

/// Markdown to plain text.
struct PlainMarkdownTests {
  private func text(_ source: String, width: Int = 60) -> String {
    PlainMarkdown.lines(of: source, width: width, isColored: false).joined(separator: "\n")
  }

  /// A piece of Markdown and what is left of it.
  @Test(
    arguments: [
      ("# Title #\nText", "Title\n\nText"), ("Title\n=====\nText", "Title\n\nText"),
      ("Title\n---\nText", "Title\n\nText"), ("a\n\n---\n\nb", "a\n\nb"),
      ("= Ascii Doc\ntext", "Ascii Doc\n\ntext"),
      ("#hashtag", "#hashtag"), ("one\ntwo\n\nthree", "one two\n\nthree"),
      ("**bold** and *thin* and __both__ and ~~gone~~", "bold and thin and both and gone"),
      ("snake_case_name, 2 * 3, a*b, ~5", "snake_case_name, 2 * 3, a*b, ~5"),
      ("`code **stays** <T>` and ``a ` b``", "code **stays** <T> and a ` b"), ("a ` b", "a ` b"),
      ("[text](https://x.example \"title\") [ref][1] [open", "text ref [open"),
      ("[1]: https://x.example\n[^n]: note\nText", "Text"),
      ("[![badge](https://b.example/x.svg)](https://x.example)\n![logo](a.png)\n\nText", "logo\n\nText"),
      ("![x](https://img.shields.io/x.svg) <a href=\"u\"><img alt=\"y\" src=\"y.svg\"></a> end", "end"),
      ("[**bold** link](u) ![alt][ref] end", "bold link alt end"), ("wow! [ ] task", "wow! [ ] task"),
      ("<h1 align=\"center\">Title</h1>\n<p>One<br>two</p>", "Title\n\nOne two"),
      ("a <!-- hidden\n\n# too --> b", "a b"), ("a <!-- never ends\n\nb", "a"),
      ("<img src=\"a>b\" alt='x'> seen", "x seen"), ("1 < 2 > 0", "1 < 2 > 0"), ("a<b", "a<b"),
      ("<https://x.example/a> <me@x.example>", "https://x.example/a <me@x.example>"),
      ("<script>alert('x')</script>after", "after"),
      ("&lt;b&gt; &amp;amp; &copy; &#65; &nope;", "<b> &amp; © A &nope;"),
      (
        "- one\n- two\n  more\n  - deep\n1. first\n2) second",
        "- one\n- two more\n  - deep\n1. first\n2) second"
      ),
      ("* star\n+ plus", "- star\n- plus"), ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
      ("> quoted\n> more", "quoted more"), ("| A | B |\n|---|:-:|\n| 1 | 2 |", "A  B\n1  2"),
      ("| A | B |\n| - | - |\n| long |\n|  | x |", "A     B\nlong\n      x"),
      ("```swift\nlet x = 1\n\n# no heading\n```\nafter", "    let x = 1\n\n    # no heading\n\nafter"),
      ("~~~\n```\n~~~", "    ```"), ("text\n\n    indented\n\nend", "text\n\n    indented\n\nend"),
      ("````\n```\n````", "    ```"), ("```\nnever closed", "    never closed"),
      ("a\\*b\\_c\\\\d", "a*b_c\\d"),
      (".. image:: a.png\n   :target: x\n\nText", "Text"), ("\r\n# T\r\nx\r\n", "T\n\nx"), ("", ""),
      ("\u{FEFF}", ""),
    ] as [(String, String)])
  func pieces(_ source: String, _ expected: String) {
    #expect(text(source) == expected)
  }

  /// Nothing of a long text is left out, whatever it consists of.
  @Test func longTextsAreWhole() {
    let words = (1...20_000).map { "word\($0)" }
    #expect(text(words.joined(separator: "\n\n")) == words.joined(separator: "\n\n"))
    for separator in [" ", "\n"] {
      let wrapped = text(words.joined(separator: separator))
      #expect(wrapped.split(whereSeparator: \.isWhitespace).map(String.init) == words)
    }
    #expect(text(String(repeating: "x", count: 100_000)).count { $0 == "x" } == 100_000)
    #expect(text("- " + words.joined(separator: "\n  ")).hasSuffix("word20000"))
  }

  @Test func longLinesOfCodeContinue() {
    #expect(text("```\nlet first = second\n\nx\n```", width: 16) == "    let first =\n    second\n\n    x")
  }

  /// An address is never broken, so that it can be clicked and copied.
  @Test func longAddressesAreWhole() {
    let address = "https://forge.example/acme/tool/commit/0123456789abcdef"
    #expect(text("See \(address) there.", width: 16) == "See\n\(address)\nthere.")
  }

  @Test func aTableThatIsTooWideHasItems() {
    #expect(text("| one | two words |\n|---|---|\n| | x |", width: 12) == "- one · two\n  words\n- x")
  }

  @Test func headingsAreBoldAndLinesWrap() {
    let lines = PlainMarkdown.lines(
      of: "# A title that is long\n\n- an item that is long too", width: 12, isColored: true)
    #expect(
      lines == [
        "\u{1B}[1mA title that\u{1B}[0m", "\u{1B}[1mis long\u{1B}[0m", "", "- an item", "  that is",
        "  long too",
      ])
  }

  /// Whatever the text: it ends, nothing drives the terminal, and no line is too wide.
  @Test func anyText() {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = [
      "#", "# ", "*", "**", "_", "`", "```", "~~~", "[", "]", "(", ")", "![", "](", "<", ">", "<!--", "-->",
      "<a ", "\"",
      "</", "h1>", "<script", "&", "#x1b;", "&#27;", ";", "\n", "\n\n", "    ", "\t", "- ", "1. ", "| ",
      "|--|", "> ",
      "\\", "word ", "日本語", "👩‍👩‍👧", "\u{1B}[2J", "\u{9B}", "\u{202E}", "\u{0}", "\r\n", "=", "---", ".. ", ":",
    ]
    for _ in 0..<300 {
      let source = (0..<Int.random(in: 0...60, using: &random)).map { _ in random.pick(pieces) }.joined()
      let width = Int.random(in: 4...80, using: &random)
      for line in PlainMarkdown.lines(of: source, width: width, isColored: false) {
        #expect(TextWidth.of(line) <= width, "\(source.debugDescription) \(width)")
        let bad = line.unicodeScalars.contains {
          $0.value < 32 || (127...159).contains($0.value) || SafeText.isDangerous($0)
        }
        #expect(!bad, "\(source.debugDescription)")
      }
    }
  }

  /// Texts that are nothing but openings would take the square of their length, if any search were unbounded.
  @Test(arguments: ["[", "![a](", "<a ", "`a ``b ", "**", "<!-"])
  func manyOpenings(_ piece: String) {
    let lines = PlainMarkdown.lines(of: String(repeating: piece, count: 20_000), width: 40, isColored: false)
    #expect(lines.allSatisfy { TextWidth.of($0) <= 40 })
  }

  /// A line and others, for texts whose time must grow no faster than they do.
  struct Growing: Sendable, CustomTestStringConvertible {
    var head = ""
    let piece: String
    var end = ""
    var line = ""
    var testDescription: String { head + piece + end }
  }

  @Test(arguments: [
    Growing(head: "ä ", piece: "`"), Growing(head: "# ", piece: "#", end: "ä"),
    Growing(piece: "|", line: "|ä"), Growing(piece: "- ", end: "ä"),
    Growing(head: "ä ", piece: "*_"), Growing(piece: "[x]"), Growing(head: "> ", piece: "> "),
  ])
  func growth(_ text: Growing) {
    let factor = Growth.factor(2_000) { size in
      text.head + String(repeating: text.piece, count: size) + text.end
        + (text.line.isEmpty ? "" : String(repeating: "\n" + text.line, count: size))
    } work: {
      _ = PlainMarkdown.lines(of: $0, width: 80, isColored: false)
    }
    #expect(factor < Growth.limit)
  }

  /// Backticks without others that end them stand for themselves, all of them.
  @Test func backticksWithoutAnEnd() {
    #expect(text("a ```b`` c") == "a ```b`` c")
    #expect(text("a ``b`c`` d") == "a b`c d")
  }
}
