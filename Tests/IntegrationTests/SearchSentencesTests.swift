import Foundation
import TestSupport
import Testing

/// What the program promises of a search over GitHub and clones.
struct SearchSentencesTests {
  private static let client = FakeRepository(
    id: 1, fullName: "owner/http-client", description: "An http client", language: "Swift", stars: 500)
  private static let other = FakeRepository(
    id: 2, fullName: "other/http-client-kit", description: "http client kit", language: "Swift", stars: 50)

  private func withBoth(_ body: (Program, LoopbackServer) async throws -> Void) async throws {
    try await withProgram(FakeGitHub(repositories: [Self.client, Self.other])) { program, server in
      try await program.makeClone("owner/http-client")
      try await program.addClones()
      try await body(program, server)
    }
  }

  @Test func oneItemNamesBothSources() async throws {
    try await withBoth { program, _ in
      let result = try await program.run(
        ["search", "http client language:swift", "-p", "github,local", "--format", "json"])
      #expect(result.status == 0)
      #expect(result.err == "")
      let answer = try result.json()
      #expect(answer["complete"] == .bool(true))
      #expect(answer["items"]?.array.count == 2)
      let item = try #require(answer.item("github.com/owner/http-client"))
      #expect(
        Set((item["sources"]?.array ?? []).compactMap { $0["provider"]?.string }) == ["github", "local"])
      #expect(item["path"]?.string == program.source + "/http-client")
      #expect(item["stars"]?.int == 500)
      #expect(answer["items"]?[0] == item)
      let single = try #require(answer.item("github.com/other/http-client-kit"))
      #expect(single["sources"]?.array.compactMap { $0["provider"]?.string } == ["github"])
      #expect(single["path"] == nil)
    }
  }

  @Test func unsupportedQualifiersAreToldAndPathsStay() async throws {
    try await withBoth { program, _ in
      let result = try await program.run(
        ["search", "http client stars:>100", "-p", "github,local", "--format", "json"])
      #expect(result.status == 0)
      let answer = try result.json()
      #expect(answer.provider("local")?["state"]?.string == "unsupported")
      #expect(answer.provider("local")?["reason"]?.string?.contains("stars:") == true)
      #expect(answer.provider("local")?["error"] == .null && answer["complete"] == .bool(true))
      #expect(answer["items"]?.array.count == 1)
      #expect(answer["items"]?[0]?["path"]?.string == program.source + "/http-client")
      #expect(expectMessages(result).count == 1)
      #expect(expectMessages(result).first?.hasPrefix("local: stars:") == true)
      // Unless it was named, nothing is said of it.
      let plain = try await program.run(["search", "http client stars:>100", "--strict"])
      #expect(plain.status == 0 && plain.err == "", "\(plain.err)")
      let explained = try await program.run(["search", "http client stars:>100", "--explain"])
      #expect(explained.status == 0)
      #expect(
        explained.err.split(separator: "\n").count == 1 && explained.err.contains("local: unsupported: "))
    }
  }

  /// Limit, requests and page size.
  @Test(arguments: [(30, 1), (1, 1), (100, 1), (101, 2), (250, 3)])
  func requests(_ limit: Int, _ requests: Int) async throws {
    try await withProgram(FakeGitHub(repositories: matching(300))) { program, server in
      let result = try await program.run(
        ["search", "match", "-p", "github", "-L", String(limit), "--format", "json"])
      #expect(result.status == 0)
      let answer = try result.json()
      let ids = (answer["items"]?.array ?? []).compactMap { $0["id"]?.string }
      #expect(ids.count == limit)
      #expect(Set(ids).count == limit)
      #expect(server.requests.count == requests)
      #expect(Set(server.requests.map { $0.query("per_page") }).count == 1)
      #expect(server.requests.map { $0.query("page") ?? "1" } == (1...requests).map(String.init))
      #expect(server.connectionCount == 1)
      #expect(answer.provider("github")?["requests"]?.int == requests)
      #expect(answer.provider("github")?["returned"]?.int == limit)
    }
  }

  @Test func theQueryIsSentEncoded() async throws {
    try await withProgram(FakeGitHub(repositories: [Self.client])) { program, server in
      _ = try await program.run(["search", "http & client=1 #x %41 +y", "-p", "github"])
      #expect(server.requests.first?.query("q") == "http & client=1 #x %41 +y")
      #expect(server.requests.first?.header("accept") == "application/vnd.github+json")
    }
  }

  @Test func beyondWhatGitHubGivesOut() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1100))) { program, server in
      let result = try await program.run(
        ["search", "match", "-p", "github", "-L", "1100", "--sort", "updated", "--format", "json"])
      #expect(result.status == 0)
      let answer = try result.json()
      #expect(answer["items"]?.array.count == 1000)
      #expect(server.requests.count == 10)
      #expect(answer["complete"] == .bool(false))
      let messages = expectMessages(result)
      #expect(messages.count == 1)
      for part in ["github: ", "1,000", "1,100", "sorted by updated"] {
        #expect(messages.first?.contains(part) == true, "\(messages)")
      }
    }
  }

  @Test func sorting() async throws {
    try await withBoth { program, server in
      let result = try await program.run(
        ["search", "http", "-p", "github", "--sort", "stars", "--order", "asc", "--json", "stars"])
      #expect(result.out == "[{\"stars\":50},{\"stars\":500}]\n")
      #expect(server.requests.last?.query("sort") == "stars")
      #expect(server.requests.last?.query("order") == "asc")
    }
  }

  @Test func everydayFlagsAreTheQualifiers() async throws {
    try await withBoth { program, server in
      let result = try await program.run(
        ["search", "--language", "swift", "--stars", ">100", "-p", "github", "--json", "id"])
      #expect(result.out == "[{\"id\":\"github.com/owner/http-client\"}]\n")
      #expect(server.requests.count == 1)
    }
  }
}
