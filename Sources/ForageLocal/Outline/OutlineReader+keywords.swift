import ForageCore

/// Swift, Kotlin, Scala, Rust, Go and PHP: a keyword is before the name.
extension OutlineReader {
  mutating func readKeywords() {
    scopes = [Scope(kind: .file, name: -1, end: count)]
    if language == .scala { findBlockEnds() }
    var index = 0
    while let scope = scopes.last {
      if index >= scope.end {
        scopes.removeLast()
        // A brace that ends the scope is left behind; a scope of other ends has none.
        index = max(index, scope.endsBeforeToken ? scope.end : scope.end + 1)
        continue
      }
      let next: Int
      switch language {
      case .go: next = readGo(from: index, in: scope)
      case .rust: next = readRust(from: index, in: scope)
      case .swift: next = readSwift(from: index, in: scope)
      case .kotlin: next = readKotlin(from: index, in: scope)
      case .scala: next = readScala(from: index, in: scope)
      default: next = readPHP(from: index, in: scope)
      }
      index = max(next, index + 1)
    }
  }

  /// Begins a scope at a brace and returns the place behind it.
  mutating func enter(_ kind: Scope.Kind, name: Int = -1, brace: Int) -> Int {
    scopes.append(Scope(kind: kind, name: name, end: bodyEnd(brace)))
    return brace + 1
  }

  /// Where a declaration without a body ends, or its body's brace.
  struct Head {
    var brace: Int?
    /// The last token without a body: of a body, its closing brace.
    var last: Int
  }

  /// Goes on from a declaration's name to its body. With `endsAtLine`, the first token of a line that does
  /// not go on ends it.
  func head(from start: Int, endsAtLine: Bool, before limit: Int) -> Head {
    var index = skipAngles(start)
    // A head is short: a body much farther away belongs to something else.
    var rest = 400
    while index < limit, rest > 0 {
      rest -= 1
      switch mark(index) {
      case Mark.openParenthesis, Mark.openBracket:
        if endsAtLine, isFirst(index), !headGoesOn(index) {
          return Head(brace: nil, last: index - 1)
        }
        index = close(of: index) + 1
        continue
      case Mark.openBrace:
        if language == .go, word(index - 1) == .interface || word(index - 1) == .struct {
          index = close(of: index) + 1
          continue
        }
        return Head(brace: index, last: close(of: index))
      case Mark.semicolon: return Head(brace: nil, last: index)
      case Mark.closeBrace, Mark.closeParenthesis, Mark.closeBracket: return Head(brace: nil, last: index - 1)
      default: break
      }
      if endsAtLine, isFirst(index), !headGoesOn(index) {
        return Head(brace: nil, last: index - 1)
      }
      index += 1
    }
    return Head(brace: nil, last: max(start, index - 1))
  }

  /// Whether the first token of a line belongs to the declaration before it.
  private func headGoesOn(_ index: Int) -> Bool {
    if language == .go { return !endsStatement(index - 1) }
    if language == .kotlin, beginsKotlinConstructor(index) { return true }
    switch mark(index) {
    case Mark.openBrace, Mark.minus, Mark.colon, Mark.equals, Mark.comma, Mark.dot, Mark.ampersand:
      return true
    default: break
    }
    switch word(index) {
    case .where, .throws, .rethrows, .async, .extends, .with, .derives, .by: return true
    default: break
    }
    switch mark(index - 1) {
    case Mark.comma, Mark.colon, Mark.ampersand, Mark.equals: return true
    case Mark.greater: return mark(index - 2) == Mark.minus
    default: return word(index - 1) == .where
    }
  }

  /// The rule of Go: a line's end ends a statement behind a name, a value or a closing bracket.
  func endsStatement(_ index: Int) -> Bool {
    guard index >= 0, index < count else { return true }
    guard tokens[index].kind == .punctuation else { return true }
    switch tokens[index].mark {
    case Mark.closeParenthesis, Mark.closeBracket, Mark.closeBrace, Mark.semicolon: return true
    case Mark.plus, Mark.minus: return isPair(index - 1, tokens[index].mark, tokens[index].mark)
    default: return false
    }
  }

  /// The end of a value that begins at `start`: the last token before a line that does not go on or a
  /// bracket, or a semicolon.
  ///
  /// - Parameter isEntry: Whether it is one of several with commas between; then it ends before a comma or
  ///   semicolon.
  func valueEnd(from start: Int, before limit: Int, isEntry: Bool = false) -> Int {
    let limit = min(limit, start + Self.longestStatement)
    var index = start
    while index < limit {
      if index > start, isFirst(index), !valueGoesOn(index) { return index - 1 }
      switch mark(index) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: index = close(of: index)
      case Mark.comma where isEntry, Mark.semicolon where isEntry: return max(start, index - 1)
      case Mark.semicolon: return index
      case Mark.closeBrace, Mark.closeParenthesis, Mark.closeBracket:
        return isEntry ? max(start, index - 1) : index - 1
      default: break
      }
      index += 1
    }
    return max(start, limit - 1)
  }

  /// Whether the first token of a line belongs to the value before it.
  private func valueGoesOn(_ index: Int) -> Bool {
    switch language {
    case .go: return !endsStatement(index - 1)
    case .javaScript, .typeScript, .tsx: return !endsScriptValue(before: index)
    default: break
    }
    let before = tokens[index - 1]
    if before.kind == .punctuation {
      switch before.mark {
      case Mark.closeParenthesis, Mark.closeBracket, Mark.closeBrace, Mark.semicolon, Mark.question,
        Mark.exclamation, Mark.greater:
        break
      default: return true
      }
    }
    if word(index - 1) == .else || word(index - 1) == .in || word(index - 1) == .where { return true }
    switch mark(index) {
    case Mark.dot, Mark.question, Mark.colon, Mark.plus, Mark.minus, Mark.star, Mark.slash, Mark.bar,
      Mark.ampersand,
      Mark.equals, Mark.openBrace, Mark.greater, Mark.less:
      return true
    default: break
    }
    switch word(index) {
    case .else, .as, .is, .in, .where, .catch, .finally: return true
    default: return false
    }
  }

  /// The place behind type parameters in angle brackets, if they end soon.
  func skipAngles(_ index: Int) -> Int {
    guard mark(index) == Mark.less else { return index }
    var depth = 0
    var next = index
    while next < min(count, index + 500) {
      switch mark(next) {
      case Mark.less: depth += 1
      case Mark.greater where mark(next - 1) != Mark.minus && mark(next - 1) != Mark.equals:
        depth -= 1
        if depth == 0 { return next + 1 }
      case Mark.closeBrace, Mark.closeParenthesis, Mark.closeBracket, Mark.semicolon: return index + 1
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: next = close(of: next)
      default: break
      }
      next += 1
    }
    return index + 1
  }
}
