/// Finds for every bracket the one it belongs to. Of the branches of an `#if` the first one counts: what the
/// others open
/// ends with them.
struct BracketMatcher {
  /// For each token: the place of its other bracket, or -1.
  private(set) var partners: [Int32]
  private var outer: [Int32]
  private var outerBrace: [Int32]
  private var top: Int32 = -1

  private struct Branch {
    var topBefore: Int32
    var topBehind: Int32?
    var start: Int
  }
  private var branches: [Branch] = []

  init(_ lexer: SourceLexer) {
    let count = lexer.tokens.count
    partners = [Int32](repeating: -1, count: count)
    outer = partners
    outerBrace = partners
    var conditional = 0
    for index in 0..<count {
      while conditional < lexer.conditionals.count, lexer.conditionals[conditional].tokenCount <= index {
        apply(lexer.conditionals[conditional].kind, before: index)
        conditional += 1
      }
      switch lexer.tokens[index].mark {
      case Mark.openParenthesis, Mark.openBracket: open(index, isBrace: false)
      case Mark.openBrace: open(index, isBrace: true)
      case Mark.closeParenthesis, Mark.closeBracket, Mark.closeBrace: close(index, lexer.tokens)
      default: break
      }
    }
  }

  private mutating func open(_ index: Int, isBrace: Bool) {
    outer[index] = top
    outerBrace[index] = isBrace ? Int32(index) : top >= 0 ? outerBrace[Int(top)] : -1
    top = Int32(index)
  }

  private mutating func close(_ index: Int, _ tokens: [Token]) {
    guard top >= 0 else { return }
    let mark = tokens[index].mark
    if mark == Mark.closeBrace {
      top = outerBrace[Int(top)]
      guard top >= 0 else { return }
    } else if Mark.closing(tokens[Int(top)].mark) != mark {
      // One bracket too few may be forgiven, but none beyond a brace.
      guard tokens[Int(top)].mark != Mark.openBrace else { return }
      let next = outer[Int(top)]
      guard next >= 0, Mark.closing(tokens[Int(next)].mark) == mark else { return }
      top = next
    }
    partners[index] = top
    if partners[Int(top)] < 0 { partners[Int(top)] = Int32(index) }
    top = outer[Int(top)]
  }

  private mutating func apply(_ kind: SourceLexer.Conditional.Kind, before index: Int) {
    switch kind {
    case .begin: branches.append(Branch(topBefore: top, topBehind: nil, start: index))
    case .alternative:
      guard let branch = branches.last else { return }
      if branch.topBehind == nil {
        branches[branches.count - 1].topBehind = top
      } else {
        endAll(since: branch.start, before: index)
      }
      branches[branches.count - 1].start = index
      top = branch.topBefore
    case .end:
      guard let branch = branches.popLast() else { return }
      guard let behind = branch.topBehind else { return }
      endAll(since: branch.start, before: index)
      top = behind
    }
  }

  /// Ends what was opened in a branch and is still open.
  private mutating func endAll(since start: Int, before index: Int) {
    while Int(top) >= start, partners[Int(top)] < 0 {
      partners[Int(top)] = Int32(index - 1)
      top = outer[Int(top)]
    }
  }
}
