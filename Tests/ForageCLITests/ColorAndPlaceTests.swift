import ForageCore
import Testing

@testable import ForageCLI

/// When there is colour, and where the caret stands.
struct ColorAndPlaceTests {
  @Test(
    arguments: [
      ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false),
      (["NO_COLOR": ""], true, true),
      (["CLICOLOR": "0"], true, false), (["CLICOLOR": "1"], false, false),
      (["CLICOLOR_FORCE": "1"], false, true),
      (["CLICOLOR_FORCE": "0"], false, false), (["CLICOLOR_FORCE": ""], false, false),
      (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, true), (["TERM": "dumb"], true, false),
      (["TERM": "xterm-256color"], true, true), (["CLICOLOR_FORCE": "1", "CLICOLOR": "0"], false, true),
    ] as [([String: String], Bool, Bool)])
  func color(_ environment: [String: String], _ isTerminal: Bool, _ expected: Bool) {
    #expect(Output.wantsColor(environment, isTerminal: isTerminal) == expected)
  }

  @Test func styles() {
    #expect(Style.title.apply("x", true) == "\u{1B}[1mx\u{1B}[0m")
    #expect(Style.title.apply("x", false) == "x")
    #expect(Style.title.apply("", true) == "")
  }

  @Test(
    arguments: [
      ("a bad", 2..<5, ["  a bad", "    ^^^"]), ("日本 bad", 3..<6, ["  日本 bad", "       ^^^"]),
      ("日本", 0..<2, ["  日本", "  ^^^^"]), ("👩‍👩‍👧 x", 6..<7, ["  👩‍👩‍👧 x", "     ^"]),
      ("abc", 3..<3, ["  abc", "     ^"]),
      ("abc", 7..<9, ["  abc", "     ^"]), ("", 0..<0, []), ("e\u{301}x", 1..<2, ["  e\u{301}x", "   ^"]),
      ("\u{1B}[2J x", 5..<6, ["  \u{241B}[2J x", "       ^"]), ("a\tb", 2..<3, ["  a b", "    ^"]),
    ] as [(String, Range<Int>, [String])])
  func caret(_ query: String, _ range: Range<Int>, _ lines: [String]) {
    let error = QueryError(message: "", hint: "", query: query, range: range)
    #expect(error.place == lines)
  }

  @Test func theWholeErrorIsShown() async throws {
    let outcome = try await forage(["search", "日本", "stars:>abc"])
    #expect(outcome.status == .usage)
    #expect(
      outcome.err == """
        forage: stars: takes a whole number or a range of them, not ">abc"
        hint: write, for example, stars:>100, or stars:10..50
          日本 stars:>abc
                     ^^^^

        """)
  }

  /// The place in the value of an option is shown as it was typed.
  @Test func theValueOfAnOption() async throws {
    let outcome = try await forage(["search", "x", "--updated", "7d"])
    #expect(outcome.status == .usage)
    #expect(outcome.err.hasSuffix("\n  --updated 7d\n            ^^\n"), "\(outcome.err)")
  }
}
