import Foundation
import TestSupport
import Testing

/// What authors of providers ran into, with the built program and real plugins.
@Suite struct ProviderAuthorRunTests {
  private static let variables = [
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "ACME_TOKEN": "s3cret-0123456789",
  ]
  private static let secretSettings = "providers:\n  acme: {secrets: {token: {env: ACME_TOKEN}}}\n"

  /// Asks the host for the address in its settings, and says all that it was given and got.
  private static let asking = #"""
    import json, sys

    def send(message):
        print(json.dumps(dict({"jsonrpc": "2.0"}, **message)), flush=True)

    for line in sys.stdin:
        call = json.loads(line)
        if call.get("method") == "initialize":
            given = call["params"]
            send({"id": call["id"], "result": {"protocol": 1, "version": "1"}})
        elif call.get("method") == "search":
            send({"id": "a", "method": "http", "params": {"id": call["id"], "url": given["config"]["url"]}})
            got = json.loads(sys.stdin.readline())
            said = json.dumps([given["secrets"], got.get("result", got.get("error"))])
            # Backwards, because a secret is masked wherever a plugin says it.
            item = {"id": "1", "kind": "repo", "url": "https://acme.example/a/kit", "title": "a/kit",
                    "fields": {"description": said + " " + said[::-1]}}
            send({"id": call["id"], "result": {"count": 1, "items": [item]}})
    """#

  @Test func aPluginAsksThroughTheHost() async throws {
    try await withServer { request in
      // It repeats what it was sent.
      .json(body: #"{"sent": "\#(request.header("authorization") ?? "")"}"#)
    } _: { server in
      let program = try Program(adding: Self.variables)
      try program.home.writeConfig("forage/config.yaml", Self.secretSettings)
      let folder = try program.writePlugin(
        "acme", Self.asking, kinds: #"{"repo": {"text": "exact", "fields": ["description"]}}"#,
        adding: """
          "hosts": ["127.0.0.1:\(server.port)"], "secrets": ["token"], "auth": {"secret": "token"},
           "config": {"url": {"default": "\(server.baseURL)/x"}}
          """)
      let search = ["search", "kit", "-p", "acme", "--plugin", folder, "--yes", "--json", "description"]
      let found = try await program.run(search)
      #expect(found.status == 0 && found.out.contains("Bearer ***"), "\(found.out)\(found.err)")
      #expect(server.requests.map { $0.header("authorization") } == ["Bearer s3cret-0123456789"])
      for text in [found.out, found.err] {
        #expect(!text.contains("s3cret") && !text.contains("9876543210-terc3s"), "\(text)")
      }
      #expect(found.out.contains("[{}, {"), "\(found.out)")
    }
  }

  @Test func aProgramWithoutItsExecutableBit() async throws {
    let program = try Program(adding: Self.variables)
    let folder = try program.writePlugin("acme", "", kinds: "", adding: "")
    let script = folder + "/run.sh"
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: script))
    try Data(
      #"{"forage":1,"id":"acme","name":"A","version":"1","command":["./run.sh"],"files":["run.sh"],"kinds":["repo"]}"#
        .utf8
    ).write(to: URL(fileURLWithPath: folder + "/plugin.json"))
    let refused = try await program.run(["plugin", "install", folder])
    #expect(refused.status == 2 && refused.err.contains("not executable"), "\(refused.err)")
    #expect(refused.err.contains("chmod +x"), "\(refused.err)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    #expect(try await program.run(["plugin", "install", folder]).status == 0)
  }

  /// A registry with pages of thirty, which says neither how many there are nor where they end.
  private static func gems(_ request: RecordedRequest) -> ScriptedResponse {
    let page = Int(request.query("page") ?? "") ?? 1
    let range = min(95, (page - 1) * 30)..<min(95, page * 30)
    let rows = range.map { #"{"name": "faraday\#($0 == 0 ? "" : "-\($0)")", "downloads": \#($0)}"# }
    return .json(body: "[" + rows.joined(separator: ",") + "]")
  }

  private static func manifest(_ address: String) -> String {
    """
    forage: 1
    id: gems
    name: Gems
    kinds: [package]
    base: \(address)
    request: {url: "{base}/search", params: {query: "{text}", page: "{page}"}}
    paging: {style: page, size: 50}
    items: $[*]
    map:
      id: $.name
      url: {template: "https://gems.example/{0|segment}", args: [$.name]}
      title: $.name
      downloads: $.downloads

    """
  }

  @Test func aManifestWithFixedPages() async throws {
    try await withServer(handler: Self.gems) { server in
      let program = try Program()
      try program.home.writeConfig("forage/providers.d/gems.yaml", Self.manifest(server.baseURL))
      let all = try await program.run(["search", "faraday", "-p", "gems", "-k", "package", "-L", "200"])
      #expect(all.status == 0 && all.out.split(separator: "\n").count == 95, "\(all.err)")
      // A number that every provider can have is filtered and sorted by here, once it is a qualifier.
      let local = Self.manifest(server.baseURL) + "qualifiers: {downloads: {push: local}}\n"
      try program.home.writeConfig("forage/providers.d/gems.yaml", local)
      let sorted = try await program.run([
        "search", "faraday downloads:<90", "-p", "gems", "-k", "package", "-L", "200", "--sort", "downloads",
        "--json",
        "downloads",
      ])
      // What is sorted here is what the first page has.
      #expect(sorted.status == 0 && sorted.out.firstMatch(of: /[0-9]+/)?.0 == "49", "\(sorted)")
      #expect(sorted.err.contains("only its first 50 results are sorted"), "\(sorted)")
      // The id of a result names it anywhere.
      let shown = try await program.run(["show", "gems:faraday", "--json", "title,downloads"])
      #expect(shown.status == 0 && shown.out.contains(#""title":"faraday""#), "\(shown.out)\(shown.err)")
      let unknown = try await program.run(["show", "gems:rails"])
      #expect(unknown.status == 1 && unknown.err.contains("gems:rails"), "\(unknown.err)")
    }
  }

  /// What a validation finds of paths beside the rows, of the size of pages, of the first page and of details.
  @Test(
    arguments: [
      ("paging: {style: page, size: 30, more: $.moer}", "more: no answer has $.moer (gems.yaml:7)"),
      ("paging: {style: page, size: 250}", "a page of 250 items, the largest that is declared, failed with"),
      ("paging: {style: page, size: 30}", "add to paging: start: 0"),
      ("details: {url: \"{base}/gms/{id}.json\"}", "details of gems:faraday: there are none"),
      ("", nil),
    ] as [(String, String?)])
  func whatAValidationFinds(_ line: String, _ expected: String?) async throws {
    let isFromZero = expected?.contains("start: 0") == true
    try await withServer { request in
      guard request.path == "/search" else { return .status(404) }
      let (size, page) = (Int(request.query("size") ?? "") ?? 30, Int(request.query("page") ?? "") ?? 1)
      guard size <= 100 else { return .json(status: 403, body: #"{"message": "size is at most 100"}"#) }
      guard (request.query("query") ?? "").contains("faraday") else { return .json(body: #"{"gems": []}"#) }
      let start = max(0, page - (isFromZero ? 0 : 1)) * size
      let rows = (min(47, start)..<min(47, start + size)).map {
        #"{"name": "faraday\#($0 == 0 ? "" : "-\($0)")", "downloads": \#($0)}"#
      }
      return .json(body: #"{"gems": [\#(rows.joined(separator: ","))], "more": \#(start + size < 47)}"#)
    } _: { server in
      let program = try Program()
      let text = Self.manifest(server.baseURL).replacing(
        #"page: "{page}"}"#, with: #"page: "{page}", size: "{size}"}"#
      ).replacing("$[*]", with: "$.gems[*]").replacing(
        "paging: {style: page, size: 50}",
        with: line.hasPrefix("paging") ? line : "paging: {style: page, size: 50}\n" + line)
      let file = try program.home.directory.write("home/gems.yaml", text).path
      let result = try await program.run(["plugin", "validate", file, "--word", "faraday"])
      #expect(result.status == (expected == nil ? 0 : 2), "\(result.out)\(result.err)")
      if let expected { #expect(result.out.contains(expected), "\(result.out)") }
      if line.hasPrefix("details") {
        let shown = try await program.run(["show", "gems:faraday", "--plugin", file])
        #expect(shown.status == 0 && shown.out.contains("faraday"), "\(shown.err)")
      }
    }
  }

  /// A result of which the details are not where the manifest says is shown as a search has it, with a note.
  @Test func detailsThatAreNotThere() async throws {
    try await withServer { request in
      request.path == "/search" ? Self.gems(request) : .status(404)
    } _: { server in
      let program = try Program()
      try program.home.writeConfig(
        "forage/providers.d/gems.yaml",
        Self.manifest(server.baseURL) + "details: {url: \"{base}/gms/{id}.json\"}\n")
      let shown = try await program.run(["show", "gems:faraday"])
      #expect(shown.status == 0 && shown.out.contains("faraday"), "\(shown.err)")
      #expect(shown.err.contains("has no details of gems:faraday"), "\(shown.err)")
    }
  }

  /// A full-screen `browse` that cannot begin says why, as a search does.
  @Test func aBrokenManifestInBrowse() async throws {
    let program = try Program()
    try program.home.writeConfig(
      "forage/providers.d/bad.yaml", "forage: 1\nid: bad\nname: Bad\nkindz: [repo]\n")
    let result = try await program.runInTerminal(
      ["browse", "-p", "bad", "x"], columns: 200, streams: .outputAndError, adding: ["TERM": "xterm-256color"]
    )
    #expect(result.status == 2 && result.out.contains("bad.yaml:4"), "\(result.out)")
    #expect(result.out.contains("there is no provider"), "\(result.out)")
  }

  /// What a limit stops is not tested, and no fault.
  @Test func aLimitIsNoFault() async throws {
    try await withServer { request in
      let page = Int(request.query("page") ?? "") ?? 1
      return page > 3 ? .status(429, headers: [("Retry-After", "60")]) : Self.gems(request)
    } _: { server in
      let program = try Program()
      let file = try program.home.directory.write("home/gems.yaml", Self.manifest(server.baseURL)).path
      let result = try await program.run(["plugin", "validate", file, "--word", "faraday"])
      #expect(result.status == 0 && !result.out.contains("FAILED"), "\(result.out)\(result.err)")
      #expect(result.out.contains("not tested"), "\(result.out)")
    }
  }

  /// A plugin that does not support a query has not searched in vain.
  @Test func aQueryThatIsNotSupported() async throws {
    let program = try Program(adding: Self.variables)
    let script = Self.asking.replacing(
      #"send({"id": "a", "method""#,
      with:
        #"send({"id": call["id"], "error": {"code": 1005, "message": "no phrases"}}); continue; ({"id": "a", "method""#
    )
    let folder = try program.writePlugin("acme", script)
    let result = try await program.run(["search", "kit", "-p", "acme", "--plugin", folder])
    #expect(
      result.status == 2 && result.err.contains("does not support this query: no phrases"), "\(result.err)")
  }

  @Test func anActionRuns() async throws {
    let program = try Program(adding: Self.variables)
    try program.home.writeConfig(
      "forage/config.yaml",
      "actions:\n  - {name: say, kinds: [issue], run: [echo, \"{number} of {repository}\"]}\n")
    let ran = try await program.run(["act", "say", "https://github.com/acme/tool/issues/7", "--quiet"])
    #expect(ran.out == "7 of github.com/acme/tool\n", "\(ran.err)")
    let refused = try await program.run(["act", "say", "acme/tool"])
    #expect(refused.status == 2 && refused.err.contains("does not take"), "\(refused.err)")
    let listed = try await program.run(["act"])
    #expect(listed.out == "say\t\tissue\tsettings\t\techo '{number} of {repository}'\n", "\(listed.out)")
    let unknown = try await program.run(["act", "sya", "acme/tool"])
    #expect(unknown.status == 2 && unknown.err.contains("say"), "\(unknown.err)")
  }

  /// An action of a plugin runs the plugin's own file, wherever it is run; what has no details is shown as it
  /// was found.
  @Test func anActionOfAPlugin() async throws {
    let program = try Program(adding: Self.variables)
    let script = #"""
      import json, sys
      for line in sys.stdin:
          call = json.loads(line)
          result = {"protocol": 1, "version": "1"}
          if call.get("method") == "search":
              item = {"id": "7", "kind": "ticket", "url": "https://acme.example/7",
                      "title": "kit `x` $(y) is broken"}
              result = {"count": 1, "items": [item]}
          print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
      """#
    let folder = try program.writePlugin("acme", script)
    try program.home.directory.write("home/acme/say.sh", "echo \"said $1: $2\"\n")
    try program.home.directory.write(
      "home/acme/plugin.json",
      """
      {"forage": 1, "id": "acme", "name": "Acme", "version": "1", "command": ["python3", "acme.py"],
       "files": ["acme.py", "say.sh"], "hosts": ["acme.example"], "kinds": {"ticket": {"text": "exact"}},
       "actions": [{"name": "say", "kinds": ["ticket"], "run": ["sh", "say.sh", "{id}", "{title}"]}]}
      """)
    let installed = try await program.run(["plugin", "install", folder, "--yes"])
    #expect(installed.status == 0, "\(installed.err)")
    let ran = try await program.run(["act", "acme/say", "acme:7", "--quiet"])
    #expect(ran.out == "said acme:7: kit `x` $(y) is broken\n", "\(ran.out)\(ran.err)")
    let shown = try await program.run(["show", "acme:7"])
    #expect(shown.status == 0 && shown.out.contains("is broken"), "\(shown.err)")
  }

  /// The details of a kind of a plugin's own are in `show` and in `browse`, also where an id has a slash; a
  /// failure is told.
  @Test func detailsOfAPlugin() async throws {
    let program = try Program(adding: Self.variables)
    let script = #"""
      import json, sys
      def item(id, **fields):
          return {"id": id, "kind": "paper", "title": "Paper " + id, "fields": fields}
      for line in sys.stdin:
          call = json.loads(line)
          answer = {"result": {"protocol": 1, "version": "1"}}
          if call["method"] == "search":
              answer = {"result": {"count": 2, "items": [item("10.1/a"), item("broken")]}}
          elif call["method"] == "details" and call["params"]["id"] == "acme:10.1/a":
              answer = {"result": {"count": 1, "items": [item("10.1/a", venue="PLDI")]}}
          elif call["method"] == "details":
              answer = {"error": {"code": 1004, "message": "out of paper"}}
          print(json.dumps({"jsonrpc": "2.0", "id": call["id"], **answer}), flush=True)
      """#
    let folder = try program.writePlugin(
      "acme", script, kinds: #"{"paper": {"text": "exact", "fields": ["venue"], "details": true}}"#,
      adding: #""fields": {"venue": "text"}"#)
    let installed = try await program.run(["plugin", "install", folder, "--yes"])
    #expect(installed.status == 0, "\(installed.err)")
    let shown = try await program.run(["show", "acme:10.1/a"])
    #expect(shown.status == 0 && shown.out.contains("PLDI"), "\(shown)")
    let browsed = try await program.run(
      ["browse", "paper", "-p", "acme", "-k", "paper"], stdin: Data("1\n2\n".utf8))
    #expect(browsed.out.contains("PLDI") && browsed.err.contains("out of paper"), "\(browsed)")
  }

  /// Results of a kind of its own are asked for by their ids, and conditions share a parameter.
  @Test func detailsAndConditions() async throws {
    try await withServer { request in
      let paper = #"{"id": "W7", "name": "On parsers", "year": 2013, "cited": 12000, "venue": "pldi"}"#
      if request.path.hasPrefix("/works/") {
        return request.path == "/works/W7" ? .json(body: paper) : .status(404)
      }
      return .json(body: #"{"results": [\#(paper)], "count": 1}"#)
    } _: { server in
      let program = try Program(adding: Self.variables)
      try program.home.writeConfig(
        "forage/providers.d/papers.yaml",
        """
        forage: 1
        id: papers
        name: Papers
        base: \(server.baseURL)
        kinds: [paper]
        request: {url: "{base}/works", params: {search: "{text}"}}
        items: $.results[*]
        total: $.count
        fields: {year: {type: number}, venue: {type: text}, cited: {type: number, title: CITED, column: 2}}
        map: {id: $.id, title: $.name, url: {template: "https://papers.example/{0|segment}", args: [$.id]}, year: $.year, venue: $.venue, cited: $.cited}
        qualifiers:
          year: {param: filter, value: "year:{value}", not: "year:!{value}", min: "from:{value}", max: "to:{value}", join: ","}
          venue: {param: filter, value: "venue:{value}", join: ","}
          cited: {param: filter, value: "cited:{value}", above: "cited:>{value}", below: "cited:<{value}", join: ","}
        details: {url: "{base}/works/{id}"}

        """)
      for (query, filter) in [
        ("parsers year:2013 venue:pldi", "venue:pldi,year:2013"),
        ("parsers year:2010..2013", "from:2010,to:2013"),
        ("parsers year:>2000", "from:2001"), ("parsers -year:2000", "year:!2000"),
        ("parsers cited:>100", "cited:>100"), ("parsers cited:>=102", "cited:>101"),
        ("parsers cited:5..7", "cited:<8,cited:>4"),
      ] {
        let found = try await program.run(["search", query, "-p", "papers", "--json", "id"])
        #expect(server.requests.last?.query("filter") == filter, "\(found.out)\(found.err)")
      }
      let shown = try await program.run(["show", "papers:W7", "--json", "id,year,cited"])
      #expect(
        shown.out == #"{"id":"papers:W7","year":2013,"cited":12000}"# + "\n", "\(shown.out)\(shown.err)")
      #expect(server.requests.last?.path == "/works/W7")
    }
  }
}
