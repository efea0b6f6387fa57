import ForagePlatform
import Foundation
import TestSupport
import Testing

@testable import ForageGit

/// The status with renames, submodules, other repositories and files that are left out.
@Suite struct StatusOfPartsTests {
  @Test func renames() async throws {
    let repository = try await TemporaryRepository.make()
    func text(_ seed: Int, _ count: Int = 40) -> String { (0..<count).map { "line \($0 * seed)\n" }.joined() }
    try await repository.commit(files: [
      "a": text(3), "b": text(5), "c": text(7), "d/same": text(11), "d/other": text(11), "e": "",
      "f": text(13),
    ])
    try await repository.git("mv a a2")
    try repository.write("a2", text(3, 36) + text(17, 6))
    try await repository.git("mv d/same moved")
    try await repository.git("mv c c2")
    try repository.write("c2", text(19))
    try await repository.git("mv e e2")
    try await repository.git("rm --quiet --cached b")
    try await repository.git("add --all")
    try await repository.compareStatus("exact, much the same, another file")
    for value in ["false", "copies", "true"] {
      try repository.write("f2", text(13))
      try repository.write("f", text(13) + "more\n")
      try await repository.git("add --all")
      try await repository.git("config status.renames \(value)")
      try await repository.compareStatus("status.renames=\(value)")
    }
    try await repository.git("config diff.renameLimit 1")
    try await repository.compareStatus("few pairs are compared")
    try await repository.git("commit --quiet -m moved")
    #expect(rename(repository.path + "/a2", repository.path + "/a3") == 0)
    try await repository.git("add --intent-to-add a3")
    #expect(try await repository.compareStatus("moved, and to be added").unstaged == 1)
  }

  @Test func submodules() async throws {
    let source = try await TemporaryRepository.make("source")
    try await source.commit(files: ["a": "x"])
    let repository = try await TemporaryRepository.make("main", in: source.directory)
    try await repository.commit(files: ["b": "x"])
    for name in ["one", "two", "three", "four", "five", "six"] {
      try await repository.git(["submodule", "add", "--quiet", source.path, name])
    }
    try await repository.git("commit --quiet -m modules")
    #expect(try await repository.compareStatus("clean").isClean)
    let files = FileManager.default
    try repository.write("one/a", "changed")
    try repository.write("two/new", "untracked")
    try await repository.git("-C three commit --quiet --allow-empty -m further")
    try files.removeItem(atPath: repository.path + "/four")
    try files.removeItem(atPath: repository.path + "/five")
    try files.createDirectory(atPath: repository.path + "/five", withIntermediateDirectories: true)
    try files.removeItem(atPath: repository.path + "/six")
    try repository.write("six", "a file")
    #expect(try await repository.compareStatus().unstaged == 5)
    for (key, value) in [
      ("diff.ignoreSubmodules", "untracked"), ("diff.ignoreSubmodules", "dirty"),
      ("submodule.one.ignore", "none"),
      ("submodule.three.ignore", "all"), ("diff.ignoreSubmodules", "all"),
    ] {
      try await repository.git(["config", key, value])
      try await repository.compareStatus("\(key)=\(value)")
    }
    try await repository.git("add three")
    try await repository.compareStatus("what is staged counts, whatever is ignored")
  }

  /// Folders without tracked files whose names are patterns elsewhere, with files and with repositories.
  @Test(arguments: ["[slug]", "a*b", "!x", "#y", "back\\slash", "wer?", "größe", "plain", "-dash", " space "])
  func unusualFolders(_ name: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["slug": "x", "aXb/c": "x", ".gitignore": "*.o\n"])
    for path in ["\(name)/x", "\(name)/deep/y", "\(name)/z.o", "in/\(name)/file", "only/\(name)/a.o"] {
      try repository.write(path, "x")
    }
    #expect(try await repository.compareStatus() == WorktreeStatus(untracked: 3))
    try await repository.git(["init", "--quiet", "in/\(name)/repository"])
    try await repository.git(["init", "--quiet", "other/\(name)"])
    let status = try await repository.compareStatus()
    #expect(status.untracked == 5)
  }

  @Test func nestedRepositories() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a/b": "x", "entry": "x"])
    try FileManager.default.removeItem(atPath: repository.path + "/entry")
    for name in ["nested", "a/nested", "deep/er/nested", "entry", "bare"] {
      try await repository.git(["init", "--quiet", name] + (name == "bare" ? ["--bare"] : []))
    }
    for name in ["nested/x", "a/nested/y/z", "deep/er/file", "notone/.git/x", "notone/y", "broken/z"] {
      try repository.write(name, "x")
    }
    try repository.write("broken/.git", "gitdir: nowhere\n")
    try repository.write("linked/.git", "gitdir: ../nested/.git\n")
    try await repository.git(["init", "--quiet", "bytes"])
    try repository.write("bytes/x", "x")
    let name = Array("\(repository.path)/b".utf8) + [0xFF]
    #expect(rename("\(repository.path)/bytes", name.map { CChar(bitPattern: $0) } + [0]) == 0)
    try await repository.compareStatus()
  }

  @Test func sparseIndex() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [
      "in/a": "x", "out/b": "x", "out/deep/c": "x", "out/.gitignore": "ignored\n", "away/d": "x",
    ])
    try await repository.git("sparse-checkout set --cone --sparse-index in")
    #expect(try await repository.compareStatus("collapsed").isClean)
    try repository.write("out/new", "x")
    try await repository.git("add --sparse out/new")
    try await repository.compareStatus("staged in a folder that is left out")
    try await repository.git("sparse-checkout reapply")
    for (name, text) in [("out/b", "y"), ("out/ignored", "y"), ("out/other", "y"), ("in/a", "y")] {
      try repository.write(name, text)
    }
    try await repository.compareStatus("files in folders that are left out")
  }

  /// Files of a folder that the index has as one entry, of which `HEAD` has others.
  @Test func changesOfASparseIndex() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["in/a": "x", "out/b": "x"])
    try await repository.commit(files: ["out/b": "y", "out/ü/c": "y"])
    try await repository.git("sparse-checkout set --cone --sparse-index in")
    try await repository.git("reset --quiet --soft HEAD~1")
    #expect(try repository.open().worktreeChanges()?.tracked == ["out/b", "out/ü/c"])
  }

  @Test func sparseCheckoutIsClean() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["in/a": "x", "out/b": "x", "out/deep/c": "x"])
    try await repository.git("sparse-checkout set in")
    try await repository.compareStatus()
    let opened = try repository.open()
    #expect(try opened.status()?.isClean == true)
    #expect(opened.isSparseCheckout)
  }

  /// Enough files that both threads take part in comparing them, and then in hashing them.
  @Test func manyFiles() async throws {
    let repository = try await TemporaryRepository.make()
    for number in 0..<1200 { try Data("\(number)".utf8).write(to: file(repository, "\(number).txt")) }
    for number in 0..<60 { try repository.write("folder/\(number)/a", "\(number)") }
    try await repository.commit()
    for number in 0..<1200 where number % 7 == 0 {
      try FileManager.default.removeItem(at: file(repository, "\(number).txt"))
      try repository.write("folder/\(number % 60)/new \(number)", "x")
    }
    try await repository.compareStatus("deleted and untracked")
    for number in 0..<1200 where number % 7 != 0 {
      let url = file(repository, "\(number).txt")
      if number % 5 == 0 { try Data(String(repeating: "x", count: "\(number)".count).utf8).write(to: url) }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
    }
    try await repository.compareStatus("touched, and some changed")
  }

  private func file(_ repository: TemporaryRepository, _ name: String) -> URL {
    URL(fileURLWithPath: "\(repository.path)/\(name)")
  }
}
