/// The parts of a declaration of a language with types before names.
extension OutlineReader {
  /// Appends a word and returns the place behind it, and behind the marks of an operator's name.
  mutating func appendWord(_ index: Int) -> Int {
    guard tokens[index].kind == .word else {
      declaration.parts.append(index)
      return index + 1
    }
    let word = tokens[index].word
    if word == .operator, language != .java, !declaration.hasEquals {
      return appendOperator(index)
    }
    if word == .typedef { declaration.isTypedef = true }
    let isBeforeName = declaration.parameters == nil || isC && !declaration.isTyped
    if declaration.typeKeyword == nil, isBeforeName, !declaration.hasEquals, isTypeKeyword(index) {
      declaration.typeKeyword = declaration.parts.count
    } else if !isModifier(word) {
      declaration.typeWords += 1
    }
    declaration.parts.append(index)
    return index + 1
  }

  private mutating func appendOperator(_ index: Int) -> Int {
    declaration.parts.append(index)
    var next = index + 1
    if mark(next) == Mark.openParenthesis, mark(next + 1) == Mark.closeParenthesis { next += 2 }
    var angles = 0
    while next < count, mark(next) != Mark.semicolon, mark(next) != Mark.openBrace {
      if mark(next) == Mark.openParenthesis, angles == 0 { break }
      if mark(next) == Mark.less, isWord(next - 1), next - 1 > index { angles += 1 }
      if mark(next) == Mark.greater, angles > 0 { angles -= 1 }
      next = mark(next) == Mark.openBracket ? close(of: next) + 1 : next + 1
    }
    if mark(next) == Mark.openParenthesis, declaration.parameters == nil {
      declaration.parameters = declaration.parts.count
      declaration.isTyped = true
      declaration.parts.append(next)
      return close(of: next) + 1
    }
    return next
  }

  /// The keywords that begin a type or a namespace.
  private func isTypeKeyword(_ index: Int) -> Bool {
    let isNamed = isWord(index + 1)
    switch word(index) {
    case .struct, .union: return language != .java && language != .dart
    case .enum: return true
    case .class: return language != .c && language != .objectiveC
    case .namespace: return language == .cpp || language == .cSharp
    case .interface: return (language == .java || language == .cSharp) && isNamed
    case .record: return (language == .java || language == .cSharp) && isNamed
    case .mixin, .extension: return language == .dart && (isNamed || mark(index + 1) == Mark.less)
    default: return false
    }
  }

  private func isModifier(_ word: Word) -> Bool {
    switch word {
    case .static, .inline, .extern, .const, .volatile, .register, .constexpr, .typedef, .gnuAttribute,
      .gnuAttributeShort, .declspec, .alignas:
      true
    // In C the others are names.
    case _ where language == .c: false
    case .public, .private, .protected, .virtual,
      .explicit,
      .consteval, .constinit, .friend, .mutable, .final, .abstract, .override, .synchronized,
      .native,
      .transient, .strictfp, .sealed, .internal, .readonly, .async, .unsafe, .partial, .new, .template,
      .typename, .external, .late, .covariant, .factory, .required:
      true
    default: false
    }
  }

  mutating func appendGroup(_ index: Int) {
    let place = declaration.parts.count
    let before = declaration.parts.last
    if mark(index) == Mark.openBracket {
      let isAttribute =
        language == .cSharp ? place == 0 : language == .cpp && mark(index + 1) == Mark.openBracket
      if !isAttribute { declaration.parts.append(index) }
      return
    }
    if let before {
      switch word(before) {
      case .gnuAttribute, .gnuAttributeShort, .declspec, .alignas, .asm:
        declaration.parts.removeLast()
        return
      default: break
      }
    }
    declaration.parts.append(index)
    guard !declaration.hasEquals, !declaration.hasColon else { return }
    if isPointerGroup(index) {
      if declaration.pointerGroup == nil { declaration.pointerGroup = place }
      return
    }
    guard let name = functionName(before: place) else { return }
    let isOwnName = isC && isNameOfScope(name)
    let isTyped = declaration.typeWords > 1 || isOwnName || isDestructor(name)
    let follows = place >= 2 && declaration.parameters == place - 2
    if declaration.parameters == nil || !declaration.isTyped && (isTyped || follows) || isMacro(before: name)
    {
      declaration.parameters = place
      declaration.isTyped = isTyped && !(follows && !isOwnName)
    }
  }

  /// Whether what seemed to be the function has a name in capitals, and this one has not.
  private func isMacro(before name: Int) -> Bool {
    guard isC, let parameters = declaration.parameters, parameters > 0 else { return false }
    return isCapitals(declaration.parts[parameters - 1]) && !isCapitals(name)
  }

  func isCapitals(_ index: Int) -> Bool {
    guard isWord(index) else { return false }
    for byte in text[tokens[index].range] where byte &- 97 < 26 { return false }
    return tokens[index].range.count > 2
  }

  private func isNameOfScope(_ name: Int) -> Bool {
    guard let scope = scopes.last, scope.name >= 0 else { return false }
    let own = tokens[scope.name].range
    let other = tokens[name].range
    guard own.count == other.count else { return false }
    for offset in 0..<own.count where text[own.lowerBound + offset] != text[other.lowerBound + offset] {
      return false
    }
    return true
  }

  func isDestructor(_ name: Int) -> Bool { isC && mark(name - 1) == Mark.tilde }

  /// `(*name)` before `(` or `[`, or at the end of a declarator.
  private func isPointerGroup(_ index: Int) -> Bool {
    guard isC else { return false }
    let first = mark(index + 1)
    let isPointer =
      first == Mark.star || first == Mark.caret || first == Mark.ampersand
      || isWord(index + 1) && isPair(index + 2, Mark.colon, Mark.colon) && mark(index + 4) == Mark.star
      || isWord(index + 1) && mark(index + 2) == Mark.star && isWord(index + 3)
        && mark(index + 4) == Mark.closeParenthesis && mark(index + 5) == Mark.openParenthesis
    guard isPointer else { return false }
    switch mark(close(of: index) + 1) {
    case Mark.openParenthesis, Mark.openBracket, Mark.semicolon, Mark.equals, Mark.comma: return true
    default: return false
    }
  }

  /// The token of the name before the parameters at a place in the parts.
  func functionName(before place: Int) -> Int? {
    var before = place - 1
    guard before >= 0 else { return nil }
    if mark(declaration.parts[before]) == Mark.less { before -= 1 }
    guard before >= 0 else { return nil }
    let name = declaration.parts[before]
    guard isWord(name) else { return nil }
    switch word(name) {
    case .if, .for, .while, .switch, .return, .sizeof, .catch, .noexcept, .throw, .requires, .decltype, .new,
      .foreach,
      .lock, .using, .fixed, .do, .else, .typeof, .try, .case, .async, .await, .explicit, .when:
      return language == .dart || language == .cSharp && word(name) == .when ? name : nil
    case let word where isTypeWord(word): return nil
    default: return language == .dart && token(name, is: "Function") ? nil : name
    }
  }

  /// A keyword that is part of a type, so it is no name.
  func isTypeWord(_ word: Word) -> Bool {
    switch word {
    case .void, .int, .char, .long, .double, .float, .short, .unsigned, .signed, .const, .static, .struct,
      .enum,
      .volatile, .gnuAttribute:
      true
    default: false
    }
  }
}
