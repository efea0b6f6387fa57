import Foundation
import TestSupport
import Testing

@testable import ForageGit

/// What a crafted repository may cost.
@Suite struct LimitTests {
  @Test func treesThatNameEachOther() async throws {
    let repository = try await TemporaryRepository.make("bare.git", ["--bare"])
    var id = try await repository.git(["mktree"], input: Data())
    // 2^12 visits of the empty tree, and no file at all.
    for _ in 0..<12 {
      id = try await repository.git(
        ["mktree"], input: Data("040000 tree \(id)\ta\n040000 tree \(id)\tb\n".utf8))
    }
    let opened = try repository.open()
    let root = try #require(ObjectID(hex: id))
    #expect(try opened.listing(of: root).files.isEmpty)
    for limits in [ListingLimits(trees: 1000), ListingLimits(depth: 12), ListingLimits(pathBytes: 1000)] {
      #expect(code { _ = try opened.listing(of: root, limits: limits) } == .tooLarge)
    }
    #expect(try opened.listing(of: root, limits: ListingLimits(trees: 8191, depth: 13)).files.isEmpty)
    var asked = 0
    let result = code {
      _ = try opened.listing(of: root) {
        asked += 1
        return asked > 100
      }
    }
    #expect(result == .cancelled)
  }

  /// libgit2 would follow links to folders without end, and wait for a pipe.
  @Test(arguments: ["loop", "again", "pipe"]) func linksAmongReferences(name: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    let heads = repository.path + "/.git/refs/heads"
    try FileManager.default.createSymbolicLink(atPath: heads + "/a-file", withDestinationPath: "main")
    #expect(try repository.open().refs.all.map(\.name) == ["refs/heads/a-file", "refs/heads/main"])
    #expect(mkfifo(heads + "/ignored", 0o600) == 0)
    #expect(try repository.open().refs.all.count == 2)
    let target = ["loop": ".", "again": "..", "pipe": "ignored"][name] ?? ""
    try FileManager.default.createSymbolicLink(atPath: "\(heads)/\(name)", withDestinationPath: target)
    #expect(code { _ = try repository.open() } == .corrupt)
  }

  @Test func manyReferences() async throws {
    let repository = try await TemporaryRepository.make()
    let commit = try await repository.commit(files: ["a": "x"])
    let heads = repository.path + "/.git/refs/heads"
    let packed = (0..<50).map { "\(commit) refs/tags/t\($0)\n" }.joined()
    try repository.write(".git/packed-refs", packed)
    let opened = try repository.open()
    #expect(opened.refs.all.count == 51)
    let folder = opened.commonDir
    #expect(code { try RefStore(gitDir: folder, commonDir: folder, limit: 49).load() } == .tooLarge)
    #expect(code { try RefStore(gitDir: folder, commonDir: folder, limit: 50).load() } == .tooLarge)
    #expect(code { try RefStore(gitDir: folder, commonDir: folder, limit: 51).load() } == nil)

    let deep = heads + String(repeating: "/d", count: 130)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    #expect(code { _ = try repository.open() } == .tooLarge)
  }

  @Test func configurationWithManySections() {
    let count = 30_000
    let entries = (0..<count).flatMap { number in
      [
        ConfigEntry(key: "remote.r.\(number).url", value: "old"),
        ConfigEntry(key: "remote.r.\(number).url", value: "\(number)"),
      ]
    }
    let config = GitConfig(entries: entries + [.init(key: "core.bare", value: nil)])
    let names = config.subsections(of: "remote")
    #expect(names.count == count && names.first == "r.0" && names.last == "r.29999")
    // Quadratic, these would be some billions of comparisons.
    #expect(names.allSatisfy { config.strings("remote.\($0).url").count == 2 })
    #expect(config.string("remote.r.29999.url") == "29999")
    #expect(config.bool("core.bare") == true && config.string("core.bare") == nil)
    #expect(config.subsections(of: "core").isEmpty && config.strings("core.none").isEmpty)
  }

  @Test func manySubmodulesAreCut() async throws {
    let repository = try await TemporaryRepository.make()
    let text = (0..<10_050).map { "[submodule \"\($0)\"]\npath=p\($0)\nurl=u\n" }.joined()
    try repository.write(".gitmodules", text)
    let (list, isCut, _) = try repository.open().submodules(recorded: [], tree: nil)
    #expect(list.count == GitRepository.submoduleLimit && isCut)
    try repository.write(".gitmodules", "[submodule \"a\"]\npath=p\nurl=u\n")
    let few = try repository.open().submodules(recorded: [], tree: nil)
    #expect(few.list.map(\.path) == ["p"] && !few.isCut)
  }

  @Test func tooManyParents() {
    func commit(_ parents: Int) -> [UInt8] {
      let id = String(repeating: "1", count: 40)
      let parent = "parent \(id)\n"
      return Array("tree \(id)\n\(String(repeating: parent, count: parents))author A <a> 1 +0000\n".utf8)
    }
    #expect(commit(3).withUnsafeBytes { CommitScan(CheckedBytes($0))?.parentCount } == 3)
    #expect(commit(CommitScan.parentLimit).withUnsafeBytes { CommitScan(CheckedBytes($0)) } != nil)
    #expect(commit(CommitScan.parentLimit + 1).withUnsafeBytes { CommitScan(CheckedBytes($0)) } == nil)
  }
}
