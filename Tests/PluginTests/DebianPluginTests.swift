import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

/// What the plugin for Debian's packages finds, and in which order.
struct DebianPluginTests {
  private static let sample = [
    DebianIndex.record(
      "git-doc", about: "documentation of git", size: 900, section: "doc", architecture: "all"),
    DebianIndex.record(
      "git", "1:2.39.5-0+deb12u2", about: "fast revision control system", size: 40_000, section: "vcs",
      more: "Homepage: https://git-scm.com/\n"),
    DebianIndex.record("gitk", about: "browser", section: "vcs", architecture: "all", more: "Source: git\n"),
    DebianIndex.record("eclipse-git", about: "plugin", size: nil, section: "contrib/devel"),
    DebianIndex.record(
      "legit", about: "command line", more: "Homepage: https://github.com/frostming/legit\n"),
    DebianIndex.record("tig", about: "Text-mode Interface for GIT", section: "vcs"),
    DebianIndex.record("mercurial", about: "revision control system", section: "vcs"),
  ].joined()

  private static func index() throws -> DebianIndex { try DebianIndex(sample, installed: ["git", "tig"]) }

  @Test func greetsWithTheVersionOfItsManifest() async throws {
    let conversation = try await Self.index().say([])
    let hello = try conversation.result(0, InitializeResult.self)
    let file = PluginConversation.root.appendingPathComponent("Plugins/DebianPackages/plugin.json")
    let manifest = try JSONTree(parsing: Data(contentsOf: file))
    #expect(hello == InitializeResult(version: manifest["version"]?.string ?? ""))
  }

  @Test func theNameItselfComesFirstThenBeginningsPartsAndDescriptions() async throws {
    #expect(
      try await Self.index().names(["Git"]) == ["git", "git-doc", "gitk", "eclipse-git", "legit", "tig"])
  }

  @Test(arguments: [
    (["revision", "CONTROL"], ["git", "mercurial"]), (["control system"], ["git", "mercurial"]),
    (["git", "doc"], ["git-doc"]), (["libc6"], []), (["tig", "interface"], ["tig"]), (["pool"], []),
  ])
  func everyWordMustOccurInNameOrDescription(_ words: [String], _ names: [String]) async throws {
    #expect(try await Self.index().names(words) == names)
  }

  private static let filters = [
    (#"{"field":"section","op":"eq","value":"VCS"}"#, ["git", "gitk", "mercurial", "tig"]),
    (#"{"field":"section","op":"eq","value":"devel"}"#, ["eclipse-git"]),
    (#"{"field":"section","op":"in","value":["devel","DOC"]}"#, ["eclipse-git", "git-doc"]),
    (
      #"{"field":"section","op":"in","value":["vcs","utils"],"negated":true}"#, ["eclipse-git", "git-doc"]
    ),
    (
      #"{"field":"section","op":"eq","value":"vcs","negated":true}"#, ["eclipse-git", "git-doc", "legit"]
    ),
    (#"{"field":"architecture","op":"eq","value":"all"}"#, ["git-doc", "gitk"]),
    (#"{"field":"is","op":"eq","value":"installed"}"#, ["git", "tig"]),
    (#"{"field":"installed","op":"eq","value":true}"#, ["git", "tig"]),
    (
      #"{"field":"installed","op":"eq","value":true,"negated":true}"#,
      ["eclipse-git", "git-doc", "gitk", "legit", "mercurial"]
    ),
    (#"{"field":"version","op":"eq","value":"2.39.5"}"#, ["git"]),
    (#"{"field":"source","op":"eq","value":"git"}"#, ["git", "gitk"]),
    (#"{"field":"name","op":"eq","value":"git-"}"#, ["git-doc"]),
    (#"{"field":"size","op":"ge","value":900}"#, ["git", "git-doc"]),
    (#"{"field":"size","op":"gt","value":900}"#, ["git"]),
    (#"{"field":"size","op":"range","value":[11,900]}"#, ["git-doc"]),
    (
      #"{"field":"size","op":"ge","value":11,"negated":true}"#,
      ["eclipse-git", "gitk", "legit", "mercurial", "tig"]
    ),
    (#"{"field":"maintainer","op":"eq","value":"tests@example","negated":true}"#, []),
    (
      #"{"field":"text","op":"eq","value":"GIT","negated":true}"#, ["mercurial"]
    ),
  ]

  @Test func filtersAreApplied() async throws {
    let lines = try Self.filters.enumerated().map { place, filter in
      try DebianIndex.search(place + 1, filters: [filter.0], sort: "name", order: "asc")
    }
    let conversation = try await Self.index().say(lines)
    for (place, (filter, names)) in Self.filters.enumerated() {
      #expect(try conversation.items(place + 1).map(\.title) == names, "\(filter)")
      let answer = try conversation.result(place + 1, SearchAnswer.self)
      #expect(answer.notes == nil && answer.total == ResultTotal(names.count), "\(filter)")
    }
  }

  @Test(arguments: [
    #"{"field":"stars","op":"eq","value":1}"#, #"{"field":"is","op":"eq","value":"open"}"#,
    #"{"field":"size","op":"near","value":1}"#, #"{"field":"size","op":"ge","value":"much"}"#,
    #"{"field":"section","op":"gt","value":"vcs"}"#,
    #"{"field":"section","op":"in","value":[]}"#,
    #"{"field":"section","op":"in","value":["vcs",1]}"#,
  ])
  func whatCannotBeAppliedIsRefused(_ filter: String) async throws {
    let conversation = try await Self.index().say([DebianIndex.search(1, ["tig"], filters: [filter])])
    #expect(conversation.errorCode(1) == 1005)
  }

  @Test(arguments: [
    ("name", "asc", ["eclipse-git", "git", "git-doc", "gitk", "legit", "mercurial", "tig"]),
    ("name", "desc", ["tig", "mercurial", "legit", "gitk", "git-doc", "git", "eclipse-git"]),
    ("size", "desc", ["git", "git-doc", "gitk", "legit", "mercurial", "tig", "eclipse-git"]),
    ("size", "asc", ["gitk", "legit", "mercurial", "tig", "git-doc", "git", "eclipse-git"]),
  ])
  func sortsByNameAndSize(_ key: String, _ order: String, _ names: [String]) async throws {
    #expect(try await Self.index().names(sort: key, order: order) == names)
  }

  /// Every page by a process of its own, as after a restart.
  @Test(arguments: [(1, "relevance"), (4, "name"), (4, "size"), (200, "relevance")])
  func pagesFollowEachOtherAcrossRestarts(_ limit: Int, _ sort: String) async throws {
    let index = try DebianIndex((0..<9).map { DebianIndex.record("p\($0 * 7 % 9)", size: $0 % 3) }.joined())
    let all = try await index.names(["p"], sort: sort, order: "desc")
    var (names, cursor, pages) = ([String](), String?.none, 0)
    repeat {
      let line = try DebianIndex.search(1, ["p"], sort: sort, order: "desc", limit: limit, cursor: cursor)
      let conversation = try await index.say([line])
      let answer = try conversation.result(1, SearchAnswer.self)
      #expect(answer.total == ResultTotal(9) && answer.notes == nil)
      let items = try conversation.items(1)
      #expect(items.count == min(limit, 9 - names.count))
      names += items.map(\.title)
      cursor = answer.next
      pages += 1
    } while cursor != nil && pages < 20
    #expect(names == all && Set(names).count == 9)
  }

  /// More than a search keeps for later pages, in one process and with a list that is longer than a block.
  @Test func longListsAreReadToTheEnd() async throws {
    let padding = String(repeating: "x", count: 300)
    let index = try DebianIndex(
      (0..<4200).map { DebianIndex.record("pack-\($0)", more: "Padding: \(padding)\n") }.joined())
    var (names, cursor) = ([String](), String?.none)
    for page in 0..<21 {
      let line = try DebianIndex.search(1, ["pack"], cursor: cursor)
      let conversation = try await index.say(
        page % 2 == 0 ? [line] : [DebianIndex.search(2, ["other"]), line])
      names += try conversation.items(1).map(\.title)
      cursor = try conversation.result(1, SearchAnswer.self).next
    }
    #expect(cursor == nil)
    #expect(names == (0..<4200).map { "pack-\($0)" }.sorted())
  }

  @Test func ofTwoVersionsTheNewerIsShown() async throws {
    let pairs = [
      ("1.0-1", "1.0-2"), ("1.0~rc1-1", "1.0-1"), ("9.9-1", "1:0.1-1"), ("1.9-1", "1.10-1"),
      ("1.0-1", "1.0a-1"), ("1.0-1", "1.0-1+b1"), ("1.0-1~bpo12+1", "1.0-1"), ("1.0a-1", "1.0+a-1"),
      ("0.9.9", "0.10"),
    ]
    for isReversed in [false, true] {
      let records = pairs.enumerated().map { place, pair in
        let order = isReversed ? [pair.1, pair.0] : [pair.0, pair.1]
        return order.map { DebianIndex.record("thing\(place)", $0) }.joined()
      }
      let items = try await DebianIndex(records.joined()).say([DebianIndex.search(1, ["thing"])]).items(1)
      #expect(items.map { $0.fields?["version"]?.string } == pairs.map(\.1))
    }
  }

  @Test func anItemTellsEverythingOnce() async throws {
    let items = try await Self.index().say([DebianIndex.search(1, ["legit"])]).items(1)
    let item = try #require(items.first)
    #expect(item.id == "legit" && item.kind == "package" && items.count == 1)
    #expect(item.url == "https://packages.debian.org/bookworm/legit")
    #expect(
      item.fields == [
        "name": .string("legit"), "description": .string("command line"), "version": .string("1.0-1"),
        "homepage": .string("https://github.com/frostming/legit"), "registry": .string("debian"),
        "sizeKB": .integer(10), "section": .string("utils"), "architecture": .string("amd64"),
        "maintainer": .string("Team of Tests <tests@example.org>"), "source": .string("legit"),
        "installed": .bool(false),
      ])
    #expect(item.related == [RelatedItem(url: "https://github.com/frostming/legit", why: "repository")])
  }

  @Test func theRepositoryOfTheSourcesIsRelated() async throws {
    let index = try Self.index()
    try index.folder.write(
      "lists/\(DebianIndex.prefix)_main_source_Sources",
      "Package: mercurial\nVcs-Git: https://salsa.debian.org/m/mercurial.git -b debian/main\n\n"
        + "Package: git\nVcs-Browser: https://salsa.debian.org/debian/git\nVcs-Git: https://elsewhere.example/x/y\n"
    )
    let items = try await index.say([DebianIndex.search(1, ["revision"])]).items(1)
    #expect(
      items.map { $0.related?.map(\.url) } == [
        ["https://salsa.debian.org/debian/git"], ["https://salsa.debian.org/m/mercurial.git"],
      ])
  }

  @Test func anotherArchiveIsNotDebian() async throws {
    let index = try Self.index()
    try index.folder.write("lists/apt.example_stable_InRelease", "Origin: Acme Tools\nCodename: stable\n")
    try index.folder.write(
      "lists/apt.example_stable_Packages",
      DebianIndex.record("acme", more: "Homepage: https://acme.example/tools\n"))
    let item = try #require(try await index.say([DebianIndex.search(1, ["acme"])]).items(1).first)
    #expect(item.url == "https://acme.example/tools" && item.fields?["registry"] == .string("acme"))
  }
}
