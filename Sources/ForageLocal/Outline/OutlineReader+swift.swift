import ForageCore

extension OutlineReader {
  mutating func readSwift(from index: Int, in scope: Scope) -> Int {
    switch mark(index) {
    case Mark.at: return skipSwiftAttribute(index)
    case Mark.openBrace: return enter(.function, brace: index)
    case Mark.hash where isWord(index + 1): return index + 2
    case 0: break
    default: return index + 1
    }
    guard isWord(index), mark(index - 1) != Mark.dot else { return index + 1 }
    let name = index + 1
    switch word(index) {
    case .class
    where word(name) == .func || word(name) == .var || word(name) == .let || word(name) == .subscript:
      return name
    case .import where isWord(name): return name + 1
    case .class, .struct, .enum, .protocol, .actor: return readSwiftType(from: index, in: scope)
    case .extension where isWord(name):
      guard let brace = head(from: name, endsAtLine: true, before: scope.end).brace else { return name }
      return enter(.type, name: name, brace: brace)
    case .func, .macro: return readSwiftFunction(from: index, in: scope)
    case .initializer, .deinitializer, .subscript: return readSwiftInitializer(from: index, in: scope)
    case .var where scope.kind != .function, .let where scope.kind != .function:
      return readSwiftVariables(from: index, in: scope)
    case .var, .let: return name
    case .case where scope.kind == .enumeration: return readSwiftCases(from: index, in: scope)
    case .typealias, .associatedtype:
      guard isWord(name) else { return name }
      let last = valueEnd(from: name, before: scope.end)
      add(name, .type, from: firstOfSwift(index), to: last)
      return last + 1
    default: return name
    }
  }

  private func skipSwiftAttribute(_ index: Int) -> Int {
    var next = index + 2
    while mark(next) == Mark.dot, isWord(next + 1) { next += 2 }
    return mark(next) == Mark.openParenthesis && isAdjacent(next) ? close(of: next) + 1 : next
  }

  /// The first of the modifiers and attributes before a keyword.
  private func firstOfSwift(_ keyword: Int) -> Int {
    var first = keyword
    while first > 0, first > keyword - 16 {
      switch word(first - 1) {
      case .public, .private, .internal, .fileprivate, .open, .package, .static, .class, .final, .override,
        .mutating,
        .nonmutating, .lazy, .weak, .unowned, .required, .convenience, .indirect, .prefix, .postfix, .infix,
        .nonisolated,
        .isolated, .borrowing, .consuming, .dynamic, .optional:
        first -= 1
      default:
        if mark(first - 2) == Mark.at {
          first -= 2
        } else if mark(first - 1) == Mark.closeParenthesis, isWord(open(of: first - 1) - 1),
          isAdjacent(open(of: first - 1)), isSwiftModifier(open(of: first - 1) - 1)
        {
          first = open(of: first - 1) - 1
          if mark(first - 1) == Mark.at { first -= 1 }
        } else {
          return first
        }
      }
    }
    return first
  }

  /// `private(set)`, `unowned(safe)` or `@available(…)`
  private func isSwiftModifier(_ index: Int) -> Bool {
    switch word(index) {
    case .public, .private, .internal, .fileprivate, .open, .package, .unowned, .nonisolated: true
    default: mark(index - 1) == Mark.at
    }
  }

  private mutating func readSwiftType(from index: Int, in scope: Scope) -> Int {
    let name = index + 1
    guard isWord(name), !(word(index) == .actor && isFirst(name)) else { return name }
    let head = head(from: name + 1, endsAtLine: true, before: scope.end)
    guard let brace = head.brace else { return name }
    let isEnumeration = word(index) == .enum
    let kind: SymbolKind =
      word(index) == .protocol
      ? .interface
      : isEnumeration
        ? .enum
        : word(index) == .struct ? .struct : .class
    add(name, kind, from: firstOfSwift(index), to: head.last)
    return enter(isEnumeration ? .enumeration : .type, name: name, brace: brace)
  }

  private mutating func readSwiftFunction(from index: Int, in scope: Scope) -> Int {
    var next = index + 1
    guard next < count, word(index) == .func || isWord(next) && mark(next + 1) == Mark.openParenthesis else {
      return next
    }
    let name = next
    if isWord(next) {
      next += 1
    } else {
      // The marks of an operator, up to the type parameters or the parameters.
      while next < scope.end, tokens[next].kind == .punctuation, mark(next) != Mark.openParenthesis,
        next == name || isAdjacent(next)
      {
        next += 1
      }
    }
    guard next > name, next < scope.end else { return name }
    let range = tokens[name].range.lowerBound..<tokens[next - 1].range.upperBound
    let head = head(from: next, endsAtLine: true, before: scope.end)
    let isMember = scope.kind == .type || scope.kind == .enumeration
    let kind: SymbolKind = word(index) == .macro ? .macro : isMember ? .method : .function
    add(range, kind, from: firstOfSwift(index), to: head.last)
    guard let brace = head.brace else { return head.last + 1 }
    return enter(.function, brace: brace)
  }

  private mutating func readSwiftInitializer(from index: Int, in scope: Scope) -> Int {
    let name = index + 1
    guard scope.kind == .type || scope.kind == .enumeration else { return name }
    var next = name
    if mark(next) == Mark.question || mark(next) == Mark.exclamation { next += 1 }
    let begins = mark(next) == Mark.openParenthesis || mark(next) == Mark.less || mark(next) == Mark.openBrace
    guard begins else { return name }
    let head = head(from: next, endsAtLine: true, before: scope.end)
    add(index, .method, from: firstOfSwift(index), to: head.last)
    guard let brace = head.brace else { return head.last + 1 }
    return enter(.function, brace: brace)
  }

  /// `var a: T { … }`, `let b = 1, c = 2`, `let (d, e) = f`
  private mutating func readSwiftVariables(from index: Int, in scope: Scope) -> Int {
    let isLet = word(index) == .let
    let kind: SymbolKind = scope.kind == .file ? (isLet ? .constant : .variable) : .property
    var name = index + 1
    let first = firstOfSwift(index)
    guard name < scope.end else { return name }
    if mark(name) == Mark.openParenthesis {
      let end = close(of: name)
      for place in name..<end where isWord(place) { add(place, kind, from: first, to: end) }
      return end + 1
    }
    while isWord(name) {
      let last = swiftDeclaratorEnd(from: name, before: scope.end)
      add(name, kind, from: first, to: last)
      guard mark(last + 1) == Mark.comma, isWord(last + 2) else {
        return swiftBodies(from: name + 1, to: last)
      }
      name = last + 2
    }
    return name
  }

  /// What is in accessors and closures of a variable is read as a function's body.
  private mutating func swiftBodies(from start: Int, to last: Int) -> Int {
    scopes.append(Scope(kind: .function, name: -1, end: last + 1, endsBeforeToken: true))
    return start
  }

  /// The last token of one of the variables.
  private func swiftDeclaratorEnd(from start: Int, before limit: Int) -> Int {
    var index = start
    var angles = 0
    while index < limit {
      if index > start, isFirst(index), !swiftGoesOn(index) { return index - 1 }
      switch mark(index) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: index = close(of: index)
      case Mark.less where isAdjacent(index): angles += 1
      case Mark.greater where angles > 0: angles -= 1
      case Mark.semicolon: return index
      case Mark.comma where angles == 0: return index - 1
      case Mark.closeBrace, Mark.closeParenthesis, Mark.closeBracket: return index - 1
      default: break
      }
      index += 1
    }
    return max(start, limit - 1)
  }

  /// Whether the first token of a line belongs to the variable before it.
  private func swiftGoesOn(_ index: Int) -> Bool {
    let before = tokens[index - 1]
    if before.kind == .punctuation {
      switch before.mark {
      case Mark.equals, Mark.colon, Mark.comma, Mark.ampersand, Mark.bar, Mark.plus, Mark.minus, Mark.star,
        Mark.slash:
        return true
      default: break
      }
    }
    switch mark(index) {
    case Mark.dot, Mark.question, Mark.colon, Mark.plus, Mark.minus, Mark.star, Mark.slash, Mark.bar,
      Mark.ampersand,
      Mark.equals, Mark.openBrace, Mark.less, Mark.greater:
      return true
    default: return word(index) == .as || word(index) == .is || word(index) == .else
    }
  }

  /// `case a, b(Int), c = 1`
  private mutating func readSwiftCases(from index: Int, in scope: Scope) -> Int {
    var name = index + 1
    while isWord(name) {
      var last = name
      if mark(last + 1) == Mark.openParenthesis { last = close(of: last + 1) }
      if mark(last + 1) == Mark.equals { last += mark(last + 2) == Mark.minus ? 3 : 2 }
      add(name, .constant, from: index, to: last)
      guard mark(last + 1) == Mark.comma else { return last + 1 }
      name = last + 2
    }
    return name
  }
}
