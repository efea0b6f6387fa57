import ForageCore

/// The format of a session file: the state and a checksum.
///
/// Without the checksum, a damaged file could make a page repeat or omit results unnoticed.
extension SessionFiles {
  /// The size of the checksum after the state, in little-endian order.
  private static let sumBytes = 8

  /// Encodes a file.
  static func sealed(_ state: [UInt8]) -> [UInt8] {
    let sum = state.fnv1a
    return state + (0..<sumBytes).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }

  /// Decodes a file; `nil` if it is damaged.
  static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= sumBytes else { return nil }
    let state = bytes.dropLast(sumBytes)
    let kept = bytes.suffix(sumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return kept == state.fnv1a ? Array(state) : nil
  }
}
