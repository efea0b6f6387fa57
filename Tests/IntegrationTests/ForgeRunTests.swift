import Foundation
import TestSupport
import Testing

/// Forges that are described by manifests, with the built program: a GitLab, one below a path, a Gitea.
struct ForgeRunTests {
  private struct World {
    let program: Program
    let servers: [LoopbackServer]
    let forges: [FakeForge]

    /// The host of a server.
    func host(_ index: Int) -> String { "127.0.0.1:\(servers[index].port)" }

    func run(_ arguments: String...) async throws -> ProcessResult { try await program.run(arguments) }
  }

  /// - Parameter secret: The token of the forges.
  private func withForges(
    count: Int = 3, secret: String? = FakeForge.token, _ body: (World) async throws -> Void
  ) async throws {
    let forges = [FakeForge(.gitLab, count: count), FakeForge(.gitLab, folder: "/gitlab"), FakeForge(.gitea)]
    try await withServers(forges.map(\.handler)) { servers in
      let program = try Program(adding: ["PATH": "/usr/bin:/bin", "OUR_TOKEN": secret ?? ""])
      let addresses = zip(servers, ["", "/gitlab", ""]).map { $0.baseURL + $1 }
      try program.home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          github: {enabled: false}
          ours: {type: gitlab, url: "\(addresses[0])", secrets: {token: {env: OUR_TOKEN}}}
          deep: {type: gitlab, url: "\(addresses[1])", secrets: {token: {env: OUR_TOKEN}}}
          tea: {type: gitea, url: "\(addresses[2])", secrets: {token: {env: OUR_TOKEN}}}

        """)
      try await body(World(program: program, servers: servers, forges: forges))
    }
  }

  /// A forge that the settings disable is asked by no command, also where it could answer, unless it is
  /// named.
  @Test func aDisabledForgeIsNotAsked() async throws {
    let github = FakeGitHub(repositories: FakeRepository.sample(count: 3))
    try await withGitHub(github) { server in
      try await withForges { world in
        let usual = "127.0.0.1:\(server.port)"
        func run(_ arguments: String...) async throws -> ProcessResult {
          try await world.program.run(
            arguments, adding: ["FORAGE_GITHUB_URL": server.baseURL, "GITHUB_TOKEN": "t", "GH_TOKEN": "t"])
        }
        // A name without a host may be on each of the others.
        for command in ["star", "unstar", "show", "open", "clone", "favorite add"] {
          let named = command.split(separator: " ").map(String.init) + ["acme/web-shop"]
          let result = try await world.program.run(named, adding: ["FORAGE_GITHUB_URL": server.baseURL])
          #expect(result.status == 2, "\(command) \(result)")
          #expect(
            result.err.contains("acme/web-shop may be on \(world.host(0))")
              && result.err.contains("hint: write HOST/acme/web-shop"), "\(command) \(result)")
        }
        // The one that has the repository is meant, and of several none.
        let one = try await world.program.run(["show", "team/app1"])
        #expect(one.status == 0 && one.out.contains(world.host(2)), "\(one)")
        let several = try await world.program.run(["show", "team/sub/app1"])
        #expect(
          several.status == 2 && several.err.contains("may be on") && several.err.contains(world.host(0))
            && several.err.contains(world.host(1)) && !several.err.contains(world.host(2)), "\(several)")
        for command in ["star", "unstar"] {
          let result = try await run(command, "\(usual)/acme/web-shop")
          #expect(result.status == 2 && result.err.contains("is disabled; nothing was changed"), "\(result)")
        }
        let owner = try await run("clone", "--owner", "\(usual)/acme")
        #expect(
          owner.status == 2 && owner.err.contains("is disabled")
            && owner.err.contains("hint: forage providers enable github"), "\(owner)")
        _ = try await run("clone", "--owner", "acme")
        _ = try await run("show", "\(usual)/acme/web-shop")
        _ = try await run("stars", "--json", "id")
        _ = try await run("stars", "--user", "kim")
        _ = try await run("search", "web")
        _ = try await run("feed", "-k", "issue")
        _ = try await run("doctor")
        _ = try await run("auth", "status")
        #expect(server.requests.isEmpty, "\(server.requests.map(\.target))")
        let named = try await run("search", "-p", "github", "repo", "--json", "name")
        #expect(named.status <= 1 && !server.requests.isEmpty, "\(named)")
      }
    }
  }

  /// `show` asks the forge of a host that is written although it is not enabled, as other commands do, and not
  /// one that is disabled.
  @Test func aForgeOfAWrittenHost() async throws {
    try await withServer(handler: FakeForge(.gitea).handler) { server in
      let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
      func set(_ more: String) throws {
        try program.home.writeConfig(
          "forage/config.yaml", "providers: {codeberg: {url: \"\(server.baseURL)\"\(more)}}\n")
      }
      try set("")
      let name = "127.0.0.1:\(server.port)/team/app1"
      let shown = try await program.run(["show", name, "--json", "id"])
      #expect(shown.status == 0 && shown.out == "{\"id\":\"\(name)\"}\n", "\(shown)")
      let file = try await program.run(["show", name + ":src/größe/a b.txt"])
      #expect(file.status == 0, "\(file)")
      let count = server.requests.count
      try set(", enabled: false")
      let host = "127.0.0.1:\(server.port)"
      for arguments in [
        ["show", name], ["show", name + ":src/größe/a b.txt"], ["show", name + "#1"],
        ["clone", "--owner", host + "/team"], ["star", name],
      ] {
        let disabled = try await program.run(arguments)
        let change = arguments[0] == "star" ? "; nothing was changed" : ""
        let message = "forage: codeberg, the forge of \(host), is disabled\(change)\n"
        #expect(disabled.status == 2 && server.requests.count == count, "\(disabled)")
        #expect(disabled.err == message + "hint: forage providers enable codeberg\n", "\(disabled)")
      }
    }
  }

  /// A repository of Bitbucket Data Center has one id, however its project is written.
  @Test func projectsOfBitbucketDataCenter() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    try program.home.writeConfig(
      "forage/config.yaml",
      """
      providers:
        github: {enabled: false}
        bb: {type: bitbucket-server, url: "https://bb.example/git", enabled: true, secrets: {token: {env: BB}}}

      """)
    let page = "https://bb.example/git/projects/ACME/repos/engine"
    for name in ["ACME/engine", "bb.example/Acme/engine", page] {
      let result = try await program.run(["favorite", "add", name])
      #expect(result.status == 0, "\(result)")
    }
    let list = try await program.run(["favorite", "list", "--json", "id"])
    #expect(list.out == #"[{"id":"bb.example/acme/engine"}]"# + "\n", "\(list)")
    // Its API has no account, which is no fault of the token.
    let tokens = try await program.run(["auth", "status"], adding: ["BB": "t0psecret"])
    #expect(tokens.status == 0 && tokens.out.contains("bb.example\tBB\tunknown"), "\(tokens)")
    #expect(tokens.err.contains("the token for bb.example cannot be tested"), "\(tokens)")
  }

  /// What follows owner and name in an address of Gitea is a page of the repository.
  @Test func pagesOfGitea() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    try program.home.writeConfig(
      "forage/config.yaml",
      """
      providers:
        github: {enabled: false}
        tea: {type: gitea, url: "https://tea.example/git", enabled: true}

      """)
    for page in ["", "/src/branch/next", "/releases", "/issues", "/wiki/Home"] {
      let result = try await program.run(["favorite", "add", "https://tea.example/git/acme/engine" + page])
      #expect(result.status == 0, "\(result)")
    }
    let list = try await program.run(["favorite", "list", "--json", "id"])
    #expect(list.out == #"[{"id":"tea.example/acme/engine"}]"# + "\n", "\(list)")
  }

  /// Where nothing can be starred the hosts of every forge with stars are named: the same of a host without a
  /// forge and of a forge without stars, wherever it is named.
  @Test(arguments: [
    ["star", "elsewhere.example/o/n"], ["star", "bitbucket.org/o/n"], ["unstar", "bitbucket.org/o/n"],
    ["stars", "-p", "bitbucket"], ["stars", "-p", "bitbucket", "--user", "kim"],
    ["clone", "--stars", "-p", "bitbucket"],
  ])
  func hostsWithStars(_ arguments: [String]) async throws {
    let program = try Program("", adding: ["PATH": "/usr/bin:/bin"])
    try program.home.writeConfig(
      "forage/config.yaml",
      """
      providers:
        gitlab: {enabled: true}
        bitbucket: {enabled: true}
        tea: {type: gitea, url: "https://tea.example"}

      """)
    let result = try await program.run(arguments)
    let host = arguments.contains("bitbucket") ? "bitbucket.org" : "\(arguments[1].prefix { $0 != "/" })"
    let change = arguments[0].hasSuffix("star") ? "; nothing was changed" : ""
    let hint = "hint: stars can be given on github.com, gitlab.com, tea.example\n"
    #expect(result.status == 2, "\(result)")
    #expect(result.err == "forage: nothing can be starred on \(host)\(change)\n" + hint, "\(result)")
  }

  /// Where every forge with stars is disabled, the usual one is named.
  @Test func noHostWithStars() async throws {
    let program = try Program("")
    try program.home.writeConfig(
      "forage/config.yaml", "providers: {github: {enabled: false}, bitbucket: {enabled: true}}\n")
    for arguments in [["stars"], ["stars", "--user", "kim"], ["star", "bitbucket.org/o/n"]] {
      let result = try await program.run(arguments)
      #expect(
        result.status == 2 && result.err.hasPrefix("forage: nothing can be starred on bitbucket.org")
          && result.err.hasSuffix("\nhint: forage providers enable github\n"), "\(result)")
    }
  }

  /// Stars of several forges are one list, and marks in others.
  @Test func stars() async throws {
    try await withForges { world in
      let (first, deep, tea) = (world.host(0), world.host(1), world.host(2))
      let given = try await world.run(
        "star", first + "/team/sub/app2", "http://\(deep)/gitlab/team/sub/app1", tea + "/team/app3")
      #expect(
        given.out
          == "starred \(first)/team/sub/app2\nstarred \(deep)/team/sub/app1\nstarred \(tea)/team/app3\n",
        "\(given)")
      #expect(world.forges.map(\.starred) == [["team/sub/app2"], ["team/sub/app1"], ["team/app3"]])
      let list = try await world.run("stars", "--json", "id,starred").json().array
      #expect(
        Set(list.compactMap { $0["id"]?.string })
          == [first + "/team/sub/app2", deep + "/team/sub/app1", tea + "/team/app3"])
      #expect(list.allSatisfy { $0["starred"]?.bool == true })
      let marked = try await world.run("search", "app", "-p", "tea", "--json", "name,starred").json().array
      #expect(
        marked.first { $0["name"]?.string == "app3" }?["starred"]?.bool == true, "\(marked)")
      // What was starred since the list was read is in the next one, and keeps its mark.
      _ = try await world.run("star", tea + "/team/app1")
      #expect(try await world.run("stars", "-p", "tea", "--json", "name").json().array.count == 2)
      let again = try await world.run("search", "app", "-p", "tea", "--json", "name,starred").json().array
      #expect(again.map { $0["starred"]?.bool ?? false } == [true, false, true], "\(again)")
      _ = try await world.run("unstar", tea + "/team/app1")
      let back = try await world.run("unstar", tea + "/team/app3")
      #expect(back.status == 0 && world.forges[2].starred.isEmpty)
      let others = try await world.run("stars", "-p", "ours", "--user", "kim", "--json", "id")
      #expect(others.out == "[{\"id\":\"\(first)/team/sub/app2\"}]\n", "\(others)")
      let none = try await world.run("stars", "-p", "npm")
      #expect(none.status == 2 && none.err.contains("there is: github, ours, deep, tea"), "\(none.err)")
    }
  }

  /// A name without a host is searched in at each forge; those without the repository say so only where none
  /// has it, or the user named them.
  @Test func repositoryOfOneForge() async throws {
    try await withForges { world in
      let found = try await world.run("search", "-k", "issue", "repo:team/app1 wait", "-L", "1")
      #expect(found.status == 0 && found.outLines.count == 1 && found.err.isEmpty, "\(found)")
      let nothing = try await world.run("search", "-k", "issue", "repo:team/app1 nowhere")
      #expect(nothing.status == 1 && !nothing.err.contains("to search in"), "\(nothing)")
      #expect(nothing.err.contains("only deep, ours, tea was asked"), "\(nothing)")
      let document = try await world.run(
        "search", "-k", "issue", "repo:team/app1 nowhere", "--format", "json"
      )
      .json()
      let states = document["providers"]?.array.filter { ["ours", "deep"].contains($0["id"]?.string) }
      #expect(states?.map { $0["state"]?.string } == ["skipped", "skipped"], "\(document)")
      let named = try await world.run("search", "-k", "issue", "repo:team/app1 wait", "-p", "ours,tea")
      #expect(named.status == 3 && named.err.contains("has no team/app1 to search in"), "\(named)")
      // Of a list that goes on in parts they stay out.
      let first = try await world.run(
        "search", "-k", "issue", "repo:team/app1 wait", "-L", "2", "--format", "json"
      )
      .json()
      #expect(first["complete"]?.bool == true && first["items"]?.array.count == 2, "\(first)")
      let missing = try await world.run("search", "-k", "issue", "repo:team/none wait")
      #expect(missing.status == 4 && missing.err.contains("has no team/none to search in"), "\(missing)")
    }
  }

  /// A port belongs to HTTP, so that git cannot be told to use SSH by the name alone.
  @Test func cloningWithoutAnAddressForSSH() async throws {
    try await withForges { world in
      let host = world.host(2)
      try world.program.home.writeConfig("forage/config.yaml", "clones: {protocol: ssh}\n")
      let result = try await world.run("clone", host + "/team/app1", "--yes")
      let warning = "no address for SSH is known at \(host); git uses HTTPS"
      #expect(result.status != 0 && result.err.contains(warning), "\(result)")
    }
  }

  /// Each token is tested at its own forge, and is shown nowhere.
  @Test func tokens() async throws {
    try await withForges { world in
      let status = try await world.run("auth", "status", "--format", "tsv", "-v")
      let rows = status.outLines.map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      #expect(rows.map(\.first).dropFirst() == [world.host(0), world.host(1), world.host(2)])
      #expect(rows.dropFirst().allSatisfy { Array($0[1...3]) == ["OUR_TOKEN", "valid", "kim"] }, "\(rows)")
      #expect(!(status.out + status.err).contains(FakeForge.token))
      let doctor = try await world.run("doctor", "--format", "json")
      #expect(doctor.status == 0 && doctor.out.contains("account kim"), "\(doctor)")
      #expect(!doctor.out.contains("scopes"))
    }
    try await withForges(secret: "t0p-another") { world in
      let status = try await world.run("auth", "status")
      #expect(status.status == 4 && status.err.contains("GitLab (ours) refused the secret"), "\(status)")
      #expect(try await world.run("doctor").status == 4)
    }
    try await withForges(secret: nil) { world in
      let star = try await world.run("star", world.host(0) + "/team/sub/app1")
      #expect(star.status == 4 && star.err.contains("hint: set OUR_TOKEN\n"), "\(star.err)")
      #expect(world.servers[0].requests.isEmpty)
    }
  }

  /// A validation reads what a forge has for its secret, and changes nothing.
  @Test(arguments: [(FakeForge.token, true), ("t0p-another", false)])
  func validation(_ secret: String, _ isFine: Bool) async throws {
    try await withServer(handler: FakeForge(.gitea).handler) { server in
      let program = try Program(adding: ["OUR_TOKEN": secret])
      try program.home.writeConfig(
        "forage/config.yaml",
        "providers: {codeberg: {url: \"\(server.baseURL)\", secrets: {token: {env: OUR_TOKEN}}}}\n")
      let star = try await program.run(["star", "127.0.0.1:\(server.port)/team/app1"])
      #expect((star.status == 0) == isFine)
      let before = server.requests.count
      let result = try await program.run(["plugin", "validate", "codeberg", "-w", "app", "-v"])
      #expect(result.out.contains(isFine ? "passed  forge" : "FAILED  forge"), "\(result.out)")
      let requests = server.requests.dropFirst(before)
      #expect(requests.allSatisfy { $0.method == "GET" })
      let files = ["", "/README.md"].map { "/api/v1/repos/team/app1/contents" + $0 }
      #expect(
        Set(requests.map(\.path)).isSuperset(
          of: ["/api/v1/user", "/api/v1/user/starred"] + (isFine ? files : [])))
    }
  }

  /// The variable of GitLab's own program is for the host that it says, and for no other.
  @Test func theTokenOfAnotherProgram() async throws {
    let forge = FakeForge(.gitLab)
    try await withServer(handler: forge.handler) { server in
      for (host, isSent) in [
        ("127.0.0.1:\(server.port)", true), (server.baseURL, true), ("gitlab.example", false), ("", false),
      ] {
        let program = try Program(adding: ["GITLAB_TOKEN": FakeForge.token, "GITLAB_HOST": host])
        try program.home.writeConfig(
          "forage/config.yaml", "providers: {ours: {type: gitlab, url: \"\(server.baseURL)\"}}\n")
        let before = server.requests.count
        let result = try await program.run(["search", "app1", "-p", "ours", "-v"])
        #expect(result.status == 0 && !(result.out + result.err).contains(FakeForge.token))
        let sent = Set(server.requests.dropFirst(before).map { $0.header("private-token") })
        #expect(sent == [isSent ? FakeForge.token : nil], "\(host)")
      }
    }
  }

  /// What is no token is one for no forge, and for the same reason.
  @Test(arguments: ["a b", "größe"]) func aVariableThatIsNoToken(_ value: String) async throws {
    try await withServer(handler: FakeForge(.gitLab).handler) { server in
      let host = "127.0.0.1:\(server.port)"
      let program = try Program(adding: ["GITLAB_TOKEN": value, "GITLAB_HOST": host])
      try program.home.writeConfig(
        "forage/config.yaml", "providers: {ours: {type: gitlab, url: \"\(server.baseURL)\"}}\n")
      for arguments in [["search", "app1", "-p", "ours"], ["auth", "status"]] {
        let result = try await program.run(arguments)
        #expect(
          result.err.contains("GITLAB_TOKEN is not a token: it has spaces or characters that are not ASCII")
            && result.err.contains("hint: set GITLAB_TOKEN to the token alone"), "\(arguments) \(result)")
      }
      #expect(server.requests.allSatisfy { $0.header("private-token") == nil })
    }
  }

  /// What git's credential helpers know is used where the settings name no secret, and left out where the
  /// forge refuses it.
  @Test(arguments: [true, false]) func credentialHelpers(_ isRight: Bool) async throws {
    let password = isRight ? FakeForge.token : "my-passw0rd"
    try await withForges { world in
      let hosts = [world.host(0), world.host(2)]
      try world.program.home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          github: {enabled: false}
          ours: {type: gitlab, url: "http://\(hosts[0])"}
          tea: {type: gitea, url: "http://\(hosts[1])"}

        """)
      let directory = world.program.home.directory
      try directory.write(
        "passwords", hosts.map { "http://kim:\(password)@\($0)\n" }.joined())
      try directory.write(
        "gitconfig", "[credential]\n\thelper = store --file=\(directory.path("passwords"))\n")
      func run(_ arguments: String...) async throws -> ProcessResult {
        try await world.program.run(arguments, adding: ["GIT_CONFIG_GLOBAL": directory.path("gitconfig")])
      }
      let found = try await run("search", "app2", "-p", "ours,tea", "-vv", "--json", "name")
      #expect(found.status == 0 && found.out == "[{\"name\":\"app2\"},{\"name\":\"app2\"}]\n", "\(found)")
      let sent = [0, 2].map { index in
        world.servers[index].requests.map { String($0.header("authorization")?.prefix(7) ?? "none") }
      }
      let rest = isRight ? [] : ["none"]
      #expect(sent == [["Bearer "] + rest, ["Basic a"] + rest])
      let status = try await run("auth", "status", "--format", "tsv")
      #expect(status.status == 0, "\(status)")
      #expect(
        status.out.components(separatedBy: "\tgit credential fill\tvalid\tkim").count == (isRight ? 3 : 1))
      let doctor = try await run("doctor")
      #expect(doctor.status == 0 && doctor.out.contains("its API refuses") == !isRight, "\(doctor.out)")
      let star = try await run("star", hosts[0] + "/team/sub/app2")
      #expect(star.status == (isRight ? 0 : 4), "\(star)")
      #expect(isRight || star.err.contains("refused what git's credential helpers have"), "\(star.err)")
      for result in [found, status, doctor, star] {
        #expect(!(result.out + result.err).contains(password))
      }
      guard isRight else { return }
      // The only star is taken back elsewhere: an empty list takes its mark away.
      #expect(try await run("stars", "-p", "ours", "--json", "name").json().array.count == 1)
      func starred() async throws -> Bool? {
        let found = try await run("search", "app2", "-p", "ours", "--json", "starred", "--no-cache").json()
        return found.array.first?["starred"]?.bool
      }
      #expect(try await starred() == true)
      world.forges[0].unstarAll()
      #expect(try await run("stars", "-p", "ours", "--json", "name", "--no-cache").out == "[]\n")
      #expect(try await starred() != true)
    }
  }

  /// Of several tokens the first one is sent whose groups fit, with their subgroups.
  @Test func aTokenForSomeGroups() async throws {
    let forge = FakeForge(.gitLab)
    try await withServer(handler: forge.handler) { server in
      let program = try Program(adding: ["A_TOKEN": FakeForge.token, "B_TOKEN": "another-token"])
      try program.home.writeConfig(
        "forage/config.yaml",
        "providers: {ours: {type: gitlab, url: \"\(server.baseURL)\", secrets: {token: [{env: A_TOKEN, owners: team}, {env: B_TOKEN, owners: [else]}]}}}\n"
      )
      let host = "127.0.0.1:\(server.port)"
      let star = try await program.run(["star", host + "/team/sub/app1"])
      #expect(star.status == 0 && forge.starred == ["team/sub/app1"], "\(star)")
      // The account counts, also where it is no part of what is sent.
      _ = try await program.run(["search", "app1 owner:team", "-p", "ours"])
      #expect(server.requests.last?.header("private-token") == FakeForge.token)
      // Without an account none of them is meant.
      let search = try await program.run(["search", "app1", "-p", "ours"])
      #expect(search.status == 0 && server.requests.last?.header("private-token") == nil, "\(search)")
      let status = try await program.run(["auth", "status", "--format", "tsv"])
      let rows = status.outLines.dropFirst().map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      #expect(rows.map { Array($0[1...2]) } == [["A_TOKEN", "valid"], ["B_TOKEN", "refused"]], "\(rows)")
    }
  }

  /// One list of issues of three forges; one after the other hangs, limits, refuses or fails, and the others
  /// are there, whole and in time.
  @Test(arguments: ["none", "hangs", "limits", "refuses", "fails"]) func issuesOfSeveral(_ fault: String)
    async throws
  {
    let github = FakeGitHub.world(count: 40)
    let handlers = [
      github.handler, FakeForge(.gitLab, count: 40).handler, FakeForge(.gitea, count: 40).handler,
    ]
    let names = ["github", "ours", "tea"]
    for place in fault == "none" ? [0] : [0, 1, 2] {
      let isFaulty: (Int) -> Bool = { fault != "none" && $0 == place }
      let wrapped = handlers.indices.map { index -> LoopbackServer.Handler in
        guard isFaulty(index) else { return handlers[index] }
        return { _ in
          switch fault {
          case "hangs": .hang
          case "limits":
            .json(status: 429, headers: [("Retry-After", "3000")], body: #"{"message":"slow down"}"#)
          case "refuses": .json(status: 403, body: #"{"message":"forbidden here"}"#)
          default: .status(500)
          }
        }
      }
      try await withServers(wrapped) { servers in
        let program = try Program(servers[0].baseURL)
        try program.home.writeConfig(
          "forage/config.yaml",
          """
          providers:
            ours: {type: gitlab, url: "\(servers[1].baseURL)"}
            tea: {type: gitea, url: "\(servers[2].baseURL)"}

          """)
        let start = ContinuousClock.now
        let result = try await program.run(
          ["search", "-k", "issue", "for", "-L", "160", "--format", "json", "--timeout", "3"])
        #expect(ContinuousClock.now - start < .seconds(20))
        let list = try result.json()
        let sources =
          list["items"]?.array.flatMap { $0["sources"]?.array.compactMap { $0["provider"]?.string } ?? [] }
          ?? []
        let found = Dictionary(grouping: sources) { $0 }.mapValues(\.count)
        // GitLab has as many merge requests.
        for (index, count) in [40, 80, 40].enumerated() {
          #expect(found[names[index]] ?? 0 == (isFaulty(index) ? 0 : count), "\(fault) \(place): \(found)")
        }
        #expect(list["complete"]?.bool == (fault == "none") && result.status == 0, "\(fault) \(place)")
        #expect(result.err.contains("forage: \(names[place]): ") == (fault != "none"), "\(result.err)")
      }
    }
  }

  /// Repositories and issues of other forges have the parts that GitHub's have; a web address of a server
  /// below a path is understood.
  @Test func details() async throws {
    try await withForges { world in
      for name in [world.host(0) + "/team/sub/app2", "http://\(world.host(1))/gitlab/team/sub/app2"] {
        let shown = try await world.run("show", name, "--json", "id,languages,readme,latestRelease,url")
          .json()
        #expect(shown["languages"]?.array.first?["name"]?.string == "Ruby")
        #expect(shown["readme"]?.string == "# Größe\n" && shown["latestRelease"]?["tag"]?.string == "v1")
        #expect(shown["id"]?.string?.hasSuffix("/team/sub/app2") == true)
        #expect(shown["id"]?.string?.contains("gitlab") == false)
      }
      let page = try await world.run("show", world.host(2) + "/team/app1#4", "--comments", "2")
      #expect(
        page.out.contains("note 4") && page.out.contains("note 5") && !page.out.contains("note 3"), "\(page)")
    }
  }

  /// All repositories of a group with its subgroups are cloned, over several pages, also from a server below
  /// a path.
  @Test func cloneOfAnOwner() async throws {
    try await withForges(count: 82) { world in
      let asked = try await world.run("clone", "--owner", world.host(0) + "/team")
      #expect(
        asked.status == 2 && asked.err.contains("82 of 82 repositories of \(world.host(0))/team"),
        "\(asked.err)")
      for (arguments, count) in [
        (["--owner", "team/sub", "-p", "ours"], 82), (["--owner", world.host(0) + "/team/sub/"], 82),
        (["--owner", "http://\(world.host(1))/gitlab/team"], 3),
        (["--owner", world.host(1) + "/gitlab/team"], 3),
        (["--owner", world.host(1) + "/team", "-p", "deep"], 3),
      ] {
        let result = try await world.program.run(["clone"] + arguments)
        #expect(result.err.contains("\(count) of \(count) repositories of"), "\(arguments): \(result.err)")
      }
      let named = try await world.run("clone", "--owner", "team", "-p", "tea")
      #expect(named.status == 2 && named.err.contains("3 of 3 repositories of team"), "\(named.err)")
      for arguments in [
        ["o/n", "-p", "tea"], ["--owner", "x", "-p", "npm"], ["--owner", "x", "-p", "nobody"],
      ] {
        let wrong = try await world.program.run(["clone"] + arguments)
        #expect(wrong.status == 2 && wrong.err.contains("\nhint: "), "\(wrong.err)")
      }
      let none = try await world.run("clone", "--owner", world.host(2) + "/nobody", "--yes")
      #expect(none.err.contains("has no account \"nobody\""), "\(none.err)")
      let unknown = try await world.run("clone", "--owner", "nowhere.example/team", "--yes")
      #expect(
        unknown.status == 2 && unknown.err.contains("nowhere.example is the host of no forge"),
        "\(unknown.err)")
    }
  }

  /// A clone of a project on a server below a path is that project; `repo:.` asks its server alone.
  @Test func clonesOfAServerBelowAPath() async throws {
    try await withForges { world in
      let clone = try await world.program.makeClone("elsewhere/x")
      try await clone.git("remote set-url origin http://\(world.host(1))/gitlab/team/sub/app2.git")
      try await world.program.addClones()
      let merged = try await world.run("search", "app2", "-p", "deep,local", "--json", "id,path,sources")
        .json().array
      let found = try #require(merged.first { $0["id"]?.string == world.host(1) + "/team/sub/app2" })
      #expect(found["path"]?.string == clone.path && found["sources"]?.array.count == 2, "\(found)")
      let page = "http://\(world.host(1))/gitlab/team/sub/app2"
      for (reference, address) in [
        (clone.path, page), (world.host(2) + "/team/app1:a.c:7", "/team/app1/src/commit/HEAD/a.c#L7"),
        (world.host(1) + "/team/sub/app2#7", page + "/-/issues/7"),
        (world.host(1) + "/team/sub/app2!7", page + "/-/merge_requests/7"),
        (world.host(2) + "/team/app1!7", "http://\(world.host(2))/team/app1/pulls/7"),
      ] {
        let opened = try await world.run("open", reference)
        #expect((opened.out + opened.err).contains(address + "\n"), "\(reference): \(opened)")
      }
      let listed = try await world.run("search", "app2", "-p", "local", "--json", "url").json().array
      #expect(listed.first?["url"]?.string == page)
      // A name without a host is one of the forge that is asked.
      let shown = try await world.run("show", "team/sub/app2#4", "-p", "deep", "--json", "id").json()
      #expect(shown["id"]?.string == world.host(1) + "/team/sub/app2#4")
      let unclear = try await world.run("open", "team/sub/app2#4")
      #expect(unclear.status == 2 && unclear.err.contains("hint: write HOST/team/sub/app2#4"), "\(unclear)")
    }
  }

  /// Where no forge searches code, those of several repositories that have no clone are named.
  @Test func codeWithoutAClone() async throws {
    try await withServers([FakeForge(.gitea).handler]) { servers in
      let program = try Program()
      try program.home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          github: {enabled: false}
          tea: {type: gitea, url: "\(servers[0].baseURL)"}

        """)
      _ = try await program.makeClone(
        "team/app1", files: ["narwhal.txt": "narwhal\n"], remote: servers[0].baseURL + "/team/app1.git")
      try await program.addClones()
      func found(_ query: String) async throws -> (complete: Bool?, count: Int?, err: String) {
        let result = try await program.run(["search", "-k", "code", query, "--format", "json"])
        let document = try result.json()
        return (document["complete"]?.bool, document["items"]?.array.count, result.err)
      }
      let whole = try await found("narwhal repo:team/app1")
      #expect(whole.complete == true && whole.count == 1 && !whole.err.contains("clone"), "\(whole)")
      let part = try await found("narwhal repo:team/app1 repo:team/app2")
      #expect(part.complete == false && part.count == 1, "\(part)")
      #expect(part.err.contains("no clone of team/app2 was searched"), "\(part)")
    }
  }

  /// Secrets that are not set are told once, also of several forges, and what cannot be asked without one
  /// says so alone.
  @Test func missingSecrets() async throws {
    try await withForges(secret: nil) { world in
      let found = try await world.run("search", "app2")
      #expect(
        found.status == 0
          && found.err.components(separatedBy: "forage: ").dropFirst().map { $0.prefix { $0 != "\n" } }
            == ["deep, ours, tea lack secrets: not set are OUR_TOKEN"],
        "\(found.err)")
      for query in [["-k", "code", "kim repo:team/app2"], ["-k", "user", "kim"]] {
        let refused = try await world.program.run(["search", "-p", "ours"] + query)
        #expect(
          refused.status == 4
            && refused.err
              == "forage: ours: GitLab (ours) requires a secret, and has none\nhint: set OUR_TOKEN\n",
          "\(refused.err)")
      }
    }
  }

  /// A forge that searches only within a workspace is no part of other searches, and alone says what is
  /// missing.
  @Test func withinAWorkspace() async throws {
    try await withForges { world in
      let alone = try await world.run("search", "app", "-p", "bitbucket")
      #expect(alone.status == 2 && alone.err.hasSuffix("hint: add owner:NAME to the query\n"), "\(alone)")
      let beside = try await world.run("search", "app2", "-p", "bitbucket,tea", "--json", "name")
      #expect(beside.status == 0 && beside.out == "[{\"name\":\"app2\"}]\n", "\(beside)")
    }
  }

  /// Code of a group is one search where GitLab has that; where it refuses it, it is asked for it once,
  /// whatever runs after.
  @Test func codeAcrossProjects() async throws {
    @Sendable func handler(refuses: Bool) -> LoopbackServer.Handler {
      { request in
        let project =
          #"{"id":7,"path":"engine","namespace":{"full_path":"acme"},"web_url":"\#(request.origin)/acme/engine"}"#
        let row = #"[{"project_id":7,"path":"a.c","ref":"main","startline":3,"data":"a narwhal"}]"#
        switch request.path {
        case "/api/v4/search", "/api/v4/groups/acme/search":
          return refuses
            ? .json(
              status: 400,
              body: #"{"message":"Scope supported only with advanced search or exact code search"}"#)
            : .json(body: row)
        case "/api/v4/projects/acme%2Fengine/search": return .json(body: row)
        case "/api/v4/projects/7": return .json(body: project)
        case "/api/v4/groups/acme/projects": return .json(body: "[\(project)]")
        default: return .json(status: 404, body: #"{"message":"404 Not Found"}"#)
        }
      }
    }
    try await withServers([handler(refuses: false), handler(refuses: true)]) { servers in
      let program = try Program(adding: ["OUR_TOKEN": "t0p"])
      try program.home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          wide: {type: gitlab, url: "\(servers[0].baseURL)", secrets: {token: {env: OUR_TOKEN}}}
          narrow: {type: gitlab, url: "\(servers[1].baseURL)", secrets: {token: {env: OUR_TOKEN}}}

        """)
      func search(_ query: String, _ provider: String) async throws -> ProcessResult {
        try await program.run(["search", "-k", "code", query, "-p", provider, "--json", "repository,path"])
      }
      func paths(_ index: Int) -> [String] { servers[index].requests.map(\.path) }
      for (query, provider, index) in [
        ("narwhal org:acme", "wide", 0), ("narwhal", "wide", 0), ("narwhal org:acme", "narrow", 1),
        ("walrus org:acme", "narrow", 1),
      ] {
        let result = try await search(query, provider)
        let item = try #require(try result.json().array.first, "\(result)")
        #expect(result.status == 0 && item["path"]?.string == "a.c", "\(query) \(result)")
        #expect(item["repository"]?.string == "127.0.0.1:\(servers[index].port)/acme/engine")
      }
      let asked = ["/api/v4/groups/acme/search", "/api/v4/projects/7", "/api/v4/search"]
      #expect(asked.allSatisfy { paths(0).contains($0) }, "\(paths(0))")
      #expect(!paths(0).contains("/api/v4/projects/acme%2Fengine/search"))
      #expect(paths(1).filter { $0 == "/api/v4/groups/acme/search" }.count == 1, "\(paths(1))")
      let refused = try await search("narwhal", "narrow")
      #expect(
        refused.status == 2
          && refused.err.hasSuffix("hint: add repo:NAME, or org:NAME for all of an account, to the query\n"),
        "\(refused)")
    }
  }
}
