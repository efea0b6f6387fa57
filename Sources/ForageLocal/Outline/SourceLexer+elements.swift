/// JSX: an element with all that is in it is one token, its text is no code.
extension SourceLexer {
  mutating func readElement() -> Bool {
    let next = byte(position + 1)
    let isName = grammar.actions[Int(next)] == .word
    guard isName || next == Mark.greater, mayBeginElement else { return false }
    if isName, isTypeParameter { return false }
    var form = StringForm(ending: .element, spansLines: true)
    form.isInTag = true
    return readQuote(form, from: position, piece: position, content: position + 1)
  }

  private var mayBeginElement: Bool {
    guard isKeeping else {
      // In an interpolation there are no tokens: the bytes before must do.
      var place = position - 1
      while place >= 0, byte(place) <= 32, place > position - 200 { place -= 1 }
      return isBeforeElement(byte(place))
    }
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .number, .string: return false
    case .word:
      return last.word == .return || last.word == .default || last.word == .yield || last.word == .case
    case .punctuation: return isBeforeElement(last.mark)
    }
  }

  private func isBeforeElement(_ mark: UInt8) -> Bool {
    switch mark {
    case Mark.openParenthesis, Mark.comma, Mark.equals, Mark.question, Mark.colon, Mark.ampersand, Mark.bar,
      Mark.openBracket, Mark.openBrace, Mark.greater, Mark.semicolon:
      true
    default: false
    }
  }

  /// `<T,>(…)`, `<T extends …>(…)` and `<T>(…)` of TypeScript.
  private var isTypeParameter: Bool {
    guard grammar.language == .tsx else { return false }
    var end = position + 1
    while grammar.actions[Int(byte(end))] == .word || grammar.actions[Int(byte(end))] == .digit { end += 1 }
    while byte(end) == 32 { end += 1 }
    return byte(end) == Mark.comma || starts(with: "extends ", at: end)
  }

  /// The element's tags and text up to its end or to a brace.
  mutating func scanElement(_ startForm: StringForm, from start: Int, piece startPiece: Int) {
    var form = startForm
    var piece = form.isInTag ? position : startPiece
    while position < text.count {
      let byte = text[position]
      if byte == Mark.openBrace {
        if !form.isInTag { addNotCode(piece, position) }
        frames.append(
          StringFrame(
            form: form, start: start, closer: Mark.closeBrace, opener: Mark.openBrace, depth: 0,
            wasFirstOnLine: isFirstOnLine))
        position += 1
        return
      }
      if form.isInTag {
        if byte == Mark.quote || byte == Mark.apostrophe {
          skipAttribute(byte)
        } else if byte == Mark.slash, self.byte(position + 1) == Mark.greater {
          position += 2
          form.isInTag = false
          if form.depth == 0 { return add(.string, start, position) }
          piece = position
        } else if byte == Mark.greater {
          position += 1
          form.depth += 1
          form.isInTag = false
          piece = position
        } else {
          position += 1
        }
        continue
      }
      guard byte == Mark.less else {
        position += 1
        continue
      }
      addNotCode(piece, position)
      if self.byte(position + 1) == Mark.slash {
        while position < text.count, text[position] != Mark.greater { position += 1 }
        position = min(position + 1, text.count)
        form.depth -= 1
        if form.depth <= 0 { return add(.string, start, position) }
        piece = position
      } else {
        position += 1
        form.isInTag = true
        piece = position
      }
    }
    if !form.isInTag { addNotCode(piece, text.count) }
    add(.string, start, text.count)
  }

  private mutating func skipAttribute(_ quote: UInt8) {
    let start = position
    position += 1
    while position < text.count, text[position] != quote { position += 1 }
    position = min(position + 1, text.count)
    addNotCode(start, position)
  }
}
