import ForageFoundation

/// Masks secrets in untrusted text.
///
/// A secret is found as it is, percent-encoded, and in Base64 (RFC 4648, sections 4 and 5) at any alignment, as in
/// the credentials of Basic authentication. In all of them ASCII characters may be escaped as in JSON. Not found are
/// other encodings, a part of a secret, and a secret that a line break was put into.
package struct SecretRedaction: Sendable {
  /// The minimum length in bytes of a secret that is masked; shorter texts occur in results by chance.
  package static let shortest = 6

  /// The spellings of the secrets by the byte with which they may begin in a text, longest first.
  private var candidates = [[[UInt8]]](repeating: [], count: 256)
  private let mask: [UInt8]
  /// Whether there is nothing to mask.
  package let isEmpty: Bool

  /// Prepares the search for secrets.
  ///
  /// - Parameters:
  ///   - secrets: The secrets; those that are too short are ignored.
  ///   - mask: The replacement.
  package init(_ secrets: some Sequence<String>, mask: String = "•••") {
    self.mask = Array(mask.utf8)
    let spellings = Set(secrets.filter { !Self.isTooShort($0) }.flatMap { Self.spellings(Array($0.utf8)) })
    isEmpty = spellings.isEmpty
    for spelling in spellings.sorted(by: { $0.count > $1.count }) {
      for first in Set([spelling[0], UInt8(ascii: "%"), UInt8(ascii: "\\")]) {
        candidates[Int(first)].append(spelling)
      }
    }
  }

  /// Whether a secret is too short to be found in a text.
  package static func isTooShort(_ secret: String) -> Bool { secret.utf8.count < shortest }

  /// A secret, and its Base64 digits behind zero, one and two other bytes: those before further bytes, and those at
  /// the end with their padding.
  private static func spellings(_ secret: [UInt8]) -> [[UInt8]] {
    let standard = (0..<3).flatMap { alignment in
      let digits = Data([UInt8](repeating: 0, count: alignment) + secret).base64EncodedData()
      // A digit has six bits. The first and the last one of the secret may have bits of its neighbours.
      let (first, last) = ((alignment * 8 + 5) / 6, (alignment + secret.count) * 8 / 6)
      return [Array(digits[first..<last]), Array(digits[first...])]
    }
    let replaced: [UInt8: UInt8] = [
      UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_"),
    ]
    return [secret] + standard + standard.map { $0.map { replaced[$0] ?? $0 } }
  }

  /// The text with each secret replaced by the mask.
  package func redacted(_ text: String) -> String {
    isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
  }

  /// The bytes of a text with each secret replaced by the mask.
  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    if isEmpty { return bytes }
    var result: [UInt8] = []
    var (place, start) = (0, 0)
    while place < bytes.count {
      if let end = endOfSecret(in: bytes, at: place) {
        result += bytes[start..<place] + mask
        (place, start) = (end, end)
      } else {
        place += 1
      }
    }
    return result + bytes[start...]
  }

  private func endOfSecret(in bytes: [UInt8], at place: Int) -> Int? {
    for spelling in candidates[Int(bytes[place])] {
      // As it is, too, because a secret may itself have what looks like an escape.
      for hasEscapes in [false, true] {
        if let end = Self.end(of: spelling, in: bytes, at: place, hasEscapes: hasEscapes) { return end }
      }
    }
    return nil
  }

  private static func end(of spelling: [UInt8], in bytes: [UInt8], at start: Int, hasEscapes: Bool) -> Int? {
    var place = start
    for byte in spelling {
      guard place < bytes.count else { return nil }
      if hasEscapes, let escape = escape(in: bytes, at: place), escape.value == byte {
        place += escape.length
      } else if bytes[place] == byte {
        place += 1
      } else {
        return nil
      }
    }
    return place
  }

  /// What the characters after a backslash stand for in JSON.
  private static let escapedCharacters = Dictionary(
    uniqueKeysWithValues: zip("\"\\/nrtbf".utf8, "\"\\/\n\r\t\u{8}\u{C}".utf8))

  /// The byte that an escape stands for, and the number of bytes of the escape; `nil` if there is none.
  private static func escape(in bytes: [UInt8], at place: Int) -> (value: UInt8, length: Int)? {
    func value(_ digits: ClosedRange<Int>) -> UInt8? {
      UInt8(String(decoding: bytes[digits], as: UTF8.self), radix: 16)
    }
    return switch bytes[place] {
    case UInt8(ascii: "%") where place + 2 < bytes.count: value(place + 1...place + 2).map { ($0, 3) }
    case UInt8(ascii: "\\") where place + 5 < bytes.count && bytes[place + 1] == UInt8(ascii: "u"):
      value(place + 2...place + 5).map { ($0, 6) }
    case UInt8(ascii: "\\") where place + 1 < bytes.count:
      escapedCharacters[bytes[place + 1]].map { ($0, 2) }
    default: nil
    }
  }
}
