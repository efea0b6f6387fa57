import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct StorageTests {
  @Test func likeCountObjects() async throws {
    let repository = try await TemporaryRepository.make()
    func compare() async throws {
      var told: [Substring: Int] = [:]
      for line in try await repository.git("count-objects -v").split(separator: "\n") {
        let parts = line.split(separator: ":")
        if parts.count == 2 { told[parts[0]] = Int(parts[1].drop { $0 == " " }) }
      }
      let found = try repository.open().storage()
      #expect(found.looseObjects == told["count"])
      #expect(found.looseBytes / 1024 == told["size"])
      #expect(found.packs == told["packs"])
    }
    try await compare()
    try await repository.commit(files: ["a": String(repeating: "abc\n", count: 5000), "b": "x"])
    try await compare()
    // Not objects: a temporary file, another folder, upper-case digits in the folder's name.
    try repository.write(".git/objects/0a/tmp_obj_x", "x")
    try repository.write(".git/objects/zz/\(String(repeating: "0", count: 38))", "x")
    try repository.write(".git/objects/pack/pack-\(String(repeating: "0", count: 40)).pack", "no index")
    try await compare()
    try await repository.git("repack -a -d -q")
    try await repository.commit(files: ["c": "y"])
    try await compare()
    let pack = repository.path + "/.git/objects/pack"
    let files = try FileManager.default.contentsOfDirectory(atPath: pack)
    let name = try #require(files.first { $0.hasSuffix(".idx") }?.dropLast(4))
    let size = try FileManager.default.attributesOfItem(atPath: "\(pack)/\(name).pack")[.size] as? Int
    #expect(try repository.open().storage().packBytes == size)
    #expect(code { _ = try repository.open().storage { true } } == .cancelled)
  }

  @Test func alternatesOfAlternates() async throws {
    let first = try await TemporaryRepository.make()
    try await first.commit(files: ["a": "x"])
    let second = try TemporaryRepository(at: first.directory.path("second"), in: first.directory)
    let third = try TemporaryRepository(at: first.directory.path("third"), in: first.directory)
    try await first.git(["clone", "--quiet", "--shared", first.path, second.path])
    try await first.git(["clone", "--quiet", "--shared", second.path, third.path])
    func objects(_ repository: TemporaryRepository) -> String { repository.path + "/.git/objects" }
    #expect(try first.open().alternates() == [])
    #expect(try third.open().alternates() == [objects(second), objects(first)])
    let listed = try await third.git("count-objects -v").split(separator: "\n").filter {
      $0.hasPrefix("alternate: ")
    }
    #expect(listed.map { String($0.dropFirst(11)) } == [objects(second), objects(first)])

    let quoted = "\"" + objects(first) + "\\057\""
    let text = "# comment\n\n\(quoted)\n../../../gone/objects\n../objects\n\(objects(first))\n"
    try second.write(".git/objects/info/alternates", text)
    let opened = try second.open()
    #expect(opened.alternates() == [objects(first)])
    #expect(opened.brokenAlternates().count == 1)
    #expect(opened.brokenAlternates().first?.hasSuffix("gone/objects") == true)
    // A circle ends.
    try first.write(".git/objects/info/alternates", objects(third) + "\n")
    #expect(try first.open().alternates() == [objects(third), objects(second)])
  }

  /// Names in an alternate's own list count from that alternate, and need no dot at the start.
  @Test func relativeAlternates() async throws {
    let first = try await TemporaryRepository.make()
    try await first.commit(files: ["a": "x"])
    for name in ["second", "third"] {
      try await first.git(["clone", "--quiet", "--shared", first.path, first.directory.path(name)])
    }
    let second = try TemporaryRepository(at: first.directory.path("second"), in: first.directory)
    let third = try TemporaryRepository(at: first.directory.path("third"), in: first.directory)
    try second.write(".git/objects/info/alternates", "../../../repo/.git/objects\n")
    try FileManager.default.createSymbolicLink(
      atPath: third.path + "/.git/objects/link", withDestinationPath: second.path + "/.git/objects")
    try third.write(".git/objects/info/alternates", "link\n")
    #expect(try await third.git("log --format=%s") == "change")
    let opened = try third.open()
    let tip = try #require(opened.refs.head.commit)
    #expect(try opened.churn(from: tip).files.map(\.path) == ["a"])
  }

  @Test func hooks() async throws {
    let repository = try await TemporaryRepository.make()
    let hooks = repository.path + "/.git/hooks"
    #expect(try repository.open().hooks() == [])
    func make(_ folder: String, _ name: String, mode: Int) throws {
      try repository.write("\(folder)/\(name)", "#!/bin/sh\n")
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: "\(repository.path)/\(folder)/\(name)")
    }
    for (name, mode) in [
      ("pre-push", 0o755), ("commit-msg", 0o644), ("pre-commit", 0o755), ("helper", 0o755),
      ("update.sample", 0o755),
    ] {
      try make(".git/hooks", name, mode: mode)
    }
    try FileManager.default.createDirectory(atPath: hooks + "/post-merge", withIntermediateDirectories: true)
    #expect(try repository.open().hooks() == ["pre-commit", "pre-push"])
    try make("tools", "post-commit", mode: 0o700)
    try await repository.git("config core.hooksPath tools")
    #expect(try repository.open().hooks() == ["post-commit"])
    try await repository.git("config core.hooksPath ~/shared")
    try make("home/shared", "pre-rebase", mode: 0o755)
    let environment = GitEnvironment(home: repository.path + "/home")
    #expect(try repository.open(environment: environment).hooks() == ["pre-rebase"])
  }

  @Test func defaultBranchAndFetch() async throws {
    let repository = try await TemporaryRepository.make()
    #expect(try repository.open().defaultBranch == "main")
    try await repository.commit(files: ["a": "x"])
    let cloned = try await repository.clone("cloned")
    #expect(try cloned.open().defaultBranch == "main" && cloned.open().lastFetchAt == nil)
    try await cloned.git("checkout --quiet -b feature/x")
    #expect(try cloned.open().defaultBranch == "main")
    try await cloned.git("fetch --quiet")
    let before = try #require(try cloned.open().lastFetchAt)
    #expect(abs(Double(before) - Date().timeIntervalSince1970) < 3600)

    try await cloned.git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/release/2")
    #expect(try cloned.open().defaultBranch == nil)
    try await cloned.git("update-ref refs/remotes/origin/release/2 HEAD")
    #expect(try cloned.open().defaultBranch == "release/2")
    try await cloned.git("remote rename origin up/stream")
    try cloned.write(".git/refs/remotes/up/stream/HEAD", "ref: refs/remotes/up/stream/next\n")
    #expect(try cloned.open().defaultBranch == nil)
    try await cloned.git("update-ref refs/remotes/up/stream/next HEAD")
    #expect(try cloned.open().defaultBranch == "next")
    try cloned.write(".git/refs/remotes/up/stream/HEAD", "ref: refs/remotes/elsewhere/next\n")
    #expect(try cloned.open().defaultBranch == nil)

    let mirror = try await repository.clone("mirror.git", ["--mirror"])
    #expect(try mirror.open().defaultBranch == "main")
    try await mirror.git("symbolic-ref HEAD refs/heads/gone")
    #expect(try mirror.open().defaultBranch == nil)
    // A name that leads elsewhere is no remote's.
    try cloned.write(".git/config", "[core]\n\tbare = false\n[remote \"../../x\"]\n\turl = u\n")
    #expect(try cloned.open().defaultBranch == nil)
  }

  @Test func submodulesLikeGit() async throws {
    let inner = try await TemporaryRepository.make("inner")
    try await inner.commit(files: ["a": "x"])
    let repository = try await TemporaryRepository.make("outer", in: inner.directory)
    for name in ["one", "deep/two", "three", "four"] {
      try await repository.git(["submodule", "--quiet", "add", inner.path, name])
    }
    try await repository.commit("with submodules")
    try await inner.commit(files: ["a": "y"])
    try await repository.git("-C one pull --quiet origin main")
    try await repository.git("submodule --quiet deinit three")
    try await repository.git("config --unset submodule.four.url")
    try await repository.git("config --unset submodule.four.active")
    try repository.write("deep/two/a", "changed and not committed")

    func states(_ repository: TemporaryRepository) throws -> [String: Submodule.State] {
      let opened = try repository.open()
      let tree = try opened.commit(try #require(opened.refs.head.commit)).tree
      let list = try opened.submodules(recorded: opened.listing(of: tree).submodules, tree: tree).list
      return Dictionary(uniqueKeysWithValues: list.map { ($0.path, $0.state) })
    }
    var expected: [String: Submodule.State] = [:]
    for line in try await repository.git("submodule status").split(separator: "\n") {
      let path = String(line.split(separator: " ")[1])
      expected[path] = line.hasPrefix("-") ? .uninitialized : line.hasPrefix("+") ? .modified : .clean
    }
    let found = try states(repository)
    // This command compares commits only.
    expected["deep/two"] = .modified
    #expect(found == expected)
    #expect(found["one"] == .modified && found["three"] == .uninitialized)

    // Changed files count as in `git status`.
    for (ignored, state) in [("none", Submodule.State.modified), ("untracked", .modified), ("dirty", .clean)]
    {
      try await repository.git(["config", "submodule.deep/two.ignore", ignored])
      let status = try await repository.git("status --porcelain -- deep/two")
      #expect(
        try states(repository)["deep/two"] == state && status.isEmpty == (state == .clean), "\(ignored)")
    }

    // A link in place of a folder is not followed out of the work tree.
    try FileManager.default.moveItem(
      atPath: repository.path + "/deep", toPath: inner.directory.path("moved"))
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/deep", withDestinationPath: inner.directory.path("moved"))
    #expect(try states(repository)["deep/two"] == .uninitialized)
    let opened = try repository.open()
    let head = try #require(try inner.open().refs.head.commit)
    let outside = try opened.submodules(
      recorded: [("../inner", head), (".", head), ("one/../one", head), ("/tmp", head)], tree: nil)
    #expect(outside.list.filter { $0.commit == head }.allSatisfy { $0.state == .uninitialized })
  }
}
