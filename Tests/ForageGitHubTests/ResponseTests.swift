import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

@Suite struct ResponseTests {
  /// The members that name a repository.
  private static let names = #""id":1,"name":"n","full_name":"o/n","html_url":"https://github.com/o/n""#

  private func item(_ members: String) throws -> SearchResult? {
    let json = "{" + Self.names + (members.isEmpty ? "" : "," + members) + "}"
    return GitHubKind.repository(try JSONTree(json: json))
  }

  @Test func whatNamesARepositoryIsEnough() throws {
    let found = try #require(try item(""))
    #expect(found.id == "github.com/o/n" && found.forgeID == "github.com:1" && found.title == "o/n")
    #expect(Set(found.fields.keys) == [.host, .owner, .name])
  }

  @Test(arguments: [
    "description", "homepage", "language", "topics", "license", "stargazers_count", "forks_count",
    "watchers_count",
    "subscribers_count", "network_count", "open_issues_count", "size", "fork", "archived", "private",
    "is_template", "mirror_url",
    "default_branch", "created_at", "updated_at", "pushed_at", "owner", "something_new",
  ])
  func nullsAndOddTypesAreAbsent(name: String) throws {
    let bare = try #require(try item(""))
    for value in ["null", "{}", "[1]", "{\"key\":[]}", "1.5", "[null]"] {
      let found = try #require(try item("\"\(name)\":\(value)"), "\(name): \(value)")
      #expect(found == bare, "\(name): \(value)")
    }
  }

  @Test func numbersAsStrings() throws {
    let found = try #require(
      try item(
        #""stargazers_count":"12","forks_count":"x","size":"7","open_issues_count":"","watchers_count":3"#))
    #expect(found[.stars]?.number == 12 && found[.sizeKB]?.number == 7 && found[.watchers]?.number == 3)
    #expect(found[.forks] == nil && found[.openIssues] == nil)
    let json = #"{"id":"99","name":"n","full_name":"o/n","html_url":"https://github.com/o/n"}"#
    #expect(GitHubKind.repository(try JSONTree(json: json))?.forgeID == "github.com:99")
  }

  /// -1 and "" stand for what is unknown.
  @Test func unknownIsAbsent() throws {
    let found = try #require(
      try item(
        #""stargazers_count":-1,"forks_count":-1,"watchers_count":-1,"open_issues_count":-1,"size":-1"#))
    #expect(Set(found.fields.keys) == [.host, .owner, .name])
    let nameless =
      #"{"id":1,"name":"","full_name":"","html_url":"https://github.com/Octo/Repo","owner":{"login":""}}"#
    let repository = try #require(GitHubKind.repository(try JSONTree(json: nameless)))
    #expect(repository.title == "Octo/Repo")
    #expect(repository.fields == [.host: .text("github.com"), .owner: .text("Octo"), .name: .text("Repo")])
    let issue = try JSONTree(
      json: #"{"number":1,"title":"t","html_url":"https://github.com/o/n/issues/1","comments":-1}"#)
    #expect(GitHubKind.issues.item(issue, "github.com")?[.comments] == nil)
    let account = try JSONTree(
      json: #"{"login":"a","html_url":"https://github.com/a","followers":-1,"public_repos":-2}"#)
    #expect(GitHubKind.users.item(account, "github.com")?.fields.keys.contains(.followers) == false)
    let people = try JSONTree(json: #"[{"login":"a","contributions":-1},{"login":"b","contributions":2}]"#)
    #expect(try RepositoryPart.contributors(people)?.get()?.elements.count == 1)
  }

  @Test(arguments: [
    (#""license":{"key":"mit","spdx_id":"MIT"}"#, "MIT"),
    (#""license":{"key":"other","spdx_id":"NOASSERTION"}"#, nil),
    (#""license":{"key":"mit","spdx_id":null}"#, nil), (#""license":"MIT""#, nil),
    (#""license":{"spdx_id":""}"#, nil),
  ])
  func licenses(members: String, expected: String?) throws {
    #expect(try #require(try item(members))[.license]?.text == expected)
  }

  @Test func emptyTextsAreAbsent() throws {
    let found = try #require(
      try item(#""description":"","homepage":"","language":"","topics":[],"default_branch":"""#))
    #expect(Set(found.fields.keys) == [.host, .owner, .name, .topics] && found[.topics] == .list([]))
    #expect(try item(#""mirror_url":"""#)?[.mirror]?.flag == false)
  }

  /// What it mirrors is named as that is named everywhere; what names no repository, or itself, is not.
  @Test(arguments: [
    ("https://gitlab.com/Group/Sub/App.git", ["gitlab.com/group/sub/app"]),
    ("git://git.example.org/Deep/App.git", ["git.example.org/Deep/App"]),
    ("https://github.com/O/N", []), ("/srv/git/app", []), ("not an address", []),
  ])
  func mirrors(address: String, expected: [String]) throws {
    let found = try #require(try item("\"mirror_url\":\"\(address)\""))
    #expect(found.related == expected.map { RelatedEntity(id: $0, why: .mirror) })
    #expect(found[.mirror]?.flag == true)
  }

  @Test(arguments: ["yesterday", "2024-13-01T00:00:00Z", "", "2024-02-30"])
  func oddDatesAreAbsent(text: String) throws {
    #expect(try item("\"pushed_at\":\"\(text)\"")?[.pushedAt] == nil)
  }

  @Test func dates() throws {
    #expect(
      try item(#""pushed_at":"2024-01-02T03:04:05Z""#)?[.pushedAt]?.date?.timeIntervalSince1970
        == 1_704_164_645)
    #expect(
      try item(#""pushed_at":"2024-01-02T05:04:05+02:00""#)?[.pushedAt]?.date?.timeIntervalSince1970
        == 1_704_164_645)
  }

  /// Identity comes from the repository's own address, and an Enterprise server keeps its letter case.
  @Test func identity() throws {
    func id(_ address: String) throws -> String? {
      let json = #"{"id":1,"name":"n","full_name":"O/N","html_url":""# + address + "\"}"
      return GitHubKind.repository(try JSONTree(json: json))?.id
    }
    #expect(try id("https://github.com/O/N") == "github.com/o/n")
    #expect(try id("https://git.corp.example/O/N") == "git.corp.example/O/N")
    #expect(try id("https://acme.ghe.com/O/N") == "acme.ghe.com/o/n")
    #expect(try id("https://git.corp.example:8443/O/N") == "git.corp.example:8443/O/N")
    #expect(try id("not an address") == nil)
    #expect(try id("") == nil)
  }

  /// Text from outside is kept as it is; making it harmless is the output's business.
  @Test func hostileTextIsData() async throws {
    let hostile = FakeRepository.hostile()
    try await withFake(FakeGitHub(repositories: [hostile])) { provider, _ in
      let page = try await provider.search(searchRequest("payload"))
      #expect(page.items.first?[.description]?.text == hostile.description)
    }
  }

  /// An item that cannot be read is lost alone, and counted.
  @Test func oneBadItemLosesThatItem() async throws {
    let good = "{" + Self.names + "}"
    let bad = [
      "null", "7", "\"text\"", "[]", "{}", #"{"id":2}"#,
      #"{"id":null,"name":"n","full_name":"o/n","html_url":"https://h/o/n"}"#,
      #"{"id":2,"name":5,"full_name":"o/n","html_url":"https://github.com/o/n"}"#,
      #"{"id":2,"name":"n","full_name":"o/n","html_url":"nowhere"}"#,
    ]
    let items = (bad + [good]).joined(separator: ",")
    let body = #"{"total_count":10,"incomplete_results":false,"items":["# + items + "]}"
    try await withServer(answering: .json(body: body)) { server in
      let page = try await withProvider(at: server) { try await $0.search(searchRequest("a")) }
      #expect(page.items.map(\.title) == ["o/n"])
      #expect(page.unreadable == bad.count && page.total == ResultTotal(10))
      // Why is told once for each reason.
      let list = try JSONTree(json: body)
      let warnings = FirstReports()
      #expect(
        SearchResponse(list, host: "github.com", .repositories, report: warnings.report)?.items.count == 10)
      for part in ["that is no object", "without name, full_name, html_url", "without id,", "do not name it"]
      {
        #expect(warnings.messages.contains { $0.contains(part) }, "\(warnings.messages)")
      }
    }
  }

  @Test(arguments: [
    #"{"items":[]}"#, #"{"items":[],"total_count":-1}"#,
    #"{"total_count":null,"incomplete_results":null,"items":[],"new":{}}"#,
  ])
  func totalsMayBeMissing(body: String) async throws {
    try await withServer(answering: .json(body: body)) { server in
      let page = try await withProvider(at: server) { try await $0.search(searchRequest("a")) }
      #expect(page.items.isEmpty && page.total == nil && !page.notes.contains(where: \.isMissing))
    }
  }
}
