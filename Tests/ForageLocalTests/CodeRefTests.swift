import ForageCore
import ForageLocal
import Foundation
import TestSupport
import Testing

/// `ref:` in a search for code, against `git grep` of the same branches and tags.
struct CodeRefTests {
  private typealias World = CodeSearchTests.World

  private static let files = ["main.c", "src/größe.c", "src/a b.txt", "copy.c", "deep/er/x.py"]
  private static let lines = ["needle one", "hay", "größe = 1", "needle\ttwo", "int needle(void);"]

  /// Three branches that differ from what is checked out, a tag, and a branch that only the remote has.
  private func fill(_ clone: TemporaryRepository, _ random: inout SeededGenerator) async throws {
    for branch in ["main", "feature/ü", "old", "theirs"] {
      try await clone.git(["checkout", "--quiet", "-B", branch])
      for file in Self.files where random.chance(0.6) {
        if random.chance(0.25) {
          try? FileManager.default.removeItem(atPath: clone.path + "/" + file)
          continue
        }
        let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(Self.lines) + "\n" }
          .joined()
        try clone.write(file, text)
      }
      try await clone.commit(branch)
      if branch == "old" { try await clone.git("tag v1") }
    }
    try await clone.git("checkout --quiet main")
    try await clone.git("update-ref refs/remotes/origin/theirs theirs")
    try await clone.git("branch --quiet -D theirs")
  }

  private func grep(_ text: String, _ ref: String, _ clone: TemporaryRepository) async throws -> Set<String> {
    // Status 1 says that nothing is found.
    let out = (try? await clone.git(["-c", "core.quotePath=false", "grep", "-lF", text, ref])) ?? ""
    return Set(out.split(separator: "\n").map { String($0.dropFirst(ref.count + 1)) })
  }

  @Test func likeGitGrep() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<4 {
      var world = try World()
      let clone = try await world.clone("one", ["main.c": "needle first\n"])
      try await fill(clone, &random)
      if round.isMultiple(of: 2) { _ = try await world.update() } else { _ = try await world.workshop.scan() }
      // What is changed on disk belongs to no ref.
      try clone.write("main.c", "needle on disk\n")
      world.current = round < 2 ? clone.path : nil
      let repo = round < 2 ? "" : " repo:owner/one"
      for text in ["needle", "größe = 1", "needle one", "int needle", "nothing"] {
        for (ref, name) in [
          ("main", "main"), ("feature/ü", "feature/ü"), ("v1", "v1"), ("theirs", "origin/theirs"),
          ("HEAD~1", "HEAD~1"),
        ] {
          let page = try await world.page("\"\(text)\" ref:\(ref)\(repo)")
          let found = page.items.flatMap { [$0[.path]?.text ?? ""] + places($0).map(\.path) }
          let expected = try await grep(text, name, clone)
          #expect(
            Set(found) == expected && found.count == expected.count,
            "seed \(seed), round \(round): \(text) at \(ref): \(found)")
          #expect(page.items.allSatisfy { $0[.refs] == .list([ref]) && $0[.file] == nil })
        }
        let all = try await world.page("\"\(text)\" ref:*\(repo)")
        var found: [String: Set<String>] = [:]
        for item in all.items {
          for place in [(path: item[.path]?.text ?? "", refs: item[.refs]?.texts ?? [])] + places(item) {
            for ref in place.refs { found[ref, default: []].insert(place.path) }
          }
        }
        for branch in ["main", "feature/ü", "old", "origin/theirs", "origin/main"] {
          let expected = try await grep(text, branch, clone)
          #expect(found[branch] ?? [] == expected, "seed \(seed), round \(round): \(text) at \(branch)")
        }
      }
    }
  }

  private func places(_ item: SearchResult) -> [(path: String, refs: [String])] {
    (item[.places]?.elements ?? []).compactMap { place in
      guard case .record(let members) = place else { return nil }
      return (members["path"]?.text ?? "", members["refs"]?.texts ?? [])
    }
  }

  /// A ref that no clone has, several refs, and no clone to look in are told.
  @Test(arguments: [
    "needle ref:nowhere repo:owner/one", "needle ref:main", "needle ref:main ref:v1 repo:owner/one",
  ])
  func refused(_ query: String) async throws {
    let world = try World()
    _ = try await world.clone("one", ["main.c": "needle\n"])
    _ = try await world.update()
    await #expect(throws: SearchError.self) { try await world.page(query) }
  }
}
