import ForageCore
import TestSupport
import Testing

@testable import ForageManifest

/// Issues, merge requests and single entities of the bundled forges.
struct ForgeKindTests {
  private static let things = FakeThing.shelf(60)

  private typealias API = @Sendable (RecordedRequest, [FakeThing]) -> ScriptedResponse?
  private static let gitlab: API = { FakeAPI.gitlabKinds($0, $1) }
  private static let gitea: API = { FakeAPI.giteaKinds($0, $1) }

  private func with<Result>(
    _ id: String, _ answer: @escaping API,
    _ body: (ManifestProvider, LoopbackServer) async throws -> Result
  ) async throws -> Result {
    let handler: LoopbackServer.Handler = { answer($0, Self.things) ?? .status(404) }
    return try await withServer(handler: handler) { server in
      try await withProvider(try bundled(id), at: server) { try await body($0, server) }
    }
  }

  private func all(_ provider: ManifestProvider, _ query: String, sort: String? = nil, pageSize: Int = 7)
    async throws -> [SearchResult]
  {
    var (items, cursor): ([SearchResult], String?) = ([], nil)
    repeat {
      let page = try await provider.search(
        ask(query, of: provider, kind: .issue, sort: sort, pageSize: pageSize, cursor: cursor))
      #expect(page.items.count <= pageSize && page.failure == nil)
      items += page.items
      cursor = page.next
    } while cursor != nil
    return items
  }

  private func numbers(_ isIncluded: (FakeThing) -> Bool) -> Set<Int> {
    Set(Self.things.filter(isIncluded).map(\.number))
  }

  /// The two lists of GitLab are one, in the order that is asked for, whatever the size of pages.
  @Test(arguments: [1, 7, 100])
  func issuesAndMergeRequestsAreOneList(pageSize: Int) async throws {
    try await with("gitlab", Self.gitlab) { provider, server in
      let items = try await all(provider, "parser", sort: "created", pageSize: pageSize)
      #expect(items.count == 60 && Set(items.map(\.id)).count == 60)
      let dates = items.compactMap { $0[.createdAt]?.date }
      #expect(dates == dates.sorted(by: >) && dates.count == 60)
      #expect(Set(server.requests.map(\.path)) == ["/api/v4/issues", "/api/v4/merge_requests"])
      let mixed = try await all(provider, "parser", pageSize: pageSize)
      #expect(Set(mixed.map(\.id)) == Set(items.map(\.id)))
      let first = try await provider.search(ask("parser", of: provider, kind: .issue))
      #expect(first.total == ResultTotal(60) && first.items.count == 30)
    }
  }

  @Test func fieldsOfGitLab() async throws {
    try await with("gitlab", Self.gitlab) { provider, _ in
      let items = try await all(provider, "parser", pageSize: 100)
      for thing in Self.things {
        let id = "gitlab.com/\(thing.owner)/app" + (thing.isRequest ? "!" : "#") + "\(thing.number)"
        let item = try #require(items.first { $0.id == id })
        #expect(item[.number] == .number(thing.number) && item.title == thing.name)
        #expect(item[.isPullRequest] == .flag(thing.isRequest))
        #expect(item[.state] == .text(thing.isOpen ? "open" : "closed"))
        #expect((item[.mergedAt]?.date != nil) == thing.isMerged)
        #expect(item[.repository] == .text("gitlab.com/\(thing.owner)/app"))
        #expect(item[.labels] == .list(thing.tags) && item[.author] == .text(thing.owner))
        #expect(item[.comments] == .number(thing.answers))
        let url = try #require(item.url)
        let read = try #require(EntityReference(url, defaultHost: ""))
        #expect(read.id == id && read == EntityReference(id, defaultHost: "") && read.kind == .issue)
      }
    }
  }

  /// What a query asks for decides which lists are asked, and within what.
  @Test(arguments: [
    ("parser is:pr", ["/api/v4/merge_requests"]), ("parser is:issue", ["/api/v4/issues"]),
    ("parser draft:false", ["/api/v4/merge_requests"]),
    ("parser repo:ada/app is:issue", ["/api/v4/projects/ada%2Fapp/issues"]),
    ("parser repo:ada/app draft:false", ["/api/v4/projects/ada%2Fapp/merge_requests"]),
    ("parser org:bao is:issue", ["/api/v4/groups/bao/issues"]),
    (
      "parser is:issue repo:ada/app repo:github.com/o/n repo:bao/app repo:ada/app",
      ["/api/v4/projects/ada%2Fapp/issues", "/api/v4/projects/bao%2Fapp/issues"]
    ),
  ])
  func whoIsAsked(query: String, paths: [String]) async throws {
    try await with("gitlab", Self.gitlab) { provider, server in
      _ = try await provider.search(ask(query, of: provider, kind: .issue))
      #expect(server.requests.map(\.path).sorted() == paths)
    }
  }

  /// On Bitbucket only the list of pull requests knows states, and issues are not left out for that; a
  /// repository need not have issues.
  @Test(arguments: [
    ("state:open", ["a/b#1", "a/b!1"], true), ("is:merged", ["a/b!2"], true),
    ("assignee:frank", ["a/b#1"], true), ("state:open", ["a/b!1"], false), ("author:nobody", [], false),
  ])
  func statesOfBitbucket(_ condition: String, _ ids: [String], _ hasIssues: Bool) async throws {
    @Sendable func row(_ type: String, _ number: Int, _ state: String) -> String {
      #"{"id":\#(number),"title":"crash","state":"\#(state)","author":{"nickname":"erin"},"assignee":{"nickname":"frank"},"updated_on":"2026-01-02T03:04:05.123456+00:00","links":{"html":{"href":"https://bitbucket.org/a/b/\#(type)/\#(number)"}},"destination":{"repository":{"full_name":"a/b"}}}"#
    }
    let handler: LoopbackServer.Handler = { request in
      let rows =
        request.path.hasSuffix("/issues")
        ? [row("issues", 1, "new"), row("issues", 2, "resolved").replacing("frank", with: "kim")]
        : [
          row("pull-requests", 1, "OPEN"), row("pull-requests", 2, "MERGED"),
          row("pull-requests", 3, "DECLINED"),
        ]
        .map { $0.replacing(#""assignee":{"nickname":"frank"},"#, with: "") }
      let isOpen = request.queryItems.filter { $0.name == "state" }.map(\.value) == ["OPEN"]
      if isOpen { return .json(body: #"{"values":[\#(rows[0])]}"#) }
      if request.path.hasSuffix("/issues"), !hasIssues { return .json(status: 404, body: "{}") }
      return .json(body: #"{"values":[\#(rows.joined(separator: ","))]}"#)
    }
    try await withServer(handler: handler) { server in
      try await withProvider(try bundled("bitbucket"), at: server) { provider in
        let known = QualifierVocabulary.common.adding(provider.info.vocabulary)
        let query = try QueryParser(vocabulary: known).parse("crash repo:a/b " + condition)
        let run = SearchRun(
          FederatedSearch(query: query, kinds: [.issue], limit: 10), ProviderRegistry([provider]))
        let result = await run.more()
        #expect(result.items.map { String($0.result.id.dropFirst("bitbucket.org/".count)) } == ids)
        #expect(result.outcomes[0].error == nil && result.isComplete, "\(result.outcomes)")
      }
    }
  }

  /// With the conditions that the search checks, each forge gives the items for which the query holds.
  @Test(arguments: [
    "parser state:open", "parser state:closed", "parser is:pr", "parser is:issue state:open",
    "parser label:swift", "parser label:swift label:parsing", "parser author:ada", "parser repo:ada/app",
    "parser org:bao is:pr", "parser repo:ada/app org:bao is:open", "org:ada repo:ada/app user:bao -label:c",
    "parser (repo:ada/app OR repo:bao/app)", "parser is:merged", "parser -label:c", "parser NOT number",
  ])
  func theSameOnEachForge(query: String) async throws {
    func expected(_ host: String) throws -> Set<String> {
      let root = try QueryParser(vocabulary: .common).parse(query).root
      let items = Self.things.map { thing -> SearchResult in
        var item = SearchResult(id: "\(host)#\(thing.number)", kind: .issue, title: thing.name)
        item[.description] = .text(thing.text)
        item[.state] = .text(thing.isOpen ? "open" : "closed")
        item[.labels] = .list(thing.tags)
        item[.author] = .text(thing.owner)
        item[.isPullRequest] = .flag(thing.isRequest)
        item[.repository] = .text("\(host)/\(thing.owner)/app")
        if thing.isMerged { item.set(.mergedAt, "2020") }
        return item
      }
      return Set(items.filter { root.matches($0) }.map(\.title))
    }
    let forges: [(String, API)] = [
      ("gitlab", Self.gitlab), ("codeberg", Self.gitea),
    ]
    for (id, answer) in forges {
      try await with(id, answer) { provider, _ in
        let parsed = try QueryParser(vocabulary: .common).parse(query)
        let search = FederatedSearch(query: parsed, kinds: [.issue], limit: 100)
        let forge = try #require(ManifestForgeProvider(provider))
        for asked in [provider, forge] as [any SearchProvider] {
          let found = await SearchRun(search, ProviderRegistry([asked])).more()
          #expect(
            found.outcomes.first?.state == .ok, "\(id): \(String(describing: found.outcomes.first?.error))")
          let titles = found.items.map(\.result.title)
          #expect(Set(titles) == (try expected(id + ".org")) && titles.count == Set(titles).count, "\(id)")
        }
      }
    }
  }

  /// Several repositories are searched like one after the other.
  @Test func severalRepositories() async throws {
    for (id, answer) in [("gitlab", Self.gitlab), ("codeberg", Self.gitea)] as [(String, API)] {
      try await with(id, answer) { provider, _ in
        func titles(_ query: String) async throws -> [String] {
          let parsed = try QueryParser(vocabulary: .common).parse("parser " + query)
          let search = FederatedSearch(query: parsed, kinds: [.issue], limit: 100)
          let found = await SearchRun(search, ProviderRegistry([provider])).more()
          #expect(found.isComplete, "\(id): \(found.outcomes)")
          return found.items.map(\.result.title).sorted()
        }
        let (first, second) = (try await titles("repo:ada/app"), try await titles("repo:bao/app"))
        #expect(!first.isEmpty && !second.isEmpty && first != second)
        #expect(try await titles("repo:bao/app repo:ada/app") == (first + second).sorted())
      }
    }
  }

  /// A repository beside an account: each part is read to its end, also where it consists of two lists.
  @Test(arguments: [1, 7]) func pagesOfARepositoryAndAnAccount(pageSize: Int) async throws {
    try await with("gitlab", Self.gitlab) { provider, _ in
      let forge = try #require(ManifestForgeProvider(provider))
      var (titles, cursor): ([String], String?) = ([], nil)
      repeat {
        let page = try await forge.search(
          ask("parser repo:ada/app org:bao", of: provider, kind: .issue, pageSize: pageSize, cursor: cursor))
        titles += page.items.map(\.title)
        cursor = page.next
      } while cursor != nil
      #expect(titles.sorted() == Self.things.map(\.name).sorted())
    }
  }

  @Test func singleEntities() async throws {
    let issue = try #require(Self.things.first { !$0.isRequest })
    let request = try #require(Self.things.first { $0.isRequest })
    try await with("gitlab", Self.gitlab) { provider, server in
      #expect(provider.detailedKinds.isSuperset(of: [.repo, .issue, .commit]))
      for (thing, mark) in [(issue, "#"), (request, "!")] {
        let id = "gitlab.com/\(thing.owner)/app\(mark)\(thing.number)"
        let reference = try #require(EntityReference(id, defaultHost: ""))
        let found = try await provider.details(of: reference, deadline: .now + .seconds(60))
        #expect(found?.item.id == id && found?.item.title == thing.name)
      }
      let none = try #require(EntityReference("gitlab.com/ada/app#999", defaultHost: ""))
      #expect(try await provider.details(of: none, deadline: .now + .seconds(60)) == nil)
      #expect(server.requests.first?.path == "/api/v4/projects/\(issue.owner)%2Fapp/issues/\(issue.number)")
    }
    // A forge that counts them together finds either under each mark.
    try await with("codeberg", Self.gitea) { provider, _ in
      for mark in ["#", "!"] {
        let reference = try #require(
          EntityReference("codeberg.org/\(request.owner)/app\(mark)\(request.number)", defaultHost: ""))
        let found = try await provider.details(of: reference, deadline: .now + .seconds(60))
        #expect(found?.item.title == request.name && found?.item[.isPullRequest] == .flag(true))
      }
    }
  }

  /// The repository of a file is as its forge writes it, which an answer with a file does not tell; its id
  /// where the forge does not say.
  @Test(arguments: [("gitlab", "gitlab.com"), ("codeberg", "codeberg.org")], [true, false])
  func repositoryOfAFile(_ forge: (id: String, host: String), isTold: Bool) async throws {
    let answer: API = { request, _ in
      if request.path.hasSuffix("a.c") { return .json(body: #"{"type":"file","content":"eAo="}"#) }
      let page = "https://\(forge.host)/Team/App"
      let names = #""path_with_namespace":"Team/App","full_name":"Team/App""#
      let row = #"{"id":1,\#(names),"web_url":"\#(page)","html_url":"\#(page)"}"#
      return isTold ? .json(body: row) : nil
    }
    try await with(forge.id, answer) { provider, _ in
      let file = try #require(EntityReference("\(forge.host)/team/app/blob/HEAD/a.c", defaultHost: ""))
      let provider = try #require(ManifestForgeProvider(provider))
      let item = try #require(try await provider.details(of: file, deadline: .now + .seconds(60))).item
      let name = isTold ? "Team/App" : "team/app"
      #expect(item.id == file.id && item[.repository] == .text("\(forge.host)/\(name)"))
      #expect(item.url?.contains("/\(name)/") == true && item["size"]?.number == 2)
    }
  }

  /// A list that fails takes the others with it as far as they came, and is told.
  @Test func aListThatFails() async throws {
    let failing: API = { $0.path.hasSuffix("merge_requests") ? .status(500) : FakeAPI.gitlabKinds($0, $1) }
    try await with("gitlab", failing) { provider, _ in
      let page = try await provider.search(ask("parser", of: provider, kind: .issue))
      #expect(page.items.count == 30 && page.failure != nil && page.items.allSatisfy { $0.id.contains("#") })
      let error = await searchError {
        _ = try await provider.search(ask("parser is:pr", of: provider, kind: .issue))
      }
      #expect(error != nil)
    }
  }

  /// Where an API searches only within something, a query without it is told how to add it.
  @Test func withinARepositoryOnly() async throws {
    try await with("gitlab", Self.gitlab) { provider, server in
      let error = await searchError { _ = try await provider.search(ask("fix", of: provider, kind: .commit)) }
      #expect(error?.code == .needsQualifier && error?.hint == "add repo:NAME to the query")
      #expect(error?.message == "GitLab searches for kind commit only within repo:")
      // The forge asks the repositories of an account one by one.
      let forge = try #require(ManifestForgeProvider(provider))
      let said = await searchError { _ = try await forge.search(ask("fix", of: provider, kind: .commit)) }
      #expect(said?.hint == "add repo:NAME, or org:NAME for all of an account, to the query")
      // What is on no forge, or on another one, is not sent to this one.
      for name in ["/home/kim/secret", "github.com/o/n", "git.example.org/o/n", "127.0.0.1:1/o/n"] {
        let error = await searchError {
          _ = try await provider.search(ask("fix repo:\(name) is:issue", of: provider, kind: .issue))
        }
        #expect(error?.code == .nothingToAsk)
      }
      let several = await searchError {
        _ = try await provider.search(
          ask("fix repo:github.com/o/a repo:/home/kim/b is:issue", of: provider, kind: .issue))
      }
      #expect(several?.code == .nothingToAsk)
      #expect(server.requests.isEmpty)
    }
  }

  /// A name in the address that the forge does not know is no fault of the settings.
  @Test func aNameThatIsNotThere() async throws {
    let nothing: API = { _, _ in .json(status: 404, body: #"{"message":"404 Project Not Found"}"#) }
    try await with("gitlab", nothing) { provider, _ in
      let error = await searchError {
        _ = try await provider.search(ask("fix repo:no/such/thing is:issue", of: provider, kind: .issue))
      }
      #expect(error?.code == .notFound && error?.message.contains("no/such/thing") == true)
      #expect(error?.hint.contains("url") == false)
    }
  }
}
