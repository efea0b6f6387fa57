import Foundation
import TestSupport
import Testing

/// Formats, streams and colour of the real program.
struct FormatTests {
  private static let envelope: Set<String> = ["schema", "query", "complete", "providers", "items"]
  private static let item: Set<String> = [
    "id", "kind", "title", "url", "description", "host", "owner", "name", "avatarUrl", "homepage", "language",
    "topics", "license", "stars", "forks", "watchers", "openIssues", "sizeKB", "fork", "archived", "private",
    "template", "mirror", "defaultBranch", "createdAt", "updatedAt", "pushedAt", "path", "paths", "favorite",
    "starred", "score", "sources", "related",
  ]
  private static let always: Set<String> = [
    "id", "kind", "title", "url", "host", "owner", "name", "score", "sources",
  ]
  private static let outcome: Set<String> = [
    "id", "kind", "state", "returned", "total", "elapsedMs", "requests", "fromCache", "incomplete",
    "residual", "error",
  ]

  private func expectItem(_ item: JSON) {
    #expect(item.keys.isSubset(of: Self.item), "\(item.keys.subtracting(Self.item))")
    #expect(Self.always.isSubset(of: item.keys))
    for name in ["createdAt", "updatedAt", "pushedAt"] {
      let text = item[name]?.string ?? "2000-01-01T00:00:00Z"
      #expect(text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/) != nil)
    }
    for name in item.keys { #expect(item[name] != .null && item[name] != .string(""), "\(name)") }
    #expect((item["stars"]?.int ?? 0) >= 0)
  }

  @Test func json() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let result = try await program.run(["search", "match", "-L", "60", "--format", "json"])
      let answer = try result.json()
      #expect(answer.keys == Self.envelope)
      #expect(answer["schema"] == .int(1))
      #expect(answer["query"] == .string("match"))
      #expect(answer["items"]?.array.count == 60)
      for item in answer["items"]?.array ?? [] { expectItem(item) }
      #expect(answer["providers"]?.array.compactMap { $0["id"]?.string } == ["github", "local"])
      for provider in answer["providers"]?.array ?? [] {
        // There are no clones.
        let isSkipped = provider["state"]?.string == "skipped"
        #expect(isSkipped == (provider["id"]?.string == "local"))
        #expect(provider.keys.subtracting(["reason"]).isSubset(of: Self.outcome))
        #expect((provider["reason"]?.string != nil) == isSkipped)
        if !isSkipped { #expect(provider.keys == Self.outcome) }
        #expect(provider["error"] == .null)
      }
      let order = ["\"schema\"", "\"query\"", "\"complete\"", "\"providers\"", "\"items\""].map { name in
        result.out.range(of: name)?.lowerBound ?? result.out.endIndex
      }
      #expect(order == order.sorted())
    }
  }

  @Test func ndjson() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      let result = try await program.run(["search", "match", "--format", "ndjson"])
      #expect(result.outLines.count == 6)
      for line in result.outLines.dropLast() { expectItem(try JSON(line)) }
      let last = try JSON(try #require(result.outLines.last))
      #expect(last.keys == ["summary"])
      #expect(last["summary"]?["complete"] == .bool(true))
      #expect(last["summary"]?["items"] == nil)
      #expect(last["summary"]?.provider("github")?["returned"] == .int(5))
    }
  }

  @Test func tsvHasNoHeader() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      let automatic = try await program.run(["search", "match"])
      let named = try await program.run(["search", "match", "--format", "tsv"])
      #expect(automatic.out == named.out)
      #expect(automatic.err == "")
      #expect(automatic.outLines.count == 5)
      for line in automatic.outLines {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        try #require(fields.count == 8)
        #expect(fields[0].contains("/"))
        #expect(Int(fields[3]) != nil)
      }
    }
  }

  @Test func chosenFields() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let result = try await program.run(["search", "match", "--json", "id,stars"])
      let items = try result.json().array
      #expect(items.count == 3)
      #expect(items.allSatisfy { $0.keys == ["id", "stars"] })
      let none = try await program.run(["search", "match", "--json"])
      #expect(none.status == 2)
      #expect(none.out == "")
      #expect(
        Set(["id", "stars", "pushedAt"]).isSubset(of: none.err.split(separator: "\n").map(String.init)))
    }
  }

  @Test func aClosedPipeIsSuccess() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1000))) { program, _ in
      for format in ["ndjson", "json", "tsv"] {
        let result = try await program.run(
          ["search", "match", "-L", "1000", "--format", format], closeOutputAfter: 1)
        #expect(result.status == 0)
        #expect(result.err == "")
      }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullDiskIsTold() async throws {
    let program = try Program()
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" providers >/dev/full", try forageBinary.path],
      environment: program.environment)
    #expect(result.status == 4)
    #expect(expectMessages(result) == ["the results could not be written: No space left on device"])
  }

  /// No file that is opened later takes the place of a stream that is closed.
  @Test func aClosedOutputIsTold() async throws {
    let program = try Program()
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" providers >&-", try forageBinary.path],
      environment: program.environment)
    #expect(result.status == 4)
    #expect(expectMessages(result).first?.hasSuffix("standard output is closed") == true)
  }

  @Test func environmentOfATable() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      func table(_ extra: [String: String]) async throws -> ProcessResult {
        try await Gate.shared.run {
          try await ProcessRunner.run(
            forageBinary, ["search", "match", "--format", "table", "--timeout", "50"],
            environment: program.environment.merging(extra) { _, new in new })
        }
      }
      let plain = try await table([:])
      #expect(!plain.out.contains("\u{1B}"))
      #expect(plain.outLines.count == 6)
      #expect(plain.outLines.first?.hasPrefix("REPOSITORY") == true)
      #expect(plain.outLines.allSatisfy { columns(of: $0) <= 80 })
      let forced = try await table(["CLICOLOR_FORCE": "1"])
      #expect(forced.out.contains("\u{1B}[1m"))
      #expect(withoutColor(forced.out) == plain.out)
      for width in [40, 60, 132] {
        let result = try await table(["COLUMNS": String(width)])
        #expect(result.outLines.count == 6)
        #expect(result.outLines.allSatisfy { columns(of: $0) <= width })
      }
    }
  }

  @Test(arguments: [60, 80, 200])
  func terminals(_ width: Int) async throws {
    try await withProgram(FakeGitHub(repositories: matching(100))) { program, _ in
      let result = try await program.runInTerminal(["search", "match", "-L", "100"], columns: width)
      #expect(result.status == 0)
      #expect(result.out.contains("\u{1B}[1m"))
      let lines = withoutColor(result.out).split(separator: "\n").map(String.init)
      #expect(lines.count == 101)
      #expect(lines.allSatisfy { columns(of: $0) <= width })
      #expect(result.err == "")
      let plain = try await program.runInTerminal(
        ["search", "match", "-L", "100"], columns: width, adding: ["NO_COLOR": "1"])
      #expect(!plain.out.contains("\u{1B}"))
      #expect(plain.out.split(separator: "\n").map(String.init) == lines)
      let pipe = try await program.run(["search", "match", "-L", "100"])
      #expect(!pipe.out.contains("\u{1B}"))
      #expect(pipe.outLines.count == 100)
    }
  }

  @Test func jsonOnATerminalIsReadable() async throws {
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, _ in
      let result = try await program.runInTerminal(["search", "match", "--format", "json"])
      #expect(result.out.hasPrefix("{\n  \"schema\": 1,\n"))
      #expect(try JSON(result.out)["items"]?.array.count == 2)
    }
  }

  /// What a document has can be asked for with `--json`, so that neither list of names lacks one.
  @Test func everyMemberOfADocumentIsAField() async throws {
    let documents: [(arguments: [String], list: String?)] = [
      (["search", "match"], "items"), (["auth", "status"], "hosts"), (["doctor"], "checks"),
      (["providers"], "providers"), (["providers", "show", "github"], nil), (["clones", "list"], "clones"),
      (["favorite", "list"], "favorites"), (["inspect", "src/nio"], nil),
    ]
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, _ in
      try await program.makeClone("apple/nio")
      try await program.addClones()
      _ = try await program.run(["favorite", "add", "apple/nio"])
      for (arguments, list) in documents {
        let document = try await program.run(arguments + ["--format", "json"]).json()
        let objects = list.map { document[$0]?.array ?? [] } ?? [document]
        let names = objects.reduce(into: Set<String>()) { $0.formUnion($1.keys) }.subtracting(["schema"])
        #expect(!names.isEmpty, "\(arguments)")
        let fields = names.sorted().joined(separator: ",")
        let asked = try await program.run(arguments + ["--json", fields])
        #expect(asked.status != 2 && !asked.out.isEmpty, "\(arguments): \(asked.err)")
      }
    }
  }

  @Test func everythingOnOneTerminal() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      let result = try await program.runInTerminal(["search", "match"], streams: .outputAndError)
      #expect(result.status == 0)
      #expect(withoutColor(result.out).contains("\n5 results from github"))
    }
  }

  /// The text without colour and redrawn lines.
  private func withoutColor(_ text: String) -> String {
    // Behind a style that ends a space stays; nobody sees it.
    text.replacing(/\u{1B}\[[0-9;]*[mK]/, with: "").replacing("\r", with: "").replacing(/\ +\n/, with: "\n")
  }

  /// Columns on a terminal, well enough for the invented repositories: East Asian blocks and emoji are wide.
  private func columns(of line: String) -> Int {
    line.reduce(0) { width, character in
      let isWide = character.unicodeScalars.contains { scalar in
        scalar.properties.isEmojiPresentation || (0x3000...0xD7A3).contains(scalar.value)
      }
      return width + (isWide ? 2 : 1)
    }
  }
}
