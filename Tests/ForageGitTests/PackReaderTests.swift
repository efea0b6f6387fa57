import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct PackReaderTests {
  /// Commits with messages and headers of many lengths; similar ones become deltas.
  private func make(_ random: inout SeededGenerator, compression: Int) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make("r\(compression)", ["--bare"])
    let words = ["pack", "delta", "ünï", "\u{0}", "commit", "x", "header", "\t", "0123456789", "merge"]
    let text = (0..<400).map { _ in random.pick(words) }.joined(separator: " ")
    var lines: [String] = []
    for mark in 1...150 {
      let name = String(repeating: "N", count: random.chance(0.1) ? 700 : mark % 9 + 1)
      lines += ["commit refs/heads/main", "mark :\(mark)", "author \(name) <n@x> \(mark) -0330"]
      lines += ["committer C <c@x> \(mark * 10) +0000"]
      let message = random.chance(0.5) ? text + String(mark) : String(text.prefix(mark * 3))
      lines += ["data \(message.utf8.count)", message]
      if mark > 1, !random.chance(0.05) {
        lines.append("from :\(mark - 1)")
        if mark > 40, random.chance(0.2) {
          for other in 1...Int.random(in: 1...20, using: &random) {
            lines.append("merge :\(mark - 1 - other)")
          }
        }
      }
      lines.append("")
    }
    try await repository.fastImport(lines.joined(separator: "\n") + "\n")
    try await repository.git([
      "-c", "core.compression=\(compression)", "-c", "pack.compression=\(compression)", "repack", "-adfq",
      "--depth=20", "--window=50",
    ])
    return repository
  }

  /// What a scan finds, with the parents.
  private func facts(_ source: CommitSource, _ id: ObjectID) throws -> [String] {
    try source.withCommit(id) { bytes, scan in facts(bytes, scan) }
  }

  private func facts(_ bytes: UnsafeRawBufferPointer, _ scan: CommitScan) -> [String] {
    let parents = (0..<scan.parentCount).map { CommitScan.parent($0, bytes)?.hex ?? "?" }
    return [
      String(decoding: bytes[scan.author], as: UTF8.self), "\(scan.authoredAt)", "\(scan.authorZone)",
      "\(scan.committedAt)",
    ] + parents
  }

  @Test(arguments: [0, 1, 9]) func likeLibGit2(compression: Int) async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random, compression: compression)
    let listed = try await repository.git("verify-pack -v " + packPath(repository) + ".idx")
    let commits = listed.split(separator: "\n").map { $0.split(separator: " ") }.filter {
      $0.count > 4 && $0[1] == "commit"
    }
    #expect(commits.contains { $0.count > 5 }, "no commit is a delta")
    let opened = try repository.open()
    let store = opened.packs
    #expect(store.packs.count == 1)
    let reader = PackReader(store)
    let direct = CommitSource(store) { () throws(GitError) in throw GitError(.other, "not from the pack") }
    let library = try opened.odb()
    for row in commits {
      let id = try #require(ObjectID(hex: row[0]))
      let object = try LoadedObject(id, in: library)
      let expected = try #require(object.withBytes { bytes in CommitScan(bytes).map { facts(bytes, $0) } })
      #expect(try facts(direct, id) == expected, "seed \(seed), \(id)")
    }
    #expect(commits.count == 150)
    #expect(
      reader.withCommit(try #require(ObjectID(hex: String(repeating: "a", count: 40)))) { _, _ in true }
        == nil)
  }

  /// Objects of all kinds and many sizes, packed whole or as deltas, or loose.
  @Test(arguments: [true, false]) func allKinds(isPacked: Bool) async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    for round in 0..<12 {
      for file in 0..<8 where random.chance(0.7) {
        let size = [0, 1, 300, 70_000, 5_000_000][Int.random(in: 0...(file == 0 ? 4 : 3), using: &random)]
        // Alike enough to become deltas of each other.
        let text = String(repeating: "line \(file) of many\n", count: size / 15) + "\(round)"
        try repository.write("d\(file % 3)/f\(file)", text)
      }
      try await repository.git(["add", "."])
      try await repository.git(["commit", "--quiet", "--allow-empty", "-m", "round \(round)"])
      try await repository.git(["tag", "-a", "t\(round)", "-m", "tag"])
    }
    if isPacked { try await repository.git(["repack", "-adfq", "--depth=30", "--window=50"]) }
    let opened = try repository.open()
    let list = try await repository.git("cat-file --batch-all-objects --batch-check")
    var read = 0
    for row in list.split(separator: "\n") {
      let id = try #require(ObjectID(hex: row.prefix(40)))
      let object = try LoadedObject(id, in: try opened.odb())
      let header = try #require(opened.objects.header(of: id), "\(row), seed \(seed)")
      #expect(header.kind == object.kind && header.size == object.size, "\(row), seed \(seed)")
      #expect(opened.objects.contains(id))
      guard let own = opened.objects.object(id) else {
        // Only what is too large for a pack's reader is left to libgit2.
        #expect(isPacked && object.size > 4 << 20, "\(row), seed \(seed)")
        continue
      }
      read += 1
      #expect(own.kind == object.kind, "\(row), seed \(seed)")
      let isEqual = object.withBytes { expected in own.bytes.withBytes { $0.elementsEqual(expected) } }
      #expect(isEqual, "\(row), seed \(seed)")
    }
    #expect(read > 40)
    let missing = try #require(ObjectID(hex: String(repeating: "a", count: 40)))
    #expect(opened.objects.header(of: missing) == nil && opened.objects.object(missing) == nil)
    #expect(!opened.objects.contains(missing) && !opened.has(missing))
  }

  /// Trees that are deltas of each other are the same in any order and when they are read again, however few are
  /// remembered in between.
  @Test func treesInAnyOrder() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    // Trees of 30 kB, so that not all of them are remembered.
    var lines: [String] = []
    for mark in 1...400 {
      lines.append("commit refs/heads/main\ncommitter C <c@x> \(mark) +0000\ndata 0\n")
      for file in 0..<(mark == 1 ? 900 : 2) {
        let name = mark == 1 ? file : Int.random(in: 0..<900, using: &random)
        lines.append("M 100644 inline a-file-of-the-folder-\(name)\ndata \(String(mark).utf8.count)\n\(mark)")
      }
    }
    try await repository.fastImport(lines.joined(separator: "\n") + "\n")
    try await repository.git("repack -adfq --depth=50")
    let trees = try await repository.git("log --format=%T main").split(separator: "\n")
      .compactMap { ObjectID(hex: $0) }
    #expect(Set(trees).count > 350)
    let opened = try repository.open()
    let library = try repository.open()
    for order in [trees, trees.reversed(), trees.shuffled(using: &random)] {
      for id in order {
        let own = try #require(opened.objects.object(id), "seed \(seed), \(id)")
        let object = try LoadedObject(id, in: try library.odb())
        let isEqual = object.withBytes { expected in own.bytes.withBytes { $0.elementsEqual(expected) } }
        #expect(own.kind == .tree && isEqual, "seed \(seed), \(id)")
      }
    }
  }

  private func packPath(_ repository: TemporaryRepository) throws -> String {
    let folder = repository.path + "/objects/pack"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return folder + "/" + String(try #require(names.first { $0.hasSuffix(".pack") }).dropLast(5))
  }

  /// Damaged packs and indexes end in nothing, or in some commit, but they end.
  @Test func damage() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random, compression: 6)
    let ids = try await repository.git("rev-list HEAD").split(separator: "\n").compactMap {
      ObjectID(hex: $0)
    }
    let original = try packPath(repository)
    let pack = [UInt8](try Data(contentsOf: URL(fileURLWithPath: original + ".pack")))
    let index = [UInt8](try Data(contentsOf: URL(fileURLWithPath: original + ".idx")))
    let folder = try repository.directory.makeDirectory("damaged/pack")
    var found = 0
    for round in 0..<60 {
      var (pack, index) = (pack, index)
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
      let path = folder.appendingPathComponent("p\(round)").path
      try Data(pack).write(to: URL(fileURLWithPath: path + ".pack"))
      try Data(index).write(to: URL(fileURLWithPath: path + ".idx"))
      let reader = PackReader(PackStore(objects: repository.directory.path("damaged")))
      for id in ids {
        if reader.withCommit(id, { _, scan in scan.parentCount }) != nil { found += 1 }
        let header = reader.header(of: id)
        if let size = reader.object(id)?.bytes.bytes.count { #expect(header?.size == size, "seed \(seed)") }
      }
      for suffix in [".pack", ".idx"] { try FileManager.default.removeItem(atPath: path + suffix) }
    }
    print("seed \(seed): \(found) commits were read from damaged packs")
  }

  /// What is longer or shorter than its record claims is left to libgit2, which says so.
  @Test(arguments: [0, 6, 15]) func falseSizes(claim: UInt8) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "ten bytes\n"])
    try await repository.git("repack -adq --window=0")
    let path = try #require(
      try FileManager.default.contentsOfDirectory(atPath: repository.path + "/.git/objects/pack")
        .first { $0.hasSuffix(".pack") })
    let file = URL(fileURLWithPath: repository.path + "/.git/objects/pack/" + path)
    let listed = try await repository.git("verify-pack -v \(file.path.dropLast(5)).idx")
    let row = try #require(listed.split(separator: "\n").first { $0.contains(" blob ") })
    let fields = row.split(separator: " ")
    let id = try #require(ObjectID(hex: fields[0]))
    var bytes = [UInt8](try Data(contentsOf: file))
    let offset = try #require(Int(fields[4]))
    #expect(bytes[offset] == 0x30 | 10)
    bytes[offset] = 0x30 | claim
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try Data(bytes).write(to: file)
    let opened = try repository.open()
    #expect(PackReader(opened.packs).object(id) == nil)
    #expect(code { _ = try opened.blob(id) } == .corrupt)
  }

  @Test func zlibStreams() {
    // Stored, of the text "abc"; with the fixed code; and what is none.
    let stored: [UInt8] = [0x78, 0x01, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63]
    let fixed: [UInt8] = [0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x06, 0x00]
    let text: [UInt8] = Array("abc".utf8)
    let checksum: [UInt8] = [0x02, 0x4D, 0x01, 0x27]
    for stream in [stored, fixed] {
      #expect(unpack(stream + checksum + [UInt8](repeating: 0, count: 24)) == text)
    }
    #expect(unpack([0x78, 0x9D] + stored.dropFirst(2) + [UInt8](repeating: 0, count: 24)) == nil)
    #expect(unpack([0x78, 0x01, 7] + [UInt8](repeating: 0, count: 24)) == nil)
    #expect(unpack([]) == nil)
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<3000 {
      let count = Int.random(in: 9...200, using: &random)
      _ = unpack([0x78, 0x9C] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  private func unpack(_ stream: [UInt8]) -> [UInt8]? {
    var inflater = Inflater(capacity: 4096)
    return stream.withUnsafeBytes { raw in
      guard inflater.start(raw), inflater.run(until: 4096) != .failed else { return nil }
      return Array(inflater.bytes)
    }
  }
}
