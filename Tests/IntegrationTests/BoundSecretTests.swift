import Foundation
import TestSupport
import Testing

/// A secret that is bound to a manifest or plugin reaches no other one with its id.
@Suite struct BoundSecretTests {
  private static let secret = ["GITLAB_TOKEN": "glpat-0123456789abcdef"]
  private static let path = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]

  /// Answers with one result.
  private static func answer(_ request: RecordedRequest) -> ScriptedResponse {
    .json(body: #"{"items": [{"name": "kit"}]}"#)
  }

  private static func manifest(_ address: String) -> String {
    """
    forage: 1
    id: forge
    name: Forge
    kinds: [package]
    base: \(address)
    request: {url: "{base}/search", params: {q: "{text}"}}
    auth: {secret: token, header: PRIVATE-TOKEN}
    feed: {request: {url: "{base}/new"}}
    items: $.items[*]
    map:
      id: $.name
      url: {template: "https://shop.example/{0|segment}", args: [$.name]}
      title: $.name

    """
  }

  /// A program with a bound secret, and the manifest of somebody else.
  private func prepare(_ server: LoopbackServer) throws -> (Program, file: String) {
    let program = try Program(adding: Self.secret.merging(Self.path) { $1 })
    try program.home.writeConfig(
      "forage/config.yaml", "providers:\n  forge: {secrets: {token: {env: GITLAB_TOKEN}}}\n")
    let file = try program.home.directory.write("home/forge.yaml", Self.manifest(server.baseURL)).path
    return (program, file)
  }

  private static let search = ["search", "kit", "-k", "package", "-p", "forge"]

  @Test func aNamedManifestAsks() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, file) = try prepare(server)
      for command in [["plugin", "validate", file], Self.search + ["--plugin", file]] {
        let refused = try await program.run(command)
        #expect(refused.status == 2, "\(command): \(refused.err)")
        #expect(refused.err.contains("token") && refused.err.contains("127.0.0.1:\(server.port)"))
        #expect(refused.err.contains("--yes"), "\(refused.err)")
        #expect(server.connectionCount == 0, "\(command)")
      }
      let allowed = try await program.run(Self.search + ["--plugin", file, "--yes"])
      #expect(allowed.status == 0 && allowed.out.hasPrefix("kit\t"), "\(allowed.err)")
      #expect(server.requests.allSatisfy { $0.header("private-token") == Self.secret["GITLAB_TOKEN"] })
      // The answer is for one run.
      server.forgetRequests()
      #expect(try await program.run(Self.search + ["--plugin", file]).status == 2)
      #expect(server.requests.isEmpty)
      for answer in ["no\n", "yes\n"] {
        let asked = try await ProcessRunner.runInTerminal(
          forageBinary, ["plugin", "validate", file, "--word", "kit"], environment: program.environment,
          stdin: Data(answer.utf8))
        #expect(server.requests.isEmpty == (answer == "no\n"), "\(asked.out)")
      }
    }
  }

  /// An installed manifest sends nothing before its hosts are confirmed, and every list gives the reason.
  @Test func anInstalledManifestIsConfirmed() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, file) = try prepare(server)
      let host = "127.0.0.1:\(server.port)"
      let installed = try await program.run(["plugin", "install", file])
      #expect(installed.status == 0 && installed.out.contains(host) && installed.out.contains("token"))
      #expect(installed.err.contains("forage plugin trust forge"), "\(installed.err)")
      for _ in 0..<2 {
        let refused = try await program.run(Self.search)
        #expect(refused.status == 2 && refused.err.contains(host), "\(refused.err)")
        let plain = try await program.run(["search", "kit", "-k", "package"])
        #expect(plain.err.contains(host), "\(plain.err)")
      }
      let feed = try await program.run(["feed", "-p", "forge"])
      #expect(feed.err.contains("which you have not confirmed"), "\(feed.err)")
      #expect(feed.err.contains("forage plugin trust forge"), "\(feed.err)")
      let providers = try await program.run(["providers", "--format", "json"]).json()
      #expect(providers.provider("forge")?["reason"]?.string?.contains(host) == true)
      #expect(try await program.run(["doctor"]).out.contains("which you have not confirmed"))
      let piped = try await ProcessRunner.run(
        forageBinary, ["plugin", "trust", "forge"], environment: program.environment, stdin: Data("n\n".utf8)
      )
      #expect(piped.status == 2 && piped.out.contains(host) && piped.err.contains("--yes"), "\(piped.err)")
      #expect(server.connectionCount == 0)
      #expect(try await program.run(["plugin", "trust", "forge", "--yes"]).status == 0)
      #expect(try await program.run(Self.search).status == 0)
      #expect(server.requests.last?.header("private-token") == Self.secret["GITLAB_TOKEN"])
      // Deleted by hand and removed, or removed, it is no longer confirmed.
      let place = program.home.config.appendingPathComponent("forage/providers.d/forge.yaml")
      try FileManager.default.removeItem(at: place)
      #expect(try await program.run(["plugin", "remove", "forge"]).status == 0)
      #expect(try await program.run(["plugin", "remove", "forge"]).status == 2)
      try FileManager.default.copyItem(atPath: file, toPath: place.path)
      #expect(try await program.run(Self.search).status == 2)
      #expect(try await program.run(["plugin", "trust", "forge", "--yes"]).status == 0)
      #expect(try await program.run(["plugin", "remove", "forge"]).status == 0)
      #expect(try await program.run(["plugin", "install", file]).status == 0)
      #expect(try await program.run(Self.search).status == 2)
      for options in [["--yes"], []] {
        let again = try await program.run(["plugin", "install", file, "--force"] + options)
        #expect(again.status == 0 && !again.err.contains("is not sent"), "\(again.err)")
        #expect(again.err.contains("token is bound to the variable GITLAB_TOKEN\n"), "\(again.err)")
      }
      let unset = try await program.run(["plugin", "install", file, "--force"], adding: ["GITLAB_TOKEN": ""])
      #expect(unset.err.contains("GITLAB_TOKEN, which is not set"), "\(unset.err)")
      #expect(try await program.run(Self.search + ["--no-cache"]).status == 0)
    }
  }

  /// Without a variable for its secret, nothing is said to be yours, and nothing has to be trusted.
  @Test func anUnboundSecretIsNobodys() async throws {
    let program = try Program(adding: Self.path)
    let file = try program.home.directory.write("home/forge.yaml", Self.manifest("https://forge.example"))
      .path
    let installed = try await program.run(["plugin", "install", file])
    #expect(installed.status == 0 && installed.err.components(separatedBy: "is installed").count == 2)
    #expect(installed.err.contains("providers: {forge: {secrets: {token: {env: NAME}}}}"), "\(installed.err)")
    #expect(!installed.err.contains("your secret") && !installed.err.contains("hint: "), "\(installed.err)")
    let asked = try await ProcessRunner.runInTerminal(
      forageBinary, ["plugin", "install", file, "--force"], environment: program.environment, stdin: Data())
    #expect(asked.status == 0 && !asked.out.contains("[y/N]"), "\(asked.out)")
  }

  /// A file that was put there by hand is confirmed before its first use, and again when it names another
  /// host.
  @Test func anotherHostIsConfirmedAgain() async throws {
    try await withServer(handler: Self.answer) { server in
      try await withServer(handler: Self.answer) { other in
        let (program, _) = try prepare(server)
        let place = "forage/providers.d/forge.yaml"
        try program.home.writeConfig(place, Self.manifest(server.baseURL))
        for unset in [[:], ["GITLAB_TOKEN": ""]] {
          for options in [[], ["--offline"]] {
            let first = try await program.run(Self.search + options, adding: unset)
            #expect(first.status == 2 && first.err.contains("which you have not confirmed"), "\(first.err)")
            #expect(first.err.contains("forage plugin trust forge"), "\(first.err)")
          }
          #expect(try await program.run(["plugin", "validate", "forge", "--offline"]).status == 0)
        }
        #expect(try await program.run(["plugin", "validate", "forge"]).err.contains("--yes"))
        #expect(server.connectionCount == 0)
        #expect(!FileManager.default.fileExists(atPath: program.home.data.path + "/forage/trust.json"))
        #expect(try await program.run(["plugin", "trust", "forge", "--yes"]).status == 0)
        #expect(try await program.run(Self.search).status == 0)
        #expect(server.requests.last?.header("private-token") == Self.secret["GITLAB_TOKEN"])
        try program.home.writeConfig(place, Self.manifest(other.baseURL))
        let refused = try await program.run(Self.search + ["--no-cache"])
        #expect(refused.status == 2 && refused.err.contains("127.0.0.1:\(other.port)"), "\(refused.err)")
        #expect(other.connectionCount == 0)
        // An address in the settings is the user's own word.
        try program.home.writeConfig(
          "forage/config.yaml",
          "providers:\n  forge: {config: {url: \"\(other.baseURL)\"}, secrets: {token: {env: GITLAB_TOKEN}}}\n"
        )
        #expect(try await program.run(Self.search).status == 0)
        #expect(other.requests.last?.header("private-token") == Self.secret["GITLAB_TOKEN"])
      }
    }
  }

  @Test func aHiddenManifestIsNamed() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, file) = try prepare(server)
      let shared = program.home.directory.path("shared")
      try program.home.directory.write(
        "shared/forage/providers/forge.yaml", Self.manifest("https://gitlab.example"))
      let extra = ["XDG_DATA_DIRS": shared]
      let installed = try await program.run(["plugin", "install", file], adding: extra)
      #expect(installed.err.contains("forge hides the bundled manifest for gitlab.example"))
      #expect(try await program.run(Self.search, adding: extra).status == 2)
      // Put there by hand, it hides the bundled one just the same.
      try FileManager.default.removeItem(
        at: program.home.data.appendingPathComponent("forage/trust.json"))
      #expect(try await program.run(Self.search, adding: extra).status == 2)
      #expect(server.connectionCount == 0)
    }
  }

  /// A manifest that the user names by its path is searched without `-p`, also where it hides a bundled one
  /// or the settings disable its id.
  @Test func aNamedManifestIsSearched() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, file) = try prepare(server)
      try program.home.directory.write(
        "shared/forage/providers/forge.yaml", Self.manifest("https://gitlab.example"))
      let extra = ["XDG_DATA_DIRS": program.home.directory.path("shared")]
      let search = ["search", "kit", "-k", "package", "--plugin", file, "--no-cache"]
      let refused = try await program.run(search, adding: extra)
      #expect(refused.err.contains("--yes") && server.connectionCount == 0, "\(refused.err)")
      for settings in ["secrets: {token: {env: GITLAB_TOKEN}}", "enabled: false"] {
        try program.home.writeConfig("forage/config.yaml", "providers:\n  forge: {\(settings)}\n")
        let found = try await program.run(search + ["--yes"], adding: extra)
        #expect(found.status == 0 && found.out.hasPrefix("kit\t"), "\(settings): \(found.err)")
      }
    }
  }

  /// The address of the settings is the user's word for the manifest of this id, not for one that hides it.
  @Test func anAddressIsNotForAHiddenManifest() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, file) = try prepare(server)
      try program.home.writeConfig(
        "forage/config.yaml",
        "providers:\n  forge: {config: {url: \"\(server.baseURL)\"}, secrets: {token: {env: GITLAB_TOKEN}}}\n"
      )
      let bundled = Self.manifest("https://gitlab.example")
      try program.home.directory.write("shared/forage/providers/forge.yaml", bundled)
      let extra = ["XDG_DATA_DIRS": program.home.directory.path("shared")]
      #expect(try await program.run(Self.search, adding: extra).status == 0)
      server.forgetRequests()
      for command in [["plugin", "validate", file], Self.search + ["--plugin", file, "--no-cache"]] {
        let refused = try await program.run(command, adding: extra)
        #expect(refused.status == 2 && refused.err.contains("--yes"), "\(refused.err)")
      }
      #expect(try await program.run(["plugin", "install", file], adding: extra).status == 0)
      let refused = try await program.run(Self.search + ["--no-cache"], adding: extra)
      #expect(refused.status == 2 && refused.err.contains("which you have not confirmed"), "\(refused.err)")
      #expect(server.requests.isEmpty)
      #expect(try await program.run(["plugin", "trust", "forge", "--yes"], adding: extra).status == 0)
      #expect(try await program.run(Self.search + ["--no-cache"], adding: extra).status == 0)
      #expect(server.requests.last?.header("private-token") == Self.secret["GITLAB_TOKEN"])
      // Where it hides none, the address is enough.
      #expect(try await program.run(["plugin", "remove", "forge"], adding: extra).status == 0)
      #expect(try await program.run(Self.search + ["--plugin", file, "--no-cache"]).status == 0)
    }
  }

  /// A file that was deleted by hand leaves its confirmation, which is removed beside a bundled one, too.
  @Test func aConfirmationIsRemovedBesideABundledManifest() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, file) = try prepare(server)
      try program.home.directory.write(
        "shared/forage/providers/forge.yaml", Self.manifest("https://gitlab.example"))
      let extra = ["XDG_DATA_DIRS": program.home.directory.path("shared")]
      #expect(try await program.run(["plugin", "install", file, "--yes"], adding: extra).status == 0)
      try FileManager.default.removeItem(
        at: program.home.config.appendingPathComponent("forage/providers.d/forge.yaml"))
      #expect(try await program.run(["plugin", "remove", "forge"], adding: extra).status == 0)
      let again = try await program.run(["plugin", "remove", "forge"], adding: extra)
      #expect(again.status == 2 && again.err.contains("is installed for all users"), "\(again.err)")
      #expect(try await program.run(Self.search + ["--plugin", file], adding: extra).status == 2)
      #expect(server.connectionCount == 0)
    }
  }

  /// A secret that is not set, or too short to be masked, is a warning.
  @Test func unusableSecretsAreTold() async throws {
    try await withServer(handler: Self.answer) { server in
      let (program, _) = try prepare(server)
      try program.home.writeConfig("forage/providers.d/forge.yaml", Self.manifest(server.baseURL))
      #expect(try await program.run(["plugin", "trust", "forge", "--yes"]).status == 0)
      let unset = try await program.run(Self.search, adding: ["GITLAB_TOKEN": ""])
      #expect(unset.status == 0)
      #expect(expectMessages(unset) == ["forge has no secret token: the variable GITLAB_TOKEN is not set"])
      let doctor = try await program.run(["doctor", "--format", "tsv"], adding: ["GITLAB_TOKEN": ""])
      #expect(doctor.out.contains("secrets\twarning\tforge has no secret token"), "\(doctor.out)")
      #expect(try await !program.run(["doctor", "--format", "tsv"]).out.contains("secrets\t"))
      for secret in ["a", "ab", "abcde"] {
        let short = try await program.run(Self.search, adding: ["GITLAB_TOKEN": secret])
        #expect(short.status == 0 && short.out.hasPrefix("kit\t"), "\(short.err)")
        #expect(expectMessages(short).first?.contains("is not masked") == true, "\(short.err)")
      }
    }
  }

  /// A plugin that is named by its path gets a secret only if its files are trusted.
  @Test func aNamedPluginAsks() async throws {
    let program = try Program(adding: ["ACME_TOKEN": "0123456789abcdef"].merging(Self.path) { $1 })
    try program.home.writeConfig(
      "forage/config.yaml", "providers:\n  acme: {secrets: {token: {env: ACME_TOKEN}}}\n")
    func write(_ folder: String) throws -> String {
      try program.writePlugin(
        "acme", "import json, sys\nopen('\(folder).log', 'w').write(sys.stdin.readline())\n", in: folder,
        adding: #""secrets": ["token"]"#)
    }
    let (mine, other) = (try write("mine"), try write("other"))
    let log = other + "/other.log"
    for isInstalled in [false, true] {
      for command in [["search", "x", "-p", "acme", "--plugin", other], ["plugin", "validate", other]] {
        let refused = try await program.run(command)
        #expect(refused.status == 2 && refused.err.contains("--yes"), "\(refused.err)")
        #expect(!FileManager.default.fileExists(atPath: log), "\(command)")
      }
      _ = try await program.run(["search", "x", "-p", "acme", "--plugin", other, "--yes"])
      #expect(try String(contentsOfFile: log, encoding: .utf8).contains("0123456789abcdef"))
      try FileManager.default.removeItem(atPath: log)
      if !isInstalled {
        #expect(try await program.run(["plugin", "install", mine, "--yes"]).status == 0)
        let again = try await program.run(["plugin", "install", mine, "--force"])
        #expect(again.status == 0 && again.err.contains("installed and trusted"), "\(again.err)")
      }
    }
    // The same files are trusted in another folder, too.
    _ = try await program.run(["search", "x", "-p", "acme", "--plugin", mine])
    #expect(try String(contentsOfFile: mine + "/mine.log", encoding: .utf8).contains("0123456789abcdef"))
  }
}
