import ForageCore

extension OutlineReader {
  mutating func readScala(from index: Int, in scope: Scope) -> Int {
    switch mark(index) {
    case Mark.at: return mark(index + 2) == Mark.openParenthesis ? close(of: index + 2) + 1 : index + 2
    case Mark.openBrace: return enter(.function, brace: index)
    case 0: break
    default: return index + 1
    }
    guard isWord(index), mark(index - 1) != Mark.dot, mark(index - 1) != Mark.apostrophe else {
      return index + 1
    }
    let name = index + 1
    switch word(index) {
    case .class, .trait, .object, .enum: return readScalaType(from: index, in: scope)
    case .package where word(name) == .object: return name
    case .def: return readScalaFunction(from: index, in: scope)
    case .val where scope.kind != .function, .var where scope.kind != .function:
      return readScalaValues(from: index, in: scope)
    case .val, .var: return name
    case .typeWord where scope.kind != .function && isWord(name):
      let last = scalaEnd(from: name, line: index, before: scope.end)
      add(name, .type, from: firstOfScala(index), to: last)
      return last + 1
    case .given where isWord(name) && mark(name + 1) != Mark.openBrace && scope.kind != .function:
      let last = scalaEnd(from: name, line: index, before: scope.end)
      if mark(name + 1) == Mark.colon || mark(name + 1) == Mark.openParenthesis {
        add(name, .constant, from: firstOfScala(index), to: last)
      }
      return name + 1
    case .case
    where scope.kind == .enumeration && isWord(name) && word(name) != .class && word(name) != .object:
      return readScalaCases(from: index, in: scope)
    default: return name
    }
  }

  /// The first of the modifiers before a keyword.
  private func firstOfScala(_ keyword: Int) -> Int {
    var first = keyword
    while first > 0, first > keyword - 16 {
      switch word(first - 1) {
      case .private, .protected, .override, .final, .sealed, .abstract, .implicit, .lazy, .case, .inline,
        .transparent,
        .opaque, .open, .infix, .package:
        first -= 1
      default:
        guard mark(first - 1) == Mark.closeBracket else { return first }
        let before = open(of: first - 1) - 1
        guard word(before) == .private || word(before) == .protected else { return first }
        first = before
      }
    }
    return first
  }

  /// The first token of the line of a token.
  private func lineStart(of index: Int) -> Int {
    var start = index
    while start > 0, !isFirst(start), index - start < 40 { start -= 1 }
    return start
  }

  /// The last token of what is indented deeper than the line of `line`, or is on it.
  private func scalaEnd(from start: Int, line: Int, before limit: Int) -> Int {
    let end = Int(blockEnds[lineStart(of: line)])
    return max(start, min(end, limit) - 1)
  }

  private mutating func readScalaType(from index: Int, in scope: Scope) -> Int {
    let name = index + 1
    guard isWord(name), !isFirst(name), mark(index - 1) != Mark.colon else { return name }
    let isEnumeration = word(index) == .enum
    var next = name + 1
    let kind: SymbolKind =
      word(index) == .trait
      ? .interface
      : isEnumeration
        ? .enum
        : word(index) == .object ? .module : .class
    let limit = scope.end
    while next < limit {
      if isFirst(next), !scalaHeadGoesOn(next) { break }
      switch mark(next) {
      case Mark.openBrace:
        add(name, kind, from: firstOfScala(index), to: close(of: next))
        addScalaParameters(of: index, to: next)
        return enter(isEnumeration ? .enumeration : .type, name: name, brace: next)
      case Mark.colon where isFirst(next + 1) && next + 1 < limit:
        let last = scalaEnd(from: next, line: index, before: limit)
        add(name, kind, from: firstOfScala(index), to: last)
        addScalaParameters(of: index, to: next)
        scopes.append(
          Scope(kind: isEnumeration ? .enumeration : .type, name: name, end: last + 1, endsBeforeToken: true))
        return next + 1
      case Mark.openParenthesis, Mark.openBracket: next = close(of: next)
      case Mark.closeBrace, Mark.closeParenthesis, Mark.semicolon:
        return addScalaType(index, kind, last: next - 1)
      default: break
      }
      next += 1
    }
    return addScalaType(index, kind, last: next - 1)
  }

  private mutating func addScalaType(_ index: Int, _ kind: SymbolKind, last: Int) -> Int {
    add(index + 1, kind, from: firstOfScala(index), to: last)
    addScalaParameters(of: index, to: last)
    return last + 1
  }

  private func scalaHeadGoesOn(_ index: Int) -> Bool {
    switch mark(index) {
    case Mark.openBrace, Mark.openParenthesis, Mark.openBracket, Mark.colon, Mark.comma: return true
    default: break
    }
    switch word(index) {
    case .extends, .with, .derives: return true
    default: return mark(index - 1) == Mark.comma || word(index - 1) == .with || word(index - 1) == .extends
    }
  }

  /// The fields among the parameters of a class: `val a: T`, and all of a `case class`.
  private mutating func addScalaParameters(of keyword: Int, to end: Int) {
    var index = keyword + 2
    while index < end, mark(index) != Mark.openParenthesis, word(index) != .extends {
      index = mark(index) == Mark.openBracket ? close(of: index) + 1 : index + 1
    }
    guard index < end, mark(index) == Mark.openParenthesis else { return }
    let last = close(of: index)
    let isCase = word(keyword - 1) == .case
    let open = index
    index += 1
    while index < last {
      let isNamed = word(index - 1) == .val || word(index - 1) == .var
      let isFirstOfCase =
        isCase && mark(index + 1) == Mark.colon
        && (index == open + 1 || mark(index - 1) == Mark.comma)
      if isWord(index), isNamed || isFirstOfCase { add(index, .property, from: index, to: index) }
      switch mark(index) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: index = close(of: index)
      default: break
      }
      index += 1
    }
  }

  private mutating func readScalaFunction(from index: Int, in scope: Scope) -> Int {
    let name = index + 1
    guard name < scope.end else { return name }
    var next = name
    if isWord(name) {
      next += 1
      // `name_=`, `unary_!` and `equals_==`
      if text[Int(tokens[name].end) - 1] == UInt8(ascii: "_") {
        next = scalaOperatorEnd(from: next, before: scope.end)
      }
    } else {
      next = scalaOperatorEnd(from: next, before: scope.end, isStart: true)
    }
    guard next > name else { return name }
    let range = tokens[name].range.lowerBound..<tokens[next - 1].range.upperBound
    let kind: SymbolKind = scope.kind == .function || scope.kind == .file ? .function : .method
    while next < scope.end {
      switch mark(next) {
      case Mark.openParenthesis, Mark.openBracket: next = close(of: next)
      case Mark.openBrace:
        add(range, kind, from: firstOfScala(index), to: close(of: next))
        return enter(.function, brace: next)
      case Mark.equals:
        return enterScalaBody(at: next + 1, range, kind, from: index, in: scope)
      case Mark.closeBrace, Mark.closeParenthesis, Mark.semicolon:
        add(range, kind, from: firstOfScala(index), to: next - 1)
        return next
      default:
        if isFirst(next), mark(next) != Mark.colon {
          add(range, kind, from: firstOfScala(index), to: next - 1)
          return next
        }
      }
      next += 1
    }
    add(range, kind, from: firstOfScala(index), to: next - 1)
    return next
  }

  private func scalaOperatorEnd(from start: Int, before limit: Int, isStart: Bool = false) -> Int {
    var next = start
    while next < limit, tokens[next].kind == .punctuation, isAdjacent(next) || isStart && next == start {
      switch mark(next) {
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace, Mark.closeParenthesis, Mark.comma,
        Mark.semicolon:
        return next
      case Mark.colon where !isStart: return next
      default: next += 1
      }
    }
    return next
  }

  private mutating func enterScalaBody(
    at start: Int, _ name: Range<Int>, _ kind: SymbolKind, from index: Int, in scope: Scope
  ) -> Int {
    if mark(start) == Mark.openBrace {
      add(name, kind, from: firstOfScala(index), to: close(of: start))
      return enter(.function, brace: start)
    }
    let last = scalaEnd(from: start - 1, line: index, before: scope.end)
    add(name, kind, from: firstOfScala(index), to: last)
    scopes.append(Scope(kind: .function, name: -1, end: last + 1, endsBeforeToken: true))
    return start
  }

  /// `val a = 1`, `val a, b: T`, `val (a, b) = c`
  private mutating func readScalaValues(from index: Int, in scope: Scope) -> Int {
    var name = index + 1
    guard name < scope.end else { return name }
    let last = scalaEnd(from: name, line: index, before: scope.end)
    if mark(name) == Mark.openParenthesis {
      for place in name..<close(of: name) where isWord(place) && mark(place + 1) != Mark.openParenthesis {
        add(place, .property, from: firstOfScala(index), to: last)
      }
    }
    while isWord(name) {
      add(name, .property, from: firstOfScala(index), to: last)
      guard mark(name + 1) == Mark.comma else { break }
      name += 2
    }
    scopes.append(Scope(kind: .function, name: -1, end: last + 1, endsBeforeToken: true))
    return name + 1
  }

  private mutating func readScalaCases(from index: Int, in scope: Scope) -> Int {
    var name = index + 1
    while isWord(name) {
      let next = mark(name + 1) == Mark.openParenthesis ? close(of: name + 1) : name
      add(name, .constant, from: index, to: next)
      guard mark(next + 1) == Mark.comma else { return next + 1 }
      name = next + 2
    }
    return name
  }

  /// For the first token of each line: where the first line follows that is not indented deeper.
  mutating func findBlockEnds() {
    blockEnds = [Int32](repeating: Int32(count), count: count + 1)
    var open: [(token: Int, column: Int)] = []
    for index in 0..<count where tokens[index].isFirstOnLine {
      let column = indentation(of: index)
      while let last = open.last, last.column >= column {
        let closes =
          last.column == column && (mark(index) == Mark.closeBrace || mark(index) == Mark.closeParenthesis)
        blockEnds[last.token] = Int32(closes ? index + 1 : index)
        open.removeLast()
      }
      open.append((index, column))
    }
  }
}
