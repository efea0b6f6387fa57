import TestSupport
import Testing

@testable import ForagePluginHost

struct SHA256Tests {
  /// The examples of FIPS 180-4 (NIST, "Secure Hash Standard examples") and the empty message of the
  /// validation suite.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]) func examples(_ message: String, _ digest: String) {
    #expect(SHA256.digest(message.utf8) == digest)
  }

  @Test func aMillionTimesA() {
    #expect(
      SHA256.digest(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Every length around the ends of blocks, in pieces of any size, is the same as at once.
  @Test func anyPieces() {
    var random = SeededGenerator(seed: propertySeed())
    for length in 0...260 {
      let message = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      var hash = SHA256()
      var rest = message[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...100, using: &random))
        piece.withUnsafeBytes { hash.update($0) }
        rest = rest.dropFirst(piece.count)
      }
      #expect(hash.finish() == SHA256.digest(message))
    }
  }
}
