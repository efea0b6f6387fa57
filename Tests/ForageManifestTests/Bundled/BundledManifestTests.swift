import ForageCore
import ForageHTTP
import ForageTesting
import Synchronization
import TestSupport
import Testing

@testable import ForageManifest

/// Each bundled manifest against a server that answers as its API does.
struct BundledManifestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var id: String
    var api: FakeAPI
    var qualifiers: [String] = []
    var feed: FakeAPI?
    /// The other kinds that are checked, and how the API answers for them.
    var kinds: [ResultKind] = []
    var further: (@Sendable (RecordedRequest, [FakeThing]) -> ScriptedResponse?)?
    var testDescription: String { id }

    func handler(_ things: [FakeThing]) -> LoopbackServer.Handler {
      let (search, feed) = (api.handler(things), self.feed.map { ($0.path, $0.handler(things)) })
      return { [further] request in
        if let answer = further?(request, things) { return answer }
        if let feed, request.path == feed.0 { return feed.1(request) }
        return search(request)
      }
    }
  }

  static let cases: [Case] = [
    Case(
      id: "gitlab", api: .gitlab,
      qualifiers: ["archived:false", "topic:swift", "language:swift", "updated:>2018-06-01"],
      kinds: [.issue], further: { FakeAPI.gitlabKinds($0, $1, site: $0.origin) }),
    Case(
      id: "codeberg", api: .codeberg, qualifiers: ["archived:true", "template:false", "stars:>100"],
      kinds: [.issue], further: { FakeAPI.giteaKinds($0, $1, site: $0.origin) }),
    Case(
      id: "stackoverflow", api: .stackoverflow,
      qualifiers: ["tag:swift", "accepted:true", "answers:>=2", "created:>2018-06-01", "closed:true"],
      feed: .hotQuestions),
    Case(id: "crates", api: .crates, qualifiers: ["keyword:swift", "topic:c"]),
    Case(id: "npm", api: .npm, qualifiers: ["keyword:swift", "topic:c", "author:ada"]),
    Case(id: "zoekt", api: .zoekt, qualifiers: ["language:swift"]),
    Case(id: "sourcegraph", api: .sourcegraph, qualifiers: ["language:swift"]),
  ]

  /// Any number in an answer: no other result goes with it, and what is read of it can be shown.
  @Test(arguments: cases)
  func hostileNumbers(_ test: Case) async throws {
    let manifest = try bundled(test.id)
    let answer = Mutex<HTTPResponse?>(nil)
    func provider(_ transport: HTTPTransport) throws -> ManifestProvider {
      try ManifestProvider(
        manifest, base: manifest.usesBase ? "https://a.example" : nil, transport: transport,
        userAgent: testUserAgent, secret: { _ in nil })
    }
    let usual = try await withServer(handler: test.handler(FakeThing.shelf(4))) { server in
      try await withProvider(manifest, at: server) { first in
        let transport = HTTPTransport { request in
          let response = try await first.client.transport.send(request)
          answer.withLock { $0 = response }
          return response
        }
        return try await provider(transport).search(ask("parser", of: first, pageSize: 2))
      }
    }
    let response = try #require(answer.withLock { $0 })
    for body in HostileNumbers.variants(of: String(decoding: response.body, as: UTF8.self)) {
      let changed = HTTPResponse(status: 200, headers: response.headers, body: Array(body.utf8))
      let other = try provider(HTTPTransport { _ in changed })
      guard let page = try? await other.search(ask("parser", of: other, pageSize: 2)) else { continue }
      #expect(page.items.count >= usual.items.count - 1, "\(body)")
      for item in page.items { _ = (item.pageAddress, item.fileLocation, item.sizeBytes) }
    }
  }

  @Test(arguments: cases)
  func complies(_ test: Case) async throws {
    try await withServer(handler: test.handler(FakeThing.shelf(40))) { server in
      let manifest = try bundled(test.id)
      try await withProvider(manifest, at: server) { provider in
        // Sample qualifiers of stackoverflow that its items tell nothing about are left to its own tests.
        let samples = ProviderComplianceTests.Samples(
          words: ["parser", "json"], qualifiers: test.qualifiers,
          kinds: test.further == nil ? nil : [.repo] + test.kinds, deadline: .seconds(60))
        let client = provider.client
        let report = await ProviderComplianceTests(provider: provider, samples: samples) {
          try ManifestProvider(
            manifest, base: client.base?.text, transport: client.transport, userAgent: testUserAgent)
        }.run()
        #expect(report.failures.isEmpty, "\(report)")
      }
    }
  }

  /// Every result, once and in order, whatever the page size.
  @Test(arguments: cases)
  func everyResultComesOnce(_ test: Case) async throws {
    try await withServer(handler: test.handler(FakeThing.shelf(130))) { server in
      try await withProvider(try bundled(test.id), at: server) { provider in
        let whole = try await everything(provider, "parser", pageSize: 100)
        let small = try await everything(provider, "parser", pageSize: 7)
        #expect(whole.items.map(\.id) == small.items.map(\.id) && whole.items.count == 130)
        #expect(Set(whole.items.map(\.id)).count == 130)
        let none = try await everything(provider, "zzzzzz", pageSize: 30)
        #expect(none.items.isEmpty && none.pages == 1)
      }
    }
  }

  private func first(_ id: String, _ query: String = "parser", sort: String? = nil) async throws -> (
    SearchPage, RecordedRequest
  ) {
    let test = try #require(Self.cases.first { $0.id == id })
    return try await withServer(handler: test.handler(FakeThing.shelf(40))) { server in
      try await withProvider(try bundled(id), at: server) { provider in
        let page = try await provider.search(ask(query, of: provider, sort: sort))
        return (page, try #require(server.requests.first))
      }
    }
  }

  @Test func gitlab() async throws {
    let (page, request) = try await first("gitlab", "parser archived:true topic:c", sort: "stars")
    #expect(
      request.queryItems.map { $0.name + "=" + $0.value } == [
        "search=parser", "per_page=30", "archived=true", "topic=c", "order_by=star_count", "sort=desc",
      ])
    let item = try #require(page.items.first)
    // The number is that of the server that was asked, which is another one here.
    #expect(item.kind == .repo && item.id.hasPrefix("gitlab.com/") && item.forgeID == nil)
    #expect(
      item[.archived] == .flag(true) && item[.topics] == .list(["c", "parsing"])
        && item[.host] == .text("gitlab.com"))
    #expect(
      page.total == ResultTotal(page.items.count) && item[.createdAt]?.date != nil && item[.avatarURL] == nil)
    let stars = page.items.compactMap { $0[.stars]?.number }
    #expect(stars == stars.sorted(by: >) && stars.count == page.items.count)
    let plain = try await first("gitlab").0
    #expect(
      plain.items.contains { $0[.description] == nil } && plain.next != nil && plain.total == ResultTotal(40))
  }

  @Test func codeberg() async throws {
    let (page, request) = try await first("codeberg", "a parser fast")
    #expect(
      request.query("q") == "parser" && request.query("includeDesc") == "true"
        && request.query("limit") == "30")
    let mirror = try #require(page.items.first { $0[.mirror] == .flag(true) })
    #expect(
      mirror.related.map(\.why) == [.mirror] && mirror.related.first?.id.hasPrefix("github.com/") == true)
    #expect(page.items.contains { $0[.language] == nil } && page.items.contains { $0[.topics] == nil })
    #expect(
      page.items.contains { $0[.license] == .text("MIT") } && page.items.allSatisfy { $0[.homepage] == nil })
  }

  @Test func stackoverflow() async throws {
    let (page, request) = try await first(
      "stackoverflow", "parser tag:swift created:2017-07-14..2019-01-01 answers:>1")
    #expect(
      request.queryItems.map { $0.name + "=" + $0.value } == [
        "site=stackoverflow", "q=parser", "page=1", "pagesize=30", "sort=relevance", "order=desc",
        "fromdate=1499990400",
        "todate=1546387199", "answers=2", "tagged=swift",
      ])
    let item = try #require(page.items.first)
    #expect(
      item.kind == .question && item.title.hasPrefix("What's a \"parser-")
        && item[.author]?.text?.hasSuffix(" & co") == true)
    #expect(
      item["tags"]?.texts.contains("swift") == true && item["accepted"]?.flag != nil
        && item["answers"]?.number ?? 0 > 1)
    #expect(page.unapplied.isEmpty && page.items.allSatisfy { $0.id.hasPrefix("stackoverflow:") })
  }

  /// The throttle of Stack Exchange has status 400, and holds for what follows.
  @Test func theThrottleIsALimit() async throws {
    let body =
      #"{"error_id":502,"error_name":"throttle_violation","error_message":"too many requests from this IP, more requests available in 30 seconds"}"#
    try await withServer { _ in
      .json(status: 400, body: body)
    } _: { server in
      try await withProvider(try bundled("stackoverflow"), at: server, services: SharedServices().services())
      { provider in
        for _ in 0..<2 {
          let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
          #expect(error?.code == .rateLimited && error?.retryAfterMilliseconds ?? 0 > 0)
        }
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test func crates() async throws {
    let (page, request) = try await first("crates", "parser keyword:c")
    #expect(
      request.target == "/api/v1/crates?q=parser&per_page=30&page=1&keyword=c"
        && request.header("user-agent") == testUserAgent)
    let item = try #require(page.items.first { !$0.related.isEmpty })
    #expect(item.related.first?.why == .repository && item[.description]?.text?.hasSuffix("\n") == false)
    #expect(
      item["registry"] == .text("crates.io")
        && item.url?.hasPrefix("https://crates.io/crates/parser-") == true)
    #expect(page.items.contains { $0["version"] == .text("2.0.0-rc.1") } && item[.updatedAt]?.date != nil)
    #expect(try ManifestDiscovery.manifest(at: bundledFolder + "/crates.yaml").perSecond == 1)
  }

  @Test func npm() async throws {
    let (page, request) = try await first("npm", "parser keyword:swift")
    #expect(request.query("text") == "parser keywords:swift" && request.query("from") == "0")
    let item = try #require(page.items.first)
    #expect(
      item.title.hasPrefix("@") && item.url?.hasPrefix("https://www.npmjs.com/package/") == true
        && item["registry"] == .text("npm"))
    #expect(page.items.contains { $0.related.first?.why == .repository })
  }

  @Test func zoekt() async throws {
    let (page, request) = try await first("zoekt", #"parser "let p.x" -z language:swift"#)
    #expect(
      request.bodyText
        == #"{"Opts":{"MaxDocDisplayCount":200,"NumContextLines":0},"Q":"\"parser\" \"let p\\\\.x\" -\"z\" lang:\"swift\""}"#
    )
    #expect(page.items.isEmpty)
    let found = try await first("zoekt").0
    let item = try #require(found.items.first)
    #expect(
      item[.repository]?.text?.hasPrefix("github.com/") == true
        && item[.path]?.text?.hasPrefix("Sources/parser-") == true)
    let fragments = try #require(item[.fragments]).elements
    #expect(fragments.count == 1 && fragments[0]["text"]?.text?.hasPrefix("ü let parser") == true)
    #expect(fragments.first?["matches"] == .items([.items([.number(6), .number(12)])]))
    #expect(found.total == ResultTotal(40, .atLeast) && item.url?.contains("/print?r=github.com%2F") == true)
  }

  /// Patterns of paths are regular expressions there.
  @Test(arguments: [
    ("*.md", #"(^|/)[^/]*\\.md$"#), ("**/*.go", #"(^|/)(.*/)?[^/]*\\.go$"#),
    ("/src/?.c", #"^src/[^/]\\.c$"#),
    ("doc?/", "(^|/)doc[^/]/"), ("a/**", "(^|/)a/.*$"),
  ])
  func patternsOfPaths(_ pattern: String, _ expression: String) async throws {
    let (_, request) = try await first("zoekt", "parser path:\(pattern)")
    let query = try JSONTree(parsing: request.body)["Q"]?.string
    #expect(query == #""parser" file:"\#(expression)""#, "\(query ?? "")")
    let other = try await first("sourcegraph", "parser -path:\(pattern)").1
    #expect(
      try JSONTree(parsing: other.body)["variables"]?["query"]?.string?.hasSuffix(
        #"-file:"\#(expression)""#) == true)
  }

  @Test func zoektNeedsItsAddress() throws {
    let manifest = try bundled("zoekt")
    let error = #expect(throws: SearchError.self) {
      try ManifestProvider(manifest, transport: .init { _ in throw CancellationError() }, userAgent: "x")
    }
    #expect(
      error?.code == .configuration
        && error?.hint.contains("providers: {zoekt: {config: {url: \"https://HOST\"}}}") == true)
  }

  @Test func sourcegraph() async throws {
    let (page, request) = try await first("sourcegraph", #"parser language:c NOT "zz""#)
    let body = try JSONTree(parsing: request.body)
    #expect(body["variables"]?["query"]?.string == #"type:file count:200 "parser" lang:"c" NOT "zz""#)
    #expect(body["query"]?.string?.contains("FileMatch { repository { name }") == true)
    let item = try #require(page.items.first)
    #expect(
      item.url?.hasSuffix(".swift") == true && item.url?.contains("/-/blob/Sources/a%20b/parser-") == true)
    #expect(item[.fragments]?.elements.first?["matches"] == .items([.items([.number(4), .number(10)])]))
    #expect(item[.fragments]?.elements.first?["line"]?.number ?? 0 > 1)
    #expect(page.notes.isEmpty)
  }

  /// What these say themselves of a partial answer.
  @Test(
    arguments: [
      (
        "sourcegraph", #""limitHit":true,"timedout":[{"name":"a/b"},{"name":"a/c"}]"#,
        "its limit of results is reached; it had no time for: a/b, a/c"
      ),
      ("sourcegraph", #""alert":{"title":"too broad"},"cloning":[]"#, "too broad"),
      (
        "sourcegraph", #""missing":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"}]"#,
        "it does not have: a, b, c and 2 more"
      ),
      ("sourcegraph", #""alert":null,"limitHit":false,"timedout":[],"missing":null"#, nil),
      ("zoekt", #""Crashes":2,"ShardsSkipped":0"#, "parts of its index could not be searched"),
      ("zoekt", #""Crashes":0,"ShardsSkipped":7"#, "it had no time for parts of its index"),
      ("zoekt", #""Crashes":0,"ShardsSkipped":0,"FileCount":0"#, nil),
    ] as [(String, String, String?)])
  func partialAnswers(_ id: String, _ members: String, _ reason: String?) async throws {
    let body =
      id == "zoekt"
      ? #"{"Result":{"Files":[],\#(members)}}"#
      : #"{"data":{"search":{"results":{"matchCount":0,"results":[],\#(members)}}}}"#
    let handler: LoopbackServer.Handler = { _ in .json(body: body) }
    try await withServer(handler: handler) { server in
      try await withProvider(bundled(id), at: server) { provider in
        let page = try await provider.search(ask("x", of: provider))
        let name = provider.info.name
        #expect(page.notes.map(\.message) == (reason.map { ["\(name) answered only in part: \($0)"] } ?? []))
        #expect(page.notes.allSatisfy { $0.code == .incompleteSearch && $0.isMissing })
      }
    }
  }

  @Test func errorsBesideResults() async throws {
    let body =
      #"{"errors":[{"message":"no\u001b[1m index"}],"data":{"search":{"results":{"matchCount":0,"results":[]}}}}"#
    let handler: LoopbackServer.Handler = { _ in .json(body: body) }
    try await withServer(handler: handler) { server in
      try await withProvider(bundled("sourcegraph"), at: server) { provider in
        let page = try await provider.search(ask("x", of: provider))
        #expect(page.notes.first?.message.hasPrefix("Sourcegraph answered only in part: no") == true)
        #expect(page.notes.first?.message.contains("\u{1b}") == false)
      }
    }
  }
}
