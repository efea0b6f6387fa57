import ForageCore
import Testing

/// Providers that take no part in a search.
struct ExclusionTests {
  private static let good = ScriptedProvider.listing("Good", repositories("g", 60))

  private func empty() -> ScriptedProvider {
    ScriptedProvider.named("Empty") { _, _ in
      throw SearchError(.nothingToAsk, "there is nothing to search", hint: "add something")
    }
  }

  private func search() throws -> FederatedSearch {
    FederatedSearch(query: try QueryParser().parse("swift"), limit: 30, timeout: .seconds(300))
  }

  @Test func nothingToAskIsNoFailure() async throws {
    let found = try await federated("swift", [empty(), Self.good])
    #expect(found.outcomes.map(\.state) == [.skipped, .ok])
    #expect(found.outcomes.first?.reason?.isEmpty == false)
    #expect(found.isComplete && found.items.count == 30)
    let alone = try await federated("swift", [empty()])
    #expect(alone.isComplete && alone.items.isEmpty && !alone.hasMore)
    #expect(!alone.outcomes.contains { $0.state.isFailure || $0.state.isAnswer })
  }

  /// It is not asked again for later parts, and its reason is still known there.
  @Test func theReasonIsKept() async throws {
    let empty = empty()
    let registry = ProviderRegistry([
      empty, ScriptedProvider.named("Story", kinds: [.story]) { _, _ in SearchPage(items: []) }, Self.good,
    ])
    let run = SearchRun(try search(), registry)
    let (first, second) = (await run.more(), await run.more())
    #expect(second.outcomes.map(\.state) == [.skipped, .unsupported, .ok])
    #expect(second.outcomes.map(\.reason) == first.outcomes.map(\.reason))
    #expect(second.items.count == 30 && second.isComplete && empty.requests.count == 1)
  }

  @Test func whatWasDeliveredMakesItAFailure() async throws {
    let provider = ScriptedProvider.named("P") { request, number in
      if number > 1 { throw SearchError(.nothingToAsk, "nothing any more", hint: "none") }
      return ScriptedProvider.page(of: repositories("p", 500), for: request)
    }
    let found = try await federated("swift", [provider], limit: 200)
    #expect(found.outcomes.map(\.state) == [.partial] && !found.isComplete)
  }

  /// The search names those that it asks before anything is sent.
  @Test func onlyTheAskedAreAnnounced() async throws {
    let announced = Announced()
    let other = ScriptedProvider.named("Story", kinds: [.story]) { _, _ in SearchPage(items: []) }
    _ = await SearchRun(try search(), ProviderRegistry([other, Self.good])).more { event in
      if case .started(let outcomes) = event { announced.add(outcomes.map(\.id)) }
    }
    #expect(announced.all == [["good"]])
  }
}
