/// A text reduced to its words: lowercase ASCII letters and digits, one space between, one at either end.
///
/// `licence` is spelt `license`, so that phrases need one spelling only.
struct LicenseText {
  private let bytes: [UInt8]

  /// Reduces a text.
  init(_ text: [UInt8]) {
    let space = UInt8(ascii: " ")
    let british = Array("licence".utf8)
    var bytes: [UInt8] = [space]
    bytes.reserveCapacity(text.count + 2)
    for byte in text {
      if (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) {
        bytes.append(byte)
      } else if (0x41...0x5A).contains(byte) {
        bytes.append(byte | 0x20)
      } else if bytes.last != space {
        bytes.append(space)
      }
      if bytes.last == UInt8(ascii: "e"), bytes.suffix(british.count).elementsEqual(british) {
        bytes[bytes.count - 2] = UInt8(ascii: "s")
      }
    }
    if bytes.last != space { bytes.append(space) }
    self.bytes = bytes
  }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// Where a phrase of whole words first begins at `start` or later and before `limit`.
  func position(of phrase: String, from start: Int = 0, limit: Int = .max) -> Int? {
    let needle = Array((" " + phrase + " ").utf8)
    let second = needle[1]
    let last = min(limit, bytes.count - needle.count + 1)
    return bytes.withUnsafeBufferPointer { bytes in
      var at = start
      while at < last {
        if bytes[at + 1] == second, (0..<needle.count).allSatisfy({ bytes[at + $0] == needle[$0] }) {
          return at
        }
        at += 1
      }
      return nil
    }
  }
}
