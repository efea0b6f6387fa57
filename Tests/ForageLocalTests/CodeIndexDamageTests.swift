import ForageCore
import ForageGit
import ForageLocal
import ForageStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// Damage of the index that counts of rows do not show.
struct CodeIndexDamageTests {
  typealias World = CodeSearchTests.World

  static let damages = [
    "UPDATE blobs SET oid = zeroblob(20) WHERE id = 1", "UPDATE blobs SET state = 1",
    "UPDATE files SET blob = blob + 1 WHERE blob < 3", "UPDATE files SET path = 'ä' || path",
    "UPDATE files SET language = 'C'", "DELETE FROM definitions", "DROP TABLE definitions",
    "DROP TABLE files",
    "UPDATE text_data SET block = zeroblob(length(block)) WHERE id > 10",
    "UPDATE blobs SET bytes = bytes + 1",
  ]

  /// `clones index` finds all of it and builds the index again.
  @Test(arguments: damages) func anUpdateThatChecksRepairs(_ damage: String) async throws {
    let world = try World()
    _ = try await world.clone("one", CodeSearchTests.files)
    _ = try await world.update()
    let expected = try await world.page("parser OR größer")
    #expect(try world.index.isSound())
    try execute(damage, in: world.index)
    #expect(try !world.index.isSound(), "\(damage)")
    let paths = try world.workshop.store.clones().map(\.path)
    _ = try await CodeIndexUpdate(world.settings).run(paths, all: paths, checks: true) { _ in }
    #expect(try world.index.isSound())
    let page = try await world.page("parser OR größer")
    #expect(page.items == expected.items && page.coverage == expected.coverage)
    #expect(try await world.paths("symbol:parse") == ["src/parser.swift"])
  }

  /// What a search meets it repairs itself.
  @Test(arguments: [
    "UPDATE blobs SET oid = randomblob(20); UPDATE files SET stamp = NULL", "DROP TABLE definitions",
    "DROP TABLE files",
  ])
  func aSearchRepairs(_ damage: String) async throws {
    let world = try World()
    _ = try await world.clone("one", CodeSearchTests.files)
    _ = try await world.update()
    let expected = try await world.page("parser")
    try execute(damage, in: world.index)
    for step in 1...2 {
      let page = try await world.page("parser")
      #expect(page.items == expected.items, "search \(step)")
      #expect(page.coverage == expected.coverage, "search \(step)")
    }
    #expect(try world.index.isSound())
  }

  /// Searches index on the spot; the content is then checked as far as it can be, and noted at the next update.
  @Test func theContentIsNotedAgain() async throws {
    let world = try World()
    let clone = try await world.clone("one", CodeSearchTests.files)
    _ = try await world.update()
    try await clone.commit("more", files: ["new/ñ.c": "int parser;\n"])
    #expect(try await world.paths("parser").count == 6)
    #expect(try world.index.isSound())
    _ = try await world.update()
    #expect(try world.index.isSound())
    try execute("UPDATE files SET flags = flags + 1 WHERE path LIKE 'new%'", in: world.index)
    #expect(try !world.index.isSound())
  }

  /// What remains is known also of a single clone.
  @Test func whatRemains() async throws {
    let world = try World()
    for name in ["größe", "two"] {
      _ = try await world.clone(name, ["a \(name)": "a\(name)\n", "b": "b\(name)\n", "c": "c\(name)\n"])
    }
    _ = try await world.workshop.scan()
    let paths = try world.workshop.store.clones().map(\.path)
    let seen = Mutex<[CodeIndexUpdate.Progress]>([])
    _ = try await CodeIndexUpdate(world.settings).run(paths) { progress in
      seen.withLock { $0.append(progress) }
    }
    let all = seen.withLock { $0 }
    // Each clone has a README.md.
    #expect(all.first?.expected == 8 && all.last?.expected == 8 && all.last?.files == 8)
    #expect(all.first?.remaining(after: .seconds(1)) == .seconds(7))
    #expect(all.last?.remaining(after: .seconds(1)) == nil)
  }

  /// Clones that cannot be read are named, with what to do about each.
  @Test func unreadableClonesAreNamed() async throws {
    let world = try World()
    _ = try await world.clone("größe", ["a": "needle\n"])
    let gone = try await world.clone("gone", ["b": "needle\n"])
    let broken = try await world.clone("broken", ["c": "needle\n"])
    _ = try await world.update()
    try FileManager.default.removeItem(atPath: gone.path)
    let one = try #require(try await world.page("needle").notes.first)
    #expect(one.message == "1 clone could not be read (\(gone.path))")
    #expect(one.hint == "run: forage clones scan")
    try broken.write(".git/HEAD", "garbage\n")
    let page = try await world.page("needle")
    let two = try #require(page.notes.first)
    #expect(two.message.hasPrefix("2 clones could not be read ("))
    #expect(two.hint.contains("git fsck") && two.hint.contains("forage clones scan"))
    #expect(page.coverage?.skipped == ["clone": 2])
    #expect(page.items.compactMap { $0[.path]?.text } == ["a"])
  }
}
