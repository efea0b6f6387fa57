import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageGitHub

/// Searches beyond a thousand results against a server that returns no more of one query; one after
/// the other, because the server has much to do.
@Suite(.serialized) struct BeyondReachTests {
  /// One repository a day and a quarter, stars in no order.
  private static func repositories(_ count: Int) -> [FakeRepository] {
    FakeRepository.many(count).enumerated().map { index, repository in
      repository.with {
        $0.createdAt = Date(timeIntervalSince1970: 1_300_000_000 + Double(index) * 108_000)
        $0.stars = index * 7919 % 811
      }
    }
  }

  private func search(
    _ provider: GitHubProvider, _ query: String = "swift", limit: Int, sort: String? = nil,
    order: ForageCore.SortOrder = .descending, depth: SearchDepth = SearchDepth()
  ) async throws -> FederatedResult {
    let query = try QueryParser().parse(query)
    var search = FederatedSearch(
      query: query, limit: limit, sort: sort, order: order, timeout: .seconds(300))
    search.depth = depth
    return await SearchRun(search, ProviderRegistry([provider])).more()
  }

  @Test func everythingOnce() async throws {
    let plans = Mutex<[[Int]]>([])
    let depth = SearchDepth(wanted: 1600) { id, results, requests in
      #expect(id == "github")
      plans.withLock { $0.append([results, requests]) }
    }
    try await withFake(FakeGitHub(repositories: Self.repositories(1600))) { provider, server in
      let result = try await search(provider, limit: 1600, depth: depth)
      #expect(result.isComplete && result.items.count == 1600)
      #expect(Set(result.items.map(\.result.id)).count == 1600)
      let outcome = try #require(result.outcomes.first)
      #expect(outcome.notes.isEmpty && outcome.state == .ok)
      #expect(outcome.total == ResultTotal(1600) && outcome.requests == server.requests.count)
      #expect(server.requests.count <= SearchDepth.defaultMaximumRequests)
      let estimate = PartitionRules().estimate(results: 1600, of: 1600, isSorted: false)
      #expect(plans.withLock { $0 } == [[1600, estimate]])
      #expect(server.requests.count <= estimate + estimate / 4)
      // The first thousand are those of one query.
      let first = try await search(provider, limit: 1000)
      #expect(result.items.prefix(1000).map(\.result.id) == first.items.map(\.result.id))
    }
  }

  private static func world(of kind: ResultKind, _ count: Int) -> FakeGitHub {
    func time(_ index: Int) -> Date { Date(timeIntervalSince1970: 1_300_000_000 + Double(index) * 108_000) }
    return FakeGitHub { options in
      switch kind {
      case .issue:
        options.issues = (0..<count).map { index in
          var issue = FakeIssue(repository: "apple/swift-nio", number: index + 1, title: "swift \(index)")
          issue.createdAt = time(index)
          return issue
        }
      case .commit:
        options.commits = (0..<count).map { index in
          let author = FakeCommit.Person(login: "ann", name: "Ann", date: time(index))
          let sha = String(repeating: "0", count: 36) + String(index + 4096, radix: 16)
          return FakeCommit(
            repository: "apple/swift-nio", sha: sha, message: "swift \(index)", author: author)
        }
      default:
        options.users = (0..<count).map { index in
          var account = FakeAccount(login: "swift\(index)")
          account.createdAt = time(index)
          return account
        }
      }
    }
  }

  /// Every kind is split by the date that it has.
  @Test(arguments: [ResultKind.issue, .commit, .user])
  func everyKindOnce(_ kind: ResultKind) async throws {
    try await withFake(Self.world(of: kind, 1300)) { provider, server in
      var search = FederatedSearch(
        query: try QueryParser().parse("swift"), kinds: [kind], limit: 1300, timeout: .seconds(300))
      search.depth = SearchDepth(wanted: 1300)
      let result = await SearchRun(search, ProviderRegistry([provider])).more()
      #expect(result.items.count == 1300 && result.isComplete)
      #expect(Set(result.items.map(\.result.id)).count == 1300)
      #expect(server.requests.count <= SearchDepth.defaultMaximumRequests)
      let date = kind == .commit ? "committer-date:" : "created:"
      #expect(server.requests.count { $0.query("q")?.contains(date) == true } > 2)
    }
  }

  /// A limit just beyond ends the requests when it is reached.
  @Test func noMoreThanIsWanted() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1600))) { provider, server in
      let result = try await search(provider, limit: 1100)
      #expect(result.items.count == 1100 && result.isComplete && server.requests.count < 20)
    }
  }

  /// A sorted list stays sorted: it continues in ranges of what it is sorted by.
  @Test(arguments: [ForageCore.SortOrder.descending, .ascending])
  func sorted(_ order: ForageCore.SortOrder) async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1200))) { provider, server in
      let result = try await search(provider, limit: 1200, sort: "stars", order: order)
      #expect(result.items.count == 1200 && result.isComplete)
      let values = result.items.map { $0.result[.stars]?.number ?? -1 }
      #expect(values == (order == .ascending ? values.sorted() : values.sorted(by: >)))
      #expect(server.requests.allSatisfy { $0.query("sort") == "stars" })
      #expect(server.requests.allSatisfy { $0.query("order") == order.rawValue })
      #expect(server.requests.count <= SearchDepth.defaultMaximumRequests)
    }
  }

  /// All have the same number of forks: no range tells them apart.
  @Test func sortedByOneValue() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1200))) { provider, _ in
      let result = try await search(provider, limit: 1200, sort: "forks")
      #expect(result.items.count == 1000 && !result.isComplete)
      let outcome = try #require(result.outcomes.first)
      #expect(
        outcome.notes.map(\.message) == ["GitHub returns at most 1000 of 1200 results with forks:0"])
    }
  }

  /// GitHub cannot select by what it calls `updated`.
  @Test func anOrderThatCannotBeFollowed() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1100))) { provider, server in
      let result = try await search(provider, limit: 1100, sort: "updated")
      #expect(result.items.count == 1000 && server.requests.count == 10 && !result.isComplete)
      let outcome = try #require(result.outcomes.first)
      #expect(
        outcome.notes.map(\.message) == ["GitHub returns only 1,000 of 1,100 results sorted by updated"])
    }
  }

  /// All in one second: what cannot be told apart by date is out of reach, and that is said.
  @Test func allInOneSecond() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(1200))) { provider, server in
      let result = try await search(provider, limit: 5000)
      #expect(result.items.count == 1000 && server.requests.count < 30 && !result.isComplete)
      let outcome = try #require(result.outcomes.first)
      #expect(outcome.state == .ok && outcome.total == ResultTotal(1200))
      let message = try #require(outcome.notes.first?.message)
      #expect(outcome.notes.count == 1)
      #expect(
        message.contains("1000 of 1200") && message.contains("created:2017-07-14T02:40:00Z"))
    }
  }

  /// The ranges lie within the query's own, and an alternative stands in parentheses before them.
  @Test func aRangeAndAnAlternativeOfItsOwn() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1600))) { provider, server in
      let query = "(swift OR rust) created:2012-01-01..2015-12-31"
      let own = try QueryParser().parse(query).root
      let result = try await search(provider, query, limit: 5000)
      let wanted = Self.repositories(1600).filter {
        (1_325_376_000..<1_451_606_400).contains($0.createdAt.timeIntervalSince1970)
      }
      #expect(wanted.count > 1000)
      #expect(Set(result.items.map(\.result.title)) == Set(wanted.map(\.fullName)) && result.isComplete)
      #expect(result.items.allSatisfy { own.matches($0.result) })
      let split = server.requests.dropFirst(10).compactMap { $0.query("q") }
      #expect(split.allSatisfy { $0.hasPrefix("(swift OR rust) created:201") && $0.count < 80 })
    }
  }

  @Test func theBoundEndsTheRequestsAndCanBePassedLater() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1300))) { provider, server in
      var search = FederatedSearch(
        query: try QueryParser().parse("swift"), limit: 1300, timeout: .seconds(300))
      search.depth = SearchDepth(wanted: 1300, maximumRequests: 9)
      let run = SearchRun(search, ProviderRegistry([provider]))
      var result = await run.more()
      #expect(server.requests.count == 9 && !result.isComplete)
      var outcome = try #require(result.outcomes.first)
      #expect(outcome.state == .ok && outcome.notes.map(\.code) == [.requestsExceeded])
      var ids = result.items.map(\.result.id)
      var runs = 1
      while result.hasMore, runs < 10 {
        result = await run.more()
        outcome = try #require(result.outcomes.first)
        #expect(outcome.requests <= 9)
        ids += result.items.map(\.result.id)
        runs += 1
      }
      #expect(ids.count == 1300 && Set(ids).count == 1300 && runs > 2)
      #expect(result.isComplete && outcome.notes.isEmpty)
    }
  }

  /// Ten requests a minute without a token: what is there is kept, and the limit is told.
  @Test func aLimitOnTheWay() async throws {
    let github = FakeGitHub(repositories: Self.repositories(1100)) { $0.limits = .github(enforced: true) }
    try await withFake(github) { provider, server in
      let result = try await search(provider, limit: 1100)
      #expect(result.items.count == 1000 && server.requests.count == 11)
      #expect(result.outcomes.first?.state == .partial && result.outcomes.first?.error?.code == .rateLimited)
      #expect(result.hasMore && !result.isComplete)
    }
  }

  /// What GitHub itself calls incomplete is told of ranges, too.
  @Test func incompleteRanges() async throws {
    let github = FakeGitHub(repositories: Self.repositories(1100)) { $0.incompleteResults = true }
    try await withFake(github) { provider, _ in
      let result = try await search(provider, limit: 1100)
      #expect(result.items.count == 1100 && !result.isComplete)
      #expect(result.outcomes.first?.notes.map(\.code) == [.incompleteResults])
    }
  }
}
