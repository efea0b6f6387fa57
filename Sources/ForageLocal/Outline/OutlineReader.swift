import ForageCore

/// Walks over the tokens of one text and gathers its definitions. What is common to all languages is here;
/// each family of
/// languages has its reader in an extension.
struct OutlineReader {
  /// The most tokens of a statement whose end is looked for, so that the time stays in proportion to the
  /// text.
  static let longestStatement = 2_000

  let text: UnsafeRawBufferPointer
  let language: Language
  let tokens: [Token]
  /// For each token: the place of the bracket it belongs to, or -1.
  let partners: [Int32]
  var definitions: [Outline.Definition] = []
  /// Of the declaration that is being read.
  var declaration = Declaration()
  /// What is open around it, the innermost last.
  var scopes: [Scope] = []
  /// Of Scala: for the first token of a line, where its indented block ends.
  var blockEnds: [Int32] = []

  init(_ text: UnsafeRawBufferPointer, _ lexer: SourceLexer) {
    self.text = text
    language = lexer.grammar.language
    tokens = lexer.tokens
    partners = BracketMatcher(lexer).partners
    for macro in lexer.macros {
      definitions.append(Outline.Definition(name: macro.name, kind: .macro, extent: macro.extent))
    }
  }

  /// Gathers the definitions, in the order of their names.
  mutating func read() -> [Outline.Definition] {
    switch language {
    case .c, .cpp, .objectiveC, .cSharp, .java, .dart: readTyped()
    case .swift, .kotlin, .scala, .rust, .go, .php: readKeywords()
    case .javaScript, .typeScript, .tsx: readScript()
    case .python, .ruby, .lua, .perl, .shell: readLines()
    case .sql: readSQL()
    case .css, .scss, .less: break
    }
    definitions.sort {
      ($0.name.lowerBound, $0.extent.lowerBound) < ($1.name.lowerBound, $1.extent.lowerBound)
    }
    return definitions
  }

  // MARK: Tokens

  var count: Int { tokens.count }

  /// The mark of the token at a place, 0 if it is another kind of token or there is none.
  @inline(__always)
  func mark(_ index: Int) -> UInt8 { index >= 0 && index < tokens.count ? tokens[index].mark : 0 }

  /// The known word at a place.
  @inline(__always)
  func word(_ index: Int) -> Word { index >= 0 && index < tokens.count ? tokens[index].word : .none }

  @inline(__always)
  func isWord(_ index: Int) -> Bool { index >= 0 && index < tokens.count && tokens[index].kind == .word }

  @inline(__always)
  func isString(_ index: Int) -> Bool { index >= 0 && index < tokens.count && tokens[index].kind == .string }

  /// Whether the token is the first one on its line.
  @inline(__always)
  func isFirst(_ index: Int) -> Bool { index < 0 || index >= tokens.count || tokens[index].isFirstOnLine }

  /// Whether a token follows the one before it without a blank.
  @inline(__always)
  func isAdjacent(_ index: Int) -> Bool {
    index > 0 && index < tokens.count && tokens[index - 1].end == tokens[index].start
  }

  /// Whether two marks are there without a blank between them, such as `->`.
  @inline(__always)
  func isPair(_ index: Int, _ first: UInt8, _ second: UInt8) -> Bool {
    mark(index) == first && mark(index + 1) == second && isAdjacent(index + 1)
  }

  /// The place of the closing bracket of the one at `index`. Without one: of a brace, the last token; of
  /// others, `index`.
  @inline(__always)
  func close(of index: Int) -> Int {
    let partner = Int(partners[index])
    if partner >= index { return partner }
    return tokens[index].mark == Mark.openBrace ? tokens.count - 1 : index
  }

  /// The place of the bracket that the closing one at `index` closes, or `index`.
  @inline(__always)
  func open(of index: Int) -> Int {
    let partner = Int(partners[index])
    return partner >= 0 && partner < index ? partner : index
  }

  /// Whether the bytes of a token are this text.
  func token(_ index: Int, is expected: StaticString) -> Bool {
    guard index >= 0, index < tokens.count else { return false }
    let range = tokens[index].range
    guard range.count == expected.utf8CodeUnitCount else { return false }
    for offset in 0..<range.count where text[range.lowerBound + offset] != expected.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The column of a token: blanks before it on its line, a tab as up to the next multiple of eight.
  func indentation(of index: Int) -> Int {
    var start = Int(tokens[index].start)
    let end = start
    while start > 0, text[start - 1] == 32 || text[start - 1] == 9 { start -= 1 }
    var column = 0
    for place in start..<end { column = text[place] == 9 ? (column / 8 + 1) * 8 : column + 1 }
    return column
  }

  // MARK: Definitions

  /// Adds a definition whose declaration is from one token to another, both included.
  mutating func add(
    _ name: Int, _ kind: SymbolKind, from first: Int, to last: Int, isDeclarationOnly: Bool = false
  ) {
    guard name >= 0, name < tokens.count else { return }
    add(tokens[name].range, kind, from: first, to: last, isDeclarationOnly: isDeclarationOnly)
  }

  mutating func add(
    _ name: Range<Int>, _ kind: SymbolKind, from first: Int, to last: Int, isDeclarationOnly: Bool = false
  ) {
    let start = min(Int(tokens[max(0, first)].start), name.lowerBound)
    let end = max(Int(tokens[min(max(last, first), tokens.count - 1)].end), name.upperBound)
    definitions.append(
      Outline.Definition(name: name, kind: kind, extent: start..<end, isDeclarationOnly: isDeclarationOnly))
  }
}
