import Forage
import ForageCore
import TestSupport
import Testing

@testable import ForageCLI

/// How relations and differing fieldObservations are shown.
struct RelatedOutputTests {
  private static let mirror = FakeRepository(id: 1, fullName: "m/http", stars: 5).with {
    $0.mirrorURL = "https://github.com/o/http.git"
  }
  private static let original = FakeRepository(id: 2, fullName: "o/http", stars: 3)
  private static let other = FakeRepository(id: 3, fullName: "x/http", stars: 1)

  private func run(_ arguments: [String], columns: Int? = nil) async throws -> Outcome {
    try await withGitHub(FakeGitHub(repositories: [Self.mirror, Self.original, Self.other])) { server in
      try await withIsolatedHome { home in
        await forage(arguments + ["--timeout", "50"], in: variables(home, server.baseURL), columns: columns)
      }
    }
  }

  private func search(_ arguments: [String], columns: Int? = nil) async throws -> Outcome {
    try await run(["search", "http", "--sort", "stars", "-p", "github"] + arguments, columns: columns)
  }

  @Test func json() async throws {
    let outcome = try await search(["--json", "id,related"])
    #expect(
      outcome.out == """
        [{"id":"github.com/m/http","related":[{"id":"github.com/o/http","why":"mirror"}]},\
        {"id":"github.com/o/http","related":[{"id":"github.com/m/http","why":"mirror"}]},\
        {"id":"github.com/x/http","related":null}]

        """)
    let whole = try await search(["--format", "ndjson"])
    let lines = whole.out.split(separator: "\n")
    // Three results and the summary.
    try #require(lines.count == 4, "\(whole.err)")
    #expect(lines[0].hasSuffix(#","related":[{"id":"github.com/o/http","why":"mirror"}]}"#))
    #expect(!lines[2].contains("related"))
  }

  /// The column is there where there is room, and the first to go.
  @Test func terminal() async throws {
    let wide = try await search([], columns: 120)
    let lines = wide.out.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(wide.out)\(wide.err)")
    #expect(lines[0].hasSuffix("  FROM    RELATED"))
    #expect(lines[1].hasSuffix("  github  github.com/o/http (mirror)"))
    #expect(lines[3].hasSuffix("  github"))
    let narrow = try await search(["--no-number"], columns: 50)
    #expect(!narrow.out.contains("RELATED") && narrow.out.contains("FROM"))
    let pipe = try await search([])
    #expect(!pipe.out.contains("mirror"))
  }

  @Test func sheet() async throws {
    let sheet = try await run(["show", "m/http"], columns: 80)
    #expect(sheet.out.contains("\n  Related  github.com/o/http (mirror)\n"))
    let json = try await run(["show", "m/http", "--format", "json"])
    #expect(json.out.contains(#""related":[{"id":"github.com/o/http","why":"mirror"}]},"providers""#))
    #expect(try await !run(["show", "x/http"], columns: 80).out.contains("Related"))
  }

  /// Of the fields of which the providers told different values each telling is there, the shown one first.
  @Test func provenance() throws {
    func item(_ stars: Int) -> SearchResult {
      var item = SearchResult(
        id: "github.com/o/http", kind: .repo, title: "o/http",
        fields: [.host: .text("github.com"), .stars: .number(stars), .language: .text("C")])
      item.observedAt = Capture.now
      return item
    }
    let provider = InMemory(id: "copy", items: [item(1)])
    let forge = InMemory(id: "forge", hosts: ["github.com"], items: [item(2)])
    let items = ProviderRegistry([provider, forge]).preview(
      [("copy", provider.items), ("forge", forge.items)], limit: 10)
    let merged = try #require(items.first)
    let text = SearchJSON.item(merged, explains: true).text()
    #expect(
      text.hasSuffix(
        #""provenance":{"stars":[{"value":2,"provider":"forge","observedAt":"2026-01-01T00:00:00Z"},"#
          + #"{"value":1,"provider":"copy","observedAt":"2026-01-01T00:00:00Z"}]}}"#))
    #expect(!SearchJSON.item(merged, explains: false).text().contains("provenance"))
  }

  /// A provider of which only the description is asked.
  private struct InMemory: SearchProvider {
    let info: ProviderInfo
    let kinds: [ResultKind: Abilities] = [:]
    let items: [SearchResult]

    init(id: String, hosts: [String] = [], items: [SearchResult]) {
      info = ProviderInfo(id: id, hosts: hosts)
      self.items = items
    }

    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: items) }
  }
}
