import ForageGit
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Temporary folders beside clones: no scan finds them, and those of killed processes go.
struct UnfinishedCloneTests {
  @Test func namesOfTheFolders() throws {
    let folder = try TemporaryDirectory()
    for name in ["thing", "検索.swift", ".github", String(repeating: "n", count: 240)] {
      let unfinished = try UnfinishedClone(for: folder.path(name))
      let made = String(FileAccess.name(of: unfinished.path))
      #expect(UnfinishedClone.isName(made) && FileAccess.isDirectory(unfinished.path), "\(made)")
      unfinished.remove()
      #expect(!FileAccess.isDirectory(unfinished.path))
    }
    for name in [".github", "x.forage-abcdef", ".forage-abcdef", ".x.forage-abcde", ".x.forage", ""] {
      #expect(!UnfinishedClone.isName(name), "\(name)")
    }
  }

  @Test func movesTheCloneWhole() async throws {
    let folder = try TemporaryDirectory()
    let unfinished = try UnfinishedClone(for: folder.path("target"))
    try folder.write("\(unfinished.clone.dropFirst(folder.path.count + 1))/file", "x")
    try unfinished.move(to: folder.path("target"))
    unfinished.remove()
    #expect(FileAccess.names(in: folder.path) == ["target"])
    #expect(FileAccess.isFile(folder.path("target/file")))
    // What came to be there meanwhile stays.
    let second = try UnfinishedClone(for: folder.path("target"))
    try folder.write("\(second.clone.dropFirst(folder.path.count + 1))/other", "x")
    #expect(throws: GitError.self) { try second.move(to: folder.path("target")) }
    second.remove()
    #expect(FileAccess.isFile(folder.path("target/file")) && !FileAccess.isFile(folder.path("target/other")))
    #expect(throws: GitError.self) { _ = try UnfinishedClone(for: folder.path("none/target")) }
  }

  @Test func abandonedFoldersGo() throws {
    let folder = try TemporaryDirectory()
    try folder.makeDirectory("github.com/o")
    let used = try UnfinishedClone(for: folder.path("github.com/o/used"))
    try folder.write("github.com/o/.killed.forage-abc123/clone/file", "x")
    try folder.write("gitlab.com/a/b/c/.deep.forage-abc123/clone/messages", "x")
    try folder.write("github.com/o/.eigen.forage-abc123/größe", "x")
    try folder.write("github.com/o/clone/.git/HEAD", "x")
    try folder.write("github.com/o/clone/.kept.forage-abc123/file", "x")
    try folder.write("other/o/.kept.forage-abc123/file", "x")
    try folder.write("github.com/o/.github/file", "x")
    UnfinishedClone.removeAbandoned(below: folder.path)
    #expect(FileAccess.isDirectory(used.path))
    #expect(!FileAccess.isDirectory(folder.path("github.com/o/.killed.forage-abc123")))
    #expect(!FileAccess.isDirectory(folder.path("gitlab.com/a/b/c/.deep.forage-abc123")))
    #expect(FileAccess.isFile(folder.path("github.com/o/.eigen.forage-abc123/größe")))
    for kept in [
      "github.com/o/clone/.kept.forage-abc123", "other/o/.kept.forage-abc123", "github.com/o/.github",
    ] {
      #expect(FileAccess.isFile(folder.path(kept + "/file")), "\(kept)")
    }
  }

  @Test func noScanFindsThem() async throws {
    let workshop = try Workshop()
    _ = try await workshop.clone(
      "github.com/o/.half.forage-abc123/clone", origin: "https://github.com/o/half")
    _ = try await workshop.clone("github.com/o/whole", origin: "https://github.com/o/whole")
    _ = try await workshop.scan()
    #expect(try workshop.store.clones().map(\.entityID) == ["github.com/o/whole"])
  }

  /// A clone is added by itself; the folder still counts as never scanned.
  @Test func oneCloneIsAdded() async throws {
    let workshop = try Workshop()
    let one = try await workshop.clone("github.com/o/one", origin: "https://github.com/O/One")
    _ = try await workshop.clone("github.com/o/two", origin: "https://github.com/o/two")
    try await workshop.catalogue.add(one.path, folder: workshop.root)
    let record = try #require(try workshop.store.clones().first)
    #expect(try workshop.store.clones().count == 1)
    #expect(record.entityID == "github.com/o/one" && record.owner == "O" && record.name == "One")
    #expect(record.relativePath == "github.com/o/one" && record.commit != nil)
    #expect(try workshop.store.cloneFolders().map(\.scannedAt) == [nil])
    let summary = try await workshop.scan()
    #expect(summary.clones == 2 && summary.opened == 1)
  }
}
