import ForageCore

/// What is in classes, interfaces, object literals and assignments of JavaScript and TypeScript.
extension OutlineReader {
  /// Whether a function begins at a place: `function`, `(…) =>`, `name =>`, `async`.
  func isScriptFunction(at start: Int) -> Bool {
    var index = start
    if word(index) == .async { index += 1 }
    if word(index) == .function { return true }
    if isWord(index), isPair(index + 1, Mark.equals, Mark.greater) { return true }
    index = skipAngles(index)
    guard index < count, mark(index) == Mark.openParenthesis else { return false }
    var next = close(of: index) + 1
    if mark(next) == Mark.colon { next = skipScriptType(from: next + 1) }
    return isPair(next, Mark.equals, Mark.greater)
  }

  /// What a brace in an expression or a statement begins.
  mutating func enterScriptBrace(_ brace: Int) -> Int {
    let before = brace - 1
    var isObject = false
    switch mark(before) {
    case Mark.equals, Mark.openParenthesis, Mark.comma, Mark.openBracket, Mark.question, Mark.bar,
      Mark.ampersand:
      isObject = true
    case Mark.colon: isObject = word(before - 1) != .default && !isCaseLabel(before)
    default: isObject = word(before) == .return || word(before) == .default && word(before - 1) == .export
    }
    return enter(isObject ? .object : .function, brace: brace)
  }

  private func isCaseLabel(_ colon: Int) -> Bool {
    var index = colon - 1
    while index > colon - 6, index > 0 {
      if word(index) == .case { return true }
      if isFirst(index) { return false }
      index -= 1
    }
    return false
  }

  /// `const a = 1, b = function () {}`
  mutating func readScriptVariables(from index: Int, in scope: Scope) -> Int {
    if word(index) == .const, word(index + 1) == .enum { return index + 1 }
    var name = index + 1
    let isLocal = scope.kind == .function || scope.kind == .object
    if mark(name) == Mark.openBrace || mark(name) == Mark.openBracket {
      let end = close(of: name)
      let isImport = mark(end + 1) == Mark.equals && (word(end + 2) == .require || word(end + 2) == .await)
      if !isLocal, !isImport { addPattern(name, word(index)) }
      return end + 1
    }
    var value: Int?
    while isWord(name) {
      var next = name + 1
      if mark(next) == Mark.exclamation { next += 1 }
      if mark(next) == Mark.colon { next = skipScriptType(from: next + 1) }
      let hasValue = next < count && mark(next) == Mark.equals
      // A comma may be one of type arguments: `new Map<A, B>()`.
      if value != nil, !hasValue, language != .javaScript || mark(next) == Mark.greater { break }
      let isFunction = hasValue && isScriptFunction(at: next + 1)
      let last = hasValue ? valueEnd(from: next + 1, before: scope.end, isEntry: true) : next - 1
      if !isLocal || isFunction {
        let kind: SymbolKind = isFunction ? .function : word(index) == .const ? .constant : .variable
        add(name, kind, from: firstOfScript(index), to: last)
      }
      if hasValue, value == nil { value = next + 1 }
      guard mark(last + 1) == Mark.comma else { break }
      name = last + 2
    }
    // The values may have functions and objects in them.
    return value ?? max(name, index + 1)
  }

  /// The names of `const { a, b: c } = …`.
  private mutating func addPattern(_ open: Int, _ keyword: Word) {
    let end = close(of: open)
    var index = open + 1
    while index < end {
      switch mark(index) {
      case Mark.openBrace, Mark.openBracket: index = close(of: index)
      default: break
      }
      let isName =
        isWord(index) && mark(index + 1) != Mark.colon && mark(index - 1) != Mark.equals
        && (mark(index + 1) == Mark.comma || mark(index + 1) == Mark.equals || index + 1 == end)
      if isName { add(index, keyword == .const ? .constant : .variable, from: index, to: index) }
      index += 1
    }
  }

  /// `a.b.c = function () {}`, `exports.a = …`, `A.prototype.b = …`, `Name = function () {}` outside of
  /// others.
  mutating func readScriptAssignment(from index: Int, in scope: Scope) -> Int {
    if scope.kind == .file, isFirst(index), mark(index + 1) == Mark.equals, isScriptFunction(at: index + 2) {
      add(index, .function, from: index, to: valueEnd(from: index + 2, before: scope.end))
      return index + 2
    }
    guard mark(index + 1) == Mark.dot, isWord(index + 2) else { return index + 1 }
    var name = index
    while mark(name + 1) == Mark.dot, isWord(name + 2) { name += 2 }
    let equals = name + 1
    guard mark(equals) == Mark.equals, !isPair(equals, Mark.equals, Mark.equals) else { return name + 1 }
    let value = equals + 1
    let isExport =
      word(index) == .exports || word(index) == .module && word(index + 2) == .exports && name > index + 2
    if isScriptFunction(at: value) {
      let last = valueEnd(from: value, before: scope.end)
      add(name, isExport ? .function : .method, from: index, to: last)
    } else if isExport || word(name - 2) == .prototype {
      add(name, .property, from: index, to: valueEnd(from: value, before: scope.end))
    }
    return value
  }

  /// An entry of an object literal: a method, or a property with a function.
  mutating func readScriptEntry(from index: Int, in scope: Scope) -> Int {
    let isStart = mark(index - 1) == Mark.comma || mark(index - 1) == Mark.openBrace
    guard isStart else { return readScriptExpression(from: index, in: scope) }
    var name = index
    while isScriptModifier(name), !isMemberEnd(name + 1) { name += 1 }
    if mark(name) == Mark.star { name += 1 }
    guard isWord(name) || isString(name) else { return readScriptExpression(from: index, in: scope) }
    let next = skipAngles(name + 1)
    if next < count, mark(next) == Mark.openParenthesis,
      mark(close(of: next) + 1) == Mark.openBrace
        || mark(close(of: next) + 1) == Mark.colon
    {
      let head = scriptHead(from: next)
      if let brace = head.brace {
        addMember(name, .method, from: index, to: head.last)
        return enter(.function, brace: brace)
      }
    }
    guard mark(name + 1) == Mark.colon else { return name + 1 }
    let value = name + 2
    if isScriptFunction(at: value) {
      addMember(name, .method, from: index, to: valueEnd(from: value, before: scope.end, isEntry: true))
    }
    return value
  }

  /// A name in quotes is named without them.
  private mutating func addMember(_ name: Int, _ kind: SymbolKind, from first: Int, to last: Int) {
    guard isString(name) else { return add(name, kind, from: first, to: last) }
    let range = tokens[name].range
    guard range.count > 2 else { return }
    add(range.lowerBound + 1..<range.upperBound - 1, kind, from: first, to: last)
  }

  /// What is in the value of an entry.
  private mutating func readScriptExpression(from index: Int, in scope: Scope) -> Int {
    if mark(index) == Mark.openBrace { return enterScriptBrace(index) }
    if word(index) == .function, mark(index - 1) != Mark.dot {
      var parameters = index + 1
      if mark(parameters) == Mark.star { parameters += 1 }
      if isWord(parameters) { parameters += 1 }
      guard mark(parameters) == Mark.openParenthesis, let brace = scriptHead(from: parameters).brace else {
        return index + 1
      }
      return enter(.function, brace: brace)
    }
    return index + 1
  }

  private func isScriptModifier(_ index: Int) -> Bool {
    switch word(index) {
    case .public, .private, .protected, .static, .readonly, .override, .abstract, .declare, .async, .get,
      .set,
      .accessor, .export, .default:
      true
    default: false
    }
  }

  /// Whether a modifier before this is the member's name itself.
  private func isMemberEnd(_ index: Int) -> Bool {
    switch mark(index) {
    case 0: false
    case Mark.star, Mark.openBracket, Mark.hash: false
    default: true
    }
  }

  /// A method or a field of a class or an interface.
  mutating func readScriptMember(from index: Int, in scope: Scope) -> Int {
    if mark(index) == Mark.at {
      var next = index + 2
      while mark(next) == Mark.dot { next += 2 }
      return mark(next) == Mark.openParenthesis ? close(of: next) + 1 : next
    }
    var name = index
    while isScriptModifier(name), !isMemberEnd(name + 1) { name += 1 }
    if mark(name) == Mark.star { name += 1 }
    if mark(name) == Mark.hash { name += 1 }
    if word(name) == .static, mark(name + 1) == Mark.openBrace { return enter(.function, brace: name + 1) }
    if mark(name) == Mark.openBrace { return enter(.function, brace: name) }
    var next: Int
    if mark(name) == Mark.openBracket {
      next = close(of: name) + 1
    } else if isWord(name) || isString(name) || tokens[min(name, count - 1)].kind == .number {
      next = name + 1
    } else {
      guard mark(index) == Mark.openParenthesis else { return max(name, index + 1) }
      // The signature of a call.
      let head = scriptHead(from: index)
      return head.brace == nil ? head.last + 1 : index + 1
    }
    if mark(next) == Mark.question || mark(next) == Mark.exclamation { next += 1 }
    let isNamed = mark(name) != Mark.openBracket
    let parameters = skipAngles(next)
    if parameters < count, mark(parameters) == Mark.openParenthesis {
      let head = scriptHead(from: parameters)
      if isNamed, word(name) != .new { addMember(name, .method, from: index, to: head.last) }
      if word(name) == .constructor { addParameterProperties(parameters) }
      guard let brace = head.brace else { return head.last + 1 }
      return enter(.function, brace: brace)
    }
    if mark(next) == Mark.colon { next = skipScriptType(from: next + 1) }
    guard next < scope.end, mark(next) == Mark.equals else {
      if isNamed { addMember(name, .property, from: index, to: max(name, next - 1)) }
      return next
    }
    let last = valueEnd(from: next + 1, before: scope.end)
    let isFunction = isScriptFunction(at: next + 1)
    if isNamed { addMember(name, isFunction ? .method : .property, from: index, to: last) }
    scopes.append(Scope(kind: .function, name: -1, end: last + 1, endsBeforeToken: true))
    return next + 1
  }

  /// `constructor(private a: b)`
  private mutating func addParameterProperties(_ open: Int) {
    let end = close(of: open)
    var index = open + 1
    while index < end {
      let start = index
      while isScriptModifier(index), isWord(index + 1) { index += 1 }
      if index > start, isWord(index) { add(index, .property, from: start, to: index) }
      while index < end, mark(index) != Mark.comma {
        switch mark(index) {
        case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: index = close(of: index)
        case Mark.less: index = skipAngles(index) - 1
        default: break
        }
        index += 1
      }
      index += 1
    }
  }

  mutating func readScriptEnumerator(from index: Int) -> Int {
    guard isWord(index) || isString(index) else {
      switch mark(index) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: return close(of: index) + 1
      default: return index + 1
      }
    }
    guard mark(index - 1) == Mark.comma || mark(index - 1) == Mark.openBrace else { return index + 1 }
    addMember(index, .constant, from: index, to: index)
    return index + 1
  }
}
