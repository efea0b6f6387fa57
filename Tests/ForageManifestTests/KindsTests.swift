import ForageCore
import ForageManifest
import TestSupport
import Testing

/// Several kinds in one manifest.
struct KindsTests {
  private static let forge = """
    forage: 1
    id: acme
    name: Acme
    auth: {secret: token, header: X-Token}
    paging: {style: page, size: 2}
    items: $.values[*]
    kinds:
      repo:
        request: {url: "{base}/projects", params: {q: "{text}", page: "{page}"}}
        sorts: {stars: {sort: stars, order: desc}}
        map: {id: $.id, url: $.url, title: $.name, stars: $.stars}
        feed: {request: {url: "{base}/popular", params: {page: "{page}"}}}
      issue:
        request: {url: "{base}/issues", params: {search: "{text}", n: "{size}"}}
        paging: {style: none, size: 10}
        items: $[*]
        needsText: false
        qualifiers: {state: {param: state, values: {open: opened, closed: closed}}, weight: {param: weight}}
        map:
          id: $.id
          url: $.url
          title: $.title
          state: {path: $.state, map: {opened: open}}
          repository: {path: $.project, as: repositoryURL}
    """

  private static let answer: LoopbackServer.Handler = { request in
    switch request.path {
    case "/projects", "/popular":
      let numbers = request.query("page") == "1" ? [1, 2] : [3]
      let rows = numbers.map {
        #"{"id":\#($0),"url":"https://acme.example/o/n\#($0)","name":"n","stars":\#($0)}"#
      }
      return .json(body: #"{"values":[\#(rows.joined(separator: ","))]}"#)
    case "/issues":
      return .json(
        body:
          #"[{"id":1,"url":"https://acme.example/o/n1/issues/1","title":"x","state":"opened","project":"https://acme.example/o/n1"}]"#
      )
    default: return .status(404)
    }
  }

  @Test func eachHasItsOwnAbilities() throws {
    let manifest = try manifest(Self.forge)
    let (repo, issue) = (try #require(manifest.abilities[.repo]), try #require(manifest.abilities[.issue]))
    #expect(manifest.kinds.map(\.kind) == [.repo, .issue])
    #expect(repo.sorts == ["stars"] && repo.needsText == nil && repo.feed != nil && repo.maximumPageSize == 2)
    #expect(repo.qualifiers.isEmpty && repo.fields.isSuperset(of: [.stars, .owner]) && repo.reachable == nil)
    #expect(issue.sorts.isEmpty && issue.needsText == false && issue.feed == nil && issue.reachable == 10)
    #expect(issue.qualifiers == ["state": .exact, "weight": .exact])
    #expect(issue.fields == [.state, .repository, .host])
    let info = manifest.info(base: "https://acme.example")
    #expect(info.hosts == ["acme.example"] && info.vocabulary.map(\.kinds) == [[.issue]])
  }

  @Test func eachIsSearchedByItsOwnRequest() async throws {
    try await withAPI(Self.forge, Self.answer) { provider, server in
      let repositories = try await everything(provider, "x", pageSize: 30)
      #expect(repositories.items.map(\.id) == (1...3).map { "acme.example/o/n\($0)" })
      let issues = try await provider.search(ask("x state:open", of: provider, kind: .issue))
      let item = try #require(issues.items.first)
      #expect(item.kind == .issue && item.id == "acme.example/o/n1#1" && item[.state] == .text("open"))
      #expect(item[.repository] == .text("acme.example/o/n1") && issues.next == nil)
      #expect(
        server.requests.map(\.target) == [
          "/projects?q=x&page=1", "/projects?q=x&page=2", "/issues?search=x&n=10&state=opened",
        ])
    }
  }

  /// One search over both kinds is one list.
  @Test func bothAreOneList() async throws {
    try await withAPI(Self.forge, Self.answer) { provider, server in
      let query = try QueryParser(vocabulary: .common).parse("n")
      let search = FederatedSearch(query: query, kinds: [.repo, .issue])
      let found = await SearchRun(search, ProviderRegistry([provider])).more()
      #expect(found.items.map(\.result.kind.rawValue).sorted() == ["issue", "repo", "repo", "repo"])
      #expect(Set(server.requests.map(\.path)) == ["/projects", "/issues"])
    }
  }

  @Test func aCursorBelongsToItsKind() async throws {
    let text = Self.forge.replacing("    paging: {style: none, size: 10}\n", with: "").replacing(
      "n: \"{size}\"", with: "page: \"{page}\"")
    try await withAPI(text, Self.answer) { provider, server in
      let next = try #require(try await provider.search(ask("x", of: provider)).next)
      let request = try ask("x", of: provider, kind: .issue, cursor: next)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .invalidCursor && server.requests.count == 1)
    }
  }

  @Test func onlyOneHasAFeedOrNeedsTheSecret() async throws {
    let text = Self.forge.replacing("    needsText: false", with: "    needsToken: true")
    try await withAPI(text, Self.answer) { provider, server in
      #expect(try await provider.feed(ask(nil, of: provider)).items.count == 2)
      for kind in [ResultKind.issue, .user] {
        let feed = try ask(nil, of: provider, kind: kind)
        let error = await searchError { _ = try await provider.feed(feed) }
        #expect(error?.code == .unsupportedQuery)
      }
      let request = try ask("x", of: provider, kind: .issue)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .unauthorized && provider.kinds[.issue]?.needsToken == true)
      #expect(provider.kinds[.repo]?.needsToken == false && server.requests.map(\.path) == ["/popular"])
    }
  }

  /// A key of one kind is at fault in its own line, one of all kinds once.
  @Test(
    arguments: [
      ("needsText: false", "sortz: {}", ["acme.yaml:17: \"sortz\" is not a known key"]),
      ("needsText: false", "auth: {}", ["acme.yaml:17: \"auth\" is not a known key"]),
      ("{style: page, size: 2}", "{style: pag, size: 2}", ["acme.yaml:5: style does not accept \"pag\""]),
      ("items: $.values[*]\n", "\n", ["acme.yaml:9: \"items\" is missing"]),
      ("  issue:", "  Issue:", ["acme.yaml:13: \"Issue\" is not a valid kind"]),
    ])
  func faults(_ old: String, _ new: String, _ expected: [String]) {
    let found = problems(Self.forge.replacing(old, with: new))
    #expect(found.count == expected.count, "\(found)")
    for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected), "\(found)") }
  }
}
