import Foundation
import TestSupport
import Testing

/// The catalogue after changes behind the program's back, by the built program.
struct CatalogueRunTests {
  private func withFleet(_ body: (Program, URL) async throws -> Void) async throws {
    let program = try Program(adding: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    for name in ["o/alpha", "o/beta", "größe/übung"] { try await program.makeClone(name) }
    try await program.addClones()
    try await body(program, URL(fileURLWithPath: program.source))
  }

  private func paths(_ program: Program) async throws -> Set<String> {
    let list = try await program.run(["clones", "list", "--format", "tsv"])
    return Set(list.outLines.compactMap { $0.split(separator: "\t").first.map { String($0) } })
  }

  @Test func whatIsOnTheDisk() async throws {
    try await withFleet { program, source in
      let files = FileManager.default
      let path = { (name: String) in source.appendingPathComponent(name).path }
      // A new clone, and one below a new folder.
      try await program.makeClone("new/gamma")
      #expect(try await program.run(["pick", "gamma", "--select-1"]).out == path("gamma") + "\n")
      let deep = try await TemporaryRepository.make("home/src/sub/deep", in: program.home.directory)
      try await deep.commit("first", files: ["a": "a\n"])
      #expect(
        try await paths(program) == Set(["alpha", "beta", "übung", "gamma", "sub/deep"].map(path)))
      // Moved and removed.
      try files.moveItem(atPath: path("beta"), toPath: path("sub/delta"))
      try files.removeItem(atPath: path("übung"))
      #expect(
        try await paths(program) == Set(["alpha", "gamma", "sub/deep", "sub/delta"].map(path)))
      let gone = try await program.run(["pick", "übung", "--select-1"])
      #expect(gone.status == 1 && gone.out == "" && gone.err.contains("matches nothing"), "\(gone)")
      let fetched = try await program.run(["clones", "run", "--", "/bin/pwd"])
      #expect(fetched.status == 0, "\(fetched.err)")
      // Another repository at a known path.
      try files.removeItem(atPath: path("alpha"))
      let other = try await TemporaryRepository.make("home/src/alpha", in: program.home.directory)
      try await other.commit("first", files: ["größe.txt": "needle\n"])
      try await other.git(["remote", "add", "origin", "https://github.com/p/omega.git"])
      let shown = try await program.run(["clones", "list", "p/omega", "--format", "tsv"])
      #expect(shown.out.hasPrefix(path("alpha") + "\t"), "\(shown)")
      let found = try await program.run(["grep", "--all", "-l", "needle"], in: source)
      #expect(found.out == "alpha/größe.txt\n", "\(found)")
    }
  }

  /// A folder that is a clone of another one has clones of its own.
  @Test func aFolderThatIsAClone() async throws {
    try await withFleet { program, source in
      let path = { (name: String) in source.appendingPathComponent(name).path }
      for name in ["alpha/inner", "alpha/größe/inner"] {
        let clone = try await TemporaryRepository.make("home/src/" + name, in: program.home.directory)
        try await clone.commit("first", files: ["a": "a\n"])
        if name == "alpha/inner" {
          let added = try await program.run(["clones", "add", path("alpha")])
          #expect(added.status == 0, "\(added)")
        }
      }
      let known = ["alpha", "beta", "übung", "alpha/inner", "alpha/größe/inner"]
      #expect(try await paths(program) == Set(known.map(path)))
      try FileManager.default.removeItem(atPath: path("alpha/inner"))
      #expect(try await paths(program) == Set(known.filter { $0 != "alpha/inner" }.map(path)))
    }
  }

  /// Only a forge itself says which host for SSH is its own: what another provider says would send the names of
  /// private clones to it.
  @Test func aHostForSSHThatAnotherProviderTells() async throws {
    let handler: LoopbackServer.Handler = { request in
      guard request.path == "/rows" else { return .json(status: 404, body: "{}") }
      return .json(
        body: #"{"items":[{"name":"x/y","url":"\#(request.origin)/x/y","ssh":"git@ssh.example:x/y.git"}]}"#)
    }
    try await withServer(handler: handler) { server in
      let program = try Program()
      try program.home.writeConfig(
        "forage/config.yaml",
        "providers: {github: {enabled: false}, ours: {type: gitea, url: \"\(server.baseURL)\", enabled: true}}\n"
      )
      let manifest = try program.home.directory.write(
        "home/index.yaml",
        """
        forage: 1
        id: index
        name: Index
        kinds: [repo]
        base: \(server.baseURL)
        request: {url: "{base}/rows", params: {q: "{text}"}}
        items: $.items[*]
        map: {id: $.name, title: $.name, url: $.url, sshUrl: $.ssh}

        """)
      let clone = try await TemporaryRepository.make("home/src/engine", in: program.home.directory)
      try await clone.commit("first", files: ["a": "a\n"])
      try await clone.git(["remote", "add", "origin", "ssh://git@ssh.example/acme/engine.git"])
      try await program.addClones()
      let found = try await program.run([
        "search", "y", "--plugin", manifest.path, "-p", "index", "--json", "id",
      ])
      #expect(found.out == "[{\"id\":\"127.0.0.1:\(server.port)/x/y\"}]\n", "\(found)")
      for _ in 0..<2 {
        let listed = try await program.run(["search", "engine", "-p", "local", "--json", "id"])
        #expect(listed.out == "[{\"id\":\"ssh.example/acme/engine\"}]\n", "\(listed)")
      }
    }
  }

  /// A clone that was in the catalogue before its forge has named its host for SSH is one of that forge
  /// afterwards, also where the forge counts no stars.
  @Test(arguments: ["gitea", "bitbucket-server"]) func aHostForSSHThatIsLearned(_ type: String) async throws {
    let ssh = "ssh://git@ssh.example:2222/acme/engine.git"
    let handler: LoopbackServer.Handler = { request in
      switch request.path {
      case "/api/v1/repos/search":
        .json(
          body: """
            {"ok":true,"data":[{"id":1,"name":"engine","full_name":"acme/engine","owner":{"login":"acme"},\
            "html_url":"\(request.origin)/acme/engine","ssh_url":"\(ssh)","stars_count":0}]}
            """)
      case "/rest/api/1.0/repos":
        .json(
          body: """
            {"isLastPage":true,"values":[{"id":5,"slug":"engine","project":{"key":"acme"},\
            "links":{"clone":[{"name":"ssh","href":"\(ssh)"}]}}]}
            """)
      default: .json(status: 404, body: "{}")
      }
    }
    try await withServer(handler: handler) { server in
      let program = try Program()
      try program.home.writeConfig(
        "forage/config.yaml",
        "providers: {github: {enabled: false}, ours: {type: \(type), url: \"\(server.baseURL)\", enabled: true}}\n"
      )
      let clone = try await TemporaryRepository.make("home/src/engine", in: program.home.directory)
      try await clone.commit("first", files: ["a": "a\n"])
      try await clone.git(["remote", "add", "origin", ssh])
      try await program.addClones()
      let search = ["search", "engine", "--json", "id"]
      let before = try await program.run(search)
      #expect(before.out.contains("ssh.example/acme/engine"), "\(before)")
      let after = try await program.run(search)
      #expect(after.out == "[{\"id\":\"127.0.0.1:\(server.port)/acme/engine\"}]\n", "\(after)")
      let listed = try await program.run(["clones", "list", "--format", "tsv"])
      #expect(listed.out.contains("\t127.0.0.1:\(server.port)/acme/engine\t"), "\(listed)")
    }
  }

  /// A folder that has no clone gets one: a new folder, and one that has lost its only clone.
  @Test func foldersWithoutAClone() async throws {
    try await withFleet { program, source in
      let files = FileManager.default
      let before = try await paths(program)
      func make(_ name: String) async throws -> String {
        let clone = try await TemporaryRepository.make("home/src/" + name, in: program.home.directory)
        try await clone.commit("first", files: ["a": "a\n"])
        return clone.path
      }
      try files.createDirectory(atPath: source.path + "/host/owner", withIntermediateDirectories: true)
      #expect(try await paths(program) == before)
      let first = try await make("host/owner/first")
      #expect(try await paths(program) == before.union([first]))
      try files.removeItem(atPath: first)
      #expect(try await paths(program) == before)
      let second = try await make("host/owner/second")
      #expect(try await paths(program) == before.union([second]))
    }
  }

  /// A folder that is away or empty keeps its clones.
  @Test func aFolderThatIsAway() async throws {
    try await withFleet { program, source in
      let (files, away) = (FileManager.default, source.path + "-away")
      let before = try await paths(program)
      try files.moveItem(atPath: source.path, toPath: away)
      #expect(try await paths(program) == before)
      try files.createDirectory(atPath: source.path, withIntermediateDirectories: false)
      #expect(try await paths(program) == before)
      try files.removeItem(atPath: source.path)
      try files.moveItem(atPath: away, toPath: source.path)
      #expect(try await paths(program) == before)
    }
  }

  /// What works on clones goes on with the others of a folder that is away, names it once, and does not fail.
  @Test func clonesThatAreAway() async throws {
    try await withFleet { program, source in
      let other = try await TemporaryRepository.make("home/other/there", in: program.home.directory)
      try await other.commit("first", files: ["a": "needle\n"])
      #expect(try await program.run(["clones", "add", program.home.home.path + "/other"]).status == 0)
      try FileManager.default.moveItem(atPath: source.path, toPath: source.path + "-away")
      for command in [
        ["clones", "fetch"], ["clones", "run", "--", "/bin/pwd"], ["clones", "status"],
        ["clones", "list", "--unpushed"], ["grep", "--all", "needle"],
      ] {
        let result = try await program.run(command)
        let told = expectMessages(result)
        #expect(result.status == 0 && result.outLines.count <= 2, "\(command) \(result)")
        #expect(told == ["\(source.path) does not exist; its clones stay in the catalogue"], "\(command)")
      }
      let commits = try await program.run(["search", "-k", "commit", "first", "-p", "local"])
      #expect(commits.status == 0 && commits.err == "" && commits.outLines.count == 1, "\(commits)")
      #expect(try await program.run(["pick", "alpha", "--select-1"]).status == 1)
      try FileManager.default.removeItem(atPath: other.path)
      try FileManager.default.removeItem(atPath: program.home.home.path + "/other")
      let none = try await program.run(["clones", "pull"])
      #expect(none.status == 1 && expectMessages(none).count == 3, "\(none)")
    }
  }

  /// What leaves clones out, and what indexes them, takes their names.
  @Test func namesInsteadOfPaths() async throws {
    try await withFleet { program, source in
      let before = try await paths(program)
      let rest = before.subtracting([source.path + "/beta"])
      #expect(try await program.run(["clones", "index", "o/alpha"]).status == 0)
      let ignored = try await program.run(["clones", "ignore", "o/beta"])
      #expect(ignored.err.hasPrefix("forage: \(source.path)/beta is ignored: 1 clone"), "\(ignored)")
      #expect(try await paths(program) == rest)
      #expect(try await program.run(["clones", "ignore", "--remove", "beta"]).status == 0)
      #expect(try await program.run(["clones", "scan", "--no-index"]).status == 0)
      #expect(try await paths(program) == before)
      #expect(try await program.run(["clones", "remove", "beta"]).status == 0)
      #expect(try await paths(program) == rest)
      // A path that is not there yet.
      #expect(try await program.run(["clones", "ignore", "later"]).status == 2)
      let later = try await program.run(["clones", "ignore", "./later"])
      #expect(later.status == 0 && later.err.contains("/later is ignored: 0 clones"), "\(later)")
    }
  }

  /// The status tells the branch and the commit of now, and in a pipe the commits that are nowhere else.
  @Test func theStatusOfNow() async throws {
    try await withFleet { program, source in
      let alpha = try TemporaryRepository(at: source.path + "/alpha", in: program.home.directory)
      try await alpha.git("checkout --quiet -b größe")
      let commit = try await alpha.commit("second")
      let status = try await program.run(["clones", "status", "alpha", "--json", "branch,commit,unpushed"])
      #expect(
        status.out == "[{\"branch\":\"größe\",\"commit\":\"\(commit)\",\"unpushed\":2}]\n", "\(status)")
      let row = try await program.run(["clones", "status", "alpha", "--unpushed"])
      let fields = row.out.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
      #expect(fields.count == 16 && fields[2] == "größe" && fields[15] == "2", "\(row)")
    }
  }

  /// A name that is typed whole is taken before names with it in them; several are told where nobody can be
  /// asked.
  @Test func wholeNames() async throws {
    try await withFleet { program, source in
      for name in ["o/television", "apple/nio", "octo/nionio"] { try await program.makeClone(name) }
      let whole = try await program.run(["pick", "nio", "--select-1"])
      #expect(whole.out == source.appendingPathComponent("nio").path + "\n", "\(whole)")
      // As a shell expands and completes a path.
      let written = try await program.run(["pick", source.path + "/nio/", "--select-1"])
      #expect(written.out == source.path + "/nio\n", "\(written)")
      let several = try await program.run(["pick", "o/", "--select-1"])
      #expect(
        several.status == 2 && several.out == "" && several.err.contains("type more of the name"),
        "\(several)")
      let few = try await program.run(["pick", "ni", "--select-1"])
      #expect(few.status == 2 && few.err.contains("/nio, ") && few.err.contains("/nionio"), "\(few)")
    }
  }
}
