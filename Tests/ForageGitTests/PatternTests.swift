import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct PatternTests {
  /// Whether a pattern matches a file or a folder above it.
  private func matches(_ pattern: String, _ path: String, foldsCase: Bool = false) -> Bool {
    var patterns = PathPatterns(foldsCase: foldsCase)
    patterns.append(Array(pattern.utf8)[...])
    let bytes = Array(path.utf8)
    var nameStart = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      let isMatch = bytes.withUnsafeBytes {
        patterns.matches(
          0, UnsafeRawBufferPointer(rebasing: $0[0..<end]), nameStart: nameStart,
          isDirectory: end < bytes.count)
      }
      if isMatch { return true }
      nameStart = end + 1
    }
    return false
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

  @Test(arguments: [false, true]) func randomPatternsLikeGit(foldsCase: Bool) async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    if foldsCase { try await repository.git("config core.ignoreCase true") }
    for round in 0..<60 {
      var parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.pieces) }
      if random.chance(0.3) { parts.insert("", at: 0) }
      if random.chance(0.2) { parts.append("") }
      let pattern = parts.joined(separator: random.chance(0.8) ? "/" : "")
      let paths = Set(
        (0..<60).map { _ in
          (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.names) }.joined(
            separator: "/")
        })
      // Where the end counts, the file has another rule than the pattern.
      if pattern.last == " " || pattern.last == "\\" || pattern.isEmpty { continue }
      try repository.write(".gitignore", pattern + "\n")
      let printed = try? await repository.git(
        ["check-ignore", "--no-index", "-z", "--stdin"], input: Data(paths.joined(separator: "\0").utf8))
      let expected = Set((printed ?? "").split(separator: "\0").map(String.init))
      for path in paths {
        #expect(
          matches(pattern, path, foldsCase: foldsCase) == expected.contains(path),
          "seed \(seed), round \(round): \(path) by \(pattern.debugDescription)")
      }
    }
  }

  /// The time is bounded by the lengths, whatever the pattern.
  @Test func patternsThatBacktrack() {
    let text = String(repeating: "a", count: 3000)
    for pattern in [
      String(repeating: "*a", count: 200) + "b", "/" + String(repeating: "**/*a", count: 30) + "/b",
    ] {
      #expect(!matches(pattern, text))
    }
    #expect(matches(String(repeating: "*a", count: 200) + "b", text + "b"))
  }
}
