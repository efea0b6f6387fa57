extension LineScanner {
  /// A comment up to the end of the line, or of the embedded grammar if that ends earlier.
  mutating func lineComment(from place: Int) {
    hasComment = true
    let end = lineEnd(from: place)
    if grammar > 0, leaving.count > 0 {
      var place = place
      while place < end {
        if bytes[place] == pool[Int(leaving.start)], stands(leaving, at: place) {
          at = place
          return
        }
        place += 1
      }
    }
    at = end
  }

  /// A comment up to its closing.
  mutating func blockComment(_ token: CommentSyntax.Token, isNested: Bool) {
    hasComment = true
    at += Int(token.open.count)
    let close = pool[Int(token.close.start)]
    let open = pool[Int(token.open.start)]
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
        at += Int(token.close.count)
        depth -= 1
        if depth == 0 { return }
        continue
      }
      if isNested, byte == open, stands(token.open, at: at), !needsOwnLine || isAloneOnLine(token.open) {
        at += Int(token.open.count)
        depth += 1
        continue
      }
      at += 1
    }
  }

  /// A comment of whole lines, up to the end of a line that begins with the closing.
  mutating func commentLines(_ token: CommentSyntax.Token) {
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

  /// Lua's and CMake's comments: up to the closing of a long bracket that follows, else one line.
  mutating func longComment(_ token: CommentSyntax.Token) {
    let start = at
    if longBracket(from: at + Int(token.open.count), isComment: true) { return }
    lineComment(from: start)
  }

  /// `[==[ ... ]==]`; false if there is none here.
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
        // The last bracket may begin the closing.
        at = end
      default:
        at += 1
      }
    }
    return true
  }

  /// Whether nothing else but white space is on the line of this closing.
  private func isAloneOnLine(_ span: CommentSyntax.Span) -> Bool {
    var place = at
    while place > lineStart {
      place -= 1
      guard Self.isSpace(bytes[place]) else { return false }
    }
    place = at + Int(span.count)
    while place < count, Self.isSpace(bytes[place]) { place += 1 }
    return place == count || bytes[place] == 0x0A
  }

  /// The first place that is not white space within a line, from a place on.
  @inline(__always)
  func afterSpace(_ start: Int) -> Int {
    var place = start
    let end = count
    while place < end, Self.isSpace(bytes[place]) { place += 1 }
    return place
  }

  /// At the beginning of a line inside a comment: the line is a comment's if it is not blank.
  @inline(__always)
  mutating func skipSpaceInComment() {
    at = afterSpace(at)
    if at < count, bytes[at] != 0x0A { hasComment = true }
  }

  /// At the beginning of a line inside a string: the line is code if it is not blank.
  @inline(__always)
  mutating func skipSpaceInString() {
    at = afterSpace(at)
    if at < count, bytes[at] != 0x0A { code() }
  }
}
