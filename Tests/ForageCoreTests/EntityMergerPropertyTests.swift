import TestSupport
import Testing

@testable import ForageCore

@Suite struct EntityMergerPropertyTests {
  /// One sighting of an entity; every third entity has a forge's id, every ninth goes by two names.
  private static func sighting(_ entity: Int, _ random: inout SeededGenerator) -> SearchResult {
    let isRenamed = entity.isMultiple(of: 9) && random.chance(0.5)
    return repository(
      "github.com/\(isRenamed ? "old" : "o")/\(["", "é", "o\u{308}", "日本-"][entity % 4])\(entity)",
      forgeID: entity.isMultiple(of: 3) ? "github.com:\(entity)" : nil)
  }

  /// What is the same of every sighting of an entity.
  private static func key(_ item: SearchResult) -> String { item.forgeID ?? item.id }

  private static func lists(_ random: inout SeededGenerator, longest: Int = 110, weight: Double? = nil)
    -> [RankedList]
  {
    let pool = random.mostlySmall(1...150)
    var lists: [RankedList] = []
    for index in 0..<Int.random(in: 1...4, using: &random) {
      let count = min(pool, random.chance(0.1) ? 0 : Int.random(in: 1...longest, using: &random))
      let entities = (0..<pool).shuffled(using: &random).prefix(count)
      var items: [SearchResult] = []
      for entity in entities { items.append(sighting(entity, &random)) }
      lists.append(
        RankedList(
          provider: "p\(index)", group: random.pick(["a", "b", "c", "d"]),
          weight: weight ?? random.pick([1, 1, 0.5, 3]), hosts: random.pick([[], ["github.com"]]),
          items: items))
    }
    return lists
  }

  private static func keys(_ items: [MergedItem]) -> [String] { items.map { key($0.result) } }

  private static func scores(_ items: [MergedItem]) -> [String: UInt64] {
    Dictionary(items.map { (key($0.result), $0.score) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func aShorterLimitIsAPrefixAndNothingIsLostOrRepeated() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random)
      let all = merged(lists)
      let keys = Self.keys(all)
      #expect(Set(keys).count == keys.count)
      #expect(Set(keys) == Set(lists.flatMap { $0.items.map(Self.key) }))
      let limit = Int.random(in: 1...max(1, all.count + 5), using: &random)
      let some = merged(lists, limit: limit)
      #expect(some.count == min(limit, all.count))
      #expect(some.map(\.result) == all.prefix(limit).map(\.result))
      #expect(some.map(\.score) == all.prefix(limit).map(\.score))
      #expect(some.map(\.sources) == all.prefix(limit).map(\.sources))
    }
  }

  @Test func everySightingIsASource() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random, longest: 90)
      let ranks = lists.map { list in
        Dictionary(
          uniqueKeysWithValues: list.items.enumerated().map { (Self.key($0.element), $0.offset + 1) })
      }
      for item in merged(lists) {
        let expected = zip(lists, ranks).compactMap { list, ranks in
          ranks[Self.key(item.result)].map { "\(list.provider) \($0)" }
        }
        #expect(item.sources.map { "\($0.provider) \($0.rank)" } == expected)
        #expect(item.score > 0)
      }
    }
  }

  @Test func theOrderOfTheListsChangesNoScore() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random)
      #expect(Self.scores(merged(lists)) == Self.scores(merged(lists.shuffled(using: &random))))
    }
  }

  @Test func oneListKeepsItsOrder() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let list = Array(Self.lists(&random).prefix(1))
      #expect(merged(list).map(\.result.id) == list.flatMap { $0.items.map(\.id) })
    }
  }

  @Test func removingAListKeepsTheOrderOfWhatItDidNotTouch() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      var lists = Self.lists(&random)
      let before = Self.keys(merged(lists))
      let removed = lists.remove(at: Int.random(in: 0..<lists.count, using: &random))
      let touched = Set(removed.items.map(Self.key))
      let after = Self.keys(merged(lists))
      #expect(before.filter { !touched.contains($0) } == after.filter { !touched.contains($0) })
    }
  }

  @Test func aRepeatInsideAGroupRaisesNothing() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random)
      var copy = random.pick(lists)
      copy.provider = "copy"
      let (alone, both) = (merged(lists), merged(lists + [copy]))
      #expect(Self.keys(alone) == Self.keys(both))
      #expect(alone.map(\.score) == both.map(\.score))
    }
  }

  /// Inside one window; across windows an entity may be placed earlier by a single sighting.
  @Test func agreementOfAnotherGroupLowersNothing() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random, longest: RankFusion.window)
      guard var other = Self.lists(&random, longest: RankFusion.window).first else { continue }
      (other.provider, other.group) = ("other", "other")
      let after = Self.scores(merged(lists + [other]))
      for (key, score) in Self.scores(merged(lists)) { #expect((after[key] ?? 0) >= score, "\(key)") }
    }
  }
}
