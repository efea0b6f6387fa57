import Foundation
import TestSupport
import Testing

/// Lists of plugins and manifests that do not end as usual, with the built program: none ends in silence.
@Suite struct UnusualListTests {
  private static let options = ["-p", "odd", "--timeout", "50", "--format", "json"]

  /// A plugin whose search is a Python function of the number of the page, from 0, that returns items and
  /// whether a page follows.
  private func search(_ page: String, _ more: [String] = []) async throws -> ProcessResult {
    let program = try Program(adding: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"])
    let folder = try program.writePlugin(
      "odd",
      """
      import json, os, signal, sys, time

      def send(message):
          sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\\n")
          sys.stdout.flush()

      def item(n, **fields):
          return {"id": str(n), "kind": "repo", "url": "https://odd.example/x/%d" % n, "title": "x/%d" % n,
                  "fields": fields}

      \(page)

      for line in sys.stdin:
          call = json.loads(line)
          if call["method"] == "initialize":
              send({"id": call["id"], "result": {"protocol": 1, "version": "1"}})
          elif "id" in call:
              number = int(call["params"]["cursor"] or 0)
              items, more = page(number)
              send({"method": "search/items", "params": {"id": call["id"], "items": items}})
              result = {"count": len(items)}
              if more:
                  result["next"] = str(number + 1)
              send({"id": call["id"], "result": result})
      """)
    return try await program.run(["search", "x", "--plugin", folder] + Self.options + more)
  }

  @Test func emptyPagesAreFollowed() async throws {
    let found = try await search("def page(n): return ([item(7)] if n == 5 else [], n < 5)")
    #expect(found.status == 0 && found.err.isEmpty, "\(found.err)")
    let json = try found.json()
    #expect(json["items"]?.array.compactMap { $0["title"]?.string } == ["x/7"])
    #expect(json["complete"]?.bool == true && json.provider("odd")?["requests"]?.int == 6)
  }

  @Test func endlessEmptyPagesAreReported() async throws {
    let found = try await search("def page(n): return ([item(7)] if n == 0 else [], True)")
    #expect(found.status == 0)
    #expect(
      expectMessages(found) == ["odd: reading stopped after 20 consecutive pages without results"],
      "\(found.err)")
    let json = try found.json()
    #expect(json["items"]?.array.count == 1 && json["complete"]?.bool == false)
    #expect(json.provider("odd")?["notes"]?.array.map { $0["code"]?.string } == ["scan_limited"])
  }

  /// A value of a wrong type costs its field, and `--verbose` says so once.
  @Test func oddFields() async throws {
    let page = """
      def page(n): return ([item(n, stars="12", forks=True, createdAt="yesterday", topics="x", watchers=-5,
          openIssues=1e308, description="kept") for n in range(3)], False)
      """
    let quiet = try await search(page)
    #expect(quiet.status == 0 && quiet.err.isEmpty, "\(quiet.err)")
    let items = try quiet.json()["items"]?.array ?? []
    #expect(items.count == 3)
    for item in items {
      #expect(item["description"]?.string == "kept")
      for name in ["stars", "forks", "createdAt", "topics", "watchers", "openIssues"] {
        #expect(item[name] == nil, "\(name)")
      }
    }
    let verbose = try await search(page, ["--verbose"])
    #expect(verbose.status == 0)
    for name in ["stars", "forks", "createdAt", "topics", "watchers", "openIssues"] {
      let lines = verbose.err.split(separator: "\n").filter { $0.contains("whose field \(name) ") }
      #expect(lines.count == 1, "\(name): \(verbose.err)")
    }
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "https://evil.example/x", "http://user:word@127.0.0.1/x"])
  func linksToElsewhere(_ link: String) async throws {
    try await withServer { _ in
      .json(
        headers: [("Link", "<\(link)>; rel=\"next\"")],
        body: #"[{"id":"1","url":"https://odd.example/x/1","name":"x/1"}]"#)
    } _: { server in
      let program = try Program()
      let file = try program.home.directory.write(
        "home/odd.yaml",
        """
        forage: 1
        id: odd
        name: Odd
        kinds: [repo]
        base: \(server.baseURL)
        request: {url: "{base}/search", params: {q: "{text}", n: "{size}"}}
        paging: {style: link, size: 1}
        items: $[*]
        map: {id: $.id, url: $.url, title: $.name}
        """)
      let found = try await program.run(["search", "x", "--plugin", file.path] + Self.options)
      #expect(found.status == 0)
      let messages = expectMessages(found)
      #expect(messages.count == 1, "\(found.err)")
      #expect(messages.first?.hasPrefix("odd: Odd names a next page, but its address is ") == true)
      #expect(!found.err.contains("word") && server.requests.count == 1)
      let json = try found.json()
      #expect(json["items"]?.array.count == 1 && json["complete"]?.bool == false)
    }
  }
}
