import Foundation
import TestSupport
import Testing

/// Several hosts at once: each gets its own requests and its own token.
struct HostTests {
  private static let secret = "t0psecret"

  /// A forge whose repositories are its own.
  private func forge(_ name: String, count: Int = 3) -> FakeGitHub {
    FakeGitHub(repositories: matching(count)) { $0.web = "https://\(name).example" }
  }

  /// A program with the first forge as `github` and the others under their ids.
  private func withHosts<Result>(
    _ forges: [(id: String, forge: FakeGitHub)], secrets: [String: String] = [:],
    adding extra: [String: String] = [:], main: String? = nil,
    _ body: (Program, [LoopbackServer]) async throws -> Result
  ) async throws -> Result {
    try await withServers(forges.map(\.forge.handler)) { servers in
      let program = try Program(
        servers[0].baseURL, adding: extra.merging(main.map { ["FORAGE_GITHUB_URL": $0] } ?? [:]) { $1 })
      let lines = zip(forges, servers).dropFirst().map { host, server in
        let token = secrets[host.id].map { ", secrets: {token: {env: \($0)}}" } ?? ""
        return "  \(host.id): {type: github, url: \"\(server.baseURL)/api/v3\"\(token)}\n"
      }
      try program.home.writeConfig("forage/config.yaml", "providers:\n" + lines.joined())
      return try await body(program, servers)
    }
  }

  private func authority(_ server: LoopbackServer) -> String { "127.0.0.1:\(server.port)" }

  private func tokens(_ server: LoopbackServer) -> Set<String?> {
    Set(server.requests.map { $0.header("authorization") })
  }

  @Test func everyHostGetsItsOwnToken() async throws {
    let names = ["github", "work", "open"]
    try await withHosts(
      names.map { ($0, forge($0)) }, secrets: ["work": "WORK_TOKEN"],
      adding: [
        "GH_ENTERPRISE_TOKEN": "main-\(Self.secret)", "WORK_TOKEN": "work-\(Self.secret)",
        "GH_TOKEN": "other-\(Self.secret)", "FORAGE_DEBUG": "1",
      ]
    ) { program, servers in
      for arguments in [
        ["search", "match"], ["show", authority(servers[1]) + "/owner/none"], ["doctor"], ["auth", "status"],
        ["providers"],
      ] {
        let result = try await program.run(arguments + ["-v"])
        #expect(!(result.out + result.err).contains(Self.secret), "\(arguments)")
      }
      #expect(tokens(servers[0]) == ["Bearer main-\(Self.secret)"])
      #expect(tokens(servers[1]) == ["Bearer work-\(Self.secret)"])
      #expect(tokens(servers[2]) == [nil])
      let status = try await program.run(["auth", "status", "--format", "json"]).json()
      let hosts = status["hosts"]?.array ?? []
      #expect(hosts.compactMap { $0["host"]?.string } == servers.map(authority))
      #expect(hosts.map { $0["source"]?.string } == ["GH_ENTERPRISE_TOKEN", "WORK_TOKEN", nil])
      #expect(
        hosts.map { $0["withheld"]?.array.compactMap(\.string) } == [nil, nil, ["GH_ENTERPRISE_TOKEN"]])
    }
  }

  /// Of several tokens of a host the first one is sent whose accounts fit what the request is about.
  @Test func aTokenForSomeAccounts() async throws {
    let work = FakeGitHub(
      repositories: [FakeRepository(id: 1, fullName: "acme/app"), FakeRepository(id: 2, fullName: "kim/app")])
    try await withServer(handler: work.handler) { server in
      let program = try Program(adding: ["WORK_TOKEN": "w-\(Self.secret)", "OWN_TOKEN": "o-\(Self.secret)"])
      try program.home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          github: {enabled: false}
          work:
            type: github
            url: "\(server.baseURL)/api/v3"
            secrets: {token: [{env: WORK_TOKEN, owners: [acme, "acme-*"]}, {env: OWN_TOKEN}]}

        """)
      for (arguments, token) in [
        (["search", "app", "repo:acme/app"], "w"), (["search", "app", "user:ACME-labs"], "w"),
        (["search", "app", "user:kim"], "o"), (["search", "app"], "o"),
        (["search", "app", "user:acme OR user:kim"], "o"), (["show", "\(authority(server))/acme/app"], "w"),
        (["star", "\(authority(server))/acme/app"], "w"), (["star", "\(authority(server))/kim/app"], "o"),
      ] {
        let before = server.requests.count
        _ = try await program.run(arguments)
        let sent = Set(server.requests.dropFirst(before).map { $0.header("authorization") })
        #expect(sent == ["Bearer \(token)-\(Self.secret)"], "\(arguments): \(sent)")
      }
      let status = try await program.run(["auth", "status", "--format", "json"]).json()
      #expect(
        (status["hosts"]?.array ?? []).compactMap { $0["source"]?.string } == ["WORK_TOKEN", "OWN_TOKEN"])
      #expect(tokens(server) == ["Bearer w-\(Self.secret)", "Bearer o-\(Self.secret)"])
    }
  }

  /// A value that no header field can hold is named, without being shown.
  @Test func anUnusableTokenIsTold() async throws {
    try await withHosts(
      [("github", forge("github"))], adding: ["GH_ENTERPRISE_TOKEN": "two\n\(Self.secret)"]
    ) { program, servers in
      let result = try await program.run(["auth", "status", "--format", "json"])
      #expect(result.err.contains("GH_ENTERPRISE_TOKEN is not a token") && !result.err.contains(Self.secret))
      let host = try result.json()["hosts"]?.array.first
      #expect(host?["authenticated"] == .bool(false))
      #expect(host?["skipped"]?.array.first?["source"]?.string == "GH_ENTERPRISE_TOKEN")
      #expect(tokens(servers[0]).isSubset(of: [nil]))
    }
  }

  /// With one host beside github.com the enterprise token is that host's; with two it is nobody's.
  @Test(arguments: [1, 2])
  func theEnterpriseTokenIsForOneHost(_ count: Int) async throws {
    let names = ["github"] + ["work", "lab"].prefix(count)
    try await withHosts(
      names.map { ($0, forge($0)) }, adding: ["GH_ENTERPRISE_TOKEN": Self.secret],
      main: "https://api.github.com"
    ) { program, servers in
      let result = try await program.run(
        ["search", "match", "-p", names.dropFirst().joined(separator: ",")])
      #expect(result.status == 0, "\(result.err)")
      for server in servers.dropFirst() {
        #expect(tokens(server) == [count == 1 ? "Bearer " + Self.secret : nil])
      }
    }
  }

  @Test func aRedirectFromOneHostToAnotherIsNotFollowed() async throws {
    let lab = forge("lab")
    try await withServer(handler: lab.handler) { target in
      let work = forge("work")
      work.fail(.redirect(to: target.baseURL + "/api/v3/search/repositories?q=match"))
      try await withHosts(
        [("github", forge("github")), ("work", work)], secrets: ["work": "WORK_TOKEN"],
        adding: ["WORK_TOKEN": Self.secret]
      ) { program, servers in
        let file = program.home.config.appendingPathComponent("forage/config.yaml")
        let settings = try String(contentsOf: file, encoding: .utf8)
        try program.home.writeConfig(
          "forage/config.yaml", settings + "  lab: {type: github, url: \"\(target.baseURL)/api/v3\"}\n")
        let result = try await program.run(["search", "match", "-p", "work,lab", "--format", "json"])
        #expect(result.status == 3)
        let answer = try result.json()
        #expect(answer.provider("work")?["error"]?["code"]?.string == "redirect_refused")
        #expect(answer.provider("lab")?["state"]?.string == "ok")
        #expect(tokens(servers[1]) == ["Bearer " + Self.secret])
        // Its own request only, and without the other's token.
        #expect(target.requests.count == 1)
        #expect(tokens(target) == [nil])
      }
    }
  }

  @Test func helpersSeeNoTokenOfTheSettings() async throws {
    try await withHosts(
      [("github", forge("github")), ("work", forge("work"))], secrets: ["work": "WORK_TOKEN"],
      adding: ["WORK_TOKEN": Self.secret]
    ) { program, servers in
      try program.letHelpersKnow(servers[0])
      let folder = program.home.directory
      for name in ["gh", "git"] {
        try folder.write(
          "bin/\(name)", "#!/bin/sh\n/usr/bin/env >> '\(folder.path("seen"))'\nexit 1\n", mode: 0o755)
      }
      let result = try await program.run(["search", "match"], adding: ["PATH": folder.path("bin")])
      #expect(result.status == 0)
      let seen = try String(contentsOfFile: folder.path("seen"), encoding: .utf8)
      #expect(seen.contains("HOME=") && !seen.contains(Self.secret) && !seen.contains("WORK_TOKEN"))
    }
  }

  @Test func showAsksTheHostOfTheReference() async throws {
    let known = FakeRepository(id: 1, fullName: "owner/thing", description: "thing")
    let forges = ["github", "work"].map { name in
      FakeGitHub(repositories: [known]) { $0.web = "https://\(name).example" }
    }
    try await withHosts(Array(zip(["github", "work"], forges))) { program, servers in
      let cases: [([String], String)] = [
        (["owner/thing"], "github"), (["github.com/owner/thing"], "github"),
        ([authority(servers[1]) + "/owner/thing"], "work"), (["owner/thing", "-p", "work"], "work"),
        (["http://\(authority(servers[1]))/owner/thing/issues"], "work"),
      ]
      for (arguments, name) in cases {
        for server in servers { server.forgetRequests() }
        let result = try await program.run(["show"] + arguments + ["--format", "json", "--no-cache"])
        #expect(result.status == 0, "\(arguments): \(result.err)")
        let answer = try result.json()
        #expect(answer["item"]?["id"]?.string == "\(name).example/owner/thing", "\(arguments)")
        #expect(answer["providers"]?.array.compactMap { $0["id"]?.string } == [name], "\(arguments)")
        #expect(servers[name == "github" ? 1 : 0].requests.isEmpty, "\(arguments)")
      }
    }
  }

  @Test func verbsTellOfEachHost() async throws {
    try await withHosts([("github", forge("github")), ("work", forge("work"))]) { program, servers in
      let list = try await program.run(["providers"])
      // Behind them come the bundled manifests.
      #expect(list.outLines.map { $0.prefix { $0 != "\t" } }.prefix(3) == ["github", "local", "work"])
      let shown = try await program.run(["providers", "show", "work", "--format", "json"])
      #expect(try shown.json()["name"]?.string == "GitHub at " + authority(servers[1]))
      let doctor = try await program.run(["doctor"])
      #expect(doctor.status == 0)
      let checks = doctor.outLines.map { line -> String in
        line.split(separator: "\t").prefix(2).joined(separator: " ")
      }
      #expect(
        checks.filter { $0 != "manifest ok" } == [
          "settings ok", "store ok", "cache ok", "grep warning", "token ok", "github ok", "limit ok",
          "limit ok", "limit ok", "token ok", "work ok", "limit ok", "limit ok", "limit ok",
        ])
      let unknown = try await program.run(["search", "match", "-p", "wrok"])
      #expect(unknown.status == 2 && unknown.err.contains("did you mean work?"))
    }
  }

  @Test func aFailureCountsForWhoWasNamed() async throws {
    let work = forge("work")
    work.fail(.serverError)
    try await withHosts([("github", forge("github")), ("work", work)]) { program, _ in
      let cases: [([String], Int32)] = [
        (["search", "match"], 0), (["search", "match", "-p", "github,work"], 3),
        (["search", "match", "-p", "work"], 4), (["show", "owner/none", "-p", "work"], 4),
      ]
      for (arguments, status) in cases {
        let result = try await program.run(arguments)
        #expect(result.status == status, "\(arguments): \(result.err)")
      }
    }
  }

  /// A variable of the settings that is not set, and one for the host that the environment leads away from.
  @Test func tokensThatAreNotUsed() async throws {
    try await withHosts([("github", forge("github")), ("work", forge("work"))], secrets: ["work": "NOTSET"]) {
      program, _ in
      let search = try await program.run(["search", "match"])
      #expect(search.status == 0 && expectMessages(search).count == 1, "\(search.err)")
      #expect(search.err.contains("work") && search.err.contains("NOTSET is not set"), "\(search.err)")
      #expect(try await program.run(["search", "match", "-p", "github"]).err == "")
      try program.home.writeConfig(
        "forage/config.yaml", "providers:\n  github: {secrets: {token: {env: MYTOK}}}\n")
      let status = try await program.run(
        ["auth", "status", "--format", "json"], adding: ["MYTOK": "my-\(Self.secret)"])
      #expect(try status.json()["hosts"]?[0]?["withheld"]?.array.compactMap(\.string) == ["MYTOK"])
      #expect(!(status.out + status.err).contains(Self.secret))
    }
  }

  /// Two accounts on one server are one voter: what both find scores as if one had found it.
  @Test func oneHostTwiceIsOneVoter() async throws {
    let forge = forge("work")
    try await withGitHub(forge) { server in
      let program = try Program(adding: ["FIRST": "t-first", "SECOND": "t-second"])
      func line(_ id: String, _ variable: String) -> String {
        "  \(id): {type: github, url: \"\(server.baseURL)\", secrets: {token: {env: \(variable)}}}\n"
      }
      try program.home.writeConfig(
        "forage/config.yaml", "providers:\n" + line("first", "FIRST") + line("second", "SECOND"))
      let one = try await program.run(["search", "match", "-p", "first", "--json", "id,score"]).json()
      let both = try await program.run([
        "search", "match", "-p", "first,second", "--json", "id,score,sources",
      ]).json()
      #expect(both.array.map { $0["score"] } == one.array.map { $0["score"] })
      #expect(both.array.allSatisfy { $0["sources"]?.array.count == 2 })
      // Neither account sees what was kept for the other.
      #expect(tokens(server) == ["Bearer t-first", "Bearer t-second"])
    }
  }

  @Test(arguments: ["nonsense", "http://example.org/api/v3", "https://me:t0psecret@example.org"])
  func aWrongAddressFailsItsProviderOnly(_ address: String) async throws {
    let program = try Program(address)
    let clone = try await program.makeClone("owner/match")
    try await program.addClones()
    let all = try await program.run(["search", "match", "--format", "json"])
    #expect(all.status == 0, "\(all.err)")
    let answer = try all.json()
    #expect(answer["complete"] == .bool(false))
    #expect(answer.provider("github")?["state"]?.string == "failed")
    #expect(answer.provider("github")?["error"]?["code"]?.string == "configuration")
    #expect(answer.provider("github")?["error"]?["hint"]?.string?.contains("https://") == true)
    #expect(answer["items"]?.array.count == 1)
    let nothing = try await program.run(["search", "nothinglikethis"])
    #expect(nothing.status == 2 && nothing.out == "", "\(nothing.err)")
    let local = try await program.run(["search", "match", "-p", "local"])
    #expect(local.status == 0 && local.err == "")
    #expect(try await program.run(["search", "match", "-p", "local,github"]).status == 3)
    #expect(try await program.run(["search", "match", "-p", "github"]).status == 2)
    #expect(try await program.run(["show", clone.path]).status == 0)
    #expect(try await program.run(["show", clone.path, "-p", "local"]).err == "")
    #expect(try await program.run(["show", "owner/none"]).status == 2)
    #expect(try await program.run(["favorite", "add", "owner/match"]).status == 0)
    let list = try await program.run(["providers", "--format", "json"])
    #expect(list.status == 0)
    #expect(try list.json().provider("github")?["reason"]?.string?.contains("FORAGE_GITHUB_URL") == true)
    #expect(expectMessages(list).first?.hasPrefix("github: FORAGE_GITHUB_URL") == true)
    let doctor = try await program.run(["doctor"])
    #expect(doctor.status == 2 && doctor.out.contains("github\tproblem\tFORAGE_GITHUB_URL"))
    #expect(try await program.run(["auth", "status"]).status == 2)
    #expect(!(all.out + all.err + list.out + list.err + doctor.out).contains(Self.secret))
  }
}
