/// The comments and strings of a language, compiled to tables for ``LineScanner``.
package struct CommentSyntax: Sendable {
  /// The classes of a byte where code may be.
  enum ByteClass {
    static let plain: UInt8 = 0
    static let space: UInt8 = 1
    static let newline: UInt8 = 2
    /// The first of the numbers of rule groups; a group holds the rules that begin with the byte.
    static let firstGroup: UInt8 = 3
  }

  /// A syntax without comments: every line that is not blank is code.
  package static let plain = CommentSyntax([])

  /// The class of each byte.
  let classes: [UInt8]
  /// The rules, group by group; in a group the first that matches counts.
  let rules: [SyntaxRule]
  /// The first rule of each group, and the end.
  let groups: [Int]
  /// Whether no construct spans lines, so that the first byte of a line decides.
  let isLineOnly: Bool

  init(_ all: [SyntaxRule]) {
    var classes = [UInt8](repeating: ByteClass.plain, count: 256)
    for byte in " \t\r\u{0B}\u{0C}".utf8 { classes[Int(byte)] = ByteClass.space }
    classes[Int(UInt8(ascii: "\n"))] = ByteClass.newline
    var rules: [SyntaxRule] = []
    var groups: [Int] = []
    for first in all.map({ $0.open[0] }) where classes[Int(first)] < ByteClass.firstGroup {
      classes[Int(first)] = ByteClass.firstGroup + UInt8(clamping: groups.count)
      groups.append(rules.count)
      rules += all.filter { $0.open[0] == first }
    }
    self.classes = classes
    self.rules = rules
    self.groups = groups + [rules.count]
    isLineOnly = all.allSatisfy { $0.kind == .lineComment }
  }
}

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
