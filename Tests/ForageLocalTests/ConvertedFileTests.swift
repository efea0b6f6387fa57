import ForageCore
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Files that an attribute converts are searched in their form on disk.
struct ConvertedFileTests {
  typealias World = CodeSearchTests.World

  /// A clone in which `*.up` has capitals on disk and small letters in the repository, as a filter makes
  /// them.
  private func world() async throws -> (world: World, clone: TemporaryRepository) {
    let world = try World()
    let clone = try await world.clone("one", ["a.c": "needle\n"])
    try await clone.git(["config", "filter.up.clean", "tr A-Z a-z"])
    try await clone.git(["config", "filter.up.smudge", "tr a-z A-Z"])
    try clone.write(".gitattributes", "*.up filter=up\n*.wide working-tree-encoding=UTF-16LE-BOM\n")
    try clone.write("größe.up", "NEEDLE IN CAPITALS\n")
    try clone.write("deep/b.up", "OTHER\n")
    try await clone.git(["add", "-A"])
    try await clone.commit("filters")
    let stored = try await clone.git(["show", "HEAD:größe.up"])
    #expect(stored.hasPrefix("needle in capitals"))
    return (world, clone)
  }

  @Test(arguments: [true, false]) func theirFormOnDisk(_ isIndexed: Bool) async throws {
    var (world, clone) = try await world()
    if isIndexed { _ = try await world.update() } else { _ = try await world.workshop.scan() }
    if !isIndexed { world.index = CodeIndex(path: "/dev/null/code.db") }
    let page = try await world.page("CAPITALS case:yes")
    #expect(page.items.compactMap { $0[.path]?.text } == ["größe.up"] && page.notes.isEmpty)
    #expect(try await world.paths("capitals case:yes").isEmpty)
    // What is fetched later, as by Git LFS, changes no commit.
    try clone.write("größe.up", "FETCHED LATER\n")
    #expect(try await world.paths("FETCHED case:yes") == ["größe.up"])
    #expect(try await world.paths("CAPITALS case:yes").isEmpty)
    // A file that is not there has no form.
    try FileManager.default.removeItem(atPath: clone.path + "/größe.up")
    let gone = try await world.page("FETCHED")
    #expect(gone.items.isEmpty && gone.notes.isEmpty)
  }

  /// A ref has what the repository has.
  @Test func refs() async throws {
    var (world, clone) = try await world()
    _ = try await world.update()
    world.current = clone.path
    #expect(try await world.paths("capitals case:yes ref:main") == ["größe.up"])
    #expect(try await world.paths("CAPITALS case:yes ref:main").isEmpty)
  }

  /// A commit that changes other files keeps them.
  @Test func laterCommits() async throws {
    let (world, clone) = try await world()
    _ = try await world.update()
    try clone.write("a.c", "changed\n")
    try await clone.git(["add", "a.c"])
    try await clone.commit("change")
    #expect(try await world.paths("CAPITALS case:yes") == ["größe.up"])
    #expect(try await world.paths("changed") == ["a.c"])
  }
}
