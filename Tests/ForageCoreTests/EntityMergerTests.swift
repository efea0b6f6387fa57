import Testing

@testable import ForageCore

@Suite struct EntityMergerTests {
  private static func list(
    _ provider: String, _ items: [SearchResult], group: String? = nil, weight: Double = 1,
    hosts: [String] = []
  ) -> RankedList {
    RankedList(provider: provider, group: group ?? provider, weight: weight, hosts: hosts, items: items)
  }

  private static func names(_ names: String...) -> [SearchResult] {
    names.map { repository("github.com/o/\($0)") }
  }

  private static func c(_ rank: Int, _ weight: Double = 1) -> UInt64 {
    RankFusion.contribution(rank: rank, weight: weight)
  }

  @Test func scoresAndOrder() throws {
    let items = merged([Self.list("p", Self.names("a", "b", "c")), Self.list("q", Self.names("c", "d"))])
    try #require(items.map(\.result.title) == ["o/c", "o/a", "o/b", "o/d"])
    #expect(items.map(\.score) == [Self.c(3) + Self.c(1), Self.c(1), Self.c(2), Self.c(2)])
    #expect(
      items[0].sources == [
        MergedItem.Source(provider: "p", rank: 3, id: nil, contribution: Self.c(3)),
        MergedItem.Source(provider: "q", rank: 1, id: nil, contribution: Self.c(1)),
      ])
    #expect(items[1].relativeScore == Double(Self.c(1)) / Double(RankFusion.one))
  }

  private static func file(_ repository: String, _ path: String, _ fields: [ResultField: FieldValue] = [:])
    -> SearchResult
  {
    var item = SearchResult(id: "\(repository)/blob/main/\(path)", kind: .code, title: path, fields: fields)
    item.set(.repository, repository)
    item.set(.path, path)
    return item
  }

  /// A forge's hit on another place of a file is the same result, shown at the forge's place.
  @Test(arguments: [true, false]) func aPlaceWithTheSameContentIsTheSameFile(isLocalFirst: Bool) throws {
    let place: [String: FieldValue] = [
      "repository": .text("github.com/A/größe"), "path": .text("x y.c"), "file": .text("/a/x y.c"),
    ]
    let local = Self.list(
      "local",
      [
        Self.file(
          "github.com/fork/x", "b.c",
          [.file: .text("/fork/b.c"), .matchCount: .number(2), .places: .items([.record(place)])])
      ])
    let forge = Self.list(
      "forge",
      [
        Self.file("github.com/a/größe", "x y.c", [.host: .text("github.com")]),
        Self.file("github.com/a/größe", "other.c", [.host: .text("github.com")]),
      ], hosts: ["github.com"])
    let items = merged(isLocalFirst ? [local, forge] : [forge, local])
    try #require(items.map(\.result.title) == ["x y.c", "other.c"])
    let result = items[0].result
    #expect(Set(items[0].sources.map(\.provider)) == ["local", "forge"])
    #expect(result[.repository] == .text("github.com/a/größe"))
    #expect(result[.file] == .text("/a/x y.c") && result[.matchCount] == .number(2))
    #expect(
      result[.places]?.elements == [
        .record([
          "repository": .text("github.com/fork/x"), "path": .text("b.c"), "file": .text("/fork/b.c"),
        ])
      ])
  }

  /// The page of a file is that of its lines, which a clone may have of another revision than the forge.
  @Test(arguments: [true, false]) func theLinesOfAFileAndItsPage(isLocalFirst: Bool) {
    let match = FieldValue.record(["line": .number(7), "text": .text("größe")])
    var file = Self.file("github.com/a/b", "x.c", [.commit: .text("2"), .matches: .items([match])])
    file.url = "https://github.com/a/b/blob/2/x.c"
    var hit = Self.file("github.com/a/b", "x.c", [.host: .text("github.com"), .ref: .text("1")])
    hit.url = "https://github.com/a/b/blob/1/x.c"
    let local = Self.list("local", [file])
    let forge = Self.list("forge", [hit], hosts: ["github.com"])
    let items = merged(isLocalFirst ? [local, forge] : [forge, local])
    #expect(items.map(\.result.url) == [file.url])
    #expect(items.first?.result[.ref] == .text("1"))
  }

  @Test func weightsCount() {
    let items = merged([
      Self.list("p", Self.names("a")), Self.list("q", Self.names("b"), weight: 2),
    ])
    #expect(items.map(\.result.title) == ["o/b", "o/a"])
    #expect(items.first?.score == Self.c(1, 2))
  }

  @Test func aGroupIsOneVoter() {
    let lists = [
      Self.list("p", Self.names("a", "b"), group: "g"), Self.list("q", Self.names("b", "a"), group: "g"),
      Self.list("r", Self.names("c", "b"), group: "h"),
    ]
    let items = merged(lists)
    #expect(items.map(\.result.title) == ["o/b", "o/a", "o/c"])
    #expect(items.map(\.score) == [Self.c(1) + Self.c(2), Self.c(1), Self.c(1)])
    #expect(items.first?.sources.map(\.provider) == ["p", "q", "r"])
  }

  @Test func noListsAndEmptyLists() {
    #expect(merged([]).isEmpty)
    #expect(merged([Self.list("p", []), Self.list("q", [])]).isEmpty)
    #expect(merged([Self.list("p", []), Self.list("q", Self.names("a"))]).count == 1)
  }

  @Test func theForgesIDMergesRenames() throws {
    let items = merged([
      Self.list("p", [repository("github.com/old/x", forgeID: "github.com:1")]),
      Self.list("q", [repository("github.com/new/x", forgeID: "github.com:1")]),
    ])
    #expect(items.count == 1)
    let item = try #require(items.first)
    #expect(item.score == 2 * Self.c(1))
    #expect(item.sources.map(\.id) == ["github.com:1", "github.com:1"])
  }

  /// A third sighting, by name and forge id, joins what two providers tell apart.
  @Test func aBridgeJoinsInEitherOrder() {
    let lists = [
      Self.list("p", [repository("github.com/old/x")]),
      Self.list("q", [repository("github.com/new/x", forgeID: "github.com:1")]),
      Self.list("r", [repository("github.com/old/x", forgeID: "github.com:1")]),
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
      let items = merged(order.map { lists[$0] })
      #expect(items.count == 1)
      #expect(items.first?.sources.count == 3)
      #expect(items.first?.score == 3 * Self.c(1))
    }
  }

  /// A bridge that comes after both names were placed must not show the entity twice.
  @Test func aLateBridgeRepeatsNothing() {
    let filler = (0..<50).map { repository("github.com/filler/\($0)") }
    let lists = [
      Self.list("p", [repository("github.com/old/x")]),
      Self.list("q", [repository("github.com/new/x", forgeID: "github.com:1")]),
      Self.list("r", filler + [repository("github.com/old/x", forgeID: "github.com:1")]),
    ]
    for limit in [10, 52, 60, Int.max] {
      let items = merged(lists, limit: limit)
      #expect(Set(items.map(\.result.id)).count == items.count, "limit \(limit)")
      let places = items.flatMap { item in item.sources.map { "\($0.provider) \($0.rank)" } }
      #expect(Set(places).count == places.count, "limit \(limit)")
    }
  }

  @Test func forksAndKindsStayApart() {
    let original = repository("github.com/apple/swift-nio", forgeID: "github.com:1")
    let fork = repository("github.com/me/swift-nio", forgeID: "github.com:2", [.fork: .flag(true)])
    var topic = original
    topic.kind = "topic"
    let items = merged([Self.list("p", [original, fork]), Self.list("q", [topic, fork])])
    #expect(items.count == 3)
    #expect(items.first?.result == fork)
    #expect(items.dropFirst().map(\.result) == [original, topic])
  }

  @Test func theForgesOwnAnswerIsShownFirst() throws {
    let id = "github.com/apple/swift-nio"
    let items = merged([
      Self.list(
        "copy", [repository(id, [.stars: .number(1), .path: .text("/src/nio"), .language: .text("C")])]),
      Self.list(
        "second", [repository(id, url: "https://second", [.stars: .number(2), .license: .text("MIT")])]),
      Self.list(
        "forge", [repository(id, forgeID: "github.com:1", [.stars: .number(3), .language: .text("Swift")])],
        hosts: ["github.com"]),
      Self.list(
        "other", [repository(id, forgeID: "other:9", url: "https://other", [.stars: .number(4)])],
        hosts: ["gitlab.com"]),
    ])
    #expect(items.count == 1)
    let result = try #require(items.first?.result)
    #expect(result[.stars] == .number(3))
    #expect(result[.language] == .text("Swift"))
    #expect(result[.path] == .text("/src/nio"))
    #expect(result[.license] == .text("MIT"))
    #expect(result.forgeID == "github.com:1")
    #expect(result.url == "https://second")
    #expect(items.first?.sources.map(\.provider) == ["copy", "second", "forge", "other"])
    #expect(items.first?.sources.map(\.id) == [nil, nil, "github.com:1", "other:9"])
  }

  @Test func withoutAFirstHandAnswerTheOrderOfTheProvidersDecides() {
    let id = "example.org/a/b"
    let items = merged([
      Self.list("p", [repository(id, [.stars: .number(1)])]),
      Self.list("q", [repository(id, [.stars: .number(2)])]),
    ])
    #expect(items.first?.result[.stars] == .number(1))
  }

  /// A sighting in a later window adds its source without moving anything.
  @Test func laterSightingsMoveNothing() throws {
    let p = (0..<60).map { repository("github.com/p/\($0)") }
    let q = (0..<59).map { repository("github.com/q/\($0)") } + [p[9]]
    let items = merged([Self.list("p", p), Self.list("q", q)])
    #expect(items.count == 119)
    let item = try #require(items.first { $0.result.id == "github.com/p/9" })
    #expect(item.score == Self.c(10))
    #expect(
      item.sources == [
        MergedItem.Source(provider: "p", rank: 10, id: nil, contribution: Self.c(10)),
        MergedItem.Source(provider: "q", rank: 60, id: nil, contribution: 0),
      ])
    // The first block holds both first windows, whatever the later one would add.
    #expect(Set(items.prefix(100).map(\.result.id)) == Set((p.prefix(50) + q.prefix(50)).map(\.id)))
    // The provenance is there also when the limit ends before the later window.
    let short = merged([Self.list("p", p), Self.list("q", q)], limit: 20)
    #expect(short.first { $0.result.id == "github.com/p/9" }?.sources == item.sources)
  }
}
