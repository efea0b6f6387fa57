/// A text in which a secret is compared, with the encodings that a secret may have in it.
struct SecretText {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the text is JSON, whose strings end at a quotation mark and whose escapes must stay whole.
  let isJSON: Bool
  /// Whether no more bytes follow.
  let isWhole: Bool

  /// How often an encoding is undone.
  static let deepest = 3

  static let digits = Array("0123456789abcdef".utf8)

  /// The ASCII letter in lower case; any other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

  static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  /// Whether a byte begins an escape.
  static func isEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
  }

  /// The result of comparing a form with a text.
  struct Match {
    /// The number of matching bytes of the form.
    var count = 0
    /// The offset after them.
    var end: Int
    /// Whether the text ended before the form.
    var isAtEnd = false
    /// Whether more bytes are needed.
    var isUndecided = false
  }

  /// Compares a form with the text at an offset.
  ///
  /// - Parameter depth: How often the characters that begin escapes are escaped themselves.
  func match(_ form: [UInt8], at place: Int, depth: Int) -> Match {
    var (match, index) = (Match(end: place), place)
    while match.count < form.count {
      guard index < bytes.count, !(isJSON && bytes[index] == UInt8(ascii: "\"")) else {
        match.isAtEnd = true
        match.isUndecided = !isWhole
        return match
      }
      if form[match.count] >= 0x80, let (scalar, end) = escapedScalar(index),
        form[match.count...].starts(with: scalar)
      {
        match.count += scalar.count
        index = end
        match.end = end
        continue
      }
      switch next(form[match.count], at: index, depth: depth) {
      case .byte(_, let end):
        match.count += 1
        index = end
        match.end = end
      case .undecided:
        match.isUndecided = true
        return match
      case .none:
        // A line break may also stand for a space at which the text was wrapped.
        guard match.count > 0 else { return match }
        switch interruption(index) {
        case .byte(_, let end):
          if form[match.count] == UInt8(ascii: " ") { match.count += 1 }
          index = end
        case .undecided:
          match.isUndecided = true
          return match
        case .none: return match
        }
      }
    }
    return match
  }

  /// What stands at an offset.
  enum Unit {
    case none
    /// The text ends within it.
    case undecided
    case byte(UInt8, end: Int)
  }

  private func next(_ wanted: UInt8, at index: Int, depth: Int) -> Unit {
    let byte = bytes[index]
    if byte == wanted, Self.isEscape(byte) { return escapeItself(byte, at: index, depth: depth) }
    if Self.lowercased(byte) == wanted || wanted == UInt8(ascii: " ") && byte == UInt8(ascii: "+") {
      return .byte(wanted, end: index + 1)
    }
    guard Self.isEscape(byte) else { return .none }
    switch unescaped(index) {
    case .byte(wanted, let end): return .byte(wanted, end: end)
    case .byte(UInt8(ascii: "+"), let end) where wanted == UInt8(ascii: " "): return .byte(wanted, end: end)
    case .undecided: return .undecided
    default: return .none
    }
  }

  /// The byte that begins escapes, itself escaped a number of times or fewer.
  private func escapeItself(_ byte: UInt8, at index: Int, depth: Int) -> Unit {
    if byte == UInt8(ascii: "\\") {
      let wanted = 1 << (isJSON ? max(depth, 1) : depth)
      var run = 0
      while run < wanted, at(index + run) == byte { run += 1 }
      if run < wanted, index + run == bytes.count, !isWhole { return .undecided }
      if run == 1, wanted > 1, case .byte(byte, let end) = unescaped(index) { return .byte(byte, end: end) }
      // Half of a pair would leave the other half behind.
      return run == 1 && isJSON ? .none : .byte(byte, end: index + (run == 1 ? 1 : run & ~1))
    }
    let more = byte == UInt8(ascii: "%") ? Self.percentAgain : Self.ampersandAgain
    var (end, count) = (index + 1, 0)
    while count < depth, hasName(more, at: end) { (end, count) = (end + more.count, count + 1) }
    if count < depth, !isWhole, more.starts(with: bytes[min(end, bytes.count)...]) { return .undecided }
    if depth > 0, count == 0 {
      switch unescaped(index) {
      case .byte(byte, let end): return .byte(byte, end: end)
      case .undecided: return .undecided
      default: break
      }
    }
    return .byte(byte, end: end)
  }

  private static let percentAgain = Array("25".utf8)
  private static let ampersandAgain = Array("amp;".utf8)

  // MARK: Escapes

  func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The result where the text ends.
  var ended: Unit { isWhole ? .none : .undecided }

  /// The byte for which the escape at an offset stands, in lower case.
  func unescaped(_ index: Int) -> Unit {
    switch bytes[index] {
    case UInt8(ascii: "%"):
      // Encoded again, `%41` is `%2541`.
      var start = index + 1
      for _ in 0..<Self.deepest where at(start) == UInt8(ascii: "2") && at(start + 1) == UInt8(ascii: "5") {
        let following = [at(start + 2), at(start + 3)]
        guard following.allSatisfy({ $0.map { Self.digit($0) != nil } ?? true }) else { break }
        guard !following.contains(nil) else { return isWhole ? number(start, 2) : .undecided }
        start += 2
      }
      return number(start, 2)
    case UInt8(ascii: "&"): return entity(index + 1)
    default: return backslash(index)
    }
  }

  /// The byte with a number of hexadecimal digits at an offset.
  private func number(_ start: Int, _ count: Int) -> Unit {
    var value = 0
    for index in start..<start + count {
      guard let byte = at(index) else { return ended }
      guard let digit = Self.digit(byte) else { return .none }
      value = value << 4 | digit
    }
    return value < 256 ? .byte(Self.lowercased(UInt8(value)), end: start + count) : .none
  }

  private static func digit(_ byte: UInt8) -> Int? { digits.firstIndex(of: lowercased(byte)) }

  private static let entities: [(name: [UInt8], byte: UInt8)] = [
    ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }
  /// The maximum number of digits of a character reference, with leading zeros.
  private static let longestReference = 8

  private func entity(_ start: Int) -> Unit {
    var start = start
    for level in 0...Self.deepest {
      if at(start) == UInt8(ascii: "#") { return reference(start + 1) }
      guard let entity = Self.entities.first(where: { hasName($0.name, at: start) }) else {
        // The name may be incomplete.
        return level == 0 && start >= bytes.count ? ended : isCutName(start) ? ended : .none
      }
      let end = start + entity.name.count
      // Encoded again, `&lt;` is `&amp;lt;`.
      if entity.byte == UInt8(ascii: "&"), !isWhole, isCutName(end) { return .undecided }
      let isAgain = entity.byte == UInt8(ascii: "&") && at(end) != nil
      let isNested =
        isAgain && (at(end) == UInt8(ascii: "#") || Self.entities.contains { hasName($0.name, at: end) })
      guard isNested else { return .byte(entity.byte, end: end) }
      start = end
    }
    return .none
  }

  private func hasName(_ name: [UInt8], at start: Int) -> Bool {
    start + name.count <= bytes.count && bytes[start..<start + name.count].elementsEqual(name)
  }

  private func isCutName(_ start: Int) -> Bool {
    Self.entities.contains { $0.name.starts(with: bytes[min(start, bytes.count)...]) }
  }

  /// The byte of a numeric character reference after its `#`.
  private func reference(_ start: Int) -> Unit {
    guard let first = at(start) else { return ended }
    let isHexadecimal = Self.lowercased(first) == UInt8(ascii: "x")
    var (index, value) = (isHexadecimal ? start + 1 : start, 0)
    let begin = index
    while let byte = at(index) {
      if byte == UInt8(ascii: ";") {
        return index > begin && value < 256 ? .byte(Self.lowercased(UInt8(value)), end: index + 1) : .none
      }
      guard let digit = Self.digit(byte), isHexadecimal || digit < 10,
        index - begin < Self.longestReference
      else { return .none }
      value = min(value * (isHexadecimal ? 16 : 10) + digit, 256)
      index += 1
    }
    return ended
  }

  /// The byte of an escape of JSON, which may be escaped again.
  private func backslash(_ index: Int) -> Unit {
    var end = index
    while at(end) == UInt8(ascii: "\\"), end - index < 1 << Self.deepest { end += 1 }
    guard let byte = at(end) else {
      guard isWhole else { return .undecided }
      return end - index > 1 ? .byte(UInt8(ascii: "\\"), end: index + 2) : .none
    }
    // After pairs of backslashes in JSON, a quotation mark ends the string.
    let isEnd = isJSON && byte == UInt8(ascii: "\"") && (end - index).isMultiple(of: 2)
    switch byte {
    case _ where isEnd: return .byte(UInt8(ascii: "\\"), end: index + 2)
    case UInt8(ascii: "u"):
      // Four digits; those above 255 are other characters.
      let value = number(end + 1, 4)
      if case .none = value { break }
      return value
    case UInt8(ascii: "x"):
      let value = number(end + 1, 2)
      if case .none = value { break }
      return value
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "'"): return .byte(byte, end: end + 1)
    case UInt8(ascii: "t"): return .byte(UInt8(ascii: "\t"), end: end + 1)
    default: break
    }
    return end - index > 1 ? .byte(UInt8(ascii: "\\"), end: index + 2) : .none
  }

  /// The UTF-8 form of the scalar beyond ASCII that an escape of JSON at an offset stands for, and the
  /// offset after it; `nil` for anything else.
  func escapedScalar(_ index: Int) -> ([UInt8], end: Int)? {
    var (units, place) = ([UInt16](), index)
    while units.count < 2, at(place) == UInt8(ascii: "\\"), at(place + 1) == UInt8(ascii: "u"),
      place + 6 <= bytes.count
    {
      guard let unit = UInt16(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16) else {
        return nil
      }
      units.append(unit)
      place += 6
      if !UTF16.isLeadSurrogate(unit) { break }
    }
    guard let first = units.first, first >= 0x80 else { return nil }
    return (Array(String(decoding: units, as: UTF16.self).utf8), place)
  }
}
