extension JSONReader {
  /// Skips the opening quote and the characters up to the first escape, control character or closing quote.
  ///
  /// - Returns: The offset of the first byte of the text, and whether all skipped bytes are ASCII.
  private mutating func plainPart() -> (start: Int, isASCII: Bool) {
    position += 1
    let start = position
    var high: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      high |= byte
      position += 1
    }
    return (start, high < 0x80)
  }

  /// Decodes a range of bytes; `nil` if it is not valid UTF-8.
  private func string(_ part: Range<Int>, isASCII: Bool) -> String? {
    let part = UnsafeBufferPointer(rebasing: bytes[part])
    let text = String(decoding: part, as: UTF8.self)
    // Decoding replaces invalid UTF-8, so the result differs; this is much faster than the library's
    // validation.
    return isASCII || text.utf8.elementsEqual(part) ? text : nil
  }

  /// Reads a string from its opening quote.
  mutating func text() throws(JSONTree.Failure) -> String {
    let (start, isASCII) = plainPart()
    guard position < bytes.count else { throw .malformed }
    if bytes[position] == UInt8(ascii: "\"") {
      position += 1
      guard let text = string(start..<position - 1, isASCII: isASCII) else { throw .malformed }
      return isASCII ? text : text.limitingMarks
    }
    var decoded = Array(bytes[start..<position])
    while true {
      guard position < bytes.count else { throw .malformed }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .malformed }
        return text.limitingMarks
      case UInt8(ascii: "\\"): try escape(into: &decoded)
      case 0..<0x20: throw .malformed
      default: decoded.append(byte)
      }
    }
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONTree.Failure) {
    guard position < bytes.count else { throw .malformed }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      if unit & 0xFC00 == 0xD800, let low = try lowSurrogate() {
        unit = 0x1_0000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
      }
      let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
      decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw .malformed
    }
  }

  /// Reads the second half of a surrogate pair, if one follows.
  private mutating func lowSurrogate() throws(JSONTree.Failure) -> UInt32? {
    let place = position
    guard bytes.count - position >= 2, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    position += 2
    let unit = try hexadecimal()
    if unit & 0xFC00 == 0xDC00 { return unit }
    position = place
    return nil
  }

  private mutating func hexadecimal() throws(JSONTree.Failure) -> UInt32 {
    guard bytes.count - position >= 4 else { throw .malformed }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: throw .malformed
      }
    }
    position += 4
    return value
  }
}
