import ForageCore
import ForageHTTP
import Foundation
import TestSupport
import Testing

@testable import ForageManifest

/// What the bundled forges have besides searches: accounts, stars, repositories of an account, details with
/// parts, comments.
struct ForgeActionTests {
  private static let apis: [(id: String, api: FakeForge.API, name: String)] = [
    ("gitlab", .gitLab, "team/sub/app2"), ("codeberg", .gitea, "team/app2"),
  ]

  private func with<Result>(
    _ id: String, _ forge: FakeForge, token: String? = FakeForge.token,
    _ body: (ManifestForgeProvider, LoopbackServer) async throws -> Result
  ) async throws -> Result {
    try await withServer(handler: forge.handler) { server in
      try await withProvider(
        try bundled(id), at: server, secrets: token.map { ["token": $0] } ?? [:]
      ) { try await body(try #require(ManifestForgeProvider($0)), server) }
    }
  }

  private static var deadline: ContinuousClock.Instant { .now + .seconds(60) }

  private func reference(_ name: String, _ server: LoopbackServer) throws -> EntityReference {
    try #require(EntityReference("127.0.0.1:\(server.port)/\(name)", defaultHost: ""))
  }

  @Test(arguments: apis.indices) func account(_ index: Int) async throws {
    let (id, api, _) = Self.apis[index]
    try await with(id, FakeForge(api)) { forge, _ in
      let account = try await forge.account(deadline: Self.deadline)
      #expect(account == ForgeAccount(login: "kim"))
    }
    try await with(id, FakeForge(api), token: "another") { forge, _ in
      let error = await searchError { _ = try await forge.account(deadline: Self.deadline) }
      #expect(error?.code == .unauthorized && error?.message.contains("refused the secret") == true)
    }
    try await with(id, FakeForge(api), token: nil) { forge, server in
      let error = await searchError { _ = try await forge.account(deadline: Self.deadline) }
      #expect(error?.code == .unauthorized && server.requests.isEmpty)
      let limits = try await forge.limits(deadline: Self.deadline)
      #expect(limits.isEmpty && server.requests.count == 1)
    }
  }

  /// A star is given and taken back, each twice.
  @Test(arguments: apis.indices) func stars(_ index: Int) async throws {
    let (id, api, name) = Self.apis[index]
    let fake = FakeForge(api)
    try await with(id, fake) { forge, server in
      let repository = try reference(name, server)
      for _ in 0..<2 {
        try await forge.change(.add, of: repository, deadline: Self.deadline)
        #expect(fake.starred == [name])
      }
      let page = try await forge.feed(
        SearchRequest(kind: .repo, query: nil, pageSize: 10, deadline: Self.deadline))
      #expect(page.items.map(\.title) == [name] && page.items[0][.starred] == .flag(true) && page.next == nil)
      let others = try await forge.starred(
        by: "kim", SearchRequest(kind: .repo, query: nil, pageSize: 10, deadline: Self.deadline))
      #expect(others.items.map(\.title) == [name] && others.items[0][.starred] == nil)
      for _ in 0..<2 {
        try await forge.change(.remove, of: repository, deadline: Self.deadline)
        #expect(fake.starred.isEmpty)
      }
      let missing = try reference("team/none", server)
      let error = await searchError { try await forge.change(.add, of: missing, deadline: Self.deadline) }
      #expect(error?.code == .notFound && error?.message.hasPrefix("team/none does not exist") == true)
    }
  }

  /// Without a secret there is nothing to list, and nothing is sent.
  @Test func starsWithoutASecret() async throws {
    try await with("gitlab", FakeForge(.gitLab), token: nil) { forge, server in
      let request = SearchRequest(kind: .repo, query: nil, pageSize: 10, deadline: Self.deadline)
      let feed = await searchError { _ = try await forge.feed(request) }
      #expect(feed?.code == .nothingToAsk)
      let repository = try reference("team/sub/app1", server)
      let error = await searchError { try await forge.change(.add, of: repository, deadline: Self.deadline) }
      #expect(error?.code == .unauthorized && server.requests.isEmpty)
    }
  }

  /// A change whose answer says nothing of it may have been made; it is not repeated.
  @Test(arguments: [500, 502, 200]) func anUnknownOutcome(_ status: Int) async throws {
    let handler: LoopbackServer.Handler = { _ in
      status == 200 ? .json(body: "<html>Sign in</html>") : .status(status)
    }
    try await withServer(handler: handler) { server in
      try await withProvider(try bundled("gitlab"), at: server, secrets: ["token": "x"]) { provider in
        let forge = try #require(ManifestForgeProvider(provider))
        let repository = try reference("a/b", server)
        let error = await searchError {
          try await forge.change(.add, of: repository, deadline: Self.deadline)
        }
        #expect(
          error?.message.hasSuffix("it is unknown whether a/b is starred") == true, "\(error?.message ?? "")")
        #expect(error?.subject == "a/b" && server.requests.count == 1)
      }
    }
  }

  /// All repositories of an account over all pages, with those of subgroups, whatever the size of a page.
  @Test(arguments: [82, 3], [7, 100]) func repositoriesOfAnOwner(count: Int, pageSize: Int) async throws {
    for (id, api, _) in Self.apis {
      try await with(id, FakeForge(api, count: count)) { forge, _ in
        var (titles, cursor): ([String], String?) = ([], nil)
        repeat {
          let page = try await forge.repositories(
            of: "team",
            SearchRequest(
              kind: .repo, query: nil, pageSize: pageSize, cursor: cursor, deadline: Self.deadline))
          titles += page.items.map(\.title)
          cursor = page.next
        } while cursor != nil
        #expect(titles.count == count && Set(titles).count == count)
        let request = SearchRequest(kind: .repo, query: nil, pageSize: 9, deadline: Self.deadline)
        let error = await searchError { _ = try await forge.repositories(of: "nobody", request) }
        #expect(error?.code == .notFound && error?.message.hasSuffix("has no account \"nobody\"") == true)
      }
    }
  }

  /// What a query names is requested by its name, and the rest of the query is checked.
  @Test(arguments: [
    ("gitlab", "repo:team/sub/app2", ["team/sub/app2"], ["projects/team%2Fsub%2Fapp2"]),
    ("gitlab", "app2 org:team", ["team/sub/app2"], ["groups/team/projects"]),
    ("gitlab", "NOT app2 user:team/sub", ["team/sub/app1", "team/sub/app3"], ["groups/team%2Fsub/projects"]),
    ("gitlab", "owner:kim", [], ["groups/kim/projects", "users/kim/projects"]),
    ("gitlab", "org:none", [], ["groups/none/projects", "users/none/projects"]),
    ("gitlab", "repo:team/none", [], ["projects/team%2Fnone"]),
    (
      "gitlab", "repo:team/sub/app3 repo:team/sub/app1 repo:github.com/o/n",
      ["team/sub/app3", "team/sub/app1"], ["projects/team%2Fsub%2Fapp1", "projects/team%2Fsub%2Fapp3"]
    ),
    (
      "gitlab", "repo:team/none org:team/sub app1", ["team/sub/app1"],
      ["groups/team%2Fsub/projects", "projects/team%2Fnone"]
    ),
    ("gitlab", "repo:team/sub/app1 org:team app2", ["team/sub/app2"], ["groups/team/projects"]),
    ("codeberg", "repo:team/app2", ["team/app2"], ["repos/team/app2"]),
    ("codeberg", "org:team app3", ["team/app3"], ["users/team/repos"]),
  ])
  func repositoriesByName(_ id: String, _ query: String, _ titles: [String], _ paths: [String]) async throws {
    try await with(id, FakeForge(id == "gitlab" ? .gitLab : .gitea)) { forge, server in
      let search = FederatedSearch(
        query: try QueryParser().parse(query), kinds: [.repo], limit: 10)
      let run = SearchRun(search, ProviderRegistry([forge]))
      let result = await run.more()
      #expect(result.items.map(\.result.title) == titles && result.isComplete)
      let asked = server.requests.map { $0.target.prefix { $0 != "?" }.dropFirst("/api/vN/".count) }
      #expect(asked.map(String.init).sorted() == paths)
    }
  }

  /// `@me` is the account of the secret; without one nobody is asked.
  @Test(arguments: [FakeForge.token, nil]) func ownIssues(_ token: String?) async throws {
    try await with("gitlab", FakeForge(.gitLab), token: token) { forge, server in
      let query = try QueryParser().parse("is:issue author:@me wait")
      let run = SearchRun(
        FederatedSearch(query: query, kinds: [.issue], limit: 10), ProviderRegistry([forge]))
      let result = await run.more()
      let asked = server.requests.map { [$0.path, $0.query("author_username") ?? ""] }
      #expect(asked == (token == nil ? [] : [["/api/v4/user", ""], ["/api/v4/issues", "kim"]]))
      #expect(result.outcomes[0].error?.code == (token == nil ? .unauthorized : nil))
    }
  }

  /// The pages of what has one on each forge.
  @Test(arguments: [
    ("gitlab", "#7", "/-/issues/7"), ("gitlab", "!7", "/-/merge_requests/7"), ("gitlab", "", ""),
    ("gitlab", "@0123456", "/-/commit/0123456"), ("codeberg", "#7", "/issues/7"),
    ("codeberg", "!7", "/pulls/7"), ("codeberg", "@0123456", "/commit/0123456"),
    ("bitbucket", "!7", "/pull-requests/7"), ("bitbucket", "@0123456", "/commits/0123456"),
    ("pagure", "!7", "/pull-request/7"), ("pagure", "@0123456", "/c/0123456"),
  ])
  func pages(_ id: String, _ suffix: String, _ page: String) async throws {
    let manifest = try bundled(id)
    let host = try #require(manifest.site ?? manifest.base.flatMap { String($0.dropFirst("https://".count)) })
    let forge = try #require(
      try ManifestForgeProvider(
        ManifestProvider(
          manifest, transport: HTTPTransport { _ in throw HTTPError(.unreachable, "nothing is sent") },
          userAgent: "test")))
    let entity = try #require(EntityReference("\(host)/team/app\(suffix)", defaultHost: ""))
    #expect(forge.page(of: entity) == "https://\(host)/team/app\(page)")
    let repository = try #require(entity.repository)
    let file = try #require(EntityReference(file: "größe/a b.c", in: repository, ref: "HEAD"))
    let shown = try #require(forge.page(of: file))
    #expect(shown.hasSuffix("HEAD/" + (id == "pagure" ? "f/" : "") + "gr%C3%B6%C3%9Fe/a%20b.c"))
  }

  @Test func detailsWithParts() async throws {
    for (id, api, name) in Self.apis {
      try await with(id, FakeForge(api)) { forge, server in
        let repository = try reference(name, server)
        let details = try #require(try await forge.details(of: repository, deadline: Self.deadline))
        #expect(details.missing.isEmpty && details.item[.readme] == .text("# Größe\n"))
        let languages = details.item[.languages]?.elements ?? []
        #expect(
          languages.compactMap { $0["name"]?.text } == (api == .gitLab ? ["Ruby", "Go"] : ["Go", "C"]))
        #expect(languages.first?["bytes"]?.number == (api == .gitLab ? nil : 900))
        #expect(
          languages.allSatisfy {
            if case .fraction(let share)? = $0["share"] { share > 0 && share < 1 } else { false }
          })
        #expect(details.item[.latestRelease]?["tag"]?.text == (api == .gitLab ? "v1" : nil))
        #expect(try await forge.details(of: reference("team/none", server), deadline: Self.deadline) == nil)
      }
    }
  }

  /// A part that fails is missing, and the rest is there.
  @Test func aPartThatFails() async throws {
    let fake = FakeForge(.gitLab)
    let handler: LoopbackServer.Handler = {
      $0.path.hasSuffix("/languages") ? .status(500) : fake.handler($0)
    }
    try await withServer(handler: handler) { server in
      try await withProvider(try bundled("gitlab"), at: server) { provider in
        let repository = try reference("team/sub/app1", server)
        let details = try #require(try await provider.details(of: repository, deadline: Self.deadline))
        #expect(details.missing.map(\.field) == [.languages] && details.missing[0].error.code == .serverError)
        #expect(details.item[.readme] != nil && details.item[.latestRelease] != nil)
      }
    }
  }

  /// The last comments, the oldest of them first, without events.
  @Test func comments() async throws {
    for (id, api, name) in Self.apis {
      try await with(id, FakeForge(api)) { forge, server in
        let issue = try reference(name + "#4", server)
        let found = try await forge.comments(of: issue, last: 2, of: 5, deadline: Self.deadline)
        #expect(
          found.map { $0["text"]?.text } == (api == .gitLab ? ["note 7", "note 9"] : ["note 4", "note 5"]))
        #expect(found.allSatisfy { $0["author"]?.text == "ann" && $0["createdAt"]?.date != nil })
      }
    }
    try await with("gitlab", FakeForge(.gitLab)) { forge, server in
      let request = try reference("team/sub/app2!4", server)
      #expect(try await forge.comments(of: request, last: 9, of: 4, deadline: Self.deadline).count == 4)
      #expect(server.requests.last?.path.hasSuffix("/merge_requests/4/notes") == true)
    }
  }

  /// A file, at a branch too; a folder, the root and one of several pages; what is not there.
  @Test(arguments: apis.indices) func files(_ index: Int) async throws {
    let (id, api, name) = Self.apis[index]
    try await with(id, FakeForge(api)) { forge, server in
      let repository = try reference(name, server)
      func read(_ path: String, _ ref: String? = nil) async throws -> RepositoryContents {
        try await forge.contents(at: path, in: repository, ref: ref, deadline: Self.deadline)
      }
      func names(_ path: String) async throws -> [String]? {
        guard case .folder(let names, hasMore: false) = try await read(path) else { return nil }
        return names
      }
      for (path, ref, text) in [
        ("src/größe/a b.txt", nil, "one\ntwo\n"), ("new.txt", "next", "only there\n"),
      ] {
        guard case .file(let bytes) = try await read(path, ref) else {
          Issue.record("\(path) is no file")
          continue
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
      }
      #expect(try await names("") == [api == .gitLab ? "README.rst" : "README.md", "many/", "src/"])
      #expect(try await names("src") == ["größe/"])
      #expect(try await names("many") == FakeForge.many.sorted())
      let error = await searchError { _ = try await read("new.txt") }
      #expect(error?.code == .notFound && error?.message.contains("has no new.txt in \(name)") == true)

      // The page of a file, and the name of one, lead to the file.
      let pages = ["/-/blob/next/new.txt", "/src/branch/next/new.txt"]
      let page = "http://127.0.0.1:\(server.port)/\(name)" + pages[index]
      let file = try #require(EntityReference(page, defaultHost: ""))
      #expect(forge.detailedKinds.contains(.code) && file.subject == .file(path: "new.txt", ref: "next"))
      let found = try #require(try await forge.details(of: file, deadline: Self.deadline)).item
      #expect(found.id == file.id && found.kind == .code && found.url == page && found["size"]?.number == 11)
      #expect(found[.fragments]?.elements.first?["text"]?.text == "only there\n")
      let usual = try #require(EntityReference(file: "src/größe/a b.txt", in: repository, ref: "HEAD"))
      #expect(try await forge.details(of: usual, deadline: Self.deadline)?.item[.ref] == .text("HEAD"))
      let none = try #require(EntityReference(file: "new.txt", in: repository, ref: "HEAD"))
      #expect(try await forge.details(of: none, deadline: Self.deadline) == nil)
      let folder = try #require(EntityReference(file: "src", in: repository, ref: "HEAD"))
      let refusal = await searchError { _ = try await forge.details(of: folder, deadline: Self.deadline) }
      #expect(refusal?.code == .invalidResponse && refusal?.message == "this path is a folder")
    }
    let damaged: LoopbackServer.Handler = { _ in .json(body: #"{"type":"file","content":"b25lC"}"#) }
    try await withServer(handler: damaged) { server in
      try await withProvider(try bundled(id), at: server, secrets: [:]) { provider in
        let forge = try #require(ManifestForgeProvider(provider))
        let error = await searchError {
          _ = try await forge.contents(
            at: "one.txt", in: try reference(name, server), ref: nil, deadline: Self.deadline)
        }
        #expect(error?.code == .invalidResponse && error?.message.contains("sent one.txt damaged") == true)
        #expect(server.requests.count == 1)
      }
    }
    let link: LoopbackServer.Handler = { _ in .json(body: #"{"type":"symlink","target":"x"}"#) }
    try await withServer(handler: link) { server in
      try await withProvider(try bundled(id), at: server, secrets: [:]) { provider in
        let forge = try #require(ManifestForgeProvider(provider))
        let error = await searchError {
          _ = try await forge.contents(
            at: "a", in: try reference(name, server), ref: nil, deadline: Self.deadline)
        }
        #expect(error?.code == .invalidResponse)
      }
    }
  }

  /// Pages of a folder that cannot be asked for, fail or are too many are told as missing.
  @Test(arguments: ["http://other.example/x?page=2", "failing", "endless"]) func foldersInPages(
    _ fault: String
  ) async throws {
    let pages: LoopbackServer.Handler = { request in
      let page = request.query("page").flatMap { Int($0) } ?? 1
      if fault == "failing", page == 2 { return .json(status: 403, body: #"{"message":"no"}"#) }
      let next = fault.hasPrefix("http") ? fault : "\(request.origin)\(request.path)?page=\(page + 1)"
      return .json(
        headers: [("Link", "<\(next)>; rel=\"next\"")], body: #"[{"name":"f\#(page)","type":"blob"}]"#)
    }
    try await withServer(handler: pages) { server in
      try await withProvider(try bundled("gitlab"), at: server, secrets: [:]) { provider in
        let forge = try #require(ManifestForgeProvider(provider))
        let root = try await forge.contents(
          at: "", in: try reference("team/app", server), ref: "größe/a b", deadline: Self.deadline)
        guard case .folder(let names, hasMore: true) = root else {
          Issue.record("\(root)")
          return
        }
        #expect(names.count == (fault == "endless" ? 10 : 1))
        #expect(server.requests.first?.query("ref") == "größe/a b")
      }
    }
  }

  /// Entities of a server below a path are known without it; their pages have it.
  @Test(arguments: apis.indices) func belowAPath(_ index: Int) async throws {
    let (id, api, name) = Self.apis[index]
    try await withServer(handler: FakeForge(api, folder: "/forge").handler) { server in
      let host = "127.0.0.1:\(server.port)"
      try await withProvider(try bundled(id), base: server.baseURL + "/forge", at: server) { provider in
        let page = try await provider.search(ask("app2", of: provider))
        #expect(page.items.map(\.id) == ["\(host)/\(name)"])
        #expect(page.items[0].url == "http://\(host)/forge/\(name)")
        #expect(page.items[0][.owner] == .text(String(name.dropLast(5))))
        #expect(page.items[0][.host] == .text(host))
        let issue = try #require(EntityReference("\(host)/\(name)#4", defaultHost: ""))
        let details = try #require(try await provider.details(of: issue, deadline: Self.deadline))
        #expect(details.item.id == issue.id && details.item[.repository] == .text("\(host)/\(name)"))
      }
    }
  }

  /// The page on which the forge shows a search, with the words and nothing else of the query.
  @Test func pageOfASearch() async throws {
    try await with("codeberg", FakeForge(.gitea)) { forge, server in
      let query = try QueryParser().parse("größe & archived:false").root
      #expect(
        forge.searchPage(of: query, kind: .repo, sort: nil, order: .descending)
          == server.baseURL + "/explore/repos?q=gr%C3%B6%C3%9Fe%20%26")
      #expect(forge.searchPage(of: query, kind: .topic, sort: nil, order: .descending) == nil)
    }
  }
}

/// Bitbucket, as far as its documentation and recorded answers of its tests describe it.
struct BitbucketTests {
  private static let repository =
    #"{"uuid":"{1}","full_name":"acme/größe","name":"Größe","slug":"größe","description":"d","language":"go","is_private":false,"mainbranch":{"name":"main"},"created_on":"2025-01-02T03:04:05.678901+00:00","updated_on":"2026-01-02T03:04:05+00:00","workspace":{"slug":"acme"},"links":{"html":{"href":"https://bitbucket.org/acme/gr%C3%B6%C3%9Fe"},"clone":[{"name":"https","href":"https://kim@bitbucket.org/acme/x.git"},{"name":"ssh","href":"git@bitbucket.org:acme/x.git"}]}}"#

  private func with<Result>(
    secrets: [String: String] = [:], _ handler: @escaping LoopbackServer.Handler,
    _ body: (ManifestProvider, LoopbackServer) async throws -> Result
  ) async throws -> Result {
    try await withServer(handler: handler) { server in
      try await withProvider(
        try bundled("bitbucket"), base: server.baseURL + "/2.0", at: server, secrets: secrets
      ) { try await body($0, server) }
    }
  }

  @Test func repositoriesOfAWorkspace() async throws {
    let answer: LoopbackServer.Handler = { _ in
      .json(body: #"{"values":[\#(Self.repository)],"size":1}"#)
    }
    try await with(answer) { provider, server in
      let page = try await provider.search(ask("größe acme owner:acme", of: provider, kind: .repo))
      let item = try #require(page.items.first)
      #expect(item.id.hasPrefix("bitbucket.org/acme/") && item[.owner] == .text("acme"))
      #expect(item[.createdAt]?.date != nil && item[.language] == .text("go"))
      #expect(item[.sshURL] == .text("git@bitbucket.org:acme/x.git"))
      let request = try #require(server.requests.first)
      #expect(request.path == "/2.0/repositories/acme")
      #expect(request.query("q") == #"name ~ "größe" OR description ~ "größe""#)
      let error = await searchError { _ = try await provider.search(ask("größe", of: provider, kind: .repo)) }
      #expect(error?.code == .needsQualifier && error?.hint == "add owner:NAME to the query")
    }
  }

  /// Issues and pull requests are one list; of the latter all states are asked for.
  @Test func issuesAndPullRequests() async throws {
    let answer: LoopbackServer.Handler = { request in
      let isIssue = request.path.hasSuffix("/issues")
      let state = isIssue ? "on hold" : "MERGED"
      let place = isIssue ? "issues" : "pull-requests"
      return .json(
        body:
          #"{"values":[{"id":7,"title":"crash","state":"\#(state)","links":{"html":{"href":"https://bitbucket.org/acme/x/\#(place)/7"}},"updated_on":"2026-01-02T03:04:05+00:00","created_on":"2026-01-02T03:04:05+00:00"}]}"#
      )
    }
    try await with(answer) { provider, server in
      let page = try await provider.search(ask("crash repo:acme/x", of: provider, kind: .issue))
      #expect(Set(page.items.compactMap { $0[.state]?.text }) == ["open", "closed"])
      #expect(Set(page.items.compactMap { $0[.isPullRequest]?.flag }) == [true, false])
      let request = try #require(server.requests.first { $0.path.hasSuffix("/pullrequests") })
      #expect(
        request.queryItems.filter { $0.name == "state" }.map(\.value)
          == ["OPEN", "MERGED", "DECLINED", "SUPERSEDED"])
    }
  }

  /// With the name of an account the token is a password, without one it is a bearer's.
  @Test func authentication() async throws {
    for (secrets, expected, nickname) in [
      (["token": "t0p"], "Bearer t0p", #""kim""#), (["token": "t0p"], "Bearer t0p", "null"),
      (
        ["token": "t0p", "user": "kim@acme.example"],
        "Basic " + Data("kim@acme.example:t0p".utf8).base64EncodedString(), #""kim""#
      ),
    ] {
      let answer: LoopbackServer.Handler = { _ in
        .json(body: #"{"username":"kim_1","nickname":\#(nickname)}"#)
      }
      try await with(secrets: secrets, answer) { provider, server in
        let forge = try #require(ManifestForgeProvider(provider))
        let login = try await forge.account(deadline: .now + .seconds(60)).login
        #expect(login == (nickname == "null" ? "kim_1" : "kim"))
        #expect(server.requests.map { $0.header("authorization") } == [expected])
        let repository = try #require(EntityReference("bitbucket.org/a/b", defaultHost: ""))
        let error = await searchError {
          try await forge.change(.add, of: repository, deadline: .now + .seconds(60))
        }
        #expect(error?.message == "Bitbucket has no stars" && server.requests.count == 1)
      }
    }
  }
}
