import ForageCore

extension OutlineReader {
  mutating func readPHP(from index: Int, in scope: Scope) -> Int {
    switch mark(index) {
    case Mark.hash where mark(index + 1) == Mark.openBracket: return close(of: index + 1) + 1
    case Mark.openBrace: return index + 1
    case Mark.dollar where scope.kind == .type || scope.kind == .file:
      return readPHPVariable(from: index, in: scope)
    case Mark.openParenthesis where scope.kind == .type, Mark.openBracket where scope.kind == .type:
      return close(of: index) + 1
    default: break
    }
    guard isWord(index), mark(index - 1) != Mark.greater, mark(index - 1) != Mark.colon,
      mark(index - 1) != Mark.dollar
    else { return index + 1 }
    let name = index + 1
    switch word(index) {
    case .function: return readPHPFunction(from: index, in: scope)
    case .class, .interface, .trait, .enum:
      guard isWord(name) else { return readAnonymousPHPClass(from: index, in: scope) }
      if word(name) == .extends || word(name) == .implements {
        return readAnonymousPHPClass(from: index, in: scope)
      }
      let head = head(from: name + 1, endsAtLine: false, before: scope.end)
      guard let brace = head.brace else { return name }
      let kind: SymbolKind =
        word(index) == .interface || word(index) == .trait
        ? .interface
        : word(index) == .enum ? .enum : .class
      add(name, kind, from: firstOfPHP(index), to: head.last)
      return enter(.type, name: name, brace: brace)
    case .namespace:
      guard isWord(name) else { return name }
      var last = name
      while token(last + 1, is: "\\"), isWord(last + 2) { last += 2 }
      let range = tokens[name].range.lowerBound..<tokens[last].range.upperBound
      add(range, .module, from: index, to: last + 1)
      return last + 1
    case .const where scope.kind != .function: return readPHPConstant(from: index, in: scope)
    case .case where scope.kind == .type && isWord(name):
      add(name, .constant, from: index, to: name)
      return name + 1
    case .define where mark(name) == Mark.openParenthesis && isString(name + 1):
      let range = tokens[name + 1].range
      if range.count > 2 {
        add(range.lowerBound + 1..<range.upperBound - 1, .constant, from: index, to: close(of: name))
      }
      return name
    default: return name
    }
  }

  /// The first of the words such as `abstract public static` before a keyword.
  private func firstOfPHP(_ keyword: Int) -> Int {
    var first = keyword
    while first > 0, first > keyword - 16 {
      switch word(first - 1) {
      case .public, .private, .protected, .static, .abstract, .final, .readonly, .var: first -= 1
      default: return first
      }
    }
    return first
  }

  private mutating func readPHPFunction(from index: Int, in scope: Scope) -> Int {
    let name = mark(index + 1) == Mark.ampersand ? index + 2 : index + 1
    let head = head(from: name, endsAtLine: false, before: scope.end)
    if isWord(name), word(index - 1) != .use {
      add(name, scope.kind == .type ? .method : .function, from: firstOfPHP(index), to: head.last)
      addPromotedProperties(name, in: scope)
    }
    guard let brace = head.brace else { return index + 1 }
    return enter(.function, brace: brace)
  }

  /// `__construct(private int $x)` has properties.
  private mutating func addPromotedProperties(_ name: Int, in scope: Scope) {
    guard scope.kind == .type, token(name, is: "__construct"), mark(name + 1) == Mark.openParenthesis else {
      return
    }
    let end = close(of: name + 1)
    var isPromoted = false
    var first = name
    var index = name + 2
    while index < end {
      switch word(index) {
      case .public, .private, .protected, .readonly:
        if !isPromoted { first = index }
        isPromoted = true
      default: break
      }
      switch mark(index) {
      case Mark.dollar:
        if isPromoted, isWord(index + 1) { add(index + 1, .property, from: first, to: index + 1) }
        isPromoted = false
      case Mark.openParenthesis, Mark.openBracket: index = close(of: index)
      default: break
      }
      index += 1
    }
  }

  /// `new class(…) extends A { … }`
  private mutating func readAnonymousPHPClass(from index: Int, in scope: Scope) -> Int {
    guard word(index) == .class, word(index - 1) == .new || word(index - 2) == .new else { return index + 1 }
    let head = head(from: index + 1, endsAtLine: false, before: scope.end)
    guard let brace = head.brace else { return index + 1 }
    return enter(.type, brace: brace)
  }

  /// `const A = 1, B = 2;`, maybe with a type.
  private mutating func readPHPConstant(from index: Int, in scope: Scope) -> Int {
    var next = index + 1
    while next < scope.end, mark(next) != Mark.semicolon {
      if isWord(next), mark(next + 1) == Mark.equals {
        let last = phpValueEnd(from: next + 2, before: scope.end)
        add(next, .constant, from: firstOfPHP(index), to: last)
        next = last
        continue
      }
      switch mark(next) {
      case Mark.closeBrace: return next
      case Mark.openBracket, Mark.openParenthesis, Mark.openBrace: next = close(of: next) + 1
      default: next += 1
      }
    }
    return next
  }

  /// The place of the comma or semicolon behind a value.
  private func phpValueEnd(from start: Int, before limit: Int) -> Int {
    let limit = min(limit, start + Self.longestStatement)
    var index = start
    while index < limit {
      switch mark(index) {
      case Mark.comma, Mark.semicolon, Mark.closeBrace, Mark.closeParenthesis: return index
      case Mark.openBracket, Mark.openParenthesis, Mark.openBrace: index = close(of: index)
      default: break
      }
      index += 1
    }
    return max(start, limit - 1)
  }

  /// A property of a class, or a variable of the file that is assigned to.
  private mutating func readPHPVariable(from index: Int, in scope: Scope) -> Int {
    let name = index + 1
    guard isWord(name) else { return name }
    if scope.kind == .type {
      let last = phpValueEnd(from: name + 1, before: scope.end)
      var first = index
      while first > 0, isWord(first - 1) || mark(first - 1) == Mark.question || mark(first - 1) == Mark.bar {
        first -= 1
      }
      add(name, .property, from: first, to: last)
      return last + 1
    }
    let isAssigned =
      mark(name + 1) == Mark.equals && !isPair(name + 1, Mark.equals, Mark.equals)
      && !isPair(name + 1, Mark.equals, Mark.greater)
    if isAssigned, isFirst(index) { add(name, .variable, from: index, to: name) }
    return name + 1
  }
}
