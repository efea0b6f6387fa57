import ForageGitHub
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

struct TokenFinderTests {
  /// A call of a helper program.
  struct Call: Sendable {
    var line: String
    var input: String
    var environment: [String: String]
  }

  /// Stands in for `gh` and `git`.
  final class Helpers: Sendable {
    let calls = Mutex<[Call]>([])
    let answers: [String: String]

    init(_ answers: [String: String] = [:]) { self.answers = answers }

    var child: ChildProcess {
      ChildProcess { name, arguments, input, environment in
        self.calls.withLock { calls in
          calls.append(
            Call(line: ([name] + arguments).joined(separator: " "), input: input, environment: environment))
        }
        return self.answers[name]
      }
    }
  }

  private static let secrets = [
    "GH_TOKEN": "t-gh", "GITHUB_TOKEN": "t-github", "GH_ENTERPRISE_TOKEN": "t-ghe",
    "GITHUB_ENTERPRISE_TOKEN": "t-enterprise",
  ]

  private func host(_ name: String) throws -> GitHubHost {
    name.contains("://") ? try GitHubHost(base: name) : try GitHubHost(host: name)
  }

  /// Host, variables that are set, helpers that answer, token and source that are found.
  @Test(
    arguments: [
      ("github.com", ["GH_TOKEN", "GITHUB_TOKEN"], [], "t-gh from GH_TOKEN"),
      ("github.com", ["GITHUB_TOKEN"], ["gh"], "t-github from GITHUB_TOKEN"),
      ("github.com", ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"], [], "none"),
      ("github.com", [], ["gh", "git"], "t-from-gh from gh auth token"),
      ("github.com", [], ["git"], "t-from-git from git credential fill"),
      ("github.com", [], [], "none"),
      ("git.example.org", ["GH_TOKEN", "GITHUB_TOKEN"], [], "none"),
      ("git.example.org", ["GH_TOKEN", "GH_ENTERPRISE_TOKEN"], [], "t-ghe from GH_ENTERPRISE_TOKEN"),
      ("git.example.org", ["GITHUB_ENTERPRISE_TOKEN"], [], "t-enterprise from GITHUB_ENTERPRISE_TOKEN"),
      ("http://127.0.0.1:4711", ["GH_TOKEN", "GITHUB_TOKEN"], [], "none"),
      ("http://127.0.0.1:4711", ["GH_TOKEN", "GH_ENTERPRISE_TOKEN"], [], "t-ghe from GH_ENTERPRISE_TOKEN"),
    ] as [(String, [String], [String], String)])
  func order(_ name: String, _ set: [String], _ answering: [String], _ expected: String) async throws {
    let answers = ["gh": "t-from-gh\n", "git": "protocol=https\nusername=x\npassword=t-from-git\n"]
    let helpers = Helpers(answers.filter { answering.contains($0.key) })
    let environment = Self.secrets.filter { set.contains($0.key) }
    let finding = await TokenFinder(environment: environment, child: helpers.child).find(try host(name))
    #expect((finding.token.map { "\($0.secret) from \($0.source)" } ?? "none") == expected)
  }

  @Test func triedIsTold() async throws {
    let other = await TokenFinder(environment: [:], child: Helpers().child).find(try host("git.example.org"))
    #expect(
      other.tried == [
        "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "gh auth token", "git credential fill",
      ])
    let dotCom = await TokenFinder(environment: ["GITHUB_TOKEN": "x"], child: Helpers().child).find(
      try host("github.com"))
    #expect(dotCom.tried == ["GH_TOKEN", "GITHUB_TOKEN"])
  }

  @Test func helpersSeeNoTokenAndAreAskedForTheHost() async throws {
    let helpers = Helpers()
    let environment = Self.secrets.merging(["HOME": "/h", "PATH": "/bin"]) { _, new in new }
      .filter { !$0.key.contains("ENTERPRISE") }
    _ = await TokenFinder(environment: environment, child: helpers.child).find(
      try host("http://127.0.0.1:4711"))
    let calls = helpers.calls.withLock { $0 }
    #expect(calls.map(\.line) == ["gh auth token --hostname 127.0.0.1:4711", "git credential fill"])
    #expect(calls.last?.input == "protocol=http\nhost=127.0.0.1:4711\n\n")
    for call in calls {
      #expect(call.environment["HOME"] == "/h")
      #expect(call.environment["PATH"] == "/bin")
      #expect(!call.environment.keys.contains { $0.contains("TOKEN") })
      #expect(!call.environment.values.contains { $0.hasPrefix("t-") })
    }
    #expect(calls.last?.environment["GIT_TERMINAL_PROMPT"] == "0")
  }

  @Test func everyHostIsAskedOnce() async throws {
    let helpers = Helpers()
    let finder = TokenFinder(environment: [:], child: helpers.child)
    let host = try host("github.com")
    await withTaskGroup { group in
      for _ in 0..<10 { group.addTask { _ = await finder.find(host) } }
    }
    #expect(helpers.calls.withLock { $0.count } == 2)
  }

  /// Whatever could end a header's line, or is empty, is no token.
  @Test(arguments: ["", "  ", "a b", "a\u{7F}", "tökén", "a\rb", "x\n\ny"])
  func unusable(_ text: String) async throws {
    let helpers = Helpers(["gh": text, "git": "password=\(text)\n"])
    let finding = await TokenFinder(environment: ["GH_TOKEN": text], child: helpers.child).find(
      try host("github.com"))
    let secret = finding.token?.secret ?? ""
    #expect(secret.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    #expect(finding.token?.source != "GH_TOKEN" && finding.token?.source != "gh auth token")
  }

  @Test func surroundingSpaceIsTakenOff() async throws {
    let finding = await TokenFinder(environment: ["GH_TOKEN": " t-gh\n"], child: Helpers().child)
      .find(try host("github.com"))
    #expect(finding.token?.secret == "t-gh")
  }

  @Test func realHelpers() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("gh", "#!/bin/sh\necho from-gh \"$@\"\n", mode: 0o755)
    try folder.write("broken", "#!/bin/sh\necho x\nexit 3\n", mode: 0o755)
    try folder.write("echo-input", "#!/bin/sh\n/bin/cat\n", mode: 0o755)
    let lines = Mutex<[String]>([])
    let child = ChildProcess.live { line in lines.withLock { $0.append(line) } }
    let environment = ["PATH": folder.path]
    #expect(await child.output("gh", ["auth", "a b"], "", environment) == "from-gh auth a b\n")
    #expect(await child.output("echo-input", [], "in\n", environment) == "in\n")
    #expect(await child.output("broken", [], "", environment) == nil)
    #expect(await child.output("missing", [], "", environment) == nil)
    #expect(
      lines.withLock { $0.map { $0.prefix { $0 != "," } } } == [
        "gh auth a b: ok", "echo-input: ok", "broken: failed", "missing: failed",
      ])
  }
}
