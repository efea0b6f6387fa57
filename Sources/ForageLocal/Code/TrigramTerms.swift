import ForageFoundation

/// The trigrams of texts as terms of the full-text index.
///
/// A term stands for three characters of one line. The index needs each term of a text only once: giving it
/// the distinct ones, not every position, makes indexing faster. A term is five characters of base 32, which
/// FTS5's tokenizer for ASCII leaves as they are: 21 bits for three characters of ASCII, otherwise a hash, by
/// which a text may become a candidate without reason, but is never missed.
enum TrigramTerms {
  /// The bits of three characters of ASCII, seven each.
  private static let asciiMask = 1 << 21 - 1
  /// The highest of 25 bits marks hashes.
  private static let hashFlag = 1 << 24

  /// The characters of a term, which FTS5's tokenizer neither separates nor changes.
  private static let digits = [UInt8]("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// The term of three characters, whose case is ignored.
  static func term(_ scalars: some Collection<Unicode.Scalar>) -> String {
    var number = Number()
    var last: Int?
    for scalar in scalars { last = number.next(folded(scalar)) }
    var text: [UInt8] = []
    if let last { append(last, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The distinct terms of a text, separated by spaces.
  static func distinct(in bytes: UnsafeRawBufferPointer) -> Data {
    var seen = Seen()
    var number = Number()
    if bytes.allSatisfy({ $0 < 0x80 }) {
      for byte in bytes {
        let isUpper = byte &- 0x41 < 26
        if let value = number.next(UInt32(isUpper ? byte | 0x20 : byte)) { seen.insert(value) }
      }
    } else {
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        if let value = number.next(folded(scalar)) { seen.insert(value) }
      }
    }
    var text: [UInt8] = []
    text.reserveCapacity(seen.values.count * 6)
    for value in seen.values {
      append(value, to: &text)
      text.append(0x20)
    }
    return Data(text)
  }

  /// The character that stands for all that differ by case only, at least by those that PCRE2 takes for the
  /// same.
  static func folded(_ scalar: Unicode.Scalar) -> UInt32 {
    if scalar.value < 0x80 { return scalar.value &- 0x41 < 26 ? scalar.value | 0x20 : scalar.value }
    let properties = scalar.properties
    guard properties.changesWhenCaseMapped else { return scalar.value }
    let upper = single(properties.uppercaseMapping) ?? scalar
    return (single(upper.properties.lowercaseMapping) ?? upper).value
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }

  private static func append(_ value: Int, to text: inout [UInt8]) {
    for shift in stride(from: 20, through: 0, by: -5) { text.append(digits[value >> shift & 31]) }
  }

  /// The numbers of trigrams, one character after the other.
  private struct Number {
    private var last: (UInt32, UInt32) = (0, 0)
    private var length = 0

    /// The number of the trigram that ends with a character; `nil` before the third one of a line.
    @inline(__always)
    mutating func next(_ character: UInt32) -> Int? {
      if character == 0x0A {
        length = 0
        return nil
      }
      let (a, b) = last
      last = (b, character)
      length += 1
      guard length >= 3 else { return nil }
      if (a | b | character) < 0x80 { return Int(a << 14 | b << 7 | character) }
      // FNV-1a, of which the highest 24 bits are mixed best.
      var hash: UInt32 = 2_166_136_261
      for part in [a, b, character] { hash = (hash ^ part) &* 16_777_619 }
      return TrigramTerms.hashFlag | Int(hash >> 8)
    }
  }

  /// A set of numbers of trigrams, quick for those of ASCII.
  private struct Seen {
    private var ascii = [UInt64](repeating: 0, count: (TrigramTerms.asciiMask + 1) / 64)
    private var hashes: Set<Int> = []
    private(set) var values: [Int] = []

    @inline(__always)
    mutating func insert(_ value: Int) {
      if value <= TrigramTerms.asciiMask {
        let bit: UInt64 = 1 << UInt64(value & 63)
        guard ascii[value >> 6] & bit == 0 else { return }
        ascii[value >> 6] |= bit
      } else {
        guard hashes.insert(value).inserted else { return }
      }
      values.append(value)
    }
  }
}
