import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// Lists of stars as the provider's feed.
@Suite struct StarListTests {
  private func request(
    sort: String? = nil, order: ForageCore.SortOrder = .descending, pageSize: Int = 30,
    cursor: String? = nil
  ) -> SearchRequest {
    SearchRequest(
      kind: .repo, query: nil, sort: sort, order: order, pageSize: pageSize, cursor: cursor,
      deadline: .now + .seconds(60))
  }

  /// A service whose owner has starred everything, the last repository last.
  private func starred(_ count: Int) -> FakeGitHub {
    let repositories = (0..<count).map { number in
      FakeRepository(id: 1000 + number, fullName: "owner/r\(number)", stars: number * 37 % 101).with {
        $0.pushedAt = Date(timeIntervalSince1970: 1_690_000_000 + Double(number * 53 % 97) * 3600)
        $0.updatedAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(number * 29 % 89) * 3600)
      }
    }
    return FakeGitHub(repositories: repositories) { $0.starred = repositories.map(\.fullName) }
  }

  private func names(_ page: SearchPage) -> [String] { page.items.map(\.title) }

  @Test func newestFirst() async throws {
    try await withFake(starred(5), token: "t0ken") { provider, server in
      let counter = RequestCounter()
      let page = try await counter.counting { try await provider.feed(request()) }
      #expect(names(page) == ["owner/r4", "owner/r3", "owner/r2", "owner/r1", "owner/r0"])
      #expect(page.items.first?[.starredAt]?.date == FakeGitHub.starredAt(4))
      #expect(page.items.first?.id == "github.com/owner/r4" && page.items.first?[.stars]?.number == 148 % 101)
      #expect(page.next == nil && page.total == ResultTotal(5) && page.unreadable == 0)
      #expect(server.requests.map(\.target) == ["/user/starred?per_page=30&sort=created&direction=desc"])
      #expect(server.requests.first?.header("accept") == "application/vnd.github.star+json")
      #expect(server.requests.first?.header("authorization") == "Bearer t0ken")
      #expect(counter.count == 1)
    }
  }

  @Test func pagesFollowTheLinks() async throws {
    try await withFake(starred(70), path: "/api/v3", token: "t0ken") { provider, server in
      var request = request()
      var found: [String] = []
      var totals: [ResultTotal?] = []
      repeat {
        let page = try await provider.feed(request)
        found += names(page)
        totals.append(page.total)
        request.cursor = page.next
      } while request.cursor != nil
      #expect(found == (0..<70).reversed().map { "owner/r\($0)" })
      #expect(totals == [ResultTotal(61, .atLeast), ResultTotal(61, .atLeast), ResultTotal(70)])
      #expect(server.requests.count == 3)
      #expect(server.requests.allSatisfy { $0.path == "/api/v3/user/starred" })
    }
  }

  @Test func anotherAccountNeedsNoToken() async throws {
    let github = starred(3)
    github.update { $0.starredBy = ["octo cat": ["owner/r1", "owner/r2"]] }
    try await withFake(github) { provider, server in
      let page = try await provider.starred(by: "octo cat", request())
      #expect(names(page) == ["owner/r2", "owner/r1"])
      // The list says nothing about the stars of whoever asks.
      #expect(page.items.allSatisfy { $0[.starred] == nil && $0[.starredAt] != nil })
      #expect(server.requests.map(\.path) == ["/users/octo%20cat/starred"])
      #expect(server.requests.first?.header("authorization") == nil)
      let request = request()
      let error = await searchError { _ = try await provider.starred(by: "nobody", request) }
      #expect(error?.code == .notFound)
      #expect(error?.message == "127.0.0.1:\(server.port) has no account \"nobody\"")
    }
  }

  /// Lists that are sorted here are not mixed up, however they are read.
  @Test func sortedListsOfSeveralAccounts() async throws {
    let github = starred(9)
    github.update { $0.starredBy = ["ann": ["owner/r1", "owner/r2", "owner/r3"], "bo": ["owner/r4"]] }
    try await withFake(github, token: "t0ken") { provider, server in
      let first = try await provider.starred(by: "ann", request(sort: "name", order: .ascending, pageSize: 2))
      #expect(names(first) == ["owner/r1", "owner/r2"] && first.total == ResultTotal(3))
      let other = try await provider.starred(by: "bo", request(sort: "name", order: .ascending, pageSize: 2))
      #expect(names(other) == ["owner/r4"] && other.next == nil)
      let own = try await provider.feed(request(sort: "name", order: .ascending, pageSize: 2))
      #expect(names(own) == ["owner/r0", "owner/r1"] && own.items.allSatisfy { $0[.starred]?.flag == true })
      let second = try await provider.starred(
        by: "ann", request(sort: "name", order: .ascending, pageSize: 2, cursor: first.next))
      #expect(names(second) == ["owner/r3"] && second.next == nil)
      #expect(
        server.requests.map(\.path)
          == ["/users/ann/starred", "/users/bo/starred", "/user/starred", "/users/ann/starred"])
    }
  }

  @Test func ownStarsNeedATokenBeforeAnythingIsSent() async throws {
    try await withFake(starred(3)) { provider, server in
      let request = request()
      let error = await searchError { _ = try await provider.feed(request) }
      #expect(error?.code == .unauthorized)
      #expect(error?.message.hasPrefix("the list of your stars on 127.0.0.1") == true)
      #expect(error?.hint.contains("GH_ENTERPRISE_TOKEN") == true)
      #expect(server.requests.isEmpty)
    }
  }

  /// What GitHub sorts costs one request; what it does not is read to the end and sorted here.
  @Test(arguments: [
    ("starred", "created", 1), ("pushed", "updated", 1), ("stars", "created", 2), ("updated", "created", 2),
    ("name", "created", 2),
  ])
  func sorted(_ key: String, _ parameter: String, _ requests: Int) async throws {
    for order in [ForageCore.SortOrder.ascending, .descending] {
      try await withFake(starred(130), token: "t0ken") { provider, server in
        let first = try await provider.feed(request(sort: key, order: order, pageSize: 50))
        #expect(server.requests.count == requests)
        #expect(server.requests.allSatisfy { $0.query("sort") == parameter })
        var all = first.items
        var cursor = first.next
        while let next = cursor {
          let page = try await provider.feed(request(sort: key, order: order, pageSize: 50, cursor: next))
          all += page.items
          cursor = page.next
        }
        #expect(Set(all.map(\.id)).count == 130 && all.count == 130)
        #expect(all == ResultOrder.sorted(all, by: key, order: order))
        #expect(requests == 1 || server.requests.count == requests, "further pages read the list again")
        #expect(requests == 1 || first.total == ResultTotal(130))
      }
    }
  }

  @Test func tooManyToSort() async throws {
    // A list that never ends: every page leads to another with something new.
    let item = #"{"id":%,"name":"r%","full_name":"o/r%","html_url":"https://github.com/o/r%"}"#
    let handler: LoopbackServer.Handler = { request in
      let page = request.query("page") ?? "1"
      let next = "<\(request.origin)/user/starred?page=\((Int(page) ?? 1) + 1)>; rel=\"next\""
      return .json(headers: [("Link", next)], body: "[" + item.replacing("%", with: page) + "]")
    }
    try await withServer(handler: handler) { server in
      try await withProvider(at: server, token: "t0ken") { provider in
        let request = request(sort: "stars")
        let error = await searchError { _ = try await provider.feed(request) }
        #expect(error?.code == .unsupportedQuery)
        #expect(error?.message.contains("more than 10000 stars") == true)
        #expect(server.requests.count == GitHubStars.maximumPages)
      }
    }
  }

  /// One bad star loses only itself; what a server leaves out is absent; a plain list is read, too.
  @Test func oddAnswers() async throws {
    let body = """
      [{"starred_at":"2026-03-01T10:00:00Z","repo":{"id":"7","name":"a","full_name":"o/a",
        "html_url":"https://github.com/o/a","description":null,"license":null,"stargazers_count":"12","new":[1]}},
       {"starred_at":null,"repo":{"id":8,"name":"b","full_name":"o/b","html_url":"https://github.com/o/b"}},
       {"starred_at":"2026-03-01T10:00:00Z","repo":{"id":9}},
       {"starred_at":"2026-03-01T10:00:00Z","repo":null}, null, 7,
       {"starred_at":"yesterday","repo":{"id":10,"name":"c","full_name":"o/c","html_url":"https://github.com/o/c"}},
       {"id":11,"name":"d","full_name":"o/d","html_url":"https://github.com/o/d"}]
      """
    try await withServer(answering: .json(body: body)) { server in
      try await withProvider(at: server, token: "t0ken") { provider in
        let page = try await provider.feed(request())
        try #require(names(page) == ["o/a", "o/b", "o/c", "o/d"])
        #expect(page.unreadable == 4 && page.total == ResultTotal(8))
        #expect(page.items[0][.starredAt]?.date?.timeIntervalSince1970 == 1_772_359_200)
        #expect(page.items[0][.stars]?.number == 12 && page.items[0][.description] == nil)
        #expect(page.items.dropFirst().allSatisfy { $0[.starredAt] == nil })
      }
    }
  }

  @Test(arguments: ["", "-1", "forage", "at:-1", "at:x", "/user/keys?page=2", "http://[", "../repos/o/n"])
  func foreignCursors(_ cursor: String) async throws {
    try await withFake(starred(40), token: "t0ken") { provider, server in
      for sort in [nil, "stars"] {
        let request = request(sort: sort, cursor: cursor)
        do {
          _ = try await provider.feed(request)
        } catch let error as SearchError {
          #expect(error.code == .invalidCursor)
        }
      }
      // Whatever a cursor says, nothing but lists of stars is asked for.
      #expect(server.requests.allSatisfy { $0.path == "/user/starred" })
    }
  }

  /// A link to another host, as behind a proxy, is asked of this one: the token stays.
  @Test func linksElsewhere() async throws {
    try await withServer(answering: .text("stolen")) { other in
      let next = "<\(other.baseURL)/user/starred?page=2>; rel=\"next\""
      let handler: LoopbackServer.Handler = { request in
        request.query("page") == "2" ? .json(body: "[]") : .json(headers: [("Link", next)], body: "[]")
      }
      try await withServer(handler: handler) { server in
        try await withProvider(at: server, token: "t0ken") { provider in
          let first = try await provider.feed(request())
          let link = try #require(first.next)
          let next = try await provider.feed(request(cursor: link))
          #expect(next.next == nil)
          #expect(server.requests.map(\.path) == ["/user/starred", "/user/starred"])
        }
      }
      #expect(other.connectionCount == 0)
    }
  }

  static let cases = FaultTests.cases.filter {
    // An empty list is a list of stars, and the sentence for what is not there is of its own.
    !["JSON of another kind", "a token is needed", "permission without a token", "not found"].contains(
      $0.name)
  }

  @Test(.timeLimit(.minutes(1)), arguments: cases)
  func faultIsTold(_ fault: FaultCase) async throws {
    let github = starred(30)
    github.fail(fault.fault)
    try await withFake(github, token: "t0ken") { provider, server in
      var request = request()
      request.deadline = .now + fault.time
      let error = await searchError { [request] in _ = try await provider.feed(request) }
      #expect(error?.code == fault.code)
      let message = error?.message ?? ""
      for part in ["GitHub"] + fault.message { #expect(message.contains(part), "\(message)") }
      #expect(!message.contains("t0ken"))
      #expect(server.requests.count == fault.requests)
    }
  }

  @Test func otherKindsHaveNone() async throws {
    try await withFake(starred(1), token: "t0ken") { provider, server in
      var request = request()
      request.kind = .story
      let error = await searchError { [request] in _ = try await provider.feed(request) }
      #expect(error?.code == .unsupportedQuery && server.requests.isEmpty)
    }
  }
}
