import Foundation
import TestSupport
import Testing

/// Tokens and passwords stay where they belong.
struct SecretTests {
  private static let secret = "t0psecret"
  private static let tokens = [
    "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
  ]

  private static let verbs = [
    ["search", "match", "-v"], ["search", "match", "-v", "--format", "json"], ["show", "owner/none", "-v"],
    ["auth", "status", "-v"], ["auth", "status", "-v", "--format", "json"], ["doctor", "-v"],
    ["stars", "-v"], ["star", "owner/none", "-v"], ["unstar", "owner/none", "-v"], ["feed", "-v"],
  ]

  @Test(arguments: [nil, .badCredentials, .permission, .notFound, .nothing] as [FakeGitHub.Fault?])
  func theTokenIsSentAndNeverShown(_ fault: FakeGitHub.Fault?) async throws {
    let github = FakeGitHub(repositories: matching(3))
    if let fault { github.fail(fault) }
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": Self.secret, "FORAGE_DEBUG": "1"]) {
      program, server in
      for arguments in Self.verbs {
        let result = try await program.run(arguments)
        #expect(!result.out.contains(Self.secret), "\(arguments)")
        #expect(!result.err.contains(Self.secret), "\(arguments)")
      }
      #expect(!server.requests.isEmpty)
      #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer " + Self.secret })
    }
  }

  /// The address that authorizes a token once is neither shown, nor logged, nor stored.
  @Test(arguments: [200, 403])
  func addressesOfSingleSignOnAreNotShown(_ status: Int) async throws {
    let github = FakeGitHub(repositories: matching(3)) {
      $0.singleSignOn = "required; url=https://github.com/orgs/acme/sso?authorization_request=\(Self.secret)"
    }
    if status == 403 {
      let header = [("X-GitHub-SSO", github.options.singleSignOn ?? "")]
      github.fail(.custom(.json(status: 403, headers: header, body: #"{"message": "Resource protected"}"#)))
    }
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0ken", "FORAGE_DEBUG": "1"]) {
      program, _ in
      for arguments in Self.verbs + [["search", "match"]] {
        let result = try await program.run(arguments)
        #expect(!(result.out + result.err).contains(Self.secret), "\(arguments)")
        if arguments == ["search", "match", "-v"] {
          #expect(result.err.contains("/orgs/acme/sso?(not shown)"), "\(result.err)")
          #expect(result.status == (status == 403 ? 4 : 0))
        }
      }
      try expectNotWritten(Self.secret, below: program.home.directory.url)
    }
  }

  @Test func tokensOfGitHubAreNotForOtherHosts() async throws {
    let tokens = ["GH_TOKEN": Self.secret, "GITHUB_TOKEN": Self.secret]
    try await withProgram(FakeGitHub(repositories: matching(3)), adding: tokens) { program, server in
      for arguments in Self.verbs { _ = try await program.run(arguments) }
      #expect(!server.requests.isEmpty)
      #expect(server.requests.allSatisfy { $0.header("authorization") == nil })
      #expect(
        server.requests.allSatisfy { request in
          !request.target.contains(Self.secret)
            && !request.headers.values.joined().contains { $0.contains(Self.secret) }
        })
    }
  }

  @Test func helpersSeeNoTokens() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      try program.letHelpersKnow(server)
      let folder = program.home.directory
      for name in ["gh", "git"] {
        try folder.write(
          "bin/\(name)", "#!/bin/sh\n/usr/bin/env >> '\(folder.path("seen-\(name)"))'\nexit 1\n", mode: 0o755)
      }
      // For this host the enterprise variables would be used, so they must stay unset here.
      let result = try await program.run(
        ["search", "match", "-p", "github"],
        adding: ["PATH": folder.path("bin"), "GH_TOKEN": Self.secret, "GITHUB_TOKEN": Self.secret])
      #expect(result.status == 0)
      for name in ["gh", "git"] {
        let seen = try String(contentsOfFile: folder.path("seen-\(name)"), encoding: .utf8)
        #expect(seen.contains("HOME="))
        #expect(!seen.contains(Self.secret))
        for variable in Self.tokens { #expect(!seen.contains(variable + "="), "\(name)") }
      }
      #expect(server.requests.allSatisfy { $0.header("authorization") == nil })
    }
  }

  /// Without a hosts file of `gh` and a credential helper of git a search starts no program.
  @Test func programsThatKnowNothingAreNotStarted() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      let folder = program.home.directory
      for name in ["gh", "git"] {
        try folder.write("bin/\(name)", "#!/bin/sh\n: > '\(folder.path("started"))'\n", mode: 0o755)
      }
      try program.home.writeConfig("gh/hosts.yml", "elsewhere.example:\n    user: me\n")
      try folder.write(
        "home/.gitconfig", "[user]\n\tname = Me\n[credential \"https://elsewhere.example\"]\n\thelper = x\n")
      let result = try await program.run(["search", "match", "-v"], adding: ["PATH": folder.path("bin")])
      #expect(result.status == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.path("started")))
      #expect(!result.err.contains("gh auth token") && !result.err.contains("git credential"))
      let status = try await program.run(
        ["auth", "status", "--format", "json"], adding: ["PATH": folder.path("bin")])
      let host = try status.json()["hosts"]?[0]
      #expect(
        host?["tried"]?.array.compactMap(\.string) == ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"])
      let skipped = host?["skipped"]?.array ?? []
      #expect(skipped.compactMap { $0["source"]?.string } == ["gh auth token", "git credential fill"])
      #expect(skipped.allSatisfy { $0["reason"]?.string?.contains("127.0.0.1:\(server.port)") == true })
      #expect(!FileManager.default.fileExists(atPath: folder.path("started")))
    }
  }

  /// `auth status` tests the token with one request, and never shows it.
  @Test func theTokenIsTested() async throws {
    let github = FakeGitHub(repositories: matching(3)) { $0.requiredToken = Self.secret }
    try await withProgram(github) { program, server in
      func status(_ token: String, requests: Int = 1) async throws -> (ProcessResult, JSON?) {
        server.forgetRequests()
        let result = try await program.run(
          ["auth", "status", "--format", "json"], adding: ["GH_ENTERPRISE_TOKEN": token])
        #expect(server.requests.count == requests && !(result.out + result.err).contains(token))
        return (result, try result.json()["hosts"]?[0])
      }
      let (good, account) = try await status(Self.secret)
      #expect(good.status == 0 && good.err == "")
      #expect(account?["valid"]?.bool == true && account?["login"]?.string == "octocat")
      #expect(account?["scopes"]?.array.compactMap(\.string) == ["repo", "read:org"])
      github.update { $0.scopes = nil }
      let (fineGrained, other) = try await status(Self.secret)
      #expect(fineGrained.status == 0 && other?["valid"]?.bool == true && other?["scopes"] == nil)
      // However often it is refused, each time it is asked anew.
      for _ in 0..<2 {
        let (refused, entry) = try await status("wr0ng")
        #expect(refused.status == 4 && entry?["valid"]?.bool == false && entry?["login"] == nil)
        #expect(expectMessages(refused).first?.contains("GH_ENTERPRISE_TOKEN") == true)
      }
      github.fail(.serverError)
      // A fault of the server may be gone at once.
      let (unknown, entry) = try await status(Self.secret, requests: 2)
      #expect(unknown.status == 4 && entry?["valid"] == nil && expectMessages(unknown).count == 1)
    }
  }

  /// A server that repeats the token in its answer does not get it onto the screen.
  @Test func aRepeatedTokenIsNotShown() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(
      .custom(.json(status: 401, body: #"{"message": "no: Bearer \#(Self.secret)"}"#)), path: "/user")
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": Self.secret]) { program, _ in
      for arguments in [["auth", "status"], ["auth", "status", "--format", "json"], ["doctor"]] {
        let result = try await program.run(arguments)
        #expect(result.status == 4 && !(result.out + result.err).contains(Self.secret))
      }
    }
  }

  @Test func helpersAreAskedInOrder() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      try program.letHelpersKnow(server)
      let folder = program.home.directory
      try folder.write("bin/gh", "#!/bin/sh\necho token-of-gh\n", mode: 0o755)
      try folder.write("bin/git", "#!/bin/sh\necho password=token-of-git\n", mode: 0o755)
      let both = try await program.run(["search", "match", "-v"], adding: ["PATH": folder.path("bin")])
      #expect(!both.err.contains("token-of"))
      #expect(server.requests.last?.header("authorization") == "Bearer token-of-gh")
      try FileManager.default.removeItem(atPath: folder.path("bin/gh"))
      _ = try await program.run(["search", "match"], adding: ["PATH": folder.path("bin")])
      #expect(server.requests.last?.header("authorization") == "Bearer token-of-git")
    }
  }

  /// A helper may end before it has read what is written to it; that this goes well may be luck once, so it
  /// is tried often.
  @Test(arguments: ["echo password=token-of-git", "exit 1", "echo nothing", "kill -9 $$"])
  func helpersThatDoNotListen(_ command: String) async throws {
    try await withProgram(FakeGitHub()) { program, server in
      try program.letHelpersKnow(server)
      let folder = program.home.directory
      for name in ["gh", "git"] where name == "git" || !command.hasPrefix("echo") {
        try folder.write("bin/\(name)", "#!/bin/sh\n\(command)\n", mode: 0o755)
      }
      for _ in 0..<8 {
        let result = try await program.run(["auth", "status"], adding: ["PATH": folder.path("bin")])
        #expect(result.status == 0)
        #expect(
          result.out.contains(command.contains("password") ? "\tgit credential fill\tvalid\t" : "\t\t\t"))
      }
    }
  }

  /// A value that is no token is told by every command that would use it, once.
  @Test func aVariableThatIsNotAToken() async throws {
    let variable = ["GH_ENTERPRISE_TOKEN": "Bearer \(Self.secret)"]
    try await withProgram(FakeGitHub(repositories: matching(3)), adding: variable) { program, server in
      let fault = "GH_ENTERPRISE_TOKEN is not a token: it has spaces or characters that are not ASCII"
      let hint = "set GH_ENTERPRISE_TOKEN to the token alone, without a word such as Bearer"
      for (arguments, status) in [
        (["search", "match"], 0), (["search", "match", "-k", "code", "-p", "github"], 4), (["stars"], 4),
        (["star", "owner/none"], 4), (["auth", "status"], 0),
      ] as [([String], Int32)] {
        let result = try await program.run(arguments)
        #expect(result.status == status, "\(arguments): \(result)")
        let lines = result.err.split(separator: "\n")
        #expect(lines.count { $0 == "forage: " + fault } == 1, "\(arguments): \(result.err)")
        #expect(lines.contains("hint: " + hint), "\(arguments): \(result.err)")
        #expect(!(result.out + result.err).contains(Self.secret), "\(arguments)")
        if status == 4 {
          #expect(lines.contains { $0.hasSuffix("requires a token, and GH_ENTERPRISE_TOKEN is not a token") })
        }
      }
      #expect(server.requests.allSatisfy { $0.header("authorization") == nil })
    }
  }

  /// A credential helper that does not answer is told, and its name by the doctor.
  @Test func aHelperThatHangs() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      try program.letHelpersKnow(server)
      let folder = program.home.directory
      try folder.write("bin/git", "#!/bin/sh\n/bin/sleep 60\n", mode: 0o755)
      let fault =
        "git credential fill did not answer within 3 s; it asked the credential helper store of "
        + folder.path("home/.gitconfig")
      let hint = "check that the program answers, or set GH_ENTERPRISE_TOKEN"
      let found = try await program.run(["search", "match"], adding: ["PATH": folder.path("bin")])
      #expect(found.status == 0 && found.err.hasPrefix("forage: \(fault)\nhint: \(hint)"), "\(found)")
      let told = try await program.run(["doctor"], adding: ["PATH": folder.path("bin")])
      #expect(told.status == 0 && told.err == "", "\(told)")
      #expect(told.out.contains("token\twarning\t\(fault)\t\(hint)"))
      #expect(!told.out.replacing("token\twarning\t" + fault, with: "").contains(fault), "\(told)")
    }
  }

  /// A credential helper cannot ask on the terminal, which may be that of a program that speaks to `forage
  /// mcp`.
  @Test func aHelperThatAsks() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      try program.letHelpersKnow(server)
      let folder = program.home.directory
      try folder.write(
        "bin/git",
        "#!/bin/sh\necho 'Password:' >/dev/tty && read -r word </dev/tty && echo \"password=$word\"\n",
        mode: 0o755)
      let result = try await program.runScript(
        "PATH='\(folder.path("bin"))' $forage search match; echo \"status $?\"")
      #expect(result.out.contains("status 0") && !result.out.contains("Password:"), "\(result)")
      #expect(!(result.out + result.err).contains("did not answer"), "\(result)")
      #expect(server.requests.count == 1)
    }
  }

  @Test func credentialsOfRemotesAreNeverShown() async throws {
    let known = FakeRepository(id: 1, fullName: "owner/private-thing", description: "thing")
    try await withProgram(FakeGitHub(repositories: [known])) { program, _ in
      let clone = try await program.makeClone(
        "owner/private-thing", remote: "https://user:\(Self.secret)@github.com/owner/private-thing.git")
      try await clone.git(["remote", "add", "other", "https://\(Self.secret)@example.org/x/y.git"])
      try await clone.git(["remote", "set-url", "--push", "origin", "ssh://u:\(Self.secret)@example.org/x"])
      try await program.addClones()
      for arguments in [
        ["inspect", clone.path], ["show", clone.path], ["show", "owner/private-thing"], ["clones", "list"],
        ["search", "thing"], ["search", "thing", "-p", "local"], ["doctor"], ["clones", "scan"],
      ] {
        for format in ["table", "tsv", "json", "ndjson"] {
          let formatting = arguments == ["clones", "scan"] ? [] : ["--format", format]
          let result = try await program.run(arguments + formatting + ["-v"])
          #expect(result.status == 0, "\(arguments): \(result.err)")
          #expect(!result.out.contains(Self.secret), "\(arguments) \(format)")
          #expect(!result.err.contains(Self.secret), "\(arguments) \(format)")
        }
      }
      // Nor is it written down.
      let names = try expectNotWritten(Self.secret, below: program.home.data)
      #expect(names.contains { $0.hasSuffix("forage.db") })
    }
  }

  /// Looks for a secret in all files of a folder, and returns their names.
  @discardableResult
  private func expectNotWritten(_ secret: String, below folder: URL) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for name in names {
      let bytes = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data()
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
    }
    return names
  }

  @Test func verboseTellsEachRequestWithoutSecrets() async throws {
    try await withProgram(FakeGitHub(repositories: matching(150))) { program, server in
      let result = try await program.run(["search", "match", "-p", "github", "-L", "150", "-v"])
      let lines = result.err.split(separator: "\n").filter {
        $0.hasPrefix("forage: GET http://127.0.0.1:\(server.port)/")
      }
      #expect(lines.count == 2)
      #expect(lines.allSatisfy { $0.contains(" 200, ") })
      let quiet = try await program.run(["search", "match", "-p", "github", "-L", "150"])
      #expect(quiet.err == "")
      #expect(quiet.out == result.out)
    }
  }
}
