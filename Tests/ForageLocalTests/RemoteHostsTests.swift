import ForageCore
import ForageGit
import ForageInspector
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageLocal

/// Which host an address of a remote means.
struct RemoteHostsTests {
  private static let forges = [
    "github.com", "ghe", "web.example:8443", "web.example:8443", "named.example", "two.example:1",
    "two.example:2",
  ]

  private func identity(_ address: String, _ configuration: String = "") throws -> CloneIdentity? {
    let directory = try TemporaryDirectory(prefix: "forage-ssh")
    try directory.write("home/.ssh/config", configuration)
    let ssh = SSHConfiguration(home: directory.path("home"), system: directory.path("none"))
    return CloneIdentity(address, RemoteHosts(forges: { Self.forges }, ssh: { ssh }))
  }

  /// A host for SSH that a forge has named is the forge's, but not the name of another forge.
  @Test func hostsThatForgesName() throws {
    let hosts = RemoteHosts(
      forges: { Self.forges },
      known: {
        ["ssh.tea.example": "web.example:8443", "named.example": "ghe", "ssh.gone.example": "gone.example"]
      })
    #expect(CloneIdentity("git@ssh.tea.example:o/r.git", hosts)?.id == "web.example:8443/o/r")
    #expect(CloneIdentity("git@named.example:o/r", hosts)?.id == "named.example/o/r")
    #expect(CloneIdentity("git@ssh.gone.example:o/r", hosts)?.id == "ssh.gone.example/o/r")
  }

  private func page(_ address: String, _ configuration: String = "") throws -> String? {
    try identity(address, configuration)?.result(path: "/c", RemoteHosts()).url
  }

  @Test(arguments: [
    ("git@github-work:O/R.git", "github.com/o/r", "https://github.com/O/R"),
    ("ssh://git@github-work/O/R.git", "github.com/o/r", "https://github.com/O/R"),
    ("ssh://git@GitHub-Work:443/O/R", "github.com/o/r", "https://github.com/O/R"),
    ("me.github.com:O/R.git", "github.com/o/r", "https://github.com/O/R"),
    ("azure:v3/Org/P/R", "dev.azure.com/org/p/_git/r", "https://dev.azure.com/Org/P/_git/R"),
    ("gist:0123ABCD.git", "gist.github.com/0123abcd", "https://gist.github.com/0123abcd"),
    ("git@corp:O/R", "git.corp.example/O/R", "https://git.corp.example/O/R"),
    // Names of forges win, whether they are known or those of the settings.
    ("git@gitlab.com:o/r", "gitlab.com/o/r", "https://gitlab.com/o/r"),
    ("git@named.example:o/r", "named.example/o/r", "https://named.example/o/r"),
    ("git@ghe:o/r", "ghe/o/r", "https://ghe/o/r"),
    // A name of a server is better than its number.
    ("git@git.example.org:o/r", "git.example.org/o/r", "https://git.example.org/o/r"),
    ("git@number:o/r", "10.0.0.7/o/r", "https://10.0.0.7/o/r"),
    // A forge at a port.
    ("git@web.example:o/r", "web.example:8443/o/r", "https://web.example:8443/o/r"),
    ("ssh://git@web:22/o/r", "web.example:8443/o/r", "https://web.example:8443/o/r"),
    ("git@two.example:o/r", "two.example/o/r", "https://two.example/o/r"),
    // Only ssh knows the names.
    ("https://corp/o/r", "corp/o/r", "https://corp/o/r"),
    ("git://git.example.org/o/r", "git.example.org/o/r", "https://git.example.org/o/r"),
  ])
  func meant(address: String, id: String, page: String) throws {
    let configuration = """
      Host github-work *.github.com
        HostName ssh.github.com
      Host azure
        HostName ssh.dev.azure.com
      Host gist
        HostName gist.github.com
      Host corp
        HostName git.%h.example
      Host gitlab.com named.example ghe
        HostName elsewhere.example
      Host git.example.org number
        HostName 10.0.0.7
      Host web
        HostName web.example
      """
    #expect(try identity(address, configuration)?.id == id)
    #expect(try self.page(address, configuration) == page)
  }

  /// What has no page still has a name, unless it is a path or for a program of git's own.
  @Test(
    arguments: [
      ("git@host:o/r.git", "host/o/r"), ("ssh://git@host/o/r", "host/o/r"), ("gh:o/r", "gh/o/r"),
      ("git://host/o/r", "host/o/r"),
      ("git@host.example:~user/x", "host.example/~user/x"), ("git@host:~user/x", "host/~user/x"),
      ("ssh://host.example/~user/x", "host.example/~user/x"),
      ("host.example:/o/r.git", "host.example/o/r"), ("me@10.0.0.5:/srv/git/r", "10.0.0.5/srv/git/r"),
      ("ssh://nas.example/volume1/git/r", "nas.example/volume1/git/r"),
      ("/srv/git/o/r", nil), ("git.example.org/o/r", nil), ("../o/r", nil), ("file:///srv/o/r", nil),
      ("C:/repos/o/r", nil), ("weird://github.com/o/r", nil), ("ext::ssh git@github.com %S /o/r", nil),
      ("gcrypt::git@github.com:o/r.git", nil), ("codecommit::us-east-1://repo", nil), ("lp:project", nil),
    ] as [(String, String?)])
  func withoutPage(address: String, id: String?) throws {
    let identity = try identity(address)
    #expect(identity?.id == id && identity?.host == nil)
    #expect(try page(address) == nil)
  }

  @Test(arguments: [
    ("git@git.sr.ht:~me/x", "https://git.sr.ht/~me/x"), ("git@github.com:/o/r.git", "https://github.com/o/r"),
    ("git@ghe:/o/r.git", "https://ghe/o/r"), ("http://localhost:3000/o/r", "http://localhost:3000/o/r"),
    ("git@[::1]:o/r", "https://[::1]/o/r"), ("git@host.example:o/srv/r", "https://host.example/o/srv/r"),
  ])
  func withPage(address: String, page: String) throws {
    #expect(try self.page(address) == page)
  }

  /// A short form that git's configuration explains.
  @Test func insteadOf() throws {
    func id(_ url: String, _ effective: String) -> String? {
      let remote = Remote(name: "origin", url: url, effectiveURL: effective)
      return CloneIdentity.of([remote], at: "/c", inspector: Inspector(), hosts: RemoteHosts())?.id
    }
    #expect(id("gh:o/r", "git@github.com:o/r") == "github.com/o/r")
    #expect(id("gist:0123", "git@gist.github.com:0123") == "gist.github.com/0123")
    // A mirror is another place of the same repository.
    #expect(id("https://github.com/o/r", "https://mirror.example/github/o/r") == "github.com/o/r")
    #expect(id("gh:o/r", "/srv/mirror/o/r") == "gh/o/r")
  }

  /// A short form is no host of ssh's, although a pattern of its configuration has every name.
  @Test func insteadOfBeforeSSH() throws {
    let directory = try TemporaryDirectory(prefix: "forage-ssh")
    try directory.write("home/.ssh/config", "Host *\n  HostName %h.corp.example\n")
    let ssh = SSHConfiguration(home: directory.path("home"), system: directory.path("none"))
    func id(_ effective: String) -> String? {
      let remote = Remote(name: "origin", url: "gh:o/r", effectiveURL: effective)
      let hosts = RemoteHosts(ssh: { ssh })
      return CloneIdentity.of([remote], at: "/c", inspector: Inspector(), hosts: hosts)?.id
    }
    #expect(id("git@github.com:o/r") == "github.com/o/r")
    #expect(id("gh:o/r") == "gh.corp.example/o/r")
  }

  /// The configuration is asked for hosts of no known forge in addresses for ssh only.
  @Test func asksWhereItMust() {
    let count = Mutex(0)
    let hosts = RemoteHosts(
      forges: { Self.forges },
      ssh: {
        count.withLock { $0 += 1 }
        return SSHConfiguration()
      })
    for address in [
      "https://host.example/o/r", "git@github.com:o/r", "git@ghe:o/r", "git@web.example:o/r", "/srv/o/r",
      "git@ssh.dev.azure.com:v3/o/p/r", "ssh://git@ssh.github.com:443/o/r", "git@gist.github.com:0123",
      "owner/name",
    ] {
      _ = CloneIdentity(address, hosts)
      _ = hosts.resolved(address)
    }
    #expect(count.withLock { $0 } == 0)
    #expect(hosts.resolved("git@host:o/r") == "git@host:o/r" && count.withLock { $0 } == 1)
  }
}

/// The names of ssh's configuration.
struct SSHConfigurationTests {
  private func hostName(_ host: String, _ files: [String: String]) throws -> String? {
    let directory = try TemporaryDirectory(prefix: "forage-ssh")
    for (path, text) in files { try directory.write(path, text) }
    return SSHConfiguration(home: directory.path("home"), system: directory.path("etc")).hostName(of: host)
  }

  @Test(
    arguments: [
      ("Host a\n HostName b.example", "b.example"), ("host=a\nhostname = b.example", "b.example"),
      ("HOST a\r\n\tHOSTNAME\tb.example\r\n", "b.example"),
      ("Host \"a\"\nHostName \"b.example\"", "b.example"),
      ("Host x a y # mine\nHostName b.example # there", "b.example"), ("# Host a\n# HostName no\n", nil),
      ("Host ?\nHostName b.example", "b.example"), ("Host *\nHostName %h.example", "a.example"),
      ("Host a\nHostName 100%%h.example", "100%h.example"), ("Host A\nHostName b.example", "b.example"),
      ("Host * !a\nHostName b.example", nil), ("Host !a *\nHostName b.example", nil),
      ("Host !b *\nHostName c.example", "c.example"), ("Host b\nHostName c.example", nil),
      ("Host aa\nHostName c.example", nil), ("HostName b.example\nHost a\nHostName c.example", "b.example"),
      ("Host a\nUser me\nHost *\nHostName b.example\nHost a\nHostName c.example", "b.example"),
      ("Host a\nHostName b.example\nHostName c.example", "b.example"),
      ("Match host a\nHostName no.example\nHost a\nHostName b.example", "b.example"),
      ("Match all\nHostName no.example", nil), ("Host a\nHostName", nil), ("Host\nHostName b.example", nil),
      ("\u{FEFF}\0\u{1}\nHost a\nHostName b.example", "b.example"),
      ("Host a\nHostName \"b.example", "b.example"),
    ] as [(String, String?)])
  func lines(text: String, expected: String?) throws {
    #expect(try hostName("a", ["home/.ssh/config": text]) == expected)
  }

  @Test(
    arguments: [
      ("Include other", "b.example"), ("Include ~/.ssh/other", "b.example"),
      ("Include none other", "b.example"),
      ("Include conf.d/*.conf", "one.example"), ("Include conf.d/?.conf", nil),
      ("Include conf.d/*", "shown.example"),
      ("Host a\nInclude other", "b.example"), ("Host x\nInclude other", nil),
      ("Match all\nInclude other", nil), ("Host a\nInclude other\nHostName c.example", "b.example"),
      ("Host a\nInclude none\nHostName c.example", "c.example"),
      // The line after an included file belongs to the block before it.
      ("Host x\nInclude other\nHostName c.example", nil), ("Include config", nil),
    ] as [(String, String?)])
  func included(text: String, expected: String?) throws {
    let found = try hostName(
      "a",
      [
        "home/.ssh/config": text, "home/.ssh/other": "Host a\nHostName b.example\n",
        "home/.ssh/conf.d/10.conf": "Host a\nHostName one.example\n",
        "home/.ssh/conf.d/.0": "Host a\nHostName hidden.example\n",
        "home/.ssh/conf.d/0": "Host a\nHostName shown.example\n",
        "home/.ssh/conf.d/20.conf": "Host a\nHostName two.example\n",
      ])
    #expect(found == expected)
  }

  @Test func theUserComesBeforeTheSystem() throws {
    let system = [
      "etc/ssh_config": "Include d/*\nHost *\nHostName c.example", "etc/d/1": "Host a\nHostName b.example",
    ]
    #expect(try hostName("a", system) == "b.example" && hostName("x", system) == "c.example")
    let both = system.merging(["home/.ssh/config": "Host a\nHostName d.example"]) { first, _ in first }
    #expect(try hostName("a", both) == "d.example" && hostName("x", both) == "c.example")
  }

  /// A file that is no text, is too large, or cannot be read is none, and the others count.
  @Test func filesThatAreNone() throws {
    let directory = try TemporaryDirectory(prefix: "forage-ssh")
    try directory.makeDirectory("home/.ssh/folder")
    try directory.write("home/.ssh/binary", String(repeating: "\0Host a", count: 1000))
    try directory.write(
      "home/.ssh/huge", "Host a\nHostName huge.example\n" + String(repeating: "#\n", count: 600_000))
    #expect(mkfifo(directory.path("home/.ssh/pipe"), 0o600) == 0)
    try directory.write("home/.ssh/good", "Host a\nHostName b.example\n")
    try directory.write("home/.ssh/config", "Include folder binary huge pipe none good\n")
    #expect(
      SSHConfiguration(home: directory.path("home"), system: "/nowhere").hostName(of: "a") == "b.example")
    #expect(SSHConfiguration(home: "/nowhere", system: "/nowhere").hostName(of: "a") == nil)
  }

  /// Files that include each other, and more files than are read, end.
  @Test func filesThatIncludeEachOther() throws {
    let directory = try TemporaryDirectory(prefix: "forage-ssh")
    let lines = String(repeating: "Include config config config\n", count: 100)
    try directory.write("home/.ssh/config", lines + "Host a\nHostName b.example\n")
    #expect(
      SSHConfiguration(home: directory.path("home"), system: "/nowhere").hostName(of: "a") == "b.example")
  }
}
