import ForagePlatform
import ForageStore
import Foundation
import GRDB
import TestSupport
import Testing

/// The file of a database that can be deleted at any time.
@Suite struct CacheFileTests {
  private func facts(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }

  @Test func nothingIsMadeByReading() throws {
    let box = try CacheBox()
    #expect(try box.cache.value("a") == nil)
    #expect(!FileManager.default.fileExists(atPath: box.folder.path("cache")))
  }

  @Test func onlyTheUserMayLook() throws {
    let box = try CacheBox()
    try box.cache.keep("a", facts(10))
    #expect(mode(box.folder.path("cache/forage")) == 0o700)
    for suffix in ["", "-wal", "-shm", ".lock"] { #expect(mode(box.path + suffix) == 0o600, "\(suffix)") }
    let names = try FileManager.default.contentsOfDirectory(atPath: box.folder.path("cache/forage"))
    #expect(Set(names) == ["cache.db", "cache.db-wal", "cache.db-shm", "cache.db.lock"])
  }

  @Test func openFileOfOthersIsClosedToThem() throws {
    let box = try CacheBox()
    try box.other().keep("a", facts(10))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: box.path)
    #expect(try box.cache.value("a") != nil)
    #expect(mode(box.path) == 0o600)
  }

  @Test func survivesReopening() throws {
    let box = try CacheBox()
    try box.other().keep("a", facts(10))
    #expect(try box.cache.value("a") == facts(10))
  }

  @Test(arguments: [
    "x", "no database", String(repeating: "this is no database\n", count: 500),
    "SQLite format 3\0" + String(repeating: "\u{1}", count: 5000),
  ])
  func fileThatIsNoDatabase(text: String) throws {
    let box = try CacheBox()
    try box.plant(Data(text.utf8))
    try box.folder.write("cache/forage/cache.db-wal", "old log")
    #expect(try box.cache.value("a") == nil)
    try box.cache.keep("a", facts(10))
    #expect(try box.other().value("a") != nil)
    #expect(mode(box.path) == 0o600)
  }

  @Test func emptyFileIsUsed() throws {
    let box = try CacheBox()
    try box.plant(Data())
    try box.cache.keep("a", facts(10))
    #expect(try box.other().value("a") != nil)
  }

  /// The user's own store in the place of the cache: another form, so not a cache.
  @Test func foreignDatabase() throws {
    let box = try CacheBox()
    try Store(path: box.path).addCloneFolder("/src", isFound: false)
    try box.cache.keep("a", facts(10))
    #expect(try box.other().value("a") != nil)
  }

  /// Versions stand in the header, at byte 60 (SQLite, "Database File Format", 1.3).
  @Test(arguments: [2, 0, 1_000_000, -1] as [Int32])
  func otherVersion(version: Int32) throws {
    let box = try CacheBox()
    try box.other().keep("old", facts(10))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: box.path))
    #expect(Array(bytes[60..<64]) == [0, 0, 0, 1])
    for index in 0..<4 { bytes[60 + index] = UInt8(truncatingIfNeeded: version >> Int32(24 - 8 * index)) }
    try box.plant(bytes)
    #expect(try box.cache.value("old") == nil)
    try box.cache.keep("new", facts(10))
    #expect(try box.other().value("new") != nil)
  }

  /// Damage that shows only later: no call fails, and afterwards the cache works again.
  @Test func damageInTheMiddle() throws {
    let box = try CacheBox()
    // Closed again, so that nothing is left in the log.
    do {
      let cache = box.other()
      for index in 0..<300 { try cache.keep("\(index)", facts(200)) }
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: box.path))
    #expect(bytes.count > 40_000)
    for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 131) }
    try box.plant(bytes)
    for index in 0..<300 { _ = try box.cache.value("\(index)") }
    try box.cache.keep("new", facts(10))
    #expect(try box.other().value("new") != nil)
  }

  /// Random damage anywhere: nothing but an answer, a fresh cache or a `StoreError` comes of it.
  @Test func randomDamage() throws {
    var random = SeededGenerator(seed: propertySeed())
    let source = try CacheBox()
    do {
      let cache = source.other()
      for index in 0..<50 { try cache.keep("\(index)", facts(300)) }
    }
    let whole = try Data(contentsOf: URL(fileURLWithPath: source.path))
    for _ in 0..<60 {
      let box = try CacheBox()
      var bytes = whole
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(0.3) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
      try box.plant(Data(bytes))
      do {
        for index in 0..<50 { _ = try box.cache.value("\(index)") }
        try box.cache.keep("new", facts(10))
      } catch {
        #expect(error.message.contains(box.path) && !error.hint.isEmpty)
      }
    }
  }

  @Test func deletedWhileOpen() throws {
    let box = try CacheBox()
    try box.cache.keep("a", facts(10))
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: box.path + suffix) }
    try box.cache.keep("b", facts(10))
    #expect(try box.other().value("a") == nil)
    try box.other().keep("c", facts(10))
    #expect(try box.other().value("c") != nil)
  }

  @Test func unusablePlaces() throws {
    let folder = try TemporaryDirectory()
    try folder.makeDirectory("folder.db")
    try folder.write("file", "x")
    for name in ["folder.db", "file/cache.db"] {
      let path = folder.path(name)
      let error = #expect(throws: StoreError.self) {
        try SampleCache(path: path).keep("a", facts(10))
      }
      #expect(error?.message.contains("the cache " + path) == true)
      #expect(error?.hint.contains("XDG_CACHE_HOME") == true)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path("folder.db")))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func folderThatCannotBeWritten() throws {
    let box = try CacheBox()
    let folder = box.folder.path("cache/forage")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    for isThere in [false, true] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      if isThere { try box.other().keep("a", facts(10)) }
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
      let error = #expect(throws: StoreError.self) {
        try box.other().keep("b", facts(10))
      }
      #expect(error?.message.contains(box.path) == true)
      #expect(error?.hint.contains("XDG_CACHE_HOME") == true)
    }
    // Damage in such a folder cannot be mended, which is an error too.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try box.plant(Data("no database".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    #expect(throws: StoreError.self) { try box.other().value("a") }
  }
}
