import ForageGit
import ForageInspector

/// The text of a file as it is indexed, searched and shown.
///
/// A file is a text if the first 8,000 bytes of it have no NUL and it is no pointer to a file elsewhere. A
/// byte order mark at its start is no part of the text. UTF-16 with such a mark is searched as UTF-8, of
/// which the same rule holds; any other text stays the bytes that it is.
package enum CodeText {
  /// The encoding of a text that is searched as UTF-8 instead of its own bytes, by the name that IANA gives
  /// it.
  package enum Encoding: String, Sendable {
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"

    /// The encoding that a byte order mark at the start of a file names; `nil` for UTF-8 and without a mark.
    init?(markOf bytes: UnsafeRawBufferPointer) {
      if bytes.starts(with: [0xFF, 0xFE]) {
        self = .utf16LittleEndian
      } else if bytes.starts(with: [0xFE, 0xFF]) {
        self = .utf16BigEndian
      } else {
        return nil
      }
    }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Calls `body` with the text of a file and its encoding; returns `nil` for a file that is no text.
  static func with<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Encoding?) -> Value
  ) -> Value? {
    if let encoding = Encoding(markOf: bytes) {
      var text = decoded(bytes.part(2..<bytes.count), encoding)
      return text.withUTF8 { utf8 in
        let utf8 = UnsafeRawBufferPointer(utf8)
        return isText(utf8) ? body(utf8, encoding) : nil
      }
    }
    guard isText(bytes) else { return nil }
    return body(bytes.starts(with: mark) ? bytes.part(mark.count..<bytes.count) : bytes, nil)
  }

  /// The text of a file, with U+FFFD for what is not valid in its encoding; `nil` for a binary file.
  package static func string(_ bytes: [UInt8]) -> String? {
    bytes.withUnsafeBytes { bytes in
      if let encoding = Encoding(markOf: bytes) {
        let text = decoded(bytes.part(2..<bytes.count), encoding)
        return Array(text.utf8.prefix(8_000)).withUnsafeBytes(\.isBinary) ? nil : text
      }
      if bytes.isBinary { return nil }
      return String(decoding: bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0), as: UTF8.self)
    }
  }

  /// Calls `body` with the bytes of a file in UTF-8, also of one that is no text; a byte order mark of UTF-8
  /// is left.
  static func withDecoded<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    guard let encoding = Encoding(markOf: bytes) else { return body(bytes) }
    var text = decoded(bytes.part(2..<bytes.count), encoding)
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isBinary && !FilePointer.isPointer(bytes)
  }

  /// UTF-16 without its mark as text. A lone surrogate and a last byte that is half a unit become U+FFFD.
  private static func decoded(_ bytes: UnsafeRawBufferPointer, _ encoding: Encoding) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2 + 1)
    for place in stride(from: 0, to: bytes.count - 1, by: 2) {
      let unit = bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)
      units.append(encoding == .utf16LittleEndian ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit))
    }
    if bytes.count % 2 == 1 { units.append(0xFFFD) }
    return String(decoding: units, as: UTF16.self)
  }
}
