import ForageCore
import ForageHTTP
import Foundation
import TestSupport
import Testing

@testable import ForageManifest

/// Code search across the projects of a GitLab, where it has that, and in one project after the other where
/// it does not.
struct ListAcrossTests {
  /// The projects by their numbers. There is a fourth one, which is shown to nobody.
  private static let projects = [1: "acme/engine", 2: "acme/sub/shop", 3: "kim/notes"]

  /// A matching file, as GitLab lists it.
  private static func row(_ project: Int, _ path: String) -> String {
    #"{"project_id":\#(project),"path":"\#(path)","ref":"main","startline":3,"data":"a narwhal"}"#
  }

  /// A GitLab whose only group is `acme`.
  ///
  /// - Parameters:
  ///   - rows: What a search across projects finds, in two pages with links.
  ///   - refusal: The answer to such a search instead.
  ///   - broken: The number of a project that cannot be looked up now.
  private static func handler(
    _ rows: [String] = [], refusal: ScriptedResponse? = nil, broken: Int? = nil
  ) -> LoopbackServer.Handler {
    { request in
      let parts = Array(request.pathParts.dropFirst(2))
      func project(_ number: Int) -> String {
        let name = Self.projects[number] ?? ""
        let names = name.split(separator: "/")
        return
          #"{"id":\#(number),"path":"\#(names.last ?? "")","namespace":{"full_path":"\#(names.dropLast().joined(separator: "/"))"},"web_url":"\#(request.origin)/\#(name)"}"#
      }
      func list(of account: String) -> ScriptedResponse {
        let own = Self.projects.filter { $0.value.hasPrefix(account + "/") }
        return .json(body: "[" + own.keys.sorted().map(project).joined(separator: ",") + "]")
      }
      let missing = ScriptedResponse.json(status: 404, body: #"{"message":"404 Not Found"}"#)
      switch (parts[0], parts.count, parts.last ?? "") {
      case ("groups", 3, _) where parts[1].hasPrefix("acme") == false: return missing
      case ("search", 1, _), ("groups", 3, "search"):
        if let refusal { return refusal }
        let (size, isFirst) = (Int(request.query("per_page") ?? "") ?? 20, request.query("page") == nil)
        let page = isFirst ? rows.prefix(size) : rows.dropFirst(size)
        var headers: [ScriptedResponse.Header] = [("X-Total", "\(rows.count)")]
        if isFirst, rows.count > size {
          headers.append(("Link", "<\(request.origin)\(request.target)&page=2>; rel=\"next\""))
        }
        return .json(headers: headers, body: "[" + page.joined(separator: ",") + "]")
      case ("projects", 3, "search"):
        let number = Self.projects.first { $0.value == parts[1] }?.key ?? 0
        return .json(body: "[" + Self.row(number, "one.c") + "]")
      case ("groups", 3, "projects"): return list(of: parts[1])
      case ("users", 3, "projects"): return list(of: parts[1])
      case ("projects", 2, let id):
        guard let number = Int(id), Self.projects[number] != nil else { return missing }
        return number == broken ? .status(500) : .json(body: project(number))
      default: return missing
      }
    }
  }

  /// Runs a body with the forge at a server of its own.
  private func with<Result>(
    _ handler: @escaping LoopbackServer.Handler, secrets: [String: String] = ["token": "t0p"],
    _ body: (ManifestForgeProvider, LoopbackServer) async throws -> Result
  ) async throws -> Result {
    try await withServer(handler: handler) { server in
      try await with(server, secrets: secrets) { try await body($0, server) }
    }
  }

  private func with<Result>(
    _ server: LoopbackServer, services: HTTPServices? = nil, secrets: [String: String] = ["token": "t0p"],
    _ body: (ManifestForgeProvider) async throws -> Result
  ) async throws -> Result {
    try await withProvider(try bundled("gitlab"), at: server, services: services, secrets: secrets) {
      provider in
      try await body(try #require(ManifestForgeProvider(provider)))
    }
  }

  private func search(_ forge: ManifestForgeProvider, _ query: String) async throws -> (
    items: [SearchResult], outcome: ProviderOutcome
  ) {
    let known = QualifierVocabulary.common.adding(forge.info.vocabulary)
    let parsed = try QueryParser(vocabulary: known).parse(query)
    let found = await SearchRun(
      FederatedSearch(query: parsed, kinds: [.code], limit: 30), ProviderRegistry([forge])
    ).more()
    return (found.items.map(\.result), found.outcomes[0])
  }

  /// The names of the repositories of results, each once and without the host.
  private func repositories(_ items: [SearchResult], _ forge: ManifestForgeProvider) -> [String] {
    let start = forge.info.hosts[0] + "/"
    return Set(items.compactMap { $0[.repository]?.text }.map { $0.replacing(start, with: "") }).sorted()
  }

  /// A group, and the whole instance, are searched with one request. Each project is looked up once, and the
  /// file of one that is not shown is left out and counted.
  @Test(arguments: [
    ("narwhal org:acme", "/api/v4/groups/acme/search"),
    ("narwhal org:acme/sub", "/api/v4/groups/acme%2Fsub/search"), ("narwhal", "/api/v4/search"),
  ])
  func acrossProjects(_ query: String, _ path: String) async throws {
    let rows = [(1, "a.c"), (1, "b.c"), (2, "a.c"), (4, "a.c")].map { Self.row($0.0, $0.1) }
    try await with(Self.handler(rows)) { forge, server in
      let (items, outcome) = try await search(forge, query)
      let base = server.baseURL
      #expect(
        items.compactMap(\.url).sorted() == [
          base + "/acme/engine/-/blob/main/a.c", base + "/acme/engine/-/blob/main/b.c",
          base + "/acme/sub/shop/-/blob/main/a.c",
        ], "\(outcome)")
      #expect(repositories(items, forge) == ["acme/engine", "acme/sub/shop"])
      #expect(outcome.state == .partial && outcome.total == ResultTotal(4))
      #expect(outcome.error?.message.hasPrefix("1 result of GitLab could not be read") == true)
      #expect(server.requests.first?.path == path && server.requests.first?.query("scope") == "blobs")
      #expect(server.requests.first?.query("search") == "narwhal")
      #expect(
        server.requests.dropFirst().map(\.path).sorted() == [1, 2, 4].map { "/api/v4/projects/\($0)" })
    }
  }

  /// Of a group with more than a few projects these are listed, and the rest is looked up. No more files are
  /// asked for than are wanted.
  @Test func manyProjects() async throws {
    let rows = (1...6).map { Self.row($0, "a.c") }
    let projects = Dictionary(uniqueKeysWithValues: (1...6).map { ($0, "acme/p\($0)") })
    @Sendable func project(_ number: Int, _ origin: String) -> String {
      #"{"id":\#(number),"web_url":"\#(origin)/\#(projects[number] ?? "")"}"#
    }
    let handler: LoopbackServer.Handler = { request in
      let last = request.pathParts.last ?? ""
      switch (request.pathParts.dropFirst(2).first, last) {
      case ("groups", "search"):
        let size = Int(request.query("per_page") ?? "") ?? 20
        return .json(
          headers: [("X-Total", "6")], body: "[" + rows.prefix(size).joined(separator: ",") + "]")
      case ("groups", "projects"):
        return .json(body: "[" + (1...5).map { project($0, request.origin) }.joined(separator: ",") + "]")
      case ("projects", _): return .json(body: project(Int(last) ?? 0, request.origin))
      default: return .json(status: 404, body: "{}")
      }
    }
    try await with(handler) { forge, server in
      let (items, outcome) = try await search(forge, "narwhal org:acme")
      #expect(repositories(items, forge) == projects.values.sorted(), "\(outcome)")
      let paths = ["groups/acme/projects", "groups/acme/search", "projects/6"]
      #expect(server.requests.map(\.path).sorted() == paths.map { "/api/v4/" + $0 })
      server.forgetRequests()
      let query = try QueryParser(vocabulary: .common).parse("narwhal org:acme")
      let run = SearchRun(FederatedSearch(query: query, kinds: [.code], limit: 2), ProviderRegistry([forge]))
      #expect(await run.more().items.count == 2)
      let few = ["groups/acme/search", "projects/1", "projects/2"]
      #expect(server.requests.map(\.path).sorted() == few.map { "/api/v4/" + $0 })
    }
  }

  /// A further page is one of the same list.
  @Test func furtherPages() async throws {
    let rows = [(1, "a.c"), (2, "b.c"), (3, "c.c")].map { Self.row($0.0, $0.1) }
    try await with(Self.handler(rows)) { forge, server in
      let provider = forge.searching
      let first = try await forge.search(ask("narwhal", of: provider, kind: .code, pageSize: 2))
      #expect(first.items.compactMap { $0[.path]?.text } == ["a.c", "b.c"])
      let cursor = try #require(first.next)
      let second = try await forge.search(
        ask("narwhal", of: provider, kind: .code, pageSize: 2, cursor: cursor))
      #expect(second.items.compactMap { $0[.path]?.text } == ["c.c"] && second.next == nil)
      #expect(server.requests.filter { $0.path == "/api/v4/search" }.count == 2)
    }
  }

  private static let refusals: [(status: Int, body: String)] = [
    (400, #"{"message":"Scope supported only with advanced search or exact code search"}"#),
    (400, #"{"message":{"error":"Scope not supported without Elasticsearch!"}}"#),
    (400, #"{"error":"scope does not have a valid value"}"#),
    (403, #"{"message":"403 Forbidden - Global Search is disabled for this scope"}"#),
  ]

  /// Where the list is refused, one project after the other is searched, and for a day the list is not asked
  /// for again with the same token.
  @Test(arguments: refusals) func refusalsAreRemembered(_ status: Int, _ body: String) async throws {
    let shared = try SharedServices()
    try await withServer(handler: Self.handler(refusal: .json(status: status, body: body))) { server in
      func count(_ path: String) -> Int { server.requests.filter { $0.path == "/api/v4/" + path }.count }
      func found(_ query: String, token: String = "t0p", mode: CacheMode = .normal) async throws -> [String] {
        try await with(server, services: shared.services(mode), secrets: ["token": token]) { forge in
          let (items, outcome) = try await search(forge, query)
          #expect(outcome.state == .ok, "\(outcome)")
          return repositories(items, forge)
        }
      }
      let all = ["acme/engine", "acme/sub/shop"]
      #expect(try await found("narwhal org:acme") == all && count("groups/acme/search") == 1)
      #expect(try await found("walrus org:acme") == all && count("groups/acme/search") == 1)
      #expect(try await found("walrus org:acme", token: "another") == all && count("groups/acme/search") == 2)
      #expect(try await found("walrus org:acme", mode: .bypass) == all && count("groups/acme/search") == 3)
      // Another group may have the list.
      #expect(try await found("walrus org:acme/sub") == ["acme/sub/shop"])
      #expect(count("groups/acme%2Fsub/search") == 1)
      for _ in 0..<2 {
        let outcome = try await with(server, services: shared.services()) {
          try await search($0, "narwhal").outcome
        }
        #expect(outcome.error?.code == .needsQualifier && count("search") == 1)
        #expect(outcome.error?.hint == "add repo:NAME, or org:NAME for all of an account, to the query")
      }
      shared.age(seconds: 86_401)
      #expect(try await found("narwhal org:acme") == all && count("groups/acme/search") == 4)
    }
  }

  /// A list that goes on from project to project is not begun anew.
  @Test func furtherPagesAfterARefusal() async throws {
    let (status, body) = Self.refusals[0]
    try await with(Self.handler(refusal: .json(status: status, body: body))) { forge, server in
      let provider = forge.searching
      let first = try await forge.search(ask("narwhal org:acme", of: provider, kind: .code, pageSize: 1))
      let cursor = try #require(first.next)
      let second = try await forge.search(
        ask("narwhal org:acme", of: provider, kind: .code, pageSize: 1, cursor: cursor))
      #expect(repositories(first.items + second.items, forge) == ["acme/engine", "acme/sub/shop"])
      #expect(server.requests.filter { $0.path == "/api/v4/groups/acme/search" }.count == 1)
    }
  }

  /// What is wrong with the token or the query is an error, and no sign that the list is not there.
  @Test(arguments: [
    (403, #"{"error":"insufficient_scope","error_description":"more privileges","scope":"read_api"}"#),
    (401, #"{"message":"401 Unauthorized"}"#), (400, #"{"error":"search is empty"}"#),
  ])
  func otherAnswersAreErrors(_ status: Int, _ body: String) async throws {
    try await with(Self.handler(refusal: .json(status: status, body: body))) { forge, server in
      let outcome = try await search(forge, "narwhal org:acme").outcome
      #expect(outcome.error != nil && !outcome.state.isAnswer, "\(outcome)")
      #expect(server.requests.map(\.path) == ["/api/v4/groups/acme/search"])
    }
  }

  /// A group is searched at once beside a person, of whom GitLab has no such list.
  @Test func aGroupAndAPerson() async throws {
    try await with(Self.handler([Self.row(2, "a.c")])) { forge, server in
      let (items, outcome) = try await search(forge, "narwhal org:acme org:kim")
      #expect(repositories(items, forge) == ["acme/sub/shop", "kim/notes"], "\(outcome)")
      #expect(outcome.state == .ok)
      #expect(server.requests.contains { $0.path == "/api/v4/projects/kim%2Fnotes/search" })
      #expect(!server.requests.contains { $0.path == "/api/v4/projects/acme%2Fengine/search" })
    }
  }

  /// A project that cannot be looked up now is no project that is not there.
  @Test func aFailedLookup() async throws {
    let rows = [Self.row(1, "a.c"), Self.row(2, "a.c")]
    try await with(Self.handler(rows, broken: 2)) { forge, _ in
      let (items, outcome) = try await search(forge, "narwhal org:acme")
      #expect(repositories(items, forge) == ["acme/engine"])
      #expect(outcome.state == .partial && outcome.error?.code == .serverError, "\(outcome)")
    }
  }

  @Test func withoutAToken() async throws {
    try await with(Self.handler([Self.row(1, "a.c")]), secrets: [:]) { forge, server in
      let alone = try await search(forge, "narwhal").outcome
      #expect(alone.error?.code == .needsQualifier && server.requests.isEmpty, "\(alone)")
      let within = try await search(forge, "narwhal org:acme").outcome
      #expect(within.state == .unauthorized, "\(within)")
      #expect(!server.requests.contains { $0.path.hasSuffix("/search") })
    }
  }

  // MARK: Reading

  private static let text = """
    forage: 1
    id: acme
    name: Acme
    base: https://acme.example
    items: $[*]
    map: {id: $.id, url: $.url, title: $.name}
    kinds:
      repo:
        request: {url: "{base}/r"}
        details: {url: "{base}/r/{id}"}
      code:
        request: {urls: {repo: "{base}/r/{repo}/search"}, params: {q: "{text}"}}
        wider:
          request: {url: "{base}/search", params: {q: "{text}"}}
          repository: $.project
          refused: [Gone, not Here]
    forge: {}
    """

  @Test func isRead() throws {
    let wider = try #require(try manifest(Self.text).kinds.last?.wider)
    #expect(wider.refused == ["gone", "not here"] && wider.repository?.description == "$.project")
  }

  @Test(arguments: [
    ("forge: {}", "", "wider requires forge"),
    ("    details: {url: \"{base}/r/{id}\"}\n", "", "repository requires details of the kind repo"),
    ("{urls: {repo: \"{base}/r/{repo}/search\"}", "{url: \"{base}/x\"", "wider requires a request with urls"),
    ("[Gone, not Here]", "[]", "refused takes a list of texts"),
    ("      refused: [Gone, not Here]\n", "", "\"refused\" is missing"),
    ("refused:", "refuse:", "\"refuse\" is not a known key"),
    ("$.project", "\"$.projects[*]\"", "repository takes one value"),
  ])
  func faults(_ old: String, _ new: String, _ expected: String) {
    let changed = Self.text.replacing(old, with: new)
    let found = problems(changed)
    #expect(changed != Self.text && found.count == 1 && found[0].contains(expected), "\(found)")
  }
}
