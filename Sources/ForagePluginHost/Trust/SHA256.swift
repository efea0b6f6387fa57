/// The digest SHA-256, as in FIPS 180-4.
struct SHA256 {
  private static let blockSize = 64
  /// Where the length stands in the last block.
  private static let lengthOffset = 56

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes (section 5.3.3).
  private var state: SIMD8<UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// The digest of bytes, as 64 lower-case hexadecimal digits.
  static func hex(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.hex()
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.blockSize - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == Self.blockSize else { return }
      let block = rest
      block.withUnsafeBytes { compress($0[...]) }
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count >= Self.blockSize {
      compress(bytes.prefix(Self.blockSize))
      bytes = bytes.dropFirst(Self.blockSize)
    }
    rest += bytes
  }

  /// The digest of what was added, as 64 lower-case hexadecimal digits.
  consuming func hex() -> String {
    let bits = count * 8
    // Padding of a one bit, zeros and the length (section 5.1.1).
    let used = (rest.count + 1) % Self.blockSize
    let zeros = (Self.lengthOffset + Self.blockSize - used) % Self.blockSize
    let padding =
      [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    padding.withUnsafeBytes { update($0) }
    return (0..<8).map { word in
      let digits = String(state[word], radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Adds a block of 64 bytes (section 6.2.2).
  private mutating func compress(_ block: Slice<UnsafeRawBufferPointer>) {
    let memory = UnsafeRawBufferPointer(rebasing: block)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.constants.count) { schedule in
      for index in 0..<16 {
        schedule[index] = UInt32(
          bigEndian: memory.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      for index in 16..<schedule.count {
        let (early, late) = (schedule[index - 15], schedule[index - 2])
        let first = Self.rotated(early, 7) ^ Self.rotated(early, 18) ^ (early >> 3)
        let second = Self.rotated(late, 17) ^ Self.rotated(late, 19) ^ (late >> 10)
        schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for index in 0..<schedule.count {
        let choice = (e & f) ^ (~e & g)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        let sumOfE = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
        let sumOfA = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
        let next = h &+ sumOfE &+ choice &+ Self.constants[index] &+ schedule[index]
        (h, g, f, e) = (g, f, e, d &+ next)
        (d, c, b, a) = (c, b, a, next &+ sumOfA &+ majority)
      }
      state &+= [a, b, c, d, e, f, g, h]
    }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
