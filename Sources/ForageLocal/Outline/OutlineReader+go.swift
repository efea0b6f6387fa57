import ForageCore

extension OutlineReader {
  mutating func readGo(from index: Int, in scope: Scope) -> Int {
    switch scope.kind {
    case .type: return readGoMember(from: index, in: scope)
    default: break
    }
    switch word(index) {
    case .func: return readGoFunction(from: index, in: scope)
    case .typeWord, .const, .var:
      let next = index + 1
      guard mark(next) == Mark.openParenthesis else {
        return readGoSpecification(word(index), from: next, first: index, in: scope)
      }
      scopes.append(Scope(kind: .enumeration, name: index, end: close(of: next)))
      return next + 1
    default: break
    }
    if scope.kind == .enumeration {
      guard isFirst(index), endsStatement(index - 1) || mark(index - 1) == Mark.openParenthesis else {
        return index + 1
      }
      return readGoSpecification(word(scope.name), from: index, first: index, in: scope)
    }
    switch mark(index) {
    case Mark.openBrace, Mark.openParenthesis, Mark.openBracket: return close(of: index) + 1
    default: return index + 1
    }
  }

  /// `func name(…)` or `func (receiver) name(…)`
  private mutating func readGoFunction(from index: Int, in scope: Scope) -> Int {
    var name = index + 1
    let isMethod = mark(name) == Mark.openParenthesis
    if isMethod { name = close(of: name) + 1 }
    guard isWord(name) else { return index + 1 }
    let head = head(from: name + 1, endsAtLine: true, before: scope.end)
    add(name, isMethod ? .method : .function, from: index, to: head.last)
    return head.last + 1
  }

  /// One type, or the names of one line of constants or variables.
  private mutating func readGoSpecification(_ keyword: Word, from index: Int, first: Int, in scope: Scope)
    -> Int
  {
    guard isWord(index) else { return index + 1 }
    if keyword == .typeWord { return readGoType(from: index, first: first, in: scope) }
    let last = valueEnd(from: index, before: scope.end)
    var name = index
    while isWord(name), name <= last {
      if !token(name, is: "_") { add(name, keyword == .const ? .constant : .variable, from: first, to: last) }
      guard mark(name + 1) == Mark.comma else { break }
      name += 2
    }
    return last + 1
  }

  private mutating func readGoType(from name: Int, first: Int, in scope: Scope) -> Int {
    var next = name + 1
    // Parameters of the type are in brackets; `[]T` and `[4]T` are types themselves.
    if mark(next) == Mark.openBracket, isWord(next + 1), mark(next + 2) != Mark.closeBracket {
      next = close(of: next) + 1
    }
    if mark(next) == Mark.equals { next += 1 }
    let word = word(next)
    if word == .struct || word == .interface, mark(next + 1) == Mark.openBrace {
      let brace = next + 1
      add(name, word == .struct ? .struct : .interface, from: first, to: close(of: brace))
      scopes.append(Scope(kind: .type, name: next, end: bodyEnd(brace)))
      return brace + 1
    }
    let last = valueEnd(from: name, before: scope.end)
    add(name, .type, from: first, to: last)
    return last + 1
  }

  /// One line of a `struct` or an `interface`.
  private mutating func readGoMember(from index: Int, in scope: Scope) -> Int {
    let start = mark(index) == Mark.star ? index + 1 : index
    guard isWord(start), endsStatement(index - 1) || mark(index - 1) == Mark.openBrace else {
      return index + 1
    }
    let isInterface = word(scope.name) == .interface
    if isInterface {
      let last = valueEnd(from: index, before: scope.end)
      if mark(start + 1) == Mark.openParenthesis { add(start, .method, from: index, to: last) }
      return last + 1
    }
    var name = start
    while mark(name + 1) == Mark.comma, isWord(name + 2) {
      add(name, .field, from: index, to: name)
      name += 2
    }
    let next = name + 1
    if word(next) == .struct, mark(next + 1) == Mark.openBrace {
      add(name, .field, from: index, to: close(of: next + 1))
      scopes.append(Scope(kind: .type, name: next, end: bodyEnd(next + 1)))
      return next + 2
    }
    let last = valueEnd(from: index, before: scope.end)
    // An embedded type is used, and defined elsewhere.
    let isEmbedded =
      start != index || isFirst(next) || isString(next)
      || [Mark.dot, Mark.closeBrace, Mark.semicolon].contains(mark(next))
    if !isEmbedded { add(name, .field, from: index, to: last) }
    return last + 1
  }
}
