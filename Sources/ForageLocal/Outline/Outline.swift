import ForageCore

/// The definitions of one file, and which of its bytes are code.
struct Outline {
  struct Definition: Equatable {
    /// The name's bytes in the text.
    var name: Range<Int>
    var kind: SymbolKind
    /// From the first byte of the declaration's first token to behind its last one (a body's `}`, a `;`,
    /// `end`).
    var extent: Range<Int>
    /// A declaration without a body, such as a prototype of C: it is neither a definition nor a use.
    var isDeclarationOnly = false
    /// A variable or constant that is local to a function is not listed at all.
  }

  /// In the order of the names.
  var definitions: [Definition]
  /// The ranges of comments and strings, in order, not overlapping. What an interpolation holds (`\(name)`,
  /// `#{name}`,
  /// `${name}`) is code.
  var notCode: [Range<Int>]

  /// `nil`: nothing is known of the language. Never fails on any bytes, takes time in proportion to their
  /// number.
  init?(of language: String, in text: UnsafeRawBufferPointer) {
    guard text.count < Int(Int32.max) else { return nil }
    if ScriptBlocks.languages.contains(language) {
      (definitions, notCode) = Self.scripts(of: text)
      return
    }
    guard let grammar = Grammar.named(language) else { return nil }
    var lexer = SourceLexer(text, grammar)
    lexer.run()
    notCode = lexer.notCode
    var reader = OutlineReader(text, lexer)
    definitions = reader.read()
  }

  /// Of a component, all but its scripts is no code.
  private static func scripts(of text: UnsafeRawBufferPointer) -> ([Definition], notCode: [Range<Int>]) {
    var (definitions, notCode) = ([Definition](), [Range<Int>]())
    var end = 0
    for (range, language) in ScriptBlocks.of(text) {
      guard let block = Outline(of: language.rawValue, in: text.part(range)) else { continue }
      let start = range.lowerBound
      definitions += block.definitions.map { $0.moved(by: start) }
      notCode.append(end..<start)
      notCode += block.notCode.map { $0.lowerBound + start..<$0.upperBound + start }
      end = range.upperBound
    }
    if end < text.count { notCode.append(end..<text.count) }
    return (definitions, notCode)
  }
}

extension Outline.Definition {
  /// The same in a longer text.
  fileprivate func moved(by count: Int) -> Self {
    var moved = self
    moved.name = name.lowerBound + count..<name.upperBound + count
    moved.extent = extent.lowerBound + count..<extent.upperBound + count
    return moved
  }
}
