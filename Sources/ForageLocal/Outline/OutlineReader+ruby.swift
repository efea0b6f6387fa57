import ForageCore

/// Ruby: every word that opens a block is matched with its `end`.
extension OutlineReader {
  private struct RubyBlock {
    var isType: Bool
    var definition: Int?
    /// How far the line is indented that opened it.
    var indentation: Int
  }

  private struct RubyState {
    var blocks: [RubyBlock] = []
    var indentation = 0
    /// The next `do` belongs to a `while`, `until` or `for`.
    var awaitsDo = false
    /// A definition whose value goes on up to the token at `valueEnd`: a block that opens before belongs to
    /// it.
    var valueDefinition: Int?
    var valueEnd = 0
    var typeDepth = 0

    mutating func open(isType: Bool = false, definition: Int? = nil, at index: Int) {
      let owner = definition ?? (index < valueEnd ? valueDefinition : nil)
      if isType { typeDepth += 1 }
      blocks.append(RubyBlock(isType: isType, definition: owner, indentation: indentation))
    }
  }

  mutating func readRuby() {
    var state = RubyState()
    var index = 0
    while index < tokens.count {
      if isFirst(index) {
        state.indentation = indentation(of: index)
        state.awaitsDo = false
      }
      index = readRubyToken(at: index, &state)
    }
    while let block = state.blocks.popLast() {
      if let definition = block.definition { end(definition, with: tokens.count - 1) }
    }
  }

  /// Reads a token, maybe with some behind it, and gives the place of the next one.
  private mutating func readRubyToken(at index: Int, _ state: inout RubyState) -> Int {
    guard isWord(index) else { return index + 1 }
    let word = word(index)
    guard word != .none else {
      if isFirst(index) || mark(index - 1) == Mark.semicolon { return readRubyStatement(at: index, &state) }
      return index + 1
    }
    guard isRubyKeyword(index) else { return index + 1 }
    switch word {
    case .def: return readRubyMethod(at: index, &state)
    case .class, .module: return readRubyType(at: index, word == .class ? .class : .module, &state)
    case .end: endRubyBlock(at: index, &state)
    case .begin, .case: state.open(at: index)
    case .if, .unless:
      if !isRubyModifier(index) { state.open(at: index) }
    case .while, .until, .for:
      guard !isRubyModifier(index) else { break }
      state.open(at: index)
      state.awaitsDo = true
    case .do:
      if !state.awaitsDo { state.open(at: index) }
      state.awaitsDo = false
    case .alias:
      guard let name = rubyName(at: mark(index + 1) == Mark.colon ? index + 2 : index + 1) else { break }
      let isSymbol = mark(name.next) == Mark.colon
      guard let old = rubyName(at: isSymbol ? name.next + 1 : name.next) else { break }
      add(name.range, .method, from: index, to: old.next - 1)
      return old.next
    case .attrReader, .attrWriter, .attrAccessor: return readRubySymbols(at: index, .property)
    case .defineMethod:
      let first = mark(index + 1) == Mark.openParenthesis ? index + 2 : index + 1
      guard mark(first) == Mark.colon || isString(first) else { break }
      guard let name = rubyName(at: isString(first) ? first : first + 1) else { break }
      beginRubyValue(name.range, .method, from: index, at: name.next, &state)
      return name.next
    default: break
    }
    return index + 1
  }

  private mutating func endRubyBlock(at index: Int, _ state: inout RubyState) {
    guard var block = state.blocks.popLast() else { return }
    // An `end` that is indented as an outer block ends that one, if the line behind is not indented more:
    // what is open in it has been misread.
    let goesBack = index + 1 >= tokens.count || indentation(of: index + 1) <= state.indentation
    if isFirst(index), block.indentation > state.indentation, goesBack {
      var place = state.blocks.count - 1
      let lowest = max(0, place - 32)
      while place >= lowest, state.blocks[place].indentation > state.indentation { place -= 1 }
      if place >= lowest, state.blocks[place].indentation == state.indentation {
        while state.blocks.count > place {
          if block.isType { state.typeDepth -= 1 }
          block = state.blocks.removeLast()
        }
      }
    }
    if block.isType { state.typeDepth -= 1 }
    if let definition = block.definition { end(definition, with: index) }
  }

  private mutating func readRubyType(at index: Int, _ kind: SymbolKind, _ state: inout RubyState) -> Int {
    var name = index + 1
    if mark(name) == Mark.less {
      state.open(isType: true, at: index)
      return name + 1
    }
    while mark(name) == Mark.colon { name += 1 }
    while isWord(name), isAdjacent(name + 1), isOnLine(name + 2) {
      // `class A::B`, `class self.class::B`
      if isPair(name + 1, Mark.colon, Mark.colon), isWord(name + 3) {
        name += 3
      } else if mark(name + 1) == Mark.dot, isWord(name + 2) {
        name += 2
      } else {
        break
      }
    }
    guard beginsUppercase(name) else { return index + 1 }
    state.open(isType: true, definition: begin(name, kind, from: index), at: index)
    return name + 1
  }

  private mutating func readRubyMethod(at index: Int, _ state: inout RubyState) -> Int {
    var first = index + 1
    if mark(first) == Mark.openParenthesis { first = next(behind: first) - 1 }
    while isWord(first) || mark(first) == Mark.closeParenthesis, mark(first + 1) == Mark.dot { first += 2 }
    guard let name = rubyName(at: first) else { return index + 1 }
    // `private def x`
    let start = isFirst(index) || !isWord(index - 1) || !isFirst(index - 1) ? index : index - 1
    let kind: SymbolKind = state.typeDepth > 0 || first > index + 1 ? .method : .function
    var next = name.next
    if mark(next) == Mark.openParenthesis, isAdjacent(next) { next = self.next(behind: next) }
    if isAssignment(next), isOnLine(next) {
      beginRubyValue(name.range, kind, from: start, at: next + 1, &state)
      return next + 1
    }
    add(name.range, kind, from: start, to: name.next - 1)
    state.open(definition: definitions.count - 1, at: index)
    return name.next
  }

  /// Adds a definition that ends with the statement.
  private mutating func beginRubyValue(
    _ name: Range<Int>, _ kind: SymbolKind, from first: Int, at value: Int, _ state: inout RubyState
  ) {
    let next = endOfRubyStatement(from: value)
    add(name, kind, from: first, to: next - 1)
    state.valueDefinition = definitions.count - 1
    state.valueEnd = next
  }

  /// The place behind the last token of the statement; the lines that it may go on for are limited.
  private func endOfRubyStatement(from start: Int) -> Int {
    let limit = min(tokens.count, start + Self.longestStatement)
    var index = start
    var lines = 0
    while index < limit, mark(index) != Mark.semicolon {
      if isFirst(index) {
        let before = mark(index - 1)
        let continues =
          mark(index) == Mark.dot || before == Mark.comma
          || before == Mark.equals && !isAdjacent(index - 1)
          || before == Mark.plus || before == Mark.ampersand
        lines += 1
        if !continues || lines > 40 { break }
      }
      index = next(behind: index)
    }
    return index
  }

  /// A constant, or a call that defines something.
  private mutating func readRubyStatement(at index: Int, _ state: inout RubyState) -> Int {
    if beginsUppercase(index) { return readRubyConstants(at: index, &state) }
    guard mark(index + 1) == Mark.colon, !isAdjacent(index + 1) else { return index + 1 }
    if token(index, is: "alias_method") || token(index, is: "scope") {
      guard let name = rubyName(at: index + 2) else { return index + 1 }
      beginRubyValue(name.range, .method, from: index, at: name.next, &state)
      return name.next
    }
    let isAttribute =
      token(index, is: "class_attribute") || token(index, is: "mattr_accessor")
      || token(index, is: "cattr_accessor") || token(index, is: "mattr_reader")
      || token(index, is: "cattr_reader")
    return isAttribute ? readRubySymbols(at: index, .property) : index + 1
  }

  /// `A = 1`, `A, B = 1, 2`, `A::B ||= 1`
  private mutating func readRubyConstants(at start: Int, _ state: inout RubyState) -> Int {
    var names: [Int] = []
    var index = start
    while beginsUppercase(index) {
      if mark(index + 1) == Mark.colon, mark(index + 2) == Mark.colon, isAdjacent(index + 1) {
        index += 3
        continue
      }
      names.append(index)
      index += 1
      guard mark(index) == Mark.comma else { break }
      index += 1
    }
    if mark(index) == Mark.bar, mark(index + 1) == Mark.bar { index += 2 }
    guard isAssignment(index), let last = names.popLast() else { return start + 1 }
    let isType =
      mark(index + 2) == Mark.dot
      && (token(index + 1, is: "Struct") || token(index + 1, is: "Class")
        || token(index + 1, is: "Data") || token(index + 1, is: "Module"))
    for name in names { add(name, .constant, from: start, to: name) }
    beginRubyValue(tokens[last].range, isType ? .class : .constant, from: start, at: index + 1, &state)
    return index + 1
  }
}
