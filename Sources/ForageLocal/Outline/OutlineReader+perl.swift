import ForageCore

/// Perl: subroutines, packages, constants, attributes of classes and the variables of packages.
extension OutlineReader {
  private struct PerlState {
    /// The packages without a block of their own that the place is in, each with how many braces are open
    /// around it: it ends with the block around it, or where the next one begins in the same block.
    var packages: [(definition: Int, depth: Int)] = []
    var depth = 0
    /// Where the last subroutine ends: what it declares is not listed.
    var bodyEnd = 0
  }

  mutating func readPerl() {
    var state = PerlState()
    var index = 0
    while index < tokens.count {
      if mark(index) == Mark.openBrace { state.depth += 1 }
      if mark(index) == Mark.closeBrace {
        state.depth -= 1
        endPerlPackages(deeperThan: state.depth, before: index, &state)
      }
      index = readPerlToken(at: index, &state)
    }
    endPerlPackages(deeperThan: Int.min, before: index, &state)
  }

  private mutating func endPerlPackages(deeperThan depth: Int, before index: Int, _ state: inout PerlState) {
    while let package = state.packages.last, package.depth > depth {
      end(package.definition, with: index - 1)
      state.packages.removeLast()
    }
  }

  private mutating func readPerlToken(at index: Int, _ state: inout PerlState) -> Int {
    if isFirst(index) {
      if mark(index) == Mark.star, isAdjacent(index + 1), mark(index + 2) == Mark.equals,
        word(index + 3) == .sub
      {
        return addPerlBody(index + 1, .function, from: index, behind: index + 3, &state)
      }
      if word(index) == .none, isWord(index) { return readPerlStatement(at: index, &state) }
    }
    guard word(index) != .none, !isPerlVariable(index) else { return index + 1 }
    switch word(index) {
    case .sub where isWord(index + 1):
      let first =
        word(index - 1) == .my || word(index - 1) == .our || word(index - 1) == .async ? index - 1 : index
      let name = endOfPerlName(index + 1)
      return addPerlBody(name, .function, from: first, behind: name, &state)
    case .package where isWord(index + 1): return readPerlPackage(at: index, .module, &state)
    case .class where isFirst(index) && isWord(index + 1): return readPerlPackage(at: index, .class, &state)
    case .use where word(index + 1) == .constant: return readPerlConstants(at: index + 2, from: index)
    case .our where isFirst(index) && index > state.bodyEnd: return readPerlVariables(at: index)
    default: return index + 1
    }
  }

  private func isPerlVariable(_ index: Int) -> Bool {
    guard isAdjacent(index) else { return false }
    switch mark(index - 1) {
    case Mark.dollar, Mark.at, Mark.percent, Mark.ampersand, Mark.greater, Mark.colon: return true
    default: return false
    }
  }

  /// The last word of `A::B::c`.
  private func endOfPerlName(_ start: Int) -> Int {
    var name = start
    while isPair(name + 1, Mark.colon, Mark.colon), isAdjacent(name + 1), isWord(name + 3),
      isAdjacent(name + 3)
    {
      name += 3
    }
    return name
  }

  /// Adds a definition with the body that follows the token `last`; without one it only declares.
  private mutating func addPerlBody(
    _ name: Int, _ kind: SymbolKind, from first: Int, behind last: Int, _ state: inout PerlState
  ) -> Int {
    var index = last + 1
    // Prototypes, signatures and attributes are between.
    while index < min(tokens.count, last + 30), mark(index) != Mark.openBrace, mark(index) != Mark.semicolon {
      index = next(behind: index)
    }
    if mark(index) == Mark.openBrace {
      let end = close(of: index)
      add(name, kind, from: first, to: end)
      state.bodyEnd = max(state.bodyEnd, end)
    } else {
      add(name, kind, from: first, to: name, isDeclarationOnly: mark(index) == Mark.semicolon)
    }
    return last + 1
  }

  private mutating func readPerlPackage(at index: Int, _ kind: SymbolKind, _ state: inout PerlState) -> Int {
    let name = endOfPerlName(index + 1)
    let range = Int(tokens[index + 1].start)..<Int(tokens[name].end)
    var next = name + 1
    while next < tokens.count, next < name + 6, mark(next) != Mark.openBrace, mark(next) != Mark.semicolon {
      next += 1
    }
    guard mark(next) != Mark.openBrace else {
      add(range, kind, from: index, to: close(of: next))
      return next
    }
    endPerlPackages(deeperThan: state.depth - 1, before: index, &state)
    add(range, kind, from: index, to: name)
    state.packages.append((definitions.count - 1, state.depth))
    return name + 1
  }

  /// `has name => …`, `method name { … }`, `field $name`
  private mutating func readPerlStatement(at index: Int, _ state: inout PerlState) -> Int {
    if token(index, is: "has") { return readPerlAttributes(at: index) }
    if token(index, is: "method"), isWord(index + 1) {
      return addPerlBody(index + 1, .method, from: index, behind: index + 1, &state)
    }
    if token(index, is: "field"), isWord(index + 2), isAdjacent(index + 2) {
      add(index + 2, .field, from: index, to: endOfPerlStatement(index + 2))
      return index + 3
    }
    return index + 1
  }

  private mutating func readPerlAttributes(at index: Int) -> Int {
    let first = index + 1
    var names: [Range<Int>] = []
    if mark(first) == Mark.openBracket {
      var place = first + 1
      while isString(place) {
        names += perlNames(place)
        place += mark(place + 1) == Mark.comma ? 2 : 1
      }
    } else if isString(first) {
      names = perlNames(first)
    } else if isWord(first), isPair(first + 1, Mark.equals, Mark.greater) || mark(first + 1) == Mark.semicolon
    {
      names = [tokens[first].range]
    }
    guard !names.isEmpty else { return index + 1 }
    let last = endOfPerlStatement(first)
    for name in names { add(name, .property, from: index, to: last) }
    return first
  }

  /// The `;` of the statement; very long ones are cut.
  private func endOfPerlStatement(_ start: Int) -> Int {
    var index = start
    while index < min(tokens.count, start + 300), mark(index) != Mark.semicolon {
      index = next(behind: index)
    }
    return min(index, tokens.count - 1)
  }

  /// The names in a string, or in `qw(…)`.
  private func perlNames(_ index: Int) -> [Range<Int>] {
    let range = tokens[index].range
    guard text[range.lowerBound] == UInt8(ascii: "q") else {
      var content = content(index)
      if content.count > 1, text[content.lowerBound] == Mark.plus {
        content = content.lowerBound + 1..<content.upperBound
      }
      return content.isEmpty ? [] : [content]
    }
    var start = range.lowerBound + 1
    while start < range.upperBound, text[start] | 32 &- 97 < 26 || text[start] <= 32 { start += 1 }
    return start + 1 < range.upperBound ? names(in: start + 1..<range.upperBound - 1) : []
  }

  /// `use constant A => 1`, `use constant { A => 1, B => 2 }`, `use constant qw(A 1)`
  private mutating func readPerlConstants(at start: Int, from first: Int) -> Int {
    guard mark(start) == Mark.openBrace else {
      if isWord(start) {
        add(start, .constant, from: first, to: endOfPerlStatement(start))
      } else if isString(start), let name = perlNames(start).first {
        add(name, .constant, from: first, to: endOfPerlStatement(start))
      }
      return start + 1
    }
    let close = close(of: start)
    var index = start + 1
    while index < close {
      guard isWord(index) || isString(index), isPair(index + 1, Mark.equals, Mark.greater) else {
        index = next(behind: index)
        continue
      }
      let name = index
      index += 3
      while index < close, mark(index) != Mark.comma { index = next(behind: index) }
      let range = isWord(name) ? tokens[name].range : content(name)
      add(range, .constant, from: name, to: min(index, close) - 1)
      index += 1
    }
    return close + 1
  }

  /// `our $a = 1`, `our ($a, @b)`
  private mutating func readPerlVariables(at start: Int) -> Int {
    var index = mark(start + 1) == Mark.openParenthesis ? start + 2 : start + 1
    while mark(index) == Mark.dollar || mark(index) == Mark.at || mark(index) == Mark.percent {
      guard isWord(index + 1), isAdjacent(index + 1) else { break }
      add(index + 1, .variable, from: start, to: index + 1)
      index += 2
      guard mark(index) == Mark.comma, mark(start + 1) == Mark.openParenthesis else { break }
      index += 1
    }
    return index
  }
}
