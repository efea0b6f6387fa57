import ForageCore

/// C, C++, Objective-C, C#, Java and Dart: the type is before the name.
extension OutlineReader {
  var isC: Bool { language == .c || language == .cpp || language == .objectiveC }

  mutating func readTyped() {
    scopes = [Scope(kind: .file, name: -1, end: count)]
    var index = 0
    while let scope = scopes.last {
      if index >= scope.end {
        scopes.removeLast()
        index = max(index, scope.end + 1)
        if scope.hasDeclarators { index = readTrailingDeclarators(of: scope, from: index) }
        continue
      }
      let next: Int
      switch scope.kind {
      case .enumeration: next = readEnumerators(from: index)
      case .function: next = readStatements(from: index)
      case .file, .namespace, .type, .object: next = readDeclaration(from: index)
      }
      index = max(next, index + 1)
    }
  }

  /// Of a function's body only the types in it are read.
  private mutating func readStatements(from first: Int) -> Int {
    guard let scope = scopes.last else { return first + 1 }
    var index = first
    while index < scope.end {
      if language == .java, mark(index) == Mark.openBrace, isAnonymousClass(index) {
        scopes.append(Scope(kind: .type, name: -1, end: bodyEnd(index)))
        return index + 1
      }
      switch tokens[index].word {
      case .using where language == .cpp && isWord(index + 1) && mark(index + 2) == Mark.equals:
        return readDeclaration(from: index)
      case .typedef where isC: return readDeclaration(from: index)
      case .struct, .union, .enum, .class, .interface, .record:
        let brace = isWord(index + 1) ? word(index + 2) == .final ? index + 3 : index + 2 : index + 1
        let isType =
          mark(brace) == Mark.openBrace || language == .cpp && isSingleColon(brace)
          || language == .java && isWord(index + 1)
        if isType, mark(index - 1) != Mark.dot, !isPair(index - 1, Mark.colon, Mark.colon) {
          return readDeclaration(from: index)
        }
      default: break
      }
      index += 1
    }
    return index
  }

  /// Whether a brace is behind `new Name(…)`.
  private func isAnonymousClass(_ brace: Int) -> Bool {
    guard mark(brace - 1) == Mark.closeParenthesis else { return false }
    let before = open(of: brace - 1) - 1
    if mark(before) == Mark.greater { return true }
    guard isWord(before) else { return false }
    switch word(before) {
    case .if, .for, .while, .switch, .catch, .synchronized, .try: return false
    default: return true
    }
  }

  /// Reads one declaration and returns where the next one begins, which may be in a body of this one.
  private mutating func readDeclaration(from first: Int) -> Int {
    guard let scope = scopes.last else { return first + 1 }
    if let next = readSpecialDeclaration(from: first) { return next }
    declaration.reset()
    var index = first
    while index < scope.end {
      let token = tokens[index]
      switch token.mark {
      case 0:
        if beginsBehindMacro(index) { declaration.reset() }
        if declaration.angles == 0 { index = appendWord(index) } else { index += 1 }
      case Mark.semicolon:
        if let brace = braceBehindOldParameters(index) {
          index = brace
          continue
        }
        finishDeclaration(at: index)
        if let value = declaration.value {
          scopes.append(Scope(kind: .function, name: -1, end: index))
          return value
        }
        return index + 1
      case Mark.closeBrace, Mark.closeParenthesis, Mark.closeBracket: return index + 1
      case Mark.openParenthesis, Mark.openBracket:
        if declaration.angles == 0 { appendGroup(index) }
        if language == .java, declaration.value == nil, declaration.hasEquals { declaration.value = index }
        index = close(of: index) + 1
      case Mark.openBrace:
        declaration.angles = 0
        if let next = readBody(at: index) { return next }
        declaration.parts.append(index)
        if language == .java, declaration.value == nil { declaration.value = index }
        index = close(of: index) + 1
      case Mark.less:
        if declaration.hasEquals, let next = endOfTypeArguments(index) {
          index = next
          continue
        }
        if language != .c, !declaration.hasEquals {
          if declaration.angles == 0 { declaration.parts.append(index) }
          declaration.angles += 1
        }
        index += 1
      case Mark.greater:
        if declaration.angles > 0, !(mark(index - 1) == Mark.minus && isAdjacent(index)) {
          declaration.angles -= 1
        }
        index += 1
      case Mark.equals:
        if let next = readArrowBody(at: index) { return next }
        if declaration.angles == 0 {
          declaration.hasEquals = true
          declaration.parts.append(index)
        }
        index += 1
      case Mark.colon where isAccessLabel(index): return index + 1
      case Mark.at where language == .java || language == .dart: index = skipAnnotation(index)
      default:
        if declaration.angles == 0 {
          if token.mark == Mark.colon, isSingleColon(index), declaration.parameters != nil {
            declaration.hasColon = true
          }
          declaration.parts.append(index)
        }
        index += 1
      }
    }
    return index
  }

  /// The place behind type arguments in a value, such as those of `new Map<Key, Value>()`, whose commas
  /// part no declarators; `nil` of a comparison.
  private func endOfTypeArguments(_ less: Int) -> Int? {
    guard language != .c else { return nil }
    var depth = 0
    var index = less
    while index < min(count, less + 200) {
      switch mark(index) {
      case 0, Mark.comma, Mark.dot, Mark.question, Mark.star, Mark.ampersand, Mark.colon: break
      case Mark.openParenthesis, Mark.openBracket: index = close(of: index)
      case Mark.less: depth += 1
      case Mark.greater:
        depth -= 1
        guard depth == 0 else { break }
        switch mark(index + 1) {
        case Mark.openParenthesis, Mark.openBracket, Mark.openBrace, Mark.dot, Mark.colon: return index + 1
        default: return mark(less - 1) == Mark.dot ? index + 1 : nil
        }
      default: return nil
      }
      index += 1
    }
    return nil
  }

  /// Whether a word begins another declaration behind the call of a macro that needs no semicolon, such as
  /// `static GIT_PATH_FUNC(name, "path")`.
  private func beginsBehindMacro(_ index: Int) -> Bool {
    guard language == .c, isFirst(index), mark(index - 1) == Mark.closeParenthesis,
      !declaration.parts.isEmpty, !declaration.hasEquals
    else { return false }
    switch word(index) {
    case .static, .typedef, .extern: return true
    case .struct, .union, .enum: return mark(index + (isWord(index + 1) ? 2 : 1)) == Mark.openBrace
    default: return false
    }
  }

  func isSingleColon(_ index: Int) -> Bool {
    mark(index) == Mark.colon && !isPair(index, Mark.colon, Mark.colon)
      && !isPair(index - 1, Mark.colon, Mark.colon)
  }

  /// `public:` and the like.
  private func isAccessLabel(_ index: Int) -> Bool {
    guard language == .cpp, declaration.parts.count <= 2, isSingleColon(index) else { return false }
    guard let first = declaration.parts.first else { return true }
    switch word(first) {
    case .public, .private, .protected: return true
    default: return token(first, is: "signals") || token(first, is: "Q_SIGNALS")
    }
  }

  /// `@Name(…)` before a declaration.
  private func skipAnnotation(_ index: Int) -> Int {
    guard isWord(index + 1), word(index + 1) != .interface else { return index + 1 }
    var next = index + 2
    while mark(next) == Mark.dot, isWord(next + 1) { next += 2 }
    if mark(next) == Mark.openParenthesis, language == .java || isAdjacent(next) {
      next = close(of: next) + 1
    }
    return next
  }
}
