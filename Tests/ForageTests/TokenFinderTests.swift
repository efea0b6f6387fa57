import ForageCore
import ForageGitHub
import ForageHTTP
import Synchronization
import TestSupport
import Testing

@testable import ForageSetup

struct TokenFinderTests {
  /// A call of a helper program.
  struct Call: Sendable {
    var line: String
    var input: String
    var environment: [String: String]
  }

  /// Stands in for `gh` and `git`, which know every host of these tests unless their files are removed.
  final class Helpers: Sendable {
    let calls = Mutex<[Call]>([])
    let answers: [String: String]
    let lateNames: Set<String>
    private let home: TemporaryDirectory

    init(_ answers: [String: String] = [:], late: Set<String> = []) throws {
      (self.answers, lateNames) = (answers, late)
      home = try TemporaryDirectory()
      let hosts = ["github.com", "git.example.org", "127.0.0.1:4711", "a.example", "b.example"]
      try home.write("gh/hosts.yml", hosts.map { "\($0):\n    user: me\n" }.joined())
      try home.write("gitconfig", "[credential]\n\thelper = store\n")
    }

    /// The variables by which the programs find their files.
    var variables: [String: String] {
      [
        "GH_CONFIG_DIR": home.path("gh"), "GIT_CONFIG_GLOBAL": home.path("gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
      ]
    }

    var child: ChildProcess {
      ChildProcess(
        path: { name, _ in "/nowhere/" + name },
        output: { name, arguments, input, environment in
          let line = ([name] + arguments).joined(separator: " ")
          self.calls.withLock { $0.append(Call(line: line, input: input, environment: environment)) }
          return self.answers[name].map(ChildOutput.text) ?? (self.lateNames.contains(name) ? .late : .failed)
        })
    }
  }

  private static let secrets = [
    "GH_TOKEN": "t-gh", "GITHUB_TOKEN": "t-github", "GH_ENTERPRISE_TOKEN": "t-ghe",
    "GITHUB_ENTERPRISE_TOKEN": "t-enterprise",
  ]

  /// A finder for which the variables of other hosts belong to one.
  private func finder(_ environment: [String: String], _ helpers: Helpers, for host: ForgeAddress)
    -> TokenFinder
  {
    let variables = host.host == ForgeAddress.gitHub ? [] : TokenFinder.tokenVariables.suffix(2)
    return TokenFinder(
      environment: environment.merging(helpers.variables) { given, _ in given }, child: helpers.child,
      owners: Dictionary(uniqueKeysWithValues: variables.map { ($0, host.host) }))
  }

  private func host(_ name: String) throws -> ForgeAddress {
    try name.contains("://") ? ForgeAddress(gitHubAPI: name) : ForgeAddress(gitHubHost: name)
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
    let helpers = try Helpers(answers.filter { answering.contains($0.key) })
    let environment = Self.secrets.filter { set.contains($0.key) }
    let host = try host(name)
    let finding = await finder(environment, helpers, for: host).find(host)
    #expect((finding.token.map { "\($0.secret) from \($0.source)" } ?? "none") == expected)
  }

  @Test func triedIsTold() async throws {
    let host = try host("git.example.org")
    let other = await finder([:], try Helpers(), for: host).find(host)
    #expect(
      other.tried == [
        "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "gh auth token", "git credential fill",
      ])
    let github = try self.host("github.com")
    let dotCom = await finder(["GITHUB_TOKEN": "x"], try Helpers(), for: github).find(github)
    #expect(dotCom.tried == ["GH_TOKEN", "GITHUB_TOKEN"])
  }

  @Test func helpersSeeNoTokenAndAreAskedForTheHost() async throws {
    let helpers = try Helpers()
    let environment = Self.secrets.merging(["HOME": "/h", "PATH": "/bin"]) { _, new in new }
      .filter { !$0.key.contains("ENTERPRISE") }
    let host = try host("http://127.0.0.1:4711")
    _ = await finder(environment, helpers, for: host).find(host)
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

  /// Programs that cannot know a token are not started, and it is said why.
  @Test func programsThatKnowNothing() async throws {
    let (helpers, folder) = (
      try Helpers(["gh": "t-gh", "git": "password=t-git\n"]), try TemporaryDirectory()
    )
    let environment = ["HOME": folder.path, "GIT_CONFIG_NOSYSTEM": "1"]
    let finder = TokenFinder(environment: environment, child: helpers.child, owners: [:])
    let finding = await finder.find(try host("github.com"))
    #expect(finding.token == nil && finding.tried == ["GH_TOKEN", "GITHUB_TOKEN"])
    #expect(finding.skipped.map(\.source) == ["gh auth token", "git credential fill"])
    #expect(finding.skipped.first?.reason.contains(folder.path + "/.config/gh/hosts.yml") == true)
    #expect(finding.skipped.last?.reason.contains("credential helper") == true)
    #expect(helpers.calls.withLock { $0.isEmpty })

    try folder.write(".gitconfig", "[credential]\n\thelper = store\n")
    let other = TokenFinder(environment: environment, child: helpers.child, owners: [:])
    let second = await other.find(try host("github.com"))
    #expect(second.token?.secret == "t-git" && second.skipped.map(\.source) == ["gh auth token"])
  }

  /// What should have had a token and has none is a fault, with the helper that did not answer.
  @Test func faults() async throws {
    let github = try host("github.com")
    let helpers = try Helpers(late: ["gh", "git"])
    let finder = finder(["GH_TOKEN": "Bearer x", "GITHUB_TOKEN": " "], helpers, for: github)
    let finding = await finder.find(github)
    #expect(
      finding.token == nil
        && finding.faults.map(\.source) == ["GH_TOKEN", "gh auth token", "git credential fill"])
    #expect(
      finding.faults.first?.text == "GH_TOKEN is not a token: it has spaces or characters that are not ASCII")
    let git = try #require(finding.faults.last?.text)
    #expect(
      git.hasPrefix("git credential fill did not answer within 3 s; it asked the credential helper store of ")
    )
    let hint = finder.hint(for: github, variable: nil)
    #expect(hint == "set GH_TOKEN to the token alone, without a word such as Bearer")
    // A later source is used all the same.
    let other = await self.finder(["GH_TOKEN": "Bearer x", "GITHUB_TOKEN": "t"], helpers, for: github).find(
      github)
    #expect(other.token?.source == "GITHUB_TOKEN" && other.faults.count == 1)
  }

  /// A token of another host is told as such, and neither sent nor handed to a helper.
  @Test func tokensOfOthersAreWithheld() async throws {
    let helpers = try Helpers(["gh": "t-from-gh"])
    let finder = TokenFinder(
      environment: helpers.variables.merging([
        "GH_ENTERPRISE_TOKEN": "t-ghe", "WORK_TOKEN": "t-work", "GH_TOKEN": "t-gh",
      ]) { $1 },
      child: helpers.child, owners: ["GH_ENTERPRISE_TOKEN": "a.example", "WORK_TOKEN": "b.example"])
    let (first, second) = (try host("a.example"), try host("b.example"))
    #expect(await finder.find(first).token?.secret == "t-ghe")
    let usual = await finder.find(second)
    #expect(usual.token?.secret == "t-from-gh")
    #expect(usual.withheld == ["GH_ENTERPRISE_TOKEN"])
    #expect(usual.tried == ["gh auth token"])
    let named = await finder.find(second, variable: "WORK_TOKEN")
    #expect(named.token?.secret == "t-work" && named.token?.source == "WORK_TOKEN")
    #expect(named.tried == ["WORK_TOKEN"])
    #expect(await finder.find(first, variable: "WORK_TOKEN").token == nil)
    #expect(helpers.calls.withLock { $0.allSatisfy { !$0.environment.keys.contains("WORK_TOKEN") } })
  }

  /// Secrets of plugins and manifests are for no other program.
  @Test func helpersGetNoSecretsOfPlugins() async throws {
    let helpers = try Helpers(["gh": "t-from-gh"])
    let finder = TokenFinder(
      environment: helpers.variables.merging(["SHOP_KEY": "k", "OTHER": "o"]) { $1 }, child: helpers.child,
      owners: [:], others: ["SHOP_KEY"])
    #expect(await finder.find(try host("github.com")).token?.secret == "t-from-gh")
    let environments = helpers.calls.withLock { $0.map(\.environment) }
    #expect(!environments.isEmpty && environments.allSatisfy { $0["OTHER"] == "o" && $0["SHOP_KEY"] == nil })
  }

  /// Without an owner a token of some other host is for none of them.
  @Test func tokensWithoutOwnerGoNowhere() async throws {
    let finder = TokenFinder(environment: Self.secrets, child: try Helpers().child, owners: [:])
    let finding = await finder.find(try host("a.example"))
    #expect(finding.token == nil)
    #expect(finding.withheld == ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"])
    #expect(await finder.find(try host("github.com")).token?.secret == "t-gh")
  }

  /// Whoever names a variable means that account: no helper is asked for another one.
  @Test func aNamedVariableIsTheOnlySource() async throws {
    let helpers = try Helpers(["gh": "t-from-gh"])
    let finder = TokenFinder(
      environment: helpers.variables, child: helpers.child, owners: ["WORK_TOKEN": "a.example"])
    let finding = await finder.find(try host("a.example"), variable: "WORK_TOKEN")
    #expect(finding.token == nil && finding.tried == ["WORK_TOKEN"])
    #expect(helpers.calls.withLock { $0.isEmpty })
  }

  @Test func everyHostIsAskedOnce() async throws {
    let helpers = try Helpers()
    let host = try host("github.com")
    let finder = finder([:], helpers, for: host)
    await withTaskGroup { group in
      for _ in 0..<10 { group.addTask { _ = await finder.find(host) } }
    }
    #expect(helpers.calls.withLock { $0.count } == 2)
  }

  /// Whatever could end a header's line, or is empty, is no token.
  @Test(arguments: ["", "  ", "a b", "a\u{7F}", "tökén", "a\rb", "x\n\ny"])
  func unusable(_ text: String) async throws {
    let helpers = try Helpers(["gh": text, "git": "password=\(text)\n"])
    let host = try host("github.com")
    let finding = await finder(["GH_TOKEN": text], helpers, for: host).find(host)
    let secret = finding.token?.secret ?? ""
    #expect(secret.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    #expect(finding.token?.source != "GH_TOKEN" && finding.token?.source != "gh auth token")
  }

  @Test func surroundingSpaceIsTakenOff() async throws {
    let host = try host("github.com")
    let finding = await finder(["GH_TOKEN": " t-gh\n"], try Helpers(), for: host).find(host)
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
    #expect(await child.output("gh", ["auth", "a b"], "", environment) == .text("from-gh auth a b\n"))
    #expect(await child.output("echo-input", [], "in\n", environment) == .text("in\n"))
    #expect(await child.output("broken", [], "", environment) == .failed)
    #expect(await child.output("missing", [], "", environment) == .failed)
    #expect(
      lines.withLock { $0.map { $0.prefix { $0 != "," } } } == [
        "gh auth a b: ok", "echo-input: ok", "broken: failed", "missing: failed",
      ])
  }
}
