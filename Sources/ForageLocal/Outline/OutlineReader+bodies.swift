import ForageCore

/// What begins with a brace or ends with a semicolon.
extension OutlineReader {
  /// Reads what the brace at `index` begins, and returns where to go on. `nil`: it is part of a value.
  mutating func readBody(at index: Int) -> Int? {
    let parts = declaration.parts
    let end = close(of: index)
    guard let first = parts.first else { return end + 1 }
    if declaration.hasEquals || word(index - 1) == .default { return nil }
    if word(first) == .extern, parts.count == 2, isString(parts[1]) {
      scopes.append(Scope(kind: scopes.last?.kind ?? .file, name: -1, end: bodyEnd(index)))
      return index + 1
    }
    if let keyword = declaration.typeKeyword, declaration.parameters == nil || !isC || !declaration.isTyped {
      return readType(keyword, brace: index)
    }
    if let parameters = declaration.parameters {
      // `: member{value}` of a constructor.
      if declaration.hasColon, isC, isWord(index - 1) || mark(index - 1) == Mark.greater { return nil }
      if let next = readMacroEnumeration(parameters, brace: index) { return next }
      addFunction(parameters, to: end)
      scopes.append(Scope(kind: .function, name: -1, end: bodyEnd(index)))
      return index + 1
    }
    if isC, let group = declaration.pointerGroup, let next = readFunctionOfPointer(group, brace: index) {
      return next
    }
    if language == .cSharp || language == .dart || language == .java {
      return readProperty(brace: index, end: end)
    }
    let before = mark(index - 1)
    let isValue =
      language == .cpp && declaration.typeWords > 1
      && (isWord(index - 1) || before == Mark.greater || before == Mark.closeBracket)
    return isValue ? nil : end + 1
  }

  /// `typedef NS_ENUM(NSInteger, Name) { … }`
  private mutating func readMacroEnumeration(_ parameters: Int, brace: Int) -> Int? {
    let parts = declaration.parts
    guard isC, parameters > 0,
      word(parts[parameters - 1]) == .enumMacro || word(parts[parameters - 1]) == .optionsMacro
    else { return nil }
    let name = close(of: parts[parameters]) - 1
    if isWord(name) { add(name, .enum, from: parts[0], to: close(of: brace)) }
    scopes.append(Scope(kind: .enumeration, name: name, end: bodyEnd(brace)))
    return brace + 1
  }

  /// Where the scope ends that a brace begins.
  func bodyEnd(_ index: Int) -> Int {
    partners[index] >= 0 ? Int(partners[index]) : count
  }

  /// A type or a namespace, whose members come next.
  private mutating func readType(_ keyword: Int, brace: Int) -> Int {
    let parts = declaration.parts
    let word = word(parts[keyword])
    let end = bodyEnd(brace)
    let isNamespace = word == .namespace
    let name = nameOfType(keyword)
    if let name { add(name, kindOfType(word), from: parts[0], to: end) }
    let isEnumeration = word == .enum
    var scope = Scope(
      kind: isNamespace ? .namespace : isEnumeration ? .enumeration : .type, name: name ?? -1, end: end)
    scope.hasDeclarators = isC && !isNamespace
    scope.isTypedef = declaration.isTypedef
    scope.first = parts[0]
    scopes.append(scope)
    return brace + 1
  }

  func kindOfType(_ word: Word) -> SymbolKind {
    switch word {
    case .struct: .struct
    case .union: .union
    case .enum: .enum
    case .namespace: .module
    case .interface: .interface
    default: .class
    }
  }

  /// The token of a type's name, of which the keyword's place is known.
  func nameOfType(_ keyword: Int) -> Int? {
    let parts = declaration.parts
    var place = keyword + 1
    if !isC {
      while place < parts.count {
        let index = parts[place]
        let isKeyword =
          word(index) == .class || word(index) == .struct
          || word(index) == .typeWord && isWord(index + 1)
        guard isKeyword || mark(index) == Mark.less else { break }
        place += 1
      }
      guard place < parts.count, isWord(parts[place]), word(parts[place]) != .on || place + 1 == parts.count
      else {
        return nil
      }
      // The last one of `namespace A.B`.
      while place + 2 < parts.count, mark(parts[place + 1]) == Mark.dot, isWord(parts[place + 2]) {
        place += 2
      }
      return parts[place]
    }
    var name: Int?
    while place < parts.count {
      let index = parts[place]
      if isSingleColon(index) || mark(index) == Mark.less || mark(index) == Mark.openBrace { break }
      if isWord(index), word(index) != .final, word(index) != .class, word(index) != .struct,
        mark(index + 1) != Mark.openParenthesis
      {
        name = index
      }
      place += 1
    }
    return name
  }

  /// Adds the function whose parameters are at a place in the parts.
  mutating func addFunction(_ parameters: Int, to end: Int, isDeclarationOnly: Bool = false) {
    let parts = declaration.parts
    guard let scope = scopes.last, let first = parts.first else { return }
    // No parameter is a string: it is the call of a macro, such as `TEST_CASE("name") { … }`.
    if isC, isString(parts[parameters] + 1) { return }
    let isMember = scope.kind == .type || scope.kind == .enumeration
    var before = parameters - 1
    var range: Range<Int>
    if before >= 0, word(parts[before]) == .operator {
      range = tokens[parts[before]].range.lowerBound..<Int(tokens[parts[parameters] - 1].end)
    } else {
      guard let name = functionName(before: parameters) else { return }
      range = tokens[name].range
      if isDestructor(name) { range = Int(tokens[name - 1].start)..<range.upperBound }
      while before > 0, isWord(parts[before]) == false { before -= 1 }
    }
    let isQualified = before > 1 && mark(parts[before - 1]) == Mark.colon
    let kind: SymbolKind = isMember || isQualified ? .method : .function
    add(range, kind, from: first, to: end, isDeclarationOnly: isDeclarationOnly)
  }

  /// `Type Name { get; set; }` of C#; other bodies without parameters are skipped.
  private mutating func readProperty(brace: Int, end: Int) -> Int {
    let isGetter = declaration.parts.contains { word($0) == .get }
    guard language == .cSharp && scopes.last?.kind == .type || language == .dart && isGetter else {
      return end + 1
    }
    addProperty(to: end)
    return end + 1
  }

  mutating func addProperty(to end: Int) {
    let parts = declaration.parts
    guard parts.count >= 2, let last = parts.last, let first = parts.first else { return }
    if mark(last) == Mark.openBracket, parts.count >= 2, word(parts[parts.count - 2]) == .this {
      add(parts[parts.count - 2], .property, from: first, to: end)
    } else if isWord(last) {
      add(last, .property, from: first, to: end)
    }
  }

  /// `=> …;` of C# and Dart.
  mutating func readArrowBody(at index: Int) -> Int? {
    guard language == .cSharp || language == .dart, isPair(index, Mark.equals, Mark.greater),
      !declaration.hasEquals,
      let scope = scopes.last
    else { return nil }
    var end = index + 2
    while end < scope.end, mark(end) != Mark.semicolon {
      switch mark(end) {
      case Mark.openParenthesis, Mark.openBrace, Mark.openBracket: end = close(of: end) + 1
      default: end += 1
      }
    }
    if let parameters = declaration.parameters {
      addFunction(parameters, to: end)
    } else if scope.kind == .type || scope.kind == .enumeration || language == .dart {
      addProperty(to: end)
    }
    return end + 1
  }

  /// The names of an `enum`, up to its end or to a semicolon.
  mutating func readEnumerators(from first: Int) -> Int {
    guard let scope = scopes.last else { return first + 1 }
    var index = first
    var isStart = mark(index - 1) != Mark.closeBrace
    while index < scope.end {
      switch mark(index) {
      case 0:
        if isStart, isWord(index) {
          add(index, .constant, from: index, to: index)
          isStart = false
        }
        index += 1
      case Mark.comma:
        isStart = true
        index += 1
      case Mark.semicolon:
        scopes[scopes.count - 1].kind = .type
        return index + 1
      case Mark.at:
        index += 2
        while mark(index) == Mark.dot { index += 2 }
        if mark(index) == Mark.openParenthesis { index = close(of: index) + 1 }
      case Mark.openBrace where language == .java:
        scopes.append(Scope(kind: .type, name: -1, end: bodyEnd(index)))
        return index + 1
      case Mark.openParenthesis, Mark.openBracket, Mark.openBrace: index = close(of: index) + 1
      default: index += 1
      }
    }
    return index
  }
}
