import ForageCore
import ForageGitHub
import TestSupport
import Testing

@Suite struct PagingTests {
  private func search(_ provider: GitHubProvider, _ query: String = "swift", limit: Int, sort: String? = nil)
    async throws
    -> FederatedResult
  {
    let query = try QueryParser().parse(query)
    let search = FederatedSearch(query: query, limit: limit, sort: sort, timeout: .seconds(60))
    return await SearchRun(search, ProviderRegistry([provider])).more()
  }

  @Test(arguments: [
    (1, 1, "30"), (30, 1, "30"), (100, 1, "100"), (101, 2, "100"), (250, 3, "100"), (400, 4, "100"),
  ])
  func requestsForALimit(limit: Int, requests: Int, pageSize: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(400))) { provider, server in
      let result = try await search(provider, limit: limit)
      #expect(result.items.count == limit)
      #expect(Set(result.items.map(\.result.id)).count == limit)
      #expect(result.items.map(\.result.title) == (0..<limit).map { "owner/swift-\($0)" })
      #expect(server.requests.count == requests && result.outcomes.first?.requests == requests)
      #expect(server.requests.allSatisfy { $0.query("per_page") == pageSize && $0.query("q") == "swift" })
      #expect(server.requests.map { $0.query("page") ?? "1" } == (1...requests).map(String.init))
      #expect(result.outcomes.first?.state == .ok && result.outcomes.first?.total == ResultTotal(400))
    }
  }

  @Test func sortIsKeptOnEveryPage() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(250))) { provider, server in
      _ = try await search(provider, limit: 250, sort: "stars")
      #expect(server.requests.count == 3)
      #expect(server.requests.allSatisfy { $0.query("sort") == "stars" && $0.query("order") == "desc" })
    }
  }

  @Test func endOfTheListEndsTheRequests() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(120))) { provider, server in
      let result = try await search(provider, limit: 500)
      #expect(result.items.count == 120 && server.requests.count == 2)
      #expect(result.isComplete)
    }
  }

  /// GitHub returns at most 1,000 results of a query; no later page is requested.
  @Test func neverBeyondAThousand() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(1200))) { provider, server in
      let result = try await search(provider, limit: 1000)
      #expect(result.items.count == 1000 && server.requests.count == 10)
      #expect(result.outcomes.first?.state == .ok && result.outcomes.first?.notes == [])
      #expect(result.outcomes.first?.total == ResultTotal(1200) && result.isComplete)
    }
  }

  /// Even when the server's link leads further.
  @Test func linkBeyondAThousandIsNotFollowed() async throws {
    let body = #"{"total_count":5000,"incomplete_results":false,"items":[]}"#
    let handler: LoopbackServer.Handler = { request in
      .json(
        headers: [("Link", "<\(request.origin)/search/repositories?q=a&per_page=100&page=11>; rel=\"next\"")],
        body: body)
    }
    try await withServer(handler: handler) { server in
      try await withProvider(at: server) { provider in
        let link = server.baseURL + "/search/repositories?q=a&per_page=100&page="
        let tenth = try await provider.search(searchRequest("a", pageSize: 100, cursor: link + "10"))
        // Nor is a list without items split.
        #expect(tenth.next == nil && tenth.notes.isEmpty)
        let ninth = try await provider.search(searchRequest("a", pageSize: 100, cursor: link + "9"))
        #expect(ninth.next != nil)
      }
    }
  }

  @Test func incompleteResultsAreTold() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(5)) { $0.incompleteResults = true }
    try await withFake(github) { provider, _ in
      let page = try await provider.search(searchRequest("swift"))
      #expect(page.notes.map(\.code) == [.incompleteResults] && page.items.count == 5)
      #expect(page.total == ResultTotal(5, .atLeast))
      let result = try await search(provider, limit: 30)
      #expect(
        !result.isComplete && result.outcomes.first?.notes.map(\.code) == [.incompleteResults]
          && result.outcomes.first?.state == .ok)
    }
  }

  @Test func emptyAnswer() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(5))) { provider, server in
      let page = try await provider.search(searchRequest("nowhere"))
      #expect(
        page.items.isEmpty && page.next == nil && page.total == ResultTotal(0)
          && !page.notes.contains(where: \.isMissing))
      #expect(server.requests.count == 1)
    }
  }

  /// A link that leads to another server (behind a proxy that rewrites nothing) is asked of the configured
  /// one.
  @Test func linkToAnotherHostIsAskedHere() async throws {
    let item = #"{"id":ID,"name":"nID","full_name":"o/nID","html_url":"https://github.com/o/nID"}"#
    try await withServer(answering: .text("stolen")) { other in
      let elsewhere = other.baseURL
      let handler: LoopbackServer.Handler = { request in
        let page = request.query("page") ?? "1"
        let body =
          #"{"total_count":2,"incomplete_results":false,"items":["# + item.replacing("ID", with: page) + "]}"
        let link = "<\(elsewhere)/search/repositories?q=a&per_page=1&page=2>; rel=\"next\""
        return .json(headers: page == "1" ? [("Link", link)] : [], body: body)
      }
      try await withServer(handler: handler) { server in
        try await withProvider(at: server, token: "s3cret") { provider in
          let first = try await provider.search(searchRequest("a", pageSize: 1))
          let second = try await provider.search(searchRequest("a", pageSize: 1, cursor: first.next))
          #expect((first.items + second.items).map(\.title) == ["o/n1", "o/n2"])
          #expect(second.next == nil)
        }
        #expect(server.requests.count == 2)
      }
      #expect(other.connectionCount == 0)
    }
  }

  /// A page that fails leaves what came before.
  @Test func failureOnTheSecondPageKeepsTheFirst() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(250))
    github.fail(.primaryLimit(resetIn: 40), page: 2)
    try await withFake(github) { provider, server in
      let result = try await search(provider, limit: 250)
      #expect(result.items.count == 100 && server.requests.count == 2)
      #expect(result.outcomes.first?.state == .partial && result.outcomes.first?.error?.code == .rateLimited)
    }
  }
}
