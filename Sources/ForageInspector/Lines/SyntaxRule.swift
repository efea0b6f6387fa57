/// One construct of a language that decides what a line is: a kind of comment, string or the like.
struct SyntaxRule: Sendable {
  /// What the construct does with the bytes after its opening.
  enum Kind: UInt8, Sendable {
    /// A comment up to the end of the line.
    case lineComment
    /// A comment up to its closing.
    case blockComment
    /// The same; those inside count.
    case nestedComment
    /// A comment of whole lines, up to a line that begins with the closing.
    case commentLines
    /// A string up to its closing.
    case string
    /// A character between quotes; if there is none, the quote means nothing (`'a` in Rust).
    case character
    /// The same, and some few letters between quotes are one too (`'ab'` in C).
    case characters
    /// A string whose closing needs as many `#` as its opening: `r#"..."#`.
    case rustRaw
    /// With nothing but `#` before: `#"..."#`, `#"""..."""#`; lines may break in it with three quotes only.
    case swiftRaw
    /// `"word(...)word"` after an `R`.
    case cppRaw
    /// A string up to as many quotes as opened it, three at least.
    case quoteRun
    /// `[==[ ... ]==]` after the opening, as a comment; a comment of one line if no bracket follows.
    case longComment
    /// `[==[ ... ]==]`, as a string.
    case longString
    /// A text that begins on the next line and ends with a line of the word that follows the opening.
    case heredoc
    /// A regular expression, where one may stand.
    case regex
    /// Code whose bytes mean nothing else; `close` is how many bytes after it are skipped too.
    case skip
    /// Code whose bytes mean nothing else, up to the end of the line.
    case skipLine
    /// From here on another grammar holds.
    case enter
    /// Back to the first grammar.
    case leave
    /// A bracket in which a string does not stand alone.
    case openBracket, closeBracket
  }

  /// Where a construct may stand.
  struct Condition: OptionSet, Sendable {
    let rawValue: UInt16
    /// Only white space and comments are before it on the line.
    static let firstOnLine = Condition(rawValue: 1)
    /// It begins its line.
    static let columnZero = Condition(rawValue: 2)
    /// It is the seventh byte of its line, after digits and spaces (COBOL's indicator).
    static let columnSix = Condition(rawValue: 4)
    /// Before it is white space or one of `;&|()` and the backquote, or nothing.
    static let wordStart = Condition(rawValue: 8)
    /// After it is no letter, digit or underscore.
    static let wordEnd = Condition(rawValue: 16)
    /// The rest of its line is white space.
    static let lastOnLine = Condition(rawValue: 32)
    /// Neither another dash nor a symbol follows its dashes (Haskell's operators begin with dashes too).
    static let noOperator = Condition(rawValue: 64)
    /// No letter, digit or underscore is before it.
    static let notInWord = Condition(rawValue: 128)
    /// After it is no `[` (PHP's attributes begin with `#[`).
    static let noBracketAfter = Condition(rawValue: 256)
    /// After it is no letter.
    static let noLetterAfter = Condition(rawValue: 512)
    /// The letters may have any case; they are written in lowercase.
    static let anyCase = Condition(rawValue: 1024)
    /// A letter is after it (`=head1`).
    static let letterAfter = Condition(rawValue: 2048)
    /// Before it is an `r` of either case that begins its word or follows one of `bcuUL8`.
    static let afterR = Condition(rawValue: 4096)
    /// After it is no directive of C's preprocessor, which assembler has too.
    static let noDirective = Condition(rawValue: 8192)
  }

  let kind: Kind
  let open: String
  let close: String
  var condition: Condition = []
  /// The byte that takes the next one's meaning away in a string; 0 if there is none.
  var escape: UInt8 = 0
  /// Whether a string may have several lines; one that may not ends with its line.
  var isMultiline = false
  /// Whether a string that stands alone is a comment.
  var isDocumentation = false
  /// What opens code inside a string: its last byte is a bracket, whose partner ends the code.
  var interpolation = ""
  /// The number of the grammar that `enter` changes to.
  var grammar = 0
  /// Bytes after a closing that make it none (`''$` in Nix).
  var notClosing = ""

  static func line(_ open: String, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: .lineComment, open: open, close: "", condition: condition)
  }

  static func block(_ open: String, _ close: String, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: .blockComment, open: open, close: close, condition: condition)
  }

  static func nested(_ open: String, _ close: String, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: .nestedComment, open: open, close: close, condition: condition)
  }

  /// A string on one line, with backslashes.
  static func string(_ quote: String, interpolation: String = "") -> SyntaxRule {
    SyntaxRule(
      kind: .string, open: quote, close: quote, escape: UInt8(ascii: "\\"), interpolation: interpolation)
  }

  /// A string of any number of lines, with backslashes.
  static func text(
    _ quote: String, _ close: String? = nil, interpolation: String = "", isDocumentation: Bool = false
  ) -> SyntaxRule {
    SyntaxRule(
      kind: .string, open: quote, close: close ?? quote, escape: UInt8(ascii: "\\"), isMultiline: true,
      isDocumentation: isDocumentation, interpolation: interpolation)
  }

  /// A string without escapes: on one line, or of any number.
  static func raw(_ quote: String, _ close: String? = nil, isMultiline: Bool = true) -> SyntaxRule {
    SyntaxRule(kind: .string, open: quote, close: close ?? quote, isMultiline: isMultiline)
  }

  static func special(_ kind: Kind, _ open: String, _ condition: Condition = []) -> SyntaxRule {
    SyntaxRule(kind: kind, open: open, close: "", condition: condition)
  }

  /// A byte that takes the next one's meaning away in code.
  static func skip(_ open: String, and more: String = "") -> SyntaxRule {
    SyntaxRule(kind: .skip, open: open, close: more)
  }
}
