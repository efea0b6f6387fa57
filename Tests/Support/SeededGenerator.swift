#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A small deterministic random generator: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014). The same seed gives the same numbers on every platform.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence of a seed; every seed is valid, zero too.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One element of a list.
  ///
  /// - Precondition: the list is not empty.
  public mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &self)]
  }

  /// A number of a range, a small one more often than a large one: worlds of a few things show most mistakes,
  /// and are quick to search.
  public mutating func mostlySmall(_ range: ClosedRange<Int>) -> Int {
    let share = Double.random(in: 0..<1, using: &self)
    return range.lowerBound + Int(share * share * share * Double(range.count))
  }

  /// True with a probability from 0 to 1.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}

/// The seed of a property test, which is printed: always the same one, or that of `FORAGE_TEST_SEED`
/// (decimal, or hexadecimal after `0x`; any other text for a new one each time, as in `make fuzz`).
///
/// - Parameter label: Distinguishes the seeds of tests.
public func propertySeed(label: String = #function) -> UInt64 {
  let text = ProcessInfo.processInfo.environment["FORAGE_TEST_SEED"] ?? ""
  let given = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  // FNV-1a.
  let usual = label.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let seed = given ?? (text.isEmpty ? usual : UInt64.random(in: .min ... .max))
  print("seed of \(label): FORAGE_TEST_SEED=\(seed)")
  return seed
}

/// The same with seeds that failed once, each of which is tried in every run that names no other.
public func propertySeeds(failed: UInt64..., label: String = #function) -> [UInt64] {
  let isUsual = ProcessInfo.processInfo.environment["FORAGE_TEST_SEED"]?.isEmpty ?? true
  return [propertySeed(label: label)] + (isUsual ? failed : [])
}
