import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// How the items of each kind are read; those of repositories have tests of their own.
@Suite struct KindResponseTests {
  @Test(arguments: KindFixture.all)
  func whatNamesAnItemIsEnough(fixture: KindFixture) throws {
    let found = try #require(try fixture.item())
    #expect(found.id == fixture.id && found.kind == fixture.kind && !found.title.isEmpty)
    #expect(Set(found.fields.keys) == fixture.fields)
    #expect(found.url?.hasPrefix("https://github.com/") == true)
  }

  @Test(arguments: KindFixture.all)
  func nullsAndOddTypesAreAbsent(fixture: KindFixture) throws {
    let bare = try #require(try fixture.item())
    for name in fixture.optional {
      for value in ["null", "{}", "[1]", "{\"key\":[]}", "1.5", "[null]", "[[]]"] {
        let found = try #require(try fixture.item("\"\(name)\":\(value)"), "\(name): \(value)")
        #expect(found == bare, "\(name): \(value)")
      }
    }
  }

  /// An item that cannot be read is lost alone, and counted.
  @Test(arguments: KindFixture.all)
  func oneBadItemLosesThatItem(fixture: KindFixture) async throws {
    let bad = ["null", "7", "\"text\"", "[]", "{}"] + fixture.bad
    let items = (bad + ["{" + fixture.required + "}"]).joined(separator: ",")
    let body = #"{"total_count":10,"incomplete_results":true,"items":["# + items + "]}"
    try await withServer(answering: .json(body: body)) { server in
      let request = try searchRequest("a", kind: fixture.kind)
      let page = try await withProvider(at: server, token: "t0ken") { try await $0.search(request) }
      #expect(page.items.map(\.id) == [fixture.id])
      #expect(
        page.unreadable == bad.count && page.total == ResultTotal(10, .atLeast)
          && page.notes.map(\.code) == [.incompleteResults]
      )
    }
  }

  private func item(_ kind: ResultKind, _ members: String) throws -> SearchResult {
    let fixture = try #require(KindFixture.all.first { $0.kind == kind })
    return try #require(try fixture.item(members))
  }

  @Test func everythingAboutAPullRequest() throws {
    let found = try item(
      .issue,
      #"""
      "id":"99","state":"closed","state_reason":"merged_somehow","locked":true,"draft":false,
      "user":{"login":"bao","avatar_url":"https://a.example/1"},"labels":[{"name":"bug"},"old style",{"id":3},{"name":""}],
      "assignees":[{"login":"chidi"},{"login":null},null],"milestone":{"title":"1.0"},"comments":"12",
      "reactions":{"total_count":3},"pull_request":{"merged_at":"2024-01-02T03:04:05Z"},"score":1.5,
      "created_at":"2024-01-01T00:00:00Z","updated_at":"2024-01-02T03:04:05Z","closed_at":"2024-01-02T03:04:05.678Z",
      "repository":{"html_url":"https://github.com/Ada/Renamed","private":true}
      """#)
    #expect(found.id == "github.com/ada/renamed#7" && found.forgeID == "github.com:99")
    #expect(found.title == "It leaks" && found[.isPullRequest]?.flag == true)
    #expect(found[.state]?.text == "closed" && found[.stateReason]?.text == "merged_somehow")
    #expect(found[.author]?.text == "bao" && found[.avatarURL]?.text == "https://a.example/1")
    #expect(found[.labels]?.texts == ["bug", "old style"] && found[.assignees]?.texts == ["chidi"])
    #expect(found[.milestone]?.text == "1.0" && found[.comments]?.number == 12)
    #expect(found[.reactions]?.number == 3 && found[.locked]?.flag == true && found[.draft]?.flag == false)
    #expect(found[.isPrivate]?.flag == true && found[.repository]?.text == "github.com/Ada/Renamed")
    #expect(found[.mergedAt]?.date?.timeIntervalSince1970 == 1_704_164_645)
    #expect(found[.closedAt] == found[.mergedAt])
  }

  @Test func everythingAboutACommit() throws {
    let found = try item(
      .commit,
      #"""
      "commit":{"message":"\r\n  Fix it  \r\n\r\nAt last.","comment_count":2,
        "author":{"name":"Ada L.","email":"a@example.com","date":"2016-12-19T15:26:35.000-05:00"},
        "committer":{"name":"GitHub","date":"2016-12-19T20:26:35Z"}},
      "author":{"login":"ada","avatar_url":"https://a.example/2"},"committer":null,
      "parents":[{"sha":"aa"},{"url":"x"},{"sha":"bb"}],"repository":{"html_url":"https://github.com/Ada/Kit","private":false}
      """#)
    #expect(found.title == "Fix it" && found[.message]?.text?.hasSuffix("At last.") == true)
    #expect(found[.author]?.text == "ada" && found[.authorName]?.text == "Ada L.")
    #expect(found[.committer]?.text == "GitHub" && found[.parents]?.texts == ["aa", "bb"])
    #expect(found[.authoredAt]?.date == found[.committedAt]?.date)
    #expect(found[.authoredAt]?.date?.timeIntervalSince1970 == 1_482_179_195)
    #expect(found[.comments]?.number == 2 && found[.isPrivate]?.flag == false)
    let untold = try item(.commit, "")
    #expect(untold.title == "0123456")
    let stranger = try item(.commit, #""commit":{"author":{"name":"N. N."},"message":""},"author":null"#)
    #expect(stranger[.author]?.text == "N. N." && stranger[.message] == nil && stranger.title == "0123456")
  }

  @Test func everythingAboutAnAccount() throws {
    let found = try item(
      .user,
      #"""
      "id":5,"type":"Organization","name":"Ada & Co","bio":"Numbers","avatar_url":"https://a.example/3",
      "blog":"https://ada.example","location":"London","followers":7,"public_repos":"3","created_at":"2011-01-01T00:00:00Z"
      """#)
    #expect(found.forgeID == "github.com:5" && found.title == "Ada" && found[.login]?.text == "Ada")
    #expect(found[.accountType]?.text == "organization" && found[.name]?.text == "Ada & Co")
    #expect(found[.description]?.text == "Numbers" && found[.homepage]?.text == "https://ada.example")
    #expect(found[.followers]?.number == 7 && found[.repositoryCount]?.number == 3)
    // An unknown type is returned unchanged.
    #expect(try item(.user, #""type":"Mannequin""#)[.accountType]?.text == "mannequin")
    // An Enterprise server keeps its letter case.
    let other = #"{"login":"Ada","html_url":"https://git.corp.example:8443/Ada"}"#
    let elsewhere = GitHubKind.users.item(try JSONTree(json: other), "x")
    #expect(elsewhere?.id == "git.corp.example:8443/@Ada")
  }

  @Test func everythingAboutATopic() throws {
    let found = try item(
      .topic,
      #""display_name":"Swift","short_description":"","description":"A language","featured":true,"curated":false,"repository_count":9"#
    )
    #expect(
      found.title == "Swift" && found[.description]?.text == "A language" && found[.name]?.text == "swift")
    #expect(found[.featured]?.flag == true && found[.curated]?.flag == false)
    #expect(found[.repositoryCount]?.number == 9 && found.url == "https://github.com/topics/swift")
    let other = GitHubKind.topics.item(try JSONTree(json: #"{"name":"c++"}"#), "git.corp.example")
    #expect(other?.url == "https://git.corp.example/topics/c%2B%2B")
  }

  /// The place of a file comes from its address, whatever characters stand in it.
  @Test(arguments: [
    ("a.c", "https://github.com/o/n/blob/abc/a.c", "abc", "github.com/o/n/blob/abc/a.c"),
    (
      "b/a.c", "https://github.com/o/n/blob/feature/x/b/a.c", "feature/x",
      "github.com/o/n/blob/feature/x/b/a.c"
    ),
    (
      "100%.txt", "https://github.com/O/N/blob/abc/100%25.txt?raw=1#L3", "abc",
      "github.com/o/n/blob/abc/100%.txt"
    ),
    (
      "é/日本.md", "https://github.com/o/n/blob/abc/%C3%A9/%E6%97%A5%E6%9C%AC.md", "abc",
      "github.com/o/n/blob/abc/é/日本.md"
    ),
    (
      "blob/blob", "https://github.com/blob/blob/blob/blob/blob/blob", "blob",
      "github.com/blob/blob/blob/blob/blob/blob"
    ),
    ("a\u{1B}[m", "https://github.com/o/n/blob/abc/a%1B%5Bm", "abc", "github.com/o/n/blob/abc/a%1B[m"),
    ("elsewhere", "https://github.com/o/n/blob/abc/other", "abc", "github.com/o/n/blob/abc/elsewhere"),
    ("a", "https://git.corp.example/O/N/blob/abc/a", "abc", "git.corp.example/O/N/blob/abc/a"),
  ])
  func placesOfFiles(path: String, address: String, ref: String, id: String) throws {
    let json = FakeJSON.object([
      .init(name: "path", value: .string(path)), .init(name: "html_url", value: .string(address)),
    ])
    let found = try #require(
      GitHubKind.code.item(
        try JSONTree(json: String(decoding: json.bytes, as: UTF8.self)), "github.com"))
    #expect(found.id == id && found[.ref]?.text == ref && found[.path]?.text == path)
    #expect(found.url == address && found.title == path)
  }

  @Test func fragments() async throws {
    try await withFake(FakeGitHub.world(count: 40), token: "t0ken") { provider, _ in
      let page = try await provider.search(searchRequest("for", kind: .code))
      #expect(page.items.count == 30)
      for item in page.items {
        let fragments = try #require(item[.fragments]?.elements)
        #expect(!fragments.isEmpty && fragments.count <= 2)
        for fragment in fragments {
          let text = Array(try #require(fragment["text"]?.text).unicodeScalars)
          let places = try #require(fragment["matches"]?.elements)
          #expect(!places.isEmpty)
          for place in places {
            let (start, end) = (place.elements.first?.number ?? -1, place.elements.last?.number ?? -1)
            var found = String.UnicodeScalarView()
            found.append(contentsOf: text[start..<end])
            #expect(String(found) == "for")
          }
          #expect(fragment["line"] == nil)
        }
      }
    }
  }
}
