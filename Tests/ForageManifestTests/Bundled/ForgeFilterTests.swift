import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageManifest

/// What the bundled manifests of forges leave to the API, and what they say of answers that are not complete.
struct ForgeFilterTests {
  /// Asks a forge; the server answers with an empty list whatever it is asked, unless the handler says
  /// otherwise.
  private func with<Result>(
    _ id: String, secrets: [String: String] = ["token": "t0p"], _ handler: @escaping LoopbackServer.Handler,
    _ body: (ManifestForgeProvider, LoopbackServer) async throws -> Result
  ) async throws -> Result {
    try await withServer(handler: handler) { server in
      try await withProvider(try bundled(id), at: server, secrets: secrets) { provider in
        try await body(try #require(ManifestForgeProvider(provider)), server)
      }
    }
  }

  private func search(
    _ provider: ManifestForgeProvider, _ query: String, _ kind: ResultKind, limit: Int = 300
  )
    async throws -> (items: [SearchResult], outcome: ProviderOutcome, isComplete: Bool)
  {
    let known = QualifierVocabulary.common.adding(provider.info.vocabulary)
    let parsed = try QueryParser(vocabulary: known).parse(query)
    let found = await SearchRun(
      FederatedSearch(query: parsed, kinds: [kind], limit: limit), ProviderRegistry([provider])
    ).more()
    return (found.items.map(\.result), found.outcomes[0], found.isComplete)
  }

  /// A condition is a parameter of each request of the list that can have it.
  @Test(arguments: [
    ("gitlab", "crash is:open", "/issues", "state=opened"),
    ("gitlab", "crash is:open", "/merge_requests", "state=opened"),
    ("gitlab", "crash is:closed", "/issues", "state=closed"),
    ("gitlab", "crash is:merged", "/merge_requests", "state=merged"),
    ("gitlab", "crash is:draft", "/merge_requests", "wip=yes"),
    ("gitlab", "crash no:label", "/issues", "labels=None"),
    ("gitlab", "crash in:title", "/issues", "in=title"),
    ("gitlab", "crash", "/issues", "non_archived=false"),
    ("gitlab", "crash archived:false", "/merge_requests", "non_archived=true"),
    ("codeberg", "crash is:open", "/repos/issues/search", "state=open"),
    ("codeberg", "crash is:merged", "/repos/issues/search", "state=closed"),
    ("codeberg", "crash is:merged is:pr", "/repos/issues/search", "type=pulls"),
    ("codeberg", "crash repo:a/b author:ann", "/repos/a/b/issues", "created_by=ann"),
    ("codeberg", "crash author:kim", "/repos/issues/search", "created=true"),
    ("codeberg", "crash review-requested:Kim", "/repos/issues/search", "review_requested=true"),
  ])
  func conditionsAreSent(_ id: String, _ query: String, _ path: String, _ pair: String) async throws {
    let handler: LoopbackServer.Handler = { request in
      .json(body: request.path.hasSuffix("/user") ? #"{"login":"kim"}"# : "[]")
    }
    try await with(id, handler) { provider, server in
      _ = try await search(provider, query, .issue)
      let asked = server.requests.filter { $0.path.hasSuffix(path) }
      #expect(!asked.isEmpty, "\(server.requests.map(\.target))")
      #expect(
        asked.allSatisfy { $0.queryItems.contains { "\($0.name)=\($0.value)" == pair } },
        "\(asked.map(\.target))")
    }
  }

  /// Somebody else's over the instance is looked for in the list, and what no field decides is refused.
  @Test func conditionsThatAreNotSent() async throws {
    let handler: LoopbackServer.Handler = { request in
      .json(body: request.path.hasSuffix("/user") ? #"{"login":"kim"}"# : "[]")
    }
    try await with("codeberg", handler) { provider, server in
      _ = try await search(provider, "author:ann", .issue)
      #expect(server.requests.allSatisfy { $0.query("created") == nil && $0.query("created_by") == nil })
      let refused = try await search(provider, "review-requested:ann", .issue).outcome
      #expect(refused.state == .unsupported, "\(refused)")
      #expect(refused.error?.message.contains("cannot search for review-requested:ann") == true)
      // Issues have no visibility.
      #expect(try await search(provider, "crash is:public", .issue).outcome.state == .unsupported)
    }
  }

  /// What the API cannot exclude, and no field of its results decides, is not taken for excluded.
  @Test(arguments: [("-language:go", ResultKind.repo), ("narwhal repo:a/b -extension:go", .code)])
  func exclusionsThatNothingDecides(_ query: String, _ kind: ResultKind) async throws {
    let answer: LoopbackServer.Handler = { _ in .json(body: "[]") }
    try await with("gitlab", answer) { provider, server in
      let outcome = try await search(provider, query, kind).outcome
      #expect(outcome.state == .unsupported && server.requests.isEmpty, "\(outcome)")
      #expect(try await search(provider, "-topic:go", .repo).outcome.state == .ok)
    }
  }

  /// What the API cannot be asked for is looked for in its answers.
  @Test func issuesOfNobody() async throws {
    @Sendable func row(_ number: Int, _ assignees: String) -> String {
      #"{"id":\#(number),"number":\#(number),"title":"t\#(number)","html_url":"https://codeberg.org/a/b/issues/\#(number)","state":"open","labels":[],"assignees":\#(assignees)}"#
    }
    let rows = "[" + [row(1, "null"), row(2, #"[{"login":"kim"}]"#)].joined(separator: ",") + "]"
    let answer: LoopbackServer.Handler = { _ in .json(body: rows) }
    try await with("codeberg", answer) { provider, _ in
      let found = try await search(provider, "repo:a/b no:assignee no:label", .issue)
      #expect(found.items.map(\.title) == ["t1"] && found.outcome.state == .ok, "\(found)")
    }
  }

  /// A list goes on by the number of its page where a proxy took away its links: by what the header says, or
  /// while pages are full.
  @Test(arguments: [true, false])
  func pagesWithoutLinks(hasNumber: Bool) async throws {
    let handler: LoopbackServer.Handler = { request in
      guard request.path.hasSuffix("/projects") else { return .json(body: "[]") }
      let page = request.query("page").flatMap { Int($0) } ?? 1
      let rows = (1...230).dropFirst((page - 1) * 100).prefix(100).map {
        #"{"id":\#($0),"web_url":"https://gitlab.com/a/n\#($0)","path_with_namespace":"a/n\#($0)"}"#
      }
      let header = hasNumber ? [("X-Next-Page", page < 3 ? String(page + 1) : "")] : []
      return .json(headers: header, body: "[" + rows.joined(separator: ",") + "]")
    }
    try await with("gitlab", handler) { provider, server in
      let found = try await search(provider, "n", .repo)
      #expect(found.items.count == 230 && found.isComplete)
      #expect(server.requests.map { $0.query("page") } == [nil, "2", "3"])
      #expect(server.requests.allSatisfy { $0.query("search") == "n" && $0.query("per_page") == "100" })
    }
  }

  /// The same file of two repositories is two results.
  @Test func codeOfTwoRepositories() async throws {
    let row = #"[{"path":"README.md","ref":"main","startline":1,"data":"a narwhal","project_id":1}]"#
    let answer: LoopbackServer.Handler = { _ in .json(body: row) }
    try await with("gitlab", answer) { provider, _ in
      let found = try await search(provider, "narwhal repo:acme/engine repo:acme/shop", .code)
      #expect(
        found.items.compactMap { $0[.repository]?.text }.sorted() == [
          provider.info.hosts[0] + "/acme/engine", provider.info.hosts[0] + "/acme/shop",
        ])
    }
  }

  /// Commits without words are the list of the repository, which needs no token; with words they are a
  /// search, which does.
  @Test func commitsWithoutWords() async throws {
    let row =
      #"[{"id":"0123456789012345678901234567890123456789","title":"one","author_name":"Ann Stone","authored_date":"2026-01-02T00:00:00Z","web_url":"https://gitlab.com/a/b/-/commit/0123456789012345678901234567890123456789"}]"#
    let answer: LoopbackServer.Handler = { _ in .json(body: row) }
    try await with("gitlab", secrets: [:], answer) { provider, server in
      let found = try await search(provider, "repo:a/b author:ann", .commit)
      #expect(found.items.map(\.title) == ["one"], "\(found)")
      #expect(server.requests.map(\.path) == ["/api/v4/projects/a%2Fb/repository/commits"])
      #expect(server.requests[0].query("author") == "ann" && server.requests[0].query("search") == nil)
      #expect(try await search(provider, "repo:a/b word", .commit).outcome.state == .unauthorized)
      #expect(server.requests.count == 1)
      for (query, count) in [("author-date:>2026-01-01", 1), ("author-date:<2026-01-01", 0)] {
        #expect(try await search(provider, "repo:a/b " + query, .commit).items.count == count)
      }
    }
  }

  /// Without a token GitLab says of no project whether it is a fork, so that a search for forks cannot be
  /// complete.
  @Test func unknownFlags() async throws {
    @Sendable func row(_ more: String) -> String {
      #"[{"id":1,"web_url":"https://gitlab.com/a/b","path_with_namespace":"a/b"\#(more)}]"#
    }
    let answer: LoopbackServer.Handler = { _ in .json(body: row("")) }
    try await with("gitlab", answer) { provider, _ in
      let found = try await search(provider, "b fork:only", .repo)
      #expect(found.items.isEmpty && !found.isComplete && found.outcome.state != .ok)
      #expect(found.outcome.error?.message.contains("does not tell what fork: asks for of 1 result") == true)
      #expect(try await search(provider, "b", .repo).items[0][.fork] == nil)
    }
    let forks = row(#","visibility":"public","forked_from_project":{"id":2}"#)
    let known: LoopbackServer.Handler = { _ in .json(body: forks) }
    try await with("gitlab", known) { provider, _ in
      let found = try await search(provider, "b fork:only", .repo)
      #expect(found.items.count == 1 && found.isComplete)
    }
  }

  /// The issues of a person are those of their repositories.
  @Test func issuesOfAPerson() async throws {
    let handler: LoopbackServer.Handler = { request in
      switch request.path {
      case "/api/v4/users/ann/projects":
        .json(
          body:
            #"[{"id":1,"web_url":"\#(request.origin)/ann/one"},{"id":2,"web_url":"\#(request.origin)/ann/two"}]"#
        )
      case "/api/v4/projects/ann%2Fone/issues":
        .json(body: #"[{"id":5,"iid":5,"title":"crash","web_url":"\#(request.origin)/ann/one/-/issues/5"}]"#)
      case let path where path.contains("/projects/ann%2F"): .json(body: "[]")
      default: .json(status: 404, body: #"{"message":"404 Group Not Found"}"#)
      }
    }
    try await with("gitlab", handler) { provider, _ in
      let found = try await search(provider, "crash user:ann", .issue)
      #expect(found.items.map(\.title) == ["crash"] && found.isComplete, "\(found.outcome)")
      for kind in [ResultKind.issue, .commit, .code] {
        let outcome = try await search(provider, "crash user:nobody", kind).outcome
        #expect(outcome.error?.code == .notFound && outcome.state == .failed, "\(outcome)")
      }
    }
  }

  /// Each of several accounts is asked for its own issues: a person beside a group, and accounts of an API that
  /// takes one at a time.
  @Test(arguments: ["gitlab", "codeberg"]) func issuesOfSeveralAccounts(_ id: String) async throws {
    let handler: LoopbackServer.Handler = { request in
      func issue(_ page: String) -> ScriptedResponse {
        .json(
          headers: [("X-Total", "1"), ("X-Total-Count", "1")],
          body:
            #"[{"id":5,"iid":5,"number":5,"title":"crash","web_url":"\#(request.origin)/\#(page)","html_url":"\#(request.origin)/\#(page)"}]"#
        )
      }
      switch (request.path, request.query("owner")) {
      case ("/api/v4/groups/acme/issues", _): return issue("acme/app/-/issues/5")
      case ("/api/v4/users/ann/projects", _):
        return .json(body: #"[{"id":1,"web_url":"\#(request.origin)/ann/one"}]"#)
      case ("/api/v4/projects/ann%2Fone/issues", _): return issue("ann/one/-/issues/5")
      case ("/api/v1/repos/issues/search", let owner?): return issue("\(owner)/app/issues/5")
      case ("/api/v4/groups/acme/merge_requests", _), ("/api/v4/projects/ann%2Fone/merge_requests", _):
        return .json(body: "[]")
      default: return .json(status: 404, body: #"{"message":"404 Not Found"}"#)
      }
    }
    try await with(id, handler) { provider, _ in
      let found = try await search(provider, "crash user:acme user:ann", .issue)
      #expect(found.isComplete && found.outcome.state == .ok, "\(found.outcome)")
      let owners = found.items.compactMap { $0[.repository]?.text?.split(separator: "/").dropFirst().first }
      #expect(owners.sorted() == ["acme", "ann"], "\(found.items)")
    }
  }

  /// A repository whose issues are switched off has none; one that is not there is an error.
  @Test func issuesThatAreSwitchedOff() async throws {
    let handler: LoopbackServer.Handler = { request in
      request.path == "/api/v1/repos/a/b"
        ? .json(body: #"{"id":1,"html_url":"\#(request.origin)/a/b","full_name":"a/b"}"#)
        : .json(status: 404, body: #"{"message":"The target couldn't be found."}"#)
    }
    try await with("codeberg", handler) { provider, _ in
      let found = try await search(provider, "repo:a/b", .issue)
      #expect(found.outcome.state == .ok && found.items.isEmpty && found.isComplete)
      #expect(found.outcome.notes.contains { $0.message.hasPrefix("a/b has no issues") })
      #expect(try await search(provider, "repo:a/c", .issue).outcome.error?.code == .notFound)
    }
  }

  // MARK: Notifications

  /// To-dos and notifications have the ids of what they are about, and are marked one by one or all.
  @Test(arguments: ["gitlab", "codeberg"]) func notifications(id: String) async throws {
    let handler: LoopbackServer.Handler = { request in
      guard request.method == "GET" else { return .json(status: 205, body: "{}") }
      let page = request.origin + "/acme/engine"
      return .json(
        body: id == "gitlab"
          ? #"[{"id":5,"project":{"path_with_namespace":"acme/engine"},"author":{"username":"bob"},"action_name":"assigned","target_type":"MergeRequest","target":{"title":"Wait"},"target_url":"\#(page)/-/merge_requests/7#note_1","state":"pending","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}]"#
          : #"[{"id":5,"unread":true,"updated_at":"2026-01-02T00:00:00Z","repository":{"html_url":"\#(page)"},"subject":{"title":"Wait","type":"Pull","html_url":"\#(page)/pulls/7"}}]"#
      )
    }
    try await with(id, handler) { provider, server in
      let host = provider.info.hosts[0]
      var request = SearchRequest(
        kind: .notification, query: nil, pageSize: 30, deadline: .now + .seconds(60))
      let item = try #require(try await provider.feed(request).items.first)
      #expect(server.requests.last?.query("all") == nil)
      request.includesRead = true
      _ = try await provider.feed(request)
      #expect(server.requests.last?.query("all") == (id == "gitlab" ? nil : "true"))
      #expect(item.id == "\(host)/acme/engine" + (id == "gitlab" ? "!7" : "#7") && item.title == "Wait")
      #expect(item[.thread]?.text == "5" && item[.unread]?.flag == true && item[.host]?.text == host)
      #expect(item[.subject]?["kind"]?.text == "pr" && item[.subject]?["number"] == .number(7))
      try await provider.markRead(.thread("5"), deadline: .now + .seconds(60))
      let until = Date(timeIntervalSince1970: 1_767_398_400)
      try await provider.markRead(.all(until: until), deadline: .now + .seconds(60))
      let changes = server.requests.filter { $0.method != "GET" }.map { $0.method + " " + $0.path }
      #expect(
        changes
          == (id == "gitlab"
            ? Array(repeating: "POST /api/v4/todos/5/mark_as_done", count: 2)
            : ["PATCH /api/v1/notifications/threads/5", "PUT /api/v1/notifications"]))
    }
    try await with(id, secrets: [:], handler) { provider, server in
      let request = SearchRequest(
        kind: .notification, query: nil, pageSize: 30, deadline: .now + .seconds(60))
      #expect(await searchError { _ = try await provider.feed(request) }?.code == .nothingToAsk)
      #expect(server.requests.isEmpty)
    }
  }

  // MARK: Bitbucket Data Center

  /// One repository has one id, whatever address leads to it, and its pages are where that server has them.
  @Test func bitbucketServer() async throws {
    let repository =
      #"{"slug":"engine","id":1,"name":"Engine","public":true,"archived":false,"project":{"key":"ACME"},"links":{"clone":[{"href":"ssh://git@127.0.0.1:7999/acme/engine.git","name":"ssh"},{"href":"https://git.example/scm/acme/engine.git","name":"http"}]}}"#
    let handler: LoopbackServer.Handler = { request in
      switch request.path {
      case "/rest/api/1.0/repos":
        .json(body: #"{"values":[\#(repository)],"isLastPage":true,"nextPageStart":null}"#)
      case "/rest/api/1.0/projects/acme/repos/engine": .json(body: repository)
      case "/rest/api/1.0/projects/acme/repos/engine/pull-requests":
        .json(
          body:
            #"{"values":[{"id":7,"title":"Crash","state":"MERGED","createdDate":1767225600000,"closedDate":1767225601000,"author":{"user":{"name":"bob"}},"toRef":{"repository":\#(repository)}}],"nextPageStart":null}"#
        )
      default: .json(status: 404, body: #"{"errors":[{"message":"Repository does not exist."}]}"#)
      }
    }
    try await with("bitbucket-server", handler) { provider, server in
      let host = provider.info.hosts[0]
      let item = try #require(try await search(provider, "engine", .repo).items.first)
      #expect(item.id == host + "/acme/engine" && item[.fork]?.flag == false)
      #expect(item[.sshURL]?.text == "ssh://git@127.0.0.1:7999/acme/engine.git")
      #expect(item[.cloneURL]?.text == "https://git.example/scm/acme/engine.git")
      #expect(item.url == server.baseURL + "/projects/ACME/repos/engine/browse")
      let issue = try #require(try await search(provider, "repo:acme/engine is:merged", .issue).items.first)
      #expect(issue.id == host + "/acme/engine!7")
      #expect(
        issue[.state]?.text == "closed"
          && issue[.mergedAt]?.date == Date(timeIntervalSince1970: 1_767_225_601))
      let entity = try #require(EntityReference(repository: host + "/acme/engine"))
      #expect(provider.page(of: entity) == server.baseURL + "/projects/acme/repos/engine/browse")
      #expect(provider.cloneAddress(of: entity) == server.baseURL + "/scm/acme/engine.git")
      #expect(try await provider.details(of: entity, deadline: .now + .seconds(60))?.item.id == entity.id)
    }
  }
}
