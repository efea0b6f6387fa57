extension LineScanner {
  /// Scans a line comment, which ends with the line or with the embedded grammar.
  mutating func lineComment(from place: Int) {
    hasComment = true
    let end = lineEnd(from: place)
    if grammar > 0, leaving.count > 0 {
      var place = place
      while place < end {
        if bytes[place] == leaving[0], stands(leaving, at: place) {
          at = place
          return
        }
        place += 1
      }
    }
    at = end
  }

  /// Scans a comment up to its closing delimiter.
  mutating func blockComment(_ token: SyntaxRule, isNested: Bool) {
    hasComment = true
    at += token.open.count
    let close = token.close[0]
    let open = token.open[0]
    let needsOwnLine = token.condition.contains(.lastOnLine)
    var depth = 1
    while true {
      at = firstOne(close, isNested ? open : close, 0x0A, from: at)
      guard at < count else { return }
      let byte = bytes[at]
      if byte == 0x0A {
        endLine()
        skipSpaceInComment()
        continue
      }
      if byte == close, stands(token.close, at: at), !needsOwnLine || isAloneOnLine(token.close) {
        at += token.close.count
        depth -= 1
        if depth == 0 { return }
        continue
      }
      if isNested, byte == open, stands(token.open, at: at), !needsOwnLine || isAloneOnLine(token.open) {
        at += token.open.count
        depth += 1
        continue
      }
      at += 1
    }
  }

  /// Scans a comment of whole lines; its last line begins with the closing delimiter.
  mutating func commentLines(_ token: SyntaxRule) {
    hasComment = true
    while at < count {
      skipLine()
      guard at < count else { return }
      endLine()
      let isLast = at < count && stands(token.close, at: at)
      skipSpaceInComment()
      if isLast {
        skipLine()
        return
      }
    }
  }

  /// Scans a comment of Lua or CMake: up to the closing of the long bracket that follows, or else a line
  /// comment.
  mutating func longComment(_ token: SyntaxRule) {
    let start = at
    if longBracket(from: at + token.open.count, isComment: true) { return }
    lineComment(from: start)
  }

  /// Scans `[==[ ... ]==]`; false if there is none here.
  mutating func longBracket(from place: Int, isComment: Bool) -> Bool {
    guard place < count, bytes[place] == UInt8(ascii: "[") else { return false }
    var next = place + 1
    while next < count, bytes[next] == UInt8(ascii: "=") { next += 1 }
    guard next < count, bytes[next] == UInt8(ascii: "[") else { return false }
    let level = next - place - 1
    if isComment { hasComment = true } else { code() }
    at = next + 1
    while at < count {
      switch bytes[at] {
      case 0x0A:
        endLine()
        if isComment { skipSpaceInComment() } else { skipSpaceInString() }
      case UInt8(ascii: "]"):
        var end = at + 1
        while end < count, bytes[end] == UInt8(ascii: "=") { end += 1 }
        if end < count, bytes[end] == UInt8(ascii: "]"), end - at - 1 == level {
          at = end + 1
          return true
        }
        // The last bracket may begin the closing delimiter.
        at = end
      default:
        at += 1
      }
    }
    return true
  }

  /// Whether the line of this delimiter has nothing else but white space.
  private func isAloneOnLine(_ delimiter: StaticString) -> Bool {
    var place = at
    while place > lineStart {
      place -= 1
      guard Self.isSpace(bytes[place]) else { return false }
    }
    place = at + delimiter.count
    while place < count, Self.isSpace(bytes[place]) { place += 1 }
    return place == count || bytes[place] == 0x0A
  }

  /// Returns the next index that is not white space, on the same line.
  @inline(__always) func afterSpace(_ start: Int) -> Int {
    var place = start
    let end = count
    while place < end, Self.isSpace(bytes[place]) { place += 1 }
    return place
  }

  /// At the beginning of a line in a comment: skips white space; the line is a comment unless it is blank.
  @inline(__always) mutating func skipSpaceInComment() {
    at = afterSpace(at)
    if at < count, bytes[at] != 0x0A { hasComment = true }
  }

  /// At the beginning of a line in a string: skips white space; the line is code unless it is blank.
  @inline(__always) mutating func skipSpaceInString() {
    at = afterSpace(at)
    if at < count, bytes[at] != 0x0A { code() }
  }
}
