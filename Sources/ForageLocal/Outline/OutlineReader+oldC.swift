import ForageCore

extension OutlineReader {
  /// The body's brace of a function in the style of Kernighan and Ritchie, of whose parameters' types the
  /// first ends here:
  /// `int f(a, b) int a; char *b; { … }`
  func braceBehindOldParameters(_ semicolon: Int) -> Int? {
    guard language == .c, let parameters = declaration.parameters, !declaration.hasEquals else { return nil }
    let open = declaration.parts[parameters]
    let end = close(of: open)
    guard isWord(end + 1), end > open + 1 else { return nil }
    for index in open + 1..<end where !isWord(index) && mark(index) != Mark.comma { return nil }
    var index = semicolon
    while index < min(count, semicolon + 200) {
      switch mark(index) {
      case Mark.openBrace: return mark(index - 1) == Mark.semicolon ? index : nil
      case 0, Mark.semicolon, Mark.comma, Mark.star: index += 1
      case Mark.openBracket, Mark.openParenthesis: index = close(of: index) + 1
      default: return nil
      }
    }
    return nil
  }

  /// The function of `void (*name(int a))(int) { … }`.
  mutating func readFunctionOfPointer(_ group: Int, brace: Int) -> Int? {
    let open = declaration.parts[group]
    var index = open + 1
    while mark(index) == Mark.star { index += 1 }
    guard isWord(index), mark(index + 1) == Mark.openParenthesis else { return nil }
    add(index, .function, from: declaration.parts[0], to: close(of: brace))
    scopes.append(Scope(kind: .function, name: -1, end: bodyEnd(brace)))
    return brace + 1
  }
}
