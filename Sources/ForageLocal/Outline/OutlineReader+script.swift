import ForageCore

/// JavaScript and TypeScript.
extension OutlineReader {
  mutating func readScript() {
    scopes = [Scope(kind: .file, name: -1, end: count)]
    var index = 0
    while let scope = scopes.last {
      if index >= scope.end {
        scopes.removeLast()
        index = max(index, scope.endsBeforeToken ? scope.end : scope.end + 1)
        continue
      }
      let next: Int
      switch scope.kind {
      case .type: next = readScriptMember(from: index, in: scope)
      case .enumeration: next = readScriptEnumerator(from: index)
      case .object: next = readScriptEntry(from: index, in: scope)
      default: next = readScriptStatement(from: index, in: scope)
      }
      index = max(next, index + 1)
    }
  }

  /// Something in a file, a function or a block.
  private mutating func readScriptStatement(from index: Int, in scope: Scope) -> Int {
    switch mark(index) {
    case Mark.openBrace: return enterScriptBrace(index)
    case Mark.at where isWord(index + 1): return index + 2
    case 0: break
    default: return index + 1
    }
    guard isWord(index), mark(index - 1) != Mark.dot else { return index + 1 }
    let name = index + 1
    switch word(index) {
    case .function: return readScriptFunction(from: index, in: scope)
    case .class: return readScriptClass(from: index)
    case .interface
    where isWord(name)
      && (mark(name + 1) == Mark.openBrace || mark(name + 1) == Mark.less || word(name + 1) == .extends):
      guard let brace = scriptBrace(from: name + 1) else { return name }
      add(name, .interface, from: firstOfScript(index), to: close(of: brace))
      return enter(.type, name: name, brace: brace)
    case .enum where isWord(name) && mark(name + 1) == Mark.openBrace:
      add(name, .enum, from: firstOfScript(index), to: close(of: name + 1))
      return enter(.enumeration, name: name, brace: name + 1)
    case .namespace, .module: return readScriptNamespace(from: index)
    case .typeWord where isWord(name) && (mark(name + 1) == Mark.equals || mark(name + 1) == Mark.less):
      let last = valueEnd(from: name + 1, before: scope.end)
      add(name, .type, from: firstOfScript(index), to: last)
      return name + 1
    case .const, .let, .var: return readScriptVariables(from: index, in: scope)
    case .import: return isFirst(index) ? skipScriptImport(from: index) : name
    default: return readScriptAssignment(from: index, in: scope)
    }
  }

  /// `import a, { b } from "c"`; what it names is defined elsewhere.
  private func skipScriptImport(from index: Int) -> Int {
    var next = index + 1
    while next < count, !isString(next), mark(next) != Mark.openParenthesis, mark(next) != Mark.semicolon {
      if isFirst(next), mark(next) != Mark.openBrace, word(next) != .from, mark(next - 1) != Mark.comma {
        break
      }
      next = mark(next) == Mark.openBrace ? close(of: next) + 1 : next + 1
    }
    return next
  }

  /// The first of the words such as `export default async` before a keyword.
  func firstOfScript(_ keyword: Int) -> Int {
    var first = keyword
    while first > 0, first > keyword - 16 {
      switch word(first - 1) {
      case .export, .default, .async, .declare, .abstract, .const, .public, .private, .protected, .static,
        .readonly,
        .override, .get, .set:
        first -= 1
      default: return first
      }
    }
    return first
  }

  /// The body's brace of a class or an interface: the first one outside of type arguments.
  private func scriptBrace(from start: Int) -> Int? {
    var index = start
    var angles = 0
    while index < min(count, start + 1000) {
      switch mark(index) {
      case Mark.openBrace:
        if angles == 0 { return index }
        index = close(of: index)
      case Mark.less: angles += 1
      case Mark.greater where mark(index - 1) != Mark.equals: angles = max(0, angles - 1)
      case Mark.openParenthesis, Mark.openBracket: index = close(of: index)
      case Mark.semicolon, Mark.closeBrace: return nil
      default: break
      }
      index += 1
    }
    return nil
  }

  private mutating func readScriptClass(from index: Int) -> Int {
    var name = index + 1
    let hasName = isWord(name) && word(name) != .extends && word(name) != .implements
    if !hasName { name = index }
    guard mark(index + 1) != Mark.colon, let brace = scriptBrace(from: name + 1) else { return index + 1 }
    if hasName { add(name, .class, from: firstOfScript(index), to: close(of: brace)) }
    return enter(.type, name: name, brace: brace)
  }

  private mutating func readScriptNamespace(from index: Int) -> Int {
    let name = index + 1
    let isStart = isFirst(index) || mark(index - 1) == Mark.closeBrace || mark(index - 1) == Mark.semicolon
    guard isStart || word(index - 1) == .declare || word(index - 1) == .export else { return name }
    if isString(name), mark(name + 1) == Mark.openBrace { return enter(.namespace, brace: name + 1) }
    var last = name
    while isWord(last), mark(last + 1) == Mark.dot, isWord(last + 2) { last += 2 }
    guard isWord(last), mark(last + 1) == Mark.openBrace else { return name }
    let range = tokens[name].range.lowerBound..<tokens[last].range.upperBound
    add(range, .module, from: firstOfScript(index), to: close(of: last + 1))
    return enter(.namespace, name: name, brace: last + 1)
  }

  /// `function name(…) { … }`, with or without a name or a body.
  private mutating func readScriptFunction(from index: Int, in scope: Scope) -> Int {
    var name = index + 1
    if mark(name) == Mark.star { name += 1 }
    let parameters = skipAngles(isWord(name) ? name + 1 : name)
    guard parameters < count, mark(parameters) == Mark.openParenthesis else { return name }
    let head = scriptHead(from: parameters)
    if isWord(name) {
      add(name, .function, from: firstOfScript(index), to: head.last)
    }
    guard let brace = head.brace else { return head.last + 1 }
    return enter(.function, brace: brace)
  }

  /// From the parameters of a function to its body, over a type of what it returns.
  func scriptHead(from parameters: Int) -> Head {
    var index = close(of: parameters) + 1
    guard index < count else { return Head(brace: nil, last: index - 1) }
    if mark(index) == Mark.openBrace { return Head(brace: index, last: close(of: index)) }
    guard mark(index) == Mark.colon else { return Head(brace: nil, last: index - 1) }
    index = skipScriptType(from: index + 1)
    if index < count, mark(index) == Mark.openBrace { return Head(brace: index, last: close(of: index)) }
    return Head(brace: nil, last: max(parameters, index - 1))
  }

  /// The place behind a type: a brace where a type may begin is part of it, any other one is a body.
  func skipScriptType(from start: Int) -> Int {
    var index = start
    var expectsType = true
    while index < count {
      if index > start, isFirst(index), !expectsType, !isTypeOperator(index) { return index }
      switch mark(index) {
      case Mark.openBrace:
        guard expectsType else { return index }
        index = close(of: index)
        expectsType = false
      case Mark.openParenthesis, Mark.openBracket:
        index = close(of: index)
        expectsType = false
      case Mark.less:
        index = skipAngles(index) - 1
        expectsType = false
      case Mark.semicolon, Mark.comma, Mark.closeBrace, Mark.closeParenthesis, Mark.closeBracket: return index
      case Mark.equals:
        guard isPair(index, Mark.equals, Mark.greater) else { return index }
        // An arrow of a type of function; one of a function is where the type ends.
        guard mark(index - 1) == Mark.closeParenthesis, isFunctionType(from: start, to: index) else {
          return index
        }
        index += 1
        expectsType = true
      case Mark.bar, Mark.ampersand, Mark.question, Mark.colon: expectsType = true
      case 0:
        switch word(index) {
        case .is, .keyof, .extends, .typeof, .readonly, .infer, .asserts, .unique: expectsType = true
        default: expectsType = false
        }
      default: break
      }
      index += 1
    }
    return index
  }

  private func isTypeOperator(_ index: Int) -> Bool {
    switch mark(index) {
    case Mark.bar, Mark.ampersand, Mark.question, Mark.colon, Mark.openBrace, Mark.equals, Mark.dot: true
    default: word(index) == .extends || word(index) == .is
    }
  }

  /// Whether the parentheses before an arrow begin the type: `(a: b) => c`.
  private func isFunctionType(from start: Int, to arrow: Int) -> Bool {
    open(of: arrow - 1) == start || mark(open(of: arrow - 1) - 1) == Mark.greater || word(start) == .new
  }

  /// Whether the value of a statement ends before the first token of a line.
  func endsScriptValue(before index: Int) -> Bool {
    switch mark(index) {
    case 0: break
    case Mark.openBrace, Mark.at: return mark(index - 1) != Mark.equals && mark(index - 1) != Mark.greater
    default: return false
    }
    let before = tokens[index - 1]
    switch before.kind {
    case .punctuation:
      return before.mark == Mark.closeParenthesis || before.mark == Mark.closeBracket
        || before.mark == Mark.closeBrace
    case .word:
      switch before.word {
      case .typeof, .new, .await, .in, .of, .instanceof, .delete, .keyof, .extends, .void, .yield:
        return false
      default: return word(index) != .in && word(index) != .instanceof && word(index) != .extends
      }
    case .number, .string: return true
    }
  }
}
