/// A text normalised to its words: lowercase ASCII letters and digits, separated by one space, with a space
/// at either end.
///
/// `licence` becomes `license`, so that phrases need one spelling only.
struct LicenseText {
  /// The number of possible bytes at the start of a word: letters, digits or the space after it.
  private static let alphabet = 37
  private static let space = UInt8(ascii: " ")

  private let bytes: [UInt8]
  /// The positions of the spaces before words, sorted by the first two bytes of the word and then by
  /// position.
  private let places: [Int32]
  /// The index in `places` where each pair of bytes begins, and the end.
  private let starts: [Int32]

  /// Normalises a text of at most 2 GiB.
  init(_ text: some Collection<UInt8>) {
    let british = Array("licence".utf8)
    var bytes: [UInt8] = [Self.space]
    bytes.reserveCapacity(text.count + 2)
    for byte in text {
      if (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) {
        bytes.append(byte)
      } else if (0x41...0x5A).contains(byte) {
        bytes.append(byte | 0x20)
      } else if bytes.last != Self.space {
        bytes.append(Self.space)
      }
      if byte | 0x20 == UInt8(ascii: "e"), bytes.count > british.count,
        bytes[bytes.count - 2] == UInt8(ascii: "c"), bytes.suffix(british.count).elementsEqual(british)
      {
        bytes[bytes.count - 2] = UInt8(ascii: "s")
      }
    }
    if bytes.last != Self.space { bytes.append(Self.space) }
    self.bytes = bytes

    var starts = [Int32](repeating: 0, count: Self.alphabet * Self.alphabet + 1)
    let words = bytes.indices.dropLast(2).filter { bytes[$0] == Self.space }
    for place in words { starts[Self.pair(bytes[place + 1], bytes[place + 2]) + 1] += 1 }
    for pair in 1..<starts.count { starts[pair] += starts[pair - 1] }
    var next = starts
    var places = [Int32](repeating: 0, count: words.count)
    for place in words {
      let pair = Self.pair(bytes[place + 1], bytes[place + 2])
      places[Int(next[pair])] = Int32(truncatingIfNeeded: place)
      next[pair] += 1
    }
    self.places = places
    self.starts = starts
  }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// Returns the first position of a phrase, at `start` or later and before `limit`.
  func position(of phrase: LicensePhrase, from start: Int = 0, limit: Int = .max) -> Int? {
    let needle = phrase.bytes
    guard needle.count > 2 else { return nil }
    let pair = Self.pair(needle[1], needle[2])
    for number in Int(starts[pair])..<Int(starts[pair + 1]) {
      let place = Int(places[number])
      if place < start { continue }
      if place >= limit { return nil }
      guard needle.count <= bytes.count - place else { return nil }
      var matched = 3
      while matched < needle.count, bytes[place + matched] == needle[matched] { matched += 1 }
      if matched == needle.count { return place }
    }
    return nil
  }

  /// The bytes before a name of a license in which a denial counts: "not licensed under the terms of the".
  private static let denialReach = 40
  /// The bytes of a phrase that a denial may end with: " licensed ".
  private static let denialOverlap = 10
  private static let denials = [
    " not licensed ", " no longer licensed ", " never licensed ", " neither licensed ", " not be licensed ",
    " not under ", " not covered by ", " not released under ", " not distributed under ",
    " not available under ", " not governed by ", " not subject to ",
  ]

  /// Whether the words before a phrase deny the license that it names.
  func isDenied(at position: Int) -> Bool {
    let start = max(0, position - Self.denialReach)
    let part = String(decoding: bytes[start..<min(count, position + Self.denialOverlap)], as: UTF8.self)
    return Self.denials.contains { part.contains($0) }
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> Int {
    number(first) * alphabet + number(second)
  }

  private static func number(_ byte: UInt8) -> Int {
    switch byte {
    case 0x61...0x7A: Int(byte - 0x61)
    case 0x30...0x39: Int(byte - 0x30) + 26
    default: 36
    }
  }
}

/// Words as they appear in a normalised text, with a space at either end.
struct LicensePhrase: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  let bytes: [UInt8]

  init(stringLiteral words: String) {
    bytes = Array((" " + words + " ").utf8)
  }
}
