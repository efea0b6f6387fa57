import ForagePlatform
import Foundation
import TestSupport
import Testing

@testable import ForageGit

/// Files beneath the root of a work tree, with `openat2` and component by component.
struct ClonedFilesTests {
  /// A work tree `tree` beside `outside`, each with the same names.
  private static func tree() throws -> (directory: TemporaryDirectory, root: String) {
    let directory = try TemporaryDirectory()
    for folder in ["tree", "outside"] {
      for name in ["a", "ö/b", "ö/ü/c", ".git/config"] { try directory.write("\(folder)/\(name)", folder) }
    }
    let root = directory.path("tree")
    for (link, target) in [
      ("l", "../outside/a"), ("d", "../outside"), ("ö/up", ".."), ("ö/ü/d", "../../../outside"),
      ("loop", "loop"),
      ("inside", "ö/ü"), ("gone", "nothing"),
    ] {
      #expect(symlink(target, "\(root)/\(link)") == 0)
    }
    #expect(mkfifo(root + "/fifo", 0o600) == 0)
    return (directory, root)
  }

  @Test(arguments: [true, false])
  func readsNothingBehindALink(_ usesOpenat2: Bool) throws {
    let (directory, root) = try Self.tree()
    let files = ClonedFiles(root, usesOpenat2: usesOpenat2)
    for path in ["a", "ö/b", "ö/ü/c"] {
      #expect(try files.read(Array(path.utf8))?.bytes == Array("tree".utf8), "\(path)")
      #expect(files.isFile(Array(path.utf8)), "\(path)")
    }
    for path in [
      // Through a link at each depth, also to a folder of the same tree.
      "d/a", "d/ö/ü/c", "ö/up/a", "ö/ü/d/a", "inside/c", "loop/a", "gone/a", "l/a",
      // What is no path of a file of the tree.
      "", ".", "..", "../outside/a", "ö/../a", "ö/./b", "ö//b", "/a", root + "/a", "a/", ".git/config",
      ".GIT/config",
      "ö/.git/x", "a\0", "a/x", "nothing", "nothing/a",
    ] {
      #expect(try files.read(Array(path.utf8)) == nil, "\(path)")
      #expect(files.entry(Array(path.utf8))?.kind != .file, "\(path)")
      #expect(files.names(in: Array(path.utf8)).isEmpty || path.isEmpty, "\(path)")
    }
    // A link is data, and a pipe is not waited for.
    for path in ["l", "d", "ö/up", "ö/ü/d", "loop", "gone"] {
      #expect(files.entry(Array(path.utf8))?.kind == .symlink, "\(path)")
      #expect(try files.read(Array(path.utf8)) == nil, "\(path)")
    }
    #expect(files.linkTarget(Array("ö/ü/d".utf8)) == Array("../../../outside".utf8))
    #expect(files.linkTarget(Array("a".utf8)) == nil && files.linkTarget(Array("d/l".utf8)) == nil)
    #expect(try files.read(Array("fifo".utf8)) == nil && files.entry(Array("fifo".utf8))?.kind == .other)
    #expect(files.names(in: Array("ö".utf8)) == ["b", "up", "ü"].map { Array($0.utf8) })
    #expect(!files.names(in: []).contains(Array(".git".utf8)) && files.names(in: []).count == 8)
    #expect(files.entry([])?.kind == .directory)
    withExtendedLifetime(directory) {}
  }

  /// The root may be behind a link, and stays what it was when it was opened.
  @Test(arguments: [true, false])
  func theRootIsOpenedOnce(_ usesOpenat2: Bool) throws {
    let (directory, root) = try Self.tree()
    let link = directory.path("link")
    #expect(symlink(root, link) == 0)
    let files = ClonedFiles(link, usesOpenat2: usesOpenat2)
    #expect(unlink(link) == 0 && symlink(directory.path("outside"), link) == 0)
    #expect(try files.read(Array("ö/b".utf8))?.bytes == Array("tree".utf8))
    let none = ClonedFiles(directory.path("nothing"), usesOpenat2: usesOpenat2)
    #expect(try none.read([0x61]) == nil && none.entry([]) == nil && none.names(in: []).isEmpty)
  }

  /// Names are bytes, and limits apply to what is read.
  @Test(arguments: [true, false])
  func namesAreBytes(_ usesOpenat2: Bool) throws {
    let (directory, root) = try Self.tree()
    let name: [UInt8] = [0xE9, 0x0A, 0xFF]
    let made = (Array((root + "/").utf8) + name).map { CChar(bitPattern: $0) } + [0]
    let file = try #require(fopen(made, "w"))
    fputs("12345", file)
    fclose(file)
    let files = ClonedFiles(root, usesOpenat2: usesOpenat2)
    #expect(try files.read(name)?.bytes.count == 5 && files.read(name, first: 2)?.bytes.count == 2)
    #expect(files.names(in: []).contains(name))
    let error = #expect(throws: GitError.self) { try files.read(name, limit: 4) }
    #expect(error?.code == .tooLarge)
    withExtendedLifetime(directory) {}
  }

  /// A folder that is exchanged for a link to another one again and again never gives that one's file.
  @Test(arguments: [true, false])
  func aFolderIsExchangedMeanwhile(_ usesOpenat2: Bool) async throws {
    let (directory, root) = try Self.tree()
    let (folder, other) = (root + "/ö/ü", root + "/other")
    #expect(symlink(directory.path("outside/ö/ü"), other) == 0)
    let exchanging = Task.detached {
      while !Task.isCancelled {
        rename(folder, root + "/kept")
        rename(other, folder)
        rename(folder, other)
        rename(root + "/kept", folder)
      }
    }
    let files = ClonedFiles(root, usesOpenat2: usesOpenat2)
    for _ in 0..<20_000 {
      if let found = try files.read(Array("ö/ü/c".utf8)) {
        try #require(found.bytes == Array("tree".utf8))
      }
    }
    exchanging.cancel()
    await exchanging.value
  }

  /// A tracked file behind a folder that is a link now is a deleted one, as for git.
  @Test(arguments: ["a", "deep/ö/a"])
  func aReplacedFolderIsDeleted(_ path: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a/x": "x\n", "deep/ö/a/x": "x\n", "kept": "k\n"])
    let outside = try repository.directory.makeDirectory("outside")
    try repository.directory.write("outside/x", "foreign\n")
    let folder = repository.path + "/" + path
    try FileManager.default.removeItem(atPath: folder)
    #expect(symlink(outside.path, folder) == 0)
    try await repository.compareStatus()
    let changes = try #require(try repository.open().worktreeChanges())
    #expect(changes.tracked.contains(ExactText(path + "/x")))
    #expect(!changes.untracked.contains(ExactText(path + "/x")))
  }
}
