import Foundation
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
  ///
  /// The rules are tracked, or only their folder is, or nothing of it.
  @Test(arguments: [("größe/.gitignore", 1), ("größe/c", 2), ("c", 2)])
  func slowRules(tracked: String, untracked: Int) async throws {
    let size = 2_000
    var repositories: [Int: TemporaryRepository] = [:]
    for size in [size, size * 4] {
      let repository = try await TemporaryRepository.make("größe\(size)")
      let rules = ["b\n", "!b\n"].map { String(repeating: $0, count: size) }
      let file = "größe/.gitignore"
      try await repository.commit(files: [tracked: "a\n" + rules.joined()])
      try repository.write(file, "a\n" + rules.joined())
      try repository.write("größe/a", "ignored")
      try repository.write("größe/b", "not ignored")
      #expect(try await repository.compareStatus() == WorktreeStatus(untracked: untracked))
      #expect(throws: GitError.cancelled) {
        _ = try repository.open().worktreeChanges(isCancelled: { true })
      }
      repositories[size] = repository
    }
    let factor = try Growth.factor(size) {
      try #require(repositories[$0])
    } work: { repository in
      let status = try repository.open().worktreeStatus()
      #expect(status?.untracked == untracked)
    }
    #expect(factor < Growth.limit)
  }

  /// Attributes that take libgit2 long are not looked up, neither in the work tree nor, where it has none, in
  /// the index.
  @Test(arguments: [
    "**/a/**/a/**/a/c -diff\n",
    (0..<300).map { "[attr]m\($0) m\($0 - 1)\n" }.joined() + "* m299\n",
  ])
  func attributesOfOneClone(_ text: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [".gitattributes": text, "a/a/a/größe/c": "x"])
    try repository.write("a/a/a/größe/c", "y")
    #expect(try await repository.compareStatus() == WorktreeStatus(unstaged: 1))
    try FileManager.default.removeItem(atPath: repository.path + "/.gitattributes")
    #expect(try await repository.compareStatus() == WorktreeStatus(unstaged: 2))
    try await repository.git("commit --quiet --message y -- a")
    let opened = try repository.open()
    let head = try #require(opened.refs.head.commit)
    let patch = try opened.patch(of: opened.commit(head), limit: 1_000, isCancelled: { false })
    #expect(patch.text.contains("+y"))
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
