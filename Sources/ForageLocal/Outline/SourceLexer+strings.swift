extension SourceLexer {
  /// Reads a string whose quote is at the position; `start` is where its prefix begins.
  mutating func readQuote(_ byte: UInt8, from start: Int) -> Bool {
    for quote in grammar.quotes where quote.byte == byte {
      var form = StringForm(
        close: byte, escape: quote.escape, interpolation: quote.interpolation, spansLines: quote.spansLines)
      var content = position + 1
      if let escape = quote.tripleEscape, self.byte(content) == byte, self.byte(content + 1) == byte {
        form.escape = escape
        form.closeCount = 3
        form.spansLines = true
        content += 2
        if features.contains(.cSharpStrings) {
          while self.byte(content) == byte {
            content += 1
            form.closeCount += 1
          }
        }
      }
      return readQuote(form, from: start, piece: start, content: content)
    }
    return false
  }

  /// Reads a string on from its first byte of content.
  mutating func readQuote(_ form: StringForm, from start: Int, piece: Int, content: Int) -> Bool {
    var form = form
    if grammar.language == .rust, isFormat { form.interpolation = .name }
    position = min(content, text.count)
    scanString(form, from: start, piece: piece)
    return true
  }

  /// Goes on with a string behind an interpolation, whose closing bracket is at `piece`.
  mutating func continueString(_ form: StringForm, from start: Int, piece: Int) {
    position = piece + 1
    scanString(form, from: start, piece: piece)
  }

  private mutating func finishString(_ form: StringForm, from start: Int, piece: Int, to end: Int) {
    position = min(end, text.count)
    addNotCode(piece, position)
    // The token of a heredoc is where it was named.
    if form.ending != .line || features.contains(.phpHeredocs) { add(.string, start, position) }
  }

  /// The string's text up to its end or to an interpolation.
  private mutating func scanString(_ startForm: StringForm, from start: Int, piece startOfPiece: Int) {
    var (form, piece) = (startForm, startOfPiece)
    if form.ending == .element { return scanElement(form, from: start, piece: piece) }
    while position < text.count {
      skipText(of: form)
      guard position < text.count else { break }
      let byte = text[position]
      if byte == Mark.newline, !form.spansLines {
        return finishString(form, from: start, piece: piece, to: position)
      }
      if form.interpolation != .none {
        if let found = interpolation(form, at: position) {
          return beginInterpolation(
            form, from: start, piece: piece, codeStart: position + found.width, opener: found.opener)
        }
        if byte == Mark.dollar, features.contains(.scalaPrefixes), self.byte(position + 1) == Mark.dollar {
          position += 2
          continue
        }
        if let end = endOfVariable(form, at: position) {
          addNotCode(piece, position + 1)
          (piece, position) = (end, end)
          continue
        }
      }
      if form.ending == .line {
        // Only whole lines end it: all else of the line is skipped up to an interpolation.
        if position == 0 || text[position - 1] == Mark.newline, let end = delimiterLine(form) {
          return finishString(form, from: start, piece: piece, to: end)
        }
        position +=
          byte == Mark.backslash && form.escape == .backslash && self.byte(position + 1) != Mark.newline
          ? 2 : 1
        continue
      }
      if byte == Mark.backslash, form.escape == .backslash, isEscape(form) {
        position += 2 + form.hashes
        if self.byte(position - 1) == Mark.newline, !form.spansLines, !features.contains(.lineContinuation),
          grammar.language != .javaScript
        {
          position -= 1
        }
        continue
      }
      if form.nested != 0, byte == form.nested {
        form.depth += 1
        position += 1
        continue
      }
      if let end = endOfString(&form, byte) {
        if form.hasSecondPart {
          return readSecondPart(form, from: start, piece: piece, at: end)
        }
        return finishString(form, from: start, piece: piece, to: end)
      }
      position += 1
    }
    finishString(form, from: start, piece: piece, to: text.count)
  }

  /// Goes on to the next byte of a string that may be more than a part of its text.
  @inline(__always)
  private mutating func skipText(of form: StringForm) {
    var place = position
    // A line's start may end a heredoc.
    if form.ending == .line, place == 0 || text[place - 1] == Mark.newline { return }
    let (close, nested) = (form.close, form.nested)
    let delimiter = form.ending == .delimiter ? text[form.delimiterStart] : close
    while place < text.count {
      let byte = text[place]
      switch byte {
      case Mark.newline, Mark.backslash, Mark.dollar, Mark.openBrace, Mark.hash, Mark.closeParenthesis,
        Mark.closeBracket, Mark.backtick, Mark.at:
        position = place
        return
      default:
        if byte == close || byte == nested || byte == delimiter {
          position = place
          return
        }
        place += 1
      }
    }
    position = place
  }

  /// Whether the string at the position is the format of a macro of Rust: the first string between the
  /// parentheses of `println!(…)`. What `assert_eq!` compares is none.
  private var isFormat: Bool {
    var depth = 0
    // A format is among the first arguments.
    for index in tokens.indices.suffix(64).reversed() {
      if tokens[index].kind == .string, depth == 0 { return false }
      switch tokens[index].mark {
      case Mark.closeParenthesis, Mark.closeBracket, Mark.closeBrace: depth += 1
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace:
        depth -= 1
        guard depth < 0 else { break }
        guard tokens[index].mark == Mark.openParenthesis, index > 1,
          tokens[index - 1].mark == Mark.exclamation
        else { return false }
        let name = Int(tokens[index - 2].start)
        return !starts(with: "assert_", at: name) && !starts(with: "debug_assert_", at: name)
      default: break
      }
    }
    return false
  }

  /// A backslash with as many `#` as the string has.
  func isEscape(_ form: StringForm) -> Bool {
    for index in 0..<form.hashes where byte(position + 1 + index) != Mark.hash { return false }
    return true
  }

  /// Where the string ends that may end at the position.
  private mutating func endOfString(_ form: inout StringForm, _ byte: UInt8) -> Int? {
    switch form.ending {
    case .quote:
      guard byte == form.close else { return nil }
      if form.depth > 0 {
        form.depth -= 1
        return nil
      }
      if form.escape == .doubled, self.byte(position + 1) == form.close {
        position += 1
        return nil
      }
      if form.escape == .doubled, features.contains(.dollarQuotes), isEscapedInWord() { return nil }
      var end = position
      while end < position + form.closeCount {
        guard self.byte(end) == form.close, end < text.count else {
          // None of a row that is too short ends it.
          position = end - 1
          return nil
        }
        end += 1
      }
      // `""""` at the end of `"""` strings: the last three close it.
      if form.closeCount >= 3, form.hashes == 0 {
        while end < text.count, text[end] == form.close, end < position + form.closeCount + 2 { end += 1 }
      }
      for _ in 0..<form.hashes {
        guard self.byte(end) == Mark.hash else { return nil }
        end += 1
      }
      return end
    case .rawDelimiter:
      guard byte == Mark.closeParenthesis else { return nil }
      let count = form.delimiterEnd - form.delimiterStart
      guard matchesDelimiter(form, at: position + 1), self.byte(position + 1 + count) == Mark.quote else {
        return nil
      }
      return position + 2 + count
    case .delimiter:
      guard byte == text[form.delimiterStart], matchesDelimiter(form, at: position) else { return nil }
      return position + form.delimiterEnd - form.delimiterStart
    case .longBracket:
      guard byte == Mark.closeBracket else { return nil }
      var end = position + 1
      for _ in 0..<form.hashes {
        guard self.byte(end) == Mark.equals else { return nil }
        end += 1
      }
      return self.byte(end) == Mark.closeBracket ? end + 1 : nil
    case .line, .element: return nil
    }
  }

  /// `'it\'s'`: some SQL has escapes with backslashes, other has not, but a string does not end right before
  /// a letter.
  private func isEscapedInWord() -> Bool {
    guard byte(position - 1) == Mark.backslash, byte(position - 2) != Mark.backslash else { return false }
    return grammar.actions[Int(byte(position + 1))] == .word
  }

  func matchesDelimiter(_ form: StringForm, at place: Int) -> Bool {
    let count = form.delimiterEnd - form.delimiterStart
    guard place + count <= text.count else { return false }
    for index in 0..<count where text[place + index] != text[form.delimiterStart + index] { return false }
    return true
  }

  /// Where the line at the position ends, if it is the heredoc's delimiter.
  private func delimiterLine(_ form: StringForm) -> Int? {
    var start = position
    if form.isIndented {
      while byte(start) == 32 || byte(start) == 9 { start += 1 }
    }
    guard matchesDelimiter(form, at: start) else { return nil }
    let end = start + form.delimiterEnd - form.delimiterStart
    let next = byte(end)
    if features.contains(.phpHeredocs) {
      return (next | 32) &- 97 < 26 || next &- 48 < 10 || next == 95 || next >= 128 ? nil : end
    }
    return end >= text.count || next == Mark.newline || next == 13 ? end : nil
  }
}
