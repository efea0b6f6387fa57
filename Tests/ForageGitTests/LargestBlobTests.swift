import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct LargestBlobTests {
  private struct Found: Hashable {
    let id: String
    let bytes: Int
    let commit: String
  }

  /// By git: each commit's blobs, the oldest commit first; what a blob is called there.
  private func expected(
    _ repository: TemporaryRepository
  ) async throws -> (blobs: Set<Found>, paths: [String: Set<String>]) {
    var blobs: [String: Found] = [:]
    var paths: [String: Set<String>] = [:]
    for commit in try await repository.git("rev-list HEAD").split(separator: "\n").reversed() {
      let printed = try await repository.git(["ls-tree", "-r", "-l", "-z", String(commit)])
      for line in printed.split(separator: "\0") {
        let parts = line.split(separator: "\t", maxSplits: 1)
        let fields = parts[0].split(separator: " ")
        guard fields[1] == "blob", let bytes = Int(fields[3]) else { continue }
        let id = String(fields[2])
        if blobs[id] == nil { blobs[id] = Found(id: id, bytes: bytes, commit: String(commit)) }
        if blobs[id]?.commit == String(commit) { paths[id, default: []].insert(String(parts[1])) }
      }
    }
    return (Set(blobs.values), paths)
  }

  @Test func randomTreesLikeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<4 {
      let repository = try await TemporaryRepository.make("r\(round)")
      try await repository.fastImport(RandomTrees(&random).stream)
      let opened = try repository.open()
      let tip = try #require(opened.refs.head.commit)
      let comment = Comment("seed \(seed), round \(round)")
      let found = try opened.largestBlobs(from: tip, limit: .max)
      let (blobs, paths) = try await expected(repository)
      #expect(
        Set(found.blobs.map { Found(id: $0.id.hex, bytes: $0.bytes, commit: $0.commit.hex) }) == blobs,
        comment)
      #expect(found.blobs.allSatisfy { paths[$0.id.hex]?.contains($0.path) == true }, comment)
      #expect(found.blobs.count == blobs.count && found.missing == 0 && found.unreadable == 0, comment)
      let sorted = found.blobs.sorted { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : $0.id < $1.id }
      #expect(found.blobs == sorted, comment)
      #expect(try opened.largestBlobs(from: tip, limit: 3).blobs == Array(sorted.prefix(3)), comment)
    }
  }

  /// What was brought in early, taken away and brought back is early.
  @Test func oldestCommitOfLongHistory() async throws {
    let repository = try await TemporaryRepository.make()
    var stream = ""
    for mark in 1...600 {
      stream +=
        "commit refs/heads/main\nmark :\(mark)\ncommitter C <c@x> \(1_600_000_000 + mark) +0000\ndata 2\nm\n"
      if mark > 1 { stream += "from :\(mark - 1)\n" }
      let text = mark % 50 == 7 ? String(repeating: "big", count: 400) : "\(mark)"
      stream += "M 100644 inline d/f\(mark % 9)\ndata \(text.utf8.count)\n\(text)\n"
    }
    try await repository.fastImport(stream)
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    let found = try opened.largestBlobs(from: tip, limit: 1)
    let oldest = try await repository.git("rev-parse HEAD~593")
    #expect(found.blobs.map(\.commit.hex) == [oldest])
    #expect(found.blobs.map(\.path) == ["d/f7"] && found.blobs.map(\.bytes) == [1200])
    #expect(try opened.largestBlobs(from: tip, limit: .max).blobs.count == 588 + 1)
    var asked = 0
    let cancelled = code {
      _ = try opened.largestBlobs(from: tip) {
        asked += 1
        return asked > 300
      }
    }
    #expect(cancelled == .cancelled)
    #expect(code { _ = try opened.largestBlobs(from: tip, limits: DifferenceLimits(paths: 3)) } == .tooLarge)
  }

  @Test func partialAndDamaged() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "large enough", "d/b": "small"])
    try await repository.commit(files: ["a": "changed"])
    try await repository.git("config uploadpack.allowFilter true")
    let partial = try await repository.clone("partial", ["--filter=blob:none", "--no-checkout"])
    let opened = try partial.open()
    let found = try opened.largestBlobs(from: try #require(opened.refs.head.commit))
    #expect(found.blobs.isEmpty && found.missing == 3 && found.unreadable == 0)

    let tree = try await repository.git("rev-parse HEAD:d")
    try FileManager.default.removeItem(
      atPath: "\(repository.path)/.git/objects/\(tree.prefix(2))/\(tree.dropFirst(2))")
    let damaged = try repository.open()
    let rest = try damaged.largestBlobs(from: try #require(damaged.refs.head.commit))
    #expect(rest.blobs.map(\.path) == ["a", "a"] && rest.missing == 0 && rest.unreadable == 1)
  }
}
