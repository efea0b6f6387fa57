import Dispatch
import ForageStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct StoreTests {
  private func storeError(_ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void)
    -> StoreError?
  {
    do {
      try body()
      Issue.record("it succeeded", sourceLocation: location)
    } catch let error as StoreError {
      return error
    } catch {
      Issue.record("\(error) instead of a StoreError", sourceLocation: location)
    }
    return nil
  }

  @Test func recordsSurviveReopening() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("deep/er/forage.db")
    var full = try clone(
      "/src/a", "O/N", description: "Ünïcode 🚀\nsecond line", language: "C++", license: "MIT", size: .max)
    full.commit = String(repeating: "a", count: 40)
    full.rootCommit = String(repeating: "b", count: 40)
    var failed = try clone("/src/b")
    failed.error = "broken"
    failed.sizeBytes = nil
    failed.lastCommitAt = nil
    do {
      let store = try Store(path: path)
      try store.addCloneFolder("/src", isFound: true)
      try store.record(
        folder: "/src", changed: [failed, full], gone: [], at: Date(timeIntervalSince1970: 1_700_000_000.5))
    }
    for store in [try Store(path: path), try Store(readingFrom: path)] {
      #expect(try store.clones() == [full, failed])
      let expected = CloneFolder(
        path: "/src", isFound: true, scannedAt: Date(timeIntervalSince1970: 1_700_000_000.5),
        checkedAt: Date(timeIntervalSince1970: 1_700_000_000.5))
      #expect(try store.cloneFolders() == [expected])
      #expect(try store.passesIntegrityCheck())
    }
  }

  @Test func folders() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(path: folder.path("forage.db"))
    try store.addCloneFolder("/b", isFound: true)
    try store.addCloneFolder("/a", isFound: false)
    try store.addCloneFolder("/a", isFound: true)
    #expect(try store.cloneFolders().map(\.isFound) == [false, true])
    try store.addCloneFolder("/b", isFound: false)
    #expect(
      try store.cloneFolders().map(\.path) == ["/a", "/b"] && store.cloneFolders().allSatisfy { !$0.isFound })
    var other = try clone("/b/x")
    other.folder = "/b"
    try store.record(folder: "/src", changed: [try clone("/src/x"), other], gone: [], at: Date())
    #expect(try store.removeCloneFolder("/b") == 1)
    #expect(try store.removeCloneFolder("/b") == nil)
    #expect(try store.removeCloneFolder("/a") == 0)
    #expect(try store.clones().map(\.path) == ["/src/x"])
  }

  @Test func manyIdsAtOnce() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(path: folder.path("forage.db"))
    try store.record(
      folder: "/src", changed: (0..<2500).map { try clone("/src/\($0)", "o/n\($0)") }, gone: [], at: Date())
    let ids = (0..<2500).map { "github.com/o/n\($0)" } + ["github.com/o/none"]
    #expect(try store.clones(ofEntities: ids).count == 2500)
    #expect(try store.clones(ofEntities: []).isEmpty)
  }

  /// The names of repositories that were renamed: once more, back again, and taken by another repository.
  @Test func names() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(path: folder.path("forage.db"))
    var clone = try clone("/src/a", "o/a")
    clone.forgeID = "github.com:1"
    try store.record(folder: "/src", changed: [clone], gone: [], at: Date())
    func learn(_ former: String, _ name: String) throws -> Bool {
      try store.learn(
        [try #require(RepositoryName(formerID: "github.com/" + former, name: "github.com/" + name))])
    }
    func ids(_ names: String...) throws -> [String?] {
      let ids = names.map { "github.com/" + $0 }
      let found = try store.clones(ofEntities: ids)
      return ids.map { found[$0]?.first?.entityID }
    }
    #expect(try !learn("o/none", "o/nothing") && store.formerNames().isEmpty)
    #expect(try learn("o/a", "O/B"))
    #expect(try !learn("o/a", "O/B"))
    let (a, b, c) = ("github.com/o/a", "github.com/o/b", "github.com/o/c")
    let renamed = try #require(try store.clones().first)
    #expect(
      renamed.addressID == a && renamed.owner == "O" && renamed.name == "B"
        && renamed.forgeID == "github.com:1")
    #expect(try ids("o/a", "o/b") == [b, b])
    #expect(try store.clones(containing: ["o/b"]).count == 1)
    #expect(try learn("o/b", "o/c"))
    #expect(try ids("o/a", "o/b", "o/c") == [c, c, c])
    // Its address says the former name to a scan, too.
    var again = renamed
    (again.entityID, again.forgeID) = (c, nil)
    try store.record(again)
    #expect(try store.clones(ofForgeIDs: ["github.com:1"]).map(\.path) == ["/src/a"])
    #expect(try learn("o/c", "o/a"))
    #expect(try ids("o/a", "o/b", "o/c") == [a, a, a] && store.clones().first?.addressID == nil)
    #expect(try learn("o/a", "o/d") && learn("o/a", "o/a"))
    #expect(try ids("o/a", "o/d") == [a, nil] && store.clones().first?.forgeID == nil)
    #expect(try Store(readingFrom: folder.path("forage.db")).formerNames() == store.formerNames())
  }

  /// Several handles on one file, as several processes have: every write is there in the end.
  @Test func handlesLoseNothing() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("forage.db")
    _ = try Store(path: path)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { handle in
      do {
        let store = try Store(path: path)
        for number in 0..<25 {
          let name = "\(handle)-\(number)"
          try store.addCloneFolder("/src/" + name, isFound: false)
          try store.record(
            folder: "/src/" + name, changed: [try clone("/src/" + name, "o/" + name)], gone: [], at: Date())
          _ = try store.clones(containing: [name])
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let store = try Store(path: path)
    #expect(try store.clones().count == 150 && store.cloneFolders().count == 150)
    #expect(try store.cloneFolders().allSatisfy { $0.scannedAt != nil } && store.passesIntegrityCheck())
  }

  /// Two first starts at once: each finds a store that it can use.
  @Test func firstOpeningAtOnce() throws {
    let failures = Mutex<[String]>([])
    for _ in 0..<20 {
      let folder = try TemporaryDirectory()
      let path = folder.path("data/forage.db")
      DispatchQueue.concurrentPerform(iterations: 4) { handle in
        do {
          try Store(path: path).addCloneFolder("/\(handle)", isFound: false)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func fileThatIsNoDatabase() throws {
    let folder = try TemporaryDirectory()
    let text = String(repeating: "this is no database\n", count: 500)
    try folder.write("forage.db", text)
    let path = folder.path("forage.db")
    for open in [{ _ = try Store(path: path) }, { _ = try Store(readingFrom: path).clones() }] {
      let error = storeError { try open() }
      #expect(error?.message.contains(path) == true)
      #expect(error?.hint.contains("move it away") == true)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func damageInTheMiddleIsFound() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("forage.db")
    do {
      let store = try Store(path: path)
      try store.record(
        folder: "/src", changed: (0..<2000).map { try clone("/src/\($0)", "o/n\($0)") }, gone: [], at: Date())
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count > 100_000)
    // All pages but the first two; the header stays readable.
    for index in 8192..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 131) }
    try bytes.write(to: URL(fileURLWithPath: path))
    do {
      #expect(try Store(path: path).passesIntegrityCheck() == false)
    } catch {
      #expect(error.message.contains(path) && error.message.contains("damaged"))
    }
    let error = storeError { _ = try Store(path: path).clones() }
    #expect(error?.message.contains(path) == true && error?.hint.isEmpty == false)
  }

  @Test func unusablePlaces() throws {
    let folder = try TemporaryDirectory()
    try folder.makeDirectory("folder.db")
    try folder.write("file", "x")
    for name in ["folder.db", "file/forage.db"] {
      let error = storeError { _ = try Store(path: folder.path(name)) }
      #expect(error?.message.contains(folder.path(name)) == true && error?.hint.isEmpty == false)
    }
  }

  @Test func readingOnlyChangesNothing() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("forage.db")
    let missing = storeError { _ = try Store(readingFrom: path) }
    #expect(missing?.message.contains(path) == true && !FileManager.default.fileExists(atPath: path))
    try Store(path: path).addCloneFolder("/a", isFound: false)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      let store = try Store(readingFrom: path)
      #expect(try store.cloneFolders().map(\.path) == ["/a"])
      let error = storeError { try store.addCloneFolder("/b", isFound: false) }
      #expect(error?.message.contains(path) == true && error?.hint.contains("permissions") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  /// A home that cannot be written: what is stored can still be read.
  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func folderThatCannotBeWritten() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("data/forage.db")
    try Store(path: path).addCloneFolder("/a", isFound: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path("data"))
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("data"))
    }
    #expect(try Store(readingFrom: path).cloneFolders().map(\.path) == ["/a"])
    let error = storeError {
      try Store(path: folder.path("data/other.db")).addCloneFolder("/b", isFound: false)
    }
    #expect(error?.message.contains("cannot be written") == true)
  }
}
