/// A place in some bytes that moves forward; reading beyond the end gives nothing.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var at = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// The byte here; nil at the end.
  var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// The byte some places ahead; nil beyond the end.
  func peek(_ ahead: Int) -> UInt8? { at + ahead < bytes.count ? bytes[at + ahead] : nil }

  /// Goes on by some bytes, at most to the end.
  mutating func skip(_ count: Int = 1) { at = min(at + count, bytes.count) }

  /// Takes a byte if it is this one.
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  /// Whether these bytes stand here.
  func stands(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length <= bytes.count - at else { return false }
    return (0..<length).allSatisfy { bytes[at + $0] == word.utf8Start[$0] }
  }

  /// Goes on while a condition holds.
  mutating func skip(while condition: (UInt8) -> Bool) {
    while at < bytes.count, condition(bytes[at]) { at += 1 }
  }

  /// The text of the bytes for which a condition holds, from here on.
  mutating func text(while condition: (UInt8) -> Bool) -> String {
    let start = at
    skip(while: condition)
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Goes to the end of the line.
  mutating func skipLine() { skip { $0 != 0x0A } }

  /// Goes behind these bytes, or to the end.
  mutating func skip(past word: StaticString) {
    while at < bytes.count, !stands(word) { at += 1 }
    skip(word.utf8CodeUnitCount)
  }

  /// The rest of a string whose opening quote was taken, without its closing one: backslashes take the next byte
  /// as it is (its letter, not what the escape stands for: names in manifests have none).
  ///
  /// - Parameter isRaw: whether a backslash is a letter like others.
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
}
