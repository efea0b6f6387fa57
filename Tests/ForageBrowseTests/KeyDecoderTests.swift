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
    // Alt and a key; another Esc before a sequence is Alt, too, and a key before all else.
    ("\u{1B}q", [.key(.alt("q"))]), ("\u{1B}b\u{1B}é", [.key(.alt("b")), .key(.alt("é"))]),
    ("\u{1B}\u{7F}\u{1B}\u{8}", [.key(.deleteWordBefore), .key(.deleteWordBefore)]),
    ("\u{1B}\r", [.key(.enter)]),
    ("\u{1B}\u{1B}[A\u{1B}\u{1B}OD\u{1B}\u{1B}[15~", [.key(.up), .key(.wordLeft)]),
    ("\u{1B}\u{1B}b\u{1B}\u{1B}[?1;2c", [.key(.escape), .key(.alt("b")), .key(.escape)]),
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
    (
      "\u{1B}]11;x\u{3}\u{1B}[M1\u{1B}[Ca",
      [.key(.control("c")), .key(.right), .key(.character("a"))]
    ),
    ("\u{1B}[\(String(repeating: "1;", count: 50))uq", [.key(.character("q"))]),
    // The 8-bit controls of a VT220, in UTF-8. A letter of a title has the byte of ST.
    (
      "\u{9B}A\u{8F}P\u{9D}11;Ü1\u{9C}a\u{1B}]2;Üx\u{7}b",
      [.key(.up), .key(.character("a")), .key(.character("b"))]
    ),
    // Kitty's form of Ctrl-[, of Ctrl-C where the keyboard has other letters, and of the keypad.
    (
      "\u{1B}[91;5u\u{1B}[27;5;91~\u{1B}[1089::99;5u\u{1B}[57411u",
      [.key(.escape), .key(.escape), .key(.control("c")), .key(.character("*"))]
    ),
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
    #expect(decoder.feed([0x1B]) + decoder.feed([0x1B]) == [] && decoder.delay == .milliseconds(50))
    #expect(decoder.timeOut() == [.key(.escape), .key(.escape)])
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

  /// A VT220 can send its 8-bit controls as single bytes.
  @Test func eightBitControls() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x9B] + "B".utf8) == [.key(.down)])
    #expect(decoder.feed([0x1B, 0x9B] + "3~".utf8) == [.key(.deleteWordAfter)])
    #expect(decoder.feed([0x9D] + "11;rgb:ff".utf8 + [0x9C] + "x".utf8) == [.key(.character("x"))])
    #expect(decoder.feed([0x84, 0x9C] + "y".utf8) == [.key(.character("y"))])
  }

  @Test func aPasteWithoutAnEnd() {
    var decoder = KeyDecoder()
    #expect(decoder.feed("\u{1B}[200~a\n\u{3}".utf8) == [])
    #expect(decoder.delay == .seconds(2))
    #expect(decoder.timeOut() == [.paste("a\n\u{3}")] && decoder.delay == nil)
    #expect(decoder.feed([0x03]) == [.key(.control("c"))])
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

  /// A sequence of a key or a reply of the terminal, in a form of xterm, Kitty, VT220, rxvt or the console of
  /// Linux.
  ///
  /// - Returns: The bytes behind Esc, and the character that the key types, if it does.
  private static func sequence(_ random: inout SeededGenerator) -> (bytes: String, types: Character?) {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func text(_ length: Int) -> String {
      String((0..<length).map { _ in random.pick(Array("abqjkxyz019;:=/?+ ,.-é日")) })
    }
    let modifiers = number(1...16)
    let letter = random.pick(Array("abjkqxyzé日"))
    let code = letter.unicodeScalars.first?.value ?? 0
    let end = random.pick(["\u{1B}\\", "\u{1B}\\", "\u{7}"])
    return switch number(0...21) {
    case 0: ("[" + String(random.pick(Array("ABCDEFHZabcdPQRS"))), nil)
    case 1: ("[1;\(modifiers)" + String(random.pick(Array("ABCDEFHPQRS"))), nil)
    case 2: ("[1;\(modifiers):\(number(1...3))" + String(random.pick(Array("ABCDEFHPQS"))), nil)
    case 3: ("O" + String(random.pick(Array("ABCDEFHPQRSabcd"))), nil)
    case 4: ("O\(modifiers)" + String(random.pick(Array("ABCDFHPQRS"))), nil)
    case 5:
      ("[\(random.pick([1, 2, 3, 4, 5, 6, 7, 8] + Array(11...34)))" + random.pick(["~", "^", "$", "@"]), nil)
    case 6: ("[\(random.pick([1, 2, 3, 4, 5, 6] + Array(11...34)));\(modifiers)~", nil)
    case 7: ("[[" + String(random.pick(Array("ABCDE"))), nil)
    case 8: ("[\(code)u", letter)
    case 9: ("[\(code):\(code);1:\(random.pick([1, 2]));\(code)u", letter)
    case 10: ("[\(code);\(random.pick([5, 7, 13]))u", nil)
    case 11: ("[\(code);1:3u", nil)
    case 12: ("[\(number(57_358...57_398));\(modifiers)u", nil)
    case 13: ("[27;\(random.pick([5, 7]));\(code)~", nil)
    case 14: ("[<\(number(0...255));\(number(1...300));\(number(1...99))" + random.pick(["M", "m"]), nil)
    case 15: ("[M" + String((0..<3).map { _ in Character(Unicode.Scalar(UInt8(number(32...126)))) }), nil)
    case 16:
      (
        "[" + random.pick(["I", "O", "0n", "3;40R", "8;24;80t", "48;24;80;480;800t", "4;1$y", "32;3;4M"]), nil
      )
    case 17:
      (
        "[" + random.pick(["?62;1;6c", ">41;390;0c", "=1;2c", "?1u", "?997;1n", "?2026;2$y", "?1;4;256S"]),
        nil
      )
    case 18: ("]\(number(0...60));\(text(number(0...100)))" + end, nil)
    case 19: ("P" + random.pick([">|", "1$r", "1+r", "!|", "0+r"]) + text(number(0...90)) + "\u{1B}\\", nil)
    case 20: (random.pick(["_G", "^", "X", "_"]) + text(number(0...90)) + "\u{1B}\\", nil)
    default: ("\u{1B}[" + String(random.pick(Array("ABCDHF"))), nil)
    }
  }

  /// No sequence types letters, counts as Esc or takes the next key with it, however its bytes are divided,
  /// nor does one that has no end.
  @Test func sequencesOfTerminals() {
    var random = SeededGenerator(seed: propertySeed())
    let next = [BrowseInput.key(.character("k"))]
    for _ in 0..<2_000 {
      let (text, types) = Self.sequence(&random)
      let bytes = [0x1B] + Array(text.utf8)
      var whole = KeyDecoder()
      let found = whole.feed(bytes)
      let typed = found.filter { if case .key(.character) = $0 { true } else { $0 == .key(.escape) } }
      #expect(typed == (types.map { [.key(.character($0))] } ?? []) && whole.delay == nil, "\(text)")
      #expect(whole.feed([UInt8(ascii: "k")]) == next, "\(text)")
      for cut in 1..<bytes.count {
        var parts = KeyDecoder()
        #expect(parts.feed(bytes[..<cut]) + parts.feed(bytes[cut...]) == found, "\(text) \(cut)")
        // The rest of what has begun does not come.
        var open = KeyDecoder()
        let early =
          open.feed(bytes[..<cut]) + (cut == 1 || bytes[..<cut] == [0x1B, 0x1B] ? [] : open.timeOut())
        if open.delay != nil { _ = open.timeOut() }
        #expect(early == [] && open.feed([UInt8(ascii: "k")]) == next, "\(text) \(cut)")
      }
    }
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
