import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct RemoteURLTests {
  @Test(arguments: [
    ("https://user:secret@example.com/a/b.git", "https://example.com/a/b.git"),
    ("https://ghp_token@github.com/a/b", "https://github.com/a/b"),
    ("https://a@b:c@host/x", "https://host/x"),
    ("https://user:p#a?ss@host/x", "https://host/x"),
    ("https://user:pa/ss@host/x", "https://host/x"),
    ("https://host/x.git?private_token=secret", "https://host/x.git"),
    ("https://host:8443/@scope/x", "https://host:8443/@scope/x"),
    ("http://[::1]:80/x", "http://[::1]:80/x"),
    ("ssh://git@host:22/a/b.git", "ssh://git@host:22/a/b.git"),
    ("ssh://me:secret@host/a", "ssh://me@host/a"),
    ("git@github.com:a/b.git", "git@github.com:a/b.git"),
    ("me:secret@host:a/b.git", "me@host:a/b.git"),
    ("[me@host:22]:a/b.git", "[me@host:22]:a/b.git"),
    ("gcrypt::git@github.com:a/b.git", "gcrypt::git@github.com:a/b.git"),
    ("gcrypt::me:secret@host:a/b.git", "gcrypt::me@host:a/b.git"),
    ("hg::https://me:secret@host/a", "hg::https://host/a"),
    ("/srv/git/a.git", "/srv/git/a.git"),
    ("../a", "../a"),
  ])
  func shown(url: String, expected: String) {
    #expect(RemoteURL.withoutCredentials(url) == expected)
  }
}

@Suite struct VersionTagTests {
  @Test func order() throws {
    let ascending = [
      "v0.1", "v0.9.9", "v1.0.0-alpha", "v1.0.0-alpha.1", "v1.0.0-beta.2", "v1.0.0-beta.11", "v1.0.0-rc.1",
      "v1.0.0", "1.0.1rc1", "1.0.1", "v1.2", "v1.10.0", "v2.0.0+build",
    ]
    let versions = try ascending.map { try #require(VersionTag($0)) }
    for (left, right) in zip(versions, versions.dropFirst()) { #expect(left < right && !(right < left)) }
  }

  @Test(arguments: [
    "nightly", "20240101", "release", "", "abc1.2", "v", "5.x", "v2.1.x", "1.0-SNAPSHOT", "v1.2.0-dev.3",
    "swift-6.3-DEVELOPMENT-SNAPSHOT-2026-01-05-a", "nightly-1.2.3",
  ])
  func noVersion(name: String) { #expect(VersionTag(name) == nil) }

  @Test func prefixedRanksBelow() throws {
    let plain = try #require(VersionTag("v1.0.0"))
    let prefixed = try #require(VersionTag("docs-9.0"))
    #expect(prefixed < plain)
  }

  @Test func highest() {
    #expect(
      VersionTag.highest([
        "swift-6.2-RELEASE", "swift-6.3-RELEASE", "swift-6.4-DEVELOPMENT-SNAPSHOT-2026-01-05-a", "7.x",
        "swift-2.2-RELEASE", "v1.0",
      ]) == "swift-6.3-RELEASE")
    #expect(VersionTag.highest(["v1.2", "docs-9.0", "v1.3-x86", "1.3"]) == "1.3")
    #expect(VersionTag.highest(["v1.0", "1.0", "größe"]) == "v1.0")
    #expect(VersionTag.highest(["größe", "2.x"]) == nil)
  }

  @Test(arguments: [
    (["release-1.0", "release-1.1", "release-1.2", "release-1.3", "release-1.4", "v2.0", "v2.1"], "v2.1"),
    (["swift-5.8-RELEASE", "swift-5.9-RELEASE", "5.10"], "5.10"),
    (["go1.21.0", "go1.21.1", "go1.22.0", "go1.22rc1"], "go1.22.0"),
    (["n6.0", "n6.1", "n7.0", "v0.5.14"], "n7.0"), (["abc1.2", "v0.1"], "v0.1"),
    (["pkg@1.2.3", "pkg@1.10.0"], "pkg@1.10.0"), (["@a/b2@1.0.0", "@a/b2@1.1.0"], "@a/b2@1.1.0"),
    (["curl-8_4_0", "curl-8_10_0", "curl-7_88_1"], "curl-8_10_0"),
    (["REL_16_1", "REL_9_6", "REL_16_BETA1"], "REL_16_1"),
  ])
  func highestOfConventions(tags: [String], highest: String) {
    #expect(VersionTag.highest(tags) == highest)
    #expect(VersionTag.highest(tags.reversed()) == highest)
  }

  @Test(
    arguments: [
      ("swift-6.3-RELEASE", "6.3"), ("v5.6.0.Final", "5.6.0"), ("release_1.2_GA", "1.2"),
      ("v1.0.0-rc.1", "1.0.0-rc.1"),
      ("1.0", "1.0"), ("v2", "2"), ("go1.22.0", "1.22.0"), ("REL_16_1", "16.1"), ("curl-8_4_0", "8.4.0"),
      ("pkg@1.2.3", "1.2.3"), ("größe", nil), ("final", nil),
    ] as [(String, String?)])
  func versionInAName(tag: String, version: String?) {
    #expect(VersionTag.version(in: tag) == version)
  }
}

@Suite struct ConfigTextTests {
  @Test func likeGit() async throws {
    let text = """
      # comment
      [Core]
      \tBare = false ; trailing
      \tflag
      \tEmpty =
      [Remote "Or\\"i\\\\gin"]
        URL = "a b" c   # x
        url = one\\
      two
      [branch.Side] merge = refs/heads/x
      [a "b.c"] k = "x;y\\n\\tz"
      """ + "\r\n"
    let repository = try await TemporaryRepository.make()
    try repository.write("file", text)
    let listed = try await repository.git(["config", "--file", "file", "--list", "-z"])
    let expected = listed.split(separator: "\0").map { item -> ConfigEntry in
      let parts = item.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return .init(key: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : nil)
    }
    #expect(try GitConfig.text(Array(text.utf8), name: "file").entries == expected)
  }

  @Test(arguments: [("7", 7), ("1k", 1_024), ("2M", 2 << 20), ("0x10k", 16_384), ("-1g", -1 << 30)])
  func numbers(text: String, value: Int) {
    #expect(GitConfig.number(text) == value)
  }

  @Test(arguments: ["", "k", "1kk", "1t", "9223372036854775807k"])
  func noNumber(text: String) { #expect(GitConfig.number(text) == nil) }

  /// Names of branches that differ only in the composition of a character.
  @Test func compositions() {
    let config = GitConfig(entries: [
      .init(key: "branch.\u{E9}.remote", value: "a"), .init(key: "branch.e\u{301}.remote", value: "b"),
    ])
    #expect(config.string("branch.\u{E9}.remote") == "a")
    #expect(config.strings("branch.e\u{301}.remote") == ["b"])
    #expect(config.subsections(of: "branch").count == 2)
  }

  @Test(arguments: [
    "[core\n", "[]\n", "[a]\nx = \\q\n", "[a \"b]\n",
  ])
  func bad(text: String) {
    #expect(code { _ = try GitConfig.text(Array(text.utf8), name: "file") } == .corrupt)
  }
}

@Suite struct ObjectIDTests {
  @Test func hexAndOrder() throws {
    let text = "00112233445566778899aabbccddeeff01234567"
    let id = try #require(ObjectID(hex: text))
    #expect(id.hex == text)
    #expect(ObjectID(hex: text.uppercased()) == id)
    #expect(ObjectID(hex: text.dropLast()) == nil)
    #expect(ObjectID(hex: text.dropLast() + "g") == nil)
    let larger = try #require(ObjectID(hex: "00112233445566778899aabbccddeeff01234568"))
    let largest = try #require(ObjectID(hex: "01" + text.dropFirst(2)))
    #expect(id < larger && larger < largest && !(largest < id))
  }
}
