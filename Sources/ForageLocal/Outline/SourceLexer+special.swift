extension Grammar.Features {
  /// A word's end may change what it is: a prefix of a string, or a name with other bytes.
  static let wordEndings: Grammar.Features = [
    .delimitedRawStrings, .rustRawStrings, .scalaPrefixes, .pythonPrefixes, .rawPrefix, .dashInWords,
    .questionInWords,
  ]
  var hasWordEndings: Bool { !isDisjoint(with: Self.wordEndings) }
}

extension SourceLexer {
  /// Reads a comment, string or directive at the position; `false`: none is there.
  mutating func readSpecial(_ byte: UInt8) -> Bool {
    if isInDirective, byte == Mark.hash { return false }
    switch byte {
    case Mark.slash: return readSlash()
    case Mark.hash: return readHash()
    case Mark.minus: return readDashComment()
    case Mark.less: return readLess()
    case Mark.dollar: return readDollar()
    case Mark.backslash: return readBackslash()
    case Mark.equals: return readEqualsBlock()
    case Mark.percent: return readPercentLiteral()
    case Mark.question: return readQuestion()
    case Mark.at: return readCSharpString(from: position)
    case Mark.quote where features.contains(.quotedNames): return readQuotedName(byte)
    case Mark.backtick where features.contains(.backtickNames): return readQuotedName(byte)
    case Mark.backtick where features.contains(.shell): return readBacktick()
    case Mark.apostrophe where features.contains(.lifetimes): return readCharacter()
    case Mark.apostrophe where features.contains(.shell) && isPlainApostrophe(): return false
    default: return readQuote(byte, from: position)
    }
  }

  private mutating func readSlash() -> Bool {
    let next = byte(position + 1)
    if next == Mark.slash, features.contains(.slashLineComments) {
      readLineComment()
      return true
    }
    if next == Mark.star, features.contains(.slashBlockComments) {
      readBlockComment()
      return true
    }
    return features.contains(.regularExpressions) && readRegularExpression()
  }

  private mutating func readHash() -> Bool {
    if features.contains(.dollarQuotes) {
      // A comment of MySQL; elsewhere `#` is an operator or begins a name.
      guard isFirstOnLine, byte(position + 1) <= 32 || byte(position + 1) == Mark.hash else { return false }
      readLineComment()
      return true
    }
    if features.contains(.hashComments) {
      // A format as in `f"{x:#x}"`
      if let form = frames.last?.form, form.interpolation == .brace,
        !form.spansLines || byte(position - 1) > 32
      {
        return false
      }
      if features.contains(.insideHTML), byte(position + 1) == Mark.openBracket { return false }
      if features.contains(.shell), position > 0 {
        let before = byte(position - 1)
        let isSeparated =
          before <= 32 || before == Mark.semicolon || before == Mark.bar
          || before == Mark.ampersand || before == Mark.backtick
        guard isSeparated else { return false }
      }
      readLineComment()
      return true
    }
    if features.contains(.preprocessor) || features.contains(.conditionalLines), isFirstOnLine, frames.isEmpty
    {
      if readDirective() { return true }
    }
    return features.contains(.hashStrings) && readHashString()
  }

  private mutating func readDashComment() -> Bool {
    guard features.contains(.dashComments), byte(position + 1) == Mark.minus else { return false }
    if features.contains(.longBrackets), byte(position + 2) == Mark.openBracket {
      if readLongBracket(from: position + 2) {
        // The comment gave a string's token, which is none.
        if isKeeping, tokens.last?.kind == .string { tokens.removeLast() }
        return true
      }
    }
    readLineComment()
    return true
  }

  private mutating func readBackslash() -> Bool {
    if features.contains(.lineContinuation) {
      var end = position + 1
      if byte(end) == 13 { end += 1 }
      if byte(end) == Mark.newline {
        position = end + 1
        return true
      }
    }
    guard features.contains(.shell) else { return false }
    add(.punctuation, position, min(position + 2, text.count), mark: Mark.backslash)
    position = min(position + 2, text.count)
    return true
  }

  /// A name in quotes is a word, without them.
  private mutating func readQuotedName(_ quote: UInt8) -> Bool {
    let start = position + 1
    var end = start
    while end < text.count, text[end] != quote, text[end] != Mark.newline { end += 1 }
    guard end > start else { return false }
    add(.word, start, end)
    position = byte(end) == quote ? end + 1 : end
    return true
  }

  /// `'x'`, or a lifetime, whose apostrophe is a mark.
  private mutating func readCharacter() -> Bool {
    var end = position + 1
    let first = byte(end)
    if first == Mark.backslash {
      return readQuote(
        StringForm(close: Mark.apostrophe), from: position, piece: position, content: position + 1)
    }
    if first == Mark.newline || first == Mark.apostrophe { return false }
    end += 1
    while end < text.count, end < position + 5, text[end] & 0xC0 == 0x80 { end += 1 }
    guard byte(end) == Mark.apostrophe else { return false }
    addNotCode(position, end + 1)
    add(.string, position, end + 1)
    position = end + 1
    return true
  }

  // MARK: Comments

  mutating func skipLine() { position = text.lineEnd(from: position) }

  mutating func readLineComment() {
    let start = position
    if features.contains(.insideHTML) {
      while position < text.count, text[position] != Mark.newline {
        if text[position] == Mark.question, byte(position + 1) == Mark.greater { break }
        position += 1
      }
    } else if frames.last?.closer == Mark.backtick {
      // The mark that ends a command ends a comment in it, too.
      while position < text.count, text[position] != Mark.newline, text[position] != Mark.backtick {
        position += text[position] == Mark.backslash && byte(position + 1) == Mark.backtick ? 2 : 1
      }
    } else {
      skipLine()
      if features.contains(.preprocessor) {
        while position < text.count, byte(position - 1) == Mark.backslash {
          position += 1
          skipLine()
        }
      }
    }
    addNotCode(start, position)
  }

  mutating func readBlockComment() {
    let start = position
    var depth = 1
    position += 2
    let nests = features.contains(.nestedComments)
    while position < text.count {
      let byte = text[position]
      if byte == Mark.star, self.byte(position + 1) == Mark.slash {
        position += 2
        depth -= 1
        if depth == 0 { break }
      } else if nests, byte == Mark.slash, self.byte(position + 1) == Mark.star {
        position += 2
        depth += 1
      } else {
        position += 1
      }
    }
    position = min(position, text.count)
    addNotCode(start, position)
  }

  /// `=begin … =end` and `=pod … =cut` at the start of lines.
  private mutating func readEqualsBlock() -> Bool {
    guard features.contains(.equalsBlocks), position == 0 || byte(position - 1) == Mark.newline,
      byte(position + 1) | 32 &- 97 < 26, frames.isEmpty
    else { return false }
    let isRuby = grammar.language == .ruby
    guard !isRuby || starts(with: "=begin", at: position) else { return false }
    let start = position
    let end: StaticString = isRuby ? "=end" : "=cut"
    repeat {
      position = min(position + 1, text.count)
      skipLine()
    } while position < text.count && !starts(with: end, at: position + 1)
    position = min(position + 1, text.count)
    skipLine()
    addNotCode(start, position)
    return true
  }

  /// `__END__` of Ruby and Perl, `__DATA__` of Perl: all behind it is no code.
  mutating func readEndMark(from start: Int) -> Bool {
    guard starts(with: "__END__", at: start) || starts(with: "__DATA__", at: start), byte(position) <= 32,
      frames.isEmpty
    else { return false }
    position = text.count
    addNotCode(start, position)
    return true
  }

  func starts(with prefix: StaticString, at place: Int) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard place >= 0, place + count <= text.count else { return false }
    for index in 0..<count where text[place + index] != prefix.utf8Start[index] { return false }
    return true
  }

  /// The text up to `<?php` or `<?=`.
  mutating func skipHTML() {
    while position < text.count {
      if text[position] == Mark.less, byte(position + 1) == Mark.question {
        if starts(with: "<?php", at: position) || starts(with: "<?PHP", at: position) {
          position += 5
          break
        }
        if byte(position + 2) == Mark.equals || byte(position + 2) <= 32 {
          position = min(position + 3, text.count)
          break
        }
      }
      position += 1
    }
    isFirstOnLine = true
  }

  private mutating func readQuestion() -> Bool {
    if features.contains(.insideHTML), byte(position + 1) == Mark.greater {
      add(.punctuation, position, position + 1, mark: Mark.semicolon)
      position += 2
      frames.removeAll()
      skipHTML()
      return true
    }
    // A character of Ruby: `?x`.
    guard features.contains(.rubyHeredocs), byte(position + 1) > 32,
      byte(position - 1) <= 32 || byte(position - 1) == Mark.openParenthesis
    else { return false }
    let next = byte(position + 2)
    guard !(next | 32 &- 97 < 26), !(next &- 48 < 10), next != 95, next < 128,
      byte(position + 1) != Mark.backslash
    else { return false }
    addNotCode(position, position + 2)
    add(.string, position, position + 2)
    position += 2
    return true
  }
}
