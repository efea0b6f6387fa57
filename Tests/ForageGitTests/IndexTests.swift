import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct IndexTests {
  private func paths(_ index: IndexFile) -> [String] {
    index.withView { view in
      view.records.indices.map {
        "\(view.stage($0)) \(String(decoding: view.path($0), as: UTF8.self)) \(view.id($0))"
      }
    }
  }

  private func listed(_ repository: TemporaryRepository) async throws -> [String] {
    try await repository.git(["ls-files", "--stage", "-z"]).split(separator: "\0").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      let fields = parts[0].split(separator: " ")
      return "\(fields[2]) \(parts[1]) \(fields[1])"
    }
  }

  private func make() async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make()
    let long = "long/" + String(repeating: "a very long name/", count: 260) + "x"
    var files = ["a": "x", "a.b": "y", "a-b/c": "z", "a/b": "", "ü/ö": "x", "z": "x"]
    files["a"] = nil
    for number in 0..<30 { files["folder/sub \(number % 3)/\(number)"] = "\(number)" }
    try await repository.commit(files: files)
    let blob = try await repository.git("rev-parse HEAD:z")
    try await repository.git(["update-index", "--add", "--cacheinfo", "100644,\(blob),\(long)"])
    return repository
  }

  @Test func everyVersion() async throws {
    let repository = try await make()
    let expected = try await listed(repository)
    for version in ["2", "4", "3"] {
      if version == "3" {
        try repository.write("later", "x")
        try await repository.git("add --intent-to-add later")
      }
      try await repository.git("update-index --index-version \(version)")
      let index = try IndexFile(gitDir: repository.path + "/.git")
      #expect(try await paths(index) == listed(repository), "version \(version)")
      try await repository.compareStatus("version \(version)")
    }
    #expect(expected.count > 30)
  }

  @Test func splitIndex() async throws {
    let repository = try await make()
    for version in ["2", "4"] {
      try await repository.git("update-index --index-version \(version)")
      try await repository.git("update-index --split-index")
      try await repository.compareStatus("just split")
      try repository.write("folder/sub 1/1", "changed \(version)")
      try repository.write("new-\(version)", "x")
      try await repository.git("add --all :!long")
      try await repository.git(["rm", "--quiet", "--cached", "folder/sub 2/\(version == "2" ? 2 : 5)"])
      let index = try IndexFile(gitDir: repository.path + "/.git")
      #expect(try await paths(index) == listed(repository), "version \(version)")
      try await repository.compareStatus("replaced, deleted and added")
      try await repository.git("update-index --no-split-index")
    }
    try await repository.git("update-index --split-index")
    let shared = FileAccess.names(in: repository.path + "/.git").filter { $0.hasPrefix("sharedindex.") }
    for name in shared { try FileManager.default.removeItem(atPath: "\(repository.path)/.git/\(name)") }
    #expect(code { _ = try repository.open().status() } == .corrupt)
  }

  @Test func otherExtensions() async throws {
    let repository = try await make()
    try await repository.git("update-index --untracked-cache")
    try await repository.compareStatus("untracked cache")
    try await repository.git("update-index --force-write-index")
    let path = repository.path + "/.git/index"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let folder = repository.path + "/.git"
    let whole = try IndexFile(bytes, gitDir: folder)
    // A checksum of zeros is what `index.skipHash` leaves.
    let unhashed = bytes.dropLast(20) + [UInt8](repeating: 0, count: 20)
    #expect(try paths(IndexFile(Array(unhashed), gitDir: folder)) == paths(whole))
    func extended(_ name: String, _ size: [UInt8] = [0, 0, 0, 3]) -> [UInt8] {
      Array(bytes.dropLast(20)) + Array(name.utf8) + size + [1, 2, 3] + bytes.suffix(20)
    }
    #expect(try paths(IndexFile(extended("XYZW"), gitDir: folder)) == paths(whole))
    #expect(code { _ = try IndexFile(extended("xyzw"), gitDir: folder) } == .unsupportedIndex)
    #expect(code { _ = try IndexFile(extended("XYZW", [255, 0, 0, 0]), gitDir: folder) } == .corrupt)
    #expect(
      code { _ = try IndexFile(Array("DIRC\0\0\0\u{5}".utf8) + bytes.dropFirst(8), gitDir: folder) }
        == .unsupportedIndex)
    #expect(code { _ = try IndexFile(Array(bytes.prefix(30)), gitDir: folder) } == .corrupt)
    #expect(code { _ = try IndexFile([], gitDir: folder) } == .corrupt)
  }

  @Test func badPaths() async throws {
    let repository = try await TemporaryRepository.make()
    for bad in ["x/../y", ".git/xy", "x//yyy", "./xxxx", "/xxxxx", "x/.GIT"] {
      let name = String(repeating: "q", count: bad.utf8.count)
      try await repository.git(["read-tree", "--empty"])
      try await repository.git([
        "update-index", "--add", "--cacheinfo", "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,\(name)",
      ])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: repository.path + "/.git/index"))
      let start = try #require(bytes.range(of: Data(name.utf8)))
      var crafted = bytes
      crafted.replaceSubrange(start, with: Data(bad.utf8))
      #expect(code { _ = try IndexFile(Array(crafted), gitDir: repository.path) } == .corrupt, "\(bad)")
    }
  }

  /// Whatever bytes are wrong: an error or another index, never a trap.
  @Test func damage() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a/b": "x", "a/c/d": "y", "e": "z"])
    let folder = repository.path + "/.git"
    for kind in ["2", "4", "split"] {
      try await repository.git(
        kind == "split" ? "update-index --split-index" : "update-index --index-version \(kind)")
      if kind == "split" {
        try repository.write("e", "changed")
        try await repository.git("add e")
      }
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/index")))
      var accepted = 0
      for round in 0..<2000 {
        var copy = bytes
        for _ in 0...Int.random(in: 0...2, using: &random) {
          copy[Int.random(in: 0..<copy.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        if round % 4 == 0 { copy.removeLast(Int.random(in: 1..<copy.count, using: &random)) }
        do throws(GitError) {
          let index = try IndexFile(copy, gitDir: folder)
          accepted += paths(index).count > 0 ? 1 : 0
          _ = index.withView { CacheTree($0.bytes, index.treeExtension) }
        } catch {
          #expect(
            [.corrupt, .unsupportedIndex, .tooLarge].contains(error.code),
            "seed \(seed), \(kind), round \(round)")
        }
      }
      // Flips in ids and times lead to another index.
      #expect(accepted > 100)
    }
  }

  @Test func bitmaps() {
    func bitmap(_ words: [UInt64], limit: Int) -> [Int]? {
      func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
      }
      let bytes =
        number(0) + number(words.count)
        + words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
        + number(0)
      return bytes.withUnsafeBytes { EWAHBitmap(CheckedBytes($0), limit: limit)?.positions }
    }
    // One word of ones, then one as it is.
    #expect(bitmap([1 | 1 << 1 | 1 << 33, 0b101], limit: 100) == Array(0..<64) + [64, 66])
    #expect(bitmap([2 << 1 | 1 << 33, 1], limit: 129) == [128])
    #expect(bitmap([], limit: 0) == [])
    #expect(bitmap([2 << 1 | 1 << 33, 1], limit: 128) == nil)
    #expect(bitmap([1 | 0xFFFF_FFFF << 1], limit: 1000) == nil)
    #expect(bitmap([5 << 33, 1], limit: 1000) == nil)
  }

  /// An offset outside the bytes ends the process instead of reading what is there.
  @Test func accessOutsideTheBytes() async {
    await #expect(processExitsWith: .failure) {
      let bytes = [UInt8](repeating: 1, count: 8)
      _ = bytes.withUnsafeBytes { CheckedBytes($0).bigEndian64(1) }
    }
    await #expect(processExitsWith: .failure) {
      let bytes = [UInt8](repeating: 1, count: 20)
      _ = bytes.withUnsafeBytes { CheckedBytes($0).id(at: -1) }
    }
  }
}
