import ForageCore
import TestSupport
import Testing

@testable import ForageGitHub

/// Searches that GitHub refuses as a whole, although it answers parts of them.
@Suite struct RefusedSearchTests {
  private static func issue(_ number: Int, isPullRequest: Bool, in repository: String = "a/b") -> FakeIssue {
    var issue = FakeIssue(repository: repository, number: number, title: "crash \(number)")
    issue.isPullRequest = isPullRequest
    // Neither in the order of the numbers nor all different.
    issue.comments = number * 7 % 20
    return issue
  }

  private func github(issues: Int, pulls: Int) -> FakeGitHub {
    FakeGitHub {
      $0.refusesMixedIssues = true
      $0.issues =
        (0..<issues).map { Self.issue(2 * $0 + 1, isPullRequest: false) }
        + (0..<pulls).map { Self.issue(2 * $0 + 2, isPullRequest: true) }
    }
  }

  /// All pages of a search.
  private func pages(_ provider: GitHubProvider, _ query: String = "crash", sort: String? = nil, size: Int)
    async throws -> [SearchPage]
  {
    var pages: [SearchPage] = []
    var request = try searchRequest(query, kind: .issue, sort: sort, pageSize: size)
    repeat {
      let page = try await provider.search(request)
      #expect(page.items.count <= size && !page.items.isEmpty)
      pages.append(page)
      request.cursor = page.next
    } while request.cursor != nil && pages.count < 100
    return pages
  }

  @Test(arguments: [1, 2, 7, 30, 100], [(3, 40), (40, 3), (12, 12), (0, 5), (5, 0)])
  func issuesAndPullRequestsAreAskedOneAfterTheOther(size: Int, count: (issues: Int, pulls: Int)) async throws
  {
    try await withFake(github(issues: count.issues, pulls: count.pulls)) { provider, server in
      let pages = try await pages(provider, size: size)
      // They alternate as long as there are both.
      let both = (0..<min(count.issues, count.pulls)).flatMap { [2 * $0 + 1, 2 * $0 + 2] }
      let rest =
        (0..<count.issues).dropFirst(count.pulls).map { 2 * $0 + 1 }
        + (0..<count.pulls).dropFirst(count.issues).map { 2 * $0 + 2 }
      #expect(pages.flatMap(\.items).map { $0[.number]?.number } == both + rest)
      #expect(pages.first?.total == ResultTotal(count.issues + count.pulls))
      #expect(pages.allSatisfy { $0.notes.isEmpty })
      // What was refused once is not asked again for a further page.
      #expect(server.requests.count { $0.query("q") == "crash" } == 1)
      let sorted = try await self.pages(provider, sort: "comments", size: size).flatMap(\.items)
      let comments = sorted.compactMap { $0[.comments]?.number }
      #expect(comments == comments.sorted(by: >) && Set(sorted.map(\.id)).count == rest.count + both.count)
    }
  }

  @Test func oneTypeIsAskedAsItIs() async throws {
    try await withFake(github(issues: 2, pulls: 2)) { provider, server in
      let page = try await provider.search(searchRequest("crash is:pr", kind: .issue))
      #expect(page.items.count == 2 && server.requests.count == 1)
    }
  }

  @Test(arguments: ["joined\n", "joined\n0 0 ? \n", "joined\n0 0 ?\n0 0 ?", "joined\nx 0 ? \n0 0 ? "])
  func damagedCursors(_ cursor: String) async throws {
    try await withFake(github(issues: 2, pulls: 2)) { provider, server in
      let request = try searchRequest("crash", kind: .issue, cursor: cursor)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .invalidCursor && server.requests.isEmpty)
    }
  }

  @Test func restrictionsOfATokenAreFound() async throws {
    try await withFake(github(issues: 2, pulls: 2)) { provider, _ in
      let notes = try await provider.restrictions(deadline: .now + .seconds(30))
      #expect(notes.count == 1 && notes.first?.message.contains("issues and pull requests") == true)
    }
    try await withFake(FakeGitHub()) { provider, _ in
      let notes = try await provider.restrictions(deadline: .now + .seconds(30))
      #expect(notes.isEmpty)
    }
  }

  // MARK: Repositories and accounts that do not exist

  private static let isMissing = "which does not exist or is not visible to you"

  @Test(
    arguments: [
      ("crash repo:a/b repo:gone/x", "crash repo:a/b", ["repo:gone/x"]),
      ("crash repo:gone/x repo:a/b user:nobody", "crash repo:a/b", ["repo:gone/x", "user:nobody"]),
      ("crash (repo:a/b OR repo:gone/x)", "crash repo:a/b", ["repo:gone/x"]),
      ("crash repo:a/b -label:x user:nobody", "crash repo:a/b -label:x", ["user:nobody"]),
      ("crash org:a repo:gone/x", "crash org:a", ["repo:gone/x"]),
      ("crash (repo:a/b OR user:a) repo:gone/x", nil, ["repo:gone/x"]),
    ] as [(String, String?, [String])])
  func whatExistsIsSearched(query: String, asked: String?, missing: [String]) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")]) {
      $0.refusesUnknownScopes = true
      $0.users = [FakeAccount(login: "a")]
      $0.issues = [Self.issue(1, isPullRequest: false), Self.issue(2, isPullRequest: true)]
    }
    try await withFake(github) { provider, server in
      let page = try await provider.search(searchRequest(query, kind: .issue))
      #expect(page.items.map { $0[.number]?.number } == [1, 2] && page.total == ResultTotal(2))
      if let asked { #expect(server.requests.last?.query("q") == asked) }
      let note = try #require(page.notes.first)
      #expect(page.notes.count == 1 && note.code == .missingScopes && note.isMissing)
      #expect(note.message.contains(missing.joined(separator: ", ") + ", which"), "\(note.message)")
      // The types of issues are asked one after the other then, too.
      github.update { $0.refusesMixedIssues = true }
      let both = try await provider.search(searchRequest(query, kind: .issue))
      #expect(both.items.count == 2 && both.notes == page.notes)
    }
  }

  /// GitHub refuses the former name of a repository, although it redirects its address.
  @Test(
    arguments: [
      ("crash repo:a/old", "crash repo:a/b", 0), ("crash (repo:A/Old OR repo:gone/x)", "crash repo:a/b", 1),
      ("crash repo:a/old -label:x", "crash repo:a/b -label:x", 0),
    ])
  func aRepositoryWithAnotherName(query: String, asked: String, notes: Int) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")]) {
      $0.renames = ["a/old": 1]
      $0.issues = [Self.issue(1, isPullRequest: false), Self.issue(2, isPullRequest: true)]
    }
    try await withFake(github) { provider, server in
      let page = try await provider.search(searchRequest(query, kind: .issue))
      #expect(page.items.map { $0[.number]?.number } == [1, 2] && page.notes.count == notes)
      #expect(server.requests.last?.query("q") == asked)
    }
  }

  @Test(arguments: ["crash repo:gone/x", "crash repo:github.com/gone/x", "repo:gone/x"])
  func aSearchInNothingIsRefused(_ query: String) async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(3))) { provider, server in
      let host = server.baseURL.dropFirst("http://".count)
      let error = await searchError {
        _ = try await provider.search(searchRequest(query.replacing("github.com", with: host), kind: .issue))
      }
      #expect(error?.code == .invalidQuery)
      #expect(
        error?.message.contains("repo:gone/x, " + Self.isMissing) == true, "\(String(describing: error))")
    }
  }

  /// An author who is gone is named, among several, too.
  @Test func anAuthorWhoIsGone() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")]) {
      $0.users = [FakeAccount(login: "octo")]
    }
    let body = #"""
      {"message": "Validation Failed", "errors": [{"message": "The listed users cannot be searched either \#
      because the users do not exist or you do not have permission to view the users.", "code": "invalid"}]}
      """#
    github.fail(.custom(.json(status: 422, body: body)), path: "/search")
    try await withFake(github) { provider, _ in
      let query = "crash repo:a/b author:octo author:gone -assignee:away author:app/x"
      let error = await searchError { _ = try await provider.search(searchRequest(query, kind: .issue)) }
      #expect(error?.code == .invalidQuery)
      #expect(
        error?.message.hasSuffix("does not know author:gone, assignee:away") == true,
        "\(String(describing: error))")
    }
  }

  /// Where all of them exist, GitHub's own words are told.
  @Test func anotherReasonIsTold() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")])
    github.fail(
      .custom(
        .json(
          status: 422,
          body:
            #"{"message": "The listed users and repositories cannot be searched either because of a moon."}"#)
      ),
      path: "/search")
    try await withFake(github) { provider, _ in
      let request = try searchRequest("crash repo:a/b")
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.message.hasSuffix("because of a moon") == true)
    }
  }
}
