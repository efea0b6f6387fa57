import ForageCore
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
    ("https://github.com/apple/swift-nio/pull/7#issuecomment-1", "github.com/apple/swift-nio"),
    ("https://github.com/apple/swift-nio/blob/main/README.md?plain=1", "github.com/apple/swift-nio"),
    ("github.com/apple/swift-nio/issues", "github.com/apple/swift-nio"),
    ("https://codeberg.org/forgejo/forgejo/src/branch/x", "codeberg.org/forgejo/forgejo"),
    ("https://bitbucket.org/team/app/src/master/", "bitbucket.org/team/app"),
    ("https://acme.ghe.com/Team/App/actions", "acme.ghe.com/team/app"),
    ("https://gitlab.com/group/sub/project/-/issues/3", "gitlab.com/group/sub/project"),
    ("https://gitlab.com/group/project/-/tree/main/a/-/b", "gitlab.com/group/project"),
    ("https://git.example.com/g/p/-/merge_requests/1", "git.example.com/g/p"),
    ("git@github.com:apple/swift-nio.git", "github.com/apple/swift-nio"),
    ("ssh://git@git.example.com:2222/a/b.git", "git.example.com:2222/a/b"),
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
    "https://github.com/apple",
    "file:///srv/a/b", "C:\\repos\\app", "me@host/x", "https://gitlab.com/-/profile",
  ])
  func refused(text: String) {
    #expect(EntityReference(text, defaultHost: "github.com") == nil)
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
