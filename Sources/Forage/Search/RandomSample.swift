/// Chooses some elements of a list at random.
package struct RandomSample {
  package var count: Int
  /// Makes the choice the same each time, `nil` for another one each time.
  package var seed: UInt64?

  package init(count: Int, seed: UInt64?) {
    (self.count, self.seed) = (count, seed)
  }

  /// The chosen elements in the order of the list; all when there are no more than wanted.
  package func chosen<Element>(_ elements: [Element]) -> [Element] {
    var generator = SplitMix64(state: seed ?? UInt64.random(in: .min ... .max))
    return elements.indices.shuffled(using: &generator).prefix(count).sorted().map { elements[$0] }
  }
}

/// A small generator that gives the same numbers for a seed on every system.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, with the constants of the published code.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
