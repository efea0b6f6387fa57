/// A construct of a language that decides what a line is: a comment, a string or the like.
///
/// Its texts are static, so that loops over rules need no reference counting.
struct SyntaxRule: Sendable {
  /// The kinds of constructs.
  enum Kind: UInt8, Sendable {
    /// A comment up to the end of the line.
    case lineComment
    /// A comment up to its closing delimiter.
    case blockComment
    /// A string up to its closing delimiter.
    case string
    /// A literal of one character; without a closing quote the quote is code (`'a` in Rust).
    case character
    /// Code whose next byte has no meaning for the counts, such as an escape or the beginning of a directive.
    case code
  }

  /// Where a construct is recognised.
  enum Place: UInt8, Sendable {
    case anywhere
    /// Only white space and comments precede it on the line.
    case firstOnLine
    /// It begins its line.
    case firstColumn
    /// It is first on its line, and the last line of code does not end with an open bracket, comma, equals
    /// sign or the like, after which a string is a part of an expression.
    case statement
  }

  let kind: Kind
  let open: StaticString
  var close: StaticString = ""
  var place = Place.anywhere
  /// The escape byte in a string; 0 if there is none.
  var escape: UInt8 = 0
  /// Whether a string may span lines; otherwise it ends with its line.
  var spansLines = false
  /// Whether a block comment nests.
  var nests = false

  static func line(_ open: StaticString, _ place: Place = .anywhere) -> SyntaxRule {
    SyntaxRule(kind: .lineComment, open: open, place: place)
  }

  static func block(_ open: StaticString, _ close: StaticString, _ place: Place = .anywhere) -> SyntaxRule {
    SyntaxRule(kind: .blockComment, open: open, close: close, place: place, spansLines: true)
  }

  static func nested(_ open: StaticString, _ close: StaticString, _ place: Place = .anywhere) -> SyntaxRule {
    SyntaxRule(kind: .blockComment, open: open, close: close, place: place, spansLines: true, nests: true)
  }

  /// Returns a rule for a string within a line.
  static func string(_ quote: StaticString, escape: Unicode.Scalar = "\\") -> SyntaxRule {
    SyntaxRule(kind: .string, open: quote, close: quote, escape: UInt8(ascii: escape))
  }

  /// Returns a rule for a string that may span lines, with backslash escapes.
  static func text(_ quote: StaticString) -> SyntaxRule {
    SyntaxRule(kind: .string, open: quote, close: quote, escape: UInt8(ascii: "\\"), spansLines: true)
  }

  /// Returns a rule for a verbatim string, which has no escapes.
  static func raw(_ open: StaticString, _ close: StaticString? = nil, spansLines: Bool = true) -> SyntaxRule {
    SyntaxRule(kind: .string, open: open, close: close ?? open, spansLines: spansLines)
  }

  static func code(_ open: StaticString) -> SyntaxRule { SyntaxRule(kind: .code, open: open) }

  /// A character literal between apostrophes.
  static let character = SyntaxRule(kind: .character, open: "'")
}

extension StaticString {
  @inline(__always) var count: Int { utf8CodeUnitCount }
  /// The byte at an index below ``count``.
  @inline(__always) subscript(_ index: Int) -> UInt8 { utf8Start[index] }
}
