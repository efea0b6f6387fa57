import ForageCore

extension OutlineReader {
  mutating func readRust(from index: Int, in scope: Scope) -> Int {
    if mark(index) == Mark.hash { return skipRustAttribute(index) }
    switch scope.kind {
    case .enumeration: return readRustVariant(from: index)
    case .type where scope.hasFields: return readRustField(from: index)
    default: break
    }
    guard isWord(index), mark(index - 1) != Mark.apostrophe, mark(index - 1) != Mark.star else {
      return index + 1
    }
    let name = index + 1
    switch word(index) {
    case .fn: return isWord(name) ? readRustFunction(from: index, in: scope) : name
    case .struct, .union, .enum, .trait:
      return isWord(name) && mark(index - 1) != Mark.dot ? readRustType(from: index, in: scope) : name
    case .mod:
      guard isWord(name) else { return name }
      guard mark(name + 1) == Mark.openBrace else { return name + 1 }
      add(name, .module, from: firstOfRust(index), to: close(of: name + 1))
      return enter(.namespace, name: name, brace: name + 1)
    case .impl: return readRustImplementation(from: index, in: scope)
    case .const, .static: return readRustConstant(from: index, in: scope)
    case .typeWord:
      guard isWord(name), scope.kind != .function || isFirst(index) else { return name }
      let last = rustStatementEnd(from: name, before: scope.end)
      add(name, .type, from: firstOfRust(index), to: last)
      return last + 1
    case .macroRules:
      guard mark(name) == Mark.exclamation, isWord(name + 1) else { return name }
      let body = name + 2
      let last = body < count ? close(of: body) : name + 1
      add(name + 1, .macro, from: index, to: last)
      return last + 1
    case .use: return rustStatementEnd(from: name, before: scope.end) + 1
    default: return name
    }
  }

  private func skipRustAttribute(_ index: Int) -> Int {
    var next = index + 1
    if mark(next) == Mark.exclamation { next += 1 }
    return mark(next) == Mark.openBracket ? close(of: next) + 1 : next
  }

  /// The first of the words such as `pub(crate) const unsafe` before a keyword.
  private func firstOfRust(_ keyword: Int) -> Int {
    var first = keyword
    while first > 0, first > keyword - 16 {
      switch word(first - 1) {
      case .pub, .const, .async, .unsafe, .default, .extern: first -= 1
      default:
        if isString(first - 1), word(first - 2) == .extern {
          first -= 2
        } else if mark(first - 1) == Mark.closeParenthesis, word(open(of: first - 1) - 1) == .pub {
          first = open(of: first - 1) - 1
        } else {
          return first
        }
      }
    }
    return first
  }

  private func rustStatementEnd(from start: Int, before limit: Int) -> Int {
    let limit = min(limit, start + Self.longestStatement)
    var index = start
    while index < limit {
      switch mark(index) {
      case Mark.semicolon: return index
      case Mark.openBrace, Mark.openParenthesis, Mark.openBracket: index = close(of: index)
      case Mark.closeBrace: return index - 1
      default: break
      }
      index += 1
    }
    return max(start, limit - 1)
  }

  private mutating func readRustFunction(from index: Int, in scope: Scope) -> Int {
    let head = head(from: index + 2, endsAtLine: false, before: scope.end)
    add(index + 1, scope.kind == .type ? .method : .function, from: firstOfRust(index), to: head.last)
    guard let brace = head.brace else { return head.last + 1 }
    return enter(.function, brace: brace)
  }

  private mutating func readRustType(from index: Int, in scope: Scope) -> Int {
    let word = word(index)
    let head = head(from: index + 2, endsAtLine: false, before: scope.end)
    let kind: SymbolKind =
      word == .enum ? .enum : word == .trait ? .interface : word == .union ? .union : .struct
    add(index + 1, kind, from: firstOfRust(index), to: head.last)
    guard let brace = head.brace else { return head.last + 1 }
    let next = enter(word == .enum ? .enumeration : .type, name: index + 1, brace: brace)
    scopes[scopes.count - 1].hasFields = word == .struct || word == .union
    return next
  }

  private mutating func readRustImplementation(from index: Int, in scope: Scope) -> Int {
    guard scope.kind != .function || isFirst(index) else { return index + 1 }
    let head = head(from: index + 1, endsAtLine: false, before: scope.end)
    guard let brace = head.brace else { return index + 1 }
    return enter(.type, brace: brace)
  }

  private mutating func readRustConstant(from index: Int, in scope: Scope) -> Int {
    var name = index + 1
    if word(name) == .mut { name += 1 }
    guard isWord(name), mark(name + 1) == Mark.colon, scope.kind != .function || isFirst(index) else {
      return index + 1
    }
    let last = rustStatementEnd(from: name, before: scope.end)
    if scope.kind != .function, !token(name, is: "_") {
      add(name, word(index) == .const ? .constant : .variable, from: firstOfRust(index), to: last)
    }
    return last + 1
  }

  private mutating func readRustField(from index: Int) -> Int {
    guard isWord(index), mark(index + 1) == Mark.colon, !isPair(index + 1, Mark.colon, Mark.colon) else {
      return mark(index) == Mark.openParenthesis ? close(of: index) + 1 : index + 1
    }
    var end = index + 2
    var angles = 0
    while end < count, mark(end) != Mark.closeBrace, mark(end) != Mark.comma || angles > 0 {
      switch mark(end) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: end = close(of: end)
      case Mark.less: angles += 1
      case Mark.greater where mark(end - 1) != Mark.minus: angles -= 1
      default: break
      }
      end += 1
    }
    add(index, .field, from: index, to: end - 1)
    return end
  }

  private mutating func readRustVariant(from index: Int) -> Int {
    guard isWord(index) else { return index + 1 }
    var end = index + 1
    while end < count, mark(end) != Mark.closeBrace, mark(end) != Mark.comma {
      switch mark(end) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: end = close(of: end)
      default: break
      }
      end += 1
    }
    add(index, .constant, from: index, to: end - 1)
    return end
  }
}
