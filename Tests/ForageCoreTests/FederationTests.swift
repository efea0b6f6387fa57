import ForageCore
import TestSupport
import Testing

@Suite struct FederationTests {
  @Test func answersAreMerged() async throws {
    let shared = repositories("s", 1)
    let p = ScriptedProvider.listing("P", repositories("p", 2) + shared)
    let q = ScriptedProvider.listing("Q", shared + repositories("q", 2))
    let found = try await federated("swift", [p, q])
    #expect(
      found.items.map(\.result.id) == ["s/0", "p/0", "p/1", "q/0", "q/1"].map { "example.org/" + $0 })
    #expect(found.items.first?.sources.map(\.provider) == ["p", "q"])
    #expect(found.items.first?.sources.map(\.rank) == [3, 1])
    #expect(found.outcomes.map(\.id) == ["p", "q"])
    #expect(found.outcomes.map(\.name) == ["P", "Q"])
    #expect(found.outcomes.allSatisfy { $0.state == .ok && $0.returned == 3 && $0.requests == 1 })
    #expect(found.outcomes.first?.total == ResultTotal(3))
    #expect(found.isComplete)
  }

  @Test func noProviders() async throws {
    let found = try await federated("swift", [])
    #expect(found.items.isEmpty && found.outcomes.isEmpty && found.isComplete)
  }

  @Test func nothingFoundIsAnAnswer() async throws {
    let found = try await federated("swift", [ScriptedProvider.listing("P", [])])
    #expect(found.items.isEmpty && found.isComplete)
    #expect(found.outcomes.map(\.state) == [.ok])
  }

  @Test func oneRequestForALimitOfAPageOrLess() async throws {
    for limit in [1, 30, 100] {
      let provider = ScriptedProvider.listing("P", repositories("p", 500))
      let found = try await federated("swift", [provider], limit: limit)
      #expect(provider.requests.map(\.pageSize) == [max(30, limit)])
      #expect(found.items.count == limit)
      #expect(found.outcomes.first?.requests == 1)
      #expect(found.isComplete)
    }
  }

  @Test func thePageSizeIsTheSameForEveryPage() async throws {
    let provider = ScriptedProvider.listing("P", repositories("p", 500))
    let found = try await federated("swift", [provider], limit: 250)
    #expect(provider.requests.map(\.pageSize) == [100, 100, 100])
    #expect(provider.requests.map(\.cursor) == [nil, "100", "200"])
    #expect(found.items.map(\.result.id) == repositories("p", 250).map(\.id))
    #expect(found.outcomes.first?.returned == 250)
  }

  @Test func severalListsAreReadByWholeWindows() async throws {
    let p = ScriptedProvider.listing("P", repositories("p", 500))
    let q = ScriptedProvider.listing("Q", repositories("q", 500), abilities: .plain(page: 20))
    let found = try await federated("swift", [p, q], limit: 10)
    #expect(p.requests.map(\.pageSize) == [50])
    #expect(q.requests.map(\.pageSize) == [20, 20, 20])
    #expect(found.items.count == 10)
    #expect(found.outcomes.map(\.returned) == [50, 50])
  }

  @Test func eachGetsItsPartOfTheQuery() async throws {
    let p = ScriptedProvider.listing("P", [])
    let q = ScriptedProvider.listing("Q", [], abilities: .plain(["stars": .inexact]))
    let found = try await federated("swift language:go stars:>5", [p, q])
    #expect(p.requests.map { $0.query?.description } == ["swift language:go"])
    #expect(q.requests.map { $0.query?.description } == ["swift stars:>5"])
    #expect(found.outcomes.map(\.residual) == [["stars"], ["language", "stars"]])
  }

  /// The limit is not pushed past a residual filter: further pages are read until enough items pass.
  @Test func theLimitIsNotPushedPastAResidual() async throws {
    let items = repositories("p", 100) { [.forks: .number($0 % 4 == 3 ? 10 : 0)] }
    let provider = ScriptedProvider.listing("P", items, abilities: .plain(page: 10))
    let found = try await federated("swift forks:>5", [provider], limit: 3)
    #expect(found.items.map(\.result.id) == [3, 7, 11].map { "example.org/p/\($0)" })
    #expect(found.items.map { $0.sources.map(\.rank) } == [[1], [2], [3]])
    #expect(provider.requests.map(\.pageSize) == [10, 10])
    #expect(provider.requests.allSatisfy { $0.query?.description == "swift" })
    let outcome = try #require(found.outcomes.first)
    #expect(outcome.returned == 3 && outcome.residual == ["forks"] && outcome.notes.isEmpty)
  }

  @Test func theScanCapIsReported() async throws {
    let items = repositories("p", 1000) { [.forks: .number($0 == 45 ? 10 : 0)] }
    let provider = ScriptedProvider.listing("P", items, abilities: .plain(page: 10))
    let found = try await federated("swift forks:>5", [provider], limit: 3)
    #expect(provider.requests.count == 5)
    #expect(found.items.map(\.result.id) == ["example.org/p/45"])
    #expect(found.outcomes.first?.notes.map(\.code) == [.scanLimited])
    #expect(found.outcomes.first?.state == .ok)
    #expect(!found.isComplete)
  }

  /// A search that repeats earlier parts of a list reads as many pages for each.
  @Test(arguments: [(1, 1), (2, 2), (4, 4)]) func theScanCapOfSeveralParts(_ parts: Int, _ found: Int)
    async throws
  {
    let items = repositories("p", 1000) { [.forks: .number($0 % 50 == 45 ? 10 : 0)] }
    let provider = ScriptedProvider.listing("P", items, abilities: .plain(page: 10))
    var search = FederatedSearch(
      query: try QueryParser().parse("swift forks:>5"), limit: 30, timeout: .seconds(300))
    search.partCount = parts
    let result = await SearchRun(search, ProviderRegistry([provider])).more()
    #expect(result.items.count == found && provider.requests.count == 5 * parts)
  }

  @Test func anEndWithinTheScanCapIsNoLimit() async throws {
    let provider = ScriptedProvider.listing("P", repositories("p", 50), abilities: .plain(page: 10))
    let found = try await federated("swift forks:>5", [provider], limit: 3)
    #expect(provider.requests.count == 5)
    #expect(found.items.isEmpty && found.isComplete)
  }

  @Test func aReplyCanDemoteAQualifier() async throws {
    let items = repositories("p", 20) { [.language: .text($0.isMultiple(of: 2) ? "Go" : "C")] }
    let provider = ScriptedProvider.named("P") { request, _ in
      var page = ScriptedProvider.page(of: items, for: request)
      page.unapplied = ["language"]
      return page
    }
    let found = try await federated("swift language:go", [provider], limit: 30)
    #expect(found.items.count == 10)
    #expect(found.items.allSatisfy { $0.result[.language] == .text("Go") })
    #expect(found.outcomes.first?.residual == ["language"])
    #expect(provider.requests.first?.query?.description == "swift language:go")
  }

  @Test func theReachableMaximumIsReportedWhereItCutTheList() async throws {
    let items = repositories("p", 20)
    func provider(total: Int) -> ScriptedProvider {
      ScriptedProvider.named("P", abilities: .plain(reachable: 20)) { request, _ in
        var page = ScriptedProvider.page(of: items, for: request)
        page.total = ResultTotal(total)
        return page
      }
    }
    let cut = try await federated("swift", [provider(total: 500)], limit: 30)
    #expect(cut.outcomes.first?.notes.map(\.code) == [.outOfReach] && !cut.isComplete)
    let whole = try await federated("swift", [provider(total: 20)], limit: 30)
    #expect(whole.outcomes.first?.notes == [] && whole.isComplete)
    let enough = try await federated("swift", [provider(total: 500)], limit: 20)
    #expect(enough.outcomes.first?.notes == [] && enough.isComplete)
  }

  /// To get the rest, only what the provider itself applies is of use.
  @Test(arguments: [
    (
      ["created": Pushdown.exact, "stars": .inexact, "language": .exact],
      "split the search, for example by created: or stars: ranges"
    ), (["created": .exact, "stars": .unsupported], "split the search, for example by created: ranges"),
    (
      ["created": .unsupported, "language": .exact, "repo": .exact, "path": .exact],
      "narrow the search, for example by language: or repo:"
    ), ([:], "make the query more specific"),
  ])
  func theHintAtTheReachableMaximum(_ qualifiers: [String: Pushdown], _ hint: String) async throws {
    var abilities = Abilities.plain(reachable: 20)
    abilities.qualifiers = qualifiers
    let provider = ScriptedProvider.named("P", abilities: abilities) { request, _ in
      var page = ScriptedProvider.page(of: repositories("p", 20), for: request)
      page.total = ResultTotal(500)
      return page
    }
    let cut = try await federated("swift", [provider], limit: 30)
    #expect(cut.outcomes.first?.notes.map(\.hint) == [hint])
  }

  @Test func whatAPageAdmitsIsReported() async throws {
    let provider = ScriptedProvider.named("P") { _, number in
      SearchPage(
        items: repositories("p\(number)", 2), next: number == 1 ? "2" : nil,
        total: ResultTotal(9, .atLeast), notes: number == 1 ? [.incompleteResults(of: "P")] : [],
        unreadable: number)
    }
    let found = try await federated("swift", [provider])
    let outcome = try #require(found.outcomes.first)
    #expect(outcome.notes == [.incompleteResults(of: "P")] && outcome.requests == 2 && outcome.returned == 4)
    #expect(outcome.total == ResultTotal(9, .atLeast))
    #expect(outcome.state == .partial && !found.isComplete)
    #expect(outcome.error?.code == .invalidResponse && outcome.error?.message.contains("3 results") == true)
  }

  /// An answer of which nothing can be read is none.
  @Test func anUnreadableAnswerIsAFailure() async throws {
    let provider = ScriptedProvider.named("P") { _, _ in
      SearchPage(items: [], total: ResultTotal(2), unreadable: 2)
    }
    let found = try await federated("swift", [provider, .listing("Q", repositories("q", 1))])
    #expect(found.outcomes.map(\.state) == [.failed, .ok] && found.items.count == 1 && !found.isComplete)
    #expect(found.outcomes.first?.error?.code == .invalidResponse)
  }

  /// A list that ends before its exact total was cut short, unless the limit was reached before.
  @Test(arguments: [nil, "2"]) func aListCutShort(_ next: String?) async throws {
    func provider() -> ScriptedProvider {
      ScriptedProvider.named("P") { _, number in
        number == 1
          ? SearchPage(items: repositories("p", 80), next: next, total: ResultTotal(250))
          : SearchPage(items: [], total: ResultTotal(250))
      }
    }
    let cut = try await federated("swift", [provider()], limit: 120)
    #expect(cut.items.count == 80 && !cut.isComplete)
    #expect(cut.outcomes.first?.notes.map(\.message) == ["P returns at most 80 of 250 results"])
    let full = try await federated("swift", [provider()], limit: 80)
    #expect(full.items.count == 80 && full.outcomes.first?.notes == [] && full.isComplete)
    // The other provider needs no further results of this one either.
    let beside = try await federated("swift", [provider(), .listing("Q", repositories("q", 3))], limit: 60)
    #expect(beside.items.count == 60 && beside.isComplete)
  }

  /// A list that one provider fills alone is complete, however many more results a window would take.
  @Test func aFullListBesideAnEmptyProvider() async throws {
    let items = repositories("p", 1000) { [.forks: .number($0 % 5 == 0 && $0 < 50 ? 10 : 0)] }
    let empty = ScriptedProvider.named("Q") { _, _ in throw SearchError(.nothingToAsk, "there is nothing") }
    for providers in [[], [empty]] {
      let provider = ScriptedProvider.listing("P", items, abilities: .plain(page: 10))
      let full = try await federated("swift forks:>5", providers + [provider], limit: 3)
      #expect(full.items.count == 3 && full.isComplete)
      let short = try await federated("swift forks:>5", providers + [provider], limit: 30)
      #expect(short.items.count == 10 && !short.isComplete)
      #expect(short.outcomes.last?.notes.map(\.code) == [.scanLimited])
    }
  }

  @Test func severalKinds() async throws {
    let people: ResultKind = "user"
    let p = ScriptedProvider.named("P", kinds: [.repo, people]) { request, _ in
      SearchPage(items: [SearchResult(id: "example.org/x", kind: request.kind, title: "x")])
    }
    let q = ScriptedProvider.listing("Q", repositories("q", 1))
    let r = ScriptedProvider.named("R", kinds: ["story", "code"]) { _, _ in SearchPage(items: []) }
    let found = try await federated("swift", [p, q, r], kinds: [.repo, people])
    #expect(found.outcomes.map(\.id) == ["p", "p", "q", "r"])
    #expect(found.outcomes.map(\.kind) == [.repo, people, .repo, .repo])
    #expect(found.outcomes.map(\.state) == [.ok, .ok, .ok, .unsupported])
    #expect(found.items.count == 3)
    #expect(Set(found.items.map(\.result.kind)) == [.repo, people])
    let error = try #require(found.outcomes.last?.error)
    #expect(error.code == .unsupportedQuery)
    #expect(found.outcomes.last?.reason?.contains("repo or user") == true)
    #expect(error.hint.hasSuffix(": code, story"))
    #expect(r.requests.isEmpty)
    #expect(found.isComplete)
  }

  @Test func theProvidersOwnLimitShortensItsDeadline() async throws {
    let hasty = ScriptedProvider.named("P", timeout: .seconds(100)) { _, _ in SearchPage(items: []) }
    let patient = ScriptedProvider.named("Q", timeout: .seconds(900)) { _, _ in SearchPage(items: []) }
    let usual = ScriptedProvider.listing("R", [])
    _ = try await federated("swift", [hasty, patient, usual])
    let deadlines = [hasty, patient, usual].compactMap { $0.requests.first?.deadline }
    try #require(deadlines.count == 3)
    #expect(deadlines[1] == deadlines[2])
    #expect(deadlines[0].duration(to: deadlines[1]) == .seconds(200))
  }

  /// What the user wants of a provider counts before what the provider says of itself.
  @Test func preferencesOfTheUser() async throws {
    let first = repositories("p", 1)
    let p = ScriptedProvider.named("P", timeout: .seconds(100)) { request, _ in
      ScriptedProvider.page(of: first, for: request)
    }
    let q = ScriptedProvider.listing("Q", repositories("q", 1))
    let registry = ProviderRegistry([p, q, q]) { id in
      id == "p"
        ? ProviderPreferences(timeout: .seconds(200)) : ProviderPreferences(weight: 2, timeout: .seconds(150))
    }
    #expect(registry.ids == ["p", "q"])
    let search = FederatedSearch(query: try QueryParser().parse("swift"), timeout: .seconds(300))
    let found = await SearchRun(search, registry).more()
    let deadlines = [p, q].compactMap { $0.requests.first?.deadline }
    try #require(deadlines.count == 2)
    #expect(deadlines[1].duration(to: deadlines[0]) == .seconds(50))
    #expect(found.items.map { $0.sources.map(\.provider) } == [["q"], ["p"]])
    #expect(found.items.first?.score == RankFusion.contribution(rank: 1, weight: 2))
    let others = await SearchRun(search, registry.selecting(["p"])).more()
    #expect(others.items.map(\.result.id) == first.map(\.id))
    #expect(registry.selecting(["q"])["q"]?.preferences.weight == 2)
  }
}

@Suite struct FederatedSortTests {
  private static func items(_ owner: String, _ stars: [Int?]) -> [SearchResult] {
    stars.enumerated().map { index, count in
      repository("example.org/\(owner)/\(index)", count.map { [.stars: .number($0)] } ?? [:])
    }
  }

  @Test func streamsAreMergedByTheKey() async throws {
    let items = Self.items("p", [50, 30, 10, nil])
    let p = ScriptedProvider.named("P", abilities: .plain(sorts: ["stars", "updated"])) { request, _ in
      ScriptedProvider.page(
        of: ResultOrder.sorted(items, by: "stars", order: request.order), for: request)
    }
    let q = ScriptedProvider.listing("Q", Self.items("q", [20, nil, 40]))
    let down = try await federated("swift", [p, q], sort: "stars")
    #expect(down.items.map { $0.result[.stars]?.number } == [50, 40, 30, 20, 10, nil, nil])
    #expect(p.requests.map(\.sort) == ["stars"] && p.requests.map(\.order) == [.descending])
    #expect(q.requests.map(\.sort) == [nil])
    // All that it has is sorted.
    #expect(down.outcomes.allSatisfy { $0.notes.isEmpty })
    let up = try await federated("swift", [p, q], sort: "stars", order: .ascending)
    #expect(up.items.map { $0.result[.stars]?.number } == [10, 20, 30, 40, 50, nil, nil])
    #expect(p.requests.last?.order == .ascending)
    let two = try await federated("swift", [p, q], limit: 2, sort: "stars")
    // The second provider cannot sort, so its first window is sorted here.
    #expect(two.items.map { $0.result[.stars]?.number } == [50, 40])
  }

  /// A window that is sorted here is read as a whole, whatever the limit; that it is not the whole list is
  /// told.
  @Test func aWindowIsSorted() async throws {
    let p = ScriptedProvider.listing("P", Self.items("p", (1...120).map(\.self)), abilities: .plain(page: 10))
    for limit in [1, 5, 50, 120] {
      let found = try await federated("swift", [p], limit: limit, sort: "stars")
      #expect(found.items.map { $0.result[.stars]?.number } == (1...50).reversed().prefix(limit).map(\.self))
      #expect(found.isComplete == (limit <= 50), "\(limit)")
      #expect(found.outcomes.first?.notes.map(\.code) == [.sortApproximate])
    }
  }

  /// Sorted streams need no windows: as many items as wanted from each are enough.
  @Test func longSortedStreams() async throws {
    let p = ScriptedProvider.listing(
      "P", Self.items("p", (0..<300).map { 1000 - 2 * $0 }), abilities: .plain(sorts: ["stars"]))
    let q = ScriptedProvider.listing(
      "Q", Self.items("q", (0..<300).map { 999 - 2 * $0 }), abilities: .plain(sorts: ["stars"]))
    let found = try await federated("swift", [p, q], limit: 150, sort: "stars")
    #expect(found.items.map { $0.result[.stars]?.number } == (0..<150).map { 1000 - $0 })
    #expect(p.requests.map(\.pageSize) == [100, 100])
    #expect(found.outcomes.allSatisfy { $0.notes.isEmpty })
  }
}
