import ForageCore

/// Declarations that end with a semicolon: variables, fields, prototypes, `typedef`s.
extension OutlineReader {
  mutating func finishDeclaration(at semicolon: Int) {
    let parts = declaration.parts
    guard let first = parts.first, let scope = scopes.last else { return }
    let isMember = scope.kind == .type
    switch word(first) {
    case .using, .import, .package, .friend, .return, .export, .goto, .library, .part:
      if language == .cpp || language == .cSharp, word(first) == .using, parts.count > 2,
        mark(parts[2]) == Mark.equals, isWord(parts[1])
      {
        add(parts[1], .type, from: first, to: semicolon)
      }
      return
    case .template:
      if let place = parts.firstIndex(where: { word($0) == .using }), place + 2 < parts.count,
        mark(parts[place + 2]) == Mark.equals
      {
        return add(parts[place + 1], .type, from: first, to: semicolon)
      }
    default: break
    }
    if language == .dart, declaration.isTypedef, parts.count > 2,
      mark(parts[2]) == Mark.equals || mark(parts[2]) == Mark.less
    {
      return add(parts[1], .type, from: first, to: semicolon)
    }
    if declaration.isTypedef { return readTypedef(at: semicolon) }
    if let keyword = declaration.typeKeyword, isForwardDeclaration(keyword) {
      if !isC, declaration.parameters != nil || word(parts[keyword]) == .namespace, keyword + 1 < parts.count
      {
        let kind: SymbolKind = word(parts[keyword]) == .namespace ? .module : .class
        if let name = nameOfType(keyword) { add(name, kind, from: first, to: semicolon) }
      } else if isC, let name = nameOfType(keyword) {
        add(name, kindOfType(word(parts[keyword])), from: first, to: semicolon, isDeclarationOnly: true)
      }
      return
    }
    if let parameters = declaration.parameters {
      return finishFunction(parameters, at: semicolon)
    }
    guard scope.kind != .function else { return }
    let isExtern = word(first) == .extern && !declaration.hasEquals
    let isConstant = !isC && parts.prefix(4).contains { word($0) == .const }
    addDeclarators(
      from: 0, first: first, to: semicolon,
      kind: isConstant ? .constant : isMember ? .field : .variable,
      isDeclarationOnly: isExtern)
  }

  /// `class Name;`, and what has a parameter list behind its name in other languages.
  private func isForwardDeclaration(_ keyword: Int) -> Bool {
    if !isC { return true }
    if declaration.parameters != nil { return false }
    let parts = declaration.parts
    if declaration.hasEquals { return false }
    return declaration.pointerGroup == nil && declaration.typeWords <= 1
      && !parts.contains { mark($0) == Mark.comma }
  }

  private mutating func finishFunction(_ parameters: Int, at semicolon: Int) {
    if isC {
      guard declaration.isTyped else { return }
    } else if !declaration.isTyped, language == .java || scopes.last?.kind == .file, language != .dart {
      return
    }
    if language == .cSharp, declaration.parts.prefix(4).contains(where: { word($0) == .delegate }) {
      if let name = functionName(before: parameters) {
        add(name, .type, from: declaration.parts[0], to: semicolon)
      }
      return
    }
    addFunction(parameters, to: semicolon, isDeclarationOnly: isC && !isDefaulted)
  }

  /// `= default;`
  private var isDefaulted: Bool {
    guard declaration.hasEquals, let last = declaration.parts.last else { return false }
    return word(last) == .default
  }

  private mutating func readTypedef(at semicolon: Int) {
    let parts = declaration.parts
    guard let first = parts.first else { return }
    if let parameters = declaration.parameters, declaration.pointerGroup == nil, let last = parts.last {
      if isWord(last) {
        // `typedef list_of(type) name;`
        if !isCapitals(last) { return add(last, .type, from: first, to: semicolon) }
      } else {
        // `typedef type (name)(int);`, `typedef type CALLBACK(name)(int);`
        let isInGroup = parameters + 1 < parts.count && mark(parts[parameters + 1]) == Mark.openParenthesis
        guard let name = isInGroup ? nameInGroup(parts[parameters]) : functionName(before: parameters) else {
          return
        }
        return add(name, .type, from: first, to: semicolon)
      }
    }
    addDeclarators(from: 0, first: first, to: semicolon, kind: .type, isDeclarationOnly: false)
  }

  /// Behind the brace of `struct { … }`.
  mutating func readTrailingDeclarators(of scope: Scope, from start: Int) -> Int {
    guard let outer = scopes.last else { return start }
    declaration.reset()
    declaration.isTypedef = scope.isTypedef
    var index = start
    while index < outer.end {
      switch mark(index) {
      case Mark.semicolon:
        let kind: SymbolKind = scope.isTypedef ? .type : outer.kind == .type ? .field : .variable
        guard scope.isTypedef || outer.kind != .function else { return index + 1 }
        addDeclarators(
          from: 0, first: scope.first, to: index, kind: kind, isDeclarationOnly: false, needsType: false)
        return index + 1
      case 0:
        // Another declaration: the semicolon was left out.
        if isWord(index), isFirst(index), index == start, isDeclarationStart(index) { return start }
        if word(index) == .gnuAttribute, mark(index + 1) == Mark.openParenthesis {
          index = close(of: index + 1) + 1
          continue
        }
        declaration.parts.append(index)
        index += 1
      case Mark.openParenthesis, Mark.openBracket:
        if mark(index) == Mark.openParenthesis, declaration.pointerGroup == nil, mark(index + 1) == Mark.star
        {
          declaration.pointerGroup = declaration.parts.count
        }
        declaration.parts.append(index)
        index = close(of: index) + 1
      case Mark.openBrace:
        guard declaration.hasEquals else { return readFunctionBehindType(scope, brace: index) }
        declaration.parts.append(index)
        index = close(of: index) + 1
      case Mark.closeBrace: return index
      case Mark.equals:
        declaration.hasEquals = true
        declaration.parts.append(index)
        index += 1
      default:
        declaration.parts.append(index)
        index += 1
      }
    }
    return index
  }

  private func isDeclarationStart(_ index: Int) -> Bool {
    switch word(index) {
    case .static, .struct, .typedef, .union, .enum, .class, .namespace, .template, .extern, .public, .private,
      .protected:
      true
    default: false
    }
  }

  /// `struct { … } name(void) { … }`, or a body that a macro begins.
  private mutating func readFunctionBehindType(_ scope: Scope, brace: Int) -> Int {
    let end = close(of: brace)
    if let place = declaration.parts.lastIndex(where: { mark($0) == Mark.openParenthesis }), place > 0 {
      let name = declaration.parts[place - 1]
      if isWord(name) { add(name, .function, from: scope.first, to: end) }
    }
    return end + 1
  }

  /// Adds the names of `type a = 1, *b, c[2], (*d)(int);`.
  private mutating func addDeclarators(
    from start: Int, first: Int, to end: Int, kind: SymbolKind, isDeclarationOnly: Bool,
    needsType: Bool = true
  ) {
    let parts = declaration.parts
    var place = start
    var words = needsType ? 0 : 1
    while place < parts.count {
      var name: Int?
      var isOpen = true
      while place < parts.count, mark(parts[place]) != Mark.comma {
        let index = parts[place]
        switch mark(index) {
        case 0 where isOpen && isWord(index):
          name = index
          words += 1
        case Mark.openParenthesis where isOpen:
          if let inner = nameInGroup(index) {
            name = inner
            words += 1
          }
          isOpen = false
        case Mark.equals, Mark.openBracket, Mark.openBrace:
          // The brackets of Java's arrays are at the type.
          if mark(index) != Mark.openBracket || isC { isOpen = false }
        case Mark.colon where isSingleColon(index) && isC: isOpen = false
        case Mark.dot, Mark.question, Mark.star, Mark.ampersand, Mark.less, Mark.colon, Mark.caret: break
        default:
          if isOpen, !isC || mark(index) != Mark.tilde {
            name = nil
            isOpen = false
          }
        }
        place += 1
      }
      if let name, words > 1, !isTypeWord(word(name)) {
        add(name, kind, from: first, to: end, isDeclarationOnly: isDeclarationOnly)
      }
      place += 1
    }
  }

  /// The name in `(*name)`, `(*name[2])`, `(*(*name)(int))`.
  private func nameInGroup(_ open: Int) -> Int? {
    let end = close(of: open)
    var index = open + 1
    var name: Int?
    while index < end {
      if isWord(index) {
        name = index
      } else if mark(index) == Mark.openBracket || mark(index) == Mark.openParenthesis && name != nil {
        break
      }
      index += 1
    }
    return name
  }
}
