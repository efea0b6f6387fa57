import ForageCore
import Testing

@testable import ForageCLI

struct SafeTextTests {
  @Test(
    arguments: [
      ("plain text", "plain text"), ("", ""), ("é日本👩‍👩‍👧", "é日本👩‍👩‍👧"),
      ("\u{1B}[31mred\u{1B}[0m", "\u{241B}[31mred\u{241B}[0m"),
      ("\u{1B}]0;title\u{7}", "\u{241B}]0;title\u{2407}"),
      ("a\tb\nc\rd\u{B}e\u{C}f", "a b c d e f"), ("a\r\nb", "a  b"), ("\0", "\u{2400}"),
      ("\u{7F}", "\u{2421}"),
      ("\u{9B}1m\u{85}x", "\u{FFFD}1m\u{FFFD}x"), ("\u{202E}gnp.exe", "\u{FFFD}gnp.exe"),
      ("\u{2066}a\u{2069}\u{200F}\u{61C}", "\u{FFFD}a\u{FFFD}"),
      ("\u{2028}\u{2029}\u{FEFF}", "\u{FFFD}\u{FFFD}"),
      ("Do\u{AD}nau\u{200B}dampf\u{2060}er", "Donaudampfer"), ("שלום\u{200F}!", "שלום!"),
      ("می\u{200C}خواهم 👩\u{200D}👧", "می\u{200C}خواهم 👩\u{200D}👧"),
      ("\u{E0001}\u{E0061}", "\u{FFFD}\u{FFFD}"),
      ("\u{8}\u{8}over", "\u{2408}\u{2408}over"), ("مكتبة", "مكتبة"),
      ("é\tkept 日\u{202E}\u{7}end…", "é kept 日\u{FFFD}\u{2407}end…"), ("e\n\u{301}", "e \u{301}"),
      // The flags of England and Scotland; tags that make no flag.
      (
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!"
      ), ("a\u{1F3F4}\u{E0067}\u{E0062}", "a\u{1F3F4}\u{FFFD}\u{FFFD}"),
      ("\u{1F3F4}\u{E0067}\u{E007F}", "\u{1F3F4}\u{FFFD}\u{FFFD}"),
      ("x\u{E0067}\u{E0062}\u{E0065}\u{E007F}", "x\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      (
        "\u{1F3F4}" + String(repeating: "\u{E0061}", count: 8) + "\u{E007F}",
        "\u{1F3F4}" + String(repeating: "\u{FFFD}", count: 9)
      ),
    ] as [(String, String)])
  func lines(_ text: String, _ expected: String) {
    #expect(Array(SafeText.line(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  /// Whatever comes in, nothing that a terminal obeys goes out, and a second pass changes nothing.
  @Test func everyScalarIsHarmlessAfterwards() {
    for value in UInt32(0)...0xE0FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let safe = SafeText.line(String(Character(scalar)))
      for result in safe.unicodeScalars
      where result.value < 32 || (127...159).contains(result.value) || SafeText.isDangerous(result) {
        Issue.record("U+\(String(value, radix: 16)) became U+\(String(result.value, radix: 16))")
      }
    }
  }

  @Test func messagesAreMadeSafe() {
    let capture = Capture()
    capture.output().problem("bad \u{1B}[2J", hint: "do\n\u{9B}this", details: ["  \u{202E}x"])
    #expect(capture.messages == "forage: bad \u{241B}[2J\nhint: do \u{FFFD}this\n  \u{FFFD}x\n")
  }

  @Test func messagesAreColoured() {
    let capture = Capture()
    capture.output(color: true).problem("bad", hint: "do")
    #expect(capture.messages == "\u{1B}[1;31mforage:\u{1B}[0m bad\n\u{1B}[1;34mhint:\u{1B}[0m do\n")
  }

  @Test func emptyHintsAreLeftOut() {
    let capture = Capture()
    capture.output().problem("bad", hint: "")
    #expect(capture.messages == "forage: bad\n")
  }
}
