import ForageCore

/// Shells: functions and aliases.
extension OutlineReader {
  mutating func readShell() {
    var index = 0
    while index < tokens.count {
      switch word(index) {
      case .function where isShellCommand(index): index = readShellFunction(at: index)
      case .alias where isShellCommand(index): index = readShellAliases(at: index)
      default:
        if mark(index) == Mark.openParenthesis, mark(index + 1) == Mark.closeParenthesis {
          addShellFunction(at: index)
        }
        index += 1
      }
    }
  }

  /// Whether a command begins with the token.
  private func isShellCommand(_ index: Int) -> Bool {
    guard !isFirst(index) else { return true }
    switch mark(index - 1) {
    case Mark.semicolon, Mark.ampersand, Mark.bar, Mark.openBrace, Mark.openParenthesis,
      Mark.closeParenthesis,
      Mark.exclamation:
      return true
    default: break
    }
    switch word(index - 1) {
    case .then, .do, .else: return true
    default: return false
    }
  }

  /// `name ( )`, where a name may have marks in it.
  private mutating func addShellFunction(at parenthesis: Int) {
    let last = parenthesis - 1
    guard last >= 0, !isFirst(parenthesis) else { return }
    var first = last
    while first > 0, first > last - 12, !isFirst(first), isAdjacent(first), isShellNamePart(first - 1) {
      first -= 1
    }
    guard isShellNamePart(first), isShellNamePart(last), isShellCommand(first) else { return }
    let range = Int(tokens[first].start)..<Int(tokens[last].end)
    add(range, .function, from: first, to: endOfShellBody(parenthesis + 2))
  }

  private func isShellNamePart(_ index: Int) -> Bool {
    switch mark(index) {
    case 0: index >= 0 && index < tokens.count && !isString(index)
    case Mark.minus, Mark.plus, Mark.dot, Mark.colon, Mark.at, Mark.comma, Mark.percent, Mark.slash,
      Mark.tilde, Mark.caret:
      true
    default: false
    }
  }

  /// The last token of the body that begins with this one, or the token before it.
  private func endOfShellBody(_ index: Int) -> Int {
    let isBody = mark(index) == Mark.openBrace || mark(index) == Mark.openParenthesis
    return isBody ? close(of: index) : index - 1
  }

  /// `function name {`, also with `()` behind the name.
  private mutating func readShellFunction(at index: Int) -> Int {
    let first = index + 1
    guard isOnLine(first), isShellNamePart(first) else { return first }
    var last = first
    while isOnLine(last + 1), isAdjacent(last + 1), isShellNamePart(last + 1) { last += 1 }
    if isFirst(index), isOnLine(last + 1), isWord(last + 1), mark(last + 2) == Mark.openParenthesis {
      // Two names of zsh: `function a b() {`
      add(last + 1, .function, from: index, to: last + 1)
    }
    let hasParentheses = mark(last + 1) == Mark.openParenthesis && mark(last + 2) == Mark.closeParenthesis
    let body = hasParentheses ? last + 3 : last + 1
    add(Int(tokens[first].start)..<Int(tokens[last].end), .function, from: index, to: endOfShellBody(body))
    return body
  }

  /// `alias a=b c='d'`
  private mutating func readShellAliases(at start: Int) -> Int {
    var index = start + 1
    while isOnLine(index) {
      switch mark(index) {
      case Mark.semicolon, Mark.ampersand, Mark.bar, Mark.closeBrace: return index
      default: break
      }
      let first = index
      var name = tokens[first].range
      while isOnLine(index), index == first || isAdjacent(index), mark(index) != Mark.equals { index += 1 }
      if mark(index) == Mark.equals, index > first, isAdjacent(index) {
        name = name.lowerBound..<Int(tokens[index].start)
        if index == first + 1, isString(first) { name = content(first) }
        while isOnLine(index + 1), isAdjacent(index + 1) { index += 1 }
        if !hasDollar(name) { add(name, .macro, from: start, to: index) }
        index += 1
      } else if isString(first), index == first + 1, let name = shellAliasInString(first) {
        add(name, .macro, from: start, to: first)
      }
      // `alias =x` names nothing.
      if index == first { index += 1 }
    }
    return index
  }

  private func hasDollar(_ range: Range<Int>) -> Bool {
    for place in range where text[place] == Mark.dollar { return true }
    return false
  }

  /// `"name=value"`
  private func shellAliasInString(_ index: Int) -> Range<Int>? {
    let content = content(index)
    for place in content {
      if text[place] == Mark.equals { return place > content.lowerBound ? content.lowerBound..<place : nil }
      if text[place] <= 32 || text[place] == Mark.dollar { return nil }
    }
    return nil
  }
}
