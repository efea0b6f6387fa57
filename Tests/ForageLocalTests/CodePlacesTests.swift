import ForageCore
import ForageGit
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Texts that stand at several places.
struct CodePlacesTests {
  typealias World = CodeSearchTests.World

  /// Each place decides for itself whether it fits a query of which the text decides a part.
  @Test func conditionsHoldForEachPlace() async throws {
    let world = try World()
    let text = "zebra näher\n"
    _ = try await world.clone("a", ["aaa/x": text, "bbb/x": text, "bbb/ÿ.md": "symbol\nstruct Zebra {}\n"])
    _ = try await world.clone("b", ["x": text, "y.c": "symbol\nstruct Zebra {}\n"])
    _ = try await world.update()
    func places(_ query: String) async throws -> [String] {
      try await world.page(query).items.flatMap { item in
        [Self.place(item[.repository]?.text, item[.path]?.text)]
          + (item[.places]?.elements ?? []).filter { $0["fits"] == nil }.map {
            Self.place($0["repository"]?.text, $0["path"]?.text)
          }
      }.sorted()
    }
    #expect(try await places("(path:bbb zebra näher) OR (path:aaa nothinghere)") == ["a bbb/x"])
    #expect(try await places("näher NOT (path:aaa zebra)") == ["a bbb/x", "b x"])
    #expect(try await places("näher NOT (path:aaa quagga)") == ["a aaa/x", "a bbb/x", "b x"])
    #expect(try await places("(repo:owner/a nothinghere) OR (repo:owner/b näher)") == ["b x"])
    #expect(try await places("repo:owner/b näher") == ["b x"])
    #expect(try await places("path:bbb is:documentation symbol") == ["a bbb/ÿ.md"])
    // Prose defines nothing, the same text in a program does.
    #expect(try await places("symbol:Zebra") == ["b y.c"])
    #expect(try await places("symbol NOT symbol:Zebra") == ["a bbb/ÿ.md"])
  }

  /// Two checkouts of a repository with another version of a file have a result each.
  @Test func twoCheckouts() async throws {
    let world = try World()
    let first = try await world.clone("a", ["src/größe.c": "common\n"])
    let origin = "https://github.com/owner/a.git"
    let second = try await world.workshop.clone("b", origin: origin)
    try await second.commit(files: ["src/größe.c": "common\nonly in b\n"])
    _ = try await world.update()
    let store = world.workshop.store
    let provider = LocalProvider(code: world.settings) { store }
    let search = FederatedSearch(
      query: try QueryParser().parse("common"), kinds: [.code], timeout: .seconds(60))
    let result = await SearchRun(search, ProviderRegistry([provider])).more()
    let files = Set(result.items.compactMap { $0.result[.file]?.text })
    #expect(files == [first.path + "/src/größe.c", second.path + "/src/größe.c"])
  }

  /// Words in paths need no text, and qualifiers alone find binary files, too.
  @Test func wordsInPathsReadNoText() async throws {
    var world = try World()
    let clone = try await world.clone("a", ["src/größe.c": "x\n", "größe.bin": "\0\0\0"])
    _ = try await world.update()
    #expect(try await Set(world.paths("größe in:path")) == ["src/größe.c", "größe.bin"])
    world.index = CodeIndex(path: world.workshop.directory.path("other.db"))
    try FileManager.default.removeItem(atPath: clone.path + "/src")
    #expect(try await world.paths("größe in:path extension:c") == ["src/größe.c"])
  }

  /// A file is changed if its content differs, whatever its time; its name need not be UTF-8.
  @Test func changesOfTheClone() async throws {
    var world = try World()
    let clone = try await world.clone(
      "a", ["touched.txt": "näher\n", ".gitignore": "*.log\n", "b.txt": "b\n"])
    try "näher\n".write(toFile: clone.path + "/x.log", atomically: false, encoding: .utf8)
    try await clone.git("add -f x.log")
    try await clone.git("commit -qm log")
    try await clone.git("rm -q --cached x.log")
    try await clone.git("rm -q --cached b.txt")
    try "b näher\n".write(toFile: clone.path + "/b.txt", atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: clone.path + "/touched.txt")
    let name = Array((clone.path + "/latin1-").utf8) + [0xE9, 0xFF]
    let file = try #require(fopen(name.map { CChar(bitPattern: $0) } + [0], "w"))
    fputs("näher here\n", file)
    fclose(file)
    _ = try await world.update()
    world.current = clone.path
    let page = try await world.page("näher")
    #expect(
      Set(page.items.compactMap { $0[.path]?.text }) == ["touched.txt", "b.txt", "latin1-\u{FFFD}\u{FFFD}"])
    #expect(page.items.first { $0[.path]?.text == "touched.txt" }?[.commit] != nil)
    #expect(page.coverage?.skipped == [:], "\(String(describing: page.coverage))")
  }

  /// A file of a clone that one does not stand in is searched as `HEAD` has it, also if size and modification
  /// time of the file on disk are those that it had when it was indexed.
  @Test func aFileWithTheSameTimeAndSizeIsNoUnchangedFile() async throws {
    let world = try World()
    let clone = try await world.clone("a", ["a.txt": "committed näher\n", "b.txt": "other\n"])
    let path = clone.path + "/a.txt"
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    try await clone.git("update-index --refresh")
    _ = try await world.update()
    #expect(try await world.paths("committed") == ["a.txt"])
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.write(contentsOf: Data("forbidden".utf8))
    try file.close()
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    #expect(try await world.paths("committed") == ["a.txt"])
    #expect(try await world.paths("forbidden").isEmpty)
  }

  /// A folder that is a link now has no files of the clone, at each depth and whether one stands in the clone
  /// or not.
  @Test(arguments: ["größe", "deep/ö/größe"], [true, false])
  func aReplacedFolderHasNoFiles(_ folder: String, _ isCurrent: Bool) async throws {
    var world = try World()
    let clone = try await world.clone(
      "a", ["\(folder)/config": "committed näher\n", "kept": "kept näher\n"])
    // The same content, so that an id says nothing.
    for text in ["committed näher\n", "foreign näher\n"] {
      try world.workshop.directory.write("outside/config", text)
      try? FileManager.default.removeItem(atPath: clone.path + "/" + folder)
      try FileManager.default.createSymbolicLink(
        atPath: clone.path + "/" + folder, withDestinationPath: world.workshop.directory.path("outside"))
      _ = try await world.update()
      world.current = isCurrent ? clone.path : nil
      let page = try await world.page("näher")
      let texts = page.items.compactMap { $0[.matches]?.elements.first?["text"]?.text }
      let expected = ["committed näher", "kept näher"].suffix(isCurrent ? 1 : 2)
      #expect(texts.sorted() == Array(expected), "\(text)")
      #expect(page.items.compactMap { $0[.file]?.text } == [clone.path + "/kept"], "\(text)")
      #expect(try await world.page("foreign").items.isEmpty)
    }
  }

  /// Files of git are none of a bare clone's, whatever their names.
  @Test func aBareCloneHasNoFilesOnDisk() async throws {
    let world = try World()
    let clone = try await world.clone("a", ["config": "näher\n"])
    try FileManager.default.moveItem(atPath: clone.path + "/.git", toPath: clone.path + ".git")
    try FileManager.default.removeItem(atPath: clone.path)
    try await TemporaryRepository(at: clone.path + ".git", in: clone.directory).git("config core.bare true")
    _ = try await world.update()
    let items = try await world.page("näher").items
    #expect(items.map { $0[.path]?.text } == ["config"] && items.allSatisfy { $0[.file] == nil })
  }

  /// A place as the name of its repository and its path.
  private static func place(_ repository: String?, _ path: String?) -> String {
    (repository?.split(separator: "/").last ?? "") + " " + (path ?? "")
  }

  /// What a partial clone lacks is read from another clone, whichever comes first.
  @Test(arguments: [("a", "b"), ("b", "a")])
  func aPartialCloneHidesNothing(_ partial: String, _ full: String) async throws {
    let world = try World()
    let files = ["src/größe.c": "int needle;\n"]
    let lacking = try await world.clone(partial, files)
    let other = try await world.clone(full, files)
    let blob = try await lacking.git("rev-parse HEAD:src/größe.c")
    try FileManager.default.removeItem(
      atPath: lacking.path + "/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    try FileManager.default.removeItem(atPath: lacking.path + "/src/größe.c")
    _ = try await world.update()
    for query in ["needle", "needle repo:owner/\(partial)"] {
      let page = try await world.page(query)
      #expect(page.items.count == 1, "\(query)")
      #expect(page.items.first?[.matchCount] == .number(1), "\(query)")
      #expect(page.notes.isEmpty, "\(query)")
    }
    // The place on disk is the first.
    #expect(
      try await world.page("needle").items.first?[.file] == .text(other.path + "/src/größe.c"))
  }
}
