import Foundation
import TestSupport
import Testing

/// The program that measures the ranking of code search.
struct RelevanceTests {
  /// A folder with clones of `a/one` and `B/two`.
  private func corpus() async throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for (name, remote, files) in [
      ("one", "https://example.com/a/one.git", ["größe/日本.c": "int grösse_日本(void) { return 1; }\n"]),
      ("two", "https://example.com/B/two.git", ["z.c": "int first(void);\n", "a.txt": "first\n"]),
    ] {
      let clone = try await TemporaryRepository.make()
      try await clone.commit(files: files)
      _ = try await clone.git("remote add origin \(remote)")
      try FileManager.default.copyItem(atPath: clone.path, toPath: folder.path(name))
    }
    return folder
  }

  private func run(_ queries: String) async throws -> ProcessResult {
    let folder = try await corpus()
    let file = try TemporaryDirectory()
    let url = try file.write("queries.tsv", queries)
    return try await ProcessRunner.run(
      try relevanceBinary, ["-v", try forageBinary.path, url.path, folder.path],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
      timeout: .seconds(300))
  }

  /// The words of each line of the output.
  private func words(_ result: ProcessResult) -> [[String]] {
    result.out.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  @Test func figuresOfEachHalf() async throws {
    let result = try await run(
      """
      # A comment.

      a\tgrösse_日本\ta/one\tgröße/日本.c
      b\t/int first/\tb/two\tnone.c\tz.c
      b\tfirst\tb/two\tnone.c
      b\tfirst\tno/where\tz.c
      """)
    #expect(result.status == 0, "\(result.err)")
    let lines = words(result)
    #expect(lines.first == ["clones:", "2,", "queries:", "3"])
    #expect(result.out.contains("skipped queries, because their repository is not there: 1\n"))
    #expect(lines.contains(["forage", "a", "1", "1.000", "100.0", "%"]))
    #expect(lines.contains(["forage", "b", "2", "0.500", "50.0", "%"]))
    #expect(lines.contains(["forage", "all", "3", "0.667", "66.7", "%"]))
  }

  @Test func aFailingQueryCountsAsNotFound() async throws {
    let result = try await run("a\t/(/\ta/one\tx.c\nb\t/int first/\tb/two\tz.c\n")
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.contains("forage: FAILED: /(/: "))
    #expect(words(result).contains(["forage", "a", "1", "0.000", "0.0", "%"]))
    #expect(words(result).contains(["forage", "b", "1", "1.000", "100.0", "%"]))
  }

  @Test func aLineThatCannotBeReadIsNamed() async throws {
    let result = try await run("a\tword\ta/one\n")
    #expect(result.status == 2)
    #expect(result.err.contains("queries.tsv:1: "))
  }

  @Test func usage() async throws {
    let result = try await ProcessRunner.run(try relevanceBinary, [], environment: [:], timeout: .seconds(60))
    #expect(result.status == 2)
    #expect(result.err.hasPrefix("usage: "))
  }

  /// The queries that are measured.
  @Test func queriesAreWellFormed() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "Relevance/queries.tsv"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t") }
    #expect(rows.count >= 60)
    #expect(rows.allSatisfy { $0.count >= 4 && ["a", "b"].contains($0[0]) })
    #expect(Set(rows.map { $0[1] }).count == rows.count)
    #expect(Set(rows.map { $0[2] }).count >= 12)
  }
}
