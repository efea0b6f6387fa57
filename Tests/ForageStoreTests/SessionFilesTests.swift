import ForageStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct SessionFilesTests {
  private let folder: TemporaryDirectory
  private let sessions: SessionFiles
  /// The files carry the time of the machine, so that is what they are judged by.
  private let now = Date()

  init() throws {
    folder = try TemporaryDirectory(prefix: "forage-sessions")
    sessions = SessionFiles(folder: folder.path("cache/forage/sessions"))
  }

  /// The mark of the last sweep.
  private let mark = ".swept"

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path("cache/forage/sessions"))) ?? []
  }

  private func version(of name: String) throws -> UInt64 {
    try #require(sessions.state(of: name, now: now)).version
  }

  private var names: [String] { files.filter { $0 != mark }.sorted() }

  /// Makes every file so old.
  private func age(_ seconds: TimeInterval) throws {
    for name in files {
      try FileManager.default.setAttributes(
        [.modificationDate: now - seconds], ofItemAtPath: folder.path("cache/forage/sessions/" + name))
    }
  }

  @Test func aStateComesBack() throws {
    let bytes = (0...255).map { UInt8($0) }
    let name = try sessions.create(bytes, now: now)
    #expect(name.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    let found = try #require(sessions.state(of: name, now: now))
    #expect(found.state == bytes)
    let other = SessionFiles(folder: folder.path("cache/forage/sessions"))
    #expect(other.state(of: name, now: now)?.state == bytes)
    #expect(names == [name])
  }

  /// A name can be given out before the state is written.
  @Test func aReservedSession() throws {
    let draft = try sessions.reserve([1, 2, 3], now: now)
    #expect(sessions.state(of: draft.name, now: now) == nil)
    try sessions.write(draft)
    #expect(sessions.state(of: draft.name, now: now)?.state == [1, 2, 3])
    #expect(names == [draft.name])
  }

  @Test func aStateHasAMaximumSize() throws {
    let largest = [UInt8](repeating: 7, count: 4 << 20)
    let name = try sessions.create(largest, now: now)
    #expect(sessions.state(of: name, now: now)?.state == largest)
    #expect(throws: StoreError.self) { try sessions.create(largest + [7], now: now) }
    #expect(throws: StoreError.self) { try sessions.replace(name, version: 0, by: largest + [7]) }
    #expect(names.filter { !$0.hasSuffix(".lock") } == [name])
  }

  @Test func onlyTheUserMayRead() throws {
    let name = try sessions.create([1], now: now)
    #expect(mode(folder.path("cache/forage/sessions")) == 0o700)
    #expect(mode(folder.path("cache/forage/sessions/\(name)")) == 0o600)
  }

  @Test func theNewestStateCounts() throws {
    let name = try sessions.create([0], now: now)
    for number in 1...5 as ClosedRange<UInt8> {
      let old = try version(of: name)
      #expect(try sessions.replace(name, version: old, by: [number]))
      let found = try #require(sessions.state(of: name, now: now))
      #expect(found.version != old && found.state == [number])
    }
    #expect(names == [name, name + ".lock"])
  }

  @Test func theFirstToGoOnWins() throws {
    let name = try sessions.create([0], now: now)
    let old = try version(of: name)
    #expect(try sessions.replace(name, version: old, by: [1]))
    #expect(try sessions.replace(name, version: old, by: [2]) == false)
    #expect(sessions.state(of: name, now: now)?.state == [1])
  }

  /// The other program has gone on by two pages meanwhile.
  @Test func whoComesLateDoesNotWin() throws {
    let name = try sessions.create([0], now: now)
    let old = try version(of: name)
    #expect(try sessions.replace(name, version: old, by: [1]))
    #expect(try sessions.replace(name, version: version(of: name), by: [2]))
    #expect(try sessions.replace(name, version: old, by: [9]) == false)
    #expect(sessions.state(of: name, now: now)?.state == [2])
  }

  @Test func oneOfManyWins() throws {
    let name = try sessions.create([0], now: now)
    let old = try version(of: name)
    let wins = Mutex<[Int]>([])
    concurrently(8) { index in
      let own = SessionFiles(folder: folder.path("cache/forage/sessions"))
      if try own.replace(name, version: old, by: [UInt8](repeating: UInt8(index), count: 100_000)) {
        wins.withLock { $0.append(index) }
      }
    }
    let winners = wins.withLock { $0 }
    #expect(winners.count == 1)
    let state = try #require(sessions.state(of: name, now: now)).state
    #expect(state == [UInt8](repeating: UInt8(winners.first ?? 0), count: 100_000))
    #expect(names == [name, name + ".lock"])
  }

  @Test func manySessionsAtOnce() throws {
    concurrently(8) { index in
      let own = SessionFiles(folder: folder.path("cache/forage/sessions"))
      for number in 0..<10 {
        let state = [UInt8(index), UInt8(number)]
        let name = try own.create(state, now: now)
        #expect(own.state(of: name, now: now)?.state == state)
      }
    }
    #expect(Set(names).count == 80)
  }

  @Test func anHourAndNoLonger() throws {
    #expect(SessionFiles.lifetime == 3600)
    let name = try sessions.create([1], now: now)
    try age(3500)
    #expect(sessions.state(of: name, now: now) != nil)
    try age(3700)
    #expect(sessions.state(of: name, now: now) == nil)
  }

  @Test func newOnesClearOldOnesAway() throws {
    let old = try sessions.create([1], now: now)
    try age(7200)
    let new = try sessions.create([2], now: now)
    #expect(names == [new])
    #expect(sessions.state(of: old, now: now) == nil)
  }

  /// What is over is looked for once in a while, so that a search need not read a folder of thousands.
  @Test func aSweepFollowsAnotherOnlyLater() throws {
    let old = try sessions.create([1], now: now)
    try FileManager.default.setAttributes(
      [.modificationDate: now - 7200], ofItemAtPath: folder.path("cache/forage/sessions/\(old)"))
    let second = try sessions.create([2], now: now)
    #expect(names == [old, second].sorted())
    #expect(sessions.state(of: old, now: now) == nil)
    try FileManager.default.setAttributes(
      [.modificationDate: now - 301], ofItemAtPath: folder.path("cache/forage/sessions/" + mark))
    let third = try sessions.create([3], now: now)
    #expect(names == [second, third].sorted())
  }

  @Test(arguments: [
    "", "a", "../../../etc/passwd", String(repeating: "g", count: 32), String(repeating: "a", count: 33),
    "../" + String(repeating: "a", count: 29), String(repeating: "a", count: 31) + "/",
    String(repeating: "é", count: 16),
  ])
  func whatIsNoNameIsNotLookedFor(_ name: String) throws {
    _ = try sessions.create([1], now: now)
    #expect(sessions.state(of: name, now: now) == nil)
    #expect(try sessions.replace(name, version: 0, by: [2]) == false)
    #expect(names.count == 1)
  }

  @Test func unknownSessions() throws {
    let name = String(repeating: "0", count: 32)
    #expect(sessions.state(of: name, now: now) == nil)
    _ = try sessions.create([1], now: now)
    #expect(sessions.state(of: name, now: now) == nil)
  }

  @Test func aFileInThePlaceOfTheFolder() throws {
    try folder.write("cache/forage", "not a folder")
    let error = #expect(throws: StoreError.self) { try sessions.create([1], now: now) }
    #expect(error?.message.contains("cannot be stored") == true)
    #expect(error?.message.contains(folder.path("cache/forage/sessions")) == true)
    #expect(error?.hint.contains("XDG_CACHE_HOME") == true)
    #expect(sessions.state(of: String(repeating: "0", count: 32), now: now) == nil)
    #expect(try String(contentsOfFile: folder.path("cache/forage"), encoding: .utf8) == "not a folder")
  }
}
