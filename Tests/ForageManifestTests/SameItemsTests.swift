import ForageCore
import ForageGitHub
import ForageHTTP
import ForageHTTPLive
import ForageTesting
import TestSupport
import Testing

@testable import ForageManifest

/// GitHub described by a manifest gives the same items as the built-in provider.
struct SameItemsTests {
  static let github = """
    forage: 1
    id: hub
    name: GitHub by manifest
    kinds: [repo]
    base: https://api.github.com
    auth: {secret: token, bearer: true}
    request:
      url: "{base}/search/repositories"
      headers: {Accept: application/vnd.github+json, X-GitHub-Api-Version: "2022-11-28"}
      params: {q: "{text}", per_page: "{size}"}
    paging: {style: link, size: 100, maxTotal: 1000}
    text: {not: "NOT {term}"}
    qualifiers:
      language: {text: "language:{value}", not: "-language:{value}"}
      topic: {text: "topic:{value}", not: "-topic:{value}"}
      owner: {text: "user:{value}", not: "-user:{value}"}
      license: {text: "license:{value}", not: "-license:{value}"}
      stars: {text: "stars:{value}", not: "-stars:{value}"}
      forks: {text: "forks:{value}"}
      created: {text: "created:{value}"}
      archived: {text: "archived:{value}", not: "-archived:{value}"}
    sorts:
      stars: {sort: stars, order: desc}
      forks: {sort: forks, order: desc}
      updated: {sort: updated, order: desc}
    total: $.total_count
    items: $.items[*]
    map:
      id: $.id
      url: $.html_url
      title: $.full_name
      description: $.description
      owner: $.owner.login
      name: $.name
      avatarUrl: $.owner.avatar_url
      homepage: $.homepage
      language: $.language
      topics: $.topics
      license: {path: $.license.spdx_id, map: {NOASSERTION: null}}
      stars: $.stargazers_count
      forks: $.forks_count
      watchers: $.watchers_count
      openIssues: $.open_issues_count
      sizeKB: $.size
      fork: $.fork
      archived: $.archived
      private: $.private
      template: $.is_template
      defaultBranch: $.default_branch
      createdAt: $.created_at
      updatedAt: $.updated_at
      pushedAt: {path: $.pushed_at, as: isoDate}
      mirrorOf: $.mirror_url
    """

  @Test(
    arguments: [
      ("parser", nil), ("for \"a fast\"", nil), ("for stars:>100", "stars"), ("for language:swift", "forks"),
      ("language:\"C++\"", nil),
      ("for -language:go NOT server", nil),
      ("for owner:alder", "updated"),
      ("for created:>2018-01-01 stars:10..5000", nil), ("topic:http license:mit", nil),
      ("zzzz", nil),
    ] as [(String, String?)])
  func sameItems(_ query: String, _ sort: String?) async throws {
    let github = FakeGitHub(repositories: FakeRepository.sample(count: 150, seed: 3))
    try await withServer(handler: github.handler) { server in
      try await withProvider(try manifest(Self.github), at: server) { provider in
        let address = try ForgeAddress(gitHubAPI: server.baseURL)
        let client = GitHubClient(
          at: address, transport: provider.client.transport, userAgent: testUserAgent,
          tokens: KnownToken(nil))
        let builtIn = GitHubProvider(client: client)
        for order in [ForageCore.SortOrder.descending, .ascending] {
          let first = try ask(query, of: provider, sort: sort, order: order, pageSize: 20)
          let (mine, theirs) = (try await pages(provider, first), try await pages(builtIn, first))
          #expect(mine.count == theirs.count)
          for (mine, theirs) in zip(mine, theirs) {
            var theirs = theirs
            // The manifest tells of mirrors only where they lead.
            theirs.fields[.mirror] = nil
            // The server is not the forge that its pages name, whose numbers a manifest takes from it alone.
            theirs.forgeID = nil
            #expect(mine == theirs)
          }
        }
      }
    }
  }

  private func pages(_ provider: some SearchProvider, _ first: SearchRequest) async throws -> [SearchResult] {
    var (items, request): ([SearchResult], SearchRequest) = ([], first)
    for _ in 0..<20 {
      let page = try await provider.search(request)
      items += page.items
      request.cursor = page.next
      if page.next == nil { break }
    }
    return items
  }

  @Test func complies() async throws {
    let github = FakeGitHub(repositories: FakeRepository.sample(count: 60, seed: 7))
    try await withServer(handler: github.handler) { server in
      try await withProvider(try manifest(Self.github), at: server) { provider in
        let samples = ProviderComplianceTests.Samples(
          words: ["for"], qualifiers: ["stars:>10", "archived:false", "language:swift"],
          deadline: .seconds(60))
        let report = await ProviderComplianceTests(provider: provider, samples: samples).run()
        #expect(report.failures.isEmpty, "\(report)")
      }
    }
  }
}
