/// A compiled path glob with git's semantics: `*` and `?` within a component, `**` across components,
/// `[...]`, `\`.
///
/// All alternatives are tracked at once, so the time is at most the product of both lengths, whatever the
/// pattern.
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
    /// Makes the following `**/` optional.
    case optional
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
  private let foldsCase: Bool

  /// Compiles a pattern.
  ///
  /// - Parameter foldsCase: whether ASCII letters match case-insensitively.
  package init(_ pattern: ArraySlice<UInt8>, foldsCase: Bool) {
    self.foldsCase = foldsCase
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
        var parser = GlobSet(foldsCase: foldsCase)
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
          literal(pattern[position + 1], folds: false)
        } else {
          tokens.append(Token(kind: .never))
        }
        position += 2
      default:
        literal(byte, folds: foldsCase)
        position += 1
      }
    }
  }

  private mutating func literal(_ byte: UInt8, folds: Bool) {
    tokens.append(Token(kind: .literal, byte: folds ? lowercased(byte) : byte))
  }

  /// Compiles asterisks: two or more cross slashes if they are between slashes or ends.
  private mutating func stars(_ pattern: ArraySlice<UInt8>, _ position: inout Int) {
    let start = position
    while position < pattern.endIndex, pattern[position] == UInt8(ascii: "*") { position += 1 }
    let slash = UInt8(ascii: "/")
    let isDeep = position - start > 1 && (start == pattern.startIndex || pattern[start - 1] == slash)
    let rest = pattern[position...]
    if isDeep, rest.first == slash {
      tokens.append(Token(kind: .optional))
      tokens.append(Token(kind: .deepStar))
    } else if isDeep, rest.isEmpty || rest.starts(with: [UInt8(ascii: "\\"), slash]) {
      tokens.append(Token(kind: .deepStar))
    } else {
      tokens.append(Token(kind: .star))
    }
  }

  /// About the number of steps for each byte of a text.
  var steps: Int { tokens.count < UInt64.bitWidth ? 1 : tokens.count }

  /// Whether the pattern matches the whole text.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    // One bit for each position between tokens.
    tokens.count < UInt64.bitWidth ? matchesShort(text) : matchesLong(text)
  }

  private func matchesShort(_ text: UnsafeRawBufferPointer) -> Bool {
    var active = closure(1)
    for position in 0..<text.count {
      let byte = foldsCase ? lowercased(text[position]) : text[position]
      var next: UInt64 = 0
      var rest = active
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        rest &= rest - 1
        guard place < tokens.count else { continue }
        let (stays, advances) = step(tokens[place], byte)
        if stays { next |= 1 << UInt64(place) }
        if advances { next |= 1 << UInt64(place + 1) }
      }
      if next == 0 { return false }
      active = closure(next)
    }
    return active >> UInt64(tokens.count) & 1 == 1
  }

  /// Adds the positions that are reachable without consuming a byte.
  @inline(__always) private func closure(_ places: UInt64) -> UInt64 {
    var result = places
    var rest = places
    while rest != 0 {
      let place = rest.trailingZeroBitCount
      rest &= rest - 1
      guard place < tokens.count else { continue }
      var added: UInt64 = 0
      switch tokens[place].kind {
      case .star, .deepStar: added = 1 << UInt64(place + 1)
      case .optional: added = 5 << UInt64(place + 1)
      case .literal, .any, .set, .never: break
      }
      added &= ~result
      result |= added
      rest |= added
    }
    return result
  }

  private func matchesLong(_ text: UnsafeRawBufferPointer) -> Bool {
    var active = [Bool](repeating: false, count: tokens.count + 3)
    var next = active
    active[0] = true
    close(&active)
    for position in 0..<text.count {
      let byte = foldsCase ? lowercased(text[position]) : text[position]
      for place in next.indices { next[place] = false }
      for place in tokens.indices where active[place] {
        let (stays, advances) = step(tokens[place], byte)
        if stays { next[place] = true }
        if advances { next[place + 1] = true }
      }
      close(&next)
      swap(&active, &next)
    }
    return active[tokens.count]
  }

  private func close(_ places: inout [Bool]) {
    // Transitions only lead forward, so one pass is enough.
    for place in tokens.indices where places[place] {
      switch tokens[place].kind {
      case .star, .deepStar: places[place + 1] = true
      case .optional:
        // A `**` and a slash follow it.
        places[place + 1] = true
        places[place + 3] = true
      case .literal, .any, .set, .never: break
      }
    }
  }

  @inline(__always) private func step(_ token: Token, _ byte: UInt8) -> (stays: Bool, advances: Bool) {
    switch token.kind {
    case .literal: (false, byte == token.byte)
    case .any: (false, byte != UInt8(ascii: "/"))
    case .set: (false, sets[Int(token.set) + Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1)
    case .star: (byte != UInt8(ascii: "/"), false)
    case .deepStar: (true, false)
    case .never, .optional: (false, false)
    }
  }
}
