import ForageCore
import Testing

struct TextWidthTests {
  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("ｆｕ", 4), ("ﾊﾟ", 2), ("…", 1),
      ("Привет", 6), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2),
      ("\u{200B}", 0), ("a\u{200D}b", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("🚀 x", 4), ("㊗", 2),
      // As glibc and tmux count them: a conjunct as its letters, a spacing mark as a column.
      ("क्षि नमस्ते", 8), ("क्ष", 2), ("कि", 2), ("स्ते", 2), ("हिन्दी", 5), ("கௌ", 2), ("কো", 2), ("ક્ષ", 2), ("മലയാളം", 6),
      ("မြန်မာ", 5), ("ខ្មែរ", 4), ("กำ", 2), ("ນ້ຳ", 2), ("ཀྵ", 1), ("می\u{200C}خواهم", 7), ("\u{1161}", 0),
      ("👍🏽👩‍👩‍👧", 4), ("©️", 2), ("が", 2), ("か\u{3099}", 2), ("\u{FF9E}", 1),
      ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2),
    ] as [(String, Int)])
  func width(_ text: String, _ columns: Int) {
    #expect(TextWidth.of(text) == columns, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
  }

  /// The rest of a text that is wider than the limit is not read.
  @Test(arguments: [0, 1, 2, 5, 9, 99])
  func widthBeyondALimit(_ limit: Int) {
    for text in ["", "abc", "日本語 é", "é\u{301}", String(repeating: "日", count: 50)] {
      let width = TextWidth.width(of: text, beyond: limit)
      if TextWidth.of(text) > limit { #expect(width > limit) } else { #expect(width == TextWidth.of(text)) }
    }
    #expect(TextWidth.width(of: String(repeating: "日", count: 1000), beyond: limit) <= limit + 2)
  }

  @Test(
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
      ("日本語", 1, "…"), ("日本語", 0, ""), ("a b c", 3, "a…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("", 0, ""),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ] as [(String, Int, String)])
  func truncated(_ text: String, _ limit: Int, _ expected: String) {
    let cut = TextWidth.truncated(text, to: limit)
    #expect(cut == expected)
    #expect(TextWidth.of(cut) <= limit)
  }

  @Test(
    arguments: [
      ("owner/name#12", 13, "owner/name#12"), ("owner/name#12", 12, "owner…ame#12"),
      ("owner/name#12", 5, "ow…12"), ("owner/name#12", 2, "o…"), ("日本語日本語", 7, "日本…語"), ("", 3, ""),
    ] as [(String, Int, String)])
  func truncatedInside(_ text: String, _ limit: Int, _ expected: String) {
    let cut = TextWidth.truncatedInside(text, to: limit)
    #expect(cut == expected)
    #expect(TextWidth.of(cut) <= limit)
  }

  @Test(
    arguments: [
      ("", 4, [""]), ("abcd", 4, ["abcd"]), ("abcde", 4, ["abcd", "e"]), ("a  b  c", 3, ["a  ", "b  ", "c"]),
      ("日本語", 5, ["日本", "語"]), ("ab  ", 2, ["ab"]), ("日", 1, ["日"]),
    ] as [(String, Int, [String])])
  func broken(_ text: String, _ limit: Int, _ pieces: [String]) {
    #expect(TextWidth.broken(text, to: limit) == pieces)
  }

  @Test func padded() {
    #expect(TextWidth.padded("日", to: 4) == "日  ")
    #expect(TextWidth.padded("日", to: 4, alignsRight: true) == "  日")
    #expect(TextWidth.padded("long", to: 2) == "long")
  }

  @Test(
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("日本語", 4, ["日本", "語"]), ("", 5, []),
      ("abcdefgh", 3, ["abc", "def", "gh"]), ("a  b", 9, ["a b"]), ("日", 1, ["日"]),
      ("a bcdefg h", 3, ["a", "bcd", "efg", "h"]),
    ] as [(String, Int, [String])])
  func wrapped(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(TextWidth.wrapped(text, width: width) == lines)
  }

  @Test func unbrokenWords() {
    #expect(TextWidth.wrapped("a bcdefg h", width: 3, breaks: { $0 != "bcdefg" }) == ["a", "bcdefg", "h"])
  }
}
