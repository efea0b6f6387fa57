import ForageCore
import TestSupport
import Testing

/// Feeds are merged, checked and continued like what is found.
@Suite struct FeedTests {
  private static let feeding = abilities(sorts: ["stars"])

  private static func abilities(sorts: [String], page: Int = 100, reachable: Int? = nil) -> Abilities {
    var abilities = Abilities.plain(page: page, reachable: reachable)
    abilities.feed = Abilities.Feed(sorts: sorts)
    return abilities
  }

  private func feed(
    _ providers: [any SearchProvider], query: String? = nil, limit: Int = 30, sort: String? = nil,
    kinds: [ResultKind] = [.repo]
  ) async throws -> FederatedResult {
    let search = FederatedSearch(
      feedOf: kinds, query: try query.map { try QueryParser().parse($0) }, limit: limit, sort: sort,
      timeout: .seconds(300))
    return await SearchRun(search, ProviderRegistry(providers)).more()
  }

  @Test func feedsAreMerged() async throws {
    let shared = repositories("s", 1)
    let p = ScriptedProvider.listing("P", repositories("p", 2) + shared, abilities: Self.feeding)
    let q = ScriptedProvider.listing("Q", shared + repositories("q", 2), abilities: Self.feeding)
    let shown = try await feed([p, q])
    #expect(
      shown.items.map(\.result.id) == ["s/0", "p/0", "p/1", "q/0", "q/1"].map { "example.org/" + $0 })
    #expect(shown.items.first?.sources.map(\.provider) == ["p", "q"])
    #expect(shown.outcomes.allSatisfy { $0.state == .ok && $0.requests == 1 && $0.residual.isEmpty })
    #expect(shown.isComplete)
    #expect(p.requests.isEmpty && q.requests.isEmpty)
    #expect(p.feedRequests.allSatisfy { $0.query == nil && $0.sort == nil })
  }

  @Test func aProviderWithoutAFeedIsNoFailure() async throws {
    let p = ScriptedProvider.listing("P", repositories("p", 2), abilities: Self.feeding)
    let q = ScriptedProvider.listing("Q", repositories("q", 2))
    let shown = try await feed([p, q])
    #expect(shown.items.count == 2)
    #expect(shown.outcomes.map(\.state) == [.ok, .unsupported])
    #expect(shown.outcomes.last?.reason?.contains("feed") == true)
    #expect(shown.outcomes.last?.error?.code == .unsupportedQuery)
    #expect(shown.isComplete)
    #expect(q.requests.isEmpty && q.feedRequests.isEmpty)
    let other = try await feed([p], kinds: [.story])
    #expect(other.outcomes.map(\.state) == [.unsupported])
    #expect(other.outcomes.first?.reason?.contains("feed") == true)
    #expect(other.outcomes.first?.error?.hint.hasSuffix(": repo") == true)
  }

  /// A provider that declares a feed and is no `FeedProvider` takes no part, and says why.
  @Test func aFeedThatIsOnlyDeclared() async throws {
    struct Plain: SearchProvider {
      let info = ProviderInfo(id: "plain", name: "Plain")
      let kinds = [ResultKind.repo: FeedTests.feeding]
      func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
    }
    let shown = try await feed([
      Plain(), ScriptedProvider.listing("P", repositories("p", 2), abilities: Self.feeding),
    ])
    #expect(shown.items.count == 2)
    #expect(shown.outcomes.map(\.state) == [.unsupported, .ok])
    #expect(shown.outcomes.first?.error == SearchError(.unsupportedQuery, "Plain has no feed"))
    #expect(shown.outcomes.first?.requests == 0)
  }

  @Test func conditionsAreCheckedHere() async throws {
    let items = repositories("p", 40) { number in
      [.language: .text(number.isMultiple(of: 4) ? "Swift" : "C"), .stars: .number(number)]
    }
    let p = ScriptedProvider.listing("P", items, abilities: Self.feeding)
    let shown = try await feed([p], query: "language:swift stars:>10 -stars:20")
    #expect(shown.items.map(\.result.id) == [12, 16, 24, 28, 32, 36].map { "example.org/p/\($0)" })
    #expect(shown.outcomes.first?.residual == ["language", "stars"])
    // The whole list was read.
    #expect(shown.outcomes.first?.total == ResultTotal(6))
    #expect(p.feedRequests.allSatisfy { $0.query == nil })
    let impossible = try await feed([p], query: "archived:true")
    #expect(impossible.outcomes.map(\.state) == [.unsupported])
    let states = try await feed([p], query: "-is:archived in:name NOT nothing")
    #expect(states.items.count == 30)
  }

  /// A condition that hardly anything fulfils is checked to the end of the feed.
  @Test func aLongFeedIsReadToItsEnd() async throws {
    let items = repositories("p", 2000) { [.stars: .number($0)] }
    let p = ScriptedProvider.listing("P", items, abilities: Self.abilities(sorts: [], page: 50))
    let shown = try await feed([p], query: "stars:1999")
    #expect(shown.items.map(\.result.id) == ["example.org/p/1999"])
    #expect(shown.isComplete && p.feedRequests.count == 40)
  }

  @Test func whatASearchCanReachSaysNothingOfAFeed() async throws {
    let p = ScriptedProvider.listing(
      "P", repositories("p", 200), abilities: Self.abilities(sorts: [], reachable: 100))
    let shown = try await feed([p], limit: 1000)
    #expect(shown.items.count == 200 && shown.outcomes.first?.notes == [])
  }

  @Test func theOrderIsTheFeeds() async throws {
    let p = ScriptedProvider.listing("P", repositories("p", 5), abilities: Self.feeding)
    let q = ScriptedProvider.listing("Q", repositories("q", 5), abilities: Self.abilities(sorts: []))
    _ = try await feed([p, q], sort: "stars")
    #expect(p.feedRequests.map(\.sort) == ["stars"])
    #expect(q.feedRequests.map(\.sort) == [nil])
  }

  @Test func failuresAreTold() async throws {
    let p = ScriptedProvider.listing("P", repositories("p", 2), abilities: Self.feeding)
    let q = ScriptedProvider.named("Q", abilities: Self.feeding) { _, _ in
      throw SearchError(.unauthorized, "a token is needed", hint: "set one")
    }
    let shown = try await feed([p, q])
    #expect(shown.outcomes.map(\.state) == [.ok, .unauthorized])
    #expect(shown.items.count == 2 && !shown.isComplete)
  }

  /// The sequence is the same however it is cut into parts.
  @Test func pagesContinue() async {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let shared = repositories("s", Int.random(in: 0...80, using: &random))
      let p = repositories("p", Int.random(in: 0...150, using: &random)) + shared
      let q = shared + repositories("q", Int.random(in: 0...150, using: &random))
      let page = Int.random(in: 1...60, using: &random)
      let registry = ProviderRegistry([
        ScriptedProvider.listing("P", p, abilities: Self.abilities(sorts: [], page: 40)),
        ScriptedProvider.listing("Q", q, abilities: Self.abilities(sorts: [], page: 70)),
      ])
      let search = FederatedSearch(feedOf: [.repo], limit: 1000, timeout: .seconds(300))
      let whole = await SearchRun(search, registry).more().items.map(\.result.id)
      let cut = await parts(search, registry) { page }.flatMap(\.items).map(\.result.id)
      #expect(cut == whole, "seed \(seed), pages of \(page)")
    }
  }
}
