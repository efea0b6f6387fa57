import Foundation
import GRDB
import TestSupport
import Testing

@testable import ForageStore

@Suite struct CodeIndexTests {
  private static func blob(_ number: UInt8) -> CodeIndex.NewBlob {
    CodeIndex.NewBlob(
      id: Data(repeating: number, count: 20), bytes: 1, state: .text, terms: Data("abc".utf8))
  }

  /// Any number in each column of the index: it is read, or counts as damaged and is replaced.
  @Test func hostileNumbers() throws {
    let folder = try TemporaryDirectory(prefix: "forage-store")
    let path = folder.path("größe/code.db")
    var tree = CodeIndex.Tree(
      path: "/src/größe", tree: Data(repeating: 1, count: 20), stamp: "s",
      commit: String(repeating: "1", count: 40), branch: nil, committedAt: 7)
    tree.files = 1
    let whole = folder.path("whole.db")
    let index = CodeIndex(path: whole)
    try index.add([Self.blob(1)])
    try #require(
      try index.set(
        tree,
        added: [
          CodeIndex.File(
            blob: Data(repeating: 1, count: 20), path: "größe.c", language: "C", flags: 0, stamp: 7)
        ], removed: nil, previous: nil))
    let columns = try DatabaseQueue(path: whole).read { database in
      try ["trees", "files", "blobs"].flatMap { table in
        try database.columns(in: table).filter { $0.type != "TEXT" }.map { (table, $0.name) }
      }
    }
    // Of one file alone: a copy needs no log beside it.
    let copy = folder.path("copy.db")
    try DatabaseQueue(path: whole).writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO '\(copy)'") }
    try FileManager.default.createDirectory(
      atPath: folder.path("größe"), withIntermediateDirectories: true)
    for (table, column) in columns {
      for value in HostileNumbers.values {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: copy, toPath: path)
        try? DatabaseQueue(path: path).writeWithoutTransaction {
          try $0.execute(sql: "PRAGMA ignore_check_constraints = ON")
          try $0.execute(sql: "UPDATE \(table) SET \(column) = \(value.replacing("\"", with: "'"))")
        }
        let damaged = CodeIndex(path: path)
        _ = try? damaged.trees()
        _ = try? damaged.candidates(expression: nil, includesAll: true, isWanted: { _ in true }, { _ in })
        _ = try? damaged.longFiles(of: [1])
        _ = try? damaged.usage()
      }
    }
  }

  /// While another connection writes, the index is read, and a write that does not wait fails at once.
  @Test func othersReadWhileOneWrites() throws {
    let folder = try TemporaryDirectory(prefix: "forage-store")
    let index = CodeIndex(path: folder.path("größe/code.db"))
    try index.add([Self.blob(1)])
    let other = CodeIndex(path: index.path, isForSearch: true)
    try index.database.write { database in
      try database.execute(sql: "DELETE FROM blobs")
      let start = ContinuousClock.now
      #expect(try other.usage()?.blobs == 1)
      let error = #expect(throws: StoreError.self) { try other.add([Self.blob(2)]) }
      #expect(error?.isBusy == true)
      #expect(try other.known([Data(repeating: 1, count: 20)]).count == 1)
      #expect(ContinuousClock.now - start < .seconds(DatabaseOpening.writingTimeout))
    }
    #expect(try other.usage()?.blobs == 0)
  }

  /// A search does not wait for the one who replaces the index, and asks once only.
  @Test func searchesGoOnWithoutALockedIndex() throws {
    let folder = try TemporaryDirectory(prefix: "forage-store")
    let path = folder.path("größe/code.db")
    try CodeIndex(path: path).add([Self.blob(1)])
    let index = CodeIndex(path: path, isForSearch: true)
    let start = ContinuousClock.now
    try FileLock.hold(path, isExclusive: true, waiting: 0) {
      for _ in 0..<100 {
        let error = #expect(throws: StoreError.self) { try index.trees() }
        #expect(error?.isBusy == true)
      }
    }
    #expect(ContinuousClock.now - start < .seconds(DatabaseOpening.writingTimeout))
    #expect(try CodeIndex(path: path, isForSearch: true).usage()?.blobs == 1)
  }
}
