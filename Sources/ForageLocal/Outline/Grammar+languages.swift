extension Grammar {
  private static let all: [String: Grammar] = {
    var all: [String: Grammar] = [:]
    for language in Language.allCases { all[language.rawValue] = make(language) }
    return all
  }()

  /// The grammar of a language, if it is known.
  static func named(_ name: String) -> Grammar? { all[name] }

  private static let quote = Quote(byte: Mark.quote)
  private static let apostrophe = Quote(byte: Mark.apostrophe)
  private static let slashes: Features = [.slashLineComments, .slashBlockComments]

  private static func quote(
    _ byte: UInt8, _ interpolation: StringForm.Interpolation, triple: StringForm.Escape? = nil,
    spansLines: Bool = false,
    escape: StringForm.Escape = .backslash
  ) -> Quote {
    Quote(
      byte: byte, escape: escape, spansLines: spansLines, interpolation: interpolation, tripleEscape: triple)
  }

  private static func make(_ language: Language) -> Grammar {
    switch language {
    case .c, .objectiveC:
      Grammar(
        language, [slashes, .preprocessor, .lineContinuation, .apostropheInNumbers, .dollarInWords],
        [quote, apostrophe])
    case .cpp:
      Grammar(
        language, [slashes, .preprocessor, .lineContinuation, .apostropheInNumbers, .delimitedRawStrings],
        [quote, apostrophe])
    case .cSharp:
      Grammar(
        language, [slashes, .preprocessor, .cSharpStrings],
        [quote(Mark.quote, .none, triple: StringForm.Escape.none), apostrophe])
    case .java:
      Grammar(
        language, [slashes, .dollarInWords], [quote(Mark.quote, .none, triple: .backslash), apostrophe])
    case .dart:
      Grammar(
        language, [slashes, .nestedComments, .dollarInWords, .rawPrefix],
        [
          quote(Mark.quote, .dollarBrace, triple: .backslash),
          quote(Mark.apostrophe, .dollarBrace, triple: .backslash),
        ])
    case .swift:
      Grammar(
        language, [slashes, .nestedComments, .conditionalLines, .hashStrings, .backtickNames],
        [quote(Mark.quote, .backslashParenthesis, triple: .backslash)])
    case .kotlin:
      Grammar(
        language, [slashes, .nestedComments, .backtickNames],
        [quote(Mark.quote, .dollarBrace, triple: StringForm.Escape.none), apostrophe])
    case .scala:
      Grammar(
        language, [slashes, .nestedComments, .backtickNames, .scalaPrefixes, .lifetimes],
        [quote(Mark.quote, .none, triple: StringForm.Escape.none)])
    case .rust:
      Grammar(
        language, [slashes, .nestedComments, .lifetimes, .rustRawStrings],
        [quote(Mark.quote, .none, spansLines: true)])
    case .go:
      Grammar(
        language, slashes,
        [quote, apostrophe, quote(Mark.backtick, .none, spansLines: true, escape: .none)])
    case .php:
      Grammar(
        language, [slashes, .hashComments, .phpHeredocs, .insideHTML],
        [
          quote(Mark.quote, .braceDollar, spansLines: true), quote(Mark.apostrophe, .none, spansLines: true),
          quote(Mark.backtick, .braceDollar, spansLines: true),
        ])
    case .javaScript, .tsx:
      Grammar(language, [slashes, .dollarInWords, .regularExpressions, .jsx], scriptQuotes)
    case .typeScript:
      Grammar(language, [slashes, .dollarInWords, .regularExpressions], scriptQuotes)
    default: makeOfLines(language)
    }
  }

  private static let scriptQuotes = [
    quote, apostrophe, quote(Mark.backtick, .dollarBrace, spansLines: true),
  ]

  private static func makeOfLines(_ language: Language) -> Grammar {
    switch language {
    case .python:
      Grammar(
        language, [.hashComments, .pythonPrefixes, .lineContinuation],
        [quote(Mark.quote, .none, triple: .backslash), quote(Mark.apostrophe, .none, triple: .backslash)])
    case .ruby:
      Grammar(
        language,
        [
          .hashComments, .rubyHeredocs, .percentLiterals, .regularExpressions, .equalsBlocks,
          .questionInWords,
          .lineContinuation,
        ],
        [
          quote(Mark.quote, .hashBrace, spansLines: true), quote(Mark.apostrophe, .none, spansLines: true),
          quote(Mark.backtick, .hashBrace, spansLines: true),
        ])
    case .lua:
      Grammar(language, [.dashComments, .longBrackets, .lineContinuation], [quote, apostrophe])
    case .perl:
      Grammar(
        language, [.hashComments, .perlHeredocs, .quoteOperators, .regularExpressions, .equalsBlocks],
        [
          quote(Mark.quote, .perl, spansLines: true), quote(Mark.apostrophe, .none, spansLines: true),
          quote(Mark.backtick, .perl, spansLines: true),
        ])
    case .shell:
      Grammar(
        language, [.hashComments, .shellHeredocs, .shell, .dashInWords, .lineContinuation],
        [
          quote(Mark.quote, .shell, spansLines: true),
          quote(Mark.apostrophe, .none, spansLines: true, escape: .none),
        ])
    case .sql:
      Grammar(
        language,
        [.dashComments, .slashBlockComments, .quotedNames, .backtickNames, .dollarQuotes, .ignoresCase],
        [quote(Mark.apostrophe, .none, spansLines: true, escape: .doubled)])
    case .css:
      Grammar(language, [.slashBlockComments, .dashInWords], [quote, apostrophe])
    default:
      Grammar(language, [slashes, .dashInWords], [quote, apostrophe])
    }
  }
}
