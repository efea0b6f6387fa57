import ForageCore
import ForageTesting
import Testing

/// Feeds are held to the rules of all lists, and to what the abilities say of them.
@Suite struct WrongFeedTests {
  @Test func aFeedThatIsNotShown() async {
    let silent = WrongProvider.feed({ _, _ in
      throw SearchError(.unsupportedQuery, "the shelf has no feed", hint: "search it")
    })
    let report = await ProviderComplianceTests(provider: silent, samples: Shelf.samples).run()
    #expect(report.failedChecks == ["answers"], "\(report)")
    #expect(
      report.failures.first?.description
        == "answers: repo feed page 1: expected an answer, but it failed with unsupported_query: the shelf has no feed"
    )
  }

  @Test func aFeedThatNobodyWasToldOf() async {
    let secret = Secretive()
    await expect(
      secret, fails: ["feed-undeclared"],
      line:
        "feed-undeclared: the feed of repo: expected a SearchError, or a feed in the abilities, but there is one"
    )
  }

  @Test func aFeedWithoutItsProtocol() async {
    await expect(
      Searcher(), fails: ["declaration"],
      line: "declaration: the kind repo: expected a feed only of a FeedProvider, but it declares one")
  }

  @Test func pagesOfFeedsAreJudged() async {
    let large = WrongProvider.feed({ request, inner in
      var request = request
      request.pageSize += 1
      return try await inner.feed(request)
    })
    let report = await ProviderComplianceTests(provider: large, samples: Shelf.samples).run()
    #expect(report.failedChecks == ["page-size"], "\(report)")
  }

  @Test func ordersOfFeedsAreJudged() async {
    let unsorted = WrongProvider.feed({ request, inner in
      var request = request
      request.sort = nil
      return try await inner.feed(request)
    })
    let report = await ProviderComplianceTests(provider: unsorted, samples: Shelf.samples).run()
    #expect(report.failedChecks.contains("sort-order"), "\(report)")
  }

  @Test func theModelRefusesWhatItDoesNotDeclare() async throws {
    let provider = Shelf.provider { $0.feed = Abilities.Feed(sorts: ["stars"]) }
    let request = SearchRequest(kind: .repo, query: nil, pageSize: 5, deadline: .now + .seconds(60))
    let first = try await provider.feed(request)
    #expect(first.items.map(\.id) == Shelf.items.prefix(5).map(\.id))
    #expect(first.total == ResultTotal(15))
    var sorted = request
    sorted.sort = "stars"
    let most = try await provider.feed(sorted)
    #expect(most.items.first?[.stars]?.number == 11)
    let without = Shelf.provider { $0.feed = nil }
    var query = request
    query.query = .term(QueryTerm("parser"))
    sorted.sort = "name"
    for (provider, refused) in [(provider, sorted), (provider, query), (without, request)] {
      do {
        _ = try await provider.feed(refused)
        Issue.record("it was shown")
      } catch let error as SearchError {
        #expect(error.code == .unsupportedQuery && error.message.hasPrefix("shelf does not offer a feed"))
      }
    }
  }
}

/// A provider with a feed that its abilities say nothing of.
private struct Secretive: FeedProvider, DetailsProvider {
  var info: ProviderInfo { Shelf.provider.info }
  var kinds: [ResultKind: Abilities] { Shelf.provider { $0.feed = nil }.kinds }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    try await Shelf.provider.search(request)
  }

  func feed(_ request: SearchRequest) async throws -> SearchPage { try await Shelf.provider.feed(request) }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    try await Shelf.provider.details(of: id, deadline: deadline)
  }
}

/// A provider that declares a feed, and cannot show it.
private struct Searcher: SearchProvider {
  var info: ProviderInfo { Shelf.provider.info }
  var kinds: [ResultKind: Abilities] { Shelf.provider.kinds }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    try await Shelf.provider.search(request)
  }
}
