import ForageCore
import ForageGitHub
import ForageHTTP
import TestSupport
import Testing

@Suite struct RequestTests {
  /// A repository of another host is none of this server.
  @Test(arguments: ["x repo:gitlab.com/c/d", "x (repo:gitlab.com/a/b OR repo:git.example/a/b)"])
  func repositoriesOfOtherHosts(_ query: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(3))) { provider, server in
      let error = await searchError { _ = try await provider.search(searchRequest(query)) }
      #expect(error?.code == .unsupportedQuery && server.requests.isEmpty)
    }
  }

  @Test(arguments: [nil, "s3cret"], ["", "/api/v3"])
  func headers(token: String?, path: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(3)), path: path, token: token) {
      provider, server in
      let page = try await provider.search(searchRequest("swift"))
      #expect(page.items.count == 3)
      _ = try await provider.details(
        of: try #require(EntityReference("owner/swift-1", defaultHost: "github.com")))
      #expect(server.requests.map(\.path) == [path + "/search/repositories", path + "/repos/owner/swift-1"])
      for request in server.requests {
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(request.headers["user-agent"] == [testUserAgent])
        #expect(request.headers["accept"] == ["application/vnd.github+json"])
        #expect(request.headers["x-github-api-version"] == ["2022-11-28"])
        #expect(request.headers["authorization"] == token.map { ["Bearer " + $0] })
        #expect(request.target.contains("s3cret") == false)
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test(arguments: [
    ("http", "http"),
    ("http client", "http client"),
    (#""http client""#, #""http client""#),
    ("repo:apple/swift-nio", "repo:apple/swift-nio"),
    ("repo:github.com/apple/swift-nio", "repo:apple/swift-nio"),
    ("x (repo:github.com/a/b OR repo:gitlab.com/c/d)", "x repo:a/b"),
    ("x -repo:gitlab.com/c/d", "x"), ("x repo:gitlab.com/c/d repo:a/b org:c", "x repo:a/b org:c"),
    ("x (repo:github.com/a/b OR repo:c/d)", "x repo:a/b repo:c/d"),
    ("http updated:>2024-01-31", "http"),
    ("stars:>5 (updated:>2024-01-31 OR forks:>5)", "stars:>5"),
    ("user:apple", "user:apple"),
    ("org:apple", "org:apple"),
    ("owner:apple", "user:apple"),
    ("-owner:apple x", "-user:apple x"),
    ("language:swift", "language:swift"),
    (#"language:"Jupyter Notebook""#, #"language:"Jupyter Notebook""#),
    ("language:C++", "language:C++"),
    ("license:mit", "license:mit"),
    ("topic:http topic:client", "topic:http topic:client"),
    ("topics:>=3", "topics:>=3"),
    ("stars:>100", "stars:>100"),
    ("stars:10..50", "stars:10..50"),
    ("stars:10..*", "stars:>=10"),
    ("stars:*..10", "stars:<=10"),
    ("stars:5", "stars:5"),
    ("forks:<=7", "forks:<=7"),
    ("size:<1000", "size:<1000"),
    ("followers:>=1000", "followers:>=1000"),
    ("good-first-issues:>2", "good-first-issues:>2"),
    ("help-wanted-issues:>4", "help-wanted-issues:>4"),
    ("created:2024-01-31", "created:2024-01-31"),
    ("created:2023-01-01..2023-12-31", "created:2023-01-01..2023-12-31"),
    ("pushed:>2024-01-31T10:00:00Z", "pushed:>2024-01-31T10:00:00Z"),
    ("pushed:<2024-01-31T10:00:00+02:00", "pushed:<2024-01-31T10:00:00+02:00"),
    ("archived:false", "archived:false"),
    ("mirror:true", "mirror:true"),
    ("template:true", "template:true"),
    ("fork:only", "fork:only"),
    ("is:public", "is:public"),
    ("has:funding-file", "has:funding-file"),
    ("x in:name,description", "x in:name,description"),
    ("props.team:core", "props.team:core"),
    ("-language:java x", "-language:java x"),
    ("x NOT y", "x NOT y"),
    ("x -y", "x NOT y"),
    ("a OR b", "a OR b"),
    ("(a OR b) language:go", "(a OR b) language:go"),
    ("OWNER:Apple Stars:>3", "user:Apple stars:>3"),
  ])
  func queryText(query: String, expected: String) async throws {
    let empty = #"{"total_count":0,"incomplete_results":false,"items":[]}"#
    try await withServer(answering: .json(body: empty)) { server in
      try await withProvider(at: server) { _ = try await $0.search(searchRequest(query)) }
      let request = try #require(server.requests.first)
      #expect(request.query("q") == expected)
      #expect(request.queryItems.map(\.name) == ["q", "per_page"])
    }
  }

  /// Any word arrives as it was written and alters no other parameter: 1,000 texts over one connection.
  @Test func anyTextArrivesByteForByte() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let empty = #"{"total_count":0,"incomplete_results":false,"items":[]}"#
    let fixed = [
      "a&page=9", "a#b", "C++", "100%", "%26", "a b", "x&q=y", "\u{0}", "\r\nX: y", "日本語", "e\u{301}", "🚀",
      "/../", "\\",
    ]
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0...0x1F, 0x7F...0x7FF, 0x800...0xD7FF, 0x10000...0x10FFF,
    ]
    try await withServer(answering: .json(body: empty)) { server in
      try await withProvider(at: server) { provider in
        for number in 0..<1000 {
          var text = ""
          for _ in 0..<Int.random(in: 1...40, using: &random) {
            let scalar = Unicode.Scalar(UInt32.random(in: random.pick(ranges), using: &random))
            if let scalar { text.unicodeScalars.append(scalar) }
          }
          if number < fixed.count { text = fixed[number] }
          let isPhrase = number % 2 == 1
          let request = SearchRequest(
            kind: .repo, query: .term(QueryTerm(text, isPhrase: isPhrase)), pageSize: 30,
            deadline: .now + .seconds(30))
          _ = try await provider.search(request)
          let seen = try #require(server.requests.last)
          #expect(seen.path == "/search/repositories")
          #expect(seen.queryItems.map(\.name) == ["q", "per_page"])
          #expect(seen.query("per_page") == "30")
          let expected = isPhrase ? QueryTerm.quoted(text) : text
          #expect(Array((seen.query("q") ?? "").utf8) == Array(expected.utf8), "\(text.debugDescription)")
          server.forgetRequests()
        }
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test(arguments: [
    ("stars", SortOrder.descending, "stars", "desc"), ("forks", .ascending, "forks", "asc"),
    ("updated", .descending, "updated", "desc"),
    ("help-wanted-issues", .ascending, "help-wanted-issues", "asc"),
  ])
  func sorting(key: String, order: SortOrder, sort: String, direction: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.sample(count: 50))) { provider, server in
      let page = try await provider.search(searchRequest("stars:>=0", sort: key, order: order))
      #expect(
        server.requests.first?.query("sort") == sort && server.requests.first?.query("order") == direction)
      guard key == "stars" || key == "forks" else { return }
      let numbers = page.items.compactMap { $0[key == "stars" ? .stars : .forks]?.number }
      #expect(numbers.count == page.items.count && numbers.count == 30)
      #expect(numbers == (order == .ascending ? numbers.sorted() : numbers.sorted(by: >)))
    }
  }

  /// GitHub sorts by the last update and has no qualifier for it: by itself it becomes the order of
  /// everything.
  @Test(
    arguments: [
      ("updated:>2024-01-31", nil, "updated", "desc"), ("updated:<2024-01-31", nil, "updated", "asc"),
      ("updated:2024-01-01..2024-02-01", nil, "updated", "desc"),
      ("updated:<2024-01-31", "stars", "stars", "desc"),
    ] as [(String, String?, String, String)])
  func updatedAlone(query: String, sort: String?, expected: String, order: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(1))) { provider, server in
      let page = try await provider.search(searchRequest(query, sort: sort))
      #expect(page.items.count == 1)
      let request = try #require(server.requests.first)
      #expect(request.query("q") == "stars:>=0")
      #expect(request.query("sort") == expected && request.query("order") == order)
    }
  }

  @Test func withoutSortNothingIsSaid() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(1))) { provider, server in
      _ = try await provider.search(searchRequest("swift", order: .ascending))
      #expect(server.requests.first?.query("sort") == nil && server.requests.first?.query("order") == nil)
    }
  }

  @Test(arguments: [
    ("the whole text", String(repeating: "a", count: 257), "256"),
    ("over several words", Array(repeating: "abcdefgh", count: 33).joined(separator: " "), "264"),
    ("a phrase", "\"" + String(repeating: "a ", count: 129) + "\"", "258"),
    ("operators", "a OR b OR c OR d OR e OR f OR g", "6"),
    ("negated words", "a NOT b NOT c NOT d NOT e NOT f NOT g", "6"),
    ("mixed", "(a OR b OR c) (d OR e OR f) NOT g NOT h", "6"),
  ])
  func tooLargeQueriesAreNotSent(what: String, query: String, number: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(3))) { provider, server in
      let request = try searchRequest(query)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .invalidQuery, "\(what)")
      #expect(error?.message.contains("GitHub") == true && error?.message.contains(number) == true, "\(what)")
      #expect(error?.hint.isEmpty == false)
      #expect(server.connectionCount == 0)
    }
  }

  @Test(arguments: [
    String(repeating: "a", count: 256),
    String(repeating: "a", count: 256) + " language:swift stars:>100 -topic:x",
    "a OR b OR c OR d OR e OR f", "a NOT b NOT c NOT d NOT e NOT f",
    "a -language:b -language:c -topic:d -topic:e -topic:f -topic:g",
  ])
  func largestQueriesAreSent(query: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(3))) { provider, server in
      _ = try await provider.search(searchRequest(query))
      #expect(server.requests.count == 1)
    }
  }

  @Test func nothingToSearchFor() async throws {
    try await withFake(FakeGitHub()) { provider, server in
      let request = SearchRequest(kind: .repo, query: nil, pageSize: 30, deadline: .now + .seconds(5))
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .unsupportedQuery && server.requests.isEmpty)
    }
  }
}
