import ForageCore
import TestSupport
import Testing

@testable import ForageGitHub

/// Queries for any of several repositories.
struct NamedRepositoriesTests {
  @Test(arguments: [
    ("http (repo:a/b OR repo:c/d)", "http repo:a/b repo:c/d"),
    ("repo:a/b OR repo:c/d", "repo:a/b repo:c/d"),
    ("http language:go (repo:a/b OR repo:c/d) -fork:true", "http language:go -fork:true repo:a/b repo:c/d"),
    // GitHub would take the union with these, too.
    ("http user:x (repo:a/b OR repo:c/d)", "http user:x (repo:a/b OR repo:c/d)"),
    ("http (repo:a/b OR user:x)", "http (repo:a/b OR user:x)"),
    ("(repo:a/b OR repo:c/d) (repo:a/b OR repo:e/f)", "(repo:a/b OR repo:c/d) (repo:a/b OR repo:e/f)"),
    ("http (repo:a/b OR -repo:c/d)", "http (repo:a/b OR -repo:c/d)"),
  ])
  func theUnionNeedsNoOperators(query: String, expected: String) throws {
    let root = try QueryParser(vocabulary: gitHubVocabulary).parse(query).root
    #expect(try GitHubQuery.text(root) == expected)
  }

  @Test func manyRepositoriesAreNotTooManyOperators() throws {
    let names = (0..<12).map { "repo:a/\($0)" }
    let root = try QueryParser(vocabulary: gitHubVocabulary).parse(
      "http (\(names.joined(separator: " OR ")))"
    ).root
    #expect(try GitHubQuery.text(root) == "http " + names.joined(separator: " "))
    // The advanced search of issues reads them as AND.
    #expect(throws: SearchError.self) { try GitHubQuery.text(root, isAdvanced: true) }
  }

  @Test func allOfThemAreFound() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(300))
    try await withFake(github) { provider, server in
      var search = FederatedSearch(
        query: try QueryParser().parse("swift"), limit: 100, timeout: .seconds(300))
      let ids = Set(stride(from: 1, to: 300, by: 9).map { "github.com/owner/swift-\($0)" })
      search.filter = ResultFilter(name: "favorites", ids: ids.union(["github.com/gone/away"]))
      let result = await Federation(ProviderRegistry([provider])).search(search)
      #expect(Set(result.items.map(\.result.id)) == ids && result.isComplete)
      #expect(server.requests.allSatisfy { ($0.query("q") ?? "").count <= 256 })
      #expect(result.outcomes.first?.pages == 1 && result.outcomes.first?.requests == server.requests.count)
    }
  }
}
