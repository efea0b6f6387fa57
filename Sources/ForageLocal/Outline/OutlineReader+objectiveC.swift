import ForageCore

/// `@interface`, `@implementation`, `@protocol`, `@property` and methods of Objective-C, between declarations
/// of C.
extension OutlineReader {
  /// What is no declaration of C; `nil`: it is one.
  mutating func readSpecialDeclaration(from first: Int) -> Int? {
    guard language == .objectiveC else { return nil }
    switch mark(first) {
    case Mark.at where isWord(first + 1): return readObjectiveCKeyword(from: first)
    case Mark.minus, Mark.plus: return readObjectiveCMethod(from: first)
    default: return nil
    }
  }

  private mutating func readObjectiveCKeyword(from first: Int) -> Int {
    let keyword = first + 1
    let name = keyword + 1
    switch word(keyword) {
    case .interface, .implementation, .protocol:
      guard isWord(name) else { return name }
      // `@protocol A, B;` only names them.
      if word(keyword) == .protocol, mark(name + 1) == Mark.semicolon || mark(name + 1) == Mark.comma {
        return skipToSemicolon(name)
      }
      add(
        name, word(keyword) == .protocol ? .interface : .class, from: first,
        to: objectiveCEnd(from: name))
      return readObjectiveCHead(from: name + 1)
    case .property: return readObjectiveCProperty(from: first)
    case .class, .import: return skipToSemicolon(name)
    default: return name
    }
  }

  private func skipToSemicolon(_ start: Int) -> Int {
    var index = start
    while index < count, mark(index) != Mark.semicolon, !isFirst(index) || index == start { index += 1 }
    return mark(index) == Mark.semicolon ? index + 1 : index
  }

  /// The `end` of the `@end` of a class. Looks no further than to the next class.
  private func objectiveCEnd(from start: Int) -> Int {
    var index = start
    while index < count {
      if mark(index) == Mark.at {
        switch word(index + 1) {
        case .end: return index + 1
        case .interface, .implementation, .protocol: return index - 1
        default: break
        }
      }
      index = mark(index) == Mark.openBrace ? close(of: index) + 1 : index + 1
    }
    return count - 1
  }

  /// `(Category) : Base <Protocol> {`
  private mutating func readObjectiveCHead(from start: Int) -> Int {
    var index = start
    while index < count {
      switch mark(index) {
      case Mark.openParenthesis: index = close(of: index) + 1
      case Mark.openBrace:
        scopes.append(Scope(kind: .type, name: -1, end: bodyEnd(index)))
        return index + 1
      case Mark.colon where isWord(index + 1): index += 2
      case Mark.less:
        while index < count, mark(index) != Mark.greater, mark(index) != Mark.semicolon { index += 1 }
        index += 1
      default: return index
      }
    }
    return index
  }

  /// `@property (nonatomic, copy) NSString *name;`
  private mutating func readObjectiveCProperty(from first: Int) -> Int {
    var index = first + 2
    if mark(index) == Mark.openParenthesis { index = close(of: index) + 1 }
    var name: Int?
    while index < count, mark(index) != Mark.semicolon, mark(index) != Mark.closeBrace, mark(index) != Mark.at
    {
      if isWord(index), word(index) != .gnuAttribute { name = index }
      if mark(index) == Mark.openParenthesis {
        if mark(index + 1) == Mark.caret, isWord(index + 2) {
          name = index + 2
          while index < count, mark(index) != Mark.semicolon, mark(index) != Mark.closeBrace { index += 1 }
          break
        }
        index = close(of: index)
      }
      index += 1
    }
    if let name { add(name, .property, from: first, to: index) }
    return index + 1
  }

  /// `- (void)first:(int)a second:(int)b`, whose name is its first part.
  private mutating func readObjectiveCMethod(from first: Int) -> Int {
    var name = first + 1
    if mark(name) == Mark.openParenthesis { name = close(of: name) + 1 }
    guard isWord(name) else { return first + 1 }
    var index = name + 1
    while index < count {
      switch mark(index) {
      case Mark.openParenthesis: index = close(of: index) + 1
      case Mark.openBrace:
        add(name, .method, from: first, to: close(of: index))
        scopes.append(Scope(kind: .function, name: -1, end: bodyEnd(index)))
        return index + 1
      case Mark.semicolon:
        add(name, .method, from: first, to: index, isDeclarationOnly: true)
        return index + 1
      case Mark.closeBrace, Mark.at, Mark.minus, Mark.plus: return index
      default: index += 1
      }
    }
    return index
  }
}
