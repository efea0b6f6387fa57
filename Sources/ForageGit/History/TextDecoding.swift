import CLibGit2

/// Converts text of commits in other encodings to UTF-8.
enum TextDecoding {
  /// Returns the text in UTF-8; unchanged if the encoding is UTF-8, unknown, or does not fit the bytes.
  static func utf8(_ bytes: [UInt8], encoding: [UInt8]) -> [UInt8] {
    if encoding.isEmpty || isUTF8(encoding) || bytes.allSatisfy({ $0 < 0x80 && $0 != 0x1B }) { return bytes }
    let name = String(decoding: encoding, as: UTF8.self)
    return converted(bytes, from: name) ?? bytes
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
      return systemConverted(bytes, from: name)
    }
  }

  #if canImport(Darwin)
    /// iconv is a separate library there; such text stays unchanged.
    private static func systemConverted(_ bytes: [UInt8], from name: String) -> [UInt8]? { nil }
  #else
    private static func systemConverted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
      guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else { return nil }
      defer { iconv_close(converter) }
      var input = bytes.map { CChar(bitPattern: $0) }
      // No single byte of a known encoding becomes more than 6 bytes of UTF-8 (decomposed sequences).
      var output = [CChar](repeating: 0, count: bytes.count * 6 + 16)
      let capacity = output.count
      let written: Int? = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
          var from = source.baseAddress
          var fromLeft = source.count
          var to = target.baseAddress
          var toLeft = capacity
          let status = iconv(converter, &from, &fromLeft, &to, &toLeft)
          return status == -1 || fromLeft > 0 ? nil : capacity - toLeft
        }
      }
      return written.map { output.prefix($0).map { UInt8(bitPattern: $0) } }
    }
  #endif
}
