/// How a string that has been opened goes on and ends.
struct StringForm: Sendable {
  enum Escape: UInt8, Sendable { case none, backslash, doubled }

  /// What in a string is code again.
  enum Interpolation: UInt8, Sendable {
    case none
    /// `\(…)`
    case backslashParenthesis
    /// `${…}`
    case dollarBrace
    /// `#{…}`
    case hashBrace
    /// `{…}`, and `{{` is a brace.
    case brace
    /// `{$…}`, `${…}` and `$name`
    case braceDollar
    /// `$(…)`, `` `…` ``, `${…}` and `$name`
    case shell
    /// `${…}`, `@{…}`, `$name` and `@name`
    case perl
    /// `$name`, as the regular expressions of Perl have it.
    case perlName
    /// `{name}` and `{name:…}`, as the formats of Rust have it.
    case name
  }

  enum Ending: UInt8, Sendable {
    /// `closeCount` times the byte `close`, and `hashes` times `#` behind it.
    case quote
    /// A line that has nothing but the delimiter, maybe indented.
    case line
    /// `)`, the delimiter, `"`
    case rawDelimiter
    /// The delimiter itself.
    case delimiter
    /// `]`, `hashes` times `=`, `]`
    case longBracket
    /// The tags and the text of an element of JSX.
    case element
  }

  var ending = Ending.quote
  var close = Mark.quote
  var closeCount = 1
  var hashes = 0
  /// An opening bracket that nests in the string, or 0.
  var nested: UInt8 = 0
  var escape = Escape.backslash
  var interpolation = Interpolation.none
  /// The braces that open an interpolation of `brace`.
  var braces = 1
  var spansLines = false
  /// Where in the text the delimiter is.
  var delimiterStart = 0
  var delimiterEnd = 0
  /// Blanks may be before the delimiter on its line.
  var isIndented = false
  /// The brackets that are open in the string, or the elements of JSX.
  var depth = 0
  /// For JSX: between `<` and `>`.
  var isInTag = false
  /// A second part follows behind the first one, as in `s/…/…/`.
  var hasSecondPart = false
}

/// A string with an interpolation whose code is being read.
struct StringFrame {
  var form: StringForm
  /// Where the string began.
  var start: Int
  /// The bracket that ends the interpolation, and how many of its kind are open in it.
  var closer: UInt8
  var opener: UInt8
  var depth: Int
  var wasFirstOnLine: Bool
}
