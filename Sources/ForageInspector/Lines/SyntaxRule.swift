/// A construct of a language that decides what a line is: a kind of comment, string or the like.
///
/// Its texts are static, so that loops over rules need no reference counting.
struct SyntaxRule: Sendable {
  /// The kinds of constructs.
  enum Kind: UInt8, Sendable {
    /// A comment up to the end of the line.
    case lineComment
    /// A comment up to its closing delimiter.
    case blockComment
    /// A block comment that nests.
    case nestedComment
    /// A comment of whole lines, up to a line that begins with the closing delimiter.
    case commentLines
    /// A string up to its closing delimiter.
    case string
    /// A character literal; without a closing quote the quote is code (`'a` in Rust).
    case character
    /// A character literal that may hold a few letters (`'ab'` in C).
    case characters
    /// A string that closes with as many `#` as it opens with: `r#"..."#`.
    case rustRaw
    /// A raw string of Swift, `#"..."#` or `#"""..."""#`; only the latter spans lines.
    case swiftRaw
    /// `"word(...)word"` after an `R`.
    case cppRaw
    /// A string that closes with as many quotes as it opens with, at least three.
    case quoteRun
    /// A `[==[ ... ]==]` comment after the opening, or a line comment if no bracket follows.
    case longComment
    /// A `[==[ ... ]==]` string.
    case longString
    /// A heredoc: begins on the next line and ends with a line that has the word after the opening.
    case heredoc
    /// A regular expression literal, where the context allows one.
    case regex
    /// Code without a meaning for the counts; `close` has as many bytes as are skipped after the opening.
    case skip
    /// Code without a meaning for the counts, up to the end of the line.
    case skipLine
    /// Enters another grammar.
    case enter
    /// Returns to the first grammar.
    case leave
    /// A bracket in which a string is not a statement of its own.
    case openBracket, closeBracket
  }

  /// The conditions under which a construct is recognised.
  struct Condition: OptionSet, Sendable {
    let rawValue: UInt16
    /// Only white space and comments precede it on the line.
    static let firstOnLine = Condition(rawValue: 1)
    /// It begins its line.
    static let columnZero = Condition(rawValue: 2)
    /// It is the seventh byte of its line, after digits and spaces (COBOL's indicator).
    static let columnSix = Condition(rawValue: 4)
    /// White space, one of `;&|()`, a backquote or nothing precedes it.
    static let wordStart = Condition(rawValue: 8)
    /// No letter, digit or underscore follows it.
    static let wordEnd = Condition(rawValue: 16)
    /// Only white space follows it on the line.
    static let lastOnLine = Condition(rawValue: 32)
    /// Neither another dash nor a symbol follows its dashes (Haskell's operators may begin with dashes).
    static let noOperator = Condition(rawValue: 64)
    /// No letter, digit or underscore precedes it.
    static let notInWord = Condition(rawValue: 128)
    /// No `[` follows it (attributes of PHP begin with `#[`).
    static let noBracketAfter = Condition(rawValue: 256)
    /// No letter follows it.
    static let noLetterAfter = Condition(rawValue: 512)
    /// It matches in any case; its own letters are lowercase.
    static let anyCase = Condition(rawValue: 1024)
    /// A letter follows it (`=head1`).
    static let letterAfter = Condition(rawValue: 2048)
    /// An `r` of either case precedes it, which begins its word or follows one of `bcuUL8`.
    static let afterR = Condition(rawValue: 4096)
    /// No directive of the C preprocessor follows it, which assembly has too.
    static let noDirective = Condition(rawValue: 8192)
  }

  let kind: Kind
  let open: StaticString
  let close: StaticString
  var condition: Condition = []
  /// The escape byte in a string; 0 if there is none.
  var escape: UInt8 = 0
  /// Whether a string may span lines; otherwise it ends with its line.
  var isMultiline = false
  /// Whether a string that is a statement of its own counts as a comment.
  var isDocumentation = false
  /// The opening of an interpolation; its last byte is a bracket, whose counterpart closes it.
  var interpolation: StaticString = ""
  /// The index of the grammar that `enter` selects.
  var grammar = 0
  /// Bytes that, after a closing delimiter, make it part of the string (`''$` in Nix).
  var notClosing: StaticString = ""

  static func line(_ open: StaticString, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: .lineComment, open: open, close: "", condition: condition)
  }

  static func block(_ open: StaticString, _ close: StaticString, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: .blockComment, open: open, close: close, condition: condition)
  }

  static func nested(_ open: StaticString, _ close: StaticString, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: .nestedComment, open: open, close: close, condition: condition)
  }

  /// Returns a rule for a string within a line, with backslash escapes.
  static func string(_ quote: StaticString, interpolation: StaticString = "") -> SyntaxRule {
    SyntaxRule(
      kind: .string, open: quote, close: quote, escape: UInt8(ascii: "\\"), interpolation: interpolation)
  }

  /// Returns a rule for a string that may span lines, with backslash escapes.
  static func text(
    _ quote: StaticString, _ close: StaticString? = nil, interpolation: StaticString = "",
    isDocumentation: Bool = false
  ) -> SyntaxRule {
    SyntaxRule(
      kind: .string, open: quote, close: close ?? quote, escape: UInt8(ascii: "\\"), isMultiline: true,
      isDocumentation: isDocumentation, interpolation: interpolation)
  }

  /// Returns a rule for a string without escapes.
  static func raw(_ quote: StaticString, _ close: StaticString? = nil, isMultiline: Bool = true) -> SyntaxRule
  {
    SyntaxRule(kind: .string, open: quote, close: close ?? quote, isMultiline: isMultiline)
  }

  static func special(_ kind: Kind, _ open: StaticString, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: kind, open: open, close: "", condition: condition)
  }

  /// Returns a rule for an escape in code, which removes the meaning of what follows.
  static func skip(_ open: StaticString, and more: StaticString = "") -> SyntaxRule {
    SyntaxRule(kind: .skip, open: open, close: more)
  }
}

extension StaticString {
  @inline(__always) var count: Int { utf8CodeUnitCount }
  /// The byte at an index below ``count``.
  @inline(__always) subscript(_ index: Int) -> UInt8 { utf8Start[index] }
}
