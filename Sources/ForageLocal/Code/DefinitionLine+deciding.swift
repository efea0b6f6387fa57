/// What follows the words of a line decides.
extension DefinitionLine {
  private var isMember: Bool { modifiers.contains(.member) }
  private var isAtMargin: Bool { indentation == 0 }

  // MARK: After a keyword

  /// Whether a name after a keyword, other than one of a type, is defined.
  func isDefined(_ name: Range<Int>) -> Bool {
    if line.has("`", at: name.lowerBound - 1), !line.has("`", at: name.upperBound) { return false }
    let next = line.spaceEnd(position)
    if keyword.contains(.variable), isImport(next) { return false }
    if keyword.contains(.body) { return line.has("{", at: next) }
    if keyword.contains(.value) { return line.has("=", at: next) && !isDotted }
    if keyword.contains(.enumCase) { return isEnumCase(next) }
    return !isSentence(after: name)
  }

  /// Whether what follows a name in a line of an enumeration is no pattern of a switch.
  private func isEnumCase(_ next: Int) -> Bool {
    guard !isDotted, !isScoped else { return false }
    let next = line.spaceEnd(line.closing("(", ")", at: next) ?? next)
    if line.has("=", at: next) { return !line.hasOne(of: "=>", at: next + 1) }
    return next == line.count || line.has("//", at: next)
      || line.has(",", at: next) && line.last != UInt8(ascii: ":") && !line.has(" =>", after: next)
  }

  /// The name in `attr_reader :name` and `define_method(:name)`.
  func symbol() -> Range<Int>? {
    var next = line.spaceEnd(position)
    if line.has("(", at: next) { next += 1 }
    guard line.has(":", at: next), line.isWord(next + 1) else { return nil }
    return (next + 1)..<line.wordEnd(next + 1)
  }

  /// Whether only words follow a name, as in "function calls are cheap".
  func isSentence(after name: Range<Int>) -> Bool {
    var (words, end) = (0, name.upperBound)
    while line.has(" ", at: end), line.isWord(end + 1) {
      let word = (end + 1)..<line.wordEnd(end + 1)
      if words == 0, DefinitionWord(line[word]).contains(.afterType) { return false }
      words += 1
      end = word.upperBound
    }
    return words > 1 && (end == line.count || line.hasOne(of: ".,;\r", at: end))
  }

  // MARK: Without a keyword

  /// The name that is defined before the byte at which the words end; `nil` for none.
  func decision() -> Range<Int>? {
    if modifiers.contains(.typedef) { return typeName() }
    guard let name else { return nil }
    if keyword.contains(.type), !keyword.contains(.variable) {
      if words == 1 { return isTypeEnd ? name : nil }
      if position == line.count || line.has("{", at: position) || line.has(": ", at: position) { return name }
    }
    guard isDeclaration(name) else { return nil }
    return isBeforeType ? firstName : name
  }

  /// The name that a `typedef` defines: the last one, or the one in `(*name)(int)`.
  private func typeName() -> Range<Int>? {
    guard position < line.count else { return words == 1 && keyword.contains(.type) ? name : nil }
    switch line[position] {
    case UInt8(ascii: "="): return firstName
    case UInt8(ascii: "{"): return words == 1 ? name : nil
    case UInt8(ascii: "("):
      guard let end = line.closing("(", ")", at: position),
        let star = line[position..<end].lastIndex(where: { "*^".utf8.contains($0) })
      else { return words > 1 ? name : nil }
      let start = line.spaceEnd(star + 1)
      return line.hasOne(of: "(", at: end) ? start..<line.wordEnd(start) : nil
    case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "["): return words > 1 ? name : nil
    default: return nil
    }
  }

  /// Whether a type is defined rather than declared, as in `struct name;`, or used, as in `struct name *find(`.
  private var isTypeEnd: Bool {
    position == line.count || line.hasOne(of: "{:(<=/", at: position)
      || line.has(";", at: position) && isMember
  }

  /// Whether the name precedes its type, as in a field of Go or `const name Type =`, unlike `const Type name =`.
  private var isBeforeType: Bool {
    if line.has("`", at: position) { return true }
    return keyword.contains(.variable) && words == 2 && line.has("=", at: position)
      && !line.hasOne(of: ";{(,=\\", at: line.count - 1)
  }

  /// Whether a function or variable is defined.
  private func isDeclaration(_ name: Range<Int>) -> Bool {
    guard position < line.count else { return false }
    let isAlone = isAtMargin && words == 1
    switch line[position] {
    case UInt8(ascii: "="):
      return !line.hasOne(of: "=~>", at: position + 1) && isAssignment(name, position + 1)
    case UInt8(ascii: "<"):
      return isAlone && line.has("<- ", at: position) && isAssignment(name, position + 2)
    // The tag of a field in Go.
    case UInt8(ascii: "`"):
      return words > 1 && line.has(":\"", after: position) && line.has("`", at: line.count - 1)
    case _ where isDotted: return false
    case UInt8(ascii: "("): return isAtMargin || isMember ? isFunction(name) : isMethod(name)
    case UInt8(ascii: ":"):
      if line.has(":=", at: position) || line.has(":: ", at: position) { return isAlone }
      if isFunctionValue(position + 1) { return words == 1 }
      let isTyped = keyword.contains(.variable) || isMember || isAlone && isTypedAssignment
      return isTyped && line.has(": ", at: position)
    case UInt8(ascii: "?"):
      return isAlone && line.has("?=", at: position) || isMember && line.has("?: ", at: position)
    case UInt8(ascii: ";"), UInt8(ascii: "{"): return isMember && words > 1
    case UInt8(ascii: ","): return isMember && words > 1 && line.last == UInt8(ascii: ";")
    default: return false
    }
  }

  // MARK: Variables

  /// Whether a defined name is that of a variable, whose value neither is a function nor begins on this line.
  func isVariable(_ name: Range<Int>) -> Bool {
    if line.last == UInt8(ascii: "{") { return false }
    if keyword.contains(.variable) { return true }
    let next = line.spaceEnd(name.upperBound)
    return keyword.isEmpty && (line.has("=", at: next) || line.has(":=", at: next))
  }

  /// - Parameter value: What follows the equals sign.
  private func isAssignment(_ name: Range<Int>, _ value: Int) -> Bool {
    // "module.exports = function"
    if line.has("exports", at: name.lowerBound), name.count == 7 { return false }
    if isDotted, !isBeforeType { return isFunctionValue(value) || isExport }
    if isImport(value - 1) || words == 1 && hasBrackets { return false }
    if isAtMargin || isMember { return true }
    return words == 1 && (keyword.contains(.variable) || isFunctionValue(value))
  }

  /// `exports.name =` and `module.exports.name =`.
  private var isExport: Bool {
    guard isAtMargin, words == 1 else { return false }
    return line.has("exports.", at: start) || line.has("module.exports.", at: start)
  }

  /// Whether a function is the value, as in `function (x) {` and `(x) => {`.
  private func isFunctionValue(_ value: Int) -> Bool {
    var next = line.spaceEnd(value)
    if line.has("async ", at: next) { next = line.spaceEnd(next + 6) }
    if line.has("function", at: next) { return !line.isWord(next + 8) }
    let end = line.closing("(", ")", at: next) ?? line.wordEnd(next)
    return end > next && line.has("=> {", at: line.count - 4)
      && line.hasOne(of: "=:", at: line.spaceEnd(end))
  }

  /// Whether a variable is another module, as in `x = require("y")`.
  private func isImport(_ sign: Int) -> Bool {
    guard line.has("=", at: sign) else { return false }
    var next = line.spaceEnd(sign + 1)
    if line.has("await ", at: next) { next = line.spaceEnd(next + 6) }
    let end = line.wordEnd(next)
    guard line.hasOne(of: "( \"'", at: end) else { return false }
    return line.has("require", at: next) && end == next + 7 || line.has("import", at: next) && end == next + 6
  }

  /// Whether a type and a value follow a name, as in `name: list[int] | None = 3`.
  private var isTypedAssignment: Bool {
    var end = position + 1
    repeat {
      let start = line.spaceEnd(end)
      end = start
      while line.isWord(end) || line.has(".", at: end) { end += 1 }
      if end == start { return false }
      end = line.spaceEnd(line.closing("[", "]", at: end) ?? end)
      if !line.has("|", at: end) { break }
      end += 1
    } while true
    return line.has("= ", at: end)
  }

  // MARK: Functions

  /// Whether a parenthesis opens the parameters of a function at the left margin or of a member.
  private func isFunction(_ name: Range<Int>) -> Bool {
    let last = line.last
    // A prototype.
    if last == UInt8(ascii: ";"), !(isMember && line.has("=>", after: position)) { return false }
    let isAlone = words == 1 && !isMember
    guard let end = line.closing("(", ")", at: position) else {
      let arguments = line[(position + 1)...]
      return line.hasOne(of: ",(", at: line.count - 1) && !arguments.contains(UInt8(ascii: "{"))
        && (!isAlone || areParameters(line.count))
    }
    let next = line.spaceEnd(end)
    // In C the type is often in the line before.
    let isEquation = line.has("->", at: next) || line.has("= ", at: next)
    if isAlone && (isEquation || line.isWord(next) && line.has("->", at: line.count - 2)) {
      return areNames(end - 1)
    }
    let hasBody = last == UInt8(ascii: "{")
    if isAlone || position > name.upperBound && !hasBody, !areParameters(end - 1) { return false }
    if next == line.count || line.hasOne(of: "{/", at: next) { return true }
    if isEquation || line.has("=> ", at: next) { return true }
    if line.has(":", at: next) { return !isAlone || isScoped || hasBody }
    guard line.isWord(next) else { return false }
    let word = DefinitionWord(line[next..<line.wordEnd(next)])
    return hasBody || word.contains(.afterParameters) || line.has("__", at: next)
  }

  /// Whether a parenthesis opens the parameters of an indented method.
  private func isMethod(_ name: Range<Int>) -> Bool {
    guard line.last == UInt8(ascii: "{"), !line.isSpace(position - 1),
      let end = line.closing("(", ")", at: position)
    else { return false }
    let next = line.spaceEnd(end)
    guard line.hasOne(of: "{:-", at: next) || line.isWord(next) else { return false }
    if words > 1 || !modifiers.isEmpty { return true }
    return indentation <= Self.margin && !isUpper(name.lowerBound) && areNames(end - 1)
  }

  /// Whether what is between the parenthesis and an end may be parameters with types, as calls have none.
  private func areParameters(_ end: Int) -> Bool {
    var next = line.spaceEnd(position + 1)
    if next >= end { return true }
    var meaning = DefinitionWord(line[next..<line.wordEnd(next)])
    if !meaning.isDisjoint(with: [.prose, .statement]) { return false }
    // "const unsigned", "struct name"
    while !meaning.isEmpty, next < end {
      if meaning.contains(.builtIn) { return true }
      next = line.spaceEnd(line.wordEnd(next))
      meaning = DefinitionWord(line[next..<line.wordEnd(next)])
    }
    var type = line.wordEnd(next)
    while line.has("::", at: type) { type = line.wordEnd(type + 2) }
    type = line.closing("<", ">", at: type) ?? type
    // "UNUSED(Type name)"
    let isMacro = isUpper(next) && line.has("(", at: type)
    if isMacro { (next, type) = (type + 1, line.wordEnd(type + 1)) }
    let name = line[type...].firstIndex { !" *&".utf8.contains($0) } ?? end
    guard type > next, name > type, name < end else { return false }
    // Not "set(NAME value)" of CMake.
    let isType = isUpper(next) && !isUpper(next + 1)
    let isClear =
      isMacro || isType || line.last == UInt8(ascii: "{")
      || line[position..<name].contains { "*&".utf8.contains($0) }
    return line.hasOne(of: isClear ? "),[" : ",[", at: line.wordEnd(name))
  }

  /// Whether what is between the parenthesis and an end are names, which may have types and values.
  private func areNames(_ end: Int) -> Bool {
    for place in (position + 1)..<end {
      switch line[place] {
      case UInt8(ascii: "="): return true
      case UInt8(ascii: ":"):
        let type = line.spaceEnd(place + 1)
        return isUpper(type) || line.hasOne(of: "{[(", at: type)
          || DefinitionWord(line[type..<line.wordEnd(type)]).contains(.parameterType)
      case UInt8(ascii: "."): if !line.has("..", at: place), !line.has("..", at: place - 1) { return false }
      case _ where line.isDigit(place) && !line.isWord(place - 1): return false
      case let byte where Definitions.isWord(byte) || " ,[]{}$?".utf8.contains(byte): continue
      default: return false
      }
    }
    return true
  }

  private func isUpper(_ place: Int) -> Bool { line.hasOne(of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", at: place) }
}
