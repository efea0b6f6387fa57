import Foundation
import TestSupport
import Testing

/// A limit that a plugin has reported holds for the commands after it.
@Suite struct PluginLimitTests {
  /// A plugin that counts its starts, and answers every search with a limit of a minute.
  private static let plugin = #"""
    import json, sys
    open("starts", "a").write("x")
    for line in sys.stdin:
        call = json.loads(line)
        if "id" not in call:
            continue
        answer = {"jsonrpc": "2.0", "id": call["id"]}
        if call["method"] == "initialize":
            answer["result"] = {"protocol": 1, "version": "1"}
        else:
            answer["error"] = {"code": 1003, "message": "too many calls", "data": {"retryAfterMs": 60000}}
        print(json.dumps(answer), flush=True)

    """#

  @Test func isKeptForTheNextCommand() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin", "ACME_TOKEN": "0123456789"])
    let directory = program.home.directory
    let folder = try program.writePlugin("acme", Self.plugin, adding: #""secrets": ["token"]"#)
    let search = ["search", "kit", "-p", "acme", "--plugin", folder, "-y"]
    func starts() throws -> Int { try String(contentsOfFile: folder + "/starts", encoding: .utf8).count }

    let first = try await program.run(search)
    #expect(first.status == 4 && first.err.contains("reported: too many calls (until "), "\(first.err)")
    for _ in 0..<2 {
      let next = try await program.run(search + ["--format", "json"])
      #expect(next.status == 4 && next.err.contains("the limit of Acme is exceeded until "), "\(next.err)")
      let outcome = try next.json().provider("acme")
      #expect(outcome?["state"]?.string == "rate_limited")
      #expect((1...60_000).contains(outcome?["error"]?["retryAfterMs"]?.int ?? 0))
    }
    #expect(try starts() == 1)
    let doctor = try await program.run(["doctor"])
    #expect(doctor.out.contains("acme: its plugin is not asked until "), "\(doctor.out)")

    // With another secret, or other files, the limit may be another.
    try program.home.writeConfig(
      "forage/config.yaml", "providers:\n  acme: {secrets: {token: {env: ACME_TOKEN}}}\n")
    #expect(try await program.run(search).err.contains("too many calls"))
    #expect(try await program.run(search).err.contains("is exceeded until"))
    #expect(try starts() == 2)
    try directory.write("home/acme/acme.py", Self.plugin + "# another version\n")
    #expect(try await program.run(search).err.contains("too many calls"))
    #expect(try starts() == 3)
  }

  /// A limit in a result holds, too: the results are shown, and the plugin is not asked again.
  @Test func ofAResultIsKept() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    let directory = program.home.directory
    try directory.write(
      "home/acme/acme.py",
      Self.plugin.replacing(
        #"answer["error"] = {"code": 1003, "message": "too many calls", "data": {"retryAfterMs": 60000}}"#,
        with: #"answer["result"] = {"count": 0, "next": "2", "rate": {"remaining": 0, "resetMs": 60000}}"#))
    let folder = try directory.write(
      "home/acme/plugin.json",
      """
      {"forage": 1, "id": "acme", "name": "Acme", "version": "1", "command": ["python3", "acme.py"],
       "files": ["acme.py"], "kinds": ["repo"]}
      """
    ).deletingLastPathComponent().path
    for _ in 0..<2 {
      let run = try await program.run(
        ["search", "kit", "-p", "acme", "--plugin", folder, "-y", "--format", "json"])
      #expect(run.err.contains("the limit of Acme is exceeded until "), "\(run.err)")
      #expect(try run.json().provider("acme")?["state"]?.string != "ok")
    }
    #expect(try String(contentsOfFile: folder + "/starts", encoding: .utf8) == "x")
  }

  /// The limit of a manifest's server counts for the secret that its next request has, which `doctor` knows.
  @Test func doctorKnowsTheSecretsOfManifests() async throws {
    let server = try await LoopbackServer.start { _ in
      .json(status: 429, headers: [("Retry-After", "60")], body: "{}")
    }
    let program = try Program(adding: ["SHOP_TOKEN": "0123456789"])
    try program.home.writeConfig(
      "forage/config.yaml", "providers:\n  shop: {secrets: {token: {env: SHOP_TOKEN}}}\n")
    let file = try program.home.directory.write(
      "home/shop.yaml",
      """
      forage: 1
      id: shop
      name: Shop
      kinds: [package]
      base: \(server.baseURL)
      request: {url: "{base}/api", params: {q: "{text}"}}
      auth: {secret: token, bearer: true}
      items: $.items[*]
      map: {id: $.name, url: $.url, title: $.name}

      """
    ).path
    #expect(try await program.run(["plugin", "install", file, "--yes"]).status == 0)
    let search = ["search", "kit", "-k", "package", "-p", "shop", "--timeout", "5"]
    #expect(try await program.run(search).err.contains("the rate limit of Shop is exceeded until "))
    let host = "127.0.0.1:\(server.port)"
    func limits(_ extra: [String: String] = [:]) async throws -> [String] {
      try await program.run(["doctor", "--format", "tsv"], adding: extra).outLines.filter {
        $0.hasPrefix("limit\t") && $0.contains("search to \(host)")
      }
    }
    let own = try await limits()
    #expect(own.count == 1 && own[0].contains("with the token from SHOP_TOKEN: no request until "), "\(own)")
    #expect(own.first?.contains("wait, or search with") == true, "\(own)")
    let other = try await limits(["SHOP_TOKEN": "9876543210"])
    #expect(other.first?.contains("with another token: no request until ") == true, "\(other)")
    await server.stop()
  }
}
