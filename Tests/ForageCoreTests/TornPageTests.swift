import ForageCore
import Testing

/// Pages that break off behind some of their items.
struct TornPageTests {
  private static let failure = SearchError(.connectionLost, "P broke off", hint: "run it again")

  /// What has arrived stays, and why the rest did not is told.
  @Test func theItemsStay() async throws {
    let items = repositories("p", 5)
    let provider = ScriptedProvider.named("P") { request, _ in
      request.cursor == nil
        ? SearchPage(items: Array(items[0..<3]), next: "3", total: ResultTotal(5))
        : SearchPage(items: [items[3]], unreadable: 1, failure: Self.failure)
    }
    let found = try await federated("swift", [provider])
    #expect(found.items.map(\.result.id) == items[0..<4].map(\.id))
    let outcome = try #require(found.outcomes.first)
    #expect(outcome.state == .partial && outcome.error == Self.failure)
    #expect(outcome.returned == 4 && outcome.total == ResultTotal(5))
    #expect(outcome.notes.map(\.message) == ["1 result of P could not be read and is left out"])
    #expect(!found.isComplete && provider.requests.count == 2)
  }

  /// Without any item it is a failure like one that was thrown.
  @Test(arguments: [(SearchError.Code.timeout, ProviderOutcome.State.timeout), (.connectionLost, .failed)])
  func withoutItemsItHasFailed(_ code: SearchError.Code, _ state: ProviderOutcome.State) async throws {
    let provider = ScriptedProvider.named("P") { _, _ in
      SearchPage(
        items: [], failure: SearchError(code, "P broke off", hint: "run it again"))
    }
    let found = try await federated("swift", [provider, ScriptedProvider.listing("Q", repositories("q", 2))])
    #expect(found.items.count == 2)
    #expect(found.outcomes.map(\.state) == [state, .ok])
  }

  /// Who goes on gets the rest of the page, also where the page brings nothing new and more follows; nothing
  /// is lost or repeated.
  @Test(arguments: [2, 4]) func theRestComesLater(_ arrived: Int) async throws {
    let items = repositories("p", 8)
    let provider = ScriptedProvider.named("P") { request, number in
      if number == 1 {
        return SearchPage(items: Array(items[0..<arrived]), failure: Self.failure)
      }
      return request.cursor == nil
        ? SearchPage(items: Array(items[0..<4]), next: "4") : SearchPage(items: Array(items[4..<8]))
    }
    let search = FederatedSearch(query: try QueryParser().parse("swift"), timeout: .seconds(300))
    let run = SearchRun(search, ProviderRegistry([provider]))
    let first = await run.more()
    #expect(first.items.count == arrived && first.outcomes.first?.state == .partial)
    let second = await run.more()
    #expect(second.items.map(\.result.id) == items[arrived...].map(\.id))
    #expect(second.isComplete && provider.requests.map(\.cursor) == [nil, nil, "4"])
  }

  /// A word that a provider did not leave out is looked for here.
  @Test func aWordThatWasNotApplied() async throws {
    let items = [
      SearchResult(
        id: "example.org/p/a", kind: .repo, title: "p/a", fields: [.description: .text("old swift")]),
      SearchResult(id: "example.org/p/b", kind: .repo, title: "p/b", fields: [.description: .text("swift")]),
    ]
    let provider = ScriptedProvider.named("P") { _, _ in SearchPage(items: items, unapplied: ["text"]) }
    let found = try await federated("swift NOT old", [provider])
    #expect(found.items.map(\.result.id) == ["example.org/p/b"])
  }
}
