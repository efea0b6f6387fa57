import ForageCore
import ForagePluginHost
import ForagePluginProtocol
import Testing

@testable import ForagePluginSDK

/// What the SDK prints for `plugin.json`, as the host reads it.
struct DeclarationTests {
  /// A provider that declares something of everything.
  private struct Acme: FeedProvider, DetailsProvider {
    let info: ProviderInfo
    let kinds: [ResultKind: Abilities] = [
      .repo: Abilities(
        fields: [.stars, "rating", .name], text: .inexact,
        qualifiers: ["stars": .exact, "rating": .inexact], sorts: ["stars"], booleans: true,
        needsText: false, needsToken: true, maximumPageSize: 50, reachable: 1000,
        feed: Abilities.Feed(sorts: ["stars"])),
      .story: Abilities(fields: [.author]),
    ]
    let detailedKinds: Set<ResultKind> = [.repo]

    init(_ id: String, hosts: [String] = []) {
      info = ProviderInfo(
        id: id, name: "Acme", hosts: hosts,
        fields: [
          FieldDefinition("mass", .fraction, title: "MASS", column: 2, unit: "kg"),
          FieldDefinition("lastSeen", .date),
        ],
        vocabulary: [
          QualifierDefinition("rating", .number, field: "score", kinds: [.repo]),
          QualifierDefinition("mood", .choice(["bad", "good"]), field: "mood", kinds: [.story]),
          QualifierDefinition("sold", .flag, field: "sold", kinds: [.story]),
        ])
    }

    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
    func feed(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
    func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
      nil
    }
  }

  /// A provider that says of a field of its own only that it filters by it.
  private struct Stones: SearchProvider {
    let info = ProviderInfo(id: "stones")
    let kinds: [ResultKind: Abilities] = [
      "stone": Abilities(fields: ["color"], qualifiers: ["color": .exact])
    ]

    func search(_ request: SearchRequest) async throws -> SearchPage {
      let items = ["blue", "red"].map {
        SearchResult(id: "stones:" + $0, kind: "stone", title: "a stone", fields: ["color": .text($0)])
      }
      return SearchPage(items: items.filter { request.matches($0) })
    }
  }

  /// What `plugin.json` alone defines is a qualifier of the program, too.
  @Test(arguments: [(false, "blue"), (true, "red")])
  func aQualifierWithoutADefinition(_ isNegated: Bool, _ expected: String) async throws {
    let params =
      #"{"provider":"stones","kind":"stone","text":[],"filters":[{"field":"color","op":"eq","value":"blue","negated":\#(isNegated)}],"limit":5,"deadlineMs":60000}"#
    let call = try ProviderCall("search", try JSONTree(parsing: Array(params.utf8)))
    let lines = String(decoding: try await call.lines(for: .number(1), from: Stones()), as: UTF8.self)
    #expect(lines.contains(#""count":1"#) && lines.contains("\"\(expected)\""), "\(lines)")
  }

  /// A provider that declares a feed but has none.
  private struct Searcher: SearchProvider {
    let info = ProviderInfo(id: "acme")
    let kinds = Acme("acme").kinds

    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
  }

  private static func manifest(_ providers: [any SearchProvider], _ further: [String: JSONTree] = [:]) throws
    -> PluginManifest
  {
    let usual: [String: JSONTree] = [
      "forage": .integer(1), "id": .string("acme"), "name": .string("Acme"), "version": .string("1"),
      "command": .array([.string("acme")]),
    ]
    let declared = PluginServer.declaration(of: providers, concurrency: 3).object ?? [:]
    let tree = JSONTree.object(usual.merging(further) { $1 }.merging(declared) { $1 })
    return try PluginManifest(parsing: tree.encoded(), path: "plugin.json")
  }

  private static func expectSame(_ read: PluginManifest.Provider, _ original: Acme) throws {
    #expect(read.info.id == original.info.id && read.info.name == original.info.name)
    #expect(read.detailedKinds == original.detailedKinds)
    #expect(read.kinds.keys.count == original.kinds.keys.count)
    for (kind, abilities) in original.kinds {
      let other = try #require(read.kinds[kind])
      #expect(other.text == abilities.text && other.fields == abilities.fields)
      #expect(other.sorts == abilities.sorts && other.feed == abilities.feed)
      // The protocol has no alternatives, so a plugin cannot declare them.
      #expect(!other.booleans && other.needsText == abilities.needsText)
      #expect(other.needsToken == abilities.needsToken && other.reachable == abilities.reachable)
      #expect(other.maximumPageSize == abilities.maximumPageSize)
    }
    #expect(read.kinds[.repo]?.qualifiers == ["stars": .exact, "rating": .inexact])
    // Those that are only filtered by.
    #expect(read.kinds[.story]?.qualifiers == ["mood": .unsupported, "sold": .unsupported])
    #expect(Set(read.info.fields) == Set(original.info.fields))
    #expect(Set(read.info.vocabulary) == Set(original.info.vocabulary))
  }

  @Test func whatAProviderDeclaresSurvivesTheWay() throws {
    let original = Acme("acme")
    // The word that every host reads.
    let declared = PluginServer.declaration(of: [original], concurrency: 1)
    #expect(declared["kinds"]?["story"]?["qualifiers"]?["sold"]?["type"] == .string("boolean"))
    let manifest = try Self.manifest([original])
    #expect(manifest.providerIDs == ["acme"])
    try Self.expectSame(manifest.providers[0], original)
  }

  /// A feed and details are those of a provider that conforms to their protocols.
  @Test func whatAProviderLacksIsNotDeclared() throws {
    let read = try Self.manifest([Searcher()]).providers[0]
    #expect(read.kinds[.repo]?.sorts == ["stars"])
    #expect(read.kinds.values.allSatisfy { $0.feed == nil } && read.detailedKinds.isEmpty)
  }

  @Test func severalDoAsWell() throws {
    let originals = [Acme("one", hosts: ["acme.example"]), Acme("two")]
    let hosts = JSONTree.array([.string("acme.example"), .string("b.example")])
    let manifest = try Self.manifest(originals, ["hosts": hosts])
    for (read, original) in zip(manifest.providers, originals) {
      try Self.expectSame(read, original)
    }
    #expect(manifest.providers[0].info.hosts == ["acme.example"])
    #expect(manifest.providers[1].info.hosts == ["acme.example", "b.example"])
  }
}
