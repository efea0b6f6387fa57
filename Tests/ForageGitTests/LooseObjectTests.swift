import Foundation
import TestSupport
import Testing

@testable import ForageGit

/// Loose objects that are not what they claim.
struct LooseObjectTests {
  private static let id = String(repeating: "ab", count: 20)

  /// A repository with one object that has these bytes in its file.
  private func repository(_ file: [UInt8]) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make()
    let folder = repository.path + "/.git/objects/ab"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(file).write(to: URL(fileURLWithPath: "\(folder)/\(Self.id.dropFirst(2))"))
    return repository
  }

  private func blob(_ file: [UInt8]) async throws -> [UInt8] {
    let repository = try await repository(file)
    let id = try #require(ObjectID(hex: Self.id))
    return try withExtendedLifetime(repository) { try repository.open().blob(id) }
  }

  private static func object(_ header: String, _ body: String) -> [UInt8] {
    ObjectBytes.stored(Array("\(header)\u{0}\(body)".utf8))
  }

  @Test func headers() async throws {
    let repository = try await repository(Self.object("tag 70000", String(repeating: "x", count: 70_000)))
    let id = try #require(ObjectID(hex: Self.id))
    let header = try repository.open().header(of: id)
    #expect(header.kind == .tag && header.size == 70_000)
  }

  @Test(arguments: [0, 1, 40, 56, 57, 58, 59, 63, 64, 65, 200, 100_000])
  func sizes(_ count: Int) async throws {
    let body = String(repeating: "x", count: count)
    #expect(try await blob(Self.object("blob \(count)", body)) == Array(body.utf8))
  }

  @Test func whatIsNotWhatItClaims() async throws {
    let long = String(repeating: "y", count: 5000)
    let good = Self.object("blob 5000", long)
    let damaged: [[UInt8]] = [
      // Less is claimed than there is: nothing may be written behind the memory taken for it.
      Self.object("blob 2", long), Self.object("blob 0", "z"), Self.object("blob 40", long),
      Self.object("blob 4999", long),
      // More is claimed.
      Self.object("blob 5001", long), Self.object("blob 1", ""), Self.object("blob 250000000", long),
      Self.object("blob 9223372036854775807", long), Self.object("blob 99999999999999999999", long),
      // Cut off anywhere: the reading ends.
      Array(good.prefix(1)), Array(good.prefix(2)), Array(good.prefix(7)), Array(good.prefix(12)),
      Array(good.prefix(60)), Array(good.prefix(100)), Array(good.dropLast(5)), Array(good.dropLast()),
      // Other headers, something behind, nothing.
      Self.object("blob", long), Self.object("blob -1", ""), Self.object("blob ", ""),
      Self.object("blub 5000", long), Self.object(long, long), good + [0], Array(long.utf8), [],
    ]
    for file in damaged {
      await #expect(throws: GitError.self, "\(file.prefix(40))") { try await blob(file) }
    }
  }

  @Test func bitFlips() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let good = Self.object("commit 2000", String(repeating: "parent z\n", count: 222) + "ab")
    let repository = try await repository(good)
    let path = "\(repository.path)/.git/objects/ab/\(Self.id.dropFirst(2))"
    let id = try #require(ObjectID(hex: Self.id))
    for _ in 0..<300 {
      var file = good
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        file[Int.random(in: 0..<min(90, file.count), using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      try Data(file).write(to: URL(fileURLWithPath: path))
      // Nothing to compare with: it ends, and a checking allocator would tell of what is written elsewhere.
      _ = try? repository.open().commit(id)
    }
  }

  @Test func alternates() async throws {
    let store = try await repository(Self.object("blob 5", "hello"))
    let user = try await TemporaryRepository.make("user", in: store.directory)
    let info = user.path + "/.git/objects/info"
    try FileManager.default.createDirectory(atPath: info, withIntermediateDirectories: true)
    try Data("# a comment\n../../../repo/.git/objects\n".utf8).write(
      to: URL(fileURLWithPath: info + "/alternates"))
    let id = try #require(ObjectID(hex: Self.id))
    #expect(try user.open().blob(id) == Array("hello".utf8))
    #expect(
      code { _ = try user.open().blob(ObjectID(hex: String(repeating: "cd", count: 20)) ?? id) }
        == .missingObject)
  }

  @Test func whatIsNoFile() async throws {
    let repository = try await repository([])
    let path = "\(repository.path)/.git/objects/ab/\(Self.id.dropFirst(2))"
    let id = try #require(ObjectID(hex: Self.id))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(code { _ = try repository.open().commit(id) } == .corrupt)
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(code { _ = try repository.open().commit(id) } == .corrupt)
    #expect(code { _ = try repository.open().header(of: id) } == .corrupt)
  }
}
