import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct PatternTests {
  /// Whether a pattern matches a path or a folder above it.
  private func matches(_ pattern: String, _ path: String) -> Bool {
    let glob = Glob(Array(pattern.utf8)[...])
    let bytes = Array(path.utf8)
    return (1...bytes.count).contains { end in
      guard end == bytes.count || bytes[end] == UInt8(ascii: "/") else { return false }
      return bytes.withUnsafeBytes { glob.matches(UnsafeRawBufferPointer(rebasing: $0[0..<end])) }
    }
  }

  private static let pieces = [
    "a", "b", "foo", "x.c", "*", "**", "?", "*.c", "f*", "[ab]", "[!a]", "[^b-z]", "[]a]", "[a-]", "\\a",
    "\\*",
    "[[:alpha:]]", "[[:digit:][:upper:]]", "[[:bad:]]", "[a", "f*o", "*o*", "a**b", "***", "?oo", "A",
    "[A-C]", " ",
    "b\\ ", "ü", "\\", "[\\]]", ".c",
  ]
  private static let names = [
    "a", "b", "foo", "x.c", "A", "bb", "ab", "axb", "fo", "f o", "*", "]", "-", "ü", "y.c", "C1",
  ]

  @Test func randomPatternsLikeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    for round in 0..<120 {
      let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.pieces) }
      let pattern = parts.joined(separator: random.chance(0.8) ? "/" : "")
      let paths = Set(
        (0..<60).map { _ in
          (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.names) }.joined(
            separator: "/")
        })
      // Where the end counts, the file has another rule than the pattern.
      if pattern.last == " " || pattern.last == "\\" { continue }
      try repository.write(".gitignore", "/" + pattern + "\n")
      let printed = try? await repository.git(
        ["check-ignore", "--no-index", "-z", "--stdin"], input: Data(paths.joined(separator: "\0").utf8))
      let expected = Set((printed ?? "").split(separator: "\0").map(String.init))
      for path in paths {
        #expect(
          matches(pattern, path) == expected.contains(path),
          "seed \(seed), round \(round): \(path) by \(pattern.debugDescription)")
      }
    }
  }

  /// The time is bounded by the lengths, whatever the pattern.
  @Test func patternsThatBacktrack() {
    let text = String(repeating: "a", count: 3000)
    for pattern in [
      String(repeating: "*a", count: 200) + "b", String(repeating: "**/*a", count: 30) + "/b",
    ] {
      #expect(!matches(pattern, text))
    }
    #expect(matches(String(repeating: "*a", count: 200) + "b", text + "b"))
  }
}
