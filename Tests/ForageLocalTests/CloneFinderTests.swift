import ForageGit
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct CloneFinderTests {
  private func find(_ root: String) -> CloneFinder.Findings { CloneFinder.find(in: root) { false } }

  @Test func everyKindOfClone() async throws {
    let workshop = try Workshop()
    let first = try await workshop.clone("a")
    _ = try await workshop.clone("a/nested/inner")
    _ = try await workshop.clone("group/deep/er/b")
    _ = try await workshop.clone("bare.git", ["--bare"])
    _ = try await workshop.clone("empty", ["--template="])
    try await first.git(["worktree", "add", "--quiet", workshop.root + "/linked"])
    let outer = try await workshop.clone("super")
    try await outer.git(["submodule", "--quiet", "add", "file://" + first.path, "sub"])
    try workshop.directory.makeDirectory("src/node_modules/dependency/.git")
    try workshop.directory.makeDirectory("src/plain/folder")
    try workshop.directory.write("src/file.txt", "x")
    let found = find(workshop.root)
    let names = ["a", "a/nested/inner", "bare.git", "empty", "group/deep/er/b", "linked", "super"]
    #expect(found.clones == names.map { workshop.root + "/" + $0 })
    #expect(found.parts == [workshop.root + "/super/sub"] && found.unsearched.isEmpty)
    #expect(found.unreadable.isEmpty && !found.isCut)
    let unsearched = CloneFinder.find(
      in: workshop.root, searchesInside: { _ in false }, isCancelled: { false })
    #expect(unsearched.clones == names.filter { $0 != "a/nested/inner" }.map { workshop.root + "/" + $0 })
    #expect(unsearched.parts.isEmpty && unsearched.unsearched.contains(workshop.root + "/a"))
  }

  /// Of a clone that is searched by itself, the bare repositories that it tracks are test data; others are
  /// the user's, as below a home folder that is a repository.
  @Test func bareRepositoriesInTheSearchedClone() async throws {
    let workshop = try Workshop()
    let outer = try await workshop.clone("ünder")
    for name in ["tests/möre/.gitted", "mirror.git"] {
      try await outer.git(["clone", "--quiet", "--bare", outer.path, outer.path + "/" + name])
    }
    try await outer.git(["add", "--force", "tests"])
    let found = find(outer.path)
    #expect(found.clones == [outer.path, outer.path + "/mirror.git"])
    #expect(found.parts == [outer.path + "/tests/möre/.gitted"])
  }

  /// A bare repository that a `.git` leads to is no clone beside the folder with that; its work trees are.
  @Test func bareRepositoriesWithWorkTrees() async throws {
    let workshop = try Workshop()
    let origin = try await TemporaryRepository.make("origin", in: workshop.directory)
    try await origin.commit(files: ["a": "x"])
    for (name, bare) in [("hidden", "/.bare"), ("plain", "/.git"), ("x.git", "")] {
      let folder = workshop.root + "/" + name
      try await origin.git(["clone", "--quiet", "--bare", origin.path, folder + bare])
      if name == "hidden" { try workshop.directory.write("src/hidden/.git", "gitdir: ./.bare\n") }
      try await origin.git(["-C", folder, "worktree", "add", "--quiet", "-b", "side", folder + "/.wt/side"])
    }
    let names = ["hidden", "hidden/.wt/side", "plain", "plain/.wt/side", "x.git", "x.git/.wt/side"]
    let found = find(workshop.root)
    #expect(found.clones == names.map { workshop.root + "/" + $0 } && found.parts.isEmpty)
    let summary = try await workshop.scan()
    #expect(summary.clones == 6 && summary.failed.isEmpty)
    for name in names {
      let record = try workshop.record(name)
      #expect(record.branch == (name.hasSuffix("side") ? "side" : "main") && record.error == nil, "\(name)")
      #expect(record.isBare == !name.hasSuffix("side"), "\(name)")
    }
    #expect(find(workshop.root + "/hidden").clones == found.clones.prefix(2).map(\.self))
  }

  /// Linked work trees in hidden folders are found without a search of the work tree.
  @Test func worktreesBelowTheCheckout() async throws {
    let workshop = try Workshop()
    let clone = try await workshop.clone("a")
    try await clone.commit(files: [".gitignore": ".claude/\n"])
    try await clone.git("worktree add --quiet -b agent .claude/worktrees/one")
    let found = CloneFinder.find(in: workshop.root, searchesInside: { _ in false }, isCancelled: { false })
    #expect(found.clones == [clone.path, clone.path + "/.claude/worktrees/one"])
  }

  /// A folder of clones may be a repository itself.
  @Test func theFolderIsAClone() async throws {
    let workshop = try Workshop()
    let home = try await workshop.clone("home")
    for name in ["src/inner", "src/mirror.git"] {
      _ = try await workshop.clone("home/" + name, name.hasSuffix(".git") ? ["--bare"] : [])
    }
    let found = CloneFinder.find(in: home.path, searchesInside: { _ in false }, isCancelled: { false })
    #expect(found.clones == ["", "/src/inner", "/src/mirror.git"].map { home.path + $0 })
  }

  /// What package managers fetch again, and the stores of other tools.
  @Test func repositoriesOfTools() throws {
    let folder = try TemporaryDirectory()
    for name in [
      "p/.build/repositories/x", ".cargo/git/db/x", "go/pkg/mod/cache/vcs/x", "p/.hg/git",
      ".repo/projects/x.git",
    ] {
      for part in ["objects", "refs"] { try folder.makeDirectory(name + "/" + part) }
      try folder.write(name + "/HEAD", "ref: refs/heads/main\n")
    }
    for name in ["p/.build/checkouts/x", "p/node_modules/x", ".cargo/git/checkouts/x", "p/vendor/bundle/x"] {
      try folder.makeDirectory(name + "/.git")
    }
    for name in ["build/checkouts/x", "vendor/x"] { try folder.makeDirectory(name + "/.git") }
    #expect(find(folder.path).clones == ["build/checkouts/x", "vendor/x"].map(folder.path))
  }

  /// A work tree of Jujutsu is one clone under its own name, whether git knows of it or not.
  @Test func jujutsu() async throws {
    let workshop = try Workshop()
    let colocated = try await workshop.clone("both", origin: "https://github.com/o/both")
    try workshop.directory.write("src/both/.jj/repo/store/git_target", "../../../.git")
    let store = workshop.root + "/alone/.jj/repo/store"
    try workshop.directory.write("src/alone/.jj/repo/store/git_target", "git")
    try await colocated.git(["clone", "--quiet", "--bare", colocated.path, store + "/git"])
    try await colocated.git([
      "-C", store + "/git", "remote", "set-url", "origin", "https://github.com/o/alone",
    ])
    try workshop.directory.write("src/workspace/.jj/repo", "../../alone/.jj/repo")
    let summary = try await workshop.scan()
    #expect(summary.failed.isEmpty)
    #expect(try workshop.store.clones().map(\.relativePath) == ["alone", "both", "workspace"])
    #expect(
      try workshop.store.clones().map(\.entityID) == ["alone", "both", "alone"].map { "github.com/o/" + $0 })
    #expect(try await workshop.scan().opened == 0)
    // Git does not know which files belong to it.
    for name in ["alone", "workspace"] {
      let path = workshop.root + "/" + name
      let repository = try GitRepository.open(path, environment: GitEnvironment())
      #expect(try repository.root == path && repository.unsavedWork(deleting: path) == .unknownWorkTree)
    }
  }

  @Test func ignoredFolders() throws {
    let folder = try TemporaryDirectory()
    for name in ["a", "b/one", "b/two", "c/x-mirror", "d/deep/er/fixtures/z"] {
      try folder.makeDirectory(name + "/.git")
    }
    func found(_ patterns: String...) -> [String] {
      let ignored = IgnoredFolders(patterns, home: folder.path)
      return CloneFinder.find(in: folder.path, isIgnored: ignored.contains) { false }.clones.map {
        String($0.dropFirst(folder.path.count + 1))
      }
    }
    #expect(found() == ["a", "b/one", "b/two", "c/x-mirror", "d/deep/er/fixtures/z"])
    #expect(found(folder.path("b"), "*-mirror") == ["a", "d/deep/er/fixtures/z"])
    #expect(found("~/b/one/", "~/d/**/fixtures") == ["a", "b/two", "c/x-mirror"])
    #expect(found("b/*") == ["a", "c/x-mirror", "d/deep/er/fixtures/z"])
    #expect(found("two", folder.path("nothing")) == ["a", "b/one", "c/x-mirror", "d/deep/er/fixtures/z"])
    let ignored = IgnoredFolders(["~/b"], home: "/home/me")
    #expect(
      ignored.contains("/home/me/b/c") && !ignored.contains("/home/me/bc") && !ignored.contains("/home/me"))
  }

  @Test func linksAreNotFollowed() async throws {
    let workshop = try Workshop()
    let elsewhere = try await TemporaryRepository.make("elsewhere", in: workshop.directory)
    _ = try await workshop.clone("x/real")
    let links = [
      ("x/loop", workshop.root), ("x/self", "self"), ("outside", elsewhere.path),
      ("gone", "/nonexistent/folder"),
    ]
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: workshop.root + "/" + name, withDestinationPath: target)
    }
    let found = find(workshop.root)
    #expect(found.clones == [workshop.root + "/x/real"])
    #expect(found.unreadable.isEmpty)
  }

  @Test func theFolderItselfMayBeAClone() async throws {
    let workshop = try Workshop()
    let only = try await workshop.clone("only")
    #expect(find(only.path).clones == [only.path])
  }

  @Test func emptyAndMissingFolders() throws {
    let folder = try TemporaryDirectory()
    #expect(find(folder.path).clones.isEmpty && find(folder.path).unreadable.isEmpty)
    #expect(find(folder.path("gone")).unreadable == [folder.path("gone")])
  }

  @Test func depthIsLimitedAndTold() throws {
    let folder = try TemporaryDirectory()
    func nested(_ depth: Int, _ letter: String) -> String {
      Array(repeating: letter, count: depth).joined(separator: "/")
    }
    try folder.makeDirectory(nested(CloneFinder.maximumDepth, "a") + "/.git")
    #expect(find(folder.path).clones == [folder.path(nested(CloneFinder.maximumDepth, "a"))])
    #expect(!find(folder.path).isCut)
    try folder.makeDirectory(nested(CloneFinder.maximumDepth + 1, "b") + "/.git")
    #expect(find(folder.path).clones.count == 1 && find(folder.path).isCut)
  }

  /// Of names that are not UTF-8 those of folders are reported.
  @Test func namesThatAreNotUTF8() throws {
    let folder = try TemporaryDirectory()
    try folder.makeDirectory("größe/.git")
    func name(_ text: String) -> [CChar] {
      folder.path(text).utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xE9), 0]
    }
    mkdir(name("caf"), 0o755)
    let file = try #require(fopen(name("latin1-"), "w"))
    fclose(file)
    let found = find(folder.path)
    #expect(found.clones == [folder.path("größe")] && found.unreadable.isEmpty)
    #expect(found.nonUTF8 == [folder.path("caf\u{FFFD}")])
  }

  @Test func cancelledSearchStops() throws {
    let folder = try TemporaryDirectory()
    try folder.makeDirectory("a/.git")
    #expect(CloneFinder.find(in: folder.path) { true }.clones.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "root may list every folder"))
  func unreadableFolderIsReported() async throws {
    let workshop = try Workshop()
    _ = try await workshop.clone("a")
    try workshop.directory.makeDirectory("src/locked/inside")
    let locked = workshop.root + "/locked"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: locked) }
    let summary = try await workshop.scan()
    #expect(summary.clones == 1 && summary.unreadable == [locked])
  }
}

@Suite struct GhqFoldersTests {
  @Test func everyRootThatExists() throws {
    let folder = try TemporaryDirectory()
    for name in ["one", "two", "home/ghq", "home/three"] { try folder.makeDirectory(name) }
    try folder.write("file", "x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("one"))
    let home = folder.path("home")
    func find(_ root: String) -> [String] { GhqFolders.find(environment: ["HOME": home, "GHQ_ROOT": root]) }
    #expect(find(folder.path("one")) == [folder.path("one")])
    #expect(
      find("\(folder.path("two")):\(folder.path("one")):\(folder.path("two"))") == [
        folder.path("two"), folder.path("one"),
      ])
    #expect(find(folder.path("link")) == [folder.path("one")])
    #expect(find("~/three:~") == [folder.path("home/three"), home])
    #expect(find("\(folder.path("gone")):\(folder.path("file")):relative").isEmpty)
  }
}
