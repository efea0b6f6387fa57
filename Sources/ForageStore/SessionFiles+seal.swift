/// The format of a session file: the state and a checksum.
///
/// Without the checksum, a damaged file could make a page repeat or omit results unnoticed.
extension SessionFiles {
  /// The size of the checksum after the state, in little-endian order.
  private static let sumBytes = 8

  /// Encodes a file.
  static func sealed(_ state: [UInt8]) -> [UInt8] {
    let sum = sum(state[...])
    return state + (0..<sumBytes).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }

  /// Decodes a file; `nil` if it is damaged.
  static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= sumBytes else { return nil }
    let state = bytes.dropLast(sumBytes)
    let kept = bytes.suffix(sumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return kept == sum(state) ? Array(state) : nil
  }

  /// 64-bit FNV-1a (Fowler, Noll and Vo), against accidental damage only.
  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
