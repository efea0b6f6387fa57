import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct StatusTests {
  private func compare(_ repository: TemporaryRepository, _ comment: Comment? = nil) async throws {
    let printed = try await repository.git(["status", "--porcelain=v2", "--untracked-files=all", "-z"])
    var expected = WorktreeStatus()
    var skipsNext = false
    for line in printed.split(separator: "\0") {
      if skipsNext {
        skipsNext = false
        continue
      }
      switch line.first {
      case "1", "2":
        let states = Array(line.dropFirst(2).prefix(2))
        if states[0] != "." { expected.staged += 1 }
        if states[1] != "." { expected.unstaged += 1 }
        skipsNext = line.first == "2"
      case "?": expected.untracked += 1
      case "u": expected.conflicted += 1
      default: break
      }
    }
    #expect(try repository.open().status() == expected, comment)
  }

  @Test func everyKind() async throws {
    let repository = try await TemporaryRepository.make()
    try await compare(repository, "unborn and empty")
    try repository.write("new", "x")
    try await repository.git("add new")
    try await compare(repository, "unborn")
    let names = ["a", "b", "c", "d", "e/f", "moved"]
    try await repository.commit(
      files: Dictionary(
        uniqueKeysWithValues: names.map { ($0, String(repeating: "line of \($0)\n", count: 20)) }))
    try await compare(repository, "clean")
    try repository.write("a", "changed")
    try repository.write("b", "changed")
    try await repository.git("add b")
    try repository.write("b", "changed again")
    try FileManager.default.removeItem(atPath: repository.path + "/c")
    try await repository.git("rm --quiet --cached d")
    try await repository.git("mv moved moved-away")
    try repository.write("u/v/w", "x")
    try repository.write("u/x", "x")
    try repository.write("later", "x")
    try await repository.git("add --intent-to-add later")
    try repository.write(".gitignore", "ignored*\n")
    try repository.write("ignored.txt", "x")
    try await compare(repository, "all kinds")
  }

  @Test func conflicts() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "base", "b": "base"])
    try await repository.git("checkout --quiet -b side")
    try await repository.commit(files: ["a": "side", "b": "side"])
    try await repository.git("checkout --quiet main")
    try await repository.commit(files: ["a": "main", "c": "main"])
    try await repository.git("rm --quiet b")
    try await repository.git("commit --quiet -m removed")
    _ = try? await repository.git("merge side")
    try await compare(repository)
    #expect(try repository.open().status()?.conflicted == 2)
  }

  @Test func sparseCheckoutIsClean() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["in/a": "x", "out/b": "x", "out/deep/c": "x"])
    try await repository.git("sparse-checkout set in")
    try await compare(repository)
    let opened = try repository.open()
    #expect(try opened.status()?.isClean == true)
    #expect(opened.isSparseCheckout)
  }

  @Test func unsupportedIndexIsTold() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["in/a": "x", "out/b": "x"])
    try await repository.git("update-index --split-index")
    #expect(code { _ = try repository.open().status() } == .unsupportedIndex)
  }

  @Test func stashes() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    #expect(try repository.open().stashCount() == 0)
    for text in ["1", "2"] {
      try repository.write("a", text)
      try await repository.git("stash push --quiet")
    }
    #expect(try repository.open().stashCount() == 2)
  }
}

@Suite struct BlockingGitTests {
  @Test func runsAndFails() async throws {
    #expect(try await BlockingGit.run { _ in 42 } == 42)
    await #expect(throws: GitError.self) {
      try await BlockingGit.run { (_) throws(GitError) -> Int in throw GitError(.other, "no") }
    }
  }

  @Test func manyAtOnceAndCancellation() async throws {
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...50 { group.addTask { try await BlockingGit.run { _ in number } } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 1275)
    let task = Task {
      try await BlockingGit.run { (isCancelled) throws(GitError) -> Int in
        while !isCancelled() { usleep(1000) }
        throw .cancelled
      }
    }
    task.cancel()
    await #expect(throws: GitError.cancelled) { try await task.value }
  }
}
