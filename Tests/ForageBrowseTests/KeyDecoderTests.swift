import ForageBrowse
import TestSupport
import Testing

struct KeyDecoderTests {
  static let table: [(String, [BrowseInput])] = [
    ("a", [.key(.character("a"))]),
    ("Ab ", [.key(.character("A")), .key(.character("b")), .key(.character(" "))]),
    ("é日👍", [.key(.character("é")), .key(.character("日")), .key(.character("👍"))]),
    ("\r", [.key(.enter)]), ("\n", [.key(.control("j"))]), ("\t", [.key(.tab)]),
    ("\u{7F}", [.key(.backspace)]),
    ("\u{8}", [.key(.backspace)]), ("\u{1}", [.key(.control("a"))]), ("\u{3}", [.key(.control("c"))]),
    ("\u{1A}", [.key(.control("z"))]), ("\u{17}", [.key(.control("w"))]),
    ("\u{1B}[A", [.key(.up)]), ("\u{1B}OB", [.key(.down)]), ("\u{1B}[C", [.key(.right)]),
    ("\u{1B}[1;5D", [.key(.wordLeft)]), ("\u{1B}[H", [.key(.home)]), ("\u{1B}OF", [.key(.end)]),
    ("\u{1B}[1~", [.key(.home)]), ("\u{1B}[4~", [.key(.end)]), ("\u{1B}[3~", [.key(.delete)]),
    ("\u{1B}[5~", [.key(.pageUp)]), ("\u{1B}[6~", [.key(.pageDown)]), ("\u{1B}[Z", [.key(.backTab)]),
    ("\u{1B}[A\u{1B}[B", [.key(.up), .key(.down)]),
    // Functions keys, focus and reports mean nothing.
    ("\u{1B}[15~\u{1B}[I\u{1B}[?2026;2$y\u{1B}OP", []),
    ("\u{1B}[200~two\nlines \u{1B}[A\u{1B}[201~x", [.paste("two\nlines \u{1B}[A"), .key(.character("x"))]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]), ("\u{1B}[<64;3;4M", [.wheel(isUp: true)]),
    ("\u{1B}[<65;3;4M", [.wheel(isUp: false)]), ("\u{1B}[<0;3;4M\u{1B}[<0;3;4m", [.click(column: 2, row: 3)]),
    ("\u{1B}[<0;3;9223372036854775807M", [.click(column: 2, row: Int(Int32.max) - 1)]),
    ("\u{1B}[<2;3;4M\u{1B}[<35;3;4M\u{1B}[<0;0;0M\u{1B}[<0;;1M\u{1B}[<0;?;1M", []),
    // Any letter ends a control sequence (ECMA-48, 5.4); what follows are keys.
    ("\u{1B}[<0;xq", [.key(.character("q"))]),
    // Alt and a key; two Esc are two keys.
    ("\u{1B}q", [.key(.alt("q"))]), ("\u{1B}b\u{1B}é", [.key(.alt("b")), .key(.alt("é"))]),
    ("\u{1B}\u{7F}\u{1B}\u{8}", [.key(.deleteWordBefore), .key(.deleteWordBefore)]),
    ("\u{1B}\r", [.key(.enter)]), ("\u{1B}\u{1B}[A", [.key(.escape), .key(.up)]),
    ("\u{1B}[1;3C\u{1B}Od\u{1B}[3;5~", [.key(.wordRight), .key(.wordLeft), .key(.deleteWordAfter)]),
    // Kitty's form and modifyOtherKeys: Esc, Ctrl-C, Alt-b, Shift-Tab, a released key, the keypad.
    ("\u{1B}[27u\u{1B}[99;5u\u{1B}[27;5;99~", [.key(.escape), .key(.control("c")), .key(.control("c"))]),
    (
      "\u{1B}[98;3u\u{1B}[9;2u\u{1B}[97;1:3u\u{1B}[57401u",
      [.key(.alt("b")), .key(.backTab), .key(.character("2"))]
    ),
    (
      "\u{1B}[97:65;2u\u{1B}[13u\u{1B}[127;3u",
      [.key(.character("A")), .key(.enter), .key(.deleteWordBefore)]
    ),
    ("\u{1B}[57358u\u{1B}[57441;2u", []), ("\u{1B}Op\u{1B}OM", [.key(.character("0")), .key(.enter)]),
    // rxvt, the console of Linux, and a report of the mouse in the form of X10, whose bytes are no keys.
    (
      "\u{1B}[3$x\u{1B}[3^\u{1B}[[Ax",
      [.key(.delete), .key(.character("x")), .key(.delete), .key(.character("x"))]
    ),
    ("\u{1B}[M abx", [.key(.character("x"))]),
    // Replies of the terminal are no keys: a color, its name, its attributes, kitty graphics.
    (
      "\u{1B}]11;rgb:ffff/0000/0000\u{1B}\\a\u{1B}]10;x\u{7}b",
      [.key(.character("a")), .key(.character("b"))]
    ),
    ("\u{1B}P>|xterm(390)\u{1B}\\\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[?64;1;2c\u{1B}[>0;1;0c\u{1B}[12;40R", []),
    ("\u{1B}]11;rgb:ff\u{1B}[A", [.key(.up)]),
    // A damaged sequence ends with a control character.
    ("\u{1B}[12\rj", [.key(.enter), .key(.character("j"))]),
  ]

  @Test(arguments: table) func whole(_ text: String, _ expected: [BrowseInput]) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array(text.utf8)) == expected)
    #expect(decoder.delay == nil)
  }

  /// However the bytes are divided, the keys are the same.
  @Test(arguments: table) func inPieces(_ text: String, _ expected: [BrowseInput]) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let found = decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...])
      #expect(found == expected, "\(cut)")
    }
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.feed([$0]) } == expected)
  }

  @Test func aBareEscape() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B]) == [])
    #expect(decoder.delay == .milliseconds(50))
    #expect(decoder.timeOut() == [.key(.escape)])
    #expect(decoder.delay == nil && decoder.timeOut() == [])
    #expect(decoder.feed(Array("[A".utf8)) == [.key(.character("[")), .key(.character("A"))])
    var remote = KeyDecoder(environment: ["SSH_CONNECTION": "::1 1 ::1 22"])
    #expect(remote.feed([0x1B]) == [] && remote.delay == .milliseconds(150))
  }

  /// What has begun waits longer for its end, and is no key where that does not come.
  @Test(arguments: ["[", "[1;", "O", "]11;rgb:ff", "Pxyz", "_G", "]11;x\u{1B}"])
  func sequencesWithoutAnEnd(_ text: String) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}\(text)".utf8)) == [])
    #expect(decoder.delay == .milliseconds(500))
    #expect(decoder.timeOut() == [] && decoder.delay == nil)
    #expect(decoder.feed(Array("k".utf8)) == [.key(.character("k"))])
  }

  @Test func invalidBytes() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0xFF, 0x80, 0xC0]) == [])
    #expect(decoder.feed([0xE6, 0x97, UInt8(ascii: "x")]) == [.key(.character("x"))])
    // An overlong form and a surrogate are no characters.
    #expect(decoder.feed([0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, UInt8(ascii: "y")]) == [.key(.character("y"))])
  }

  @Test func aLongPasteIsCut() {
    var decoder = KeyDecoder()
    let text = String(repeating: "a", count: 100_000)
    let found = decoder.feed(Array("\u{1B}[200~\(text)\u{1B}[201~z".utf8))
    guard case .paste(let pasted)? = found.first else {
      Issue.record("no paste")
      return
    }
    #expect(pasted.utf8.count == 64 * 1024 && pasted.utf8.allSatisfy { $0 == UInt8(ascii: "a") })
    #expect(found.last == .key(.character("z")))
  }

  @Test func randomBytes() {
    var random = SeededGenerator(seed: propertySeed())
    var decoder = KeyDecoder()
    let usual: [UInt8] = Array("\u{1B}[<;~M019AaO".utf8) + [0xC3, 0xA9, 0xE6, 0xFF, 0x80, 0x0D]
    for _ in 0..<20_000 {
      _ = decoder.feed([random.chance(0.8) ? random.pick(usual) : UInt8.random(in: 0...255, using: &random)])
      if random.chance(0.1) { _ = decoder.timeOut() }
    }
    // Whatever came before, a paste that is open can be ended and keys are read again.
    _ = decoder.feed(Array("\u{1B}[201~".utf8))
    _ = decoder.feed([0x0D, 0x0D])
    #expect(decoder.feed(Array("k".utf8)) == [.key(.character("k"))])
  }
}
