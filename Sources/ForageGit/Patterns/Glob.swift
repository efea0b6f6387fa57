/// A compiled path glob with git's semantics: `*` and `?` within a component, `**` across components,
/// `[...]`, `\`.
///
/// The time is at most the product of both lengths, whatever the pattern.
package struct Glob: Sendable {
  private enum Kind: UInt8 {
    /// One byte.
    case literal
    /// Any byte except a slash.
    case any
    /// A byte of a set.
    case set
    /// Any number of bytes without a slash.
    case star
    /// Any number of bytes.
    case deepStar
    /// Nothing, or any number of bytes and a slash.
    case folders
    /// Matches nothing: an invalid pattern.
    case never
  }

  private struct Token: Sendable {
    var kind: Kind
    var byte: UInt8 = 0
    /// The position in `sets`.
    var set: Int32 = 0
  }

  private var tokens: [Token] = []
  /// 256 bits for each set.
  private var sets: [UInt64] = []

  /// Compiles a pattern.
  package init(_ pattern: ArraySlice<UInt8>) {
    var position = pattern.startIndex
    while position < pattern.endIndex {
      let byte = pattern[position]
      switch byte {
      case UInt8(ascii: "?"):
        tokens.append(Token(kind: .any))
        position += 1
      case UInt8(ascii: "*"):
        stars(pattern, &position)
      case UInt8(ascii: "["):
        var parser = GlobSet()
        if let end = parser.parse(pattern, at: position + 1) {
          tokens.append(Token(kind: .set, set: Int32(truncatingIfNeeded: sets.count)))
          sets += parser.words
          position = end
        } else {
          tokens.append(Token(kind: .never))
          position = pattern.endIndex
        }
      case UInt8(ascii: "\\"):
        if position + 1 < pattern.endIndex {
          literal(pattern[position + 1])
        } else {
          tokens.append(Token(kind: .never))
        }
        position += 2
      default:
        literal(byte)
        position += 1
      }
    }
  }

  private mutating func literal(_ byte: UInt8) {
    tokens.append(Token(kind: .literal, byte: byte))
  }

  /// Compiles asterisks: two or more cross slashes if they are between slashes or ends.
  private mutating func stars(_ pattern: ArraySlice<UInt8>, _ position: inout Int) {
    let start = position
    while position < pattern.endIndex, pattern[position] == UInt8(ascii: "*") { position += 1 }
    let slash = UInt8(ascii: "/")
    let isDeep = position - start > 1 && (start == pattern.startIndex || pattern[start - 1] == slash)
    let rest = pattern[position...]
    if isDeep, rest.first == slash {
      tokens.append(Token(kind: .folders))
      position += 1
    } else if isDeep, rest.isEmpty || rest.starts(with: [UInt8(ascii: "\\"), slash]) {
      tokens.append(Token(kind: .deepStar))
    } else {
      tokens.append(Token(kind: .star))
    }
  }

  /// Whether the pattern matches the whole text.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    let slash = UInt8(ascii: "/")
    var (token, position) = (0, 0)
    // The last `*` in the current component and the last `**`, with what they match up to. More need not be
    // known: a component matches or not whatever precedes it, and a slash or the end follows each `**`.
    var star: (token: Int, end: Int)?
    var deep: (token: Int, end: Int)?
    while true {
      if token == tokens.count {
        if position == text.count { return true }
      } else if tokens[token].kind == .star {
        star = (token, position)
        token += 1
        continue
      } else if tokens[token].kind == .deepStar || tokens[token].kind == .folders {
        (star, deep) = (nil, (token, position))
        token += 1
        continue
      } else if position < text.count, matches(tokens[token], text[position]) {
        if text[position] == slash { star = nil }
        token += 1
        position += 1
        continue
      }
      if let last = star, last.end < text.count, text[last.end] != slash {
        star = (last.token, last.end + 1)
        (token, position) = (last.token + 1, last.end + 1)
      } else if let last = deep, last.end < text.count {
        let end =
          tokens[last.token].kind == .deepStar ? last.end : Bytes.first(slash, in: text, from: last.end)
        guard let end else { return false }
        (star, deep) = (nil, (last.token, end + 1))
        (token, position) = (last.token + 1, end + 1)
      } else {
        return false
      }
    }
  }

  @inline(__always) private func matches(_ token: Token, _ byte: UInt8) -> Bool {
    switch token.kind {
    case .literal: byte == token.byte
    case .any: byte != UInt8(ascii: "/")
    case .set: sets[Int(token.set) + Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1
    case .star, .deepStar, .folders, .never: false
    }
  }
}

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
