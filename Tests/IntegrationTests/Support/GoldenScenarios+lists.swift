import Foundation
import TestSupport

extension GoldenScenario {
  /// All scenarios.
  static let all: [GoldenScenario] =
    kinds + [providers, providerPages, sorts, queries, usage, pages, next, offline, code, color]
    + [favorites, stars, noToken, show, browser, opening] + failures + inspections

  /// Every kind in every format.
  private static let kinds = ["repo", "code", "issue", "pr", "commit", "user", "topic"].map { kind in
    GoldenScenario(
      name: "kind-\(kind)", environment: GoldenWorld.token,
      steps: [
        "search http -k \(kind)", "search http -k \(kind) --format table",
        "search http -k \(kind) --format json", "search http -k \(kind) --format ndjson",
        "search http -k \(kind) --format markdown", "search http -k \(kind) --json id,title,url,sources",
        .terminal(["search http -k \(kind)", "search http -k \(kind) --explain -L 1"]),
      ])
  }

  /// Makes a clone of the first repository, a plugin and a manifest.
  @Sendable private static func addProviders(_ run: GoldenRun) async throws {
    try await run.addClones(["owner/http-client"])
    try run.program.writePlugin("acme", GoldenWorld.plugin, adding: #""hosts": ["acme.example"]"#)
    try await run.prepare("plugin install acme --trust")
    try run.program.home.directory.writeShop(
      "home/shop.yaml", at: run.servers[1].baseURL + "/api", fields: ["description: $.about"])
    try await run.prepare("plugin install shop.yaml")
  }

  /// GitHub, clones, a plugin and a manifest in one list.
  private static let providers = GoldenScenario(
    name: "providers", environment: GoldenWorld.programs, others: [GoldenWorld.shop], setUp: addProviders,
    steps: [
      "search http -k repo,package", "search http -k repo,package --format json",
      "search http --explain", "search http -p local", "search http -p local --format json",
      "search http -p github", "search http -p acme,shop -k repo,package",
      "search 'http stars:>10' -p acme --format json", "search http --sort stars -p acme,local --format json",
      .terminal(["search http -k repo,package", "search http -p local"]),
    ])

  private static let providerPages = GoldenScenario(
    name: "providers-list", environment: GoldenWorld.programs, others: [GoldenWorld.shop],
    setUp: addProviders,
    steps: [
      "providers", "providers --format json", "providers show github", "providers show acme",
      "providers show shop --format json", "providers show nope",
      .terminal(["providers", "providers show local"]),
    ])

  private static let sorts = GoldenScenario(
    name: "sorts", setUp: { try await $0.addClones(["owner/http-client", "me/http-own"]) },
    steps: [
      "search http --sort stars", "search http --sort stars --order asc --json title,stars,sources",
      "search http --sort updated --order asc", "search 'http sort:updated-asc' --json title,updatedAt",
      "search http --sort stars --format json -L 1", "search http --sort stars -p local",
      "search http --sort path -p github,local --json title",
    ])

  /// Mistakes and warnings of the query.
  private static let queries = GoldenScenario(
    name: "queries", setUp: { try await $0.addClones(["owner/http-client"]) },
    steps: [
      "search 'http stars:>400'", "search 'http stars:>400' --explain", "search 'http stars:>400' -p local",
      "search 'http stars:>400' -p github,local --format json",
      "search 'http stars:>400' -p local --format json",
      "search 'http case:yes'", "search 'http bogus:x'", "search 'http lenguage:swift'",
      "search 'http stars:>abc'", "search '日本 stars:>abc'", "search 'http (client'",
      "search 'http \"client'", "search 'http NOT'", "search 'http language:swift -kit OR wide'",
      "search nothinglike", "search nothinglike --format json", "search nothinglike -p local --strict",
    ])

  private static let usage = GoldenScenario(
    name: "usage",
    steps: [
      "search http -L 0", "search http --sort nonsense", "search http -k nonsense", "search ''", "search",
      "search http -p nope", "search http --order sideways", "search http --format yaml",
      "search http --json nope", "search http --offline --no-cache", "search http --nope", "serch http",
      "show '??'", "show 3", "feed x", "feed --sample 0", "search http -k package",
    ])

  private static let pages = GoldenScenario(
    name: "pages", service: { GoldenWorld.numbered(130) },
    steps: [
      "search match -L 5", "search match -L 5 --format json", "search match -L 120 --json title",
      "search match -L 120 -p github --strict --json title",
      .change { $0.github.fail(.serverError, path: "/search", page: 2) },
      "search match -L 120 -p github --no-cache --json title", "search match -L 120 --no-cache --json title",
    ])

  private static let next = GoldenScenario(
    name: "next", service: { GoldenWorld.numbered(12) },
    steps: [
      .terminal(["search --next"]),
      .terminal([
        "search match -L 5", "search --next", "search --next", "search --next",
        "search match -L 2 --no-number",
      ]),
      "search --next",
    ])

  /// Makes what is cached two hours older.
  @Sendable private static func ageCache(_ run: GoldenRun) async throws {
    let folder = run.program.cacheFolder.path
    let script = """
      import glob, json
      for path in glob.glob("\(folder)/answers/*/*"):
          with open(path, "rb") as file:
              head, body = file.read().split(b"\\n", 1)
          head = json.loads(head)
          head["validatedAtMs"] -= 7200000
          with open(path, "wb") as file:
              file.write(json.dumps(head).encode() + b"\\n" + body)
      """
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script], environment: GoldenWorld.programs)
    guard result.status == 0 else {
      throw SupportError(
        code: .program, message: "the cache was not aged: \(result.err)", hint: "see its files")
    }
  }

  /// Without the network, with and without a cached answer, and with an old answer of a server that fails.
  private static let offline = GoldenScenario(
    name: "offline", keepsCache: true, setUp: { try await $0.addClones(["owner/http-client"]) },
    steps: [
      "search http --offline", "search http --offline -p github --format json", "search http --json title",
      // A fresh answer would become an old one while a command waits for its turn.
      .change(ageCache), "search http --offline --json title,sources",
      "search http --offline --format json -L 1", .change { $0.github.fail(.serverError) },
      "search http", "search http --strict --json title", "search http --format json",
      "search http --offline",
      .terminal(["search http"]),
      "search http --no-cache -p github",
    ])

  /// Code in clones.
  private static let code = GoldenScenario(
    name: "code-in-clones", keepsCache: true,
    setUp: {
      try await $0.addClones(
        ["owner/one"],
        files: [
          "src/parser.c": "int parse(int x) {\n  return x;\n}\n",
          "src/use.c": "int y = parse(3); // größer\n",
        ])
      let clone = try TemporaryRepository(at: $0.program.source + "/one", in: $0.program.home.directory)
      try await clone.git("update-ref refs/remotes/origin/main HEAD")
    },
    steps: [
      "search parse -k code -p local", "search 'parse(3)' -k code -p local --vimgrep",
      "search parse -k code -p local -C 1 --format json", "search '/a(b/' -k code",
      "search absent -k code -p local", .terminal(["search parse -k code -p local -C 1"]),
    ])

  private static let color = GoldenScenario(
    name: "color",
    steps: [
      "search http --format table --color always", "search http -k issue --format table --color always",
    ])
}
