import Foundation
import TestSupport
import Testing

/// Stars and feeds with the real program.
struct StarRunTests {
  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]

  /// A service of so many repositories, all starred, the last one last.
  private func starred(_ count: Int) -> FakeGitHub {
    let repositories = matching(count)
    return FakeGitHub(repositories: repositories) { $0.starred = repositories.map(\.fullName) }
  }

  private func ids(_ result: ProcessResult) throws -> [String] {
    try result.json()["items"]?.array.compactMap { $0["id"]?.string } ?? []
  }

  private func newestFirst(_ github: FakeGitHub) -> [String] {
    github.options.starred.reversed().map { "github.com/" + $0.lowercased() }
  }

  @Test func givenAndTakenBack() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github, adding: Self.token) { program, server in
      let given = try await program.run(["star", "owner/name"])
      #expect(given.status == 0 && given.out == "starred owner/name\n" && given.err == "")
      #expect(github.options.starred == ["Owner/Name"])
      #expect(server.requests.map(\.method) == ["PUT"])
      let back = try await program.run(["unstar", "https://github.com/Owner/Name"])
      #expect(back.status == 0 && back.out == "unstarred Owner/Name\n" && back.err == "")
      #expect(github.options.starred == [])
      #expect(server.requests.map(\.method) == ["PUT", "DELETE"])
    }
  }

  /// The path of a clone names the repository that it is a clone of.
  @Test func aCloneIsNamedByItsPath() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "owner/name")])
    try await withProgram(github, adding: Self.token) { program, _ in
      let clone = try await program.makeClone("owner/name")
      let here = try await program.run(["star", "."], in: URL(fileURLWithPath: clone.path))
      #expect(here.status == 0 && here.out == "starred owner/name\n", "\(here.err)")
      #expect(github.options.starred == ["owner/name"])
    }
  }

  /// Several are done one after the other, with the pause that GitHub asks for; a missing one does not stop
  /// the rest.
  @Test func several() async throws {
    let repositories = [FakeRepository(id: 1, fullName: "a/b"), FakeRepository(id: 2, fullName: "c/d")]
    let github = FakeGitHub(repositories: repositories)
    try await withProgram(github, adding: Self.token) { program, server in
      let result = try await program.run(["star", "a/b", "no/body", "github.com/a/b", "c/d"])
      #expect(result.status == 3)
      #expect(result.out == "starred a/b\nstarred c/d\n")
      #expect(expectMessages(result).count == 1)
      #expect(github.options.starred == ["a/b", "c/d"])
      let times = server.requests.map(\.receivedAt)
      #expect(times.count == 3)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
    }
  }

  /// What would fail for all is told once, with what was not tried.
  @Test func theRestIsNotTried() async throws {
    let github = starred(3)
    github.fail(.secondaryLimit(retryAfter: 300), path: "/user/starred")
    try await withProgram(github, adding: Self.token) { program, server in
      let result = try await program.run(["unstar", "a/b", "c/d", "e/f"])
      #expect(result.status == 4 && result.out == "")
      let messages = expectMessages(result)
      let limit = "a/b: the secondary rate limit of GitHub at 127.0.0.1:\(server.port) is exceeded"
      #expect(messages.count == 2 && messages.first?.hasPrefix(limit) == true, "\(messages)")
      #expect(messages.last == "not tried: c/d, e/f")
      #expect(server.requests.count == 1)
    }
  }

  /// A lost connection is not tried again, because it may have been processed.
  @Test(arguments: [.nothing, .badGatewayJSON, .serverError] as [FakeGitHub.Fault])
  func uncertain(_ fault: FakeGitHub.Fault) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")])
    github.fail(fault)
    try await withProgram(github, adding: Self.token) { program, server in
      let result = try await program.run(["star", "a/b"])
      #expect(result.status == 4 && result.out == "")
      #expect(expectMessages(result).first?.hasSuffix("it is unknown whether a/b is starred") == true)
      #expect(result.err.contains("hint: check with: forage stars repo:a/b;"))
      #expect(server.requests.count == 1)
    }
  }

  /// The token does not follow a redirect to another server.
  @Test func redirectElsewhere() async throws {
    let handler: LoopbackServer.Handler = { _ in .status(204) }
    try await withServer(handler: handler) { other in
      let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")])
      github.fail(.redirect(to: other.baseURL + "/user/starred/a/b", status: 307))
      try await withProgram(github, adding: Self.token) { program, _ in
        let result = try await program.run(["star", "a/b"])
        #expect(result.status == 4 && result.out == "")
        #expect(other.connectionCount == 0)
      }
    }
  }

  /// What is kept of a list is not shown again after a star was given.
  @Test func aWriteForgetsWhatIsKept() async throws {
    let github = starred(5)
    let last = github.options.starred[4]
    github.update { $0.starred.removeLast() }
    try await withProgram(github, adding: Self.token) { program, server in
      let list = ["stars", "--format", "json"]
      let before = try ids(try await program.run(list))
      #expect(before == newestFirst(github) && server.requests.count == 1)
      let kept = try await program.run(list)
      #expect(try ids(kept) == before && server.requests.count == 1)
      #expect(try kept.json().provider("github")?["fromCache"] == .bool(true))
      #expect(try await program.run(["star", last]).status == 0)
      let after = try await program.run(list)
      #expect(try ids(after) == ["github.com/" + last.lowercased()] + before)
      #expect(server.requests.map(\.method) == ["GET", "PUT", "GET"])
      #expect(try after.json().provider("github")?["fromCache"] == .bool(false))
    }
  }

  /// The pages are slices of one sequence, also of one that is sorted here.
  @Test(arguments: [[], ["--sort", "stars"], ["--sort", "pushed", "--order", "asc"], ["language:swift"]])
  func pages(_ arguments: [String]) async throws {
    try await withProgram(starred(130), adding: Self.token) { program, _ in
      let whole = try await program.run(["stars", "-L", "1000", "--json", "title"] + arguments).json()
      let titles = whole.array.compactMap { $0["title"]?.string }
      let pages = try await program.pages(of: (["stars"] + arguments).joined(separator: " "), limit: 31)
      #expect(pages.all == titles && !titles.isEmpty)
      #expect(pages.sizes.dropLast().allSatisfy { $0 == 31 } && Set(pages.statuses) == [0])
    }
  }

  @Test func theFeedIsMerged() async throws {
    let github = starred(3)
    try await withProgram(github, adding: Self.token) { program, _ in
      try await program.makeClone("owner/mine")
      try await program.makeClone(github.options.starred[0])
      try await program.addClones()
      let result = try await program.run(["feed", "--format", "json"])
      #expect(result.status == 0, "\(result.err)")
      let answer = try result.json()
      let shared = answer.item("github.com/" + github.options.starred[0].lowercased())
      #expect(shared?["sources"]?.array.compactMap { $0["provider"]?.string } == ["github", "local"])
      #expect(shared?["starredAt"]?.string != nil)
      #expect(answer["items"]?.array.count == 4 && answer["complete"] == .bool(true))
      #expect(answer["query"] == nil)
      let local = try await program.run(["feed", "-p", "local", "--json", "title"])
      #expect(try local.json().array.count == 2)
    }
  }

  @Test func aSampleOfTheFeed() async throws {
    let github = starred(150)
    try await withProgram(github, adding: Self.token) { program, server in
      let sample = ["feed", "-p", "github", "--sample", "5", "--seed", "3", "--format", "json"]
      let first = try await program.run(sample)
      #expect(first.status == 0 && server.requests.count == 2)
      let chosen = try ids(first)
      #expect(Set(chosen).count == 5 && Set(chosen).isSubset(of: newestFirst(github)))
      #expect(try ids(try await program.run(sample)) == chosen)
      let near = try ids(try await program.run(sample + ["-L", "8"]))
      #expect(Set(near).isSubset(of: newestFirst(github).prefix(8)) && near.count == 5)
    }
  }

  @Test func offline() async throws {
    try await withProgram(starred(3), adding: Self.token) { program, server in
      let nothing = try await program.run(["stars", "--offline"])
      #expect(nothing.status == 4)
      #expect(try await program.run(["stars"]).status == 0)
      let kept = try await program.run(["stars", "--offline", "--json", "id"])
      #expect(try kept.status == 0 && kept.json().array.count == 3)
      #expect(server.requests.count == 1)
    }
  }
}
