/// A position in a byte array that moves forward; reads after the end yield nothing.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var at = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// The byte here; nil at the end.
  var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Advances by some bytes, at most to the end.
  mutating func skip(_ count: Int = 1) { at = min(at + count, bytes.count) }

  /// Consumes a byte if it is `byte`.
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  /// Whether these bytes are next.
  func stands(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length <= bytes.count - at else { return false }
    return (0..<length).allSatisfy { bytes[at + $0] == word.utf8Start[$0] }
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while at < bytes.count, condition(bytes[at]) { at += 1 }
  }

  /// Consumes the bytes for which a condition holds and returns them as text.
  mutating func text(while condition: (UInt8) -> Bool) -> String {
    let start = at
    skip(while: condition)
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Consumes a quote, double or single, and returns it.
  mutating func takeQuote() -> UInt8? {
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    at += 1
    return quote
  }

  mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 } }

  mutating func skipLine() { skip { $0 != 0x0A } }

  /// Advances past the next occurrence of these bytes, or to the end.
  mutating func skip(past word: StaticString) {
    while at < bytes.count, !stands(word) { at += 1 }
    skip(word.utf8CodeUnitCount)
  }

  /// Consumes the rest of a string after its opening quote, up to and including the closing quote. A
  /// backslash yields the next byte literally instead of the character it encodes, because names in manifests
  /// have no escapes.
  ///
  /// - Parameter isRaw: whether a backslash is an ordinary byte.
  mutating func string(_ quote: UInt8, isRaw: Bool = false) -> String {
    var result: [UInt8] = []
    while let byte = peek {
      at += 1
      if byte == quote { break }
      if byte == UInt8(ascii: "\\"), !isRaw {
        if let next = peek {
          result.append(next)
          at += 1
        }
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a byte is a letter, digit, underscore or part of a character beyond ASCII.
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
