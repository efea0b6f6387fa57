import TestSupport
import Testing

@testable import ForageCore

@Suite struct RankFusionTests {
  @Test(
    arguments: [
      (1, 1, 18_024_780_783), (2, 1, 17_734_058_512), (10, 1, 15_707_308_968), (50, 1, 9_995_560_252),
      (1, 2, 18_173_745_913), (1, 0.5, 17_734_058_512), (1, 0.001, 1_037_275_120), (1, 1000, 18_324_888_381),
    ] as [(Int, Double, UInt64)])
  func contributions(rank: Int, weight: Double, expected: UInt64) {
    #expect(RankFusion.contribution(rank: rank, weight: weight) == expected)
  }

  @Test func strangeWeightsAndRanksAreClamped() {
    let one = RankFusion.contribution(rank: 1, weight: 1)
    for weight in [Double.nan, .infinity, -.infinity] {
      #expect(RankFusion.contribution(rank: 1, weight: weight) == one)
    }
    #expect(
      RankFusion.contribution(rank: 1, weight: -5) == RankFusion.contribution(rank: 1, weight: 0.001))
    #expect(RankFusion.contribution(rank: 1, weight: 1e9) == RankFusion.contribution(rank: 1, weight: 1000))
    #expect(RankFusion.contribution(rank: 0, weight: 1) == one)
    #expect(RankFusion.contribution(rank: -3, weight: 1) == one)
  }

  @Test func laterRanksAddLessAndHeavierProvidersMore() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let rank = Int.random(in: 1...10_000, using: &random)
      let weight = Double.random(in: 0.01...100, using: &random)
      let value = RankFusion.contribution(rank: rank, weight: weight)
      #expect(value > RankFusion.contribution(rank: rank + 1, weight: weight))
      #expect(value < RankFusion.contribution(rank: rank, weight: weight * 1.5))
      #expect(value > 0 && value <= RankFusion.one / RankFusion.k)
    }
  }

  private static func sighting(_ list: Int, _ rank: Int, _ group: String, _ contribution: UInt64)
    -> EntityMerger.Node
  {
    EntityMerger.Node(
      list: list, index: 0, rank: rank, group: Int(group.unicodeScalars.reduce(0) { $0 + $1.value }),
      contribution: contribution)
  }

  @Test func aGroupCountsOnceWithItsBest() {
    let standing = RankFusion.Standing(
      id: "x",
      sightings: [
        Self.sighting(2, 4, "a", 10), Self.sighting(1, 2, "a", 30), Self.sighting(3, 9, "b", 5),
      ])
    #expect(standing.score == 35)
    #expect(standing.bestRank == 2)
    #expect(standing.groups == 2)
    #expect(standing.firstList == 1)
  }

  /// Each pair differs in one rule and contradicts itself in all later ones.
  @Test func orderOfRules() {
    func standing(_ id: String, _ sightings: [EntityMerger.Node]) -> RankFusion.Standing {
      RankFusion.Standing(id: id, sightings: sightings)
    }
    let pairs: [(RankFusion.Standing, RankFusion.Standing)] = [
      (
        standing("z", [Self.sighting(9, 9, "a", 20)]),
        standing("a", [Self.sighting(0, 1, "a", 10), Self.sighting(1, 1, "b", 9)])
      ),
      (
        standing("z", [Self.sighting(9, 1, "a", 20)]),
        standing("a", [Self.sighting(0, 2, "a", 10), Self.sighting(1, 2, "b", 10)])
      ),
      (
        standing("z", [Self.sighting(8, 1, "a", 10), Self.sighting(9, 1, "b", 10)]),
        standing("a", [Self.sighting(0, 1, "a", 20)])
      ),
      (standing("z", [Self.sighting(0, 1, "a", 20)]), standing("a", [Self.sighting(1, 1, "b", 20)])),
      (standing("Z", [Self.sighting(0, 1, "a", 20)]), standing("a", [Self.sighting(0, 1, "a", 20)])),
      (standing("z", [Self.sighting(0, 1, "a", 20)]), standing("é", [Self.sighting(0, 1, "a", 20)])),
    ]
    for (first, second) in pairs {
      #expect(RankFusion.Standing.precedes(first, second), "\(first.id) \(second.id)")
      #expect(!RankFusion.Standing.precedes(second, first), "\(second.id) \(first.id)")
    }
    let one = standing("x", [Self.sighting(0, 1, "a", 20)])
    #expect(!RankFusion.Standing.precedes(one, one))
  }
}

@Suite struct SortedMergeTests {
  private static func item(_ id: String, _ key: ResultField, _ value: FieldValue?) -> SearchResult {
    SearchResult(id: id, kind: .repo, title: id, fields: value.map { [key: $0] } ?? [:])
  }

  @Test func missingKeysComeLastAndEqualOnesKeepTheirOrder() {
    let stars: [(String, Int?)] = [("a", 5), ("b", nil), ("c", 9), ("d", 5), ("e", nil), ("f", 1)]
    let items = stars.map { id, count in Self.item(id, .stars, count.map { .number($0) }) }
    #expect(
      ResultOrder.sorted(items, by: "stars", order: .descending).map(\.id) == ["c", "a", "d", "f", "b", "e"])
    #expect(
      ResultOrder.sorted(items, by: "stars", order: .ascending).map(\.id) == ["f", "a", "d", "c", "b", "e"])
    #expect(ResultOrder.sorted(items, by: "unheard-of", order: .ascending).map(\.id) == items.map(\.id))
    #expect(ResultOrder.sorted([], by: "stars", order: .ascending).isEmpty)
  }

  @Test(arguments: [
    ("updated", ResultField.updatedAt), ("created", .createdAt), ("pushed", .pushedAt), ("size", .sizeKB),
    ("forks", .forks), ("points", "points"),
  ])
  func keysReadTheirField(key: String, field: ResultField) {
    let items = [Self.item("a", field, .number(1)), Self.item("b", field, .number(2))]
    #expect(ResultOrder.sorted(items, by: key, order: .descending).map(\.id) == ["b", "a"])
  }

  @Test func textsAreOrderedByBytes() {
    let items = ["b", "a", "B", "é"].map { Self.item($0, .name, .text($0)) }
    #expect(ResultOrder.sorted(items, by: "name", order: .ascending).map(\.id) == ["B", "a", "b", "é"])
  }
}
