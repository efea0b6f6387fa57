/// The set of bytes of a `[...]` in a glob.
struct GlobSet {
  private(set) var words: [UInt64] = [0, 0, 0, 0]

  /// Parses a set.
  ///
  /// - Parameter start: the position after the `[`.
  /// - Returns: the position after the `]`; nil if that is missing or a class is unknown, in which case the
  ///   glob matches nothing.
  mutating func parse(_ pattern: ArraySlice<UInt8>, at start: Int) -> Int? {
    var position = start
    func byte(_ position: Int) -> UInt8? { position < pattern.endIndex ? pattern[position] : nil }
    var isNegated = false
    if byte(position) == UInt8(ascii: "!") || byte(position) == UInt8(ascii: "^") {
      isNegated = true
      position += 1
    }
    // The possible start of a range.
    var low: UInt8?
    var isFirst = true
    while isFirst || byte(position) != UInt8(ascii: "]") {
      isFirst = false
      guard let current = byte(position) else { return nil }
      if current == UInt8(ascii: "\\") {
        guard let escaped = byte(position + 1) else { return nil }
        insert(escaped)
        low = escaped
        position += 2
      } else if current == UInt8(ascii: "-"), let first = low, let next = byte(position + 1),
        next != UInt8(ascii: "]")
      {
        var last = next
        position += 2
        if next == UInt8(ascii: "\\") {
          guard let escaped = byte(position) else { return nil }
          last = escaped
          position += 1
        }
        insert(first, last)
        low = nil
      } else if current == UInt8(ascii: "["), byte(position + 1) == UInt8(ascii: ":") {
        guard let close = pattern[(position + 2)...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
        if close > position + 2, pattern[close - 1] == UInt8(ascii: ":") {
          guard insert(class: pattern[(position + 2)..<(close - 1)]) else { return nil }
          low = nil
          position = close + 1
        } else {
          insert(current)
          low = current
          position += 1
        }
      } else {
        insert(current)
        low = current
        position += 1
      }
    }
    if isNegated { words = words.map { ~$0 } }
    // No set matches a slash.
    words[0] &= ~(1 << UInt64(UInt8(ascii: "/")))
    return position + 1
  }

  private mutating func insert(_ byte: UInt8) {
    words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
  }

  private mutating func insert(_ first: UInt8, _ last: UInt8) {
    guard first <= last else { return }
    for byte in first...last { insert(byte) }
  }

  /// Inserts a POSIX class; false if it is unknown.
  private mutating func insert(class name: ArraySlice<UInt8>) -> Bool {
    let contains: (UInt8) -> Bool
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": contains = isAlphanumeric
    case "alpha": contains = isLetter
    case "blank": contains = { $0 == 0x20 || $0 == 0x09 }
    case "cntrl": contains = { $0 < 0x20 || $0 == 0x7F }
    case "digit": contains = isDigit
    case "graph": contains = { $0 > 0x20 && $0 < 0x7F }
    case "lower": contains = { isLetter($0) && $0 & 0x20 != 0 }
    case "print": contains = { $0 >= 0x20 && $0 < 0x7F }
    case "punct": contains = { $0 > 0x20 && $0 < 0x7F && !isAlphanumeric($0) }
    case "space": contains = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    case "upper": contains = { isLetter($0) && $0 & 0x20 == 0 }
    case "xdigit": contains = { isDigit($0) || ($0 | 0x20) &- 0x61 < 6 }
    default: return false
    }
    for byte in UInt8.min ... .max where contains(byte) { insert(byte) }
    return true
  }
}
