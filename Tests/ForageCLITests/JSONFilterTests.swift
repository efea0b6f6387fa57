import Forage
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// `--jq`: the program, what it gets, and what becomes of what it prints.
struct JSONFilterTests {
  init() {
    // As the program does at its start: a reader that goes away is noticed when writing.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Runs a command with a `jq` that is this script.
  private func run(
    _ arguments: [String], jq script: String, columns: Int? = nil, adding extra: [String: String] = [:]
  ) async throws -> Outcome {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        try home.directory.write("bin/jq", "#!/bin/sh\n" + script + "\n", mode: 0o755)
        // Nothing else is found, so that no helper looks for a token.
        let path = ["PATH": home.directory.path("bin")]
        return await forage(
          arguments, in: variables(home, server.baseURL, adding: path.merging(extra) { _, new in new }),
          columns: columns)
      }
    }
  }

  private let search = ["search", "http", "--sort", "stars", "-p", "github"]

  @Test func whatTheProgramGets() async throws {
    let fields = try await run(
      search + ["--json", "title,homepage", "-q", ".[0]"], jq: #"printf '<%s>' "$@"; echo; /bin/cat"#)
    #expect(fields.status == .success, "\(fields.err)")
    #expect(
      fields.out == """
        <-r><-c>< .[0]>
        [{"title":"apple/swift-nio","homepage":null},{"title":"kana/http-検索","homepage":null},\
        {"title":"nemo/http","homepage":null}]

        """)
    let whole = try await run(search + ["--jq", "-1"], jq: "/bin/cat")
    #expect(whole.out.hasPrefix("{\"schema\":1,") && whole.out.contains("\"items\":["))
    let providers = try await run(["providers", "-q", "."], jq: "/bin/cat")
    #expect(providers.out.hasPrefix("{\"schema\":1,\"providers\":["))
  }

  /// Tokens and what the settings name for secrets stay here.
  @Test func theProgramGetsNoTokens() async throws {
    let outcome = try await run(
      ["providers", "-q", "."], jq: "/bin/cat > /dev/null; /usr/bin/env",
      adding: ["GH_TOKEN": "t0psecret", "GITHUB_ENTERPRISE_TOKEN": "t0psecret", "OTHER": "seen"])
    #expect(outcome.out.contains("OTHER=seen") && !outcome.out.contains("t0psecret"))
  }

  @Test func theStatusIsThatOfTheCommand() async throws {
    let nothing = try await run(search + ["nothinglikethis", "--json", "id", "-q", "."], jq: "/bin/cat")
    #expect(nothing.status == .nothingFound && nothing.out == "[]\n")
    let wrong = try await run(["show", "no/such", "-q", "."], jq: "/bin/cat")
    #expect(wrong.status != .success && wrong.out == "")
  }

  /// What is evaluated without the program is what the program prints.
  @Test(arguments: JQCases.all) func withoutTheProgram(_ expression: String, _ expected: String) async throws
  {
    let own = try JSONFilter(expression, environment: ["PATH": "/nowhere"])
    let result = try await own.output(for: JQCases.document)
    #expect(result.error == nil && result.text == expected + (expected.isEmpty ? "" : "\n"))
    guard let program = Self.program else { return }
    let folder = (program as NSString).deletingLastPathComponent
    let real = try JSONFilter(expression, environment: ["PATH": folder])
    #expect(try await real.output(for: JQCases.document).text == result.text)
  }

  /// Mistakes, and what needs the program.
  @Test(
    arguments: [
      ("foo(", true), ("reduce .[] as $x (0; . + 1)", true), (". as $x | 1", true), (".a |= 1", true),
      (".. | .id", true), ("test(\"a\"; \"i\")", true), ("@html", true), ("(.items", false),
      (".items[", true),
      ("\"abc", false), ("if . then 1", false), ("1 +", false), ("{a", false), ("and", false), ("] .", false),
      (String(repeating: "(", count: 1_000), false), (String(repeating: ".a|", count: 1_000), false),
    ])
  func whatIsNotUnderstood(_ expression: String, needsProgram: Bool) {
    let error = #expect(throws: ForageError.self) {
      try JSONFilter(expression, environment: ["PATH": "/nowhere"])
    }
    #expect(error?.code == .usage && error?.message.hasPrefix("--jq: ") == true)
    #expect(error?.hint.hasPrefix("install jq") == needsProgram, "\(error?.message ?? "")")
  }

  /// A pattern whose work grows without limit ends: with an answer where one is found without backtracking.
  @Test func patternsWithoutEnd() async throws {
    let text = String(repeating: "a", count: 34) + "b"
    func output(_ pattern: String) async throws -> (text: String, error: ForageError?) {
      try await JSONFilter("test(\"\(pattern)\")", environment: ["PATH": "/nowhere"]).output(
        for: "\"\(text)\"")
    }
    #expect(try await output("(a+)+$").text == "false\n")
    #expect(try await output("(a+)+b").text == "true\n")
    let endless = try await output(#"^((a+)+)\\1$"#)
    #expect(endless.text == "" && endless.error?.message.contains("takes too long") == true, "\(endless)")
    #expect(endless.error?.hint.contains("(a+)+") == true)
    let wrong = try await output("(a").error
    #expect(
      wrong?.message.contains("(a (at offset 2) is not a valid regex: ") == true,
      "\(String(describing: wrong))")
  }

  @Test(arguments: [".items + 1", ".items[].id.x", ".stars[]", "map(.x)", "@csv", "{(1): 2}", "1 / 0"])
  func whatHasNoResult(_ expression: String) async throws {
    let filter = try JSONFilter(expression, environment: ["PATH": "/nowhere"])
    let error = try await filter.output(for: JQCases.document).error
    #expect(error?.code == .usage && error?.message.hasPrefix("--jq: ") == true)
  }

  @Test func aMissingProgramIsToldBeforeARequest() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(search + ["-q", "input"], in: variables(home, server.baseURL))
        #expect(outcome.status == .usage && outcome.out == "")
        let lines = outcome.err.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("jq") && lines[1].hasPrefix("hint: install jq"))
        #expect(server.requests.isEmpty)
        let titles = await forage(search + ["-q", ".items[].title"], in: variables(home, server.baseURL))
        #expect(titles.out == "apple/swift-nio\nkana/http-検索\nnemo/http\n" && titles.status == .success)
      }
    }
  }

  @Test func aWrongExpression() async throws {
    let outcome = try await run(
      search + ["-q", "("],
      jq:
        #"/bin/cat > /dev/null; printf 'jq: error: odd \033[2J\n .foo (  \njq: 1 compile error\n' >&2; exit 3"#
    )
    #expect(outcome.status == .usage && outcome.out == "")
    #expect(outcome.err.hasPrefix("forage: --jq: error: odd \u{241B}[2J\nhint: "), "\(outcome.err)")
    #expect(outcome.err.hasSuffix("\n  .foo (\n") && !outcome.err.contains("compile error"))
    // It ends without reading its input; what it printed before stays.
    let early = try await run(search + ["-q", "("], jq: "echo partly; exit 5")
    #expect(early.status == .usage && early.out == "partly\n")
  }

  /// In a pipe strings are as they are; a terminal gets what it cannot obey.
  @Test func hostileText() async throws {
    let script = #"/bin/cat > /dev/null; printf 'a\033[2Jb\n\tc\n'"#
    #expect(try await run(search + ["-q", "."], jq: script).out == "a\u{1B}[2Jb\n\tc\n")
    #expect(try await run(search + ["-q", "."], jq: script, columns: 80).out == "a\u{241B}[2Jb\n c\n")
  }

  /// More than a pipe holds, in both directions.
  @Test func muchText() async throws {
    let outcome = try await run(
      search + ["-q", "."],
      jq: "/bin/cat > /dev/null; /usr/bin/head -c 3000000 /dev/zero | /usr/bin/tr '\\0' x")
    #expect(outcome.out.utf8.count == 3_000_000)
  }

  private static let program = ["/usr/bin/jq", "/usr/local/bin/jq", "/opt/homebrew/bin/jq"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: program != nil))
  func theRealProgram() async throws {
    func run(_ arguments: [String]) async throws -> Outcome {
      try await self.run(arguments, jq: "exec \(Self.program ?? "") \"$@\"")
    }
    let titles = try await run(search + ["--json", "title", "-q", ".[].title"])
    #expect(titles.out == "apple/swift-nio\nkana/http-検索\nnemo/http\n")
    let objects = try await run(search + ["-q", ".items[] | {stars}"])
    #expect(objects.out == "{\"stars\":8149}\n{\"stars\":999}\n{\"stars\":0}\n")
    let number = try await run(search + ["-q", "-1"])
    #expect(number.out == "-1\n" && number.status == .success)
    for wrong in ["foo(", ".items + 1"] {
      let outcome = try await run(search + ["-q", wrong])
      #expect(outcome.status == .usage && outcome.out == "")
      #expect(outcome.err.hasPrefix("forage: --jq: "), "\(outcome.err)")
    }
  }
}
