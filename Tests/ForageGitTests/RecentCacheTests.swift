import TestSupport
import Testing

@testable import ForageGit

@Suite struct RecentCacheTests {
  /// What it has is always what came last, as far as it fits.
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
      var sum = 0
      var isInside = true
      for (age, entry) in arrived.reversed().enumerated() {
        sum += entry.bytes + 128
        isInside = isInside && (age == 0 || sum <= limit)
        guard isInside else { break }
        #expect(cache[entry.key] == entry.value, "seed \(seed), round \(round)")
      }
      let known = (0..<600).count { cache[$0] != nil }
      var room = limit
      let expected = arrived.reversed().enumerated().prefix { age, entry in
        room -= entry.bytes + 128
        return age == 0 || room >= 0
      }
      #expect(known == expected.count, "seed \(seed), round \(round)")
    }
  }
}
