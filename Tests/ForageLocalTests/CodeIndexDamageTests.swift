import ForageCore
import ForageGit
import ForageLocal
import ForageStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// Damage of the index, and what an update tells.
struct CodeIndexDamageTests {
  typealias World = CodeSearchTests.World

  /// `clones index --check` finds what SQLite and FTS5 find, and builds the index again.
  @Test(arguments: [
    "DROP TABLE files", "UPDATE text_data SET block = zeroblob(length(block)) WHERE id > 10",
    "DELETE FROM text_idx",
  ])
  func anUpdateThatChecksRepairs(_ damage: String) async throws {
    let world = try World()
    _ = try await world.clone("one", CodeSearchTests.files)
    _ = try await world.update()
    let expected = try await world.page("parser OR größer")
    #expect(try world.index.isSound())
    try execute(damage, in: world.index)
    let paths = try world.workshop.store.clones().map(\.path)
    _ = try await CodeIndexUpdate(world.settings).run(paths, all: paths, checks: true) { _ in }
    #expect(try world.index.isSound())
    let page = try await world.page("parser OR größer")
    #expect(page.items == expected.items && page.coverage == expected.coverage)
  }

  /// What a search meets it repairs itself: what SQLite says, a tree with fewer files than were written, and
  /// numbers that lead astray.
  @Test(arguments: [
    "DROP TABLE files", "DELETE FROM files WHERE path LIKE '%parser%'", "UPDATE trees SET clone = -1",
    "UPDATE trees SET clone = 7", "UPDATE files SET clone = -1 WHERE path LIKE '%parser%'",
    "UPDATE files SET clone = 9223372036854775807", "UPDATE blobs SET state = -1",
    "UPDATE text_config SET v = 99", "DELETE FROM text_config",
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

  /// Clones that cannot be read are named, with what to do about each; those that are gone are no missing
  /// part.
  @Test func unreadableClonesAreNamed() async throws {
    let world = try World()
    _ = try await world.clone("größe", ["a": "needle\n"])
    let gone = try await world.clone("gone", ["b": "needle\n"])
    let broken = try await world.clone("broken", ["c": "needle\n"])
    _ = try await world.update()
    try FileManager.default.removeItem(atPath: gone.path)
    let rest = try await world.page("needle")
    #expect(rest.notes.isEmpty && rest.coverage?.skipped == ["gone": 1])
    try broken.write(".git/HEAD", "garbage\n")
    let page = try await world.page("needle")
    let note = try #require(page.notes.first)
    #expect(note.message == "1 clone could not be read (\(broken.path))")
    #expect(note.hint == "see why with: forage clones list --status")
    #expect(page.coverage?.skipped == ["clone": 1, "gone": 1])
    #expect(page.items.compactMap { $0[.path]?.text } == ["a"])
  }
}
