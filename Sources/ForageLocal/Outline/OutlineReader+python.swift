import ForageCore

/// Python: a definition reaches up to the line that is indented less than its body.
extension OutlineReader {
  /// A `def` or `class` whose body is being read.
  private struct PythonBlock {
    var indentation: Int
    var isClass: Bool
    var definition: Int
  }

  mutating func readPython() {
    var blocks: [PythonBlock] = []
    var index = 0
    while index < tokens.count {
      let indentation = indentation(of: index)
      while let block = blocks.last, block.indentation >= indentation {
        end(block.definition, with: index - 1)
        blocks.removeLast()
      }
      index = readPythonLine(from: index, indentation: indentation, &blocks)
    }
    for block in blocks { end(block.definition, with: index - 1) }
  }

  /// Reads a line with all the lines it continues on, and gives the place of the next one. Decorators belong
  /// to the statement behind them.
  private mutating func readPythonLine(from start: Int, indentation: Int, _ blocks: inout [PythonBlock])
    -> Int
  {
    var first = start
    var index = start
    while mark(index) == Mark.at {
      repeat { index = next(behind: index) } while isOnLine(index)
      guard index < tokens.count else { return index }
    }
    while index < tokens.count {
      let definitionCount = definitions.count
      let isCompound = readPythonStatement(at: index, from: first, indentation: indentation, &blocks)
      while true {
        let mark = mark(index)
        index = next(behind: index)
        if !isOnLine(index) || mark == Mark.semicolon || mark == Mark.colon && isCompound { break }
      }
      if !isCompound {
        for definition in definitionCount..<definitions.count { end(definition, with: index - 1) }
      }
      guard isOnLine(index) else { break }
      first = index
    }
    return index
  }

  /// Reads the definitions of one statement; `true`: a `:` may be followed by more statements.
  private mutating func readPythonStatement(
    at start: Int, from first: Int, indentation: Int, _ blocks: inout [PythonBlock]
  ) -> Bool {
    let isInClass = blocks.last?.isClass ?? false
    let index = word(start) == .async && isWord(start + 1) ? start + 1 : start
    switch word(index) {
    case .def, .class:
      guard isWord(index + 1) else { return true }
      let isClass = word(index) == .class
      let definition = begin(index + 1, isClass ? .class : isInClass ? .method : .function, from: first)
      blocks.append(PythonBlock(indentation: indentation, isClass: isClass, definition: definition))
      return true
    case .if, .elif, .else, .for, .while, .try, .except, .finally, .with: return true
    case .case where mark(index + 1) != Mark.equals && mark(index + 1) != Mark.colon: return true
    case .match where mark(index + 1) != Mark.equals && mark(index + 1) != Mark.colon: return true
    case .return, .import, .from, .pass, .lambda, .yield, .global, .await: return false
    case .typeWord where isWord(index + 1) && mark(index + 2) == Mark.equals:
      add(index + 1, .type, from: first, to: index + 1)
    default:
      if isInClass || blocks.isEmpty { readPythonTargets(from: index, isInClass: isInClass) }
    }
    return false
  }

  /// `a = b = 1`, `a, b = 1, 2`, `a: int = 1`, and in a class also `a: int`.
  private mutating func readPythonTargets(from start: Int, isInClass: Bool) {
    var targets: [Int] = []
    var index = start
    while true {
      if mark(index) == Mark.openParenthesis || mark(index) == Mark.star { index += 1 }
      guard isWord(index), index == start || isOnLine(index) else { return }
      targets.append(index)
      index += 1
      if mark(index) == Mark.closeParenthesis { index += 1 }
      switch mark(index) {
      case Mark.comma: index += 1
      case Mark.equals where isAssignment(index):
        index += 1
        let isFunction = word(index) == .lambda
        for target in targets { addPythonVariable(target, isInClass, isFunction: isFunction, from: start) }
        targets.removeAll()
      case Mark.colon where index == start + 1 && (isInClass || hasPythonValue(behind: index)):
        addPythonVariable(start, isInClass, isFunction: false, from: start)
        return
      default: return
      }
    }
  }

  /// Whether `= value` follows an annotation.
  private func hasPythonValue(behind colon: Int) -> Bool {
    var index = colon + 1
    while isOnLine(index), mark(index) != Mark.semicolon {
      if isAssignment(index) { return true }
      index = next(behind: index)
    }
    return false
  }

  private mutating func addPythonVariable(_ name: Int, _ isInClass: Bool, isFunction: Bool, from start: Int) {
    let kind: SymbolKind =
      isFunction
      ? (isInClass ? .method : .function)
      : isUppercase(name) ? .constant : isInClass ? .field : .variable
    add(name, kind, from: start, to: name)
  }
}
