import ForageCore
import ForageGitHub
import Foundation
import TestSupport
import Testing

/// Issues, commits, files, accounts and topics by themselves: one request each.
@Suite struct EntityDetailsTests {
  private static let sha = "0123456789abcdef0123456789abcdef01234567"

  private static var service: FakeGitHub {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    return FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Acme/Tool")]) { options in
      var issue = FakeIssue(repository: "Acme/Tool", number: 7, title: "It breaks")
      issue.body = "Badly.\n\n- twice"
      issue.author = "kana"
      issue.labels = ["bug"]
      issue.assignees = ["bao"]
      issue.milestone = "1.0"
      issue.comments = 3
      options.issues = [issue]
      options.commits = [
        FakeCommit(
          repository: "Acme/Tool", sha: sha, message: "Mend it\n\nIt was broken.",
          author: .init(login: "kana", name: "Kana", date: date))
      ]
      options.files = [
        FakeFile(repository: "Acme/Tool", path: "Sources/My File.swift", content: "let a = 1\nlet b = 2\n")
      ]
      var account = FakeAccount(login: "Kana", id: 99)
      account.name = "Kana Y."
      account.bio = "Writes"
      account.company = "Acme"
      account.location = "Oslo"
      account.followers = 12
      options.users = [account]
      var topic = FakeTopic(name: "swift")
      topic.shortDescription = "A language"
      options.topics = [FakeTopic(name: "swift-lang"), topic]
    }
  }

  private func details(_ text: String) async throws -> (item: SearchResult?, paths: [String]) {
    try await withFake(Self.service) { provider, server in
      let reference = try #require(EntityReference(text, defaultHost: "github.com"))
      let item = try await provider.details(of: reference)
      let full = try await provider.details(of: reference, deadline: .now + .seconds(30))
      #expect(full?.item == item && full?.missing.isEmpty ?? true)
      if let item { #expect(item.kind == reference.kind && item[.host]?.text == "github.com") }
      #expect(server.requests.count == 2)
      return (item, server.requests.prefix(1).map(\.target))
    }
  }

  @Test(arguments: ["acme/tool#7", "https://github.com/Acme/Tool/pull/7"])
  func issue(_ text: String) async throws {
    let (item, paths) = try await details(text)
    #expect(item?.id == "github.com/acme/tool#7" && item?.title == "It breaks")
    #expect(item?[.description] == .text("Badly.\n\n- twice") && item?[.author] == .text("kana"))
    #expect(item?[.labels] == .list(["bug"]) && item?[.assignees] == .list(["bao"]))
    #expect(item?[.milestone] == .text("1.0") && item?[.comments] == .number(3))
    #expect(item?[.repository] == .text("github.com/Acme/Tool"))
    #expect(paths == ["/repos/acme/tool/issues/7"])
  }

  @Test func commit() async throws {
    let (item, paths) = try await details("acme/tool@0123456")
    #expect(item?.id == "github.com/acme/tool@" + Self.sha && item?.title == "Mend it")
    #expect(item?[.message] == .text("Mend it\n\nIt was broken.") && item?[.author] == .text("kana"))
    #expect(item?["additions"] == .number(12) && item?["deletions"] == .number(3))
    #expect(paths == ["/repos/acme/tool/commits/0123456"])
  }

  @Test func file() async throws {
    let (item, paths) = try await details("https://github.com/Acme/Tool/blob/v1.0/Sources/My%20File.swift#L2")
    #expect(item?.id == "github.com/acme/tool/blob/v1.0/Sources/My File.swift")
    #expect(item?[.path] == .text("Sources/My File.swift") && item?[.ref] == .text("v1.0"))
    #expect(item?[.fragments]?.elements.first?["text"] == .text("let a = 1\nlet b = 2\n"))
    #expect(paths == ["/repos/acme/tool/contents/Sources/My%20File.swift?ref=v1.0"])
  }

  @Test func account() async throws {
    let (item, paths) = try await details("@KANA")
    #expect(item?.id == "github.com/@kana" && item?.title == "Kana" && item?.forgeID == "github.com:99")
    #expect(item?[.name] == .text("Kana Y.") && item?[.description] == .text("Writes"))
    #expect(item?["company"] == .text("Acme") && item?[.location] == .text("Oslo"))
    #expect(item?[.followers] == .number(12) && item?["following"] == .number(3))
    #expect(paths == ["/users/kana"])
  }

  @Test func topic() async throws {
    let (item, paths) = try await details("https://github.com/topics/swift")
    #expect(item?.id == "github.com/topics/swift" && item?[.description] == .text("A language"))
    #expect(paths == ["/search/topics?q=swift"])
  }

  @Test(arguments: [
    "acme/tool#8", "no/body#1", "acme/tool@fedcba9", "a/b/c/blob/main/x", "@nobody",
    "github.com/topics/nothing",
  ])
  func unknown(_ text: String) async throws {
    let reference = text == "a/b/c/blob/main/x" ? "https://github.com/acme/tool/blob/main/none.swift" : text
    let (item, _) = try await details(reference)
    #expect(item == nil)
  }

  @Test(arguments: [
    (#"[{"type":"file"}]"#, "this path is a folder"),
    (#"{"type":"submodule","sha":"0123456","path":"Sources"}"#, "this path is a submodule at 0123456"),
  ])
  func whatIsNoFile(_ body: String, _ message: String) async throws {
    let github = Self.service
    github.fail(.custom(.json(status: 200, body: body)), path: "/repos/acme/tool/contents")
    try await withFake(github) { provider, _ in
      let reference = try #require(
        EntityReference("github.com/acme/tool/blob/main/Sources", defaultHost: "github.com"))
      let error = await searchError { _ = try await provider.details(of: reference) }
      #expect(error?.code == .invalidResponse && error?.message == message)
    }
  }
}
