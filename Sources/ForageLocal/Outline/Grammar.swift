/// The languages whose definitions are read, named as GitHub Linguist names them.
enum Language: String, CaseIterable, Sendable {
  case c = "C"
  case cpp = "C++"
  case objectiveC = "Objective-C"
  case cSharp = "C#"
  case java = "Java"
  case dart = "Dart"
  case swift = "Swift"
  case kotlin = "Kotlin"
  case scala = "Scala"
  case rust = "Rust"
  case go = "Go"
  case php = "PHP"
  case javaScript = "JavaScript"
  case typeScript = "TypeScript"
  case tsx = "TSX"
  case python = "Python"
  case ruby = "Ruby"
  case lua = "Lua"
  case perl = "Perl"
  case shell = "Shell"
  case sql = "SQL"
  case css = "CSS"
  case scss = "SCSS"
  case less = "Less"
}

/// How the text of a language falls into words, strings and comments: data only, `SourceLexer` acts on it.
struct Grammar: Sendable {
  /// A string between two quotes.
  struct Quote: Sendable {
    var byte: UInt8
    var escape = StringForm.Escape.backslash
    var spansLines = false
    var interpolation = StringForm.Interpolation.none
    /// Three of the quote open a string that spans lines: with which escapes.
    var tripleEscape: StringForm.Escape?
  }

  /// What else a language has that others do not.
  struct Features: OptionSet, Sendable {
    let rawValue: UInt64
    init(rawValue: UInt64) { self.rawValue = rawValue }
    private init(bit: UInt64) { rawValue = 1 << bit }

    static let slashLineComments = Features(bit: 0)
    static let slashBlockComments = Features(bit: 1)
    static let nestedComments = Features(bit: 2)
    static let hashComments = Features(bit: 3)
    static let dashComments = Features(bit: 4)
    /// `#define` and all other lines that begin with `#`.
    static let preprocessor = Features(bit: 5)
    /// `#if … #else … #endif` only.
    static let conditionalLines = Features(bit: 6)
    static let backtickNames = Features(bit: 7)
    /// `"name"` is a name, as in SQL.
    static let quotedNames = Features(bit: 8)
    static let dollarInWords = Features(bit: 9)
    static let dashInWords = Features(bit: 10)
    static let apostropheInNumbers = Features(bit: 11)
    /// `'x'` is a character, but `'x` is not the start of one.
    static let lifetimes = Features(bit: 12)
    /// `R"x(…)x"`
    static let delimitedRawStrings = Features(bit: 13)
    /// `r#"…"#`
    static let rustRawStrings = Features(bit: 14)
    /// `#"…"#`
    static let hashStrings = Features(bit: 15)
    /// `@"…"`, `$"…"` and `"""…"""` of C#.
    static let cSharpStrings = Features(bit: 16)
    /// A word right before a quote has interpolations begin with `$`: `s"…${name}"`.
    static let scalaPrefixes = Features(bit: 17)
    static let pythonPrefixes = Features(bit: 18)
    /// `r'…'` has no escapes.
    static let rawPrefix = Features(bit: 19)
    /// `/…/` where no division can be.
    static let regularExpressions = Features(bit: 20)
    static let jsx = Features(bit: 21)
    static let shellHeredocs = Features(bit: 22)
    static let rubyHeredocs = Features(bit: 23)
    static let perlHeredocs = Features(bit: 24)
    static let phpHeredocs = Features(bit: 25)
    /// `%w[…]`, `%q(…)`, `%(…)`
    static let percentLiterals = Features(bit: 26)
    /// `q{…}`, `qw(…)`, `m/…/`, `s/…/…/`
    static let quoteOperators = Features(bit: 27)
    static let shell = Features(bit: 28)
    static let longBrackets = Features(bit: 29)
    static let dollarQuotes = Features(bit: 30)
    /// `=begin … =end` of Ruby, `=pod … =cut` of Perl.
    static let equalsBlocks = Features(bit: 31)
    /// The code is between `<?php` and `?>`.
    static let insideHTML = Features(bit: 32)
    /// A method's name may end in `?` or `!`.
    static let questionInWords = Features(bit: 33)
    static let ignoresCase = Features(bit: 34)
    /// A backslash at a line's end joins the next line to it.
    static let lineContinuation = Features(bit: 35)
  }

  let language: Language
  let features: Features
  let quotes: [Quote]
  /// What the lexer does at each byte.
  let actions: [ByteAction]
}

/// What a byte of code may begin.
enum ByteAction: UInt8 {
  case punctuation, blank, newline, word, digit
  /// An opening or closing bracket.
  case bracket
  /// Maybe a comment, a string or a directive.
  case special
}

extension Grammar {
  init(_ language: Language, _ features: Features, _ quotes: [Quote]) {
    self.language = language
    self.features = features
    self.quotes = quotes
    var actions = [ByteAction](repeating: .punctuation, count: 256)
    for byte in 0..<256 {
      switch UInt8(byte) {
      case Mark.newline: actions[byte] = .newline
      case 0...32, 127: actions[byte] = .blank
      case UInt8(ascii: "0")...UInt8(ascii: "9"): actions[byte] = .digit
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
        128...255:
        actions[byte] = .word
      case Mark.openParenthesis, Mark.closeParenthesis, Mark.openBracket, Mark.closeBracket, Mark.openBrace,
        Mark.closeBrace:
        actions[byte] = .bracket
      default: break
      }
    }
    for quote in quotes { actions[Int(quote.byte)] = .special }
    let marks: [(Features, UInt8)] = [
      (.slashLineComments, Mark.slash), (.slashBlockComments, Mark.slash), (.hashComments, Mark.hash),
      (.dashComments, Mark.minus), (.preprocessor, Mark.hash), (.conditionalLines, Mark.hash),
      (.backtickNames, Mark.backtick), (.quotedNames, Mark.quote), (.lifetimes, Mark.apostrophe),
      (.hashStrings, Mark.hash), (.cSharpStrings, Mark.at), (.cSharpStrings, Mark.dollar),
      (.regularExpressions, Mark.slash), (.jsx, Mark.less), (.shellHeredocs, Mark.less),
      (.rubyHeredocs, Mark.less),
      (.perlHeredocs, Mark.less), (.phpHeredocs, Mark.less), (.percentLiterals, Mark.percent),
      (.shell, Mark.dollar), (.rubyHeredocs, Mark.dollar), (.dollarQuotes, Mark.hash),
      (.dollarQuotes, Mark.dollar),
      (.equalsBlocks, Mark.equals), (.insideHTML, Mark.question), (.lineContinuation, Mark.backslash),
      (.quoteOperators, Mark.dollar), (.rubyHeredocs, Mark.question), (.shell, Mark.backslash),
      (.shell, Mark.backtick),
    ]
    for (feature, mark) in marks where features.contains(feature) { actions[Int(mark)] = .special }
    if features.contains(.dollarInWords) { actions[Int(Mark.dollar)] = .word }
    self.actions = actions
  }
}
