extension LineScanner {
  /// Scans a string from its opening delimiter on.
  mutating func openString(_ number: Int) -> Bool {
    let token = tokens[number]
    if token.isDocumentation, standsAlone() {
      hasCode = false
      hasComment = true
      at += token.open.count
      string(number, isComment: true)
      // Anything else on the line but white space and comments makes it code, as for every comment.
      return true
    }
    code()
    at += token.open.count
    string(number, isComment: false)
    return true
  }

  /// Whether the string that begins here is a statement of its own, optionally with a prefix letter.
  private func standsAlone() -> Bool {
    guard brackets == 0, frames == 0 else { return false }
    if hasCode {
      guard at - codeStart <= 1 else { return false }
      switch bytes[codeStart] | 0x20 {
      case UInt8(ascii: "r"), UInt8(ascii: "u"): break
      default: return false
      }
    }
    // A line that ends with a backslash continues here.
    guard lineStart >= 2 else { return true }
    let last = bytes[lineStart - 2] == 0x0D && lineStart >= 3 ? bytes[lineStart - 3] : bytes[lineStart - 2]
    return last != UInt8(ascii: "\\")
  }

  /// Scans the rest of a string, up to its closing delimiter or an interpolation.
  mutating func string(_ number: Int, isComment: Bool) {
    let token = tokens[number]
    let close = token.close[0]
    let interpolation = token.interpolation.count > 0 ? token.interpolation[0] : 0x0A
    let escape = token.escape == 0 ? 0x0A : token.escape
    while true {
      at = firstOne(close, interpolation, escape, from: at)
      guard at < count else { return }
      let byte = bytes[at]
      if byte == close, stands(token.close, at: at) {
        let end = at + token.close.count
        if token.notClosing.count == 0 || end == count || !isOne(bytes[end], of: token.notClosing) {
          at = end
          return
        }
        at = end + 1
        continue
      }
      if byte == 0x0A {
        guard token.isMultiline else { return }
        endLine()
        if isComment { skipSpaceInComment() } else { skipSpaceInString() }
        continue
      }
      // `\(` is an interpolation although a backslash is also the escape.
      if byte == interpolation, !isComment, frames < Self.frameLimit, stands(token.interpolation, at: at) {
        at += token.interpolation.count
        frameTokens[frames] = UInt8(clamping: number)
        frameDepths[frames] = 0
        frames += 1
        return
      }
      at += 1
      if byte == escape { skipEscaped(isComment) }
    }
  }

  /// Returns the index of the next of three bytes or a line feed; the end of the text if there is none.
  @inline(__always) func firstOne(_ a: UInt8, _ b: UInt8, _ c: UInt8, from start: Int) -> Int {
    var place = start
    let end = count
    let text = UnsafeRawPointer(bytes)
    let low: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let (allA, allB, allC) = (low &* UInt64(a), low &* UInt64(b), low &* UInt64(c))
    while end - place >= 8 {
      // In bounds: at least eight bytes are left.
      let block = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      // An equal byte becomes zero; subtracting one from it borrows, which sets its high bit. A borrow may
      // spoil the bytes above but not those below, so the lowest bit is right (Mycroft's test for a zero
      // byte).
      let (x, y, z, n) = (block ^ allA, block ^ allB, block ^ allC, block ^ (low &* 0x0A))
      let found = ((x &- low) & ~x | (y &- low) & ~y | (z &- low) & ~z | (n &- low) & ~n) & high
      if found != 0 { return place + found.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < end {
      let byte = bytes[place]
      if byte == a || byte == b || byte == c || byte == 0x0A { return place }
      place += 1
    }
    return end
  }

  /// Skips the byte after an escape, which may be a line end.
  private mutating func skipEscaped(_ isComment: Bool) {
    if at + 1 < count, bytes[at] == 0x0D, bytes[at + 1] == 0x0A { at += 1 }
    guard at < count else { return }
    if bytes[at] == 0x0A {
      endLine()
      if isComment { skipSpaceInComment() } else { skipSpaceInString() }
    } else {
      at += 1
    }
  }

  private func isOne(_ byte: UInt8, of bytes: StaticString) -> Bool {
    (0..<bytes.count).contains { bytes[$0] == byte }
  }

  /// Counts a bracket in an interpolation; the one that closes it resumes the string.
  mutating func bracket() {
    code()
    let byte = bytes[at]
    at += 1
    let top = frames - 1
    let number = Int(frameTokens[top])
    let opening = tokens[number].interpolation
    let open = opening[opening.count - 1]
    if byte == open {
      frameDepths[top] &+= 1
    } else if byte == (open == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")) {
      if frameDepths[top] > 0 {
        frameDepths[top] -= 1
      } else {
        frames = top
        string(number, isComment: false)
      }
    }
  }

  /// At the end of a line: drops the strings that cannot span lines, with all interpolations inside.
  mutating func abandonShortStrings() {
    var kept = 0
    while kept < frames, tokens[Int(frameTokens[kept])].isMultiline { kept += 1 }
    frames = kept
  }

  /// Scans a character literal; false if the quote begins something else.
  mutating func character(_ token: SyntaxRule, takesSeveral: Bool) -> Bool {
    let quote = bytes[at]
    guard at + 2 < count else { return false }
    var end = at + 1
    if bytes[end] == UInt8(ascii: "\\") {
      guard bytes[end + 1] != 0x0A else { return false }
      end += 2
    } else {
      guard bytes[end] != quote, bytes[end] != 0x0A else { return false }
      end += 1
      // The continuation bytes of a UTF-8 character.
      while end < count, bytes[end] & 0xC0 == 0x80, end - at <= 4 { end += 1 }
      if end < count, bytes[end] == quote {
        code()
        at = end + 1
        return true
      }
      guard takesSeveral, at == lineStart || !Self.isWord(bytes[at - 1]) else { return false }
    }
    while end < count, end - at <= Self.characterLimit, bytes[end] != 0x0A {
      if bytes[end] == quote {
        code()
        at = end + 1
        return true
      }
      end += 1
    }
    return false
  }

  /// Scans a regular expression literal; false if the slash is a division.
  mutating func regex() -> Bool {
    guard lostRegexes < Self.lostRegexLimit, regexMayStand() else { return false }
    lostRegexes += 1
    var isInClass = false
    var end = at + 1
    let limit = min(count, at + Self.regexLimit)
    while end < limit {
      switch bytes[end] {
      case 0x0A: return false
      case UInt8(ascii: "\\"):
        if end + 1 < limit, bytes[end + 1] != 0x0A { end += 1 }
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/"):
        if !isInClass {
          lostRegexes -= 1
          code()
          at = end + 1
          return true
        }
      default: break
      }
      end += 1
    }
    return false
  }

  /// Whether the code before a slash allows a regular expression: nothing, an operator, an opening bracket,
  /// or a keyword such as `return`.
  private func regexMayStand() -> Bool {
    var place = at - 1
    while place >= lineStart, Self.isSpace(bytes[place]) { place -= 1 }
    guard place >= lineStart else { return true }
    switch bytes[place] {
    case UInt8(ascii: "("), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "["),
      UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "?"), UInt8(ascii: "{"),
      UInt8(ascii: ";"), UInt8(ascii: "~"):
      return true
    case UInt8(ascii: ">"): return place > lineStart && bytes[place - 1] == UInt8(ascii: "=")
    case UInt8(ascii: "n"): return ends("return", at: place)
    case UInt8(ascii: "f"): return ends("typeof", at: place) || ends("if", at: place)
    case UInt8(ascii: "e"): return ends("case", at: place)
    default: return false
    }
  }

  private func ends(_ word: StaticString, at place: Int) -> Bool {
    let length = word.count
    let start = place + 1 - length
    guard start >= lineStart, start == lineStart || !Self.isWord(bytes[start - 1]) else { return false }
    return (0..<length).allSatisfy { bytes[start + $0] == word[$0] }
  }
}
