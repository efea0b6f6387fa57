import TestSupport
import Testing

@testable import ForageCore

/// What belongs together is told on both sides.
@Suite struct RelationsTests {
  private static func item(
    _ id: String, _ claims: [String: RelatedEntity.Reason] = [:], roots: [String] = [], isFork: Bool = false,
    kind: ResultKind = .repo
  ) -> SearchResult {
    var item = repository(id)
    item.kind = kind
    item.related = claims.map { RelatedEntity(id: $0.key, why: $0.value) }
    item.set(.rootCommits, roots)
    if isFork { item.set(.fork, true) }
    return item
  }

  private static func page(_ items: [SearchResult]) -> [MergedItem] {
    items.map { MergedItem(result: $0, sources: [], score: 0) }
  }

  /// What each item of a page is related to once the page is resolved, as `id why`.
  private static func related(_ items: [SearchResult]) -> [[String]] {
    var page = page(items)
    Relations.resolve(&page)
    let once = page.map { $0.result.related.map { "\($0.id) \($0.why.rawValue)" } }
    Relations.resolve(&page)
    #expect(page.map { $0.result.related.map { "\($0.id) \($0.why.rawValue)" } } == once, "done twice")
    return once
  }

  @Test func aClaimIsToldOnBothSides() {
    let mirror = Self.item("github.com/m/x", ["gitlab.com/o/x": .mirror])
    let original = Self.item("gitlab.com/o/x")
    let expected = [["gitlab.com/o/x mirror"], ["github.com/m/x mirror"]]
    #expect(Self.related([mirror, original]) == expected)
    #expect(Self.related([original, mirror]) == expected.reversed())
  }

  @Test func whatIsNotInTheAnswerIsStillTold() {
    #expect(
      Self.related([Self.item("github.com/m/x", ["gitlab.com/o/x": .mirror])])
        == [["gitlab.com/o/x mirror"]])
  }

  @Test func aStoryAndItsRepositoryFindEachOther() {
    let story = Self.item("news.example/1", ["github.com/o/x": .link], kind: .story)
    #expect(Self.related([story, Self.item("github.com/o/x")])[1] == ["news.example/1 link"])
  }

  @Test func orderedEachOnceAndNeverItself() {
    var item = Self.item("github.com/m/x")
    let (b, a) = (RelatedEntity(id: "h/o/b", why: .mirror), RelatedEntity(id: "h/o/a", why: .repository))
    let itself = RelatedEntity(id: "github.com/m/x", why: .mirror)
    item.related = [b, a, b, itself, RelatedEntity(id: "h/o/a", why: .link)]
    #expect(Self.related([item]) == [["h/o/a link", "h/o/a repository", "h/o/b mirror"]])
  }

  @Test func oneBeginningRelatesUnlessOneIsAFork() {
    let a = Self.item("github.com/a/x", roots: ["1", "2"])
    let b = Self.item("gitlab.com/b/x", roots: ["2", "1"])
    let c = Self.item("/src/x", roots: ["3"])
    let related = Self.related([a, b, c])
    #expect(related == [["gitlab.com/b/x same history"], ["github.com/a/x same history"], []])
    let fork = Self.item("github.com/f/x", roots: ["1"], isFork: true)
    #expect(Self.related([a, fork]) == [[], []])
    // A fork still says what it says.
    let claiming = Self.item("github.com/f/x", ["github.com/a/x": .mirror], roots: ["1"], isFork: true)
    #expect(Self.related([a, claiming]) == [["github.com/f/x mirror"], ["github.com/a/x mirror"]])
  }

  @Test func historyAddsNothingToAMirror() {
    let mirror = Self.item("github.com/m/x", ["gitlab.com/o/x": .mirror], roots: ["1"])
    let original = Self.item("gitlab.com/o/x", roots: ["1"])
    #expect(Self.related([mirror, original]) == [["gitlab.com/o/x mirror"], ["github.com/m/x mirror"]])
  }

  /// A provider that says the same of everything makes a band of pairs, not a square.
  @Test func aHugeFamilyStaysSmall() throws {
    let items = (0..<2_000).map { Self.item("h/o/\($0)", roots: ["1"]) }
    let related = Self.related(items)
    try #require(related.count == items.count)
    #expect(related.allSatisfy { $0.count <= 2 * Relations.familyReach })
    #expect(related[1_000].count == 2 * Relations.familyReach)
    #expect(related[0].count == Relations.familyReach)
  }

  /// Claims reach an entity by each of its names, and name it as it is shown.
  @Test func otherNamesAreResolved() {
    let lists = [
      RankedList(
        provider: "p", group: "p", weight: 1, hosts: [],
        items: [
          repository("github.com/new/x", forgeID: "github.com:1"),
          Self.item("github.com/m/x", ["github.com/old/x": .mirror]),
        ]),
      RankedList(
        provider: "q", group: "q", weight: 1, hosts: [],
        items: [repository("github.com/old/x", forgeID: "github.com:1")]),
    ]
    var page = merged(lists)
    Relations.resolve(&page)
    let told = Dictionary(
      uniqueKeysWithValues: page.map { ($0.result.id, $0.result.related.map(\.id)) })
    #expect(told == ["github.com/new/x": ["github.com/m/x"], "github.com/m/x": ["github.com/new/x"]])
  }

  @Test(
    arguments: [
      ("https://gitlab.com/o/x.git", .mirror, ["gitlab.com/o/x"]),
      ("git://git.example.org/deep/er/x.git", .mirror, ["git.example.org/deep/er/x"]),
      ("https://github.com/Apple/Swift-NIO/tree/main/Sources", .link, ["github.com/apple/swift-nio"]),
      ("https://gitlab.com/o/x/-/issues/3", .link, ["gitlab.com/o/x"]),
      ("https://blog.example.org/2024/01/news", .link, []),
      ("https://git.example.org/o/x", .repository, ["git.example.org/o/x"]),
      ("https://github.com/ME/x", .mirror, []), ("https://github.com/about", .link, []),
      ("/srv/git/x", .mirror, []), ("o/x", .repository, []), ("", .mirror, []), (nil, .mirror, []),
      ("no address", .link, []),
    ] as [(String?, RelatedEntity.Reason, [String])])
  func addresses(address: String?, why: RelatedEntity.Reason, expected: [String]) {
    var item = repository("github.com/me/x")
    item.relate(to: address, why)
    item.relate(to: address, why)
    #expect(item.related == expected.map { RelatedEntity(id: $0, why: why) })
  }

  @Test func aSearchRelatesItsPage() async throws {
    let mirror = Self.item("github.com/m/x", ["example.org/o/x": .mirror])
    let p = ScriptedProvider.listing("P", [mirror] + repositories("p", 3))
    let q = ScriptedProvider.listing("Q", [Self.item("example.org/o/x")])
    var found = try await federated("swift", [p, q])
    func related(_ id: String) -> [String] {
      found.items.first { $0.result.id == id }?.result.related.map(\.id) ?? []
    }
    #expect(related("github.com/m/x") == ["example.org/o/x"])
    #expect(related("example.org/o/x") == ["github.com/m/x"])
    // A caller that learns more of the entities can relate them anew.
    for index in found.items.indices where found.items[index].result.id.hasPrefix("example.org/p/") {
      found.items[index].result.set(.rootCommits, ["1"])
    }
    found.relateItems()
    #expect(related("example.org/p/0") == ["example.org/p/1", "example.org/p/2"])
    #expect(related("example.org/o/x") == ["github.com/m/x"])
  }
}
