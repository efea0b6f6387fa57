extension SourceLexer {
  /// Whether a value may begin at the position: the token before is no value's end.
  private var expectsValue: Bool {
    guard let last = tokens.last, isKeeping else {
      var place = position - 1
      while place >= 0, byte(place) == 32, place > position - 8 { place -= 1 }
      let before = byte(place)
      return
        !(grammar.actions[Int(before)] == .word || grammar.actions[Int(before)] == .digit
        || before == Mark.closeParenthesis || before == Mark.closeBracket || before == Mark.closeBrace
        || before == Mark.quote || before == Mark.apostrophe || before == Mark.backtick)
    }
    // A line of Ruby does not begin with an operator.
    if isFirstOnLine, features.contains(.rubyHeredocs) { return true }
    switch last.kind {
    case .number, .string: return false
    case .punctuation:
      if features.contains(.rubyHeredocs) {
        // The names of operators: `a./(b)`, `:/`
        let isSymbol =
          last.mark == Mark.colon && Int(last.end) == position
          && grammar.actions[Int(byte(position - 2))] != .word
        if last.mark == Mark.dot || isSymbol { return false }
      }
      return last.mark != Mark.closeParenthesis && last.mark != Mark.closeBracket
        && last.mark != Mark.closeBrace
    case .word:
      switch last.word {
      case .return, .typeof, .case, .in, .of, .delete, .void, .throw, .new, .else, .do, .instanceof, .yield,
        .await,
        .if, .unless, .when, .and, .or, .not, .while, .until, .elsif, .then, .default:
        return byte(Int(last.start) - 1) != Mark.dot
      default: break
      }
      guard features.contains(.rubyHeredocs) || features.contains(.quoteOperators) else { return false }
      // `split /,/`: a blank before and none behind.
      let next = byte(position + 1)
      guard last.word != .def else { return false }
      if features.contains(.quoteOperators), starts(with: "split", at: Int(last.start)) { return true }
      return Int(last.end) < position && next > 32
        && !(next == Mark.equals && !features.contains(.quoteOperators))
        && !(next == Mark.slash && features.contains(.quoteOperators))
        && !(features.contains(.quoteOperators) && byte(Int(last.start) - 1) == Mark.dollar)
    }
  }

  /// `/…/` on one line, where a division cannot be.
  mutating func readRegularExpression() -> Bool {
    guard position >= noExpressionBefore, expectsValue else { return false }
    if features.contains(.rubyHeredocs) || features.contains(.quoteOperators) {
      return readScriptExpression()
    }
    var end = position + 1
    var isInClass = false
    while end < text.count {
      let byte = text[end]
      if byte == Mark.newline { break }
      if byte == Mark.backslash {
        end += 2
        continue
      }
      if byte == Mark.openBracket { isInClass = true }
      if byte == Mark.closeBracket { isInClass = false }
      if byte == Mark.slash, !isInClass {
        end += 1
        while grammar.actions[Int(self.byte(end))] == .word { end += 1 }
        addNotCode(position, end)
        add(.string, position, end)
        position = end
        return true
      }
      end += 1
    }
    noExpressionBefore = end
    return false
  }

  /// `/…/` of Ruby and Perl, which may go over lines where nothing but a value can be. Classes hide no slash.
  private mutating func readScriptExpression() -> Bool {
    let form = StringForm(
      close: Mark.slash, interpolation: features.contains(.rubyHeredocs) ? .hashBrace : .perlName,
      spansLines: true)
    if let last = tokens.last, isKeeping, last.kind == .punctuation {
      // `a // b` of Perl
      if last.mark == Mark.slash, Int(last.end) == position { return false }
      return readQuote(form, from: position, piece: position, content: position + 1)
    }
    var end = position + 1
    while end < text.count, text[end] != Mark.newline {
      if text[end] == Mark.slash {
        return readQuote(form, from: position, piece: position, content: position + 1)
      }
      end += text[end] == Mark.backslash ? 2 : 1
    }
    noExpressionBefore = end
    return false
  }

  /// `%w[…]`, `%q(…)`, `%(…)` of Ruby.
  mutating func readPercentLiteral() -> Bool {
    guard features.contains(.percentLiterals) else { return false }
    let letter = byte(position + 1)
    var open = position + 1
    switch letter {
    case UInt8(ascii: "w"), UInt8(ascii: "W"), UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(ascii: "i"),
      UInt8(ascii: "I"), UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "x"):
      open += 1
    case Mark.openParenthesis, Mark.openBracket, Mark.openBrace, Mark.bar: break
    default: return false
    }
    let bracket = byte(open)
    guard bracket > 32, bracket < 128, grammar.actions[Int(bracket)] != .word,
      grammar.actions[Int(bracket)] != .digit,
      bracket != Mark.equals, expectsValue
    else { return false }
    let close = Mark.closing(bracket)
    let isPlain =
      letter == UInt8(ascii: "w") || letter == UInt8(ascii: "q") || letter == UInt8(ascii: "i")
      || letter == UInt8(ascii: "s")
    let form = StringForm(
      close: close, nested: close == bracket ? 0 : bracket, interpolation: isPlain ? .none : .hashBrace,
      spansLines: true)
    return readQuote(form, from: position, piece: position, content: open + 1)
  }

  /// `q{…}`, `qw(…)`, `m/…/`, `s/…/…/`, `tr/…/…/` of Perl; the position is behind the word.
  mutating func readQuoteOperator(from start: Int) -> Bool {
    let count = position - start
    guard count <= 2 else { return false }
    var (hasTwoParts, interpolation) = (false, StringForm.Interpolation.none)
    switch (text[start], count == 2 ? text[start + 1] : 0) {
    case (UInt8(ascii: "q"), 0), (UInt8(ascii: "q"), UInt8(ascii: "w")): break
    case (UInt8(ascii: "q"), UInt8(ascii: "q")), (UInt8(ascii: "q"), UInt8(ascii: "x")): interpolation = .perl
    case (UInt8(ascii: "m"), 0), (UInt8(ascii: "q"), UInt8(ascii: "r")): interpolation = .perlName
    case (UInt8(ascii: "s"), 0): (hasTwoParts, interpolation) = (true, .perlName)
    case (UInt8(ascii: "y"), 0), (UInt8(ascii: "t"), UInt8(ascii: "r")): hasTwoParts = true
    default: return false
    }
    let before = byte(start - 1)
    switch before {
    case Mark.dollar, Mark.at, Mark.percent, Mark.ampersand, Mark.greater, Mark.minus: return false
    default: break
    }
    if let last = tokens.last {
      if last.word == .sub || last.word == .package { return false }
      // The letters behind a string are its flags: `m/x/s`
      if last.kind == .string, Int(last.end) == start { return false }
    }
    var open = position
    while byte(open) == 32 || byte(open) == 9 { open += 1 }
    let bracket = byte(open)
    switch bracket {
    case Mark.semicolon, Mark.closeParenthesis, Mark.closeBrace, 0...32, 127...255: return false
    case Mark.comma:
      // `=~ s,a,b,`, `{ m,/, }`, `qw,a b,`
      let before = tokens.last?.mark ?? 0
      let isFirstValue = before == Mark.tilde || before == Mark.openBrace || before == Mark.openParenthesis
      let isLong = count == 2 && text[start] == UInt8(ascii: "q")
      guard isFirstValue || isLong, byte(open + 1) > 32 else { return false }
    case Mark.equals:
      if byte(open + 1) == Mark.greater || open > position || before == Mark.openBrace { return false }
    case Mark.hash: if open > position { return false }
    case _ where grammar.actions[Int(bracket)] == .word || grammar.actions[Int(bracket)] == .digit:
      return false
    default: break
    }
    let close = Mark.closing(bracket)
    let form = StringForm(
      close: close, nested: close == bracket ? 0 : bracket,
      interpolation: bracket == Mark.apostrophe ? .none : interpolation, spansLines: true,
      hasSecondPart: hasTwoParts)
    return readQuote(form, from: start, piece: start, content: open + 1)
  }

  /// The second part of `s{…}{…}`, which begins at `end`; of `s/…/…/` it follows at once.
  mutating func readSecondPart(_ first: StringForm, from start: Int, piece: Int, at end: Int) {
    var form = first
    form.hasSecondPart = false
    var content = end
    if first.nested != 0 {
      while byte(content) <= 32, content < text.count { content += 1 }
      form.nested = byte(content)
      form.close = Mark.closing(form.nested)
      if form.close == form.nested { form.nested = 0 }
      content += 1
    }
    _ = readQuote(form, from: start, piece: piece, content: content)
  }
}
