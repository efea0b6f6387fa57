import ForageCLI
import ForageCore
import Foundation
import TestSupport
import Testing

/// Options of the other verbs to exact bytes.
struct CommandOutputTests {
  private func run(_ arguments: [String], columns: Int? = nil, adding: [String: String] = [:]) async throws
    -> Outcome
  {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let address = "127.0.0.1:\(server.port)"
        let outcome = await forage(
          arguments, in: variables(home, server.baseURL, adding: adding), columns: columns)
        func neutral(_ text: String) -> String {
          text.replacing(address, with: "HOST").replacing(home.home.path, with: "HOME")
        }
        return Outcome(status: outcome.status, out: neutral(outcome.out), err: neutral(outcome.err))
      }
    }
  }

  @Test func providers() async throws {
    let pipe = try await run(["providers"])
    #expect(
      pipe.out
        == "github\tGitHub\tyes\tbuilt-in\tcode,commit,issue,notification,repo,topic,user\nlocal\tClones\tyes\tbuilt-in\tcode,commit,repo\n"
    )
    #expect(pipe.status == .success && pipe.err == "")
    let terminal = try await run(["providers", "list"], columns: 90)
    #expect(
      terminal.out == """
        ID      NAME    ENABLED  ORIGIN    KINDS
        github  GitHub  yes      built-in  code,commit,issue,notification,repo,topic,user
        local   Clones  yes      built-in  code,commit,repo

        """)
  }

  @Test func oneProvider() async throws {
    let pipe = try await run(["providers", "show", "local"])
    #expect(pipe.out.hasPrefix("id\tlocal\nname\tClones\norigin\tbuilt-in\nenabled\ttrue\n"))
    let json = try await run(["providers", "show", "local", "--format", "json"])
    #expect(
      json.out.contains(
        #""id":"local","name":"Clones","origin":"built-in","enabled":true,"kinds":["code","commit","repo"]"#))
    let terminal = try await run(["providers", "show", "local"], columns: 60)
    #expect(terminal.out.hasPrefix("local  Clones\n  Enabled     yes\n  Origin      built-in\n"))
    #expect(terminal.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 60 })
    // What all kinds have in common stands once.
    #expect(terminal.out.split(separator: "\n").count { $0.hasPrefix("  Feed ") } == 1)
    #expect(terminal.out.split(separator: "\n").count { $0.hasPrefix("  OR and ( )  yes") } == 1)
    #expect(terminal.out.contains("\n  repo        in: "))
    let kinds = try await run(["providers", "show", "github"], columns: 100)
    for part in ["Token", "reviewed-by:", "committer-date:", "filename:", "author-date, committer-date"] {
      #expect(kinds.out.contains(part), "\(part)")
    }
    let abilities = try await run(["providers", "show", "github", "--format", "json"])
    #expect(abilities.out.contains(#""abilities":{"code":{"qualifiers":{"extension":"exact""#))
    #expect(abilities.out.contains(#""sorts":["indexed"],"or":true,"needsToken":true,"reachable":1000}"#))
    let unknown = try await run(["providers", "show", "lokal"])
    #expect(unknown.status == .usage)
    #expect(unknown.err == "forage: there is no provider \"lokal\"\nhint: did you mean local?\n")
  }

  @Test func auth() async throws {
    let none = try await run(["auth", "status"])
    #expect(none.status == .success)
    #expect(none.out == "HOST\t\t\t\t\n")
    #expect(none.err.hasPrefix("forage: no token for HOST\nhint: ") && !none.err.contains("github.com only"))
    let other = try await run(["auth", "status"], adding: ["GITHUB_TOKEN": "t0psecret"])
    #expect(
      other.err.hasPrefix("forage: no token for HOST\nhint: ")
        && other.err.hasSuffix("; GITHUB_TOKEN is for github.com only\n"), "\(other.err)")
    let some = try await run(["auth"], columns: 80, adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"])
    #expect(
      some.out
        == """
        HOST
          Token    from GH_ENTERPRISE_TOKEN
          Valid    yes
          Account  octocat
          Scopes   repo, read:org
          Tried    GH_ENTERPRISE_TOKEN
          API      http://HOST/
          Used by  github

        """)
    #expect(some.err == "")
    let json = try await run(
      ["auth", "status", "--format", "json"], adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"])
    #expect(
      json.out == """
        {"schema":1,"hosts":[{"host":"HOST","api":"http://HOST/","providers":["github"],"authenticated":true,\
        "source":"GH_ENTERPRISE_TOKEN","valid":true,"login":"octocat","scopes":["repo","read:org"],\
        "tried":["GH_ENTERPRISE_TOKEN"]}]}

        """)
    let pipe = try await run(["auth", "status"], adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"])
    #expect(
      pipe.out == "HOST\tGH_ENTERPRISE_TOKEN\tvalid\toctocat\trepo,read:org\n" && pipe.status == .success)
    // There is no `auth login`.
    #expect(try await forage(["auth", "--help"]).out.contains("gh auth login"))
  }

  /// A token that cannot be tested is not known to be good.
  @Test func anUntestedToken() async throws {
    try await withIsolatedHome { home in
      let outcome = await forage(
        ["auth", "status"], in: variables(home, adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"]))
      #expect(outcome.status == .failed && outcome.out.contains("unknown"))
      #expect(outcome.err.contains("could not be tested") && outcome.err.contains("\nhint: "))
    }
  }

  @Test func noClones() async throws {
    for arguments in [["clones"], ["clones", "list"]] {
      let outcome = try await run(arguments)
      #expect(outcome.status == .nothingFound)
      #expect(outcome.out == "")
      #expect(outcome.err == "forage: no clones are known\nhint: add a folder with: forage clones add DIR\n")
    }
    let json = try await run(["clones", "list", "--format", "json"])
    #expect(json.out == "{\"schema\":1,\"clones\":[]}\n")
    let missing = try await run(["clones", "add", "/nonexistent/folder"])
    #expect(missing.status == .usage)
    #expect(missing.err.hasPrefix("forage: /nonexistent/folder is not a folder\nhint: "))
    let unknown = try await run(["clones", "remove", "/nonexistent"])
    #expect(unknown.status == .usage)
    #expect(
      unknown.err.hasPrefix("forage: /nonexistent is neither a folder nor a clone of the catalogue\nhint: "))
  }
}
