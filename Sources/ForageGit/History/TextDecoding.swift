import ForagePlatform

/// Converts text of commits in other encodings to UTF-8.
enum TextDecoding {
  /// Returns the text in UTF-8; unchanged if the encoding is UTF-8, unknown, or does not fit the bytes.
  static func utf8(_ bytes: [UInt8], encoding: [UInt8]) -> [UInt8] {
    if encoding.isEmpty || isUTF8(encoding) || bytes.allSatisfy({ $0 < 0x80 && $0 != 0x1B }) { return bytes }
    return converted(bytes, from: String(decoding: encoding, as: UTF8.self)) ?? bytes
  }

  /// Whether the value of an `encoding` header means UTF-8.
  static func isUTF8(_ encoding: some Collection<UInt8>) -> Bool {
    let folded = encoding.filter { $0 != UInt8(ascii: "-") }.map(lowercased)
    return folded == Array("utf8".utf8)
  }

  private static func converted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    switch name.lowercased() {
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "iso_8859-1":
      return Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    default:
      return convertedToUTF8(bytes, from: name)
    }
  }
}
