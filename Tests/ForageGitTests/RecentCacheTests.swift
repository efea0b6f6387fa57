import TestSupport
import Testing

@testable import ForageGit

@Suite struct RecentCacheTests {
  /// What came last is there, as far as half of the limit goes; what is there came last, as far as the limit
  /// goes.
  @Test func keepsTheNewest() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let limit = 10_000
    var cache = RecentCache<Int, Int>(byteLimit: limit)
    var arrived: [(key: Int, value: Int, bytes: Int)] = []
    for round in 0..<5000 {
      let key = Int.random(in: 0..<600, using: &random)
      let bytes = random.chance(0.01) ? 2 * limit : Int.random(in: 0...500, using: &random)
      if cache[key] == nil { arrived.append((key, round, bytes)) }
      cache.insert(round, for: key, bytes: bytes)
      var (sum, kept, known) = (0, 0, 0)
      for (age, entry) in arrived.reversed().enumerated() {
        sum += entry.bytes + 128
        if age == 0 || sum <= limit / 2 {
          #expect(cache[entry.key] == entry.value, "seed \(seed), round \(round)")
        }
        guard cache[entry.key] == entry.value else { break }
        known += 1
        // A value that is larger than the limit is alone in its generation.
        if entry.bytes <= limit { kept += entry.bytes + 128 }
      }
      #expect(kept <= limit, "seed \(seed), round \(round)")
      #expect((0..<600).count { cache[$0] != nil } == known, "seed \(seed), round \(round)")
    }
  }
}
