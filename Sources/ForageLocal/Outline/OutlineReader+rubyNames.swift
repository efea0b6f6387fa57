import ForageCore

/// Ruby: names of methods, and which words are keywords.
extension OutlineReader {
  /// Not a symbol, a key, a variable or the name of a method that is called.
  func isRubyKeyword(_ index: Int) -> Bool {
    if isAdjacent(index) {
      switch mark(index - 1) {
      case Mark.dot, Mark.colon, Mark.at, Mark.dollar: return false
      default: break
      }
    } else if mark(index - 1) == Mark.dot, mark(index - 2) != Mark.dot {
      return false
    }
    let isKey =
      mark(index + 1) == Mark.colon && isAdjacent(index + 1)
      && !(mark(index + 2) == Mark.colon && isAdjacent(index + 2))
    return !isKey
  }

  /// `x if y` opens no block.
  func isRubyModifier(_ index: Int) -> Bool {
    guard !isFirst(index) else { return false }
    guard tokens[index - 1].kind == .punctuation else {
      switch word(index - 1) {
      case .then, .else, .do, .begin, .and, .or, .not: return !isRubyKeyword(index - 1)
      default: return true
      }
    }
    switch mark(index - 1) {
    case Mark.closeParenthesis, Mark.closeBracket, Mark.closeBrace: return true
    // `alias_method :set, :[]= unless x`
    case Mark.equals
    where mark(index - 2) == Mark.equals || mark(index - 2) == Mark.closeBracket && isAdjacent(index - 1):
      return true
    default: return mark(index - 2) == Mark.dollar && isAdjacent(index - 1)
    }
  }

  /// `:a, :b` behind a word.
  mutating func readRubySymbols(at start: Int, _ kind: SymbolKind) -> Int {
    var index = mark(start + 1) == Mark.openParenthesis ? start + 2 : start + 1
    while mark(index) == Mark.colon || isString(index) {
      guard let name = rubyName(at: isString(index) ? index : index + 1) else { break }
      add(name.range, kind, from: start, to: name.next - 1)
      index = name.next
      guard mark(index) == Mark.comma else { break }
      index += 1
    }
    return max(index, start + 1)
  }

  /// A method's name: a word, one with `=` behind it, an operator, or what is in a string.
  func rubyName(at index: Int) -> (range: Range<Int>, next: Int)? {
    guard index < tokens.count else { return nil }
    let start = Int(tokens[index].start)
    if isString(index) {
      let content = content(index)
      for place in content where text[place] == Mark.hash { return nil }
      return content.isEmpty ? nil : (content, index + 1)
    }
    if isWord(index) {
      let isSetter = isAssignment(index + 1) && isAdjacent(index + 1)
      let last = isSetter ? index + 1 : index
      return (start..<Int(tokens[last].end), last + 1)
    }
    var next = index
    while next < tokens.count, next == index || isAdjacent(next), isRubyOperator(mark(next)) { next += 1 }
    return next > index ? (start..<Int(tokens[next - 1].end), next) : nil
  }

  private func isRubyOperator(_ mark: UInt8) -> Bool {
    switch mark {
    case Mark.openBracket, Mark.closeBracket, Mark.equals, Mark.less, Mark.greater, Mark.plus, Mark.minus,
      Mark.star,
      Mark.slash, Mark.percent, Mark.exclamation, Mark.tilde, Mark.caret, Mark.ampersand, Mark.bar, Mark.at:
      true
    default: false
    }
  }
}
