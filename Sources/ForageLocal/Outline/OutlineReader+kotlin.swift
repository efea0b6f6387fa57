import ForageCore

extension OutlineReader {
  mutating func readKotlin(from index: Int, in scope: Scope) -> Int {
    switch mark(index) {
    case Mark.at: return skipKotlinAnnotation(index)
    case Mark.openBrace: return enter(.function, brace: index)
    case Mark.semicolon where scope.kind == .enumeration:
      scopes[scopes.count - 1].kind = .type
      return index + 1
    case 0: break
    default: return index + 1
    }
    if scope.kind == .enumeration { return readKotlinEntry(from: index, in: scope) }
    guard isWord(index), mark(index - 1) != Mark.dot, mark(index - 1) != Mark.colon else { return index + 1 }
    let name = index + 1
    switch word(index) {
    case .class, .interface, .object: return readKotlinType(from: index, in: scope)
    case .fun: return word(name) == .interface ? name : readKotlinFunction(from: index, in: scope)
    case .val, .var: return readKotlinProperty(from: index, in: scope)
    case .typealias:
      guard isWord(name) else { return name }
      let last = valueEnd(from: name, before: scope.end)
      add(name, .type, from: firstOfKotlin(index), to: last)
      return last + 1
    case .constructor where scope.kind == .type && mark(name) == Mark.openParenthesis:
      let head = head(from: name, endsAtLine: true, before: scope.end)
      return head.brace.map { enter(.function, brace: $0) } ?? head.last + 1
    default: return name
    }
  }

  func skipKotlinAnnotation(_ index: Int) -> Int {
    var next = index + 1
    while isWord(next), mark(next + 1) == Mark.dot || mark(next + 1) == Mark.colon && isAdjacent(next + 2) {
      next += 2
    }
    next += 1
    return mark(next) == Mark.openParenthesis && isAdjacent(next) ? close(of: next) + 1 : next
  }

  /// The first of the modifiers before a keyword.
  private func firstOfKotlin(_ keyword: Int) -> Int {
    var first = keyword
    while first > 0, first > keyword - 16, isWord(first - 1) {
      switch word(first - 1) {
      case .public, .private, .protected, .internal, .open, .abstract, .final, .override, .suspend, .inline,
        .data,
        .sealed, .enum, .companion, .operator, .infix, .lateinit, .const, .tailrec, .external, .inner,
        .expect,
        .actual, .value, .annotation, .fun, .vararg, .noinline, .crossinline:
        first -= 1
      default: return first
      }
    }
    return first
  }

  private mutating func readKotlinType(from index: Int, in scope: Scope) -> Int {
    let name = index + 1
    let hasName = isWord(name) && mark(index - 1) != Mark.equals && !isFirst(name)
    let head = head(from: hasName ? name + 1 : name, endsAtLine: true, before: scope.end)
    let isEnumeration = word(index - 1) == .enum
    if hasName {
      let kind: SymbolKind = word(index) == .interface ? .interface : isEnumeration ? .enum : .class
      add(name, kind, from: firstOfKotlin(index), to: head.last)
      addKotlinParameters(from: name + 1, to: head.brace ?? head.last + 1)
    }
    guard let brace = head.brace else { return head.last + 1 }
    return enter(isEnumeration ? .enumeration : .type, name: name, brace: brace)
  }

  /// Whether `private constructor` or the like is next, maybe with annotations.
  func beginsKotlinConstructor(_ start: Int) -> Bool {
    var index = start
    while index < min(count, start + 40) {
      if word(index) == .constructor { return true }
      if mark(index) == Mark.at {
        index = skipKotlinAnnotation(index)
        continue
      }
      switch word(index) {
      case .private, .protected, .internal, .public, .expect, .actual: index += 1
      default: return false
      }
    }
    return false
  }

  /// The properties among the parameters of a class.
  private mutating func addKotlinParameters(from start: Int, to end: Int) {
    var index = skipAngles(start)
    if mark(index) != Mark.openParenthesis, mark(index) != Mark.colon {
      while index < end, word(index) != .constructor { index += 1 }
      index += 1
    }
    guard index < end, mark(index) == Mark.openParenthesis else { return }
    let last = close(of: index)
    index += 1
    while index < last {
      if word(index) == .val || word(index) == .var, isWord(index + 1) {
        add(index + 1, .property, from: firstOfKotlin(index), to: index + 1)
      }
      switch mark(index) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: index = close(of: index)
      default: break
      }
      index += 1
    }
  }

  /// The name behind a receiver: `fun <T> List<T>.name`.
  private func kotlinName(from start: Int) -> Int? {
    var index = skipAngles(start)
    if mark(index) == Mark.openParenthesis { index = close(of: index) + 1 }
    var name: Int?
    while index < count {
      if mark(index) == Mark.at {
        index = skipKotlinAnnotation(index)
        continue
      }
      if isWord(index) {
        name = index
        index = skipAngles(index + 1)
        if mark(index) == Mark.question { index += 1 }
      }
      guard mark(index) == Mark.dot else { break }
      index += 1
    }
    return name
  }

  private mutating func readKotlinFunction(from index: Int, in scope: Scope) -> Int {
    guard let name = kotlinName(from: index + 1),
      mark(name + 1) == Mark.openParenthesis || mark(name + 1) == Mark.less
    else { return index + 1 }
    var next = skipAngles(name + 1)
    if next < count, mark(next) == Mark.openParenthesis { next = close(of: next) + 1 }
    while next < scope.end, mark(next) != Mark.openBrace, mark(next) != Mark.equals {
      if isFirst(next), mark(next) != Mark.colon, word(next) != .where { break }
      switch mark(next) {
      case Mark.openParenthesis, Mark.openBracket: next = close(of: next) + 1
      case Mark.closeBrace, Mark.semicolon: return addKotlinFunction(index, name, last: next - 1, in: scope)
      default: next += 1
      }
    }
    if next < scope.end, mark(next) == Mark.equals {
      let last = valueEnd(from: next, before: scope.end)
      _ = addKotlinFunction(index, name, last: last, in: scope)
      scopes.append(Scope(kind: .function, name: -1, end: last + 1, endsBeforeToken: true))
      return next + 1
    }
    guard next < scope.end, mark(next) == Mark.openBrace else {
      return addKotlinFunction(index, name, last: next - 1, in: scope)
    }
    _ = addKotlinFunction(index, name, last: close(of: next), in: scope)
    return enter(.function, brace: next)
  }

  private mutating func addKotlinFunction(_ index: Int, _ name: Int, last: Int, in scope: Scope) -> Int {
    add(name, scope.kind == .type ? .method : .function, from: firstOfKotlin(index), to: last)
    return last + 1
  }

  private mutating func readKotlinProperty(from index: Int, in scope: Scope) -> Int {
    guard scope.kind != .function else { return index + 1 }
    let isConstant = word(index - 1) == .const || scope.kind == .file && word(index) == .val
    let kind: SymbolKind = isConstant ? .constant : scope.kind == .file ? .variable : .property
    if mark(index + 1) == Mark.openParenthesis { return index + 1 }
    guard let name = kotlinName(from: index + 1) else { return index + 1 }
    let last = valueEnd(from: name, before: scope.end)
    add(name, kind, from: firstOfKotlin(index), to: last)
    scopes.append(Scope(kind: .function, name: -1, end: last + 1, endsBeforeToken: true))
    return name + 1
  }

  /// An entry of an `enum class`, up to the semicolon.
  private mutating func readKotlinEntry(from index: Int, in scope: Scope) -> Int {
    guard isWord(index) else {
      return index + 1
    }
    var next = index + 1
    add(index, .constant, from: index, to: index)
    if mark(next) == Mark.openParenthesis { next = close(of: next) + 1 }
    if mark(next) == Mark.openBrace { return enter(.type, brace: next) }
    return next
  }
}
