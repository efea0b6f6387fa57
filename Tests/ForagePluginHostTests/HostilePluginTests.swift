import ForageCore
import ForageTesting
import Foundation
import Testing

@testable import ForagePluginHost

extension RunningPlugins {
  /// Plugins that misbehave, each in its own way, beside a provider that does not.
  struct HostilePluginTests {
    /// Three repositories that match the query of every search here.
    private static let others = (0..<3).map {
      SearchResult(id: "example.org/good/hostile-\($0)", kind: .repo, title: "good/hostile-\($0)")
    }
    private static let good = InMemoryProvider(
      others, info: ProviderInfo(id: "good", name: "Good"),
      kinds: [.repo: Abilities(fields: [.description], needsText: false)])

    /// What is wrong is told in a sentence, what came before is kept, the other provider's results are all
    /// there, and no process is left.
    @Test(arguments: HostilePlugin.all) func isToldAndEnded(_ hostile: HostilePlugin) async throws {
      let handshake = hostile.isMute ? .seconds(1) : ScriptedPlugin.exitTimeout
      let script = try ScriptedPlugin(hostile.script, handshake: handshake)
      let plugin = script.provider()
      let provider = OwnDeadline(plugin, hostile.timeout)
      // Started beforehand, so that a short time is that of the search alone.
      try? await plugin.start(by: .now + .seconds(120))
      let search = FederatedSearch(
        query: try QueryParser().parse("hostile"), limit: 50, timeout: .seconds(120))
      let found = await SearchRun(search, ProviderRegistry([provider, Self.good])).more()

      let outcome = try #require(found.outcomes.first)
      let error = try #require(outcome.error)
      #expect(error.message.hasPrefix("the plugin Hostile "), "\(error)")
      #expect(error.message.contains(hostile.told), "\(error)")
      #expect(error.code == hostile.code && !error.hint.contains("--"))
      #expect(outcome.returned == hostile.kept)
      if hostile.isMute {
        #expect(script.log.all.contains { $0.hasPrefix("Hostile: initialize failed (timeout), ") })
      }
      // What the plugin has not written is not in its name.
      #expect(!outcome.notes.contains { $0.message.contains("reports") }, "\(outcome.notes)")
      if hostile.kept > 0 { #expect(outcome.state == .partial) } else { #expect(outcome.state.isFailure) }

      #expect(found.outcomes.last?.state == .ok)
      let good = found.items.filter { $0.sources.contains { $0.provider == "good" } }
      #expect(good.map(\.result.id) == Self.others.map(\.id))
      #expect(try await script.remains() == [])
      #expect(!script.processes.isEmpty)
    }

    /// Lines that do not belong are passed over, and told.
    @Test func aLittleNoiseIsBorne() async throws {
      let script = try ScriptedPlugin(
        """
        print("Welcome!")
        hello()
        request = receive()
        items(request, [item(0)])
        print("nearly there", flush=True)
        items({"id": 77}, [item(1)])
        raw(b"\\n[]\\n{}\\n\\xff\\xfe\\n")
        done(request, 1)
        done(request, 1)
        send({"method": "of/tomorrow", "params": {}})
        answer(receive(), [item(2)])
        receive()
        """)
      let provider = script.provider()
      #expect(try await provider.search(try request()).items.map(\.title) == ["hostile/0"])
      #expect(try await provider.search(try request()).items.map(\.title) == ["hostile/2"])
      let warnings = script.host.warnings(of: "hostile")
      #expect(warnings.count == 8)
      #expect(warnings.first?.hasSuffix(": Welcome!") == true)
      #expect(script.log.all.contains { $0.hasPrefix("Hostile: warning: wrote a line") })
      #expect(try await script.remains() == [])
    }

    /// What is no item costs only itself.
    @Test func oddItemsAreCounted() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        list = [item(0), 7, {}, item(1, url="javascript:alert(1)"), item(2, kind="story"), item(3, title=""),
                item(4, title="t" * 5000), item(5, url="https://example.org/" + "u" * 9000),
                item(6, fields={"text": "x" * 70000}), item(7, url=None), item(8, id=9), item("last")]
        answer(receive(), list)
        receive()
        """)
      let page = try await script.provider().search(try request(pageSize: 20))
      #expect(page.items.map(\.title) == ["hostile/0", "hostile/7", "hostile/last"])
      #expect(page.unreadable == 9 && page.failure == nil)
      #expect(try await script.remains() == [])
      // Each reason is told once.
      let told = script.host.warnings(of: "hostile")
      #expect(Set(told).count == told.count)
      for part in [
        "without a text as id, kind and title", "more than 64 KiB", "address is not http or https",
        "another kind than the requested repo", "an empty id, kind or title", "a title of more than 4 KiB",
        "an address of more than 8 KiB",
      ] {
        #expect(told.contains { $0.contains(part) }, "\(part): \(told)")
      }
    }

    /// A value of a wrong type costs its field, which is told once.
    @Test func oddFieldsAreLeftOut() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        odd = {"stars": "12", "forks": True, "createdAt": "yesterday", "topics": "x", "watchers": -5,
               "openIssues": 1e308, "archived": 1, "language": ["C"], "description": "kept"}
        request = receive()
        items(request, [item(n, fields=odd) for n in range(3)])
        raw(b'\\xef\\xbb\\xbf{"jsonrpc":"2.0","method":"search/items","params":{"id":%d,"items":[{"id":"3",'
            b'"kind":"repo","url":"https://example.org/hostile/3","title":"hostile/3","fields":{"stars":1e999,"forks":2}}]}}\\n'
            % request["id"])
        done(request, 4)
        receive()
        """)
      let page = try await script.provider().search(try request(pageSize: 20))
      #expect(page.items.count == 4 && page.unreadable == 0 && page.failure == nil)
      for item in page.items.prefix(3) { #expect(item.fields == [.description: .text("kept")]) }
      #expect(page.items.last?.fields == [.forks: .number(2)])
      let told = script.host.warnings(of: "hostile")
      #expect(told.count == 9, "\(told)")
      #expect(
        told.contains(
          "sent an item whose field stars is a text instead of a whole number; the field is left out"))
      #expect(told.contains("sent an item whose field watchers is negative; the field is left out"))
      #expect(
        told.contains(
          "sent an item whose field stars is not a whole number of 64 bits; the field is left out"))
      #expect(script.log.all.filter { $0.contains("the field is left out") }.count == 9)
      #expect(try await script.remains() == [])
    }

    /// It neither blocks the plugin nor fills memory.
    @Test func standardErrorMayFlood() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        chunk = b"y" * 65535 + b"\\n"
        for number in range(1000):
            sys.stderr.buffer.write(chunk)
        sys.stderr.write("the end\\n")
        answer(request, [item(0)])
        receive()
        """)
      let before = try residentBytes()
      #expect(try await script.provider().search(try request()).items.count == 1)
      #expect(try residentBytes() - before < 64 << 20)
      #expect(try await script.remains() == [])
      // Between them are the host's own lines, of the start and of each request.
      let flood = script.log.all.filter { $0.hasPrefix("Hostile: yy") }
      #expect(
        flood.count == 1000 && Set(flood.map(\.utf8.count)) == ["Hostile: ".utf8.count + ErrorLog.lineLimit])
      let end = script.log.all.lastIndex(of: "Hostile: the end")
      #expect(try #require(end) > #require(script.log.all.lastIndex(of: flood[999])))
    }

    /// 500 MB are written and none of it is kept.
    @Test func memoryStaysBounded() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        batch = [item(n, fields={"text": "z" * 60000}) for n in range(16)]
        for seq in range(500):
            items(request, batch)
        """)
      let before = try residentBytes()
      let page = try await script.provider().search(try request(pageSize: 200))
      #expect(page.failure?.message.contains("sent more than") == true)
      #expect(try residentBytes() - before < 64 << 20)
      #expect(try await script.remains() == [])
      #expect(try residentBytes() - before < 64 << 20)
    }

    /// One that does not stop a request that nobody wants any more is killed; what else was asked of it fails
    /// with that.
    @Test func cancellationIsNoWish() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        for number in range(2):
            receive()
            tell_pid(os.getpid())
        wait_forever()
        """, manifest: ["concurrency": .integer(2)])
      let provider = script.provider()
      let other = Task { await failure { _ = try await provider.search(try request("other")) } }
      let task = Task { await failure { _ = try await provider.search(try request()) } }
      try await script.waitForProcesses(3)
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      #expect(
        await other.value?.message
          == "the plugin Hostile did not answer a cancelled request in time and was killed")
      #expect(try await script.remains() == [])
    }

    /// A plugin that answers a cancelled request goes on.
    @Test func cancellationIsAnswered() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        first = receive()
        tell_pid(os.getpid())
        cancel = receive()
        assert cancel["method"] == "$/cancel" and cancel["params"]["id"] == first["id"], cancel
        items(first, [item(0)])
        send({"id": first["id"], "error": {"code": 1001, "message": "cancelled"}})
        answer(receive(), [item(1)])
        receive()
        """)
      let provider = script.provider()
      let task = Task { await failure { _ = try await provider.search(try request()) } }
      try await script.waitForProcesses(2)
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      #expect(try await provider.search(try request()).items.map(\.title) == ["hostile/1"])
      #expect(Set(script.processes).count == 1 && script.host.warnings(of: "hostile") == [])
      #expect(try await script.remains() == [])
    }
  }
}

/// A provider with a deadline that the search does not know, which would end it in the same moment.
private struct OwnDeadline: SearchProvider {
  let provider: any SearchProvider
  let limit: Duration
  var info: ProviderInfo
  var kinds: [ResultKind: Abilities] { provider.kinds }
  init(_ provider: any SearchProvider, _ limit: Duration) {
    self.provider = provider
    self.limit = limit
    info = provider.info
    info.timeLimit = nil
  }
  func search(_ request: SearchRequest) async throws -> SearchPage {
    var request = request
    request.deadline = .now + limit
    return try await provider.search(request)
  }
}

/// What this process has in memory.
private func residentBytes() throws -> Int {
  #if os(Linux)
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (Int(fields[1]) ?? 0) * Int(getpagesize())
  #else
    return 0
  #endif
}
