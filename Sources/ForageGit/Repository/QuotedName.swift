/// A name in double quotes with C escapes, as git writes unusual names (git's `unquote_c_style`).
package struct QuotedName {
  /// The name without quotes and escapes.
  package let bytes: [UInt8]
  /// The bytes after the closing quote.
  package let rest: ArraySlice<UInt8>

  /// Parses a name; nil if the quotes are not closed or an escape is unknown.
  ///
  /// - Parameter line: begins with the opening quote.
  package init?(_ line: ArraySlice<UInt8>) {
    var bytes: [UInt8] = []
    var rest = line.dropFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        (self.bytes, self.rest) = (bytes, rest)
        return
      }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = rest.popFirst(), let plain = Self.plain(escaped, &rest) else { return nil }
      bytes.append(plain)
    }
    return nil
  }

  /// Returns the byte of an escape, whose first character is consumed.
  private static func plain(_ escaped: UInt8, _ rest: inout ArraySlice<UInt8>) -> UInt8? {
    switch escaped {
    case UInt8(ascii: "a"): return 0x07
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): return escaped
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      guard let second = rest.popFirst(), let third = rest.popFirst(), second &- 0x30 < 8, third &- 0x30 < 8
      else { return nil }
      return (escaped &- 0x30) << 6 | (second &- 0x30) << 3 | (third &- 0x30)
    default: return nil
    }
  }
}
