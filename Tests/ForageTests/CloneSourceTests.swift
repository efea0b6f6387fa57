import Forage
import ForageCore
import ForageLocal
import Testing

@testable import ForageClones

/// What is cloned, from which URL and to which folder; what git's messages say of a failure.
struct CloneSourceTests {
  private func source(_ text: String, _ transferProtocol: Settings.Clones.TransferProtocol = .https) throws
    -> CloneSource
  {
    let entity = try #require(EntityReference(text, defaultHost: "github.com")?.repository)
    return try CloneSource(reference: text, naming: entity, transferProtocol)
  }

  /// The address of a result decides nothing: without TLS, or below a path, is cloned only what the settings
  /// say.
  @Test func urlOfAResult() throws {
    let result = SearchResult(id: "git.example/o/n", kind: .repo, title: "o/n", url: "http://git.example/o/n")
    let entity = try #require(EntityReference(result.id, defaultHost: ""))
    let page = "http://git.example/git/o/n"
    for (page, expected) in [(nil, "https://git.example/o/n"), (page, page)] {
      let known = CloneSource.Addresses(page: page)
      #expect(try CloneSource(result, naming: entity, known: known, .https).url == expected)
      #expect(try CloneSource(result, naming: entity, known: known, .ssh).url == "git@git.example:o/n")
    }
  }

  /// What a forge says of the addresses for git: those for SSH with a port, and those for HTTPS on its own
  /// host, with TLS only.
  @Test(arguments: [
    ("ssh://git@git.example:2222/o/n.git", "https://git.example/git/o/n.git", true, true),
    ("git@git.example:o/n.git", "https://git.example/o/n.git", true, true),
    // One result says nothing of another host, but the forge may.
    ("git@elsewhere.example:o/n.git", "https://git.example/o/n.git", false, true),
    ("ext::sh -c touch% /tmp/x", "http://git.example/o/n.git", false, false),
    ("--upload-pack=x", "https://elsewhere.example/o/n.git", false, false),
    ("/srv/n.git", "file:///srv/n.git", false, false),
  ])
  func addressesOfAForge(_ ssh: String, _ https: String, _ isSSH: Bool, _ isHTTPS: Bool) throws {
    var result = SearchResult(id: "git.example:8443/o/n", kind: .repo, title: "o/n")
    result.set(.sshURL, ssh)
    result.set(.cloneURL, https)
    let entity = try #require(EntityReference(result.id, defaultHost: ""))
    let usual = "https://git.example:8443/o/n"
    #expect(try CloneSource(result, naming: entity, .https).url == (isHTTPS ? https : usual))
    #expect(
      try CloneSource(result, naming: entity, .ssh).url == (isSSH ? ssh : isHTTPS ? https : usual))
    var known = CloneSource.Addresses()
    known.add(result, of: entity, isOfForge: true)
    #expect((known.ssh == ssh) == (isSSH || isHTTPS))
  }

  /// A reference, the folder below the root, the URL with the protocol https and that with ssh.
  @Test(
    arguments: [
      (
        "Owner/Näme", "github.com/Owner/Näme", "https://github.com/Owner/Näme", "git@github.com:Owner/Näme"
      ),
      (
        "github.com/Apple/Swift-NIO", "github.com/Apple/Swift-NIO", "https://github.com/Apple/Swift-NIO",
        "git@github.com:Apple/Swift-NIO"
      ),
      (
        "https://GitHub.com/Apple/Swift-NIO.git", "github.com/Apple/Swift-NIO",
        "https://GitHub.com/Apple/Swift-NIO.git", "git@github.com:Apple/Swift-NIO"
      ),
      (
        "https://github.com/Apple/Swift-NIO/issues/3", "github.com/Apple/Swift-NIO",
        "https://github.com/Apple/Swift-NIO", "git@github.com:Apple/Swift-NIO"
      ),
      ("A/B#12", "github.com/A/B", "https://github.com/A/B", "git@github.com:A/B"),
      (
        "git@github.com:A/B.git", "github.com/A/B", "git@github.com:A/B.git", "git@github.com:A/B.git"
      ),
      (
        "ssh://git@gitlab.com/a/b/c.git", "gitlab.com/a/b/c", "ssh://git@gitlab.com/a/b/c.git",
        "ssh://git@gitlab.com/a/b/c.git"
      ),
      (
        "https://user:t0psecret@example.org/a/b", "example.org/a/b", "https://example.org/a/b",
        "git@example.org:a/b"
      ),
      (
        "http://127.0.0.1:8080/a/b", "127.0.0.1:8080/a/b", "http://127.0.0.1:8080/a/b",
        "http://127.0.0.1:8080/a/b"
      ),
      (
        "ssh://git@git.example.org:2222/a/b", "git.example.org/a/b", "ssh://git@git.example.org:2222/a/b",
        "ssh://git@git.example.org:2222/a/b"
      ),
      (
        "[git@git.example.org:2222]:a/b", "git.example.org/a/b", "[git@git.example.org:2222]:a/b",
        "[git@git.example.org:2222]:a/b"
      ),
      ("git.sr.ht/~me/x", "git.sr.ht/~me/x", "https://git.sr.ht/~me/x", "git@git.sr.ht:~me/x"),
    ] as [(String, String, String, String)])
  func places(_ text: String, _ folder: String, _ https: String, _ ssh: String) throws {
    #expect(try source(text).components.joined(separator: "/") == folder)
    #expect(try source(text).url == https)
    #expect(try source(text, .ssh).url == ssh)
  }

  /// An address for ssh may have another host than the forge, and git needs it as it is.
  @Test func anAddressForSSH() throws {
    let hosts = RemoteHosts(forges: { ["git.example.org:8443"] })
    let entity = try #require(EntityReference("git.example.org:8443/A/B", defaultHost: ""))
    for text in ["git@git.example.org:A/B.git", "ssh://git@git.example.org:22/A/B"] {
      let source = try CloneSource(reference: text, naming: entity, .https, hosts: hosts)
      #expect(source.id == "git.example.org:8443/A/B" && source.title == "A/B" && source.url == text)
    }
  }

  @Test(arguments: ["github.com/-o/name", "github.com/o/-name", "github.com/o/.git", "-host/o/n", "a{b/o/n"])
  func refused(_ id: String) throws {
    var entity = try #require(EntityReference("github.com/o/n", defaultHost: ""))
    let parts = id.split(separator: "/").map(String.init)
    try #require(parts.count == 3)
    (entity.id, entity.host, entity.owner, entity.name) = (id, parts[0], parts[1], parts[2])
    #expect(throws: ForageError.self) { try CloneSource(entity, .https) }
  }

  @Test(arguments: ["..", ".", "a\u{1}b", "a\\b", "", ".GIT", "-x"])
  func refusedNames(_ name: String) throws {
    let entity = try #require(EntityReference("github.com/o/n", defaultHost: ""))
    #expect(try CloneSource(entity, spelling: ("O", "N"), .https).title == "O/N")
    #expect(throws: ForageError.self) { try CloneSource(entity, spelling: ("o", name), .https) }
    #expect(throws: ForageError.self) { try CloneSource(entity, spelling: (name + "/sub", "n"), .https) }
  }

  /// Git's messages, what is said of them, and what the hint is about.
  @Test(
    arguments: [
      (
        "Cloning into 'x'...\nremote: Repository not found.\nfatal: repository 'https://github.com/o/n/' not found\n",
        "repository 'https://github.com/o/n/' not found", "check the name"
      ),
      (
        "Cloning into 'x'...\nfatal: could not read Username for 'https://github.com': terminal prompts disabled\n",
        "could not read Username for 'https://github.com': terminal prompts disabled", "log in"
      ),
      (
        "Cloning into 'x'...\ngit@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease make sure\n",
        "git@github.com: Permission denied (publickey).", "log in"
      ),
      (
        "fatal: unable to access 'https://me:t0psecret@github.com/o/n/': Could not resolve host: github.com\n",
        "unable to access 'https://github.com/o/n/': Could not resolve host: github.com", "network"
      ),
      (
        "Receiving objects:  40% (2/5)\rReceiving objects: 100%\nerror: RPC failed; curl 18\nfatal: early EOF\n",
        "RPC failed; curl 18", "git clone https://github.com/o/n"
      ),
      ("fatal: write error: No space left on device\n", "No space left on device", "space"),
      ("Cloning into 'x'...\n", "without a reason", "git clone"), ("", "without a reason", "git clone"),
    ] as [(String, String, String)])
  func failures(_ messages: String, _ reason: String, _ hint: String) throws {
    let error = GitFailure(text: messages).error(try source("o/n"))
    #expect(error.message.hasPrefix("o/n ") && error.message.contains(reason), "\(error.message)")
    #expect(error.hint.contains(hint), "\(error.hint)")
    #expect(!error.message.contains("t0psecret") && error.code == .failed)
  }
}
