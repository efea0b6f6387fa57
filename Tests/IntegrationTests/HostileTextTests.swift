import Foundation
import TestSupport
import Testing

/// Text from outside never drives a terminal.
struct HostileTextTests {
  /// An escape sequence, the same with a C1 control, a title, a bidirectional override and isolate.
  private static let payload = "x\u{1B}[2J\u{9B}31m\u{1B}]0;t\u{7}\u{202E}gnp\u{2066}\u{7F}\u{8}\u{0}y"

  /// Records whatever a terminal would obey; tabs and line ends are the program's own.
  private func expectHarmless(_ text: String, _ what: String, _ location: SourceLocation = #_sourceLocation) {
    let bad = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 9, 10: false
      case 0..<32, 127...159, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(bad.isEmpty, "\(what): \(Set(bad.map { String($0.value, radix: 16) }))", sourceLocation: location)
  }

  private static let service = FakeGitHub(repositories: [
    .hostile(),
    FakeRepository(
      id: 7, fullName: "mal\u{1B}[31m/\u{202E}payload", description: payload, language: "C\u{9B}",
      topics: [payload], stars: 4
    ).with {
      $0.license = payload
      $0.homepage = payload
      $0.defaultBranch = payload
    },
  ])

  @Test(arguments: ["table", "tsv", "json", "ndjson", "markdown"])
  func results(_ format: String) async throws {
    try await withProgram(Self.service) { program, _ in
      let result = try await program.run([
        "search", "payload", "-p", "github", "--explain", "--format", format,
      ])
      #expect(result.status == 0)
      #expect(result.out.contains("mallory/payload"))
      expectHarmless(result.out, format)
      expectHarmless(result.err, format)
      let lines = ["table": 5, "tsv": 2, "json": 1, "ndjson": 3, "markdown": 4][format]
      #expect(result.outLines.count == lines, "no line was forged")
      if format == "tsv" {
        #expect(
          result.outLines.allSatisfy {
            $0.split(separator: "\t", omittingEmptySubsequences: false).count == 9
          })
      }
      let shown = try await program.run(["show", "mallory/payload", "--format", format])
      #expect(shown.status == 0)
      expectHarmless(shown.out, "show " + format)
    }
  }

  @Test func onATerminal() async throws {
    try await withProgram(Self.service) { program, _ in
      let result = try await program.runInTerminal(
        ["search", "payload", "-p", "github"], adding: ["NO_COLOR": "1"])
      #expect(result.status == 0)
      expectHarmless(result.out, "terminal")
    }
  }

  @Test(arguments: [400, 401, 403, 404, 410, 418, 422, 500])
  func serverErrors(_ status: Int) async throws {
    let github = FakeGitHub()
    let message = Self.payload.unicodeScalars.map { String(format: "\\u%04x", $0.value) }.joined()
    let body = "{\"message\":\"\(message)\",\"errors\":[\"\(message)\",{\"message\":\"\(message)\"}]}"
    github.fail(.custom(.json(status: status, body: body)))
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"]) { program, _ in
      for arguments in [
        ["search", "x", "-p", "github", "-v"], ["search", "x", "-p", "github", "--format", "json"],
        ["doctor"],
        ["show", "a/b"],
      ] {
        let result = try await program.run(arguments)
        expectHarmless(result.out, "\(arguments)")
        expectHarmless(result.err, "\(arguments)")
      }
    }
  }

  @Test func redirects() async throws {
    let github = FakeGitHub()
    github.fail(.custom(.redirect(to: "http://example.org/\u{9B}31m\u{202E}")))
    try await withProgram(github) { program, _ in
      let result = try await program.run(["search", "x", "-p", "github", "-v"])
      #expect(result.status == 4)
      expectHarmless(result.err, "redirect")
    }
  }

  @Test(arguments: [
    ["search", "\"\(payload)".replacing("\0", with: "")],
    ["search", "stars:>\(payload)".replacing("\0", with: "")],
    ["search", "x", "-p", "\u{1B}[2J"], ["search", "x", "--\u{1B}[2J"], ["\u{1B}[2J\u{202E}"],
    ["search", "x", "-L", "\u{1B}[2J"], ["show", "\u{1B}[2J"], ["inspect", "\u{1B}[2J\u{9B}"],
    ["clones", "add", "\u{1B}[2J"], ["clones", "remove", "\u{1B}[2J"],
    ["search", "x", "--json", "\u{1B}[2J"],
    ["search", "x", "--sort", "\u{1B}[2J"], ["search", "x", "-k", "\u{1B}[2J"],
    ["search", "\u{1B}[2J:x", "-p", "local"],
  ])
  func arguments(_ arguments: [String]) async throws {
    let result = try await Program().run(arguments)
    #expect([1, 2].contains(result.status))
    expectHarmless(result.err, "\(arguments)")
    expectHarmless(result.out, "\(arguments)")
  }

  @Test func clones() async throws {
    let program = try Program()
    let name = "evil\u{1B}[2J\u{202E}"
    let repository = try await program.makeClone(
      "mallory/\(name)", remote: "https://example.org/a\u{9B}/b\u{202E}.git")
    try await repository.commit(
      Self.payload.replacing("\0", with: ""), author: "Mal\u{1B}[31m\u{202E} <m@\u{9B}example.org>")
    try await repository.git(["checkout", "--quiet", "-b", "br\u{202E}anch"])
    try await program.addClones()
    for format in ["table", "tsv", "json", "ndjson"] {
      for arguments in [
        ["clones", "list"], ["inspect", repository.path], ["show", repository.path],
        ["search", "evil", "-p", "local"],
      ] {
        let result = try await program.run(arguments + ["--format", format])
        #expect([0, 1].contains(result.status), "\(arguments): \(result.err)")
        expectHarmless(result.out, "\(arguments) \(format)")
        expectHarmless(result.err, "\(arguments) \(format)")
      }
    }
  }
}
