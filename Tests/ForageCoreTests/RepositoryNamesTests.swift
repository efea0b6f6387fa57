import Synchronization
import TestSupport
import Testing

@testable import ForageCore

/// Filters whose results are known: providers are asked for them by name, or read as a whole.
struct RepositoryNamesTests {
  private static func abilities(booleans: Bool = true, repo: ProviderDescriptor.Pushdown? = .exact)
    -> ProviderDescriptor.KindAbilities
  {
    ProviderDescriptor.KindAbilities(
      qualifiers: repo.map { ["repo": $0, "owner": .exact] } ?? [:],
      fields: [.stars, .owner, .name], sorts: [], booleans: booleans, needsText: false, maximumPageSize: 100)
  }

  /// Repositories with owner and name, so that `repo:` can be checked.
  private static func forge(_ count: Int) -> [SearchResult] {
    repositories("owner", count) {
      [.owner: .text("owner"), .name: .text(String($0)), .stars: .number($0 * 7 % 1000)]
    }
  }

  /// A forge that evaluates what it is asked, page by page.
  private static func provider(
    _ items: [SearchResult], abilities: ProviderDescriptor.KindAbilities = abilities(),
    hosts: [String] = ["example.org"],
    failing: @escaping @Sendable (SearchRequest, Int) throws -> Void = { _, _ in }
  ) -> ScriptedProvider {
    ScriptedProvider.named("Forge", abilities: abilities, hosts: hosts) { request, number in
      try failing(request, number)
      // Words match everything here.
      let found = items.filter { request.query?.matches($0, occurs: { _ in true }) ?? true }
      return ScriptedProvider.page(of: found, for: request)
    }
  }

  private func search(
    _ providers: [any SearchProvider], ids: [String], query: String = "swift", limit: Int = 1000,
    sort: String? = nil
  ) async throws -> FederatedResult {
    var search = FederatedSearch(
      query: try QueryParser().parse(query), limit: limit, sort: sort, timeout: .seconds(300))
    search.filter = ResultFilter(name: "favorites", ids: Set(ids))
    return await Federation(ProviderRegistry(providers)).search(search)
  }

  private func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "example.org/owner/\($0)" } }

  @Test func everyOneIsFound() async throws {
    let provider = Self.provider(Self.forge(900))
    let wanted = ids(stride(from: 3, to: 900, by: 17))
    let found = try await search([provider], ids: wanted)
    #expect(Set(found.items.map(\.result.id)) == Set(wanted) && found.items.count == wanted.count)
    #expect(found.isComplete && found.outcomes.first?.residual == ["favorites"])
    #expect(found.outcomes.first?.total == ResultTotal(wanted.count))
    #expect(provider.requests.count > 1)
    #expect(provider.requests.allSatisfy { $0.query?.positiveTerms.map(\.text) == ["swift"] })
  }

  @Test func theQueriesStayShort() throws {
    let names = try #require(
      RepositoryNames(
        ids: ids(0..<200) + [
          "example.org/owner/" + String(repeating: "x", count: 300), "example.org/@owner",
        ],
        of: Self.provider([]).descriptor, abilities: Self.abilities(), query: nil))
    #expect(names.names.count == 201)
    let query = try QueryParser().parse("swift language:go").root
    let batches = names.batches(query)
    #expect(batches.flatMap { $0 } == names.names && batches.allSatisfy { !$0.isEmpty })
    for batch in batches where batch.count > 1 {
      let length = query.description.count + batch.reduce(0) { $0 + " repo:".count + $1.count }
      #expect(length <= RepositoryNames.queryLength)
    }
    #expect(batches.count < 40)
  }

  @Test func theOthersAreReadAsAWhole() async throws {
    let wanted = ids([5, 640, 899])
    for provider in [
      Self.provider(Self.forge(900), abilities: Self.abilities(repo: nil)),
      Self.provider(Self.forge(900), abilities: Self.abilities(booleans: false)),
      Self.provider(Self.forge(900), hosts: []),
    ] {
      let found = try await search([provider], ids: wanted)
      #expect(found.items.map(\.result.id) == wanted && found.isComplete)
      #expect(provider.requests.count == 9)
    }
  }

  @Test func aQueryThatNamesAnOwnerIsLeftAsItIs() async throws {
    let provider = Self.provider(Self.forge(250))
    let found = try await search([provider], ids: ids([1, 249]), query: "owner:owner")
    #expect(found.items.map(\.result.id) == ids([1, 249]))
    #expect(provider.requests.allSatisfy { $0.query?.description == "owner:owner" })
  }

  @Test func noneOnTheHostIsNothingToAsk() async throws {
    let provider = Self.provider(Self.forge(9))
    let found = try await search([provider], ids: ["github.com/a/b", "example.org/@owner"])
    #expect(found.outcomes.map(\.state) == [.skipped] && found.isComplete && provider.requests.isEmpty)
    #expect(found.outcomes.first?.reason?.contains("example.org") == true)
  }

  /// Names that the forge refuses cost the others nothing.
  @Test func refusedNamesAreLeftOut() async throws {
    let provider = Self.provider(Self.forge(300)) { request, _ in
      if request.query?.description.contains("repo:owner/gone") == true {
        throw SearchError(.invalidQuery, "it does not exist", hint: "check the name")
      }
    }
    let wanted = ids(stride(from: 0, to: 300, by: 11))
    let found = try await search(
      [provider], ids: wanted + ["example.org/owner/gone", "example.org/owner/gone-2"])
    #expect(Set(found.items.map(\.result.id)) == Set(wanted) && found.isComplete)
    let alone = try await search([provider], ids: ["example.org/owner/gone"])
    #expect(alone.outcomes.first?.error?.code == .invalidQuery && alone.outcomes.first?.state == .failed)
  }

  @Test func aFailureKeepsWhatHasArrived() async throws {
    let provider = Self.provider(Self.forge(300)) { _, number in
      if number == 2 { throw SearchError(.serverError, "it broke", hint: "wait") }
    }
    let wanted = ids(0..<100)
    let found = try await search([provider], ids: wanted)
    #expect(found.outcomes.map(\.state) == [.partial] && !found.isComplete)
    #expect(!found.items.isEmpty && Set(found.items.map(\.result.id)).isSubset(of: wanted))
    #expect(provider.requests.count == 2)
  }

  /// Empty pages are followed, and a page that repeats others ends a list.
  @Test func pagesWithoutNewItems() async throws {
    let items = Self.forge(3)
    let provider = ScriptedProvider.named("Forge", abilities: Self.abilities(), hosts: ["example.org"]) {
      request, _ in
      switch request.cursor {
      case nil: SearchPage(items: [items[0]], next: "empty")
      case "empty": SearchPage(items: [], next: "last")
      default: SearchPage(items: [items[2]], next: request.cursor == "last" ? "again" : "last")
      }
    }
    let found = try await search([provider], ids: ids(0..<3))
    #expect(Set(found.items.map(\.result.id)) == Set(ids([0, 2])) && provider.requests.count == 4)

    let endless = ScriptedProvider.named("Forge", abilities: Self.abilities(), hosts: ["example.org"]) {
      _, number in
      SearchPage(items: [], next: String(number))
    }
    let none = try await search([endless], ids: ids(0..<3))
    #expect(none.items.isEmpty && !none.isComplete && endless.requests.count == ProviderReader.emptyPageCap)
  }

  @Test func anInterruptedPageMakesThemPartial() async throws {
    let items = Self.forge(1)
    let provider = ScriptedProvider.named("Forge", abilities: Self.abilities(), hosts: ["example.org"]) {
      _, _ in
      SearchPage(items: items, gaps: PageGaps(failure: SearchError(.serverError, "it broke")))
    }
    let found = try await search([provider], ids: ids(0..<100))
    #expect(found.items.count == 1 && found.outcomes.map(\.state) == [.partial])
    #expect(provider.requests.count == 1)
  }

  @Test func theyAreSortedAsAWhole() async throws {
    let provider = Self.provider(Self.forge(900))
    let found = try await search([provider], ids: ids(stride(from: 0, to: 900, by: 13)), sort: "stars")
    let stars = found.items.compactMap { $0.result[.stars]?.number }
    #expect(stars.count == 70 && stars == stars.sorted(by: >))
    #expect(found.outcomes.map(\.isSortApproximate) == [false])
  }

  /// The sequence is the same however it is cut into pages, alone and beside another provider.
  @Test(arguments: [false, true], [nil, "stars"])
  func pagesContinue(isAlone: Bool, sort: String?) async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      let wanted = ids((0..<400).filter { _ in random.chance(0.3) })
      let other = ScriptedProvider.listing(
        "Other", Self.forge(400).shuffled(using: &random), abilities: Self.abilities(repo: nil))
      let registry = ProviderRegistry([Self.provider(Self.forge(400))] + (isAlone ? [] : [other]))
      var search = FederatedSearch(
        query: try QueryParser().parse("swift"), limit: 1000, sort: sort, timeout: .seconds(300))
      search.filter = ResultFilter(name: "favorites", ids: Set(wanted))
      let whole = await Federation(registry).search(search).items.map(\.result.id)
      #expect(Set(whole) == Set(wanted), "seed \(seed)")
      search.limit = Int.random(in: 1...50, using: &random)
      var result = await Federation(registry).search(search)
      var parts = result.items.map(\.result.id)
      while let session = result.session {
        let again = try SearchSession(encoded: session.encoded())
        result = try await Federation(registry).search(search, from: result.nextOffset, of: again)
        parts += result.items.map(\.result.id)
      }
      #expect(parts == whole, "seed \(seed), pages of \(search.limit)")
    }
  }
}
