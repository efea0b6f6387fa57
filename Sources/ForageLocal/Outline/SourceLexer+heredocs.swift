extension SourceLexer {
  /// What begins with `<`: a heredoc, or an element of JSX.
  mutating func readLess() -> Bool {
    if features.contains(.jsx) { return readElement() }
    guard byte(position + 1) == Mark.less else { return false }
    if features.contains(.phpHeredocs) {
      guard byte(position + 2) == Mark.less else { return false }
      return readHeredocStart(at: position + 3, isNow: true)
    }
    if features.contains(.shellHeredocs) {
      guard byte(position + 2) != Mark.less else {
        // `<<<` gives a word as the input.
        add(.punctuation, position, position + 1, mark: Mark.less)
        position += 3
        return true
      }
      return !isInCalculation && readHeredocStart(at: position + 2, isNow: false)
    }
    let before = byte(position - 1)
    let isBehindValue =
      before == Mark.closeParenthesis || before == Mark.closeBracket
      || grammar.actions[Int(before)] == .word || grammar.actions[Int(before)] == .digit
    guard !isBehindValue else { return false }
    return readHeredocStart(at: position + 2, isNow: false)
  }

  private mutating func readHeredocStart(at place: Int, isNow: Bool) -> Bool {
    var start = place
    let sign = byte(start)
    let isMarked = sign == Mark.minus || sign == Mark.tilde
    if isMarked { start += 1 }
    if features.contains(.shell) || features.contains(.phpHeredocs) {
      while byte(start) == 32 || byte(start) == 9 { start += 1 }
    }
    // `<<\EOF` is `<<'EOF'` to a shell.
    let isEscaped = features.contains(.shell) && byte(start) == Mark.backslash
    if isEscaped { start += 1 }
    let quote = byte(start)
    let isQuoted = quote == Mark.quote || quote == Mark.apostrophe
    if isQuoted { start += 1 }
    var end = start
    while end < text.count {
      let byte = text[end]
      let action = grammar.actions[Int(byte)]
      let goesOn =
        isQuoted
        ? byte != quote && byte != Mark.newline
        : action == .word || action == .digit || features.contains(.shell) && byte == Mark.minus
      guard goesOn else { break }
      end += 1
    }
    guard end > start || isQuoted, !isQuoted || byte(end) == quote else { return false }
    if !isQuoted {
      let first = byte(start)
      let isUpper = first &- 65 < 26 || first == 95
      guard grammar.actions[Int(first)] == .word else { return false }
      guard features.contains(.shell) || features.contains(.phpHeredocs) || isMarked || isUpper else {
        return false
      }
    }
    var form = StringForm(
      ending: .line, escape: quote == Mark.apostrophe ? .none : .backslash, spansLines: true,
      delimiterStart: start,
      delimiterEnd: end, isIndented: isMarked || features.contains(.phpHeredocs))
    if quote != Mark.apostrophe, !isEscaped, !(isQuoted && features.contains(.shell)) {
      form.interpolation = heredocInterpolation
    }
    let next = isQuoted ? end + 1 : end
    if isNow {
      var content = next
      while content < text.count, text[content] != Mark.newline { content += 1 }
      return readQuote(form, from: position, piece: position, content: content + 1)
    }
    add(.string, position, next)
    addNotCode(position, next)
    position = next
    if pendingHeredocs.count < 16, !isInDirective { pendingHeredocs.append(form) }
    return true
  }

  private var heredocInterpolation: StringForm.Interpolation {
    switch grammar.language {
    case .shell: .shell
    case .php: .braceDollar
    case .ruby: .hashBrace
    case .perl: .perl
    default: .none
    }
  }

  /// The heredocs whose text begins at the line at the position.
  mutating func readHeredocs() {
    let forms = pendingHeredocs
    pendingHeredocs.removeAll()
    for (index, form) in forms.enumerated() {
      let frameCount = frames.count
      _ = readQuote(form, from: position, piece: position, content: position)
      guard frames.count == frameCount else {
        // In an interpolation: the others follow when this one has ended.
        laterHeredocs = Array(forms[(index + 1)...])
        laterFrameCount = frameCount
        return
      }
      if byte(position) == Mark.newline { position += 1 }
      isFirstOnLine = true
    }
  }
}
