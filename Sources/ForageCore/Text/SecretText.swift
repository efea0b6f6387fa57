/// A text in which secrets are searched, with some of its encodings undone.
struct SecretText {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of each byte, and of the end, in the text as it was written; empty if nothing is decoded.
  var places: [Int32] = []
  /// Whether no more bytes follow.
  let isWhole: Bool

  /// How often an encoding is undone: a percent-encoded entity in a string of JSON within JSON, and one more.
  static let deepest = 5

  static let digits = Array("0123456789abcdef".utf8)

  /// The ASCII letter in lower case; any other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

  static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The offset of a byte in the text as it was written.
  func place(_ index: Int) -> Int { places.isEmpty ? index : Int(places[index]) }

  // MARK: Comparing

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
  func match(_ form: [UInt8], at place: Int) -> Match {
    var (match, index) = (Match(end: place), place)
    while match.count < form.count {
      guard index < bytes.count else {
        match.isAtEnd = true
        match.isUndecided = !isWhole
        return match
      }
      let (byte, wanted) = (Self.lowercased(bytes[index]), form[match.count])
      if byte == wanted || wanted == UInt8(ascii: " ") && byte == UInt8(ascii: "+") {
        match.count += 1
        index += 1
        match.end = index
        continue
      }
      // A line break may also stand for a space at which the text was wrapped.
      guard match.count > 0 else { return match }
      switch interruption(index) {
      case .until(let end):
        if wanted == UInt8(ascii: " ") { match.count += 1 }
        index = end
      case .undecided:
        match.isUndecided = true
        return match
      case .none: return match
      }
    }
    return match
  }

  // MARK: Decoding

  /// A text in which escapes are replaced by what they stand for.
  struct Decoded {
    var bytes: [UInt8] = []
    var places: [Int32] = []
  }

  /// What stands at the beginning of an escape.
  private enum Escape {
    /// The byte itself.
    case plain
    /// The text ends within the escape.
    case cut
    case byte(UInt8, end: Int)
    case scalar(UnicodeScalar, end: Int)
  }

  /// Replaces each escape (percent-encoding, character references of HTML, escapes of JSON and of programming
  /// languages) by what it stands for.
  ///
  /// - Parameters:
  ///   - onlyJSON: Whether the text is in a string of JSON, whose own escapes are replaced.
  ///   - cut: Receives the written offset of an escape at the end that needs more bytes; the result ends
  ///     before it.
  /// - Returns: `nil` if there are no escapes.
  func decoded(onlyJSON: Bool = false, cut: inout Int?) -> Decoded? {
    var result = Decoded()
    var (index, start, end) = (0, 0, bytes.count)
    func add(_ end: Int) {
      for index in start..<end {
        result.bytes.append(bytes[index])
        result.places.append(Int32(place(index)))
      }
    }
    while index < end {
      let byte = bytes[index]
      guard
        byte == UInt8(ascii: "\\") || !onlyJSON && (byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&"))
      else {
        index += 1
        continue
      }
      let escape = escape(index)
      switch escape {
      case .plain: index += onlyJSON ? 2 : 1
      case .cut:
        cut = min(cut ?? .max, place(index))
        end = index
      case .byte(_, let next), .scalar(_, let next):
        add(index)
        if case .byte(let value, _) = escape { result.bytes.append(value) }
        if case .scalar(let scalar, _) = escape, let encoded = UTF8.encode(scalar) {
          result.bytes.append(contentsOf: encoded)
        }
        for _ in result.places.count..<result.bytes.count { result.places.append(Int32(place(index))) }
        (index, start) = (next, next)
      }
    }
    guard start > 0 || end < bytes.count else { return nil }
    add(end)
    result.places.append(Int32(place(end)))
    return result
  }

  private func escape(_ index: Int) -> Escape {
    switch bytes[index] {
    case UInt8(ascii: "%"): byte(index + 1)
    case UInt8(ascii: "&"): reference(index + 1)
    default: backslash(index + 1)
    }
  }

  private var ended: Escape { isWhole ? .plain : .cut }

  private static func digit(_ byte: UInt8) -> UInt32? {
    digits.firstIndex(of: lowercased(byte)).map(UInt32.init)
  }

  /// The number with hexadecimal digits at an offset; `plain` if there are fewer.
  private func number(_ start: Int, _ count: Int) -> (value: UInt32, Escape) {
    var value: UInt32 = 0
    for index in start..<start + count {
      guard let byte = at(index) else { return (0, ended) }
      guard let digit = Self.digit(byte) else { return (0, .plain) }
      value = value << 4 | digit
    }
    return (value, .byte(UInt8(truncatingIfNeeded: value), end: start + count))
  }

  /// The byte with two hexadecimal digits.
  private func byte(_ start: Int) -> Escape { number(start, 2).1 }

  // MARK: Character references

  /// The names of ASCII characters in HTML.
  private static let names: [String: UnicodeScalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "Tab": "\t", "NewLine": "\n", "excl": "!",
    "num": "#", "dollar": "$", "percnt": "%", "lpar": "(", "rpar": ")", "ast": "*", "plus": "+", "comma": ",",
    "period": ".", "sol": "/", "colon": ":", "semi": ";", "equals": "=", "quest": "?", "commat": "@",
    "lsqb": "[", "lbrack": "[", "bsol": "\\", "rsqb": "]", "rbrack": "]", "Hat": "^", "lowbar": "_",
    "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|", "rcub": "}", "rbrace": "}",
  ]
  private static let longestName = 7
  /// The maximum number of digits of a character reference, with leading zeros.
  private static let longestNumber = 32

  private func reference(_ start: Int) -> Escape {
    if at(start) == UInt8(ascii: "#") { return numericReference(start + 1) }
    var end = start
    while let byte = at(end), end - start <= Self.longestName, (97...122).contains(Self.lowercased(byte)) {
      end += 1
    }
    guard let byte = at(end) else { return ended }
    guard byte == UInt8(ascii: ";"), end > start,
      let scalar = Self.names[String(decoding: bytes[start..<end], as: UTF8.self)]
    else { return .plain }
    return .scalar(scalar, end: end + 1)
  }

  /// The character of a reference after its `#`.
  private func numericReference(_ start: Int) -> Escape {
    guard let first = at(start) else { return ended }
    let isHexadecimal = Self.lowercased(first) == UInt8(ascii: "x")
    let begin = isHexadecimal ? start + 1 : start
    var (index, value) = (begin, UInt32(0))
    while let byte = at(index), let digit = Self.digit(byte), isHexadecimal || digit < 10 {
      guard index - begin < Self.longestNumber else { return .plain }
      value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
      index += 1
    }
    guard let end = at(index) else { return ended }
    guard index > begin, end == UInt8(ascii: ";"), let scalar = UnicodeScalar(value) else { return .plain }
    return .scalar(scalar, end: index + 1)
  }

  // MARK: Backslashes

  private func backslash(_ start: Int) -> Escape {
    guard let byte = at(start) else { return ended }
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .byte(byte, end: start + 1)
    case UInt8(ascii: "t"): return .byte(UInt8(ascii: "\t"), end: start + 1)
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"):
      return .byte(UInt8(ascii: "\n"), end: start + 1)
    case UInt8(ascii: "x"): return self.byte(start + 1)
    case UInt8(ascii: "u"): return at(start + 1) == UInt8(ascii: "{") ? braces(start + 2) : unit(start + 1)
    case UInt8(ascii: "U"):
      let (value, number) = number(start + 1, 8)
      guard case .byte(_, let end) = number else { return number }
      return UnicodeScalar(value).map { .scalar($0, end: end) } ?? .plain
    default: return .plain
    }
  }

  /// The character of `\u{...}`.
  private func braces(_ start: Int) -> Escape {
    var (index, value) = (start, UInt32(0))
    while let byte = at(index), let digit = Self.digit(byte), index - start < 8 {
      value = value << 4 | digit
      index += 1
    }
    guard let end = at(index) else { return ended }
    guard end == UInt8(ascii: "}"), index > start, let scalar = UnicodeScalar(value) else { return .plain }
    return .scalar(scalar, end: index + 1)
  }

  /// The character of `\uXXXX`, which may be half of a pair.
  private func unit(_ start: Int) -> Escape {
    let (first, number) = number(start, 4)
    guard case .byte(_, let end) = number else { return number }
    if let scalar = UnicodeScalar(first) { return .scalar(scalar, end: end) }
    let replacement = Escape.scalar("\u{FFFD}", end: end)
    guard UTF16.isLeadSurrogate(UInt16(first)) else { return replacement }
    for (offset, wanted) in "\\u".utf8.enumerated() {
      guard let byte = at(end + offset) else { return isWhole ? replacement : .cut }
      guard byte == wanted else { return replacement }
    }
    let (second, other) = self.number(end + 2, 4)
    if case .cut = other { return .cut }
    guard case .byte(_, let whole) = other, UTF16.isTrailSurrogate(UInt16(second)),
      let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
    else { return replacement }
    return .scalar(scalar, end: whole)
  }
}
