import ForageCore
import Foundation
import TestSupport
import Testing

/// Secrets in what plugins and servers write.
struct SecretRedactionTests {
  private static let secret = "gh/p+0123456789 \"abc\\def"

  private static func encoded(_ secret: String, after prefix: String) -> String {
    Data((prefix + secret + "xyz").utf8).base64EncodedString()
  }

  @Test func secretsBecomeMasks() {
    let redaction = SecretRedaction(["abcdef", "abcdefgh", ""])
    #expect(redaction.redacted("xabcdefghabcdefx") == "x••••••x")
    #expect(SecretRedaction([]).redacted("abc") == "abc")
    #expect(SecretRedaction([]).isEmpty)
  }

  @Test(arguments: [
    "0123456789abcdef", "0123456789\nabcdef", "0123456\r\n789abcdef", "%30123456789abcdef",
    "0\n1\n2345678\n9abcdef", "01234567\n        89abcdef", "0123456 \r\n\t\t789abcdef",
    #"01234567\n    89abcdef"#, "01234567%0A%0989abcdef", "01\u{0}23456789ab\u{7}cdef",
    "0123\u{1B}[1;31m456789\u{1B}[0mabcdef", "0123\u{200B}4567\u{AD}89\u{FEFF}abcdef",
    #"0123\u200b4567\u001b[31m89\u0000abcdef"#, "30:31:32:33:34:35:36:37:38:39:61:62:63:64:65:66",
    "30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66",
  ])
  func lineBreaksHideNothing(_ text: String) {
    let hidden = SecretRedaction(["0123456789abcdef"]).redacted("before \(text) after")
    #expect(hidden == "before ••• after")
  }

  @Test(arguments: 0..<3)
  func base64HidesNothing(_ alignment: Int) {
    let prefix = String(repeating: "u", count: alignment)
    let text = Self.encoded(Self.secret, after: prefix)
    let core = text.dropFirst(4).dropLast(8)
    let url = text.replacing("+", with: "-").replacing("/", with: "_")
    for form in [text, url] {
      let hidden = SecretRedaction([Self.secret]).redacted("Authorization: Basic \(form)")
      #expect(hidden.contains("•••") && !hidden.contains(core), "\(hidden)")
    }
  }

  @Test func percentEncodingHidesNothing() throws {
    let set = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    let encoded = try #require(Self.secret.addingPercentEncoding(withAllowedCharacters: set))
    let redaction = SecretRedaction([Self.secret])
    for form in [encoded, encoded.replacing("%20", with: "+"), encoded.replacing("%2F", with: "%2f")] {
      let hidden = redaction.redacted("GET /search?key=\(form)&q=x")
      #expect(hidden == "GET /search?key=•••&q=x")
    }
  }

  /// Nothing of Base64 that holds a secret is left behind it.
  @Test func base64HasNoTail() {
    for more in ["", ":", "::", ": a"] {
      let text = Data(("0123456789abcdefgh" + more).utf8).base64EncodedString()
      let hidden = SecretRedaction(["0123456789abcdefgh"]).redacted("token \(text), sorry")
      #expect(hidden == "token •••, sorry", "\(text)")
    }
  }

  /// A secret that is split in two leaves neither half.
  @Test func endsAreHidden() {
    let redaction = SecretRedaction(["0123456789abcdefghij"])
    #expect(redaction.redacted("a 0123456789 and abcdefghij!") == "a ••• and •••!")
    #expect(redaction.redacted("a 89abcdefghij!") == "a •••!")
    #expect(redaction.redacted("a bcdefghij!") == "a bcdefghij!")
    let long = String((0..<4000).map { Character(UnicodeScalar(UInt8(97 + $0 * $0 / 7 % 26))) })
    #expect(!SecretRedaction([long]).redacted("a \(long.dropFirst(900))!").contains(long.suffix(2000)))
  }

  @Test func partsAtBothEndsAreHidden() {
    let redaction = SecretRedaction(["0123456789abcdefghij"])
    #expect(redaction.redacted("key 0123456789") == "key •••")
    #expect(redaction.redacted("89abcdefghij is wrong") == "••• is wrong")
    #expect(redaction.redacted("012345 is a number") == "012345 is a number")
  }

  /// Each way in which a program may write a secret.
  @Test(arguments: [
    "uppercased", "lowercased", "hexadecimal", "HEXADECIMAL", "twice", "entities", "references", "json",
    "json again", "ascii", "wrapped Base64", "cut", "key of a line",
  ])
  func encodingsHideNothing(_ way: String) throws {
    let secret = "Ab/c+12&%4<\"é\\xyz-0987"
    func percent(_ text: String) -> String {
      text.utf8.map { byte in
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
          ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
    func json(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
    }
    let hexadecimal = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let base64 = Data(secret.utf8).base64EncodedString()
    let text =
      switch way {
      case "uppercased": secret.uppercased().replacing("É", with: "é")
      case "lowercased": secret.lowercased()
      case "hexadecimal": hexadecimal
      case "HEXADECIMAL": hexadecimal.uppercased()
      case "twice": percent(percent(secret))
      case "entities":
        secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      case "references": secret.replacing("&", with: "&#38;").replacing("<", with: "&#x3C;")
      case "json": json(secret)
      case "json again": json(json(secret))
      case "ascii": json(secret).replacing("é", with: "\\u00e9")
      case "wrapped Base64": String(base64.prefix(10)) + "\n  " + String(base64.dropFirst(10).prefix(19))
      case "cut": String(secret.prefix(14)) + "…"
      default: String(secret.prefix(9)) + "\n    " + String(secret.dropFirst(9))
      }
    let hidden = SecretRedaction([secret]).redacted("login with \(text), sorry")
    #expect(hidden.hasPrefix("login with •••") && hidden.hasSuffix(", sorry"), "\(text): \(hidden)")
    #expect(hidden.count <= "login with •••…==, sorry".count + 2, "\(text): \(hidden)")
  }

  /// A text in which a part of the characters is encoded, each in a way of its own.
  private static func mixed(_ text: String, _ random: inout SeededGenerator) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let code = scalar.value
      func hexadecimal(_ number: some BinaryInteger, _ width: Int, _ random: inout SeededGenerator) -> String
      {
        let digits = String(number, radix: 16, uppercase: Bool.random(using: &random))
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
      switch Int.random(in: 0..<9, using: &random) {
      case 0: for byte in String(scalar).utf8 { result += "%" + hexadecimal(byte, 2, &random) }
      case 1:
        result += "&#" + String(repeating: "0", count: Int.random(in: 0...12, using: &random)) + "\(code);"
      case 2: result += "&#" + random.pick(["x", "X"]) + hexadecimal(code, 1, &random) + ";"
      case 3:
        for unit in String(scalar).utf16 { result += "\\u" + hexadecimal(unit, 4, &random) }
      case 4: for byte in String(scalar).utf8 { result += "\\x" + hexadecimal(byte, 2, &random) }
      case 5: result += "\\u{" + hexadecimal(code, 1, &random) + "}"
      // A character that begins escapes would be part of the next one.
      default: result += ["\\": "\\\\", "%": "%25", "&": "&amp;"][scalar] ?? String(scalar)
      }
    }
    return result
  }

  /// Whatever mixture of encodings a secret is written in, and however the text is cut into pieces, nothing of it
  /// is left.
  @Test func mixedEncodingsHideNothing() throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let secrets = [
      "sk_live-Ab9/xYz+0123", "päss-wörd-😀-1234", "a%41b%2Fsecret\\u0041q", "0123456789abcdef",
      "tok&amp;en<>\"quoted\"",
    ]
    for round in 0..<1000 {
      let secret = random.pick(secrets)
      let redaction = SecretRedaction([secret])
      var text = secret
      for _ in 0..<Int.random(in: 0...2, using: &random) { text = Self.mixed(text, &random) }
      text = "see https://a.example/\(text)?page=1"
      let wanted = "see https://a.example/•••?page=1"
      let told = "seed \(seed), round \(round): \(text)"
      #expect(redaction.redacted(text) == wanted, "\(told)")
      let json = JSONTree.object(["url": .string(text)]).encoded()
      let hidden = json.withUnsafeBufferPointer { redaction.redacted(json: $0) } ?? json
      #expect(try JSONTree(parsing: hidden)["url"] == .string(wanted), "\(told)")
      var stream = SecretRedaction.Stream(redaction)
      var (rest, pieces) = (ArraySlice(Array(text.utf8)), [UInt8]())
      while !rest.isEmpty {
        let piece = Array(rest.prefix(Int.random(in: 1...7, using: &random)))
        rest = rest.dropFirst(piece.count)
        pieces += piece.withUnsafeBytes { stream.append($0) }
      }
      pieces += stream.finish()
      #expect(String(decoding: pieces, as: UTF8.self) == wanted, "\(told)")
    }
  }

  /// Each way in which one encoding may be within another.
  @Test(arguments: [
    "%26%2348%3B123456789abcdef", "%5Cu0030123456789abcdef", "&percnt;3012345%367%26%23x38%3B9abcdef",
    #"\u002530123456789abcdef"#, "&#00000000048;123456789abcdef", "%2530123456789abcdef",
    "%250A0123456789abcdef",
    "0123&#8203;456&shy789abcdef".replacing("&shy", with: "\\u00ad"), "01234567%E2%80%8B89abcdef",
  ])
  func encodingsWithinEncodings(_ text: String) {
    let hidden = SecretRedaction(["0123456789abcdef"]).redacted("before=\(text) after")
    #expect(hidden.hasPrefix("before=") && hidden.hasSuffix("••• after") && !hidden.contains("abcdef"))
  }

  /// A text that is longer than what is decoded at a time.
  @Test(arguments: ["x", "%41", "\\", "&amp;", "%2525", "0"])
  func longTextsAreRead(_ filling: String) {
    let secret = "0123456789abcdef"
    for length in [65_520, 65_530, 131_072] {
      let around = String(repeating: filling, count: length / filling.utf8.count)
      let hidden = SecretRedaction([secret]).redacted("\(around) \(secret) \(around)")
      #expect(hidden.contains(" ••• ") && !hidden.contains("abcdef"))
    }
  }

  /// Short secrets occur by chance, so they are not masked; the user is warned.
  @Test(arguments: ["a", "ab", "abc", "1234", "%\\&xy"])
  func shortSecretsAreLeft(_ secret: String) {
    #expect(SecretRedaction.isTooShort(secret) && !SecretRedaction.isTooShort(secret + "abcde"))
    let text = "a abc \(secret)\(secret) 1234"
    #expect(SecretRedaction([secret]).isEmpty && SecretRedaction([secret]).redacted(text) == text)
  }

  /// Whatever a text holds, masking keeps JSON valid, and ends.
  @Test func masksKeepJSONValid() throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let secrets = ["\\\\u0041abc\"\\", "0041abcdef", "ab&amp;%25%4x", "päss-wörd-12"]
    let redaction = SecretRedaction(secrets)
    let pieces =
      secrets + ["\\", "\"", "\n", "%", "%2", "&", "&am", "\\u0041", "0041abcdef", "x", "é", "\u{0}"]
    for round in 0..<1000 {
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in random.pick(pieces) }.joined()
      let bytes = JSONTree.object(["m": .string(text), "n": .array([.string(text)])]).encoded()
      let hidden = bytes.withUnsafeBufferPointer { redaction.redacted(json: $0) } ?? bytes
      let tree = try? JSONTree(parsing: hidden)
      #expect(tree != nil, "seed \(seed), round \(round): \(text.debugDescription)")
      for secret in secrets {
        #expect(
          tree?["m"]?.string?.contains(secret) == false,
          "seed \(seed), round \(round): \(text.debugDescription)")
      }
    }
  }

  /// However the bytes are cut into pieces, the same comes out, and never the secret.
  @Test func piecesMakeNoDifference() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let secrets = ["0123456789", "abcabcabd", Self.secret]
    let redaction = SecretRedaction(secrets)
    for round in 0..<1000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        text += random.pick(secrets + ["abcabc", "0123", "\n", " plain é ", "%30", "ghp", "\u{FFFD}"])
      }
      let whole = redaction.redacted(text)
      var stream = SecretRedaction.Stream(redaction)
      var (rest, pieces) = (ArraySlice(Array(text.utf8)), [UInt8]())
      while !rest.isEmpty {
        let piece = Array(rest.prefix(Int.random(in: 1...7, using: &random)))
        rest = rest.dropFirst(piece.count)
        pieces += piece.withUnsafeBytes { stream.append($0) }
      }
      pieces += stream.finish()
      #expect(String(decoding: pieces, as: UTF8.self) == whole, "seed \(seed), round \(round)")
      for secret in secrets {
        #expect(!whole.contains(secret), "seed \(seed), round \(round): \(whole)")
      }
    }
  }

  @Test(arguments: [
    #"{"message":"login with gh\/p+0123456789 \"abc\\def failed","n":1}"#,
    #"{"message":"gh/p\u002b0123456789 \u0022abc\\def"}"#,
    #"{"message":"Traceback: gh/p+012345\n6789 \"abc\\def"}"#,
  ])
  func stringsOfJSON(_ text: String) throws {
    let bytes = Array(text.utf8)
    let hidden = try #require(
      bytes.withUnsafeBufferPointer { SecretRedaction([Self.secret]).redacted(json: $0) })
    let message = try #require(try JSONTree(parsing: hidden)["message"]?.string)
    #expect(message.contains("•••") && !message.contains("0123456789") && !message.contains("def"))
  }

  @Test(arguments: [#"{"n":12345678,"a":["x"]}"#, #"{"a":"1234567"}"#, "[]", "\"", "\\"])
  func whatHoldsNoSecretStays(_ text: String) {
    let hidden = Array(text.utf8).withUnsafeBufferPointer { SecretRedaction(["12345678"]).redacted(json: $0) }
    #expect(hidden == nil)
  }
}
