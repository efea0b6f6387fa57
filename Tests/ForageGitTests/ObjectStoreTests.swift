import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct ObjectStoreTests {
  /// Objects of all kinds and many sizes, packed whole or as deltas, in several packs, or loose.
  @Test(arguments: ["loose", "one", "several", "shared"]) func likeGit(storage: String) async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    for round in 0..<12 {
      for file in 0..<8 where random.chance(0.7) {
        let size = [0, 1, 300, 70_000, 5_000_000][Int.random(in: 0...(file == 0 ? 4 : 3), using: &random)]
        // Alike enough to become deltas of each other.
        let text = String(repeating: "line \(file) of many\n", count: size / 15) + "\(round)"
        try repository.write("d\(file % 3)/é\(file)", text)
      }
      try await repository.git(["add", "."])
      try await repository.git(["commit", "--quiet", "--allow-empty", "-m", "round \(round)"])
      try await repository.git(["tag", "-a", "t\(round)", "-m", "tag"])
      if storage == "several" || storage == "shared", round % 4 == 3 {
        try await repository.git("repack -dq")
      }
    }
    if storage == "one" { try await repository.git(["repack", "-adfq", "--depth=30", "--window=50"]) }
    if storage == "shared" { try await repository.git("multi-pack-index write") }
    let opened = try repository.open()
    let second = opened.reopening()
    #expect(opened.damagedPackIndexes().isEmpty)
    let list = try await repository.git("cat-file --batch-all-objects --batch-check")
    var read = 0
    for row in list.split(separator: "\n") {
      let fields = row.split(separator: " ")
      let id = try #require(ObjectID(hex: fields[0]))
      for handle in [opened, second] {
        let header = try handle.header(of: id)
        #expect("\(header.kind)" == fields[1] && header.size == Int(fields[2]), "\(row), seed \(seed)")
        let object = try handle.objects().object(id)
        #expect(object.kind == header.kind && object.bytes.count == header.size, "\(row), seed \(seed)")
        let name = Array("\(fields[1]) \(object.bytes.count)\0".utf8)
        guard object.bytes.count <= 1000 || object.bytes.count <= 100_000 && random.chance(0.1) else {
          continue
        }
        let sum = object.withBytes { ObjectBytes.sha1(name + $0.raw) }
        #expect(sum.map { String(format: "%02x", $0) }.joined() == fields[0], "\(row), seed \(seed)")
      }
      read += 1
    }
    #expect(read > 40)
    let missing = try #require(ObjectID(hex: String(repeating: "a", count: 40)))
    #expect(code { _ = try opened.header(of: missing) } == .missingObject)
    #expect(code { _ = try opened.commit(missing) } == .missingObject)
  }

  /// Names that differ only in the composition of a character are different names, as in git.
  @Test func compositions() async throws {
    let repository = try await TemporaryRepository.make()
    let names = ["\u{E9}", "e\u{301}"]
    let files = names.enumerated().map { number, name in
      """
      M 100644 inline \(name)
      data 1
      \(number)
      M 160000 \(String(repeating: "\(number + 1)", count: 40)) \(name)s

      """
    }
    try await repository.fastImport(
      "commit refs/heads/main\ncommitter a <a> 1 +0000\ndata 1\nx\n\(files.joined())")
    let opened = try repository.open()
    let tree = try opened.tree(of: #require(opened.refs.head.commit))
    for (number, name) in names.enumerated() {
      let entry = try #require(try opened.entry(at: name, in: tree))
      #expect(try opened.blob(entry.id) == Array("\(number)".utf8))
    }
    // No file is in the index.
    #expect(try opened.worktreeChanges()?.tracked.count == 4)
    let submodules = try opened.submodules(recorded: opened.listing(of: tree).submodules, tree: tree).list
    #expect(submodules.compactMap(\.commit?.hex.first).sorted() == ["1", "2"])
  }

  /// Objects are found although git packs them meanwhile.
  @Test func repackedMeanwhile() async throws {
    let repository = try await TemporaryRepository.make()
    var ids: [ObjectID] = []
    for round in 0..<6 {
      ids.append(try #require(ObjectID(hex: try await repository.commit(files: ["a": "\(round)"]))))
      if round == 3 { try await repository.git("repack -adq") }
    }
    let opened = try repository.open()
    #expect(try opened.commit(ids[5]).parents == [ids[4]])
    try await repository.git("repack -adq")
    for (id, parent) in zip(ids.dropFirst(), ids) { #expect(try opened.commit(id).parents == [parent]) }
    let newest = try #require(ObjectID(hex: try await repository.commit(files: ["a": "last"])))
    try await repository.git("repack -adq")
    #expect(try opened.commit(newest).parents == [ids[5]])
  }

  private func packs(_ repository: TemporaryRepository) throws -> [URL] {
    let folder = repository.path + "/.git/objects/pack"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return names.filter { $0.hasSuffix(".pack") }.sorted().map { URL(fileURLWithPath: "\(folder)/\($0)") }
  }

  private func overwrite(_ file: URL, _ bytes: [UInt8]) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try Data(bytes).write(to: file)
  }

  /// An offset outside the pack is damage, whatever is around it; other packs stay readable.
  @Test(arguments: [UInt32(0), 11, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, UInt32.max - 1], [false, true])
  func offsetsOutsideThePack(offset: UInt32, isShared: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    let first = try #require(ObjectID(hex: try await repository.commit(files: ["a": "x"])))
    try await repository.git("repack -dq")
    let damaged = try #require(try packs(repository).first)
    let second = try #require(ObjectID(hex: try await repository.commit(files: ["a": "y"])))
    try await repository.git("repack -dq")
    if isShared { try await repository.git("multi-pack-index write") }
    let index = damaged.deletingPathExtension().appendingPathExtension("idx")
    var bytes = [UInt8](try Data(contentsOf: index))
    let count = 3
    let table = 8 + 1024 + count * 24
    for entry in 0..<count {
      for byte in 0..<4 {
        bytes[table + 4 * entry + byte] = UInt8(truncatingIfNeeded: offset >> UInt32(24 - 8 * byte))
      }
    }
    try overwrite(index, bytes)
    let opened = try repository.open()
    #expect(opened.damagedPackIndexes() == [index.path])
    #expect(code { _ = try opened.commit(first) } == .missingObject)
    #expect(try opened.commit(second).parents == [first])
  }

  /// Damaged packs and indexes end in errors or in some objects, but they end.
  @Test func damage() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    let text = (0..<400).map { "line \($0) of many" }.joined(separator: "\n")
    for round in 0..<40 {
      try await repository.commit(files: ["a/\(round % 7)": text + "\(round)", "b": "\(round)"])
    }
    try await repository.git(["repack", "-adfq", "--depth=20", "--window=50"])
    let list = try await repository.git("cat-file --batch-all-objects --batch-check=%(objectname)")
    let ids = list.split(separator: "\n").compactMap { ObjectID(hex: $0) }
    let file = try #require(try packs(repository).first)
    let indexFile = file.deletingPathExtension().appendingPathExtension("idx")
    let original = [UInt8](try Data(contentsOf: file))
    let originalIndex = [UInt8](try Data(contentsOf: indexFile))
    var found = 0
    for _ in 0..<60 {
      var (pack, index) = (original, originalIndex)
      for _ in 0..<(random.chance(0.5) ? 1 : 200) {
        let bit: UInt8 = 1 << UInt8.random(in: 0...7, using: &random)
        if random.chance(0.7) {
          pack[Int.random(in: 12..<pack.count, using: &random)] ^= bit
        } else {
          index[Int.random(in: 0..<index.count, using: &random)] ^= bit
        }
      }
      if random.chance(0.1) { pack.removeLast(Int.random(in: 0..<pack.count, using: &random)) }
      if random.chance(0.1) { index.removeLast(Int.random(in: 0..<index.count, using: &random)) }
      try overwrite(file, pack)
      try overwrite(indexFile, index)
      let opened = try repository.open()
      for id in ids {
        let header = try? opened.header(of: id)
        guard let size = try? opened.objects().object(id).bytes.count else { continue }
        found += 1
        #expect(header?.size == size, "seed \(seed)")
      }
    }
    // Most rounds change only some bytes of the pack.
    #expect(found > 0, "seed \(seed)")
  }

  /// Content that is longer or shorter than its record states is damage.
  @Test(arguments: [0, 6, 15]) func falseSizes(claim: UInt8) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "ten bytes\n"])
    try await repository.git("repack -adq --window=0")
    let file = try #require(try packs(repository).first)
    let listed = try await repository.git("verify-pack -v \(file.path.dropLast(5)).idx")
    let row = try #require(listed.split(separator: "\n").first { $0.contains(" blob ") })
    let fields = row.split(separator: " ")
    let id = try #require(ObjectID(hex: fields[0]))
    var bytes = [UInt8](try Data(contentsOf: file))
    let offset = try #require(Int(fields[4]))
    #expect(bytes[offset] == 0x30 | 10)
    bytes[offset] = 0x30 | claim
    try overwrite(file, bytes)
    #expect(code { _ = try repository.open().blob(id) } == .corrupt)
  }
}
