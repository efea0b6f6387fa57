/// One token of a source text. Comments and blanks give none; a string with all of its interpolations is one
/// token.
struct Token {
  enum Kind: UInt8 {
    case word, number, string, punctuation
  }

  var kind: Kind
  /// The byte of a punctuation mark (always one byte each), 0 for the other kinds.
  var mark: UInt8
  /// Which known word it is, `.none` for all others and for words in backticks.
  var word: Word
  /// No token is before it on its line, and the line before does not continue on this one.
  var isFirstOnLine: Bool
  var start: Int32
  var end: Int32

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// Bytes of marks, as names.
enum Mark {
  static let newline = UInt8(ascii: "\n")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let backtick = UInt8(ascii: "`")
  static let backslash = UInt8(ascii: "\\")
  static let slash = UInt8(ascii: "/")
  static let star = UInt8(ascii: "*")
  static let hash = UInt8(ascii: "#")
  static let dollar = UInt8(ascii: "$")
  static let percent = UInt8(ascii: "%")
  static let at = UInt8(ascii: "@")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let comma = UInt8(ascii: ",")
  static let dot = UInt8(ascii: ".")
  static let equals = UInt8(ascii: "=")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let bar = UInt8(ascii: "|")
  static let ampersand = UInt8(ascii: "&")
  static let tilde = UInt8(ascii: "~")
  static let question = UInt8(ascii: "?")
  static let exclamation = UInt8(ascii: "!")
  static let caret = UInt8(ascii: "^")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")

  /// The bracket that closes an opening one; any other byte closes itself.
  static func closing(_ mark: UInt8) -> UInt8 {
    switch mark {
    case openParenthesis: closeParenthesis
    case openBracket: closeBracket
    case openBrace: closeBrace
    case less: greater
    default: mark
    }
  }
}
