import Foundation
import TestSupport
import Testing

/// Plugins and manifests as a user meets them: the built program, a home of its own, real programs and a real
/// server.
@Suite struct PluginRunTests {
  /// A plugin in Python whose one result says what it was given.
  private static let plugin = #"""
    import json, os, sys

    def send(message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    for line in sys.stdin:
        call = json.loads(line)
        if "id" not in call:
            continue
        if call["method"] == "initialize":
            secrets = call["params"].get("secrets", {})
            config = call["params"].get("config", {})
            send({"jsonrpc": "2.0", "id": call["id"], "result": {"protocol": 1, "version": "1"}})
        else:
            # Backwards, because a secret itself is redacted wherever the plugin says it.
            backwards = {name: value[::-1] for name, value in secrets.items()}
            said = json.dumps([sorted(os.environ), backwards, config, call["params"]])
            send({"jsonrpc": "2.0", "method": "search/items", "params": {"id": call["id"], "items": [
                {"id": "1", "kind": "repo", "url": "https://acme.example/a/kit", "title": "a/kit",
                 "fields": {"stars": 12, "language": "Swift", "description": "http kit " + said}}]}})
            send({"jsonrpc": "2.0", "id": call["id"], "result": {"count": 1}})
    """#

  /// A secret as the plugin says it.
  private static func backwards(_ secret: String) -> String { String(secret.reversed()) }

  /// The variables that let plugins in Python run.
  private static let path = [
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "AWS_SECRET_ACCESS_KEY": "t0psecret",
  ]

  private func program(_ api: String = Program.nobody) throws -> Program {
    try Program(api, adding: Self.path)
  }

  /// Writes the plugin into a folder.
  private func write(_ program: Program, _ name: String = "acme", secrets: String = "[]") throws -> String {
    try program.writePlugin(
      "acme", Self.plugin, in: name,
      kinds: #"{"repo": {"text": "inexact", "sorts": ["stars"], "qualifiers": {"language": "exact"}}}"#,
      adding: """
        "hosts": ["acme.example"], "secrets": \(secrets),
         "config": {"url": {"default": "https://acme.example", "description": "API base"}}
        """)
  }

  @Test func namedForOneRun() async throws {
    let program = try program()
    let folder = try write(program)
    let found = try await program.run(
      ["search", "kit language:swift stars:>10", "-p", "acme", "--plugin", folder, "--format", "json"])
    #expect(found.status == 0, "\(found.err)")
    let json = try found.json()
    #expect(json["items"]?.array.count == 1 && json.item("acme.example/a/kit") != nil)
    #expect(json.provider("acme")?["state"]?.string == "ok")
    #expect(json.provider("acme")?["residual"]?.array.compactMap(\.string) == ["stars", "text"])
    // Nothing is kept of it.
    let other = try await program.run(["search", "kit", "-p", "acme"])
    #expect(other.status == 2 && expectMessages(other) == ["there is no provider \"acme\""])
  }

  /// Where a provider is asked for by the id of its plugin, the ids of the plugin's providers are told.
  @Test func thePluginIsNoProvider() async throws {
    let program = try program()
    let folder = try program.writePlugin(
      "acme", Self.plugin, kinds: "",
      adding: """
        "providers": [{"id": "acme-code", "name": "Code", "kinds": ["repo"]}, {"id": "acme-docs", "name": "Docs", "kinds": ["repo"]}]
        """)
    #expect(try await program.run(["plugin", "install", folder, "--trust"]).status == 0)
    for arguments in [
      ["providers", "show", "acme"], ["providers", "enable", "acme"], ["search", "kit", "-p", "acme"],
    ] {
      let result = try await program.run(arguments)
      #expect(
        result.status == 2 && result.err.contains("acme-code, acme-docs") && result.err.contains("plugin"),
        "\(arguments): \(result.err)")
    }
  }

  /// The variables of a hook lead git to the repository of the hook; a plugin is fetched into one of its own.
  @Test func installInAHook() async throws {
    let program = try program()
    let own = try await TemporaryRepository.make("home/own", in: program.home.directory)
    try await own.commit(files: ["a.c": "a"])
    let head = try await own.git("rev-parse HEAD")
    let shop = try program.home.directory.writeShop("home/shop.yaml", at: Program.nobody + "/find")
    let source = try await TemporaryRepository.make("home/shop", in: program.home.directory)
    try await source.commit(files: ["shop.yaml": String(contentsOf: shop, encoding: .utf8)])
    let result = try await program.run(
      ["plugin", "install", "file://" + source.path], adding: ["GIT_DIR": own.path + "/.git"])
    #expect(result.status == 0 && result.err.contains("is at commit"), "\(result)")
    #expect(try await own.git("rev-parse HEAD") == head)
    #expect(try await own.git("status --porcelain") == "")
  }

  /// Nothing of a plugin runs before it is trusted, nor after it was changed.
  @Test func installTrustChangeRemove() async throws {
    let program = try program()
    let folder = try write(program)
    let installed = try await program.run(["plugin", "install", folder])
    #expect(
      installed.status == 0 && installed.out.contains("python3 acme.py")
        && installed.out.contains("acme.example"))
    #expect(expectMessages(installed).first?.contains("not trusted") == true)
    let before = try await program.run(["search", "kit", "-p", "acme"])
    #expect(before.status == 2 && before.err.contains("not trusted"))
    let again = try await program.run(["plugin", "install", folder])
    #expect(again.status == 0 && again.err.contains("already installed"), "\(again.err)")
    #expect(again.err.contains("not trusted") && again.err.contains("forage plugin trust acme\n"))

    let agreed = try await program.run(["plugin", "install", folder, "--trust"])
    #expect(agreed.status == 0 && agreed.err.contains("acme is installed and trusted"), "\(agreed.err)")
    #expect(try await program.run(["search", "kit", "-p", "acme"]).status == 0)
    let same = try await program.run(["plugin", "install", folder])
    #expect(same.status == 0 && same.err.contains("already installed") && !same.err.contains("not trusted"))
    _ = try program.home.directory.write("home/acme/acme.py", Self.plugin + "\n# Another one.\n")
    let other = try await program.run(["plugin", "install", folder, "--trust"])
    #expect(other.status == 2 && other.err.contains("hint: replace it with --force, or see"), "\(other.err)")
    let replaced = try await program.run(["plugin", "install", folder, "--force"])
    #expect(replaced.err.contains("not trusted"), "\(replaced.err)")

    let trusted = try await program.run(["plugin", "trust", "acme", "--yes"])
    #expect(trusted.status == 0 && trusted.out.contains("python3 acme.py"))
    #expect(try await program.run(["search", "kit", "-p", "acme"]).status == 0)
    let list = try await program.run(["plugin", "list", "--format", "json"])
    let row = try #require(try list.json()["plugins"]?[0])
    #expect(
      row["state"]?.string == "trusted"
        && row["command"]?.array.compactMap(\.string) == ["python3", "acme.py"]
        && row["kinds"]?.array.compactMap(\.string) == ["repo"])

    let home = try #require(row["path"]?.string)
    try (Self.plugin + "\n# changed\n").write(toFile: home + "/acme.py", atomically: true, encoding: .utf8)
    let changed = try await program.run(["search", "kit", "-p", "acme"])
    #expect(changed.status == 2 && changed.err.contains("acme has changed since it was trusted"))
    let doctor = try await program.run(["doctor"])
    #expect(doctor.out.contains("acme has changed since it was trusted"))

    #expect(try await program.run(["providers", "disable", "acme"]).status == 0)
    let removed = try await program.run(["plugin", "remove", "acme"])
    #expect(removed.status == 0 && removed.err.contains("providers.enabled.yaml"))
    #expect(!FileManager.default.fileExists(atPath: home))
    // A later plugin of this name is no more disabled.
    let switches = program.home.config.appendingPathComponent("forage/providers.enabled.yaml")
    #expect(try !String(contentsOf: switches, encoding: .utf8).contains("acme"))
    let after = try await program.run(["search", "kit", "-p", "local"])
    #expect(after.status == 1 && !after.err.contains("acme"))
  }

  /// Without a terminal an answer does not count; on one any answer but yes is no.
  @Test func trustNeedsAYes() async throws {
    let program = try program()
    let folder = try write(program)
    #expect(try await program.run(["plugin", "install", folder]).status == 0)
    func isTrusted() async throws -> Bool {
      let list = try await program.run(["plugin", "list", "--format", "json"])
      return try list.json()["plugins"]?[0]?["state"]?.string == "trusted"
    }
    for answer in ["n\n", "yes\n", "", "\n"] {
      let piped = try await ProcessRunner.run(
        forageBinary, ["plugin", "trust", "acme"], environment: program.environment, stdin: Data(answer.utf8))
      #expect(piped.status == 2 && piped.err.contains("--yes"), "\(answer.debugDescription): \(piped.err)")
      #expect(try await !isTrusted(), "\(answer.debugDescription)")
    }
    for answer in ["n\n", "yess\n", "y e s\n", "\n", "no\n"] {
      let asked = try await ProcessRunner.runInTerminal(
        forageBinary, ["plugin", "trust", "acme"], environment: program.environment, stdin: Data(answer.utf8))
      #expect(asked.status == 2, "\(answer.debugDescription): \(asked.out)")
      #expect(try await !isTrusted(), "\(answer.debugDescription)")
    }
    let agreed = try await ProcessRunner.runInTerminal(
      forageBinary, ["plugin", "trust", "acme"], environment: program.environment, stdin: Data(" Yes \n".utf8)
    )
    #expect(agreed.status == 0, "\(agreed.out)")
    #expect(try await isTrusted())
  }

  /// A new version takes the place of the old one and has to be trusted anew; one that is broken changes
  /// nothing.
  @Test func replacing() async throws {
    let program = try program()
    let folder = try write(program)
    #expect(try await program.run(["plugin", "install", folder, "--yes"]).status == 0)
    let installed = program.home.data.appendingPathComponent("forage/plugins").path
    try (Self.plugin + "\n# two\n").write(toFile: folder + "/acme.py", atomically: true, encoding: .utf8)
    let replaced = try await program.run(["plugin", "install", folder, "--force"])
    #expect(replaced.status == 0 && expectMessages(replaced).first?.contains("not trusted") == true)
    #expect(try String(contentsOfFile: installed + "/acme/acme.py", encoding: .utf8).hasSuffix("# two\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: installed).filter { $0.contains("acme") } == [
        "acme"
      ])
    #expect(try await program.run(["search", "kit", "-p", "acme"]).status == 2)
    try FileManager.default.removeItem(atPath: folder + "/acme.py")
    #expect(try await program.run(["plugin", "install", folder, "--force", "--yes"]).status == 2)
    #expect(FileManager.default.fileExists(atPath: installed + "/acme/acme.py"))
  }

  @Test func turnedOffAndOn() async throws {
    let program = try program()
    let folder = try write(program)
    #expect(try await program.run(["plugin", "install", folder, "--trust"]).status == 0)
    func supports() async throws -> Bool {
      let found = try await program.run(["search", "kit", "--format", "json"])
      return try found.json().provider("acme") != nil
    }
    #expect(try await supports())
    #expect(try await program.run(["providers", "disable", "acme"]).status == 0)
    #expect(try await !supports())
    let providers = try await program.run(["providers", "--format", "json"]).json()
    let row = try #require(providers.provider("acme"))
    #expect(row["origin"]?.string == "plugin" && row["enabled"]?.bool == false)
    #expect(
      row["qualifiers"]?["language"]?.string == "exact"
        && row["sorts"]?.array.compactMap(\.string) == ["stars"])
    #expect(try await program.run(["providers", "enable", "acme"]).status == 0)
    #expect(try await supports())
  }

  /// A plugin sees nothing but what it was given.
  @Test func secretsAndSettings() async throws {
    let program = try program()
    let folder = try write(program, secrets: #"["token"]"#)
    _ = try program.home.directory.write(
      "home/.config/forage/config.yaml",
      """
      providers:
        acme: {config: {url: "https://acme.internal"}, secrets: {token: {env: ACME_TOKEN}}}

      """)
    let secrets = ["ACME_TOKEN": "for-acme", "OTHER_TOKEN": "t0psecret", "GH_TOKEN": "t0psecret"]
    #expect(try await program.run(["plugin", "install", folder, "--trust"], adding: secrets).status == 0)
    let found = try await program.run(
      ["search", "kit", "-p", "acme", "--format", "json", "-v"], adding: secrets)
    #expect(found.status == 0, "\(found.err)")
    let told = try #require(try found.json()["items"]?[0]?["description"]?.string)
    #expect(told.contains(Self.backwards("for-acme")) && told.contains("https://acme.internal"))
    for text in [found.out, found.err] {
      #expect(!text.contains("t0psecret") && !text.contains("ACME_TOKEN") && !text.contains("AWS_"))
    }
    #expect(!found.err.contains("for-acme"))
    // What it does not declare it does not get, and the slip is told.
    try program.home.writeConfig(
      "forage/config.yaml", "providers: {acme: {secrets: {tokn: {env: OTHER_TOKEN}}}}\n")
    let slip = try await program.run(["search", "kit", "-p", "acme"], adding: secrets)
    #expect(slip.status == 2 && slip.err.contains("secret \"tokn\"") && slip.err.contains("\"token\""))
  }

  /// Settings and secrets reach a plugin that is named by its path, and nothing asks for its installation.
  @Test func settingsOfANamedPlugin() async throws {
    let program = try program()
    let folder = try write(program, secrets: #"["token"]"#)
    try program.home.writeConfig(
      "forage/config.yaml",
      "providers:\n  acme: {config: {url: \"https://acme.internal\"}, secrets: {token: {env: ACME_TOKEN}}}\n")
    let secret = ["ACME_TOKEN": "for-acme"]
    let found = try await program.run(
      ["search", "kit", "-p", "acme", "--plugin", folder, "--yes", "--format", "json"], adding: secret)
    #expect(found.status == 0 && found.err.contains("gets the secrets token"), "\(found.err)")
    let told = try #require(try found.json()["items"]?[0]?["description"]?.string)
    #expect(told.contains(Self.backwards("for-acme")) && told.contains("https://acme.internal"))
    let validated = try await program.run(["plugin", "validate", folder, "--offline"], adding: secret)
    #expect(validated.status == 0, "\(validated.err)")
    // Without it the settings are for nobody, which only two commands say.
    let other = try await program.run(["search", "kit", "-p", "local"])
    #expect(!other.err.contains("acme"))
    let providers = try await program.run(["providers"])
    #expect(providers.status == 0 && expectMessages(providers).contains { $0.contains("\"acme\"") })
  }

  /// A plugin with two providers: `config` and `secrets` under its own id, the rest under the ids of the
  /// providers.
  @Test func settingsOfAPluginWithTwoProviders() async throws {
    let program = try program()
    let declarations = ["one", "two"].map {
      #"{"id": "\#($0)", "name": "\#($0)", "kinds": {"repo": {"sorts": ["stars"]}}}"#
    }.joined(separator: ", ")
    let folder = try program.writePlugin(
      "pair", Self.plugin, kinds: "",
      adding: """
        "hosts": ["acme.example"], "secrets": ["token"], "config": {"url": {"default": "https://acme.example"}},
         "providers": [\(declarations)]
        """)
    #expect(try await program.run(["plugin", "install", folder, "--yes"]).status == 0)
    try program.home.writeConfig(
      "forage/config.yaml",
      """
      providers:
        pair: {config: {url: "https://acme.internal"}, secrets: {token: {env: PAIR_TOKEN}}}
        one: {weight: 3}
        two: {enabled: false}
        github: {enabled: false}

      """)
    let secret = ["PAIR_TOKEN": "for-pair"]
    let found = try await program.run(["search", "kit", "--format", "json"], adding: secret)
    #expect(found.status == 0 && found.err == "", "\(found.err)")
    let json = try found.json()
    #expect(json.provider("one")?["state"]?.string == "ok" && json.provider("two") == nil)
    let told = try #require(json["items"]?[0]?["description"]?.string)
    #expect(told.contains(Self.backwards("for-pair")) && told.contains("https://acme.internal"))
    let shown = try await program.run(["providers", "show", "one", "--format", "table"], adding: secret)
    #expect(shown.status == 0 && shown.out.contains(/Weight +3\.0000\n/), "\(shown.out) \(shown.err)")
    let list = try await program.run(["providers", "show", "one", "--format", "json"], adding: secret).json()
    #expect(list["config"]?.array.compactMap(\.string) == ["url"])
    #expect(list["secrets"]?.array.compactMap(\.string) == ["token"])
    // Under the wrong one of its ids a setting is an error that names the right one.
    for (line, id) in [("one: {config: {url: x}}", "pair"), ("pair: {weight: 2}", "one")] {
      try program.home.writeConfig("forage/config.yaml", "providers:\n  \(line)\n")
      let wrong = try await program.run(["search", "kit", "-p", "one"], adding: secret)
      #expect(wrong.status == 2 && wrong.err.contains("config.yaml:2: "), "\(wrong.err)")
      #expect(wrong.err.split(separator: "\n").last?.contains(id) == true, "\(wrong.err)")
    }
  }

  @Test func manifests() async throws {
    let server = try await LoopbackServer.start { request in
      let items = (0..<3).map { #"{"name": "\#(request.query("q") ?? "")\#($0)", "downloads": \#($0)}"# }
      return .json(body: "{\"crates\": [\(items.joined(separator: ","))]}")
    }
    let program = try program()
    let file = try program.home.directory.writeShop(
      "home/shop.yaml", at: "\(server.baseURL)/api", items: "$.crates[*]"
    ).path
    let validated = try await program.run(["plugin", "validate", file, "--offline"])
    #expect(validated.status == 0, "\(validated.err)")
    #expect(try await program.run(["plugin", "install", file]).status == 0)
    let found = try await program.run(["search", "a&b=c/../", "-k", "package", "-p", "shop"])
    #expect(found.status == 0 && found.out.hasPrefix("a&b=c/../0\t"), "\(found.out) \(found.err)")
    let providers = try await program.run(["providers", "--format", "json"]).json()
    #expect(providers.provider("shop")?["origin"]?.string == "manifest")

    let broken = try String(contentsOfFile: file, encoding: .utf8).replacing("items:", with: "itmes:")
    try broken.write(toFile: file, atomically: true, encoding: .utf8)
    let refused = try await program.run(["plugin", "validate", file])
    #expect(refused.status == 2 && refused.err.contains("shop.yaml:6: \"itmes\" is not a known key"))
    #expect(refused.err.contains("hint: did you mean \"items\"?"))
    #expect(try await program.run(["plugin", "install", file, "--force"]).status == 2)
    #expect(try await program.run(["plugin", "remove", "shop"]).status == 0)
    #expect(try await !program.run(["plugin", "list"]).out.contains("shop\t"))
    await server.stop()
  }

  /// From a repository, at the commit that is named.
  @Test func fromGit() async throws {
    let program = try program()
    let repository = try await TemporaryRepository.make("forge/acme", in: program.home.directory)
    let description = #"""
      {"forage": 1, "id": "acme", "name": "Acme", "version": "1", "command": ["python3", "acme.py"], "files": ["acme.py"], "kinds": ["repo"]}
      """#
    let first = try await repository.commit(
      "one", files: ["acme.py": Self.plugin, "plugin.json": description])
    try await repository.commit("two", files: ["acme.py": "import sys\nsys.exit(3)\n"])
    let address = "file://" + repository.path
    let installed = try await program.run(["plugin", "install", "\(address)#\(first)", "--trust"])
    #expect(installed.status == 0 && installed.err.contains("at commit \(first)"), "\(installed.err)")
    #expect(try await program.run(["search", "kit", "-p", "acme"]).status == 0)
    let newest = try await program.run(["plugin", "install", address, "--trust", "--force"])
    #expect(newest.status == 0, "\(newest.err)")
    let found = try await program.run(["search", "kit", "-p", "acme"])
    #expect(found.status == 4 && found.err.contains("status 3"), "\(found.err)")
    let missing = try await program.run(["plugin", "install", address + "-gone"])
    #expect(missing.status == 4 && missing.err.contains("does not appear to be a git repository"))
  }

  /// What changes is shown before it is replaced, and nothing is replaced without an answer.
  @Test func upgrading() async throws {
    let program = try program()
    let repository = try await TemporaryRepository.make("forge/acme", in: program.home.directory)
    func description(_ version: Int, _ hosts: String) -> String {
      """
      {"forage": 1, "id": "acme", "name": "Acme", "version": "\(version)", "command": ["python3", "acme.py"],
       "files": ["acme.py"], "hosts": [\(hosts)], "kinds": ["repo"]}
      """
    }
    try await repository.commit(
      "one", files: ["acme.py": Self.plugin, "plugin.json": description(1, #""acme.example""#)])
    #expect(try await program.run(["plugin", "install", repository.path + "/.git", "--trust"]).status == 0)
    let same = try await program.run(["plugin", "upgrade"])
    #expect(same.status == 0 && same.err.contains("acme is up to date at commit"), "\(same.err)")

    let second = try await repository.commit(
      "two", files: ["plugin.json": description(2, #""acme.example", "other.example""#)])
    let refused = try await program.run(["plugin", "upgrade", "acme"])
    #expect(refused.status == 2 && refused.err.contains("--yes"), "\(refused.err)")
    #expect(refused.out.contains("Acme 1 to Acme 2") && refused.out.contains("new: other.example"))
    #expect(try await program.run(["plugin", "list"]).out.contains("acme\t1\t"))
    #expect(refused.out.contains(" to \(second.prefix(7))") && refused.out.contains("plugin.json"))
    // Nobody reads what it prints, and it is replaced and trusted all the same.
    let command = "{ sleep 0.5; '\(try forageBinary.path)' plugin upgrade --yes; } | true"
    _ = try await ProcessRunner.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", command], environment: program.environment)
    let upgraded = try await program.run(["plugin", "upgrade", "--yes"])
    #expect(upgraded.status == 0 && upgraded.err.contains("acme is up to date at commit \(second)"))
    #expect(try await program.run(["search", "kit", "-p", "acme"]).status == 0)

    // Another plugin does not take its place.
    let other = description(2, #""acme.example", "other.example""#).replacing(#""acme""#, with: #""other""#)
    try await repository.commit("other", files: ["plugin.json": other])
    let instead = try await program.run(["plugin", "upgrade", "acme", "--yes"])
    #expect(instead.status == 2 && instead.err.contains("has the plugin other now"), "\(instead.err)")
    try await repository.git("reset --quiet --hard HEAD~1")

    // The first digits of a commit do, and a folder is asked again as well.
    let older = "\(repository.path)#\(second.prefix(8))"
    let again = try await program.run(["plugin", "install", older])
    #expect(again.status == 0 && again.err.contains("at commit \(second)"), "\(again.err)")
    #expect(try await program.run(["plugin", "install", repository.path, "--force"]).status == 0)
    try (Self.plugin + "\n# three\n").write(
      toFile: repository.path + "/acme.py", atomically: true, encoding: .utf8)
    let files = try await program.run(["plugin", "upgrade", "acme", "--yes"])
    #expect(files.status == 0 && files.out.contains("its files differ"), "\(files.out) \(files.err)")
    #expect(try await program.run(["plugin", "remove", "acme"]).status == 0)
    let removed = try await program.run(["plugin", "upgrade"])
    #expect(removed.status == 2 && removed.err.contains("plugin list"), "\(removed.err)")
  }

  /// How long a plugin may take to start is a setting; what it adds, and what its actions cannot do, is told.
  @Test func startAndActions() async throws {
    let program = try program()
    let folder = try program.writePlugin(
      "acme", "import time\ntime.sleep(1)\n" + Self.plugin,
      adding: #""actions": [{"name": "cite", "key": "g", "run": ["no-such-program", "{id}", "{version}"]}]"#)
    let wrong = try program.writePlugin(
      "wrong", Self.plugin, adding: #""actions": [{"name": "cite", "run": ["true", "{titel}"]}]"#)
    let refused = try await program.run(["plugin", "validate", wrong, "--offline"])
    #expect(refused.status == 2 && refused.err.contains("did you mean title?"), "\(refused.err)")
    let validated = try await program.run(["plugin", "validate", folder, "--offline"])
    #expect(validated.status == 0 && validated.err.contains("a key of browse"), "\(validated.err)")
    #expect(try await program.run(["plugin", "install", folder, "--trust"]).status == 0)
    try program.home.writeConfig("forage/config.yaml", "providers: {acme: {start: 0.3}}\n")
    let late = try await program.run(["search", "kit", "-p", "acme"])
    #expect(late.status == 4 && late.err.contains("within 0.3 s of its start"), "\(late.err)")
    try program.home.writeConfig("forage/config.yaml", "providers: {acme: {start: 60}}\n")
    #expect(try await program.run(["search", "kit", "-p", "acme"]).status == 0)
    let doctor = try await program.run(["doctor", "--format", "tsv"])
    #expect(doctor.out.contains("no-such-program") && doctor.out.contains("actions cite"), "\(doctor.out)")
    try program.home.writeConfig("forage/config.yaml", "providers: {npm: {start: 10}}\n")
    let unknown = try await program.run(["providers", "show", "npm"])
    #expect(unknown.err.contains("start"), "\(unknown.err)")
  }

  @Test(arguments: ["python", "manifest"])
  func templates(_ kind: String) async throws {
    let program = try program()
    let written = try await program.run(["plugin", "new", "shop", "--kind", kind])
    #expect(written.status == 0 && written.out.contains("shop/README.md"), "\(written.err)")
    let validated = try await program.run(["plugin", "validate", "shop"], timeout: .seconds(120))
    #expect(validated.status == 0, "\(validated.out) \(validated.err)")
    let again = try await program.run(["plugin", "new", "shop", "--kind", kind])
    #expect(again.status == 2 && again.err.contains("already exists"))
  }

  /// Its description is valid before anything is built, but for the program.
  @Test func theTemplateInSwift() async throws {
    let program = try program()
    #expect(try await program.run(["plugin", "new", "shop", "--kind", "swift"]).status == 0)
    try program.home.directory.write("home/shop/.build/release/shop", "", mode: 0o755)
    let validated = try await program.run(["plugin", "validate", "shop", "--offline"])
    #expect(validated.status == 0, "\(validated.err)")
  }

  /// A folder that is no plugin is a mistake in the command line, as a path that is not there.
  @Test(arguments: [["search", "x", "--plugin"], ["feed", "--plugin"], ["plugin", "validate"]])
  func aFolderThatIsNoPlugin(_ command: [String]) async throws {
    let program = try program()
    try program.home.directory.makeDirectory("home/nothing")
    let refused = try await program.run(command + ["nothing"])
    #expect(refused.status == 2 && refused.out == "", "\(refused.err)")
    #expect(expectMessages(refused).first?.contains("plugin.json") == true)
    #expect(refused.err.contains("forage plugin new"))
  }

  @Test(
    arguments: [
      (["plugin", "new", "Not An Id", "--kind", "python"], "Not An Id"),
      (["plugin", "new", "x", "--kind", "ruby"], "ruby"),
      (["plugin", "new", "github", "--kind", "python"], "github"), (["plugin", "trust", "acme"], "acme"),
      (["plugin", "remove", "acme"], "acme"),
      (["plugin", "upgrade", "acme"], "acme"), (["plugin", "validate", "nowhere"], "nowhere"),
      (["plugin", "install", "nowhere"], "nowhere"), (["plugin", "install", "--", "-x"], "-x"),
      (["providers", "enable", "githob"], "githob"), (["search", "x", "--plugin", "nowhere"], "nowhere"),
      (["search", "x", "--plugin", "nowhere.yaml"], "nowhere.yaml"),
    ] as [([String], String)])
  func mistakes(_ arguments: [String], _ name: String) async throws {
    let refused = try await program().run(arguments)
    #expect(refused.out.isEmpty && [2, 4].contains(refused.status), "\(refused.out)")
    #expect(expectMessages(refused).first?.contains(name) == true, "\(refused.err)")
  }
}
