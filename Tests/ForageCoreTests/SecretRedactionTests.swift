import ForageCore
import Foundation
import TestSupport
import Testing

/// Secrets in what plugins and servers write.
struct SecretRedactionTests {
  private static let secret = "gh/p+0123456789 \"abc\\def"

  /// The ways in which a secret is written: as it is, percent-encoded, in Base64, and each in a string of
  /// JSON.
  private static func spellings(_ secret: String) throws -> [String] {
    let kept = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    let keptInPaths = kept.union(CharacterSet(charactersIn: "/+=!'()*"))
    let percent = try [kept, keptInPaths].map {
      try #require(secret.addingPercentEncoding(withAllowedCharacters: $0))
    }
    let lower = percent.map { $0.replacing(/%../, with: { $0.output.lowercased() }) }
    let base64 = Data(secret.utf8).base64EncodedString()
    let safe = base64.replacing("+", with: "-").replacing("/", with: "_")
    let plain = [secret] + percent + lower + [base64, safe]
    let json = plain.map {
      String(decoding: JSONTree.string($0).encoded().dropFirst().dropLast(), as: UTF8.self)
    }
    let hexadecimal = secret.unicodeScalars.map { scalar in
      "<>&+/'\"\\".unicodeScalars.contains(scalar)
        ? "\\u00" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
    return plain + json + json.map { $0.replacing("/", with: "\\/") } + [hexadecimal]
  }

  @Test(arguments: [secret, "-----BEGIN KEY-----\nMIIB\tAB+c/d\r\n-----END KEY-----\n"])
  func eachSpellingIsMasked(_ secret: String) throws {
    let redaction = SecretRedaction([secret])
    let literal = secret.replacing("\n", with: "\\n").replacing("\t", with: "\\t").replacing(
      "\r", with: "\\r")
    for text in try Self.spellings(secret) + (literal.contains("\\n") ? [literal] : []) {
      #expect(redaction.redacted("key=\(text)&q=x") == "key=•••&q=x")
      #expect(redaction.redacted(text) == "•••")
      #expect(redaction.redacted("\(text)\(text)") == "••••••")
    }
  }

  /// The credentials of Basic authentication hold the secret behind a user name, at any alignment.
  @Test(arguments: ["", "u", "us", "use", "user"])
  func basicCredentialsAreMasked(_ user: String) {
    let bytes = Data("\(user):\(Self.secret)".utf8)
    let text = bytes.base64EncodedString()
    for form in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
      let hidden = SecretRedaction([Self.secret]).redacted("Basic \(form), sorry")
      #expect(hidden.hasPrefix("Basic ") && hidden.hasSuffix("•••, sorry"), "\(hidden)")
      #expect(hidden.count <= "Basic •••, sorry".count + (user.utf8.count + 1) * 8 / 6 + 1, "\(hidden)")
    }
  }

  /// Bytes beside a secret leave at most one digit of Base64 on each side that holds bits of it.
  @Test func base64WithinMoreIsMasked() {
    for alignment in 0..<3 {
      let text = String(repeating: "u", count: alignment) + Self.secret + "xyz"
      let hidden = SecretRedaction([Self.secret]).redacted(Data(text.utf8).base64EncodedString())
      #expect(hidden.contains("•••") && hidden.count <= 3 + 3 + 5 + 2, "\(hidden)")
    }
  }

  /// Secrets of several scripts, with quotes, slashes and escapes of their own, and one in its decomposed
  /// form.
  private static let beyondASCII = [
    "pässwörd-schlüssel", "pa\u{308}sswo\u{308}rd-schlu\u{308}ssel", "ключ-от-всего", "密码是非常安全的",
    "🔑-schlüssel-😀", "\"ü/ä\\ö\"/geheim", "a%C3%BC+ü 100%",
  ]

  /// The encodings of a secret with letters beyond ASCII, each for a text.
  private static let encodings: [@Sendable (String) -> String] = [
    { $0 }, { $0.precomposedStringWithCanonicalMapping }, { $0.decomposedStringWithCanonicalMapping },
    { escaped($0) { _ in true } }, { escaped($0, isUpper: true) { _ in true } },
    { escaped($0) { $0.isMultiple(of: 2) } }, { escaped(escaped($0) { _ in true }) { _ in true } },
    { escaped($0.decomposedStringWithCanonicalMapping) { _ in true } },
    { percentEncoded($0, keeping: "-._~") }, { percentEncoded($0, keeping: "-._~").lowercasedEscapes },
    { percentEncoded($0, keeping: "-._~/=!'()*&\"\\") },
    { percentEncoded($0, keeping: "-._~ ").replacing(" ", with: "+") },
    { percentEncoded(percentEncoded($0, keeping: "-._~"), keeping: "-._~") },
    { Data($0.utf8).base64EncodedString() },
    { Data($0.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_") },
    { Data($0.utf8).base64EncodedString().replacing("=", with: "") },
    { escaped(Data($0.utf8).base64EncodedString()) { _ in true } },
    // A string of JSON within an address and within the credentials of Basic authentication.
    { percentEncoded(escaped($0) { _ in true }, keeping: "-._~") },
    { Data(escaped($0) { _ in true }.utf8).base64EncodedString() },
    { Data(escaped($0, isUpper: true) { _ in true }.utf8).base64EncodedString() },
    // As UTF-8 that was read as Latin-1, and as Python shows bytes.
    { $0.utf8.map { String(Unicode.Scalar($0)) }.joined() },
    { $0.utf8.map { $0 < 128 ? String(Unicode.Scalar($0)) : "\\x" + String($0, radix: 16) }.joined() },
  ]

  /// A text within a string of JSON, with the escapes that JSON needs and others for some letters.
  private static func escaped(_ text: String, isUpper: Bool = false, _ isChosen: (Int) -> Bool) -> String {
    text.unicodeScalars.enumerated().map { place, scalar in
      switch scalar {
      case "\"", "\\": return "\\" + String(scalar)
      case "/" where isChosen(place): return "\\/"
      case _ where scalar.isASCII || !isChosen(place): return String(scalar)
      default:
        return String(scalar).utf16.map { unit in
          let digits = String(unit, radix: 16, uppercase: isUpper)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      }
    }.joined()
  }

  /// The escapes of JSON for all letters of a text.
  private static func units(_ text: String) -> String {
    text.utf16.map { "\\u" + String(UInt32($0) + 0x10000, radix: 16).dropFirst() }.joined()
  }

  private static func percentEncoded(_ text: String, keeping others: String) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    let kept = CharacterSet(charactersIn: letters + others)
    return text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
  }

  @Test(arguments: beyondASCII) func lettersBeyondASCII(_ secret: String) {
    let redaction = SecretRedaction([secret])
    for (number, encoding) in Self.encodings.enumerated() {
      let text = encoding(secret)
      #expect(redaction.redacted("a \(text) b") == "a ••• b", "encoding \(number): \(text)")
    }
  }

  /// Bytes of Latin-1, and what is left of them where they were read as UTF-8.
  @Test func otherBytes() {
    let redaction = SecretRedaction(["pässwörd-schlüssel"])
    let latin1 = "pässwörd-schlüssel".unicodeScalars.map { UInt8($0.value) }
    #expect(redaction.redacted(latin1) == Array("•••".utf8))
    #expect(redaction.redacted(Data(latin1).base64EncodedString()) == "•••")
    #expect(redaction.redacted(String(decoding: latin1, as: UTF8.self)) == "•••")
    #expect(redaction.redacted("p?ssw?rd-schl?ssel, p%E4ssw%F6rd-schl%FCssel") == "•••, •••")
    // Of a secret without letters of ASCII that would be any text that could not be read.
    let unreadable = "???????? \(String(repeating: "\u{FFFD}", count: 24))"
    #expect(SecretRedaction(["密码是非常安全的"]).redacted(unreadable) == unreadable)
  }

  /// Any secret, in any encoding, within any text: no form is left, and nothing else is lost.
  @Test func noEncodingIsLeft() {
    let letters: [Unicode.Scalar] = Array("abcxyz0189 -_/+%\"\\äöüßéñ密码ключ😀\u{301}\u{308}".unicodeScalars)
    let others = ["", "{\"a\":\"", "x: ", "ü", "\n", " 100% ", "key=", "\u{FFFD}", "🔑"]
    for seed in propertySeeds() {
      var random = SeededGenerator(seed: seed)
      for round in 0..<300 {
        let scalars = (0..<Int.random(in: 8...24, using: &random)).map { _ in random.pick(letters) }
        var secret = "s"
        secret.unicodeScalars.append(contentsOf: scalars)
        let redaction = SecretRedaction([secret])
        let (form, before, after) = (
          random.pick(Self.encodings)(secret), random.pick(others), random.pick(others)
        )
        let hidden = redaction.redacted(before + " " + form + " " + after)
        #expect(hidden == before + " ••• " + after, "seed \(seed), round \(round): \(secret) as \(form)")
      }
    }
  }

  /// A line of JSON remains one, also where the secret follows an escape whose letter it begins with.
  @Test func jsonStaysJSON() throws {
    let redaction = SecretRedaction(["number-1234", "\\back\\slash\\", "\"quoted\""])
    for text in ["a\number-1234", "a\\number-1234", "\\\\back\\slash\\\n", "\\\"quoted\"\\"] {
      let line = JSONTree.object(["a": .string(text)]).encoded()
      let masked = try #require(try JSONTree(parsing: redaction.redacted(line))["a"]?.string)
      #expect(masked.contains("•••") && redaction.redacted(masked) == masked, "\(text)")
    }
  }

  /// Of a key with several lines each line is masked where a text is read line by line.
  @Test func linesOfASecret() {
    let redaction = SecretRedaction(["-----BEGIN KEY-----\nMIIBAQDschlüssel0123\nversion\n"])
    #expect(redaction.redacted("> MIIBAQDschlüssel0123") == "> •••")
    #expect(redaction.redacted("version") == "version")
    // A program leaves out the line break at the end of a variable.
    #expect(SecretRedaction(["geheim-ü\n"]).redacted("Bearer geheim-ü") == "Bearer •••")
  }

  /// Texts of JSON in texts of JSON, in a line of JSON: twice the backslashes with each.
  @Test(arguments: 1...5) func nestedJSON(_ depth: Int) throws {
    for secret in [#"ab\cdefgh"#, #"🔑"schlüssel/😀\x"#, "letters"] {
      for (form, depth) in [(secret, depth), (Self.units(secret), depth - 1)] {
        var text = "a " + form + " b"
        for _ in 0..<depth { text = String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }
        var masked = SecretRedaction([secret]).redacted(text)
        for _ in 0..<depth { masked = try JSONDecoder().decode(String.self, from: Data(masked.utf8)) }
        #expect(masked == "a ••• b", "\(text)")
      }
    }
  }

  /// What a terminal is not given, or does not show, may be between the letters, as it is and escaped.
  @Test func unseenCharacters() throws {
    let secret = "pässwörd 0123"
    let redaction = SecretRedaction([secret])
    let scalars = [0...0xFFFF, 0xE0000...0xE01FF].joined().compactMap(Unicode.Scalar.init)
    let unseen = scalars.filter { SafeText.line(String($0)).isEmpty }
    #expect(unseen.contains("\u{200B}") && unseen.contains("\u{AD}") && unseen.contains("\u{FEFF}"))
    let others: [Unicode.Scalar] = [
      "\0", "\u{1B}", "\u{7F}", "\u{9B}", "\u{200C}", "\u{200D}", "\u{202E}", "\u{2066}", "\u{FE0F}",
      "\u{E0041}", "\u{E0100}", "\u{34F}",
    ]
    for scalar in unseen + others {
      let text = secret.unicodeScalars.map { String($0) + String(scalar) }.joined()
      let escaped = secret.unicodeScalars.map { String($0) + Self.units(String(scalar)) }.joined()
      for form in [text, escaped, escaped.replacing("\\", with: "\\\\")] {
        let hidden = redaction.redacted("a \u{200B}" + form + "b")
        #expect(hidden == "a \u{200B}•••b", "\(Self.units(String(scalar))): \(hidden)")
      }
    }
    // A space for which the terminal is given one.
    #expect(redaction.redacted("pässwörd\t0123, pässwörd\\t0123") == "•••, •••")
    // What the variable itself has of them.
    let marked = SecretRedaction(["\u{FEFF}to\u{200B}ken-0123"])
    #expect(marked.redacted("token-0123, \u{FEFF}to\u{200B}ken-0123") == "•••, •••")
    // A backslash of the secret's own before an escape, and texts in which nothing is hidden.
    #expect(SecretRedaction(["back\\slash"]).redacted(#""back\\\u200bslash""#) == "\"•••\"")
    let plain = "p\u{200B}ässwörd\u{301} 01\u{FE0F}2 \\u200b \n\0"
    #expect(redaction.redacted(plain) == plain)
  }

  /// A secret of digits within numbers of JSON.
  @Test func numbersOfJSON() throws {
    let redaction = SecretRedaction(["123456", "-7.5e10"])
    let line = #"{"a": 123456, "123456": [9123456123456, -7.5e10,1], "b": "a: 123456, \" 1", "c":-123456.5}"#
    let masked = #"{"a": "•••", "•••": ["•••", "•••",1], "b": "a: •••, \" 1", "c":"•••"}"#
    #expect(redaction.redacted(line) == masked)
    #expect(try JSONTree(parsing: Array(redaction.redacted(line).utf8))["c"] == .string("•••"))
    // One that begins within a number and goes on behind it.
    #expect(SecretRedaction(["123456", "78,90x"]).redacted("[12345678,90x]") == "[\"•••\"•••]")
    for text in ["123456", "a: 123456", "[info] 123456", "{123456123456"] {
      #expect(redaction.redacted(text) == text.replacing("123456", with: "•••"))
    }
  }

  /// Twice the text takes twice the time, whatever is in it.
  @Test(arguments: [
    "pässwörd-schlüsse", "p\\u00e4ssw\\u00f6rd-schl\\u00fcsse", "\\", "%25", "+", "aaaaaaaa", "p\u{200B}",
    "p\\u200b", "{123456 ",
  ])
  func timeIsLinear(_ piece: String) {
    let long = String(repeating: "a", count: 100) + "b"
    let redaction = SecretRedaction(
      ["pässwörd-schlüssel", "\\\\back\\slash", "% 100+x %", "123456", long])
    func time(_ count: Int) -> Double {
      let text = Array(String(repeating: piece, count: count / piece.utf8.count).utf8)
      return (0..<5).map { _ in Growth.processorTime { _ = redaction.redacted(text) } }.min() ?? 0
    }
    let (once, more) = (time(2 << 10), time(64 << 10))
    // Of a linear one it is 32, of a quadratic one 1,024.
    #expect(more / once < 180, "\(once), \(more)")
  }

  @Test func everySecretIsMasked() {
    let redaction = SecretRedaction(["first-secret", "second-secret", ""])
    #expect(redaction.redacted("first-secret, second-secret, first-secret") == "•••, •••, •••")
    #expect(redaction.redacted("third-secret") == "third-secret")
  }

  /// A secret within another one leaves nothing of the longer one.
  @Test func theLongestSecretIsMasked() {
    for secrets in [["abcdef", "abcdefgh"], ["abcdefgh", "abcdef"], ["cdefgh", "abcdefgh", "abcdef"]] {
      #expect(SecretRedaction(secrets).redacted("xabcdefghabcdefx") == "x••••••x")
    }
  }

  /// What looks like an escape may belong to the secret.
  @Test(arguments: ["a%41b%2Fc", "a%25b%25", "\\\\double\\", "\"quoted\"", "pässwörd"])
  func escapesInSecrets(_ secret: String) throws {
    for text in try Self.spellings(secret) {
      #expect(SecretRedaction([secret]).redacted("a \(text) b") == "a ••• b", "\(text)")
    }
  }

  /// Short secrets occur by chance, so they are not masked; the user is warned.
  @Test(arguments: ["", "a", "ab", "abc", "1234", "%\\&xy"])
  func shortSecretsAreLeft(_ secret: String) {
    #expect(SecretRedaction.isTooShort(secret) && !SecretRedaction.isTooShort(secret + "abcdef"))
    let text = "a abc \(secret)\(secret) 1234"
    #expect(SecretRedaction([secret]).isEmpty && SecretRedaction([secret]).redacted(text) == text)
  }

  @Test func withoutSecretsNothingIsMasked() {
    let redaction = SecretRedaction([])
    #expect(redaction.isEmpty && redaction.redacted("abc") == "abc" && redaction.redacted([UInt8]()) == [])
  }

  @Test(arguments: ["", "%", "%2", "\\", "a%", "012345678", "0123456\n789", "%zz0123456789"])
  func otherTextStays(_ text: String) {
    #expect(SecretRedaction(["0123456789a"]).redacted(text) == text)
  }

  @Test func bytesThatAreNotUTF8Stay() {
    let bytes: [UInt8] = [0xFF, 0x25, 0xC3] + Array("secret-1".utf8) + [0x80]
    let redaction = SecretRedaction(["secret-1"], mask: "***")
    #expect(redaction.redacted(bytes) == [0xFF, 0x25, 0xC3] + Array("***".utf8) + [0x80])
  }

  /// Whatever stands around secrets, no spelling of them is left, and nothing else is lost.
  @Test func noSpellingIsLeft() throws {
    let secrets = [
      "sk_live-Ab9/xYz+0123", "päss-wörd-😀-1234", "0123456789abcdef", "tok<>\"quoted\"", "tok<>\"",
      "a%41b%2Fc",
    ]
    let forms = try secrets.flatMap(Self.spellings)
    let redaction = SecretRedaction(secrets)
    let others = [
      "\n", " plain é ", "%", "%2", "\\", "\\/", "0123", "ghp", "\u{FFFD}", "\"", "•••", "tok<", "==",
    ]
    for seed in propertySeeds() {
      var random = SeededGenerator(seed: seed)
      for round in 0..<1000 {
        var (text, wanted) = ("", "")
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          let (form, other) = (random.pick(forms), random.pick(others))
          // Ended by a space, a piece is no part of an escape or of Base64.
          text += other + " " + form + " "
          wanted += other + " ••• "
        }
        let hidden = redaction.redacted(text)
        #expect(hidden == wanted, "seed \(seed), round \(round): \(text)")
        for form in forms { #expect(!hidden.contains(form), "seed \(seed), round \(round): \(text)") }
      }
    }
  }

  /// The same with nothing between the pieces, which may join to more than was put in.
  @Test func noSpellingIsLeftInJoinedPieces() throws {
    let secrets = ["abcabcabd", "0123456789", Self.secret]
    let forms = try secrets.flatMap(Self.spellings)
    let redaction = SecretRedaction(secrets)
    let pieces = forms + ["abcabc", "abd", "0123", "%30", "\\", "%", "=", "\n", "YWJjYWJj"]
    for seed in propertySeeds() {
      var random = SeededGenerator(seed: seed)
      for round in 0..<1000 {
        let count = Int.random(in: 1...12, using: &random)
        let text = (0..<count).map { _ in random.pick(pieces) }.joined()
        let hidden = redaction.redacted(text)
        for form in forms { #expect(!hidden.contains(form), "seed \(seed), round \(round): \(text)") }
        #expect(redaction.redacted(hidden) == hidden, "seed \(seed), round \(round): \(text)")
      }
    }
  }
}

extension String {
  fileprivate var lowercasedEscapes: String { replacing(/%../, with: { $0.output.lowercased() }) }
}
