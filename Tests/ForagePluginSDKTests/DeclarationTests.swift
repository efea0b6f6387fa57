import ForageCore
import ForagePluginHost
import Testing

@testable import ForagePluginSDK

/// What the SDK prints for `plugin.json`, as the host reads it.
struct DeclarationTests {
  private static func descriptor(_ id: String, hosts: [String] = []) -> ProviderDescriptor {
    ProviderDescriptor(
      id: id, name: "Acme",
      kinds: [
        .repo: .init(
          text: .inexact, qualifiers: ["stars": .exact, "rating": .inexact],
          fields: [.stars, "rating", .name], sorts: ["stars"], booleans: true, needsText: false,
          needsToken: true, maximumPageSize: 50, reachable: 1000, feed: .init(sorts: ["stars"])),
        .story: .init(qualifiers: [:], fields: [.author]),
      ], hosts: hosts, hasDetails: true,
      vocabulary: [
        QualifierDefinition("rating", .number, field: "score", kinds: [.repo]),
        QualifierDefinition("mood", .choice(["bad", "good"]), field: "mood", kinds: [.story]),
      ])
  }

  private static func manifest(_ providers: [ProviderDescriptor], _ further: [String: JSONTree] = [:]) throws
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

  private static func expectSame(_ read: ProviderDescriptor, _ original: ProviderDescriptor) throws {
    #expect(read.id == original.id && read.name == original.name && read.hasDetails)
    #expect(read.kinds.keys.count == original.kinds.keys.count)
    for (kind, abilities) in original.kinds {
      let other = try #require(read.kinds[kind])
      #expect(other.text == abilities.text && other.fields == abilities.fields)
      #expect(other.sorts == abilities.sorts && other.feed == abilities.feed)
      #expect(other.booleans == abilities.booleans && other.needsText == abilities.needsText)
      #expect(other.needsToken == abilities.needsToken && other.reachable == abilities.reachable)
      #expect(other.maximumPageSize == abilities.maximumPageSize)
    }
    #expect(read.kinds[.repo]?.qualifiers == ["stars": .exact, "rating": .inexact])
    // One that is only filtered by.
    #expect(read.kinds[.story]?.qualifiers == ["mood": .unsupported])
    #expect(Set(read.vocabulary) == Set(original.vocabulary))
  }

  @Test func aDescriptorSurvivesTheWay() throws {
    let original = Self.descriptor("acme")
    let manifest = try Self.manifest([original])
    #expect(manifest.providerIDs == ["acme"])
    try Self.expectSame(manifest.providers[0].descriptor, original)
  }

  @Test func severalDoAsWell() throws {
    let originals = [Self.descriptor("one", hosts: ["acme.example"]), Self.descriptor("two")]
    let hosts = JSONTree.array([.string("acme.example"), .string("b.example")])
    let manifest = try Self.manifest(originals, ["hosts": hosts])
    for (read, original) in zip(manifest.providers.map(\.descriptor), originals) {
      try Self.expectSame(read, original)
    }
    #expect(manifest.providers[0].descriptor.hosts == ["acme.example"])
    #expect(manifest.providers[1].descriptor.hosts == ["acme.example", "b.example"])
  }
}
