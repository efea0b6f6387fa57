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
    guard let grammar = Grammar.named(language), text.count < Int(Int32.max) else { return nil }
    var lexer = SourceLexer(text, grammar)
    lexer.run()
    notCode = lexer.notCode
    var reader = OutlineReader(text, lexer)
    definitions = reader.read()
  }
}
