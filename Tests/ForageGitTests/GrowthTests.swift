import TestSupport
import Testing

@testable import ForageGit

/// Files of a clone that were made to take long.
@Suite struct GrowthTests {
  /// Many names of one address.
  @Test func mailmap() {
    let factor = Growth.factor(2_000) { size in
      Array((0..<size).map { "Größe <new@example.com> Name \($0) <old@example.com>\n" }.joined().utf8)
    } work: { bytes in
      var map = Mailmap()
      map.add(bytes)
    }
    #expect(factor < Growth.limit)
  }

  /// libgit2 compares each exception with all rules before it.
  @Test(arguments: [
    (rule: "x", exception: "!x"), (rule: "größe", exception: "!größe"), (rule: "*a*b*c", exception: "!aabbc"),
  ])
  func exceptions(_ lines: (rule: String, exception: String)) {
    let factor = Growth.factor(2_000) { size in
      let rules = (0..<size).map { "\(lines.rule)\($0)\n" } + (0..<size).map { "\(lines.exception)\($0)\n" }
      return Array(rules.joined().utf8)
    } work: { bytes in
      var room = RuleFiles.exceptionWork
      _ = RuleFiles.mayDiffer(ignoring: RuleFiles.lines(bytes), &room)
    }
    #expect(factor < Growth.limit)
  }

  /// The status of a clone with rules that take libgit2 long is git's, and can be interrupted.
  @Test func slowRules() async throws {
    let size = 20_000
    let repository = try await TemporaryRepository.make()
    let rules = ["b\n", "!b\n"].map { String(repeating: $0, count: size) }
    try await repository.commit(files: [
      "größe/.gitignore": "a\n" + rules.joined(),
      "\(String(repeating: "a/", count: 40))b": "x",
      ".gitattributes": String(repeating: "**/a/", count: 12) + "c filter=größe\n",
    ])
    try repository.write("größe/a", "ignored")
    try repository.write("größe/b", "not ignored")
    try repository.write("\(String(repeating: "a/", count: 40))b", "y")
    #expect(try await repository.compareStatus() == WorktreeStatus(unstaged: 1, untracked: 1))
    #expect(throws: GitError.cancelled) {
      _ = try repository.open().worktreeChanges(isCancelled: { true })
    }
  }

  /// Which attributes libgit2 is not asked for.
  @Test func slowAttributes() {
    func isSlow(_ text: String) -> Bool { RuleFiles.isSlow(attributes: Array(text.utf8)) }
    #expect(!isSlow("* text=auto\n**/größe/**/*.c linguist-vendored\n[attr]binary -diff\n"))
    #expect(isSlow("**/a/**/b/**/c filter=x\n"))
    #expect(isSlow("*a*b*c*d x\n"))
    #expect(isSlow("* " + (0..<1_000).map { "a\($0)" }.joined(separator: " ")))
    #expect(isSlow((0..<500).map { "[attr]m\($0) m\($0 - 1) a\($0)\n" }.joined()))
  }
}
