import ForageCore
import Testing

/// Requests are counted for the provider, and the part of a list, for which they are sent.
@Suite struct RequestCountTests {
  /// A provider that sends a number of requests for its only page.
  private struct Sending: SearchProvider {
    let info: ProviderInfo
    let kinds = [ResultKind.repo: Abilities.plain()]
    var count: Int
    /// Whether the requests are sent by tasks with deadlines of their own.
    var isNested = false
    /// Opened when it is asked, and what it waits for then.
    var gates: (entered: Gate, other: Gate)?

    init(_ id: String, _ count: Int, isNested: Bool = false, gates: (Gate, Gate)? = nil) {
      info = ProviderInfo(id: id)
      (self.count, self.isNested, self.gates) = (count, isNested, gates)
    }

    func search(_ request: SearchRequest) async throws -> SearchPage {
      gates?.entered.open()
      await gates?.other.wait()
      for _ in 0..<count {
        if isNested {
          _ = try await Deadline.run(until: request.deadline) {
            try await Deadline.run(until: request.deadline) { RequestCounter.current?.add() }
          }
        } else {
          RequestCounter.current?.add()
        }
      }
      return SearchPage(items: repositories(info.id, 1))
    }
  }

  private func search(limit: Int = 30, timeout: Duration = .seconds(300)) throws -> FederatedSearch {
    FederatedSearch(query: try QueryParser().parse("swift"), limit: limit, timeout: timeout)
  }

  @Test func eachProviderHasItsOwnCount() async throws {
    // Neither sends anything before both are asked.
    let (p, q) = (Gate(), Gate())
    let found = try await federated(
      "swift",
      [Sending("p", 3, gates: (p, q)), Sending("q", 5, gates: (q, p)), Sending("silent", 0)])
    #expect(found.outcomes.map(\.requests) == [3, 5, 0])
    #expect(found.items.count == 3 && RequestCounter.current == nil)
  }

  @Test func tasksWithDeadlinesOfTheirOwnCount() async throws {
    let found = try await federated("swift", [Sending("p", 4, isNested: true), Sending("q", 1)])
    #expect(found.outcomes.map(\.requests) == [4, 1])
  }

  @Test func kindsOfAProviderHaveTheirOwnCounts() async throws {
    let provider = ScriptedProvider.named("P", kinds: [.repo, .story]) { request, _ in
      if request.kind == .story { RequestCounter.current?.add() }
      return SearchPage(items: [])
    }
    let found = try await federated("swift", [provider], kinds: [.repo, .story])
    #expect(found.outcomes.map(\.requests) == [1, 2])
  }

  @Test func aPartCountsItsOwnRequests() async throws {
    let p = ScriptedProvider.listing("P", repositories("p", 250), abilities: .plain(page: 50))
    let run = SearchRun(try search(limit: 100), ProviderRegistry([p]))
    #expect(await run.more().outcomes.map(\.requests) == [2])
    #expect(await run.more(limit: 150).outcomes.map(\.requests) == [3])
    // Nothing is left to ask for.
    #expect(await run.more().outcomes.map(\.requests) == [0])
    #expect(await run.part(from: 0).outcomes.map(\.requests) == [0])
    #expect(p.requests.count == 5)
  }

  /// What a call that timed out still sends belongs to the part that made it.
  @Test func aLateRequestDoesNotCountLater() async throws {
    let (later, sent) = (Gate(), Gate())
    defer { later.open() }
    let provider = ScriptedProvider.named("P") { request, number in
      if number == 1 {
        await later.wait()
        for _ in 0..<5 { RequestCounter.current?.add() }
        sent.open()
      } else {
        later.open()
        await sent.wait()
      }
      return ScriptedProvider.page(of: repositories("p", 3), for: request)
    }
    let run = SearchRun(try search(), ProviderRegistry([provider]))
    // Time enough to be asked on a busy machine.
    let first = await run.more(timeout: .seconds(2))
    #expect(first.outcomes.map(\.state) == [.timeout] && first.outcomes.map(\.requests) == [1])
    let second = await run.more()
    #expect(second.items.count == 3 && second.outcomes.map(\.requests) == [1])
  }

  @Test func nobodyCountsOutsideOfASearch() async throws {
    let page = try await Sending("p", 2).search(
      SearchRequest(kind: .repo, query: nil, pageSize: 10, deadline: .now + .seconds(300)))
    #expect(page.items.count == 1 && RequestCounter.current == nil)
    let (outer, inner) = (RequestCounter(), RequestCounter())
    await outer.counting {
      RequestCounter.current?.add()
      await inner.counting { RequestCounter.current?.add() }
      RequestCounter.current?.add()
    }
    #expect(outer.count == 2 && inner.count == 1)
  }
}
