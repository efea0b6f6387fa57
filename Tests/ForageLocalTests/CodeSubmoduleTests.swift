import ForageCore
import ForageLocal
import ForageStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// Files in the submodules of clones.
struct CodeSubmoduleTests {
  typealias World = CodeSearchTests.World

  /// A clone `owner/super` with the submodule `lib/größe`, in which `deps/inner` is another one.
  private struct Fixture {
    var world: World
    let clone: TemporaryRepository
    let middle: TemporaryRepository
    let inner: TemporaryRepository
    /// The repository of which `inner` is a clone.
    let origin: TemporaryRepository

    init() async throws {
      world = try World()
      let directory = world.workshop.directory
      origin = try await TemporaryRepository.make("origins/inner", in: directory)
      try await origin.commit(files: ["ä/i.c": "int needle_inner;\n", "same.c": "int needle;\n"])
      let library = try await TemporaryRepository.make("origins/library", in: directory)
      try await library.git(["submodule", "--quiet", "add", "file://" + origin.path, "deps/inner"])
      try await library.commit(files: ["m.c": "int needle_middle;\n"])
      clone = try await world.clone("super", ["a.c": "int needle_super;\n"])
      try await clone.git(["submodule", "--quiet", "add", "file://" + library.path, "lib/größe"])
      try await clone.git("submodule --quiet update --init --recursive")
      try await clone.commit("submodule")
      middle = try TemporaryRepository(at: clone.path + "/lib/größe", in: directory)
      inner = try TemporaryRepository(at: middle.path + "/deps/inner", in: directory)
    }

    static let paths: Set = [
      "a.c", "lib/größe/m.c", "lib/größe/deps/inner/ä/i.c", "lib/größe/deps/inner/same.c",
    ]
  }

  /// What `git grep --recurse-submodules` finds is found, with and without an index, with paths in the
  /// superproject.
  @Test func nestedSubmodules() async throws {
    let fixture = try await Fixture()
    var world = fixture.world
    let summary = try await world.update()
    #expect(summary.clones == 1)
    // One need not stand in the clone.
    #expect(try await Set(world.paths("needle")) == Fixture.paths)
    world.current = fixture.clone.path + "/lib"
    for index in [world.index, CodeIndex(path: "/dev/null/code.db")] {
      world.index = index
      let grep = try await fixture.clone.git([
        "-c", "core.quotePath=false", "grep", "--recurse-submodules", "-l", "needle",
      ])
      let found = Set(try await world.paths("needle"))
      #expect(found == Fixture.paths)
      #expect(found == Set(grep.split(separator: "\n").map(String.init)))
      #expect(try await world.paths("needle path:lib/größe/m") == ["lib/größe/m.c"])
      #expect(try await Set(world.paths("needle repo:owner/super")) == Fixture.paths)
      let named = try await Set(world.paths("größe in:path"))
      #expect(named == Fixture.paths.subtracting(["a.c"]).union(["lib/größe/.gitmodules"]))
      #expect(try await world.page("needle").notes.isEmpty)
    }
    // One stands in the submodule alone.
    world.current = fixture.middle.path
    #expect(
      try await Set(world.paths("needle"))
        == ["a.c", "m.c", "deps/inner/ä/i.c", "deps/inner/same.c"])
  }

  /// Files of submodules are searched as they are on disk.
  @Test func changedFilesInSubmodules() async throws {
    let fixture = try await Fixture()
    var world = fixture.world
    world.current = fixture.clone.path
    try fixture.inner.write("ä/i.c", "hay\n")
    try fixture.middle.write("m.c", "int needle_changed;\n")
    try fixture.middle.write("ö/new.c", "int needle_new;\n")
    let page = try await world.page("needle")
    #expect(
      Set(page.items.map(\.title)) == [
        "a.c", "lib/größe/m.c", "lib/größe/ö/new.c", "lib/größe/deps/inner/same.c",
      ])
    let changed = try #require(page.items.first { $0.title == "lib/größe/m.c" })
    #expect(changed[.matches]?.elements.first?["text"]?.text == "int needle_changed;")
    #expect(changed[.file]?.text == fixture.middle.path + "/m.c" && changed.id == changed[.file]?.text)
  }

  /// A result names the superproject; its page is that of the submodule's own repository.
  @Test func pagesOfFilesInSubmodules() async throws {
    let fixture = try await Fixture()
    var world = fixture.world
    try await fixture.inner.git("remote set-url origin https://github.com/other/inner.git")
    world.current = fixture.clone.path
    let items = try await world.page("needle").items
    let item = try #require(items.first { $0.title.hasSuffix("i.c") })
    let commit = try await fixture.inner.git("rev-parse HEAD")
    #expect(item[.repository] == .text("github.com/owner/super"))
    #expect(item[.path] == .text("lib/größe/deps/inner/ä/i.c") && item[.commit] == nil && item[.ref] == nil)
    #expect(item[.file] == .text(fixture.inner.path + "/ä/i.c"))
    #expect(item.id == "github.com/other/inner/blob/\(commit)/ä/i.c")
    #expect(item.url == "https://github.com/other/inner/blob/\(commit)/%C3%A4/i.c")
    #expect(try await world.paths("needle_inner repo:other/inner") == [item.title])
    #expect(items.first { $0.title.hasSuffix("/m.c") }?.url == nil)
  }

  /// Lines have the clone and the path that results have.
  @Test func linesInSubmodules() async throws {
    let fixture = try await Fixture()
    var world = fixture.world
    try await fixture.inner.git("remote set-url origin https://github.com/other/inner.git")
    world.current = fixture.clone.path
    let request = CodeLines(.term(QueryTerm("needle")), in: [GrepLocation(root: fixture.clone.path)])
    let store = world.workshop.store
    let page = try await LocalProvider(code: world.settings) { store }.lines(request)
    #expect(Set(page.items.map(\.title)) == Fixture.paths)
    #expect(Set(page.items.compactMap { $0[.repository]?.text }) == ["github.com/owner/super"])
  }

  /// A submodule that is in the catalogue, and another clone of the same repository, add no results.
  @Test func submodulesThatAreClonesToo() async throws {
    let fixture = try await Fixture()
    var world = fixture.world
    _ = try await fixture.origin.clone("src/copy")
    _ = try await world.workshop.scan()
    let folder = CloneFolder(path: fixture.inner.path, isFound: false)
    try world.workshop.store.addCloneFolder(folder.path, isFound: false)
    _ = try await world.workshop.catalogue.scan(folder) { _ in }
    #expect(try world.workshop.store.clones().contains { $0.path == fixture.inner.path })
    world.current = fixture.clone.path
    let items = try await world.page("needle").items
    #expect(items.count == Fixture.paths.count)
    let same = try #require(items.first { $0.title.hasSuffix("same.c") })
    let places = (same[.places]?.elements ?? []).compactMap { $0["file"]?.text }
    #expect(same.title == "lib/größe/deps/inner/same.c")
    #expect(places == [world.workshop.root + "/copy/same.c"])
  }

  /// A submodule that is not checked out, or whose folder leads elsewhere, is none.
  @Test func submodulesThatAreNotCheckedOut() async throws {
    let fixture = try await Fixture()
    var world = fixture.world
    world.current = fixture.clone.path
    try await fixture.middle.git("submodule --quiet deinit --force deps/inner")
    #expect(try await Set(world.paths("needle")) == ["a.c", "lib/größe/m.c"])
    let elsewhere = world.workshop.directory.path("elsewhere")
    try FileManager.default.moveItem(atPath: fixture.middle.path, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.middle.path, withDestinationPath: elsewhere)
    #expect(try await world.paths("needle") == ["a.c"])
  }
}
