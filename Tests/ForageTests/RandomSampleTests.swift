import Forage
import TestSupport
import Testing

/// What is chosen at random.
struct RandomSampleTests {
  @Test func asManyAsWantedInTheirOrder() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1000 {
      let list = Array(0..<Int.random(in: 0...60, using: &random))
      let count = Int.random(in: 1...40, using: &random)
      let chosen = RandomSample(count: count, seed: random.next()).chosen(list)
      #expect(chosen.count == min(count, list.count))
      #expect(chosen == chosen.sorted() && Set(chosen).count == chosen.count)
      #expect(Set(chosen).isSubset(of: list))
    }
  }

  @Test func aSeedMakesItTheSame() {
    let list = Array(0..<1000)
    let first = RandomSample(count: 10, seed: 7).chosen(list)
    #expect(first == RandomSample(count: 10, seed: 7).chosen(list))
    #expect(first != RandomSample(count: 10, seed: 8).chosen(list))
    #expect(RandomSample(count: 10, seed: 0).chosen(list).count == 10)
    #expect(RandomSample(count: 10, seed: .max).chosen(list).count == 10)
  }

  /// Every element is chosen about equally often: 4,000 choices of 5 from 20 are 1,000 of each, give or take
  /// 27 (standard deviation).
  @Test func everybodyHasTheSameChance() {
    var counts = [Int](repeating: 0, count: 20)
    for seed in 0..<4000 {
      for element in RandomSample(count: 5, seed: UInt64(seed)).chosen(Array(0..<20)) { counts[element] += 1 }
    }
    #expect(counts.reduce(0, +) == 20_000)
    #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
  }
}
