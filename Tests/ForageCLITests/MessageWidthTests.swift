import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageCore

/// How messages, hints and the lines below a list fit a terminal.
struct MessageWidthTests {
  private func written(_ columns: Int?, color: Bool = false, _ write: (Output) -> Void) -> String {
    let capture = Capture()
    var output = capture.output(columns: columns, color: color)
    output.isMessageTerminal = columns != nil
    write(output)
    return capture.messages
  }

  @Test func linesOfATerminal() {
    let text = written(40) { output in
      output.warning(
        "github: only 2 pages of results were checked for stars, language",
        hint: "make the rest of the query more specific, or use --limit")
      output.footer("forage search --next --sort stars --order", label: "more: ")
      output.footer("showing 30 of at least 1,234 results from github")
    }
    #expect(
      text == """
        forage: github: only 2 pages of results
                were checked for stars, language
        hint: make the rest of the query more
              specific, or use --limit
        more: forage search --next --sort stars
              --order
        showing 30 of at least 1,234 results
          from github

        """)
  }

  @Test func aPipeGetsOneLine() {
    let long = String(repeating: "word ", count: 60) + "end"
    #expect(written(nil) { $0.message(long) } == "forage: \(long)\n")
    #expect(written(nil) { $0.warning(long, hint: long) } == "forage: \(long)\nhint: \(long)\n")
  }

  /// The place in a query stays below what it points to, and further problems are laid out as the first.
  @Test func details() {
    let query = "  " + String(repeating: "word ", count: 12) + "(end"
    let further = "forage: the second of the problems in the file is here"
    let text = written(40) { $0.problem("p", hint: "h", details: [query, "  ^", further]) }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(Array(lines.dropFirst(2).prefix(2)) == [query, "  ^"])
    #expect(Array(lines.suffix(2)) == ["forage: the second of the problems in", "        the file is here"])
  }

  /// Every word arrives whole and in order, on lines that fit unless a word alone does not.
  @Test func wordsStayWhole() {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = [
      "a", "word", "日本語", "🚀", "--provider", "github.com/apple/swift-nio", "e\u{301}", "größe",
      "https://example.org/" + String(repeating: "x", count: 60),
    ]
    for _ in 0..<1000 {
      let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in random.pick(pieces) }
      let columns = Int.random(in: 20...120, using: &random)
      let color = Bool.random(using: &random)
      let text = written(columns, color: color) { output in
        output.problem(words.joined(separator: " "), hint: words.joined(separator: " "))
        output.footer(words.joined(separator: " "), label: "more: ")
      }.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      let expected = ["forage:"] + words + ["hint:"] + words + ["more:"] + words
      #expect(text.split(whereSeparator: \.isWhitespace).map(String.init) == expected)
      for line in text.split(separator: "\n") where TextWidth.of(line) > columns {
        let room = columns - (line.hasPrefix("forage:") || line.hasPrefix("        ") ? 8 : 6)
        #expect(line.split(separator: " ").contains { TextWidth.of($0) > room }, "\(columns): \(line)")
      }
    }
  }
}
