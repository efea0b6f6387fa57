import Foundation
import TestSupport
import Testing

@testable import ForagePluginHost

struct SHA256Tests {
  /// The examples of FIPS 180, and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func examples(_ text: String, _ digest: String) {
    #expect(SHA256.hex(of: Array(text.utf8)) == digest)
  }

  /// All lengths around the ends of blocks, in pieces of any size, against `sha256sum`.
  @Test func piecesOfAnySize() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let root = try TemporaryDirectory()
    var messages: [[UInt8]] = []
    for length in 0...200 {
      messages.append((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
      try Data(messages[length]).write(to: URL(fileURLWithPath: root.path(String(length))))
    }
    let printed = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["sha256sum"] + (0...200).map { root.path(String($0)) },
      environment: ProcessInfo.processInfo.environment)
    let lines = printed.out.split(separator: "\n")
    for (message, line) in zip(messages, lines) {
      var (hash, rest) = (SHA256(), message[...])
      while !rest.isEmpty {
        let piece = Array(rest.prefix(Int.random(in: 1...150, using: &random)))
        piece.withUnsafeBytes { hash.update($0) }
        rest = rest.dropFirst(piece.count)
      }
      #expect(hash.hex() == line.prefix(64), "seed \(seed), \(message.count) bytes")
    }
    #expect(lines.count == messages.count)
  }
}
