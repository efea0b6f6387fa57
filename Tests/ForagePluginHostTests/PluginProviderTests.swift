import ForageCore
import ForagePluginHost
import ForagePluginProtocol
import ForageTesting
import Foundation
import Testing

extension RunningPlugins {
  /// What a plugin's provider tells, asks and delivers.
  struct PluginProviderTests {
    // MARK: Declaring

    /// Before it runs all is possible; what it then declares is no more than its plugin.json has.
    @Test func declarationsOnlyNarrow() async throws {
      let script = try ScriptedPlugin(
        """
        hello(name="GitHub", kinds=["repo", "story"], hosts=["github.com"], text="inexact", sorts=["relevance", "stars"],
              paging={"maxPage": 5000, "maxTotal": 700}, details=True, booleans=True, feed=True,
              qualifiers={"language": {"push": "exact"}, "points": {"push": "inexact", "type": "number"}})
        receive()
        """,
        manifest: [
          "kinds": .array([.string("repo"), .string("package")]), "hosts": .array([.string("h.example")]),
        ])
      let provider = script.host.providers(of: script.plugin)[0]
      let before = provider.descriptor
      #expect(before.isProvisional && before.id == "hostile" && before.name == "Hostile")
      #expect(Set(before.kinds.keys) == [.repo, .package] && before.hosts == ["h.example"])
      #expect(before.timeLimit == .seconds(4))

      let after = try await provider.declaration(deadline: .now + .seconds(20))
      #expect(!after.isProvisional && after.name == "Hostile" && after.hosts == ["h.example"])
      #expect(Array(after.kinds.keys) == [.repo] && after.hasDetails && after.timeLimit == .seconds(4))
      let abilities = try #require(after.kinds[.repo])
      #expect(abilities.text == .inexact && abilities.sorts == ["stars"] && abilities.booleans)
      #expect(abilities.qualifiers == ["language": .exact, "points": .inexact] && abilities.feed != nil)
      #expect(abilities.maximumPageSize == 200 && abilities.reachable == 700)
      #expect(after.vocabulary.map(\.name) == ["points"])
      #expect(await script.remains() == [])
    }

    /// Several providers of one plugin are one process.
    @Test func severalProviders() async throws {
      func declaration(_ id: String) -> JSONTree {
        .object(["id": .string(id), "name": .string(id.uppercased()), "kinds": .array([.string("repo")])])
      }
      let script = try ScriptedPlugin(
        """
        request = receive()
        declared = [{"id": name, "name": "x", "kinds": ["repo"]} for name in ("one", "two", "three")]
        send({"id": request["id"], "result": {
            "protocol": 1, "plugin": {"name": "hostile", "version": "1"}, "providers": declared}})
        for number in range(2):
            request = receive()
            answer(request, [item(request["params"]["provider"])])
        receive()
        """, manifest: ["providers": .array([declaration("one"), declaration("two")])])
      let providers = script.host.providers(of: script.plugin)
      #expect(
        providers.map(\.descriptor.id) == ["one", "two"]
          && providers.map(\.descriptor.name) == ["ONE", "TWO"])
      for provider in providers {
        let page = try await provider.search(try request())
        #expect(page.items.map(\.title) == ["hostile/\(provider.descriptor.id)"])
      }
      #expect(script.processes.count == 1)
      #expect(await script.remains() == [])
    }

    // MARK: Asking

    /// The request as the plugin gets it, and the answer as the federation does.
    @Test func whatIsSentAndWhatComes() async throws {
      let script = try ScriptedPlugin(
        """
        hello(sorts=["relevance", "stars"], text="exact", qualifiers={"language": {"push": "exact"}, "stars": {"push": "inexact"}})
        request = receive()
        params = request["params"]
        left = params.pop("deadlineMs")
        assert request["method"] == "search" and 0 < left <= 120000, request
        assert params == {"provider": "hostile", "kind": "repo", "text": ["parser", "of json"], "phrases": [1],
            "filters": [{"n": 0, "field": "language", "op": "eq", "value": "swift"},
                        {"n": 1, "field": "stars", "op": "ge", "value": 10}],
            "sort": "relevance", "limit": 10, "cursor": "b2s9"}, params
        items(request, 0, [item(0, fields={"stars": 12, "updatedAt": "2024-01-15T10:00:00Z"})])
        items(request, 1, [])
        items(request, 2, [item(1, related=[{"url": "https://github.com/apple/swift-nio/tree/main", "why": "repository"}])])
        done(request, 2, unapplied=[1], complete=False, total={"value": 900, "relation": "gte"}, rate={"remaining": 0, "resetMs": 1500})
        receive()
        """)
      let provider = script.provider()
      let asked = try request("parser \"of json\" language:swift stars:>=10", cursor: "b2s9")
      let page = try await provider.search(asked)
      #expect(page.items.map(\.id) == ["example.org/hostile/0", "example.org/hostile/1"])
      #expect(page.items[0][.stars] == .number(12))
      #expect(page.items[0][.updatedAt]?.date == Date(timeIntervalSince1970: 1_705_312_800))
      #expect(page.items[1].related.map(\.id) == ["github.com/apple/swift-nio"])
      #expect(page.unapplied == ["stars"] && page.gaps.isIncomplete && page.next == nil)
      #expect(page.total == ResultTotal(900, .atLeast) && asked.requests.count == 1)
      #expect(page.limit == .milliseconds(1500))
      #expect(await script.remains() == [])
    }

    /// What was not declared is not asked.
    @Test func refusals() async throws {
      let script = try ScriptedPlugin("hello(needsText=True)\nreceive()\ntell_pid(1)")
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
          _ = try await provider.details(of: id, deadline: deadline, requests: RequestCounter())
        })
      _ = await script.host.endingFaults(of: "hostile")
      #expect(script.processes.count == 1)
    }

    @Test func feedAndDetails() async throws {
      let script = try ScriptedPlugin(
        """
        hello(feed=True, feedSorts=["created"], details=True)
        request = receive()
        assert request["method"] == "feed" and request["params"]["limit"] == 10, request
        answer(request, [item(0)])
        request = receive()
        assert request["method"] == "details" and request["params"]["id"] == "github.com/a/b", request
        answer(request, [item(1)], missing=[{"field": "readme", "error": {"code": 1004, "message": "gone"}}])
        request = receive()
        done(request, 0)
        request = receive()
        send({"id": request["id"], "error": {"code": 1004, "message": "no", "data": {"reason": "not_found"}}})
        receive()
        """)
      let provider = script.provider()
      #expect(try await provider.feed(try request(nil)).items.count == 1)
      let id = try #require(EntityReference("github.com/a/b", defaultHost: ""))
      let deadline = ContinuousClock.now + .seconds(20)
      let counter = RequestCounter()
      let details = try await provider.details(of: id, deadline: deadline, requests: counter)
      #expect(details?.item.title == "hostile/1" && details?.missing.map(\.field) == [.readme])
      #expect(details?.missing.first?.error.message == "the plugin Hostile reported: gone")
      #expect(try await provider.details(of: id, deadline: deadline, requests: counter) == nil)
      #expect(try await provider.details(of: id, deadline: deadline, requests: counter) == nil)
      let user = try #require(EntityReference("github.com/@somebody", defaultHost: ""))
      #expect(try await provider.details(of: user, deadline: deadline, requests: counter) == nil)
      #expect(counter.count == 3)
      #expect(await script.remains() == [])
    }

    /// No more requests than it takes are under way, and the others wait their turn.
    @Test(arguments: [1, 3]) func concurrency(_ width: Int) async throws {
      let script = try ScriptedPlugin(
        """
        import select
        hello(concurrency=\(width))
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
        """)
      let provider = script.provider()
      let titles = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<9 { group.addTask { try await provider.search(try request()).items.map(\.title) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(titles == Array(repeating: "hostile/\(width)", count: 9))
      #expect(await script.remains() == [])
    }

    // MARK: The compliance suite

    /// A plugin that keeps the contract passes every check that the suite has for providers in the program.
    @Test func compliance() async throws {
      let script = try ScriptedPlugin(
        """
        hello(text="exact", qualifiers={"language": {"push": "exact"}}, needsText=True, concurrency=4,
              fields=["language", "description"])
        held = [item(n, title="swift parser %d" % n, fields={"language": "Swift" if n % 3 else "C"}) for n in range(23)]
        def holds(it, f):
            if f["field"] == "text":
                same = f["value"].lower() in it["title"].lower()
            else:
                same = it["fields"]["language"].lower() == str(f["value"]).lower()
            return same if f["op"] == "eq" else not same
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
        """)
      let provider = script.provider()
      let whole = try await provider.declaration(deadline: .now + .seconds(20))
      let report = await ProviderComplianceTests(
        provider: Declared(provider, whole),
        samples: .init(words: ["swift"], qualifiers: ["language:c"], sendsRequests: true)
      ).run()
      #expect(report.failures.isEmpty, "\(report)")
      #expect(await script.remains() == [])
    }

    /// A provider with the descriptor that it has declared.
    private struct Declared: SearchProvider {
      let provider: any SearchProvider
      let descriptor: ProviderDescriptor
      init(_ provider: any SearchProvider, _ descriptor: ProviderDescriptor) {
        self.provider = provider
        self.descriptor = descriptor
      }
      func search(_ request: SearchRequest) async throws -> SearchPage { try await provider.search(request) }
    }
  }
}
