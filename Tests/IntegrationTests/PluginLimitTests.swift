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
            answer["result"] = {"protocol": 1, "plugin": {"name": "acme", "version": "1"}, "providers": [
                {"id": "acme", "name": "Acme", "kinds": ["repo"], "text": "inexact"}]}
        else:
            answer["error"] = {"code": 1003, "message": "too many calls", "data": {"retryAfterMs": 60000}}
        print(json.dumps(answer), flush=True)

    """#

  @Test func isKeptForTheNextCommand() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin", "ACME_TOKEN": "0123456789"])
    let directory = program.home.directory
    try directory.write("home/acme/acme.py", Self.plugin)
    let folder = try directory.write(
      "home/acme/plugin.json",
      """
      {"forage": 1, "id": "acme", "name": "Acme", "version": "1", "command": ["python3", "acme.py"],
       "files": ["acme.py"], "kinds": ["repo"], "secrets": ["token"]}
      """
    ).deletingLastPathComponent().path
    let search = ["search", "kit", "-p", "acme", "--plugin", folder, "--yes"]
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
}
