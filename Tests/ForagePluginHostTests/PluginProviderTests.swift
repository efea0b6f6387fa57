import ForageCore
import ForagePluginHost
import ForagePluginProtocol
import ForageTesting
import Foundation
import Testing

extension RunningPlugins {
  /// What a plugin's provider tells, asks and delivers.
  struct PluginProviderTests {
    // MARK: Abilities

    /// What it can do is in its plugin.json; nothing runs for it.
    @Test func abilitiesWithoutAStart() async throws {
      let script = try ScriptedPlugin(
        "hello()\nreceive()", repo: #"{"sorts": ["stars"], "feed": true}"#,
        manifest: ["hosts": .array([.string("h.example")])])
      let (info, kinds) = (script.provider().info, script.provider().kinds)
      #expect(info.id == "hostile" && info.name == "Hostile" && info.hosts == ["h.example"])
      #expect(kinds[.repo]?.sorts == ["stars"] && kinds[.repo]?.feed != nil)
      #expect(info.timeLimit == .seconds(4) && script.processes == [])
      // It is only started.
      try await script.provider().start(by: .now + .seconds(20))
      try await script.provider().start(by: .now + .seconds(20))
      #expect(script.processes.count == 1)
      #expect(script.log.all.contains { $0.hasPrefix("Hostile: initialize, version 1, ") })
      #expect(try await script.remains() == [])
    }

    /// Several providers of one plugin are one process.
    @Test func severalProviders() async throws {
      func declaration(_ id: String) -> JSONTree {
        .object(["id": .string(id), "name": .string(id.uppercased()), "kinds": .array([.string("repo")])])
      }
      let script = try ScriptedPlugin(
        """
        hello()
        for number in range(2):
            request = receive()
            answer(request, [item(request["params"]["provider"])])
        receive()
        """, providers: [declaration("one"), declaration("two")])
      let providers = script.host.providers(of: script.plugin)
      #expect(
        providers.map(\.info.id) == ["one", "two"]
          && providers.map(\.info.name) == ["ONE", "TWO"])
      for provider in providers {
        let page = try await provider.search(try request())
        #expect(page.items.map(\.title) == ["hostile/\(provider.info.id)"])
      }
      #expect(script.processes.count == 1)
      #expect(try await script.remains() == [])
    }

    // MARK: Asking

    /// The request as the plugin gets it, and the answer as the federation does.
    @Test func whatIsSentAndWhatComes() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        params = request["params"]
        left = params.pop("deadlineMs")
        assert request["method"] == "search" and 0 < left <= 120000, request
        assert params == {"provider": "hostile", "kind": "repo", "text": ["parser", "of json"],
            "filters": [{"field": "language", "op": "eq", "value": "swift"},
                        {"field": "stars", "op": "ge", "value": 10}],
            "sort": None, "limit": 10, "cursor": "b2s9"}, params
        items(request, [item(0, fields={"stars": 12, "updatedAt": "2024-01-15T10:00:00Z"})])
        items(request, [])
        done(request, 2, total={"value": 900, "relation": "gte"}, later=[1], notes=[
            {"code": "own", "message": "slow today"}, {"code": "own", "message": "cut", "hint": "wait", "incomplete": True}],
            items=[item(1, related=[{"url": "https://github.com/apple/swift-nio/tree/main", "why": "repository"}])])
        receive()
        """, repo: #"{"sorts": ["stars"], "qualifiers": {"language": "exact", "stars": "inexact"}}"#)
      let provider = script.provider()
      let asked = try request("parser \"of json\" language:swift stars:>=10", cursor: "b2s9")
      let requests = RequestCounter()
      let page = try await requests.counting { try await provider.search(asked) }
      #expect(page.items.map(\.id) == ["example.org/hostile/0", "example.org/hostile/1"])
      #expect(page.items[0][.stars] == .number(12))
      #expect(page.items[0][.updatedAt]?.date == Date(timeIntervalSince1970: 1_705_312_800))
      #expect(page.items[1].related.map(\.id) == ["github.com/apple/swift-nio"])
      #expect(
        page.notes == [
          Note("own", "slow today", isMissing: false), Note("own", "cut", hint: "wait", isMissing: true),
        ])
      #expect(page.unapplied.isEmpty && page.next == nil)
      #expect(page.total == ResultTotal(900, .atLeast) && requests.count == 1)
      #expect(try await script.remains() == [])
    }

    /// What was not declared is not asked.
    @Test func refusals() async throws {
      let script = try ScriptedPlugin("hello()\nreceive()", repo: #"{"needsText": true}"#)
      let provider = script.provider()
      let deadline = ContinuousClock.now + .seconds(20)
      func refused(_ body: () async throws -> Void) async -> Bool {
        await failure(body)?.code == .unsupportedQuery
      }
      #expect(await refused { _ = try await provider.search(try request(kind: .story)) })
      #expect(await refused { _ = try await provider.search(try request(nil)) })
      #expect(await refused { _ = try await provider.search(try request("a OR b")) })
      #expect(
        await refused {
          var sorted = try request()
          sorted.sort = "stars"
          _ = try await provider.search(sorted)
        })
      #expect(await refused { _ = try await provider.feed(try request(nil)) })
      let id = try #require(EntityReference("github.com/a/b", defaultHost: ""))
      #expect(
        await refused {
          _ = try await provider.details(of: id, deadline: deadline)
        })
      #expect(script.processes == [])
    }

    @Test func feedAndDetails() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        assert request["method"] == "feed" and request["params"]["limit"] == 10, request
        answer(request, [item(0)])
        request = receive()
        assert request["method"] == "details" and request["params"]["id"] == "github.com/a/b", request
        answer(request, [item(1)], notes=[{"field": "readme", "code": "unavailable", "message": "gone"}])
        request = receive()
        done(request, 0)
        request = receive()
        send({"id": request["id"], "error": {"code": 1004, "message": "no", "data": {"reason": "not_found"}}})
        receive()
        """, repo: #"{"feed": true, "feedSorts": ["created"], "details": true}"#)
      let provider = script.provider()
      #expect(try await provider.feed(try request(nil)).items.count == 1)
      let id = try #require(EntityReference("github.com/a/b", defaultHost: ""))
      let deadline = ContinuousClock.now + .seconds(20)
      let counter = RequestCounter()
      try await counter.counting {
        let details = try await provider.details(of: id, deadline: deadline)
        #expect(details?.item.title == "hostile/1" && details?.missing.map(\.field) == [.readme])
        #expect(details?.missing.first?.error == SearchError(.unavailable, "gone"))
        #expect(try await provider.details(of: id, deadline: deadline) == nil)
        #expect(try await provider.details(of: id, deadline: deadline) == nil)
        let user = try #require(EntityReference("github.com/@somebody", defaultHost: ""))
        let refusal = await failure { _ = try await provider.details(of: user, deadline: deadline) }
        #expect(provider.detailedKinds == [.repo] && refusal?.code == .unsupportedQuery)
      }
      #expect(counter.count == 3)
      #expect(try await script.remains() == [])
    }

    /// No more requests than it takes are under way, and the others wait their turn.
    @Test(arguments: [1, 3]) func concurrency(_ width: Int) async throws {
      let script = try ScriptedPlugin(
        """
        import select
        hello()
        total, open = 9, []
        sys.stdin = os.fdopen(0, "rb", buffering=0)
        while total > 0:
            line = b""
            while not line.endswith(b"\\n"):
                line += os.read(0, 1)
            open.append(json.loads(line))
            time.sleep(0.02)
            if select.select([0], [], [], 0)[0] and len(open) < \(width):
                continue
            if len(open) < min(\(width), total):
                continue
            assert not select.select([0], [], [], 0.05)[0], "more than \(width)"
            for request in open:
                answer(request, [item(len(open))])
            total -= len(open)
            open = []
        os.read(0, 1)
        """, manifest: ["concurrency": .integer(width)])
      let provider = script.provider()
      let titles = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<9 { group.addTask { try await provider.search(try request()).items.map(\.title) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(titles == Array(repeating: "hostile/\(width)", count: 9))
      #expect(try await script.remains() == [])
    }

    // MARK: The compliance suite

    /// A plugin that keeps the contract passes every check that the suite has for providers in the program.
    @Test func compliance() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        held = [item(n, title="swift parser %d" % n, fields={"language": "Swift" if n % 3 else "C"}) for n in range(23)]
        def holds(it, f):
            if f["field"] == "text":
                same = f["value"].lower() in it["title"].lower()
            else:
                same = it["fields"]["language"].lower() == str(f["value"]).lower()
            return same != f.get("negated", False)
        while True:
            request = receive()
            if request["method"] != "search":
                continue
            p = request["params"]
            found = [it for it in held if all(w.lower() in it["title"].lower() for w in p["text"])
                     and all(holds(it, f) for f in p["filters"])]
            try:
                start = int((p["cursor"] or "c0")[1:])
            except ValueError:
                send({"id": request["id"], "error": {"code": 1006, "message": "bad cursor"}})
                continue
            page = found[start:start + p["limit"]]
            more = {"next": "c%d" % (start + len(page))} if start + len(page) < len(found) else {}
            answer(request, page, total={"value": len(found), "relation": "eq"}, **more)
        """,
        repo: #"""
          {"needsText": true, "fields": ["language", "description"], "qualifiers": {"language": "exact"}}
          """#, manifest: ["concurrency": .integer(4)])
      let report = await ProviderComplianceTests(
        provider: script.provider(),
        samples: .init(words: ["swift"], qualifiers: ["language:c"])
      ).run()
      #expect(report.failures.isEmpty, "\(report)")
      #expect(try await script.remains() == [])
    }
  }
}
