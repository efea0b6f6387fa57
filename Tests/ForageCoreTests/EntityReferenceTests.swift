import ForageCore
import TestSupport
import Testing

@Suite struct EntityReferenceTests {
  @Test(arguments: [
    ("apple/swift-nio", "github.com/apple/swift-nio"), ("Apple/Swift-NIO", "github.com/apple/swift-nio"),
    (" apple/swift-nio ", "github.com/apple/swift-nio"),
    ("apple/swift-nio.git", "github.com/apple/swift-nio"),
    ("apple/.github", "github.com/apple/.github"), ("apple/swift-nio#readme", "github.com/apple/swift-nio"),
    ("github.com/apple/swift-nio", "github.com/apple/swift-nio"),
    ("gitlab.com/group/sub/project", "gitlab.com/group/sub/project"),
    ("git.example.com/Team/App", "git.example.com/Team/App"),
    ("git.example.com:8443/Team/App", "git.example.com:8443/Team/App"),
    ("https://github.com/apple/swift-nio", "github.com/apple/swift-nio"),
    ("https://github.com/apple/swift-nio/tree/main/Sources/NIO", "github.com/apple/swift-nio"),
    ("github.com/apple/swift-nio/issues", "github.com/apple/swift-nio"),
    ("https://codeberg.org/forgejo/forgejo/src/branch/x", "codeberg.org/forgejo/forgejo"),
    ("https://bitbucket.org/team/app/src/master/", "bitbucket.org/team/app"),
    ("https://acme.ghe.com/Team/App/actions", "acme.ghe.com/team/app"),
    ("https://gitlab.com/group/sub/project/-/issues", "gitlab.com/group/sub/project"),
    ("https://gitlab.com/group/project/-/tree/main/a/-/b", "gitlab.com/group/project"),
    ("https://git.example.com/g/p/-/merge_requests", "git.example.com/g/p"),
    ("https://github.com/o/r/tree/main/-/issues/3", "github.com/o/r"),
    ("git@github.com:apple/swift-nio.git", "github.com/apple/swift-nio"),
    ("ssh://git@git.example.com:2222/a/b.git", "git.example.com/a/b"),
    ("git@ssh.dev.azure.com:v3/org/project/repo", "dev.azure.com/org/project/_git/repo"),
    ("https://dev.azure.com/org/project/_git/repo", "dev.azure.com/org/project/_git/repo"),
    ("git+https://github.com/apple/swift-nio.git", "github.com/apple/swift-nio"),
  ])
  func references(text: String, id: String) throws {
    let reference = try #require(EntityReference(text, defaultHost: "github.com"))
    #expect(reference.id == id)
    #expect(reference.id == "\(reference.host)/\(reference.owner)/\(reference.name)")
    #expect(EntityReference(reference.id, defaultHost: "other.example") == reference)
  }

  @Test(arguments: [
    "", " ", "apple", "github.com", "/home/me/app", "/a/b/c", "./a/b", "../a/b", ".", "~/src/app",
    "~me/src/app", ".a/b",
    "apple/", "apple//", "a//b", "a/b\nc", "apple/..", "apple/.", "https://github.com",
    "https://example.org/apple", "@", "@a/b", "@.a",
    "file:///srv/a/b", "C:\\repos\\app", "me@host/x", "https://gitlab.com/-/profile",
    "gist.github.com/0123abcd", "https://gist.github.com/me/0123abcd", "git@gist.github.com:0123abcd.git",
  ])
  func refused(text: String) {
    #expect(EntityReference(text, defaultHost: "github.com") == nil)
  }

  /// What is in a repository, and what is not one: the reference, its id, its kind, what a person calls it,
  /// and its page. Pages of issues and of what other forges call pull requests, with their own addresses.
  @Test(
    arguments: [
      (
        "https://bitbucket.org/Team/App/pull-requests/7/title", "bitbucket.org/team/app!7",
        "/pull-requests/7"
      ),
      ("https://bitbucket.org/team/app/issues/7/title", "bitbucket.org/team/app#7", "/issues/7"),
      ("https://gitlab.com/g/s/p/merge_requests/7", "gitlab.com/g/s/p!7", "/-/merge_requests/7"),
      ("https://gitlab.com/g/s/p/-/merge_requests/7/diffs", "gitlab.com/g/s/p!7", "/-/merge_requests/7"),
      (
        "https://git.example.org/projects/ACME/repos/app/pull-requests/7/overview",
        "git.example.org/acme/app!7",
        "/-/merge_requests/7"
      ),
      ("https://pagure.io/g/p/issue/7", "pagure.io/g/p#7", "/issues/7"),
      ("https://pagure.io/g/p/pull-request/7#comment-1", "pagure.io/g/p!7", "/-/merge_requests/7"),
      ("https://git.example.org/g/gr%C3%B6%C3%9Fe/-/issues/7", "git.example.org/g/größe#7", "/issues/7"),
    ])
  func issuesOfOtherForges(_ text: String, _ id: String, _ page: String) throws {
    let reference = try #require(EntityReference(text, defaultHost: "github.com"))
    #expect(reference.id == id && reference.kind == .issue && reference.webAddress.hasSuffix(page))
    #expect(EntityReference(id, defaultHost: "github.com") == reference)
    // The same where the forge is the only one.
    #expect(EntityReference(text, defaultHost: reference.host) == reference)
  }

  @Test(
    arguments: [
      (
        "apple/swift-nio#7", "github.com/apple/swift-nio#7", .issue, "apple/swift-nio#7",
        "apple/swift-nio/issues/7"
      ),
      (
        "https://github.com/Apple/Swift-NIO/pull/7#issuecomment-1", "github.com/apple/swift-nio#7", .issue,
        "apple/swift-nio#7", "apple/swift-nio/issues/7"
      ),
      (
        "https://github.com/apple/swift-nio/issues/12/", "github.com/apple/swift-nio#12", .issue,
        "apple/swift-nio#12", "apple/swift-nio/issues/12"
      ),
      (
        "github.com/apple/swift-nio/pull/7/files", "github.com/apple/swift-nio#7", .issue,
        "apple/swift-nio#7",
        "apple/swift-nio/issues/7"
      ),
      (
        "git@github.com:apple/swift-nio.git#7", "github.com/apple/swift-nio#7", .issue, "apple/swift-nio#7",
        "apple/swift-nio/issues/7"
      ),
      (
        "apple/swift-nio@0123ABCDEF0123", "github.com/apple/swift-nio@0123abcdef0123", .commit,
        "apple/swift-nio@0123abcdef", "apple/swift-nio/commit/0123abcdef0123"
      ),
      (
        "https://github.com/apple/swift-nio/commit/0123abc?diff=split", "github.com/apple/swift-nio@0123abc",
        .commit, "apple/swift-nio@0123abc", "apple/swift-nio/commit/0123abc"
      ),
      (
        "https://github.com/Apple/Swift-NIO/blob/main/Sources/My%20File.swift?plain=1#L3",
        "github.com/apple/swift-nio/blob/main/Sources/My File.swift", .code,
        "apple/swift-nio:Sources/My File.swift", "apple/swift-nio/blob/main/Sources/My%20File.swift"
      ),
      (
        "github.com/apple/swift-nio/blob/main/README.md#L10-L12",
        "github.com/apple/swift-nio/blob/main/README.md", .code, "apple/swift-nio:README.md",
        "apple/swift-nio/blob/main/README.md"
      ),
      (
        "github.com/apple/swift-nio/blob/main/C#/a?b.cs", "github.com/apple/swift-nio/blob/main/C#/a?b.cs",
        .code,
        "apple/swift-nio:C#/a?b.cs", "apple/swift-nio/blob/main/C%23/a%3Fb.cs"
      ),
      ("@Apple", "github.com/@apple", .user, "apple", "apple"),
      ("https://github.com/Apple", "github.com/@apple", .user, "apple", "apple"),
      ("https://github.com/apple?tab=repositories", "github.com/@apple", .user, "apple", "apple"),
      ("github.com/apple", "github.com/@apple", .user, "apple", "apple"),
      ("https://github.com/orgs/apple/repositories", "github.com/@apple", .user, "apple", "apple"),
      ("github.com/@apple", "github.com/@apple", .user, "apple", "apple"),
      ("orgs/apple", "github.com/@apple", .user, "apple", "apple"),
      ("topics/swift", "github.com/topics/swift", .topic, "swift", "topics/swift"),
      ("https://github.com/topics/Swift", "github.com/topics/swift", .topic, "swift", "topics/swift"),
    ] as [(String, String, ResultKind, String, String)])
  func entities(text: String, id: String, kind: ResultKind, title: String, page: String) throws {
    let reference = try #require(EntityReference(text, defaultHost: "github.com"))
    #expect(reference.id == id && reference.kind == kind && reference.title == title)
    #expect(reference.webAddress == "https://github.com/" + page)
    #expect(reference.repositoryID == (kind == .user || kind == .topic ? nil : "github.com/apple/swift-nio"))
    #expect(EntityReference(reference.id, defaultHost: "other.example") == reference)
    #expect(EntityReference(reference.webAddress, defaultHost: "github.com") == reference)
  }

  /// What only looks like one of these is the repository that it leads to, or nothing.
  @Test(
    arguments: [
      ("https://github.com/a/b/issues/new", "github.com/a/b"),
      ("https://github.com/a/b/issues/0", "github.com/a/b"),
      ("https://github.com/a/b/issues/007", "github.com/a/b"),
      ("https://github.com/a/b/pulls", "github.com/a/b"),
      ("https://github.com/a/b/commit/main", "github.com/a/b"),
      ("https://github.com/a/b/blob/main", "github.com/a/b"),
      ("https://github.com/a/b/issues/99999999999999999999", "github.com/a/b"),
      ("a/b#readme", "github.com/a/b"),
      ("https://github.com/a/b/blob/main/../secret", nil), ("a/b@main", nil), ("a/b@012", nil),
      ("https://gitlab.com/g/p/-/issues/0", "gitlab.com/g/p"),
      ("https://codeberg.org/a/b/src/main/docs/x", "codeberg.org/a/b"),
      ("https://github.com/a/b/merge_requests/3", "github.com/a/b"),
      ("https://github.com/a/b/pull-requests/3", "github.com/a/b"),
      ("https://gitlab.com/topics/swift", "gitlab.com/topics/swift"),
    ] as [(String, String?)])
  func notQuite(text: String, id: String?) {
    let reference = EntityReference(text, defaultHost: "github.com")
    #expect(reference?.id == id)
    #expect(reference == nil || reference?.kind == .repo)
  }

  /// Another host has the same things, with its own letter case.
  @Test func onAnotherHost() throws {
    let host = "git.example.com:8443"
    let issue = try #require(EntityReference("https://\(host)/Team/App/pulls/3", defaultHost: "github.com"))
    #expect(issue.id == "\(host)/Team/App#3" && issue.host == host && issue.owner == "Team")
    let account = try #require(EntityReference("@Team", defaultHost: host))
    #expect(account.id == "\(host)/@Team" && account.webAddress == "https://\(host)/Team")
    #expect(EntityReference("https://\(host)/Team", defaultHost: host) == account)
    #expect(EntityReference(account.id, defaultHost: "github.com") == account)
    #expect(EntityReference("https://\(host)/Team", defaultHost: "github.com") == nil)
  }

  /// Any text is read without a crash, and what it names has an id that names the same.
  @Test func anyText() {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = [
      "a", "B-1", "/", "//", ".", "..", "@", "#", "12", "0", "0123abc", ":", "https://", "http://",
      "github.com",
      "git.example.com", "issues", "pull", "commit", "blob", "topics", "orgs", "-", "?", "%2F", "%20", " ",
      "é", "e\u{301}", "\u{301}", "日本語", "#L3",
      ".git", "~", "file://", "git@", "\u{7F}",
    ]
    var named = 0
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.pick(pieces) }.joined()
      for joint in ["", "/"] {
        let joined = text + joint
        guard let reference = EntityReference(joined, defaultHost: "github.com") else { continue }
        #expect(EntityReference(reference.id, defaultHost: "github.com")?.id == reference.id, "\(joined)")
        named += 1
      }
    }
    #expect(named > 0)
  }

  /// A slash separates, whatever follows it.
  @Test func slashBeforeACombiningMark() throws {
    let reference = try #require(EntityReference("gitlab.com/a/\u{301}b", defaultHost: "github.com"))
    #expect(reference.host == "gitlab.com" && reference.id.utf8.starts(with: "gitlab.com/a/".utf8))
  }

  /// On hosts that are known to have no subgroups a longer path leads into a repository.
  @Test func furtherTwoLevelHosts() throws {
    let address = "https://git.example.com/Team/App/issues"
    let hosts: Set<String> = ["git.example.com"]
    let reference = EntityReference(address, defaultHost: "github.com", twoLevelHosts: hosts)
    #expect(reference?.id == "git.example.com/Team/App")
    #expect(EntityReference(address, defaultHost: "github.com")?.id == "git.example.com/Team/App/issues")
  }

  @Test func theDefaultHostCounts() throws {
    let reference = try #require(EntityReference("Team/App", defaultHost: "localhost:8080"))
    #expect(reference.id == "localhost:8080/Team/App")
    #expect((reference.host, reference.owner, reference.name) == ("localhost:8080", "Team", "App"))
    let groups = try #require(EntityReference("gitlab.com/a/b/c", defaultHost: "github.com"))
    #expect((groups.owner, groups.name) == ("a/b", "c"))
  }
}
