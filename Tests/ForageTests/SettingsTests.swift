import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageSetup

struct SettingsTests {
  private static let installed = InstalledIDs(
    manifests: ["codeberg"], plugins: ["acme": ["acme"], "pair": ["one", "two"]])

  private func read(_ text: String, installed: InstalledIDs = InstalledIDs()) throws -> Settings {
    let folder = try TemporaryDirectory()
    let file = try folder.write("config.yaml", text)
    return try Settings.read(file.path, types: BuiltInProvider.types) { installed }
  }

  @Test(arguments: ["", "\n", "# nothing\n", "null\n", "providers: {}\n"])
  func nothingIsSet(_ text: String) throws {
    #expect(try read(text).providers.isEmpty)
  }

  @Test func aMissingFileIsEmpty() throws {
    #expect(try Settings.read("/nonexistent/config.yaml", types: []).providers.isEmpty)
  }

  @Test func actions() throws {
    let settings = try read(
      """
      actions:
        - {name: checkout, key: C, title: check out, kinds: [pr], run: [gh, pr, checkout, "{number}"], in: clone}
        - {name: say, run: [echo, "{title}"]}
        - {name: "a b", run: [x]}
        - {name: say, run: [x]}
        - {name: long, key: CC, run: [x]}
        - {name: where, run: [x], in: home}
        - {name: none, run: []}
        - {name: any, run: ["{title}"]}
        - {name: near, run: [./near]}
        - {name: script, run: [sh, -c, "echo {title}"]}

      """)
    #expect(
      settings.actions.prefix(2) == [
        ResultAction(
          name: "checkout", key: "C", title: "check out", kinds: ["pr"],
          command: ["gh", "pr", "checkout", "{number}"], isInClone: true),
        ResultAction(name: "say", command: ["echo", "{title}"]),
      ])
    #expect(settings.actions.map(\.name) == ["checkout", "say", "long", "where"])
    #expect(settings.problems.count == 8)
  }

  @Test func everySetting() throws {
    let settings = try read(
      "providers:\n  github:\n    enabled: false\n    weight: 2\n    timeout: 1.5\n  local: {weight: 0.5}\n")
    #expect(
      settings.providers == [
        "github": .init(isEnabled: false, weight: 2, timeout: .milliseconds(1500)),
        "local": .init(isEnabled: nil, weight: 0.5, timeout: nil),
      ])
  }

  /// Any number in place of each: it is one within bounds, or a problem with its line.
  @Test func hostileNumbers() throws {
    let text = """
      providers:
        github: {weight: 2, timeout: 1.5}
        acme: {config: {depth: 3}}
      code: {maxFileSize: 1000, tabWidth: 8}

      """
    let times = [".inf", "-.inf", ".nan"].map { text.replacing("1.5", with: $0) }
    for text in HostileNumbers.variants(of: text) + times {
      let settings = try read(text, installed: Self.installed)
      let github = settings.providers["github"]
      #expect(github?.timeout.map { .zero < $0 && $0 <= .seconds(3600) } ?? true, "\(text)")
      #expect(github?.weight.map { 0 < $0 && $0 <= 1000 } ?? true, "\(text)")
      #expect(settings.tabWidth > 0 && settings.maximumFileSize > 0, "\(text)")
    }
  }

  /// What is set for plugins and manifests.
  @Test func external() throws {
    let settings = try read(
      """
      providers:
        acme: {enabled: true, config: {url: "https://acme.internal", depth: 3, flags: [a, true]}, secrets: {token: {env: ACME_TOKEN}}}
        forgejo: {type: codeberg, config: {url: "https://git.example"}}

      """, installed: Self.installed)
    #expect(settings.problems.isEmpty)
    #expect(
      settings.providers["acme"]?.config == [
        "url": .string("https://acme.internal"), "depth": .integer(3),
        "flags": .array([.string("a"), .bool(true)]),
      ])
    #expect(settings.providers["acme"]?.secrets == ["token": "ACME_TOKEN"])
    #expect(settings.secretVariables == ["ACME_TOKEN"])
    #expect(settings.providers["forgejo"]?.type == "codeberg" && settings.added == ["forgejo"])
  }

  /// The text, the part that is not used, the line that is named, what is said, and the hint.
  @Test(
    arguments: [
      ("providrs: {}\n", nil, 1, "\"providrs\" is not a known key", "did you mean \"providers\"?"),
      ("a: 1\n", nil, 1, "\"a\" is not a known key", "known: "),
      ("numbers: perhaps\n", nil, 1, "numbers takes true or false", "fix"),
      ("code: {maxFileSize: 0}\n", nil, 1, "maxFileSize takes a whole number from 1 to", "fix"),
      ("code: {tabWidth: 17}\n", nil, 1, "tabWidth takes a whole number from 1 to 16", "fix"),
      ("code: {maxFilesize: 1}\n", nil, 1, "\"maxFilesize\" is not a known key", "did you mean"),
      ("clones: {root: src}\n", .clones, 1, "root takes an absolute path", "for example: root"),
      ("clones: {rooot: ~/src}\n", .clones, 1, "\"rooot\" is not a known key", "did you mean \"root\"?"),
      ("clones: {protocol: git}\n", .clones, 1, "protocol does not accept \"git\"", "accepted values"),
      ("clones: [a]\n", .clones, 1, "clones must be a mapping (name: value)", "fix"),
      (
        "# one\nproviders:\n  githib: {}\n", .provider("githib"), 3, "\"githib\" is not a known provider",
        "did you mean \"github\"?"
      ),
      (
        "providers:\n  github:\n    enabled: true\n    wieght: 1\n", .provider("github"), 4,
        "\"wieght\" is not a known key", "did you mean \"weight\"?"
      ),
      (
        "providers:\n  github:\n    enabled: perhaps\n", .provider("github"), 3,
        "enabled takes true or false",
        "fix"
      ),
      (
        "providers:\n  github:\n    weight: heavy\n", .provider("github"), 3,
        "weight takes a number above 0, at most 1000", "fix"
      ),
      (
        "providers:\n  github:\n    weight: 0\n", .provider("github"), 3,
        "weight takes a number above 0, at most 1000", "fix"
      ),
      (
        "providers:\n  github:\n    weight: 1001\n", .provider("github"), 3,
        "weight takes a number above 0, at most 1000", "fix"
      ),
      (
        "providers:\n  github:\n    weight: .nan\n", .provider("github"), 3,
        "weight takes a number above 0, at most 1000", "fix"
      ),
      (
        "providers:\n  github:\n    timeout: 3601\n", .provider("github"), 3,
        "timeout takes seconds above 0, at most 3600", "fix"
      ),
      (
        "providers:\n  github:\n    timeout: .inf\n", .provider("github"), 3,
        "timeout takes seconds above 0, at most 3600", "fix"
      ),
      (
        "providers:\n  github: yes\n", .provider("github"), 2, "a provider must be a mapping (name: value)",
        "for example: github: {"
      ),
      (
        "providers:\n  acme:\n    secrets: {token: t0psecret}\n", .provider("acme"), 3,
        "a secret must be a mapping (name: value)", "write secrets: {token: {env: NAME}}"
      ),
      (
        "providers:\n  acme: {ulr: x}\n", .provider("acme"), 2, "\"ulr\" is not a known key",
        "did you mean \"url\"?"
      ),
      (
        "providers:\n  tea: {typ: gitea, url: \"https://tea.example\"}\n", .provider("tea"), 2,
        "\"typ\" is not a known key", "did you mean \"type\"?"
      ),
      (
        "providers:\n  akme: {weight: 2}\n", .provider("akme"), 2, "\"akme\" is not a known provider",
        "did you mean \"acme\"?"
      ),
      ("providers:\n  x: {type: acme}\n", .provider("x"), 2, "type takes github, local or", "for example"),
      (
        "providers:\n  one: {config: {a: 1}}\n", .provider("one"), 2, "config is set for the plugin pair",
        "move it: pair"
      ),
      (
        "providers:\n  pair: {weight: 2}\n", .provider("pair"), 2,
        "weight is set for each provider of the plugin pair", "move it: one"
      ),
    ] as [(String, Settings.Section?, Int, String, String)])
  func mistakes(_ text: String, _ section: Settings.Section?, _ line: Int, _ message: String, _ hint: String)
    throws
  {
    let problems = try read(text, installed: Self.installed).problems
    let problem = try #require(problems.first)
    #expect(problems.count == 1 && problem.section == section)
    #expect(problem.error.message.contains("/config.yaml:\(line): \(message)"), "\(problem.error.message)")
    #expect(problem.error.hint.hasPrefix(hint), "\(problem.error.hint)")
    #expect(problem.error.code == .usage && !problem.error.message.contains("t0psecret"))
  }

  /// The manual shows every setting with its key.
  @Test func manual() {
    let ofProviders = (Settings.Provider.common + Settings.Provider.ofPlugins).map(\.name)
    let names = Settings.sections.flatMap { ($0.name.map { [$0] } ?? []) + $0.settings.map(\.name) }
    for name in ofProviders + names {
      let isShown = Settings.manual.split { !$0.isLetter }.contains { $0 == name }
      #expect(isShown, "\(name)")
    }
  }

  /// What is not understood leaves the rest as it is, also of the same part where that is no setting of a
  /// provider.
  @Test func theRestIsRead() throws {
    let settings = try read(
      """
      numbers: false
      colour: red
      clones: {root: ~/code, protocol: gopher}
      code: {maxFileSize: 1000, tabWidth: 8, depth: 2}
      providers:
        github: {weight: 2}
        local: {weight: heavy, timeout: 3, enabled: false}

      """)
    #expect(!settings.showsNumbers && settings.clones.root == "~/code" && settings.maximumFileSize == 1000)
    #expect(settings.tabWidth == 8 && Settings().tabWidth == 4)
    #expect(settings.providers["github"] == .init(weight: 2))
    // Whether it is asked at all holds, so that nothing is reported of a provider that is disabled.
    #expect(settings.providers["local"] == .init(isEnabled: false))
    #expect(settings.problems.map(\.section) == [nil, .clones, nil, .provider("local")])
    #expect(settings.problem(of: "local")?.code == .configuration && settings.problem(of: "github") == nil)
    #expect(throws: ForageError.self) { try settings.check(.clones) }
  }

  /// Without these nothing is known of any provider.
  @Test(
    arguments: [
      ("just text\n", 1, "the settings must be a mapping (name: value)", "fix"),
      (
        "providers:\n  - github\n", 2, "providers must be a mapping (name: value)",
        "for example: providers: {"
      ),
      ("providers:\n  [a, b]: {}\n", 2, "a name must be plain text", "fix"),
      ("providers: &all {}\n", 1, "anchors, aliases and tags", "write the value out"),
    ])
  func noSettings(_ text: String, _ line: Int, _ message: String, _ hint: String) {
    let error = #expect(throws: ForageError.self) { try read(text) }
    #expect(error?.message.contains("/config.yaml:\(line): \(message)") == true, "\(error?.message ?? "")")
    #expect(error?.hint.hasPrefix(hint) == true && error?.code == .usage)
  }

  @Test(
    arguments: [
      ("providers: [\n", "2:1: this is not valid YAML: a value is missing"),
      ("\"", "1:2: this is not valid YAML: a quoted text has no end"),
      ("a: b: c\n", "1:5: this is not valid YAML: a colon cannot stand here"),
      ("\t\tx", "1:1: this is not valid YAML: no value can begin with this character"),
      ("*nothing\n", "1:1: this is not valid YAML"),
      ("numbers: true\nnumbers: false\n", "1: \"numbers\" occurs twice"),
    ])
  func notYAML(_ text: String, _ message: String) {
    #expect { try read(text) } throws: { error in
      (error as? ForageError)?.message.hasSuffix("/config.yaml:" + message) == true
    }
  }

  @Test func notUTF8() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("config.yaml", data: .init([0x61, 0xFF, 0xFE, 0x0A]))
    #expect { try Settings.read(file.path, types: []) } throws: { error in
      (error as? ForageError)?.message.hasSuffix("/config.yaml: the file is not UTF-8 text") == true
    }
  }

  @Test(
    arguments: [
      (["HOME": "/h"], "/h/.config/forage/config.yaml", "/h/.local/share/forage/forage.db"),
      (
        ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"], "/c/forage/config.yaml",
        "/d/forage/forage.db"
      ),
      (
        ["HOME": "/h", "XDG_CONFIG_HOME": "relative", "XDG_DATA_HOME": ""], "/h/.config/forage/config.yaml",
        "/h/.local/share/forage/forage.db"
      ),
    ] as [([String: String], String, String)])
  func paths(_ environment: [String: String], _ config: String, _ store: String) {
    let paths = Paths(environment: environment)
    #expect(paths.configFile == config)
    #expect(paths.storeFile == store)
  }

  /// Some services run without `HOME`; nothing of theirs belongs into the root of the file system.
  @Test(arguments: [[:], ["HOME": ""]])
  func aMissingHome(_ environment: [String: String]) throws {
    let entry = try #require(getpwuid(getuid()))
    let home = try #require(entry.pointee.pw_dir)
    let paths = Paths(environment: environment)
    #expect(paths.cacheFolder == String(cString: home) + "/.cache/forage")
  }
}
