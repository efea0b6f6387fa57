import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct ChurnTests {
  /// What git counts, in the order of the answer.
  private func expected(_ repository: TemporaryRepository, _ limit: Int) async throws -> [Churn.File] {
    let printed = try await repository.git([
      "log", "--no-merges", "--name-only", "--no-renames", "--format=%x01%aN", "-z", "-\(limit)", "HEAD",
    ])
    var counts: [String: [String: Int]] = [:]
    var author = ""
    for text in printed.split(whereSeparator: { $0 == "\0" || $0 == "\n" }) {
      if text.first == "\u{1}" {
        // Git does not replace the placeholder for an author line without an address.
        author = text.dropFirst() == "%aN" ? "" : String(text.dropFirst())
      } else {
        counts[String(text), default: [:]][author, default: 0] += 1
      }
    }
    return counts.map { path, authors in
      let most = authors.filter { !$0.key.isEmpty }.min {
        $0.value != $1.value ? $0.value > $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
      }
      return Churn.File(
        path: path, commits: authors.values.reduce(0, +),
        author: most.map { Churn.Author(name: $0.key, commits: $0.value) })
    }.sorted {
      $0.commits != $1.commits
        ? $0.commits > $1.commits : $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
    }
  }

  /// A long author line without an address hides the committer's time from who reads only the beginning of a
  /// commit.
  @Test func damagedAuthor() async throws {
    let repository = try await TemporaryRepository.make()
    var branches: [String] = []
    for (file, time, author) in [("old", 4000, "A <a@x>"), ("new", 5000, String(repeating: "x", count: 900))]
    {
      let blob = try await repository.git(["hash-object", "-w", "--stdin"], input: Data(file.utf8))
        .trimmingCharacters(in: .newlines)
      let tree = try await repository.git(["mktree"], input: Data("100644 blob \(blob)\t\(file)\n".utf8))
        .trimmingCharacters(in: .newlines)
      let text = "tree \(tree)\nauthor \(author) \(time) +0000\ncommitter C <c@x> \(time) +0000\n\nm\n"
      branches.append(
        try await repository.git(
          ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], input: Data(text.utf8)
        ).trimmingCharacters(in: .newlines))
    }
    let tree = try await repository.git(["rev-parse", branches[1] + "^{tree}"]).trimmingCharacters(
      in: .newlines)
    let tip = try await repository.git(
      ["commit-tree", tree, "-p", branches[0], "-p", branches[1], "-m", "merge"]
    ).trimmingCharacters(in: .newlines)
    try await repository.git(["update-ref", "refs/heads/main", tip])
    try await repository.git("repack -adq --window=0")
    #expect(try churn(repository, 1).files.map(\.path) == ["new"])
    #expect(try await churn(repository, 1).files == expected(repository, 1))
  }

  @Test func packedLooseAndBorrowedObjects() async throws {
    let repository = try await TemporaryRepository.make()
    for round in 0..<5 {
      try await repository.commit(files: ["a/b": "\(round)", "c": "\(round % 2)"])
      if round == 2 { try await repository.git("repack -adq") }
    }
    let copy = repository.directory.path("copy")
    try await repository.git(["clone", "--quiet", "--shared", repository.path, copy])
    for path in [repository.path, copy] {
      let opened = try GitRepository.open(path)
      let tip = try #require(opened.refs.head.commit)
      #expect(try opened.churn(from: tip).files.map(\.commits) == [5, 5])
      #expect(try opened.largestBlobs(from: tip).blobs.count == 5)
    }
  }

  private func churn(
    _ repository: TemporaryRepository, _ limit: Int = .max, limits: DifferenceLimits = .standard,
    isCancelled: () -> Bool = { false }
  ) throws -> Churn {
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    return try opened.churn(from: tip, commits: limit, files: .max, limits: limits, isCancelled: isCancelled)
  }

  @Test func randomTreesLikeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<8 {
      let history = RandomTrees(&random)
      let repository = try await TemporaryRepository.make("r\(round)")
      try await repository.fastImport(history.stream)
      let limit = random.chance(0.5) ? 1000 : Int.random(in: 1...history.count, using: &random)
      let found = try churn(repository, limit)
      let comment = Comment("seed \(seed), round \(round), limit \(limit)")
      #expect(try await found.files == expected(repository, limit), comment)
      let count = try await Int(repository.git("rev-list --count --no-merges HEAD")) ?? 0
      #expect(found.commits == min(limit, count) && found.unreadable == 0, comment)
    }
  }

  /// A long history with several commits of each time.
  @Test func manyCommits() async throws {
    let repository = try await TemporaryRepository.make()
    var lines: [String] = []
    for mark in 1...700 {
      let time = 1_600_000_000 + mark / 3
      let author = "author Ä\(mark * mark % 23) <a\(mark % 5)@x> \(time) +0000"
      lines.append(
        "commit refs/heads/main\nmark :\(mark)\n\(author)\ncommitter C <c@x> \(time) +0000\ndata 2\nm\n")
      if mark > 1 { lines.append("from :\(max(1, mark - 1 - mark % 4))") }
      if mark % 7 == 0 { lines.append("merge :\(mark - 1)") }
      let folder = "d\(mark % 5)/e\(mark % 3)"
      lines.append("M 100644 inline \(folder)/f\(mark % 11)\ndata \(String(mark).utf8.count)\n\(mark)")
    }
    try await repository.fastImport(lines.joined(separator: "\n") + "\n")
    try repository.write(".mailmap", "Zoë <a1@x>\nÄ4 <a2@x>\n")
    for limit in [300, 1000] {
      let all = try churn(repository, limit)
      #expect(try await all.files == expected(repository, limit))
      let opened = try repository.open()
      let tip = try #require(opened.refs.head.commit)
      // The same when all commits are walked before.
      var graph = try CommitGraph(from: tip, in: opened, skipsDamage: true) { false }
      #expect(try graph.churn(commits: limit, files: .max) == all)
      #expect(try graph.largestBlobs(limit: 30).blobs == opened.largestBlobs(from: tip, limit: 30).blobs)
      #expect(try opened.churn(from: tip, commits: limit, files: 7).files == Array(all.files.prefix(7)))
    }
    var asked = 0
    let cancelled = code {
      _ = try churn(repository) {
        asked += 1
        return asked > 100
      }
    }
    #expect(cancelled == .cancelled)
    #expect(code { _ = try churn(repository, limits: DifferenceLimits(paths: 5)) } == .tooLarge)
  }

  @Test func shallowAndUnreadable() async throws {
    let repository = try await TemporaryRepository.make()
    for step in 0..<6 { try await repository.commit(files: ["a": "\(step)", "b\(step)/c": "x"]) }
    let shallow = try await repository.clone("shallow", ["--depth=3"])
    let found = try churn(shallow)
    #expect(found.commits == 3)
    #expect(try await found.files == expected(shallow, 1000))

    // The tree of HEAD~2 is needed for two comparisons.
    let tree = try await repository.git("rev-parse HEAD~2^{tree}")
    try FileManager.default.removeItem(
      atPath: "\(repository.path)/.git/objects/\(tree.prefix(2))/\(tree.dropFirst(2))")
    let partial = try churn(repository)
    #expect(partial.commits == 6 && partial.unreadable == 2)
    #expect(
      partial.files.first
        == Churn.File(path: "a", commits: 4, author: .init(name: "A U Thor", commits: 4)))
    #expect(!partial.files.contains { $0.path == "b3/c" || $0.path == "b4/c" })
  }

  /// Trees that name each other have 2^40 files.
  @Test func selfSimilarTrees() async throws {
    let repository = try await TemporaryRepository.make()
    var id = try await repository.git(["hash-object", "-w", "--stdin"], input: Data("x".utf8))
    id = try await repository.git(["mktree"], input: Data("100644 blob \(id)\tf\n".utf8))
    for _ in 0..<40 {
      id = try await repository.git(
        ["mktree"], input: Data("040000 tree \(id)\ta\n040000 tree \(id)\tb\n".utf8))
    }
    let commit = try await repository.git(["commit-tree", "-m", "bomb", id])
    try await repository.git(["update-ref", "refs/heads/main", commit])
    for limits in [
      DifferenceLimits(trees: 1000), DifferenceLimits(entries: 1000, entriesEach: 0),
      DifferenceLimits(depth: 40),
      DifferenceLimits(paths: 1000), DifferenceLimits(nameBytes: 1000),
    ] {
      #expect(code { _ = try churn(repository, limits: limits) } == .tooLarge)
    }
    var asked = 0
    let cancelled = code {
      _ = try churn(repository) {
        asked += 1
        return asked > 1000
      }
    }
    #expect(cancelled == .cancelled)
    // The whole history's blobs are read with each tree once.
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    let largest = try opened.largestBlobs(from: tip).blobs
    #expect(largest.map(\.bytes) == [1])
    #expect(largest.map(\.path) == [String(repeating: "a/", count: 40) + "f"])
  }

  @Test func damagedTrees() {
    func entry(_ text: [UInt8]) -> Int? {
      text.withUnsafeBytes { TreeCursor(CheckedBytes($0)).entry().map { Int($0.mode) } }
    }
    let id = [UInt8](repeating: 0, count: 20)
    #expect(entry(Array("100664 a\0".utf8) + id) == 0o100644)
    #expect(entry(Array("100700 a\0".utf8) + id) == 0o100755)
    #expect(entry(Array("40000 a\0".utf8) + id) == 0o040000)
    #expect(entry(Array("100644 a\0".utf8) + id.dropLast()) == nil)
    for text in ["", "1", "100644", "100644 ", "100644 a", "100644 \0", " a\0", "1x a\0", "777777777777 a\0"]
    {
      let padding = text.hasSuffix("\0") ? id : []
      #expect(entry(Array(text.utf8) + padding) == nil, "\(text)")
    }
  }

  @Test func equalEntriesAreSkipped() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      // Names around the 32 bytes that are looked at in one go.
      let entries = (0..<Int.random(in: 1...12, using: &random)).map { _ -> [UInt8] in
        let name = String(repeating: "n", count: Int.random(in: 1...50, using: &random))
        return Array("100644 \(name)\0".utf8) + (0..<20).map { _ in UInt8.random(in: 0...2, using: &random) }
      }
      let left = Array(entries.joined())
      var right = left
      let changed = Int.random(in: 0...left.count, using: &random)
      if changed < left.count { right[changed] ^= 0x40 }
      var end = 0
      let whole = entries.prefix {
        end += $0.count
        return end <= changed
      }
      left.withUnsafeBytes { a in
        right.withUnsafeBytes { b in
          var (old, new) = (TreeCursor(CheckedBytes(a)), TreeCursor(CheckedBytes(b)))
          #expect(TreeCursor.skipEqual(&old, &new, limit: 100) == whole.count, "seed \(seed)")
          #expect(old.position == whole.joined().count && new.position == old.position, "seed \(seed)")
        }
      }
    }
  }
}
