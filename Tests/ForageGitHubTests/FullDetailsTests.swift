import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// Everything about a repository: five requests, and what is missing spoils nothing else.
@Suite struct FullDetailsTests {
  static let parts = ["languages", "releases/latest", "contributors", "readme"]

  static var repository: FakeRepository {
    FakeRepository(id: 42, fullName: "Acme/Tool", description: "A tool", language: "Swift", stars: 8000).with
    {
      $0.facts.languages = ["Swift": 700, "C": 299, "Shell": 1, "Nothing": 0]
      $0.facts.contributors = .people([
        .init(login: "kana", commits: 355), .init(name: "Nobody", commits: 20), .init(commits: 3),
      ])
      $0.facts.release = .init(
        tag: "v1.2.0", name: "One two", publishedAt: Date(timeIntervalSince1970: 1_700_000_000))
      $0.facts.setReadme("# Tool\n\nDoes things. 検索 🚀\n")
    }
  }

  private func full(_ text: String, _ provider: GitHubProvider, _ counter: RequestCounter = RequestCounter())
    async throws -> EntityDetails?
  {
    let reference = try #require(EntityReference(text, defaultHost: "github.com"))
    return try await counter.counting {
      try await provider.details(of: reference, deadline: .now + .seconds(30))
    }
  }

  @Test func everything() async throws {
    try await withFake(FakeGitHub(repositories: [Self.repository])) { provider, server in
      let counter = RequestCounter()
      let details = try #require(try await full("acme/tool", provider, counter))
      #expect(
        details.missing.isEmpty && details.item.id == "github.com/acme/tool"
          && details.item[.stars] == .number(8000))
      #expect(
        details.item[.languages]
          == .items(
            [("Swift", 700), ("C", 299), ("Shell", 1)].map { name, bytes in
              .record([
                "name": .text(name), "bytes": .number(bytes), "share": .fraction(Double(bytes) / 1000),
              ])
            }))
      #expect(
        details.item[.contributors]
          == .items([
            .record(["login": .text("kana"), "commits": .number(355)]),
            .record(["name": .text("Nobody"), "commits": .number(20)]),
          ]))
      #expect(
        details.item[.latestRelease]
          == .record([
            "tag": .text("v1.2.0"), "name": .text("One two"),
            "publishedAt": .date(Date(timeIntervalSince1970: 1_700_000_000)),
          ]))
      #expect(details.item[.readme] == .text("# Tool\n\nDoes things. 検索 🚀\n"))
      #expect(counter.count == 5)
      #expect(
        server.requests.map(\.path).sorted()
          == ([""] + Self.parts.map { "/" + $0 }).map { "/repos/acme/tool" + $0 }.sorted())
    }
  }

  /// No request waits for the answer to another one: the parts are there while the repository itself is not
  /// answered.
  @Test func allAtOnce() async throws {
    let github = FakeGitHub(repositories: [Self.repository])
    github.fail(.hang, path: "/repos/acme/tool")
    try await withFake(github) { provider, server in
      let asking = Task { try await full("acme/tool", provider) }
      // All five arrive although none is answered; a client that waits would send only the first.
      while Set(server.requests.map(\.path)).count < 5 { await Task.yield() }
      asking.cancel()
      _ = await asking.result
      #expect(server.requests.count == 5)
    }
  }

  /// A part that does not answer is given up before the deadline of the repository, however short that is.
  @Test(arguments: [Duration.milliseconds(50), .seconds(1), .seconds(30)])
  func partsEndBeforeTheDeadline(_ left: Duration) async throws {
    try await withFake(FakeGitHub()) { provider, _ in
      let request = DetailsRequest(
        client: provider.client, host: "github.com", deadline: .now + left)
      let margin = request.deadline - RepositoryParts(of: request, path: []).request.deadline
      #expect(margin > .zero && margin <= .milliseconds(200) && margin <= left / 5)
    }
  }

  /// Each request of a renamed repository is redirected by itself.
  @Test func renamed() async throws {
    let github = FakeGitHub(repositories: [Self.repository]) { $0.renames = ["old/name": 42] }
    try await withFake(github) { provider, _ in
      let counter = RequestCounter()
      let details = try await full("old/name", provider, counter)
      #expect(details?.item.id == "github.com/acme/tool" && details?.item[.readme] != nil)
      #expect(details?.missing.isEmpty == true && counter.count == 10)
    }
  }

  @Test func noRepository() async throws {
    try await withFake(FakeGitHub()) { provider, server in
      let details = try await full("no/body", provider)
      #expect(details == nil && server.requests.count <= 5)
    }
  }

  /// Without a release, a readme, languages and contributors there is nothing, and nothing is missing.
  @Test(arguments: [FakeFacts.Contributors.people([]), .empty])
  func nothingBelow(_ contributors: FakeFacts.Contributors) async throws {
    let bare = FakeRepository(id: 1, fullName: "a/b").with { $0.facts.contributors = contributors }
    try await withFake(FakeGitHub(repositories: [bare])) { provider, _ in
      let details = try #require(try await full("a/b", provider))
      let fields: [ResultField] = [.languages, .latestRelease, .contributors, .readme]
      #expect(details.missing.isEmpty && fields.allSatisfy { details.item[$0] == nil })
    }
  }

  @Test(arguments: [FakeFacts.Contributors.tooLarge, .counting])
  func contributorsThatAreNotTold(_ contributors: FakeFacts.Contributors) async throws {
    let large = Self.repository.with { $0.facts.contributors = contributors }
    try await withFake(FakeGitHub(repositories: [large])) { provider, _ in
      let details = try #require(try await full("acme/tool", provider))
      #expect(details.missing.map(\.field) == [.contributors])
      #expect(details.missing.allSatisfy { !$0.isFailure && !$0.error.hint.isEmpty })
      #expect(details.item[.readme] != nil && details.item[.contributors] == nil)
    }
  }

  private static let fields: [ResultField] = [.languages, .latestRelease, .contributors, .readme]

  /// Each part fails in each way by itself.
  @Test(arguments: parts.indices)
  func onePartFails(_ index: Int) async throws {
    let faults: [(FakeGitHub.Fault, SearchError.Code)] = [
      (.permission, .forbidden), (.primaryLimit(resetIn: 600), .rateLimited),
      (.truncatedJSON, .invalidResponse),
      (.pageHTML, .invalidResponse), (.custom(.json(status: 200, body: "3")), .invalidResponse),
      (.custom(.json(status: 418, body: "{}")), .invalidResponse), (.badCredentials, .unauthorized),
    ]
    for (fault, code) in faults {
      let github = FakeGitHub(repositories: [Self.repository])
      github.fail(fault, path: "/repos/acme/tool/" + Self.parts[index])
      try await withFake(github) { provider, _ in
        let details = try #require(try await full("acme/tool", provider))
        let lost = Self.fields[index]
        #expect(details.missing.map(\.field) == [lost], "\(fault)")
        #expect(
          details.missing.first?.error.code == code && details.missing.first?.isFailure == true, "\(fault)")
        #expect(Self.fields.allSatisfy { (details.item[$0] == nil) == ($0 == lost) }, "\(fault)")
      }
    }
  }

  @Test func allPartsFail() async throws {
    let github = FakeGitHub(repositories: [Self.repository])
    github.fail(.permission, path: "/repos/acme/tool/")
    try await withFake(github) { provider, _ in
      let details = try #require(try await full("acme/tool", provider))
      #expect(details.missing.map(\.field) == [.languages, .latestRelease, .contributors, .readme])
      #expect(details.item[.stars] == .number(8000))
    }
  }

  /// What a readme can be other than text.
  @Test func oddReadmes() async throws {
    func readme(_ bytes: [UInt8]) async throws -> (text: String?, missing: [ResultField]) {
      let repository = FakeRepository(id: 1, fullName: "a/b").with { $0.facts.readme = bytes }
      return try await withFake(FakeGitHub(repositories: [repository])) { provider, _ in
        let details = try #require(try await full("a/b", provider))
        return (details.item[.readme]?.text, details.missing.map(\.field))
      }
    }
    for bytes in [[], Array(" \n\t\n".utf8)] {
      let none = try await readme(bytes)
      #expect(none.text == nil && none.missing.isEmpty)
    }
    for bytes in [[0x66, 0xFF, 0xFE], Array("a\0b".utf8)] as [[UInt8]] {
      let odd = try await readme(bytes)
      #expect(odd.text == nil && odd.missing == [.readme])
    }
    let marked = try await readme([0xEF, 0xBB, 0xBF] + Array("# x\n".utf8))
    #expect(marked.text == "# x\n")
    let long = try await readme(Array(String(repeating: "日本語の行\n", count: 40_000).utf8))
    #expect(long.missing.isEmpty && (long.text?.utf8.count ?? 0) <= RepositoryFacts.maximumText)
    #expect(long.text?.hasSuffix("日本語の行\n") == true)
  }

  /// A file beyond 1 MB comes without its text.
  @Test func aReadmeThatIsNotTold() async throws {
    let github = FakeGitHub(repositories: [Self.repository])
    let body =
      #"{"type":"file","encoding":"none","size":2000000,"name":"R","path":"R","content":"","sha":"x"}"#
    github.fail(.custom(.json(status: 200, body: body)), path: "/repos/acme/tool/readme")
    try await withFake(github) { provider, _ in
      let details = try #require(try await full("acme/tool", provider))
      #expect(details.missing.map(\.field) == [.readme] && details.missing.first?.isFailure == false)
    }
  }
}
