/// Percent-encoding after RFC 3986.
///
/// Foundation's needs the part of the library that FoundationEssentials leaves out, and decodes no text in
/// which a percent sign stands alone.
public enum PercentEncoding {
  /// Whether a byte is an unreserved character, which never needs encoding.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Encodes every byte except unreserved characters. The result is safe as a path segment, a parameter name
  /// or a parameter value.
  public static func encode(_ text: String) -> String { encode(text.utf8, where: isUnreserved) }

  /// Encodes the bytes that are not kept.
  package static func encode(_ bytes: some Sequence<UInt8>, where isKept: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in bytes {
      if isKept(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes every segment of a path and keeps the slashes.
  package static func encodePath(_ path: some StringProtocol) -> String { encodePath(bytes: path.utf8) }

  /// Encodes every segment of a path whose bytes need not be UTF-8, and keeps the slashes.
  package static func encodePath(bytes: some Sequence<UInt8>) -> String {
    encode(bytes) { $0 == UInt8(ascii: "/") || isUnreserved($0) }
  }

  /// Encodes only control and invisible formatting characters, for use in an id.
  package static func encodeInvisible(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: result += encode(String(scalar))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Decodes percent-encodings. A percent sign without two hexadecimal digits is kept.
  ///
  /// - Parameter isDecoded: Selects the bytes to decode. Other encodings are kept, with their digits in upper
  ///   case.
  package static func decode(_ text: some StringProtocol, where isDecoded: (UInt8) -> Bool = { _ in true })
    -> String
  {
    String(decoding: decodedBytes(text, where: isDecoded), as: UTF8.self)
  }

  /// The bytes that percent-encodings stand for, which need not be UTF-8.
  package static func decodedBytes(
    _ text: some StringProtocol, where isDecoded: (UInt8) -> Bool = { _ in true }
  ) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = bytes[index...].dropFirst().prefix(2)
      if bytes[index] == UInt8(ascii: "%"), digits.count == 2,
        digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result +=
          isDecoded(value)
          ? [value] : Array("%" + String(decoding: digits, as: UTF8.self).uppercased()).flatMap(\.utf8)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

extension Substring {
  /// The parts between slashes. A slash before a combining mark separates, too, unlike in `split`, which
  /// compares characters.
  package func slashSeparated(omittingEmptySubsequences: Bool = false) -> [Substring] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omittingEmptySubsequences).map {
      Substring($0)
    }
  }
}

extension String {
  /// The range of the first occurrence of an ASCII text, compared byte by byte.
  package func utf8Range(of text: StaticString) -> Range<Index>? {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var start = utf8.startIndex
    while start < utf8.endIndex {
      var (end, matched) = (start, 0)
      while matched < wanted.count, end < utf8.endIndex, utf8[end] == wanted[matched] {
        end = utf8.index(after: end)
        matched += 1
      }
      if matched == wanted.count { return start..<end }
      start = utf8.index(after: start)
    }
    return nil
  }
}

/// The path of a file as text: itself, or, if it is not UTF-8, the address `file:///...` with its bytes in
/// percent-encodings.
package enum FilePathText {
  private static let scheme = "file://"

  /// The text of an absolute path.
  package static func text(_ path: [UInt8]) -> String {
    let text = String(decoding: path, as: UTF8.self)
    return text.utf8.elementsEqual(path) ? text : scheme + PercentEncoding.encodePath(bytes: path)
  }

  /// The address of the file that a text stands for.
  package static func address(_ text: String) -> String {
    text.hasPrefix(scheme) ? text : scheme + PercentEncoding.encodePath(text)
  }

  /// The bytes of a path that is not UTF-8; `nil` for any other text.
  package static func bytes(_ text: String) -> [UInt8]? {
    text.hasPrefix(scheme) ? PercentEncoding.decodedBytes(text.dropFirst(scheme.count)) : nil
  }
}
