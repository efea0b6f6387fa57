import Testing

@testable import ForageCLI

/// Texts from outside stay texts in the Markdown that is written.
struct MarkdownWriterTests {
  @Test(
    arguments: [
      ("plain text", "plain text"), ("a|b", "a\\|b"), ("**x** _y_ `z`", "\\*\\*x\\*\\* \\_y\\_ \\`z\\`"),
      ("<script>", "\\<script\\>"), ("[a](b)", "\\[a\\](b)"), ("a\nb\tc", "a b c"), ("\u{1B}[2J", "␛\\[2J"),
      ("R&D", "R&amp;D"), ("back\\slash", "back\\\\slash"),
      // A mark that joins a character does not take its meaning away.
      ("*\u{301}|\u{308}&\u{301}é", "\\*\u{301}\\|\u{308}&amp;\u{301}é"),
    ] as [(String, String)])
  func texts(_ text: String, _ expected: String) {
    #expect(MarkdownWriter.text(text) == expected)
  }

  @Test(
    arguments: [
      ("https://x.example/a(b)|c", "[t](https://x.example/a%28b%29%7Cc)"), ("javascript:alert(1)", "t"),
      ("file:///etc/passwd", "t"), ("https://x.example/a b", "t"), ("https://x.example/\u{202E}", "t"),
      ("HTTP://X.example", "[t](HTTP://X.example)"), ("--flag", "t"), ("", "t"),
    ] as [(String, String)])
  func links(_ address: String, _ expected: String) {
    #expect(MarkdownWriter.link("t", to: address) == expected)
  }

  @Test func tables() {
    #expect(
      MarkdownWriter.table(["A", "B", "C"], [["1", "", "3"], ["4", "", ""]])
        == ["| A | C |", "| --- | --- |", "| 1 | 3 |", "| 4 |  |"])
  }
}
