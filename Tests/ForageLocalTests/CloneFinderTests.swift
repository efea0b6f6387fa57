import ForageLocal
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
    let names = ["a", "bare.git", "empty", "group/deep/er/b", "linked", "super"]
    #expect(found.clones == names.map { workshop.root + "/" + $0 })
    #expect(found.unreadable.isEmpty && !found.isCut)
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
    fclose(fopen(name("latin1-"), "w"))
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
