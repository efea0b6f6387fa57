import ForageCore
import ForageTesting
import Testing

@Suite struct InMemoryProviderTests {
  private func search(
    _ provider: InMemoryProvider, _ query: String, sort: String? = nil, cursor: String? = nil,
    deadline: Duration = .seconds(60)
  ) async throws -> SearchPage {
    try await provider.search(
      SearchRequest(
        kind: .repo, query: try QueryParser().parse(query).root, sort: sort, pageSize: 5, cursor: cursor,
        deadline: .now + deadline))
  }

  private func names(_ page: SearchPage) -> [String] { page.items.compactMap { $0[.name]?.text } }

  @Test func pagesFollowEachOther() async throws {
    var names: [String] = []
    var sizes: [Int] = []
    var cursor: String?
    repeat {
      let page = try await search(Shelf.provider, "parser", cursor: cursor)
      #expect(page.total == ResultTotal(12))
      names += self.names(page)
      sizes.append(page.items.count)
      cursor = page.next
    } while cursor != nil
    #expect(names == (0..<12).map { "r\($0)" })
    #expect(sizes == [5, 5, 2])
  }

  @Test func exactQualifiersAreApplied() async throws {
    #expect(names(try await search(Shelf.provider, "http language:swift")) == ["r0", "r6"])
    #expect(names(try await search(Shelf.provider, "http -language:swift")) == ["r3", "r9"])
    #expect(names(try await search(Shelf.provider, "http (stars:0 OR stars:9)")) == ["r0", "r3"])
  }

  @Test func itSortsByTheDeclaredKeys() async throws {
    let page = try await search(Shelf.provider, "http", sort: "stars")
    #expect(page.items.compactMap { $0[.stars]?.number } == [9, 6, 3, 0])
    #expect(Shelf.provider.kinds[.repo]?.sorts.contains("createdAt") == true)
  }

  @Test func nothingIsBeyondTheReachableMaximum() async throws {
    let provider = Shelf.provider { $0.reachable = 7 }
    let first = try await search(provider, "parser")
    let second = try await search(provider, "parser", cursor: first.next)
    #expect(names(second) == ["r5", "r6"] && second.next == nil && second.total == ResultTotal(12))
  }

  @Test func aCursorBelongsToItsSearch() async throws {
    let cursor = try await search(Shelf.provider, "parser").next
    for (query, cursor) in [("http", cursor), ("parser", "5")] {
      let error = await #expect(throws: SearchError.self) {
        try await search(Shelf.provider, query, cursor: cursor)
      }
      #expect(error?.code == .invalidCursor)
    }
  }

  @Test func whatIsNotOfferedIsRefused() async throws {
    let plain = Shelf.provider {
      $0.booleans = false
      $0.sorts = []
    }
    for (query, sort) in [("http OR parser", nil), ("http", "stars")] {
      let error = await #expect(throws: SearchError.self) { try await search(plain, query, sort: sort) }
      #expect(error?.code == .unsupportedQuery)
    }
  }

  @Test func aFeedHasAllItemsOfAKind() async throws {
    let provider = Shelf.provider { $0.feed = Abilities.Feed(sorts: ["stars"]) }
    var request = SearchRequest(kind: .repo, query: nil, pageSize: 5, deadline: .now + .seconds(60))
    let first = try await provider.feed(request)
    #expect(first.items.map(\.id) == Shelf.items.prefix(5).map(\.id) && first.total == ResultTotal(15))
    request.sort = "stars"
    #expect(try await provider.feed(request).items.first?[.stars]?.number == 11)
    request.sort = "name"
    for provider in [provider, Shelf.provider { $0.feed = nil }] {
      let error = await #expect(throws: SearchError.self) { try await provider.feed(request) }
      #expect(error?.code == .unsupportedQuery)
    }
  }

  @Test func pagesBehaveAsAsked() async throws {
    let failure = SearchError(.serverError, "it broke", hint: "wait")
    var provider = Shelf.provider
    provider.pages = [2: .init(failure: failure)]
    let cursor = try await search(provider, "parser").next
    await #expect(throws: failure) { try await search(provider, "parser", cursor: cursor) }
    provider.pages = [1: .init(delay: .seconds(600))]
    let late = await #expect(throws: SearchError.self) {
      try await search(provider, "parser", deadline: .milliseconds(10))
    }
    #expect(late?.code == .timeout)
    let task = Task { [provider] in try await search(provider, "parser") }
    task.cancel()
    let cancelled = await #expect(throws: SearchError.self) { try await task.value }
    #expect(cancelled?.code == .cancelled)
  }

  @Test func detailsAreThoseOfTheEntity() async throws {
    let known = try #require(EntityReference("acme/r3", defaultHost: "forge.example"))
    let other = try #require(EntityReference("acme/none", defaultHost: "forge.example"))
    let account = try #require(EntityReference("@acme", defaultHost: "forge.example"))
    let deadline = ContinuousClock.now + .seconds(60)
    #expect(try await Shelf.provider.details(of: known, deadline: deadline)?.item.id == known.id)
    #expect(try await Shelf.provider.details(of: other, deadline: deadline) == nil)
    let refusal = await #expect(throws: SearchError.self) {
      try await Shelf.provider.details(of: account, deadline: deadline)
    }
    #expect(refusal?.code == .unsupportedQuery)
  }
}
