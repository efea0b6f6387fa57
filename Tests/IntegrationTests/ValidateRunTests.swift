import Foundation
import TestSupport
import Testing

/// What `forage plugin validate` finds, and what else an author sees of a plugin.
@Suite struct ValidateRunTests {
  /// A plugin in Python with a list of 12 repositories; a test changes one thing about it.
  private static let plugin = #"""
    import json, os, subprocess, sys, time

    MEMORY = {}

    def send(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def cursor(start):
        return str(start)

    def start(text):
        if text is None:
            return 0
        if not text.isdecimal():
            raise ValueError(text)
        return int(text)

    def items(found):
        return found

    def at_end():
        pass

    # CHANGES

    ALL = [{"id": "acme/http-%d" % number, "kind": "repo", "title": "acme/http-%d" % number,
            "url": "https://acme.example/acme/http-%d" % number, "fields": {"description": "http"}} for number in range(12)]

    for line in sys.stdin:
        call = json.loads(line)
        if "id" not in call:
            continue
        params = call.get("params")
        if call["method"] == "initialize":
            send({"id": call["id"], "result": {"protocol": 1, "version": "1"}})
            continue
        try:
            begin = start(params["cursor"])
        except (ValueError, KeyError):
            send({"id": call["id"], "error": {"code": 1006, "message": "the cursor is damaged"}})
            continue
        words = [word.lower() for word in params["text"]]
        wanted = [item for item in ALL if all(word in item["title"] for word in words)]
        page = items(wanted[begin:begin + params["limit"]])
        send({"method": "search/items", "params": {"id": call["id"], "items": page}})
        result = {"count": len(page)}
        if begin + params["limit"] < len(wanted):
            result["next"] = cursor(begin + params["limit"])
        send({"id": call["id"], "result": result})
    at_end()
    """#

  private func prepare(_ change: String) throws -> (Program, folder: String) {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
    let folder = try program.writePlugin(
      "acme", Self.plugin.replacing("# CHANGES", with: change),
      kinds:
        #"{"repo": {"text": "exact", "fields": ["description", "language"], "qualifiers": {"language": "exact"}}}"#,
      adding:
        #""hosts": ["acme.example"], "secrets": ["token"], "config": {"url": {"description": "API base"}}"#)
    return (program, folder)
  }

  private func validate(_ change: String, _ options: [String] = []) async throws -> ProcessResult {
    let (program, folder) = try prepare(change)
    return try await program.run(
      ["plugin", "validate", folder, "--word", "http"] + options, timeout: .seconds(300))
  }

  /// One line says what was checked; all checks are printed with `--verbose`.
  @Test func aGoodPluginPasses() async throws {
    let result = try await validate("")
    #expect(result.status == 0 && result.err == "", "\(result.out) \(result.err)")
    let summary = "acme: 12 checks passed, 3 not applicable"
    #expect(
      result.outLines.count == 2 && result.outLines[0] == summary + ": filters, sorts, details",
      "\(result.out)")
    // Its items have no language.
    #expect(result.outLines[1].hasPrefix("note    repo: not checked") && result.out.contains("language:"))
    let all = try await validate("", ["-v"])
    #expect(all.status == 0 && all.outLines.last == summary, "\(all.out)")
    for id in ["restart", "stdout", "end"] { #expect(all.out.contains("passed  \(id) "), "\(all.out)") }
  }

  /// Noise on standard output is one failure, with the first line.
  @Test func noiseIsShownOnce() async throws {
    let result = try await validate(
      "def items(found):\n    print('\\x1b[31mfound', len(found), time.time(), flush=True)\n    return found\n"
    )
    #expect(result.status == 2 && !(result.out + result.err).contains("\u{1B}"), "\(result.out)")
    let lines = (result.out + result.err).split(separator: "\n").filter { $0.contains("is not a message") }
    #expect(lines.count == 1 && lines.first?.contains("␛[31mfound ") == true, "\(result.out) \(result.err)")
    #expect(result.out.contains("FAILED  stdout"), "\(result.out)")
  }

  /// Each of these passed before it was looked for.
  @Test(arguments: [
    ("def at_end():\n    time.sleep(60)\n", "did not exit within 1 s of the end of its input"),
    (
      "def cursor(start):\n    MEMORY[str(start)] = start\n    return str(start)\n"
        + "def start(text):\n    return MEMORY[text] if text else 0\n", "FAILED  restart"
    ),
    (
      "def items(found):\n    return [dict(item, title='') if place % 2 else item for place, item in enumerate(found)]\n",
      "FAILED  readable"
    ),
    ("def items(found):\n    return [dict(item, url='no') for item in found]\n", "were left out"),
    ("def items(found):\n    sys.exit(1)\n", "FAILED  answers"),
    ("print('hello', flush=True)\n", "that is not a message: hello"),
    // Without the end of a line.
    ("def at_end():\n    print('bye', end='')\n", "that is not a message: bye"),
  ])
  func faultsAreFound(_ change: String, _ message: String) async throws {
    let result = try await validate(change)
    #expect(result.status == 2, "\(result.out)")
    #expect((result.out + result.err).contains(message), "\(result.out) \(result.err)")
    // Each message once.
    let lines = result.err.split(separator: "\n").filter { $0.hasPrefix("forage: ") }
    #expect(Set(lines).count == lines.count, "\(result.err)")
  }

  #if os(Linux)
    @Test func childrenThatAreLeftAreFound() async throws {
      let result = try await validate(
        "subprocess.Popen(['sleep', '60'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
      )
      #expect(
        result.status == 2 && result.out.contains("while child processes of it were running"), "\(result.out)"
      )
    }
  #endif

  /// The reason for an item that is left out is told once.
  @Test func reasonsAreTold() async throws {
    let (program, folder) = try prepare(
      "def items(found):\n    return [dict(item, url='no') if item is found[0] else item for item in found]\n"
    )
    let result = try await program.run(
      ["plugin", "validate", folder, "--word", "http"], timeout: .seconds(300))
    let lines = (result.out + result.err).split(separator: "\n")
    #expect(lines.count { $0.contains("sent an item whose address") } == 1, "\(result.out) \(result.err)")
    let search = try await program.run(["search", "http", "-p", "acme", "--plugin", folder, "-v"])
    #expect(search.err.contains("Acme: warning: sent an item whose address"), "\(search.err)")
    #expect(search.err.contains("Acme: starting ") && search.err.contains("acme.py"), "\(search.err)")
    #expect(search.err.contains(/Acme: initialize, version 1, [0-9]+ ms/), "\(search.err)")
    #expect(search.err.contains(/Acme: search, [0-9]+ items, [0-9]+ ms/), "\(search.err)")
  }

  /// Two packages, one with a text where a number belongs.
  private static func shop(_ request: RecordedRequest) -> ScriptedResponse {
    .json(body: #"{"items": [{"name": "kit", "points": "many"}, {"name": "set", "points": 3}]}"#)
  }

  private func writeShop(_ program: Program, _ server: LoopbackServer) throws -> String {
    try program.home.directory.writeShop(
      "home/shop.yaml", at: "\(server.baseURL)/api", fields: ["points: $.points"]
    ).path
  }

  /// The first request, which finds out whether the server can be reached, is waited for like all others.
  @Test func theFirstWaitIsShown() async throws {
    let handler: @Sendable (RecordedRequest) -> ScriptedResponse = { _ in ScriptedResponse([.hang]) }
    try await withServer(handler: handler) { server in
      let program = try Program()
      let running = try program.start(
        ["plugin", "validate", try writeShop(program, server)], columns: 100)
      defer { running.kill() }
      try await running.waitForOutput(containing: "waiting for shop")
      while server.requests.isEmpty, running.isRunning { try await Task.sleep(for: .milliseconds(10)) }
      #expect(server.requests.count == 1)
      running.kill()
      _ = await running.wait()
    }
  }

  /// A mapped field that is left out of items is named, with the reason.
  @Test func fieldsThatAreLeftOutAreNamed() async throws {
    try await withServer(handler: Self.shop) { server in
      let program = try Program()
      let file = try writeShop(program, server)
      let result = try await program.run(["plugin", "validate", file], timeout: .seconds(300))
      let told = result.err.split(separator: "\n").filter { $0.contains("points") }
      #expect(told.count == 1 && told.first?.contains("left out") == true, "\(result.err)")
    }
  }

  /// A path that no row has is most likely a typing error, unless it has a default.
  @Test(arguments: [("$.sumary", 2), (#"{path: $.sumary, default: ""}"#, 0), ("$.summary", 0)])
  func pathsThatNoRowHasAreNamed(_ rule: String, _ status: Int32) async throws {
    let handler: @Sendable (RecordedRequest) -> ScriptedResponse = { request in
      let names = ["kit-1", "kit-2", "kit-3"].filter { $0.contains(request.query("q") ?? "") }
      let rows = names.map { #"{"name": "\#($0)", "summary": "one"}"# }
      return .json(body: #"{"items": [\#(rows.joined(separator: ", "))]}"#)
    }
    try await withServer(handler: handler) { server in
      let program = try Program()
      let file = try program.home.directory.writeShop(
        "home/shop.yaml", at: "\(server.baseURL)/api", fields: ["description: \(rule)"]
      ).path
      let result = try await program.run(
        ["plugin", "validate", file, "--word", "kit"], timeout: .seconds(300))
      #expect(result.status == status, "\(result.out) \(result.err)")
      #expect(result.out.contains("description: no row has $.sumary") == (status == 2), "\(result.out)")
    }
  }

  @Test func aMissingFlushIsNamed() async throws {
    let (program, folder) = try prepare("def send(message):\n    print(json.dumps(message))\n")
    // The time limit of the user is shorter than those of the protocol.
    for options in [[], ["--timeout", "1"]] {
      let result = try await program.run(["search", "http", "-p", "acme", "--plugin", folder] + options)
      #expect(result.status == 4 && result.err.contains("flush=True"), "\(options): \(result.err)")
    }
  }

  /// A field of a wrong type is a note, with a hint about the field.
  @Test func notesAreTold() async throws {
    let (other, odd) = try prepare(
      "def items(found):\n    return [dict(i, fields=dict(i.get('fields', {}), stars='many')) for i in found]\n"
    )
    let note = try await other.run(["plugin", "validate", odd, "--word", "http"], timeout: .seconds(300))
    #expect(note.status == 0 && note.err.contains("the field is left out"), "\(note.err) \(note.out)")
    #expect(note.err.contains("hint: send the field"), "\(note.err)")
    let (many, folderOfMany) = try prepare(
      "def items(found):\n    return [dict(i, fields=dict(topics=[0] * 20000)) for i in found[:6]]\n")
    let lost = try await many.run(["search", "http", "-p", "acme", "--plugin", folderOfMany])
    #expect(lost.err.contains("more than 100000 JSON values"), "\(lost.err)")
  }

  @Test func settingsSecretsAndHostsAreShown() async throws {
    let (program, folder) = try prepare("")
    #expect(try await program.run(["plugin", "install", folder]).status == 0)
    let untrusted = try await program.run(["providers", "--format", "json"]).json().provider("acme")
    #expect(untrusted?["enabled"]?.bool == false)
    #expect(untrusted?["reason"]?.string?.contains("not trusted") == true)
    // Its abilities are known without it.
    #expect(untrusted?["qualifiers"]?["language"]?.string == "exact")
    #expect(try await program.run(["plugin", "trust", "acme", "--yes"]).status == 0)
    let shown = try await program.run(["providers", "show", "acme", "--format", "json"]).json()
    for (key, name) in [("hosts", "acme.example"), ("config", "url"), ("secrets", "token")] {
      #expect(shown[key]?.array.compactMap(\.string) == [name], "\(key)")
    }
    #expect(shown["enabled"]?.bool == true)
  }

  /// The guide and the specification are those of the sources.
  @Test(
    arguments: [
      (nil, "Plugins/README.md"), ("guide", "Plugins/README.md"), ("manifest", "Plugins/MANIFESTS.md"),
      ("protocol", "Sources/ForagePluginProtocol/ForagePluginProtocol.docc/Protocol.md"),
      ("schema", "Plugins/forage-plugin-1.schema.json"),
    ] as [(String?, String)])
  func theGuideIsPrinted(_ topic: String?, _ path: String) async throws {
    let program = try Program()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let printed = try await program.run(["plugin", "guide"] + (topic.map { [$0] } ?? []))
    let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    #expect(printed.status == 0 && printed.out == text, "\(printed.err)")
    let wrong = try await program.run(["plugin", "guide", "protcol"])
    #expect(wrong.status == 2 && wrong.err.contains("did you mean protocol?"), "\(wrong.err)")
  }

  /// Installed, the guide stands beside the program.
  @Test func theInstalledGuideIsPrinted() async throws {
    let program = try Program()
    try program.home.directory.write("prefix/share/forage/doc/README.md", "installed\n")
    _ = try program.home.directory.makeDirectory("prefix/bin")
    let binary = try forageBinary.resolvingSymlinksInPath().path
    let copy = program.home.directory.path("prefix/bin/forage")
    do {
      try FileManager.default.linkItem(atPath: binary, toPath: copy)
    } catch {
      // Another file system.
      try FileManager.default.copyItem(atPath: binary, toPath: copy)
    }
    let installed = try await ProcessRunner.run(
      URL(fileURLWithPath: copy), ["plugin", "guide"], environment: program.environment)
    #expect(installed.status == 0 && installed.out == "installed\n", "\(installed.err)")
  }
}
