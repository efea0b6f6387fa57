import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct IgnoreTests {
  /// Whether rules ignore a file, asked as in a walk: first of the folders above it.
  private func ignores(_ rules: IgnoreRules?, _ path: String) -> Bool {
    let bytes = Array(path.utf8)
    var nameStart = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      let verdict = bytes.withUnsafeBytes {
        rules?.verdict(
          UnsafeRawBufferPointer(rebasing: $0[0..<end]), nameStart: nameStart, isDirectory: end < bytes.count)
      }
      if verdict == true { return true }
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

  @Test(arguments: [false, true]) func randomRulesLikeGit(foldsCase: Bool) async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    if foldsCase { try await repository.git("config core.ignoreCase true") }
    for round in 0..<40 {
      var text = random.chance(0.1) ? "\u{FEFF}" : ""
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        var parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.pieces) }
        if random.chance(0.3) { parts.insert("", at: 0) }
        if random.chance(0.2) { parts.append("") }
        text += (random.chance(0.2) ? "!" : "") + parts.joined(separator: random.chance(0.8) ? "/" : "")
        text += random.pick(["\n", "\n", "\r\n", "  \n", "\n\n#c\n"])
      }
      let paths = Set(
        (0..<60).map { _ in
          (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.names) }.joined(
            separator: "/")
        })
      try repository.write(".gitignore", text)
      let printed = try? await repository.git(
        ["check-ignore", "--no-index", "-z", "--stdin"], input: Data(paths.joined(separator: "\0").utf8))
      let expected = Set((printed ?? "").split(separator: "\0").map(String.init))
      let rules = IgnoreRules(Array(text.utf8), baseLength: 0, foldsCase: foldsCase, next: nil)
      for path in paths {
        #expect(
          ignores(rules, path) == expected.contains(path),
          "seed \(seed), round \(round): \(path) by \(text.debugDescription)")
      }
    }
  }

  /// The time is bounded by the lengths, whatever the pattern.
  @Test func patternsThatBacktrack() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    let deep = String(repeating: "**/*a", count: 30) + "/b"
    let text = String(repeating: "a", count: 3000)
    let rules = IgnoreRules(Array("\(pattern)\n/\(deep)\n".utf8), baseLength: 0, foldsCase: false, next: nil)
    #expect(!ignores(rules, text))
    #expect(ignores(rules, text + "b"))
  }

  @Test func filesOfRules() async throws {
    let repository = try await TemporaryRepository.make()
    let home = try repository.directory.makeDirectory("user")
    try repository.write(".gitignore", "*.o\n/build/\n!keep.o\n")
    try repository.write("sub/.gitignore", "!*.o\n/only\n*.t\n")
    try repository.write("sub/deep/.gitignore", "*\n!*.t\n")
    try repository.write(".git/info/exclude", "excluded\n*.mine\n")
    try repository.directory.write("user/.config/git/ignore", "personal\n!*.mine\n")
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/other", withDestinationPath: "sub")
    for name in [
      "a.o", "keep.o", "build/x", "sub/build/x", "sub/b.o", "sub/only", "sub/x/only", "sub/c.t", "sub/deep/d",
      "sub/deep/e.t",
      "excluded", "x.mine", "personal", "sub/personal", "build/keep.o", "linked/x",
    ] {
      try repository.write(name, "x")
    }
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/linked/.gitignore", withDestinationPath: "../sub/deep/.gitignore")
    let environment = GitEnvironment(home: home.path, configHome: home.path + "/.config")
    func compare(_ comment: Comment) async throws {
      let expected = try await repository.countedStatus(adding: ["HOME": home.path])
      let found = try repository.open(environment: environment).status()
      #expect(found == expected, comment)
    }
    try await compare("the default file of the user")
    try repository.directory.write("user/mine", "sub/\n")
    try await repository.git("config core.excludesFile ~/mine")
    try await compare("core.excludesFile")
    try await repository.git("add --force build/x excluded sub/b.o")
    try repository.write("build/y", "x")
    try repository.write("build/x", "changed")
    try await compare("files that are tracked in an ignored folder")
    // 1: build/x.
    #expect(try repository.open(environment: environment).status()?.unstaged == 1)
  }
}
