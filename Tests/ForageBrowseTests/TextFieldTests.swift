import ForageBrowse
import Testing

struct TextFieldTests {
  private func edited(_ text: String, _ keys: [BrowseKey]) -> TextField {
    var field = TextField(text)
    for key in keys {
      let isHandled = field.apply(key)
      #expect(isHandled)
    }
    return field
  }

  @Test(
    arguments: [
      ("ab", [BrowseKey.character("c")], "abc", ""), ("ab", [.left, .character("x")], "ax", "b"),
      ("ab", [.home, .character("x")], "x", "ab"), ("ab", [.control("a"), .right], "a", "b"),
      ("ab", [.home, .end], "ab", ""), ("ab", [.home, .control("e")], "ab", ""),
      ("ab", [.backspace], "a", ""),
      ("ab", [.home, .backspace], "", "ab"), ("ab", [.home, .delete], "", "b"), ("ab", [.delete], "ab", ""),
      ("http client  ", [.control("w")], "http ", ""),
      ("http client", [.control("w"), .control("w")], "", ""),
      ("http client", [.left, .left, .control("u")], "", "nt"),
      ("http", [.left, .left, .control("k")], "ht", ""),
      ("e\u{301}x", [.left, .left, .delete], "", "x"), ("👩‍👩‍👧", [.backspace], "", ""),
      ("", [.left, .right], "", ""),
    ])
  func keys(_ text: String, _ keys: [BrowseKey], _ before: String, _ after: String) {
    let field = edited(text, keys)
    #expect(field.before == before && field.after == after)
  }

  @Test func otherKeysDoNothing() {
    var field = TextField("a")
    for key in [BrowseKey.enter, .tab, .escape, .up, .down, .control("q"), .pageUp] {
      let isHandled = field.apply(key)
      #expect(!isHandled && field.text == "a")
    }
  }

  @Test func pastedText() {
    var field = TextField("a")
    let fits = field.insert("\tb\r\nc\u{1B}[31m\u{0}")
    #expect(fits)
    #expect(field.text == "a b  c[31m" || field.text == "a b c[31m")
    #expect(!field.text.unicodeScalars.contains { $0.value < 32 })
    let isWhole = !field.insert(String(repeating: "x", count: 5000))
    #expect(isWhole)
    #expect(field.text.unicodeScalars.count == 2000)
  }

  /// A combining character that is typed joins the letter before it.
  @Test func combining() {
    var field = TextField("e")
    _ = field.apply(.character("\u{301}"))
    #expect(field.text.count == 1)
    _ = field.apply(.backspace)
    #expect(field.text == "")
  }

  /// Alt keys move and delete by words of letters and digits, as in the line editors of shells.
  @Test func words() {
    var field = TextField("http client:größe ")
    let steps: [(BrowseKey, String)] = [
      (.wordLeft, "http client:|größe "), (.alt("b"), "http |client:größe "), (.alt("d"), "http |:größe "),
      (.wordRight, "http :größe| "), (.deleteWordBefore, "http :| "), (.deleteWordBefore, "| "),
      (.deleteWordAfter, "|"), (.alt("b"), "|"), (.alt("f"), "|"),
    ]
    for (key, expected) in steps {
      let isKnown = field.apply(key)
      #expect(isKnown && field.before + "|" + field.after == expected, "\(key)")
    }
    let isKnown = field.apply(.alt("x"))
    #expect(!isKnown)
  }
}
