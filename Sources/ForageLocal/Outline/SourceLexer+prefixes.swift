extension SourceLexer {
  /// A string right behind a word that is its prefix; the position is behind the word.
  mutating func finishWord(from start: Int) -> Bool {
    let next = byte(position)
    let count = position - start
    if next == Mark.quote || next == Mark.apostrophe {
      if features.contains(.delimitedRawStrings) { return readDelimitedRawString(from: start) }
      if features.contains(.rustRawStrings) { return readRustString(from: start) }
      if features.contains(.scalaPrefixes), next == Mark.quote { return readScalaString(from: start) }
      if features.contains(.pythonPrefixes), count <= 2 { return readPythonString(from: start) }
      if features.contains(.rawPrefix), count == 1, text[start] == UInt8(ascii: "r") {
        return readUnescapedString(from: start)
      }
      return false
    }
    if next == Mark.hash, features.contains(.rustRawStrings) { return readRustString(from: start) }
    return false
  }

  /// A name that goes on with bytes that are no words' bytes elsewhere.
  mutating func lengthenedWord(from start: Int) -> Word? {
    if features.contains(.questionInWords) {
      let next = byte(position)
      guard next == Mark.question || next == Mark.exclamation else { return nil }
      let after = byte(position + 1)
      if after == Mark.equals, byte(position + 2) != Mark.equals, byte(position + 2) != Mark.greater {
        return nil
      }
      if next == Mark.question, after == Mark.colon { return nil }
      position += 1
      return Word.none
    }
    guard features.contains(.dashInWords) else { return nil }
    let isShell = features.contains(.shell)
    let wordEnd = position
    while position < text.count {
      let byte = text[position]
      let goesOn =
        grammar.actions[Int(byte)] == .word || grammar.actions[Int(byte)] == .digit || byte == Mark.minus
        || isShell && (byte == Mark.dot || byte == Mark.colon || byte == Mark.slash || byte == Mark.at)
      guard goesOn else { break }
      position += 1
    }
    return position > wordEnd ? Word.none : nil
  }

  private mutating func readDelimitedRawString(from start: Int) -> Bool {
    guard text[position - 1] == UInt8(ascii: "R"), position - start <= 3, byte(position) == Mark.quote else {
      return false
    }
    let delimiter = position + 1
    var end = delimiter
    while end < text.count, end - delimiter <= 16, text[end] != Mark.openParenthesis { end += 1 }
    guard byte(end) == Mark.openParenthesis else { return false }
    let form = StringForm(
      ending: .rawDelimiter, escape: .none, spansLines: true, delimiterStart: delimiter, delimiterEnd: end)
    return readQuote(form, from: start, piece: start, content: end + 1)
  }

  private mutating func readRustString(from start: Int) -> Bool {
    let isRaw = text[position - 1] == UInt8(ascii: "r")
    guard position - start <= 2 else { return false }
    if byte(position) == Mark.apostrophe {
      // A byte: `b'x'`
      guard position - start == 1, text[start] == UInt8(ascii: "b") else { return false }
      return readQuote(
        StringForm(close: Mark.apostrophe), from: start, piece: start, content: position + 1)
    }
    guard isRaw || byte(position) == Mark.quote else { return false }
    guard isRaw else {
      return readQuote(StringForm(spansLines: true), from: start, piece: start, content: position + 1)
    }
    var end = position
    while byte(end) == Mark.hash { end += 1 }
    guard byte(end) == Mark.quote else {
      // A raw name: `r#type`
      guard end == position + 1, grammar.actions[Int(byte(end))] == .word else { return false }
      position = end
      while position < text.count,
        grammar.actions[Int(text[position])] == .word
          || grammar.actions[Int(text[position])] == .digit
      {
        position += 1
      }
      add(.word, end, position)
      return true
    }
    let form = StringForm(hashes: end - position, escape: .none, spansLines: true)
    return readQuote(form, from: start, piece: start, content: end + 1)
  }

  private mutating func readScalaString(from start: Int) -> Bool {
    let isTriple = byte(position + 1) == Mark.quote && byte(position + 2) == Mark.quote
    let form = StringForm(
      closeCount: isTriple ? 3 : 1, escape: isTriple ? .none : .backslash, interpolation: .dollarBrace,
      spansLines: isTriple)
    return readQuote(form, from: start, piece: start, content: position + (isTriple ? 3 : 1))
  }

  private mutating func readPythonString(from start: Int) -> Bool {
    var isFormat = false
    for place in start..<position {
      switch text[place] | 32 {
      case UInt8(ascii: "f"), UInt8(ascii: "t"): isFormat = true
      case UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "u"): break
      default: return false
      }
    }
    let quote = text[position]
    let isTriple = byte(position + 1) == quote && byte(position + 2) == quote
    let form = StringForm(
      close: quote, closeCount: isTriple ? 3 : 1, interpolation: isFormat ? .brace : .none,
      spansLines: isTriple)
    return readQuote(form, from: start, piece: start, content: position + (isTriple ? 3 : 1))
  }

  private mutating func readUnescapedString(from start: Int) -> Bool {
    let quote = text[position]
    let isTriple = byte(position + 1) == quote && byte(position + 2) == quote
    let form = StringForm(close: quote, closeCount: isTriple ? 3 : 1, escape: .none, spansLines: isTriple)
    return readQuote(form, from: start, piece: start, content: position + (isTriple ? 3 : 1))
  }

  /// `#"…"#`, with any number of `#`.
  mutating func readHashString() -> Bool {
    let start = position
    var end = position
    while byte(end) == Mark.hash { end += 1 }
    guard byte(end) == Mark.quote else {
      // All of the row at once, for the time it takes.
      add(.punctuation, start, start + 1, mark: Mark.hash)
      position = end
      return true
    }
    let isTriple = byte(end + 1) == Mark.quote && byte(end + 2) == Mark.quote
    let form = StringForm(
      closeCount: isTriple ? 3 : 1, hashes: end - start, interpolation: .backslashParenthesis,
      spansLines: isTriple)
    return readQuote(form, from: start, piece: start, content: end + (isTriple ? 3 : 1))
  }

  /// More `$` than a string of C# has.
  private static let mostDollars = 16

  /// `@"…"`, `$"…"`, `$@"…"`, `$"""…"""`, `$$"""{{…}}"""`; `@name` is a name.
  mutating func readCSharpString(from start: Int) -> Bool {
    guard features.contains(.cSharpStrings) else { return false }
    var end = start
    var isVerbatim = false
    var isFormat = false
    while end < start + Self.mostDollars {
      if byte(end) == Mark.at {
        isVerbatim = true
      } else if byte(end) == Mark.dollar {
        isFormat = true
      } else {
        break
      }
      end += 1
    }
    guard byte(end) == Mark.quote else { return false }
    var count = 1
    while !isVerbatim, byte(end + count) == Mark.quote { count += 1 }
    let isTriple = count >= 3
    if !isTriple { count = 1 }
    var form = StringForm(
      closeCount: count, escape: isVerbatim ? .doubled : isTriple ? .none : .backslash,
      interpolation: isFormat ? .brace : .none, spansLines: isVerbatim || isTriple)
    if isTriple { form.braces = max(1, end - start) }
    return readQuote(form, from: start, piece: start, content: end + count)
  }

  /// `[[…]]` and `[=[…]=]` of Lua; `start` is at the first bracket.
  mutating func readLongBracket(from start: Int) -> Bool {
    var end = start + 1
    while byte(end) == Mark.equals { end += 1 }
    guard byte(end) == Mark.openBracket else { return false }
    let form = StringForm(ending: .longBracket, hashes: end - start - 1, escape: .none, spansLines: true)
    return readQuote(form, from: position, piece: position, content: end + 1)
  }

  /// What begins with `$`: strings of C#, of shells and of SQL.
  mutating func readDollar() -> Bool {
    if features.contains(.cSharpStrings) { return readCSharpString(from: position) }
    let next = byte(position + 1)
    if features.contains(.quoteOperators) || features.contains(.rubyHeredocs) {
      // A variable of Perl or Ruby: `$"`, `$'`, `$#array`, `$$`
      let isSpecial =
        next == Mark.quote || next == Mark.apostrophe || next == Mark.backtick || next == Mark.hash
        || next == Mark.slash
      guard isSpecial else { return false }
      add(.punctuation, position, position + 2, mark: Mark.dollar)
      position += 2
      return true
    }
    if features.contains(.shell) { return readShellDollar(next) }
    guard features.contains(.dollarQuotes) else { return false }
    var end = position + 1
    while grammar.actions[Int(byte(end))] == .word || grammar.actions[Int(byte(end))] == .digit,
      end < text.count
    {
      end += 1
    }
    guard byte(end) == Mark.dollar, !endsStatement(dollarsUpTo: end) else { return false }
    let form = StringForm(
      ending: .delimiter, escape: .none, spansLines: true, delimiterStart: position, delimiterEnd: end + 1)
    return readQuote(form, from: position, piece: position, content: end + 1)
  }

  /// Whether `$$` is what a line `delimiter $$` has named.
  private mutating func endsStatement(dollarsUpTo end: Int) -> Bool {
    guard end == position + 1 else { return false }
    if let last = tokens.last, last.isFirstOnLine, !isFirstOnLine,
      starts(with: "delimiter", at: Int(last.start)) || starts(with: "DELIMITER", at: Int(last.start))
    {
      dollarsEndStatements = true
    }
    return dollarsEndStatements
  }

  private mutating func readShellDollar(_ next: UInt8) -> Bool {
    if next == Mark.apostrophe {
      return readQuote(
        StringForm(close: Mark.apostrophe, spansLines: true), from: position, piece: position,
        content: position + 2)
    }
    // `$#`, `$?` and the like are no comments.
    guard next == Mark.hash || next == Mark.dollar else { return false }
    add(.punctuation, position, position + 2, mark: Mark.dollar)
    position += 2
    return true
  }
}
