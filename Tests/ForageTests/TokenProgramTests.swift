import Forage
import Foundation
import TestSupport
import Testing

/// When `gh` and git can know a token, by their own files.
struct TokenProgramTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  // MARK: gh

  @Test(
    arguments: [
      ("github.com:\n    user: me\n    git_protocol: https\n", true),
      ("ghe.example:\n    user: me\ngithub.com:\n    user: me\n", true),
      ("\"github.com\":\r\n    user: me\r\n", true), ("GitHub.com:\n", true),
      ("'github.com': {user: me}\n", true),
      ("{\"github.com\": {\"user\": \"me\"}}", true), ("", false),
      ("ghe.example:\n    user: github.com\n", false),
      ("ghe.example:\n    github.com:\n", false), ("# github.com:\n", false),
      ("github.com.example:\n", false),
      ("github.com:8443:\n", false), ("ghe.github.com:\n", false),
    ] as [(String, Bool)])
  func hosts(_ text: String, _ isNamed: Bool) throws {
    try folder.write("gh/hosts.yml", text)
    #expect(GitHubCLIHosts(environment: ["GH_CONFIG_DIR": folder.path("gh")]).name("github.com") == isNamed)
  }

  @Test func aHostWithAPort() throws {
    try folder.write("gh/hosts.yml", "127.0.0.1:4711:\n    user: me\n")
    let hosts = GitHubCLIHosts(environment: ["GH_CONFIG_DIR": folder.path("gh")])
    #expect(hosts.name("127.0.0.1:4711") && !hosts.name("127.0.0.1") && !hosts.name("127.0.0.1:47"))
  }

  @Test(
    arguments: [
      (["GH_CONFIG_DIR": "/a", "XDG_CONFIG_HOME": "/b", "HOME": "/c"], "/a/hosts.yml"),
      (["GH_CONFIG_DIR": "", "XDG_CONFIG_HOME": "/b", "HOME": "/c"], "/b/gh/hosts.yml"),
      (["HOME": "/c"], "/c/.config/gh/hosts.yml"), ([:], nil),
    ] as [([String: String], String?)])
  func place(_ environment: [String: String], _ path: String?) {
    #expect(GitHubCLIHosts(environment: environment).path == path)
  }

  // MARK: git

  /// Whether a global configuration has a helper for github.com.
  private func isConfigured(_ text: String, for host: String = "github.com") throws -> Bool {
    try folder.write("gitconfig", text)
    let environment = [
      "HOME": folder.path, "GIT_CONFIG_GLOBAL": folder.path("gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
    ]
    return GitCredentialHelpers(environment: environment, git: "/usr/bin/git").helper(for: host) != nil
  }

  @Test(
    arguments: [
      ("[credential]\n\thelper = store\n", true), ("[credential]\r\n  helper=cache --timeout=9\r\n", true),
      ("[Credential] HELPER = !f() { echo; }; f\n", true), ("[credential]\nhelper = \"store\"\n", true),
      (
        "[credential \"https://github.com\"]\n\thelper = \n\thelper = !/usr/bin/gh auth git-credential\n",
        true
      ),
      ("[credential \"https://*.com\"]\nhelper = store\n", true),
      ("[credential.https://github.com]\nhelper = x\n", true),
      ("[credential \"https://elsewhere.example\"]\nhelper = store\n", false),
      ("[credential]\nhelper =\n", false),
      ("[credential]\nhelper = \"\"\n", false), ("[credential]\n# helper = store\n", false),
      ("[credential]\n; helper = store\n", false), ("[credential]\nhelper = ; store\n", false),
      ("[credential]\nusername = me\n[user]\nhelper = store\n", false), ("", false),
      ("helper = store\n", false),
      ("[includeIf \"gitdir:~/own/\"]\npath = helper.inc\n", false),
      ("[includeIf \"hasconfig:remote.*.url:https://x/**\"]\npath = helper.inc\n", true),
      ("[include]\npath = helper.inc\n", true), ("[include]\npath = ~/helper.inc\n", true),
      ("[include]\npath = nowhere.inc\n", false), ("[include]\npath = gitconfig\n", false),
      // A line goes on behind a backslash, in any value and in no comment.
      ("[include]\npath = hel\\\nper.inc\n", true), ("[include]\r\npath = \"hel\\\r\nper.inc\"\r\n", true),
      ("[include]\npath = nowhere.inc ; \\\n[include]\npath = helper.inc\n", true),
      ("[alias]\nx = !f \\\n[credential] helper = store\n", false),
      ("[credential]\n# x \\\nhelper = store\n", true), ("[credential]\nhelper = \\\n\\\nstore\\", true),
      ("[include]\npath = \"\\\"helper.inc\"\n", false),
      ("[include]\npath = ~other/helper.inc\n", true), ("[include]\npath = %(prefix)/etc/helper.inc\n", true),
    ] as [(String, Bool)])
  func helpers(_ text: String, _ isThere: Bool) throws {
    try folder.write("helper.inc", "[credential]\nhelper = store\n")
    #expect(try isConfigured(text) == isThere)
  }

  /// Of its command only the name of a program is told: anything else can be a secret.
  @Test(arguments: [
    ("helper = store", "the credential helper store of "),
    ("helper = /opt/my-bin/git_helper.sh hunter2", "the credential helper /opt/my-bin/git_helper.sh of "),
    ("helper = \"cache --timeout=9\"", "the credential helper cache of "),
    ("helper = !/bin/echo hunter2", "a credential helper of "),
    ("helper = !TOKEN=hunter2 sh -c 'sleep 9'", "a credential helper of "),
    ("helper = \"!f(){ echo password=hunter2;};f\"", "a credential helper of "),
    ("helper = st\\\nore", "the credential helper store of "),
    ("helper = hunter2=x", "a credential helper of "), ("helper = 'hunter2'", "a credential helper of "),
  ])
  func helperInWords(_ line: String, _ words: String) throws {
    let path = folder.path("gitconfig")
    try folder.write("gitconfig", "[credential]\n\t\(line)\n")
    let helpers = GitCredentialHelpers(
      environment: ["GIT_CONFIG_GLOBAL": path, "GIT_CONFIG_NOSYSTEM": "1"], git: "/usr/bin/git")
    let found = try #require(helpers.helper(for: "github.com"))
    #expect(found == words + path)
  }

  /// What the files mean is what git itself makes of them.
  @Test func places() throws {
    func paths(_ environment: [String: String], git: String = "/usr/bin/git") -> [String] {
      GitCredentialHelpers(environment: environment, git: git).paths
    }
    #expect(
      paths(["HOME": "/h", "GIT_CONFIG_NOSYSTEM": "1"]) == ["/h/.config/git/config", "/h/.gitconfig"])
    #expect(
      paths(["HOME": "/h", "XDG_CONFIG_HOME": "/x", "GIT_CONFIG_NOSYSTEM": "true"]) == [
        "/x/git/config", "/h/.gitconfig",
      ])
    #expect(
      paths(["HOME": "/h", "GIT_CONFIG_SYSTEM": "/s", "GIT_CONFIG_GLOBAL": "/g"]) == ["/s", "/g"])
    #expect(paths(["GIT_CONFIG_NOSYSTEM": "0", "GIT_CONFIG_GLOBAL": ""]).first == "/etc/gitconfig")
    let prefixed = paths(["GIT_CONFIG_GLOBAL": "/g"], git: "/opt/git/bin/git")
    #expect(prefixed.contains("/etc/gitconfig") && prefixed.contains("/opt/git/etc/gitconfig"))
  }
}
