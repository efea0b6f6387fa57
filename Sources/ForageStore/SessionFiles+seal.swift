/// What a file holds: the state and a sum of it, so that damage is not taken for a place.
///
/// A page that goes on from a wrong place would repeat results or leave some out, and nobody would notice.
extension SessionFiles {
  /// The sum as it stands behind the state, the lowest byte first.
  private static let sumBytes = 8

  /// The bytes of a file.
  static func sealed(_ state: [UInt8]) -> [UInt8] {
    let sum = sum(state[...])
    return state + (0..<sumBytes).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }

  /// The state in a file; `nil` when it is not what was written.
  static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= sumBytes else { return nil }
    let state = bytes.dropLast(sumBytes)
    let kept = bytes.suffix(sumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return kept == sum(state) ? Array(state) : nil
  }

  /// FNV-1a in 64 bits (Fowler, Noll and Vo): against accidents, not against somebody who may write the file.
  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
