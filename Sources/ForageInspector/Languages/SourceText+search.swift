import ForagePlatform

extension StaticString {
  var needle: SourceText.Needle { SourceText.Needle(start: utf8Start, count: utf8CodeUnitCount) }
}

extension SourceText {
  typealias Needle = UnsafeBufferPointer<UInt8>

  /// Whether the text contains one of these.
  func contains(_ needles: [Needle], asWord: Bool = false) -> Bool {
    needles.contains { find($0, asWord: asWord, in: 0..<bytes.count) }
  }

  func starts(_ line: Line, _ needle: Needle) -> Bool {
    bytes.withUnsafeBytes { starts($0, Int(line.start), Int(line.end), needle) }
  }

  /// Whether one of the lines begins with one of the needles; the first byte excludes most lines.
  func anyLine(_ lines: ArraySlice<Line>, _ needles: [Needle], flush: Bool = false) -> Bool {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for needle in needles {
      let byte = needle[0]
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
    return bytes.withUnsafeBytes { bytes in
      for line in lines where !flush || line.indent == line.start {
        let first = bytes[Int(line.start)]
        let bit: UInt64 = 1 << UInt64(first & 63)
        guard (first < 64 ? low : high) & bit != 0 else { continue }
        if needles.contains(where: { starts(bytes, Int(line.start), Int(line.end), $0) }) { return true }
      }
      return false
    }
  }

  @inline(__always)
  func starts(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int, _ needle: Needle
  ) -> Bool {
    guard end - start >= needle.count, let last = needle.last else { return false }
    for at in needle.indices where bytes[start + at] != needle[at] { return false }
    let next = start + needle.count
    return next == end || !Self.isNameByte(last) || !Self.isNameByte(bytes[next])
  }

  func find(_ needle: Needle, asWord: Bool = false, in range: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let text = needle.baseAddress, let last = needle.last else {
        return false
      }
      let rare = Self.rarest(of: needle)
      var at = range.lowerBound
      // The needle begins at `at` or later, so its rare byte is at `at + rare` or later.
      while at + needle.count <= range.upperBound,
        let place = memchr(base + at + rare, Int32(needle[rare]), range.upperBound - needle.count - at + 1)
      {
        let start = UnsafeRawPointer(place) - base - rare
        let end = start + needle.count
        if memcmp(base + start, text, needle.count) == 0,
          !asWord || start == 0 || !Self.isNameByte(bytes[start - 1]),
          !Self.isNameByte(last) || end == bytes.count || !Self.isNameByte(bytes[end])
        {
          return true
        }
        at = start + 1
      }
      return false
    }
  }

  /// Returns the index of the byte in a needle that is rarest in texts: punctuation, then rare letters.
  private static func rarest(of needle: Needle) -> Int {
    var best = 0
    var least = UInt8.max
    for at in needle.indices {
      let byte = needle[at]
      let rank: UInt8 =
        switch byte {
        case 0x20: 9
        case UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "i"), UInt8(ascii: "n"), UInt8(ascii: "s"),
          UInt8(ascii: "r"), UInt8(ascii: "a"), UInt8(ascii: "o"):
          8
        case UInt8(ascii: "c"), UInt8(ascii: "d"), UInt8(ascii: "l"), UInt8(ascii: "p"), UInt8(ascii: "u"): 7
        case 0x61...0x7A: 5
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "_"): 6
        default: 3
        }
      if rank < least { (best, least) = (at, rank) }
    }
    return best
  }
}
