import Foundation
import TestSupport
import Testing

@testable import ForageCore

/// Secrets in what plugins and servers write.
struct SecretRedactionTests {
  private static let secret = "gh/p+0123456789 \"abc\\def"

  private static func encoded(_ secret: String, after prefix: String) -> String {
    Data((prefix + secret + "xyz").utf8).base64EncodedString()
  }

  @Test func secretsBecomeMasks() {
    let redaction = SecretRedaction(["ab", "abc", ""])
    #expect(redaction.redacted("xabcabx") == "x••••••x")
    #expect(SecretRedaction([]).redacted("abc") == "abc")
    #expect(SecretRedaction([]).isEmpty)
  }

  @Test(arguments: [
    "0123456789abcdef", "0123456789\nabcdef", "0123456\r\n789abcdef", "%30123456789abcdef",
    "0\n1\n2345678\n9abcdef",
  ])
  func lineBreaksHideNothing(_ text: String) {
    let hidden = SecretRedaction(["0123456789abcdef"]).redacted("before \(text) after")
    #expect(text.hasPrefix("%") ? hidden.hasPrefix("before %3") : hidden == "before ••• after")
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
      #expect(form.contains("%2f") || hidden == "GET /search?key=•••&q=x", "\(hidden)")
    }
  }

  @Test func partsAtBothEndsAreHidden() {
    let redaction = SecretRedaction(["0123456789abcdefghij"])
    #expect(redaction.redacted("key 0123456789") == "key •••")
    #expect(redaction.redacted("89abcdefghij is wrong") == "••• is wrong")
    #expect(redaction.redacted("012345 is a number") == "012345 is a number")
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
