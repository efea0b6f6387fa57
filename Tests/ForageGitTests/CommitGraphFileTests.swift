import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct CommitGraphFileTests {
  /// A history with merges of more than two, and its commit-graph.
  private func make(_ random: inout SeededGenerator) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make()
    try await repository.fastImport(RandomHistory(&random).stream)
    try await repository.git("commit-graph write --reachable --no-progress")
    return repository
  }

  private func graphPath(_ repository: TemporaryRepository) -> String {
    repository.path + "/.git/objects/info/commit-graph"
  }

  @Test func likeTheObjects() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random)
    let opened = try repository.open()
    let file = try #require(opened.commitGraphFile())
    let lines = try await repository.git(["log", "--all", "--format=%H %ct %P"]).split(separator: "\n")
    #expect(file.count == lines.count)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let id = try #require(ObjectID(hex: words[0]))
      let position = try #require(file.position(of: id))
      var parents: [String] = []
      file.forEachParent(position) { parents.append(file.id($0).hex) }
      #expect(
        [file.id(position).hex, String(file.committedAt(position))] + parents == words,
        "seed \(seed)")
    }
    let absent = try #require(ObjectID(hex: String(repeating: "5", count: 40)))
    #expect(file.position(of: absent) == nil)
  }

  /// Bits flipped and ends cut off: what is told stays true, because the objects have the last word.
  @Test func damage() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random)
    let path = graphPath(repository)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    try FileManager.default.removeItem(atPath: path)
    let count = try await repository.git("rev-list --count HEAD")
    let shortlog = try await repository.shortlog()
    let folder = repository.path + "/.git/objects"
    for round in 0..<400 {
      var bytes = sound
      if random.chance(0.2) {
        bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      } else {
        // Half of the damage is in the header and the table of chunks.
        let limit = random.chance(0.5) ? 96 : bytes.count
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<limit, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
      }
      // A file of its own each time: one that is mapped must not become shorter.
      try? FileManager.default.removeItem(atPath: path)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let comment = Comment("seed \(seed), round \(round)")
      if let file = CommitGraphFile(objects: folder) { read(file, comment) }
      guard round % 10 == 0 else { continue }
      let opened = try repository.open()
      let graph = try CommitGraph(from: try #require(opened.refs.head.commit), in: opened) { false }
      #expect(String(graph.headCount) == count, comment)
      #expect(graph.shortlog(Mailmap()) == shortlog, comment)
    }
  }

  /// Reads all there is; each parent must be a position.
  private func read(_ file: CommitGraphFile, _ comment: Comment) {
    var isInRange = true
    for position in 0..<file.count {
      file.forEachParent(position) { isInRange = isInRange && (0..<file.count).contains($0) }
      isInRange =
        isInRange && file.position(of: file.id(position)) == position && file.committedAt(position) >= 0
    }
    #expect(isInRange, comment)
  }

  /// Where git does not use a commit-graph, neither is it used here.
  @Test func notTrusted() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit("one")
    let second = try await repository.commit("two")
    try await repository.git("commit-graph write --reachable --no-progress")
    #expect(try repository.open().commitGraphFile()?.count == 2)
    try await repository.git("config core.commitGraph false")
    #expect(try repository.open().commitGraphFile() == nil)
    try await repository.git("config core.commitGraph true")
    try await repository.git("replace \(second) \(first)")
    #expect(try repository.open().commitGraphFile() == nil)
    try await repository.git("replace -d \(second)")
    #expect(try repository.open().commitGraphFile() != nil)
    try repository.write(".git/shallow", second + "\n")
    let opened = try repository.open()
    #expect(opened.commitGraphFile() == nil)
    let tip = try #require(opened.refs.head.commit)
    #expect(try CommitGraph(from: tip, in: opened) { false }.headCount == 1)
  }

  /// Without authors no object is read: one that is missing is not missed.
  @Test func countsWithoutObjects() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit("one")
    let last = try await repository.commit("two")
    try await repository.git("commit-graph write --reachable --no-progress")
    try FileManager.default.removeItem(
      atPath: "\(repository.path)/.git/objects/\(first.prefix(2))/\(first.dropFirst(2))")
    let opened = try repository.open()
    let tip = try #require(ObjectID(hex: last))
    #expect(try CommitGraph(from: tip, in: opened, tallies: false) { false }.headCount == 2)
    #expect(code { _ = try CommitGraph(from: tip, in: opened) { false } } == .missingObject)
  }
}
