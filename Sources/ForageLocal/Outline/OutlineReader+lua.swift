import ForageCore

/// Lua: every word that opens a block is matched with its `end` or `until`.
extension OutlineReader {
  mutating func readLua() {
    /// For each open block: the definition whose body it is.
    var blocks: [Int?] = []
    var index = 0
    while index < tokens.count {
      switch word(index) {
      case .none: break
      case .function where mark(index - 1) != Mark.dot && mark(index - 1) != Mark.colon:
        blocks.append(addLuaFunction(at: index))
      case .if, .do, .repeat: blocks.append(nil)
      case .end, .until:
        if let block = blocks.popLast(), let definition = block { end(definition, with: index) }
      case .local where blocks.isEmpty && isWord(index + 1) && word(index + 1) != .function:
        readLuaVariables(at: index)
      default: break
      }
      index += 1
    }
    for block in blocks {
      if let definition = block { end(definition, with: tokens.count - 1) }
    }
  }

  /// The name is behind `function`, or before it with `=` between.
  private mutating func addLuaFunction(at index: Int) -> Int? {
    if isWord(index + 1) {
      var name = index + 1
      var kind = SymbolKind.function
      while mark(name + 1) == Mark.dot || mark(name + 1) == Mark.colon, isWord(name + 2) {
        if mark(name + 1) == Mark.colon { kind = .method }
        name += 2
      }
      return begin(name, kind, from: word(index - 1) == .local ? index - 1 : index)
    }
    guard let equals = equalsBeforeLuaFunction(index), equals >= 1 else { return nil }
    var name = equals - 1
    if mark(name) == Mark.closeBracket {
      let open = open(of: name)
      guard open == name - 2, isString(open + 1) else { return nil }
      let range = content(open + 1)
      guard !range.isEmpty else { return nil }
      add(range, .function, from: beginningOfLuaName(open), to: index)
      return definitions.count - 1
    }
    // `local f <const> = function`
    if mark(name) == Mark.greater, mark(name - 2) == Mark.less { name -= 3 }
    guard isWord(name) else { return nil }
    return begin(name, .function, from: beginningOfLuaName(name))
  }

  /// The `=` of `a = function`, `a = a or function` and `a.b = wrap(function`.
  private func equalsBeforeLuaFunction(_ function: Int) -> Int? {
    if mark(function - 1) == Mark.equals { return function - 1 }
    if word(function - 1) == .or, mark(function - 3) == Mark.equals { return function - 3 }
    guard mark(function - 1) == Mark.openParenthesis else { return nil }
    var callee = function - 2
    if mark(callee) == Mark.equals, isWord(callee - 1), mark(callee - 2) == Mark.dot { return callee }
    while mark(callee - 1) == Mark.dot, callee > function - 12 { callee -= 2 }
    let isField = mark(callee - 1) == Mark.equals && isWord(callee - 2) && mark(callee - 3) == Mark.dot
    return isWord(callee) && isField ? callee - 1 : nil
  }

  /// The first token of `local a` or `a.b.c`.
  private func beginningOfLuaName(_ name: Int) -> Int {
    var first = name
    while first >= 2, first > name - 20, mark(first - 1) == Mark.dot, isWord(first - 2) { first -= 2 }
    return word(first - 1) == .local ? first - 1 : first
  }

  private func isSameText(_ first: Int, _ second: Int) -> Bool {
    let range = tokens[first].range
    let other = tokens[second].range
    guard range.count == other.count else { return false }
    return !zip(range, other).contains { text[$0] != text[$1] }
  }

  /// The variables of a file, without its functions and without what it requires.
  private mutating func readLuaVariables(at start: Int) {
    var names: [Int] = []
    var index = start + 1
    while isWord(index) {
      names.append(index)
      index += 1
      if mark(index) == Mark.less { index += 3 }
      guard mark(index) == Mark.comma else { break }
      index += 1
    }
    guard mark(index) == Mark.equals, word(index + 1) != .function, word(index + 1) != .require,
      word(index + 3) != .function
    else { return }
    var last = index
    repeat { last = next(behind: last) } while isOnLine(last)
    // `local insert = table.insert` only makes a name shorter.
    guard names.count > 1 || mark(last - 2) != Mark.dot || !isSameText(names[0], last - 1) else { return }
    for name in names { add(name, isUppercase(name) ? .constant : .variable, from: start, to: last - 1) }
  }
}
