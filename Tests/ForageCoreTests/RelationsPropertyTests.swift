import TestSupport
import Testing

@testable import ForageCore

/// Relations are symmetric and depend neither on the order of the providers nor on how the list is cut into
/// pages.
@Suite struct RelationsPropertyTests {
  /// Entities that claim and share things; every fourth has a forge's id, and some of those go by two names.
  private struct World {
    var entities: [SearchResult]

    /// The name of an entity without its host and owner.
    private static func name(_ number: Int) -> String {
      ["", "", "é", "o\u{308}", "日本-"][number % 5] + String(number)
    }

    init(_ random: inout SeededGenerator, largest: Int, isFamilySmall: Bool) {
      let count = random.mostlySmall(1...largest)
      let roots = isFamilySmall ? max(4, count / 6) : 2
      entities = []
      for number in 0..<count {
        var item = repository(
          "github.com/o/" + Self.name(number),
          forgeID: number.isMultiple(of: 4) ? "github.com:\(number)" : nil)
        while random.chance(0.3) {
          let other = Int.random(in: 0...count, using: &random)
          let owner = other.isMultiple(of: 4) && random.chance(0.3) ? "old" : "o"
          item.related.append(
            RelatedEntity(
              id: (random.chance(0.2) ? "elsewhere.example/o/" : "github.com/\(owner)/") + Self.name(other),
              why: random.pick([.mirror, .link, .repository])))
        }
        if random.chance(0.4) {
          item.set(.rootCommits, ["root \(Int.random(in: 0..<roots, using: &random))"])
        }
        if random.chance(0.1) { item.set(.fork, true) }
        entities.append(item)
      }
    }

    /// Lists over the entities, of which some providers know those with a forge's id by an older name.
    func lists(_ random: inout SeededGenerator, hasOldNames: Bool) -> [[SearchResult]] {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        entities.shuffled(using: &random).prefix(Int.random(in: 0...entities.count, using: &random)).map {
          var item = $0
          if hasOldNames, item.forgeID != nil, random.chance(0.3) {
            item.id = item.id.replacing("/o/", with: "/old/", maxReplacements: 1)
          }
          return item
        }
      }
    }
  }

  /// One relation with its two sides in order, so that the same pair is the same text from both.
  private static func pair(_ one: String, _ other: String, _ why: RelatedEntity.Reason) -> String {
    "\(min(one, other)) \(max(one, other)) \(why.rawValue)"
  }

  /// The relations as every pair of entities gives them, by the plain words of the rule.
  private static func expected(_ found: [SearchResult], names: [String: String]) -> Set<String> {
    var pairs: Set<String> = []
    var claimed: Set<String> = []
    for item in found {
      for claim in item.related {
        let other = names[claim.id] ?? claim.id
        guard other != item.id else { continue }
        pairs.insert(pair(item.id, other, claim.why))
        claimed.insert(pair(item.id, other, .sameHistory))
      }
    }
    for (place, one) in found.enumerated() {
      for other in found[(place + 1)...] {
        let shared = Set(one[.rootCommits]?.texts ?? []).intersection(other[.rootCommits]?.texts ?? [])
        guard !shared.isEmpty, one[.fork] == nil, other[.fork] == nil else { continue }
        let relation = pair(one.id, other.id, .sameHistory)
        if !claimed.contains(relation) { pairs.insert(relation) }
      }
    }
    return pairs
  }

  /// The relations that a page tells; both sides must.
  private static func pairs(_ page: [SearchResult]) -> Set<String> {
    var pairs: Set<String> = []
    let byID = Dictionary(page.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for item in page {
      #expect(item.related == RelatedEntity.ordered(item.related))
      #expect(Set(item.related).count == item.related.count)
      for other in item.related {
        #expect(other.id != item.id)
        pairs.insert(pair(item.id, other.id, other.why))
        guard let partner = byID[other.id] else { continue }
        let back = RelatedEntity(id: item.id, why: other.why)
        #expect(partner.related.contains(back), "\(item.id) \(other.id)")
      }
    }
    return pairs
  }

  private static func merged(_ lists: [[SearchResult]]) -> [MergedItem] {
    var items = ForageCoreTests.merged(
      lists.enumerated().map {
        RankedList(provider: "p\($0.offset)", group: "p\($0.offset)", weight: 1, hosts: [], items: $0.element)
      })
    Relations.resolve(&items)
    return items
  }

  /// By the forge's id, where there is one: an entity may be shown by either of its names.
  private static func key(_ id: String) -> String { id.replacing("/old/", with: "/o/", maxReplacements: 1) }

  @Test func relationsAreThoseOfEveryPairInAnyOrderOfTheProviders() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      // So small that no family is larger than its reach.
      let world = World(&random, largest: 40, isFamilySmall: true)
      let lists = world.lists(&random, hasOldNames: true)
      let items = Self.merged(lists)
      var names: [String: String] = [:]
      for item in items {
        for name in [item.result.id] + item.aliases { names[name] = item.result.id }
      }
      let plain = items.map { item in
        var result = item.result
        result.related = world.entities.first { Self.key($0.id) == Self.key(item.result.id) }?.related ?? []
        return result
      }
      let pairs = Self.pairs(items.map(\.result))
      #expect(pairs == Self.expected(plain, names: names))
      // A claim to a name that nobody knows stays as it is, so names are compared as they would be shown.
      let again = Self.merged(lists.shuffled(using: &random))
      func keyed(_ items: [MergedItem]) -> [String: Set<RelatedEntity>] {
        Dictionary(
          items.map { item in
            (
              Self.key(item.result.id),
              Set(item.result.related.map { RelatedEntity(id: Self.key($0.id), why: $0.why) })
            )
          }, uniquingKeysWith: { first, _ in first })
      }
      #expect(keyed(again) == keyed(items))
    }
  }

  @Test func pagesOfAnySizeTellTheSameRelations() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let world = World(&random, largest: 110, isFamilySmall: random.chance(0.5))
      let lists = world.lists(&random, hasOldNames: false)
      let providers = lists.enumerated().map { index, items in
        ScriptedProvider.listing("P\(index)", items, abilities: .plain(page: 30 + 20 * index))
      }
      let registry = ProviderRegistry(providers)
      func pairs(_ limit: Int) async throws -> Set<String> {
        let search = FederatedSearch(
          query: try QueryParser().parse("swift"), limit: limit, timeout: .seconds(300))
        return await parts(search, registry) { limit }.reduce(into: []) {
          $0.formUnion(Self.pairs($1.items.map(\.result)))
        }
      }
      let whole = try await pairs(10_000)
      let size = Int.random(in: max(1, world.entities.count / 12)...60, using: &random)
      #expect(try await pairs(size) == whole, "lists of \(lists.map(\.count)), pages of \(size)")
    }
  }
}
