/// What in a string is code again.
extension SourceLexer {
  mutating func beginInterpolation(
    _ form: StringForm, from start: Int, piece: Int, codeStart: Int, opener: UInt8
  ) {
    addNotCode(piece, codeStart)
    frames.append(
      StringFrame(
        form: form, start: start, closer: Mark.closing(opener), opener: opener, depth: 0,
        wasFirstOnLine: isFirstOnLine))
    position = codeStart
  }

  /// Goes on with the string in whose interpolation the position is, at the mark that closes it.
  mutating func endInterpolation() {
    let frame = frames.removeLast()
    while let last = openCases.last, last.frameCount > frames.count { openCases.removeLast() }
    isFirstOnLine = frame.wasFirstOnLine
    continueString(frame.form, from: frame.start, piece: position)
  }

  /// The mark that opens an interpolation at a place, and how many bytes are before its code.
  @inline(__always)
  func interpolation(_ form: StringForm, at place: Int) -> (opener: UInt8, width: Int)? {
    let (byte, next) = (text[place], self.byte(place + 1))
    switch form.interpolation {
    case .none, .name, .perlName: return nil
    case .backslashParenthesis:
      guard byte == Mark.backslash, self.byte(place + 1 + form.hashes) == Mark.openParenthesis, isEscape(form)
      else { return nil }
      return (Mark.openParenthesis, 2 + form.hashes)
    case .dollarBrace: return byte == Mark.dollar && next == Mark.openBrace ? (next, 2) : nil
    case .hashBrace: return byte == Mark.hash && next == Mark.openBrace ? (next, 2) : nil
    case .brace:
      guard byte == Mark.openBrace, self.byte(place + form.braces) != Mark.openBrace else { return nil }
      guard form.braces == 1 else { return endsRowOfBraces(form, at: place) ? (byte, form.braces) : nil }
      // Of a row of braces, an odd one at its end opens.
      return isDoubledBrace(place) ? nil : (byte, 1)
    case .braceDollar:
      if byte == Mark.openBrace, next == Mark.dollar { return (byte, 1) }
      return byte == Mark.dollar && next == Mark.openBrace ? (next, 2) : nil
    case .perl:
      guard byte == Mark.dollar || byte == Mark.at, next == Mark.openBrace else { return nil }
      return (next, 2)
    case .shell:
      if byte == Mark.backtick { return (byte, 1) }
      guard byte == Mark.dollar, next == Mark.openBrace || next == Mark.openParenthesis else { return nil }
      return (next, 2)
    }
  }

  /// Whether an odd number of braces is right before this one.
  private func isDoubledBrace(_ place: Int) -> Bool {
    var start = place
    while start > 0, text[start - 1] == Mark.openBrace { start -= 1 }
    return (place - start) % 2 == 1
  }

  /// Whether the braces at a place, and none behind them, are as many as open an interpolation.
  private func endsRowOfBraces(_ form: StringForm, at place: Int) -> Bool {
    for index in 1..<form.braces where byte(place + index) != Mark.openBrace { return false }
    return true
  }

  /// Where the name of a variable ends that stands in a string as such, as in `"$name"`, `"$name->field"` of
  /// PHP, `"#@name"` of Ruby, and `"{name}"` of Rust. The code begins behind the first byte.
  @inline(__always)
  func endOfVariable(_ form: StringForm, at place: Int) -> Int? {
    switch text[place] {
    case Mark.dollar, Mark.at, Mark.hash, Mark.openBrace: nameEnd(form, at: place)
    default: nil
    }
  }

  private func nameEnd(_ form: StringForm, at place: Int) -> Int? {
    let mark = text[place]
    var start = place + 1
    let isKnown =
      switch form.interpolation {
      case .none, .backslashParenthesis, .brace: false
      case .name: mark == Mark.openBrace
      // Templates of JavaScript have braces only.
      case .dollarBrace: mark == Mark.dollar && grammar.language.hasNamesInStrings
      case .braceDollar, .shell, .perlName: mark == Mark.dollar
      case .perl: mark == Mark.dollar || mark == Mark.at
      case .hashBrace: mark == Mark.hash && (byte(start) == Mark.at || byte(start) == Mark.dollar)
      }
    guard isKnown else { return nil }
    if form.interpolation == .hashBrace {
      start += byte(start) == Mark.at && byte(start + 1) == Mark.at ? 2 : 1
    }
    guard let end = endOfName(from: start) else { return nil }
    switch form.interpolation {
    case .name:
      guard byte(end) == Mark.closeBrace || byte(end) == Mark.colon else { return nil }
      return isDoubledBrace(place) ? nil : end
    case .braceDollar:
      let arrow = byte(end) == Mark.question ? end + 1 : end
      guard byte(arrow) == Mark.minus, byte(arrow + 1) == Mark.greater else { return end }
      return endOfName(from: arrow + 2) ?? end
    default: return end
    }
  }

  /// Where the name ends that begins at a place; `nil` if none does.
  private func endOfName(from start: Int) -> Int? {
    guard grammar.actions[Int(byte(start))] == .word else { return nil }
    var end = start + 1
    while end < text.count, [.word, .digit].contains(grammar.actions[Int(text[end])]),
      text[end] != Mark.dollar
    { end += 1 }
    return end
  }
}

extension Language {
  /// Whether `"$name"` has the value of a variable wherever `"${…}"` has that of an expression.
  fileprivate var hasNamesInStrings: Bool { self == .kotlin || self == .dart || self == .scala }
}
