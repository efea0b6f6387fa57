import Foundation
import TestSupport
import Testing

/// `forage mcp` as the built program.
struct MCPRunTests {
  /// A request of revision 2026-07-28 on one line.
  private static func line(_ id: Int, _ method: String, _ params: [String: Any] = [:]) throws -> String {
    var params = params
    params["_meta"] = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": [String: Any](),
    ]
    let message: [String: Any] = ["jsonrpc": "2.0", "id": id, "method": method, "params": params]
    return String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self) + "\n"
  }

  private static func call(_ id: Int, _ tool: String, _ arguments: [String: Any]) throws -> String {
    try line(id, "tools/call", ["name": tool, "arguments": arguments])
  }

  /// Sends lines, waits for as many answers, and ends the input.
  ///
  /// - Returns: The answers by id.
  private func answers(_ lines: [String], _ program: Program, _ arguments: [String] = []) async throws
    -> [Int: JSON]
  {
    var launch = try ProcessRunner.Launch(
      forageBinary, ["mcp"] + arguments, environment: program.environment,
      workingDirectory: program.home.home,
      stdin: Data(lines.joined().utf8))
    launch.keepsInputOpen = true
    let process = try ProcessRunner.start(launch)
    for id in 1...lines.count { try await process.waitForOutput(containing: "\"id\":\(id),\"jsonrpc\"") }
    process.endInput()
    let result = await process.wait()
    #expect(result.status == 0 && result.err == "")
    var found: [Int: JSON] = [:]
    for line in result.out.split(separator: "\n") {
      let answer = try JSON(line)
      if let id = answer["id"]?.int { found[id] = answer }
    }
    return found
  }

  @Test func searchesShowsAndStars() async throws {
    let repositories = matching(30)
    let github = FakeGitHub(repositories: repositories)
    let name = repositories[0].fullName
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0psecret-value"]) { program, _ in
      let found = try await answers(
        [
          try Self.line(1, "server/discover"), try Self.call(2, "search", ["query": "match", "limit": 5]),
          try Self.call(3, "show", ["id": name]), try Self.call(4, "star", ["repo": name, "on": true]),
          try Self.call(5, "search", ["query": "match", "limti": 5]),
        ], program, ["--allow-write"])
      #expect(found[1]?["result"]?["supportedVersions"] != nil)
      let search = found[2]?["result"]?["structuredContent"]
      #expect(search?["items"]?.array.count == 5 && search?["next"]?.string != nil)
      #expect(found[3]?["result"]?["structuredContent"]?["item"]?["title"]?.string == name)
      #expect(found[4]?["result"]?["structuredContent"]?["starred"]?.bool == true)
      #expect(github.options.starred == [name])
      #expect(found[5]?["result"]?["isError"]?.bool == true)
    }
  }

  /// A repository of a forge that no clone has is read there.
  @Test func readsFilesOfForges() async throws {
    try await withServer(handler: FakeForge(.gitLab, folder: "/gitlab").handler) { server in
      let program = try Program()
      try program.home.writeConfig(
        "forage/config.yaml",
        "providers: {github: {enabled: false}, work: {type: gitlab, url: \"\(server.baseURL)/gitlab\"}}\n")
      let repo = "127.0.0.1:\(server.port)/team/sub/app1"
      let found = try await answers(
        [
          try Self.call(1, "read", ["repo": repo, "file": "src/größe/a b.txt"]),
          try Self.call(2, "read", ["repo": repo, "file": "."]),
          try Self.call(3, "read", ["repo": repo, "file": "new.txt", "ref": "next"]),
          try Self.call(4, "read", ["repo": repo, "file": "none"]),
        ], program
      ).mapValues { $0["result"]?["structuredContent"] }
      #expect(found[1]??["text"]?.string == "one\ntwo" && found[1]??["totalLines"]?.int == 2)
      #expect(found[2]??["entries"]?.array.compactMap(\.string) == ["README.rst", "many/", "src/"])
      #expect(found[3]??["text"]?.string == "only there")
      let message = found[4]??["error"]?["message"]?.string
      #expect(message == "GitLab (work) has no none in team/sub/app1")
    }
  }

  @Test func readsOnlyClonesOfTheCatalogue() async throws {
    let github = FakeGitHub(repositories: [])
    try await withProgram(github) { program, _ in
      let clone = try await program.makeClone("owner/name")
      try Data("one\ntwo\n".utf8).write(to: URL(fileURLWithPath: clone.path + "/näme.txt"))
      try FileManager.default.createSymbolicLink(
        atPath: clone.path + "/link", withDestinationPath: "/etc/passwd")
      let other = try TemporaryDirectory()
      _ = try await program.run(["clones", "add", clone.path])
      let found = try await answers(
        [
          try Self.call(1, "read", ["path": clone.path, "file": "näme.txt"]),
          try Self.call(2, "read", ["path": clone.path, "file": "link"]),
          try Self.call(3, "read", ["path": other.path, "file": "x"]),
          try Self.call(4, "read", ["path": clone.path, "file": ".git/config"]),
          try Self.call(5, "read", ["path": clone.path, "file": "."]),
        ], program)
      #expect(found[1]?["result"]?["structuredContent"]?["text"]?.string == "one\ntwo")
      for id in 2...4 {
        #expect(found[id]?["result"]?["isError"]?.bool == true)
        #expect(found[id]?["result"]?["structuredContent"]?["text"] == nil)
      }
      let names = found[5]?["result"]?["structuredContent"]?["entries"]?.array.compactMap(\.string) ?? []
      #expect(names.contains("näme.txt") && !names.contains(".git/"))
    }
  }

  /// Clones are named as commands name them, where one repository alone has the name.
  @Test func namesOfClones() async throws {
    let program = try Program()
    for name in ["other/wheel", "acme/engine", "acme/rotor"] { try await program.makeClone(name) }
    try await program.makeClone("x/twin", remote: "https://github.com/x/rotor.git")
    try await program.makeClone("x/deep", remote: "https://gitlab.com/group/x/deep.git")
    for (name, remote) in [("x/upper", "Team/One"), ("x/lower", "team/one")] {
      try await program.makeClone(name, remote: "https://git.acme.example/\(remote).git")
    }
    try await program.addClones()
    let found = try await answers(
      [
        try Self.call(1, "read", ["repo": "wheel", "file": "main.swift"]),
        try Self.call(2, "history", ["repo": "wheel"]),
        try Self.call(3, "read", ["repo": "rotor", "file": "main.swift"]),
        try Self.call(4, "clones", ["query": "acme/*"]),
        try Self.call(5, "read", ["repo": "nothing", "file": "main.swift"]),
        try Self.call(6, "history", ["repo": "x/deep"]),
        // The case counts where clones differ in it alone.
        try Self.call(7, "history", ["repo": "git.acme.example/team/one"]),
        try Self.call(8, "search_code", ["pattern": "print", "repo": "x/deep"]),
      ], program
    ).mapValues { $0["result"]?["structuredContent"] }
    #expect(found[1]??["text"]?.string == "print(1)")
    #expect(found[2]??["commits"]?.array.count == 1)
    #expect(found[3]??["error"]?["message"]?.string?.hasPrefix("rotor names 2 clones") == true)
    #expect(
      found[4]??["clones"]?.array.compactMap { $0["id"]?.string }.sorted() == [
        "github.com/acme/engine", "github.com/acme/rotor",
      ])
    #expect(found[5]??["error"]?["message"]?.string == "\"repo\" cannot be \"nothing\"")
    #expect(found[6]??["commits"]?.array.count == 1 && found[7]??["commits"]?.array.count == 1)
    #expect(found[8]??["files"]?.array.count == 1, "\(String(describing: found[8]))")
  }

  /// What helps is said in the words of the tools, not as a command line.
  @Test func hintsForAgents() async throws {
    let program = try Program()
    let disabled = try await program.run(["providers", "disable", "github"])
    #expect(disabled.status == 0, "\(disabled)")
    let found = try await answers(
      [
        try Self.call(1, "read", ["repo": "acme/wheel", "file": "main.swift"]),
        try Self.call(2, "read", ["path": "/", "file": "main.swift"]),
        try Self.call(3, "show", ["id": "acme/wheel"]), try Self.call(4, "show", ["id": "acme/wheel#1"]),
        try Self.call(5, "star", ["repo": "acme/wheel", "on": true]),
      ], program, ["--allow-write"]
    ).mapValues { $0["result"]?["structuredContent"]?["error"] }
    #expect(found[2]??["hint"]?.string == "see the tool clones")
    // A forge that is disabled is refused in the same words, whoever asks for what.
    for id in [1, 3, 4, 5] {
      let error = found[id] ?? nil
      let message = "github, the forge of github.com, is disabled" + (id == 5 ? "; nothing was changed" : "")
      #expect(error?["message"]?.string == message, "\(id)")
      #expect(error?["hint"]?.string == "enable github in the settings", "\(id)")
    }
    // A person has the commands for it.
    let shown = try await program.run(["star", "github.com/acme/wheel"])
    #expect(shown.err.contains("hint: forage providers enable github\n"), "\(shown)")
  }

  /// Whatever says it, a token that the program holds is masked.
  @Test func masksTokens() async throws {
    var repository = matching(1)[0]
    repository.description = "match t0psecret-value"
    try await withProgram(
      FakeGitHub(repositories: [repository]), adding: ["GH_ENTERPRISE_TOKEN": "t0psecret-value"]
    ) {
      program, _ in
      let found = try await answers([try Self.call(1, "search", ["query": "match"])], program)
      let items = found[1]?["result"]?["structuredContent"]?["items"]?.array ?? []
      #expect(items.count == 1 && items[0]["description"]?.string?.contains("t0psecret") == false)
    }
  }

  /// A call that does not end and a `gh` that does not listen hold up neither the end of the input nor
  /// SIGTERM.
  @Test(arguments: [false, true]) func endsWithinASecond(_ isSignalled: Bool) async throws {
    let github = FakeGitHub(repositories: [])
    try await withProgram(github) { program, server in
      try program.home.writeConfig("gh/hosts.yml", "127.0.0.1:\(server.port):\n    user: x\n")
      let tools = try TemporaryDirectory()
      let pid = tools.path + "/pid"
      try Data("#!/bin/sh\ntrap '' TERM\necho $$ > \(pid)\nwhile :; do sleep 0.1; done\n".utf8).write(
        to: URL(fileURLWithPath: tools.path + "/gh"))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tools.path + "/gh")
      var environment = program.environment.filter { !$0.key.hasSuffix("TOKEN") }
      environment["PATH"] = tools.path + ":/usr/bin:/bin"
      var launch = try ProcessRunner.Launch(
        forageBinary, ["mcp"], environment: environment, workingDirectory: program.home.home,
        stdin: Data(
          (try Self.call(2, "search", ["query": "match"]) + Self.line(1, "server/discover")).utf8))
      launch.keepsInputOpen = true
      let process = try ProcessRunner.start(launch)
      defer { process.kill() }
      try await process.waitForOutput(containing: "{\"id\":1,")
      for _ in 0..<200 where !FileManager.default.fileExists(atPath: pid) {
        try await Task.sleep(for: .milliseconds(10))
      }
      let start = ContinuousClock.now
      if isSignalled { process.sendSignal(SIGTERM) } else { process.endInput() }
      let result = await process.wait()
      #expect(result.status == 0 && result.signal == nil && !result.timedOut)
      #expect(ContinuousClock.now - start < .seconds(2))
      let text = try String(contentsOfFile: pid, encoding: .utf8)
      let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Foundation.kill(child, 0) != 0, "gh is still there")
    }
  }

  @Test func starNamesItsOption() async throws {
    try await withProgram(FakeGitHub()) { program, server in
      let found = try await answers(
        [try Self.line(1, "server/discover"), try Self.call(2, "star", ["repo": "a/b", "on": true])], program)
      #expect(found[2]?["error"]?["message"]?.string?.contains("--allow-write") == true)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: ["claude", "codex", "vscode", "zed", "cursor"])
  func printsSettings(_ host: String) async throws {
    let result = try await Program().run(["mcp", "--print-config", host])
    #expect(result.status == 0 && result.out.contains("\"mcp\"]"))
    // Hosts that are started from a desktop have another PATH than a shell.
    let command = try #require(result.out.firstMatch(of: /"?command"?( =|:) "(.*)"/)?.2)
    let own = try forageBinary.resolvingSymlinksInPath().path
    let named = URL(fileURLWithPath: String(command)).resolvingSymlinksInPath().path
    #expect(command.hasPrefix("/") && named == own)
    let writing = try await Program().run(["mcp", "--print-config", host, "--allow-write"])
    #expect(writing.out.contains(#"["mcp", "--allow-write"]"#))
    // The help names the file into which it belongs.
    let help = try await Program().run(["mcp", "--help"])
    let file = help.outLines.contains { $0.contains(/^ +[a-z]+ +[~.]/) && $0.contains(" \(host) ") }
    #expect(file, "\(help.out)")
    if host != "codex" {
      #expect(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) is [String: Any])
    }
  }
}
