import ForageCore
import TestSupport
import Testing

@Suite struct RepositoryIdentityTests {
  @Test(arguments: [
    "github.com/apple/swift-nio", "https://github.com/apple/swift-nio",
    "https://github.com/apple/swift-nio.git",
    "https://github.com/apple/swift-nio/", "https://github.com/apple/swift-nio.git/",
    "https://github.com/apple/swift-nio/.git", "https://github.com/apple//swift-nio//",
    "http://github.com/apple/swift-nio", "http://github.com:80/apple/swift-nio",
    "https://github.com:443/apple/swift-nio", "https://github.com:/apple/swift-nio",
    "HTTPS://GitHub.com/Apple/Swift-NIO", "https://www.github.com/apple/swift-nio",
    "https://WWW.github.com/apple/swift-nio.GIT", "https://user@github.com/apple/swift-nio",
    "https://user:se:cr@et@github.com/apple/swift-nio.git", "https://github.com/apple/swift-nio?tab=readme",
    "https://github.com/apple/swift-nio#readme", "https://github.com/apple/swift-nio.git?a=/b#c?d",
    "https://github.com/%61pple/swift%2Dnio", "https://github.com/apple/swift-nio%2Egit",
    "git://github.com/apple/swift-nio.git", "git://github.com:9418/apple/swift-nio",
    "ssh://git@github.com/apple/swift-nio.git", "ssh://git@github.com:22/apple/swift-nio",
    "git+ssh://git@github.com/apple/swift-nio.git", "git+https://github.com/apple/swift-nio.git",
    "git@github.com:apple/swift-nio.git", "git@github.com:apple/swift-nio", "git@GitHub.com:Apple/Swift-NIO",
    "github.com:apple/swift-nio.git", "git@github.com:/apple/swift-nio",
    "ssh://git@github.com:2222/apple/swift-nio", "git://github.com:1/apple/swift-nio",
    "[git@github.com:22]:apple/swift-nio.git", "git@[github.com:2222]:apple/swift-nio",
    "[github.com]:apple/swift-nio", "[git@ssh.github.com:443]:apple/swift-nio",
    "ssh://git@ssh.github.com:443/apple/swift-nio.git", "git@ssh.github.com:apple/swift-nio",
    "  https://github.com/apple/swift-nio\n",
    "www.github.com/apple/swift-nio",
  ])
  func spellings(address: String) {
    #expect(RepositoryIdentity.canonical(address) == "github.com/apple/swift-nio")
  }

  @Test(arguments: [
    ("https://gitlab.com/Group/Sub/Project.git", "gitlab.com/group/sub/project"),
    ("git@gitlab.com:group/sub/project", "gitlab.com/group/sub/project"),
    ("https://git.example.com/Team/App", "git.example.com/Team/App"),
    ("ssh://git@Git.Example.com:2222/Team/App.git", "git.example.com/Team/App"),
    ("https://git.example.com/projects/ACME/repos/App/browse/src", "git.example.com/acme/App"),
    ("https://git.example.com/users/Kim/repos/app", "git.example.com/~kim/app"),
    ("https://gitlab.com/projects/acme/repos/app", "gitlab.com/projects/acme/repos/app"),
    ("ssh://git@altssh.gitlab.com:443/a/b.git", "gitlab.com/a/b"),
    ("ssh://git@altssh.bitbucket.org:443/a/b.git", "bitbucket.org/a/b"),
    ("https://git.example.com:8443/a/b", "git.example.com:8443/a/b"),
    ("http://git.example.com:443/a/b", "git.example.com:443/a/b"),
    ("https://git.example.com:22/a/b", "git.example.com:22/a/b"),
    ("git.example.com:443/a/b", "git.example.com:443/a/b"),
    ("git@git.example.com:2222/a/b", "git.example.com/2222/a/b"),
    ("https://acme.ghe.com/Team/App", "acme.ghe.com/team/app"),
    ("https://git.sr.ht/~Sir/Repo", "git.sr.ht/~sir/repo"),
    ("https://git.sr.ht/%7Esir/repo", "git.sr.ht/~sir/repo"),
    ("http://[::1]:8080/a/b", "[::1]:8080/a/b"), ("http://[::1]/a/b", "[::1]/a/b"),
    ("git@[::1]:a/b.git", "[::1]/a/b"), ("[git@::1]:a/b.git", "[::1]/a/b"),
    ("ssh://git@[::1]:2222/a/b", "[::1]/a/b"), ("http://localhost:3000/A/b", "localhost:3000/A/b"),
    ("https://git.example.com/a%2fb/c", "git.example.com/a%2Fb/c"),
    ("https://git.example.com/caf%C3%A9/c", "git.example.com/café/c"),
    ("https://git.example.com/a%E9/c", "git.example.com/a%E9/c"),
    ("https://git.example.com/a%C2%85/c", "git.example.com/a%C2%85/c"),
    ("https://git.example.com/a/100%25", "git.example.com/a/100%25"),
    ("https://git.example.com/single.git", "git.example.com/single"),
    ("https://git.example.com/a/b.git.git", "git.example.com/a/b"),
    ("https://git.example.com/a/b.github", "git.example.com/a/b.github"),
    ("git@gist.github.com:0123ABCD.git", "gist.github.com/0123abcd"),
    ("https://gist.github.com/0123abcd.git", "gist.github.com/0123abcd"),
    ("https://gist.github.com/me/0123abcd", "gist.github.com/0123abcd"),
    ("https://gist.github.com/me/0123abcd/revisions", "gist.github.com/0123abcd"),
  ])
  func others(address: String, expected: String) {
    #expect(RepositoryIdentity.canonical(address) == expected)
  }

  /// All clone addresses of a repository on Azure DevOps have one name, which is that of its page.
  @Test(arguments: [
    "git@ssh.dev.azure.com:v3/Org/My%20Project/Repo", "ssh://git@ssh.dev.azure.com/v3/Org/My%20Project/Repo",
    "https://dev.azure.com/Org/My%20Project/_git/Repo",
    "https://Org@dev.azure.com/org/my%20project/_git/repo",
    "https://Org.visualstudio.com/My%20Project/_git/Repo",
    "https://org.visualstudio.com/DefaultCollection/My%20Project/_git/Repo",
    "Org@vs-ssh.visualstudio.com:v3/Org/My%20Project/Repo",
  ])
  func azureDevOps(address: String) {
    #expect(RepositoryIdentity.canonical(address) == "dev.azure.com/org/my%20project/_git/repo")
  }

  @Test(arguments: [
    ("https://dev.azure.com/org/_git/repo", "dev.azure.com/org/repo/_git/repo"),
    ("https://org.visualstudio.com/_git/repo", "dev.azure.com/org/repo/_git/repo"),
    ("git@ssh.dev.azure.com:v3/org/repo", "ssh.dev.azure.com/v3/org/repo"),
    ("https://visualstudio.com/a/b", "visualstudio.com/a/b"),
  ])
  func azureDevOpsWithFewerParts(address: String, expected: String) {
    #expect(RepositoryIdentity.canonical(address) == expected)
  }

  @Test(arguments: [
    ("git@git.example.com:a/b.git", "git.example.com", "/a/b.git"),
    ("ssh://me@Git.Example.com:2222/a/b", "git.example.com", "/a/b"),
    ("[me@git.example.com:2222]:a/b", "git.example.com", "/a/b"), ("host:/srv/a", "host", "//srv/a"),
    ("host:~me/a", "host", "/~me/a"), ("git+ssh://host/a", "host", "/a"),
  ])
  func partsForSSH(address: String, host: String, path: String) throws {
    let parts = try #require(RepositoryIdentity.sshParts(address))
    #expect(parts.host == host && parts.path == path)
  }

  @Test(arguments: [
    "https://github.com/a/b", "git://github.com/a/b", "github.com/a/b", "/srv/a", "a/b", "C:\\a", "",
    "host.example:22/a/b", "ext::ssh host:a/b", "weird://host/a/b",
  ])
  func noAddressForSSH(address: String) {
    #expect(RepositoryIdentity.sshParts(address) == nil)
  }

  @Test(arguments: [
    ("https://git.example.com/a/b", "https://git.example.com:8443/a/b"),
    ("https://git.example.com/a/b", "https://git.example.com/A/b"),
    ("https://gitlab.com/a/b", "https://gitlab.com/a/sub/b"),
    ("https://github.com/a/b", "https://gitlab.com/a/b"),
    ("https://github.com/a/b", "https://github.com/c/b"),
    ("https://git.example.com/a/b", "https://git.example.com/a%2Fb"),
    ("http://localhost:3000/a/b", "http://localhost:3001/a/b"),
  ])
  func stayApart(one: String, other: String) {
    #expect(RepositoryIdentity.canonical(one) != nil)
    #expect(RepositoryIdentity.canonical(one) != RepositoryIdentity.canonical(other))
  }

  @Test(arguments: [
    "", " ", "/", "name", "/home/me/repo", "/home/me/repo.git", "./repo", "../repo", "~/repo", ".",
    "file:///srv/r",
    "file://host/a/b", "ftp://host/a/b", "https://", "https:///a/b", "https://host", "https://host/",
    "https://host/.git", "https://host?x=/a/b", "git@host:", "host:", "https://host/a/../b",
    "https://host/./a",
    "https://host/%2e%2e/a", "https://host/a/..git", "https://ho st/a/b", "https://ho%41st/a/b",
    "C:\\repos\\a",
    "https://user@/a/b", "ext::ssh git@host %S /a/b", "gcrypt::git@github.com:a/b", "foo::host.example/a/b",
  ])
  func namesNoRepository(address: String) {
    #expect(RepositoryIdentity.canonical(address) == nil)
  }

  /// One letter before a colon is a drive of Windows, so this is a local path.
  @Test func aDriveIsNoHost() {
    #expect(RepositoryIdentity.canonical("C:/repos/app") == nil)
    #expect(EntityReference("C:/repos/app", defaultHost: "github.com") == nil)
  }

  @Test func componentsAndSpelling() throws {
    let parts = try #require(RepositoryIdentity.components("gitlab.com/group/sub/project"))
    #expect(parts.host == "gitlab.com" && parts.owner == "group/sub" && parts.name == "project")
    for text in ["", "github.com", "github.com/a", "github.com//a", "github.com/a/", "/a/b"] {
      #expect(RepositoryIdentity.components(text) == nil)
    }
    let spelling = try #require(RepositoryIdentity.spelling("git@github.com:Apple/Swift-NIO.git"))
    #expect(spelling.owner == "Apple" && spelling.name == "Swift-NIO")
    #expect(RepositoryIdentity.spelling("https://github.com/apple") == nil)
    for (id, address, spelled) in [
      ("github.com/apple/swift-nio", "git@github.com:Apple/Swift-NIO.git", "github.com/Apple/Swift-NIO"),
      ("github.com/apple/swift-nio", "https://github.com/Apple/other", "github.com/apple/swift-nio"),
      ("gitlab.com/a/b/c", "https://gitlab.com/A/B/C/-/issues/3", "gitlab.com/A/B/C"),
      ("git.example.com/A/b", "https://git.example.com/a/B", "git.example.com/A/b"), ("/a/b", "", "/a/b"),
    ] { #expect(RepositoryIdentity.spelled(id, as: address) == spelled) }
    #expect(RepositoryIdentity.ignoresCase("github.com") && RepositoryIdentity.ignoresCase("x.ghe.com"))
    #expect(!RepositoryIdentity.ignoresCase("git.example.com"))
  }

  /// Addresses that are not well formed must not drift either, whether they name a repository or not.
  @Test(arguments: [
    "https://host:abc/a/b", "https://h::/a/b", "https://host/a/b .git", "https://host/a/b ?x",
    "https://host/%%341/b",
    "https://host/a/b%20", "https://host/a/b://c/d", "https://host/a/%", "https://host/a/%2", "a/b", "a@b/c",
    "mailto:me@host/x",
  ])
  func idempotentOnOddAddresses(address: String) {
    let once = RepositoryIdentity.canonical(address)
    #expect(once.flatMap(RepositoryIdentity.canonical) == once)
  }
}

@Suite struct RepositoryIdentityPropertyTests {
  /// An address with the canonical name that it must have.
  private static func address(_ random: inout SeededGenerator) -> (text: String, canonical: String) {
    let host = random.pick([
      "github.com", "gitlab.com", "acme.ghe.com", "git.example.com", "code.localhost", "10.0.0.1", "[::1]",
    ])
    var path: [(spelled: String, decoded: String)] = []
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      path.append(
        random.pick([
          ("Apple", "Apple"), ("swift-nio", "swift-nio"), ("a.b", "a.b"), ("x_y", "x_y"),
          ("%7Euser", "~user"),
          ("a%2fb", "a%2Fb"), ("%C3%A9", "é"), ("Ünï", "Ünï"), ("cafe\u{301}", "cafe\u{301}"),
          ("日本語", "日本語"), ("git", "git"), ("%41%62", "Ab"),
          (".x", ".x"),
        ]))
    }
    let (scheme, defaultPort) = random.pick([
      ("https", "443"), ("http", "80"), ("ssh", "22"), ("git", "9418"), ("git+https", "443"),
      ("git+ssh", "22"),
      ("", ""), ("scp", ""),
    ])
    let otherPort = scheme == "scp" ? "" : random.pick(["", "", ":8443", ":2222"])
    let isNamed = !host.hasPrefix("[") && !host.hasPrefix("1")
    var authority = isNamed && random.chance(0.3) ? "www." + host : host
    if random.chance(0.3) { authority = authority.uppercased() }
    if !scheme.isEmpty, random.chance(0.4) {
      authority = random.pick(["git@", "u:p@", "u:p@x@"]) + authority
    }
    if scheme == "scp", authority.contains("u:p@") { authority = "git@" + host }
    var text = authority + otherPort
    if otherPort.isEmpty, !defaultPort.isEmpty, random.chance(0.3) { text += ":" + defaultPort }
    let joined = path.map(\.spelled).joined(separator: random.chance(0.1) ? "//" : "/")
    switch scheme {
    case "": text += "/" + joined
    case "scp": text += ":" + joined
    default: text = (random.chance(0.2) ? scheme.uppercased() : scheme) + "://" + text + "/" + joined
    }
    text += random.pick(["", "", ".git", ".GIT", "/", ".git/", "//", "/.git"])
    text += random.pick(["", "", "?tab=x/y", "#readme", "?a=b#c"])
    let decoded = path.map(\.decoded).joined(separator: "/")
    let port = ["ssh", "git", "git+ssh"].contains(scheme) ? "" : otherPort
    let isFolded = port.isEmpty && RepositoryIdentity.ignoresCase(host)
    // On forges that ignore case the digits of percent-encodings are in lower case too.
    return (text, host + port + "/" + (isFolded ? decoded.lowercased() : decoded))
  }

  @Test func generatedAddressesHaveTheirCanonicalName() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<5_000 {
      let (text, expected) = Self.address(&random)
      let canonical = RepositoryIdentity.canonical(text)
      #expect(canonical == expected, "\(text)")
      #expect(canonical.flatMap(RepositoryIdentity.canonical) == canonical, "\(text)")
    }
  }

  @Test func anyTextIsIdempotent() {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = [
      "a", "B", "host", "git", ".git", "www.", ".", "..", "/", "/", "/", ":", "@", "://", "https://",
      "ssh://", "22",
      "443", "%41", "%2f", "%", "25", "?", "#", "[", "]", "[::1]", "~", "\\", "-", "é", "e\u{301}", "日本語",
      "github.com", " ", "gist.github.com", ".visualstudio.com", "ssh.dev.azure.com", "v3", "_git", "::",
    ]
    var named = 0
    for _ in 0..<5_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...10, using: &random) { text += random.pick(pieces) }
      guard let once = RepositoryIdentity.canonical(text) else { continue }
      named += 1
      #expect(RepositoryIdentity.canonical(once) == once, "\(text.debugDescription)")
    }
    #expect(named > 0)
  }
}
