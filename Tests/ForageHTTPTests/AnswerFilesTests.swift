import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageHTTP

/// The files of the HTTP cache.
@Suite struct AnswerFilesTests {
  private let box: CacheBox
  private let files: AnswerFiles
  private let key: HTTPCacheKey

  init() throws {
    box = try CacheBox()
    files = AnswerFiles(folder: box.folder, maximumBytes: 1000)
    key = HTTPCacheKey(try request("https://h/a"), scope: "s 1 anonymous")
  }

  private static let time = Date(timeIntervalSince1970: 1_800_000_000.123)

  private func answer(_ body: [UInt8] = [1, 2, 10, 3]) -> CachedAnswer {
    CachedAnswer(headers: [("ETag", "\"é\n\""), ("etag", "2")], body: body, validatedAt: Self.time)
  }

  private func key(_ address: String, scope: String = "s") throws -> HTTPCacheKey {
    HTTPCacheKey(try request(address), scope: scope)
  }

  @Test func anAnswerComesBackAsItWas() throws {
    #expect(files.read(key) == nil)
    #expect(files.write(answer(), key) == nil)
    let read = try #require(files.read(key))
    #expect(read.body == [1, 2, 10, 3] && read.validatedAt == Self.time)
    #expect(read.headers.map(\.name) == ["ETag", "etag"] && read.headers.map(\.value) == ["\"é\n\"", "2"])
    #expect(files.write(answer([]), key) == nil)
    #expect(files.read(key)?.body == [] && box.paths.count == 1)
    files.remove(key)
    #expect(files.read(key) == nil && box.paths.isEmpty)
  }

  @Test func onlyTheUserMayLook() throws {
    _ = files.write(answer(), key)
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    let path = try #require(box.paths.first)
    #expect(try mode(path) == 0o600)
    for folder in [box.folder, (path as NSString).deletingLastPathComponent] {
      #expect(try mode(folder) == 0o700)
    }
  }

  /// What is no file is not opened, which would wait for somebody who writes.
  @Test(.timeLimit(.minutes(1))) func aPipe() throws {
    _ = files.write(answer(), key)
    let path = try #require(box.paths.first)
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(files.read(key) == nil)
    #expect(files.write(answer(), key) == nil && files.read(key)?.body == [1, 2, 10, 3])
  }

  /// However small the damage to the line, and whatever is cut off or added, there is no answer.
  @Test func damage() throws {
    var random = SeededGenerator(seed: propertySeed())
    _ = files.write(answer(), key)
    let path = try #require(box.paths.first)
    let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    var damaged: [[UInt8]] = [
      [], whole + [0], whole.dropLast(), Array("no cache\n".utf8), Array(repeating: 0, count: 500),
      Array("{}\n".utf8), Array("[".utf8) + whole,
    ]
    for _ in 0..<200 { damaged.append(Array(whole.prefix(Int.random(in: 0..<whole.count, using: &random)))) }
    for bytes in damaged {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(files.read(key) == nil)
    }
    for _ in 0..<500 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect((files.read(key)?.body.count ?? 4) == 4)
    }
    #expect(files.write(answer(), key) == nil && files.read(key) != nil)
  }

  /// A file under the name of another key, as after a collision.
  @Test func anotherKeyIsNoHit() throws {
    let other = try key("https://h/b")
    _ = files.write(answer([9]), other)
    let path = try #require(box.paths.first)
    let foreign = try #require(FileManager.default.contents(atPath: path))
    files.remove(other)
    _ = files.write(answer(), key)
    let own = try #require(box.paths.first { $0 != path })
    try foreign.write(to: URL(fileURLWithPath: own))
    #expect(files.read(key) == nil)
  }

  @Test func scopesAreRemovedOneByOne() throws {
    for scope in ["s", "s stars"] { _ = files.write(answer(), try key("https://h/a", scope: scope)) }
    files.remove(scope: "s stars")
    files.remove(scope: "none")
    for scope in ["s", "s stars"] {
      #expect(try (files.read(key("https://h/a", scope: scope)) != nil) == (scope == "s"))
    }
  }

  @Test func theOldestGoFirst() throws {
    let now = Date()
    for number in 0..<10 {
      _ = files.write(answer([UInt8](repeating: 7, count: 100)), try key("https://h/\(number)"))
    }
    let size = files.usage().bytes / 10
    #expect(files.usage().count == 10)
    for (number, path) in box.paths.enumerated() {
      try FileManager.default.setAttributes(
        [.modificationDate: now.addingTimeInterval(Double(number - 20))], ofItemAtPath: path)
    }
    let before = box.paths
    AnswerFiles(folder: box.folder, maximumBytes: 10 * size).trim(now: now)
    #expect(box.paths == before)
    AnswerFiles(folder: box.folder, maximumBytes: 8 * size).trim(now: now)
    #expect(box.paths == Array(before.dropFirst(3)))
  }

  /// The bound is checked when that is due, not after each store.
  @Test func trimmingAfterAStore() async throws {
    let isDue = Mutex(false)
    let cache = HTTPCache(folder: box.folder, maximumBytes: 0, isTrimDue: { isDue.withLock { $0 } })
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, body: [1]) }
    let policy = HTTPCachePolicy(freshFor: .zero)
    let transport = stub.transport.caching(cache, policy: policy, scope: "s")
    for number in 0..<5 { _ = try await transport.send(try request("https://h/\(number)")) }
    #expect(cache.usage().count == 5)
    isDue.withLock { $0 = true }
    _ = try await transport.send(try request("https://h/5"))
    #expect(cache.usage() == (0, 0))
  }

  /// What is too old to be used, or of a time when the clock was wrong, goes whatever its size.
  @Test func whatIsTooOldIsRemoved() throws {
    let now = Date()
    for (number, age) in [0, 86_000, 87_000, -87_000].enumerated() {
      let known = Set(box.paths)
      _ = files.write(answer(), try key("https://h/\(number)"))
      let path = try #require(box.paths.first { !known.contains($0) })
      try FileManager.default.setAttributes(
        [.modificationDate: now.addingTimeInterval(Double(-age))], ofItemAtPath: path)
    }
    files.trim(now: now)
    for number in 0..<4 { #expect(try (files.read(key("https://h/\(number)")) != nil) == (number < 2)) }
  }

  /// Processes that store, read, trim and forget at once: each read gives a whole answer or none.
  @Test func manyAtOnce() async throws {
    let (files, key) = (files, key)
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for round in 0..<50 {
            let body = [UInt8](repeating: UInt8(writer), count: 1000 + round)
            #expect(
              files.write(CachedAnswer(headers: [], body: body, validatedAt: Self.time), key) == nil)
            if let read = files.read(key) { #expect(Set(read.body).count == 1 && read.body.count >= 1000) }
            guard writer == 0, round % 10 == 0 else { continue }
            files.remove(scope: key.scope)
            files.trim(now: Date())
          }
        }
      }
    }
    #expect(files.write(answer(), key) == nil && files.read(key) != nil && box.paths.count == 1)
  }

  @Test func placesThatCannotBeWritten() throws {
    try box.directory.write("cache", "a file")
    #expect(files.write(answer(), key) == "the cache \(box.folder) cannot be written")
    #expect(files.read(key) == nil && files.usage() == (0, 0))
    files.trim(now: Date())
    files.remove(scope: "s")
  }
}
