/// Families of languages with the same comments and strings, each compiled on first use.
extension CommentSyntax {
  // MARK: Pieces

  private static let slashes: [SyntaxRule] = [.line("//"), .block("/*", "*/")]
  private static let nestedSlashes: [SyntaxRule] = [.line("//"), .nested("/*", "*/")]
  private static let shortQuotes: [SyntaxRule] = [.string("\""), .string("'")]
  private static let longQuotes: [SyntaxRule] = [.text("\""), .text("'")]
  private static let xmlComment: SyntaxRule = .block("<!--", "-->")

  // MARK: Like C

  /// `//` and `/* */` comments, strings that end with the line.
  static let c = CommentSyntax(
    slashes + [
      .special(.cppRaw, "\"", .afterR), .string("\""), .special(.characters, "'"),
    ])
  static let slashFamily = CommentSyntax(slashes + [.string("\""), .special(.characters, "'")])
  static let nestedSlashFamily = CommentSyntax(nestedSlashes + [.string("\""), .special(.characters, "'")])
  static let java = CommentSyntax(slashes + [.text("\"\"\""), .string("\""), .special(.characters, "'")])
  static let cSharp = CommentSyntax(
    slashes + [
      .raw("@\"", "\""), .raw("@$\"", "\""), .special(.quoteRun, "\"\"\""), .string("\""),
      .special(.characters, "'"),
    ])
  static let go = CommentSyntax(slashes + [.raw("`"), .string("\""), .special(.characters, "'")])
  static let css = CommentSyntax([.block("/*", "*/")] + shortQuotes)
  static let scss = CommentSyntax(slashes + shortQuotes)
  static let verilog = CommentSyntax(slashes + [.string("\"")])
  static let rust = CommentSyntax(
    nestedSlashes + [
      .special(.rustRaw, "#", .afterR), .special(.rustRaw, "\"", .afterR), .text("\""),
      .special(.character, "'"),
    ])
  static let swift = CommentSyntax(
    nestedSlashes + [
      .special(.swiftRaw, "#"), .text("\"\"\"", interpolation: "\\("), .string("\"", interpolation: "\\("),
    ])
  static let kotlin = CommentSyntax(
    nestedSlashes + [
      .raw("\"\"\""), .string("\"", interpolation: "${"), .special(.character, "'"),
    ])
  static let scala = CommentSyntax(
    nestedSlashes + [.raw("\"\"\""), .string("\""), .special(.character, "'")])
  static let dart = CommentSyntax(
    nestedSlashes + [
      .text("\"\"\"", interpolation: "${"), .text("'''", interpolation: "${"),
      .string("\"", interpolation: "${"), .string("'", interpolation: "${"),
    ])
  static let groovy = CommentSyntax(
    slashes + [.text("\"\"\""), .text("'''"), .string("\"", interpolation: "${"), .string("'")])
  static let d = CommentSyntax(
    slashes + [
      .nested("/+", "+/"), .raw("`"),
      SyntaxRule(kind: .string, open: "\"", close: "\"", condition: .afterR, isMultiline: true), .text("\""),
      .special(.characters, "'"),
    ])
  static let zig = CommentSyntax([
    .line("//"), .special(.skipLine, "\\\\"), .string("\""), .special(.characters, "'"),
  ])

  private static let script: [SyntaxRule] =
    slashes + [.text("`", interpolation: "${"), .string("\""), .string("'"), .special(.regex, "/")]
  static let javaScript = CommentSyntax(script + [.line("#!", .columnZero)])

  // MARK: With a number sign

  static let hash = CommentSyntax([.line("#")])
  static let hashStrings = CommentSyntax([.line("#")] + longQuotes)
  static let python = CommentSyntax([
    .line("#"), .text("\"\"\"", isDocumentation: true), .text("'''", isDocumentation: true), .string("\""),
    .string("'"), .special(.openBracket, "("), .special(.closeBracket, ")"), .special(.openBracket, "["),
    .special(.closeBracket, "]"), .special(.openBracket, "{"), .special(.closeBracket, "}"),
  ])
  static let tripleHash = CommentSyntax([.line("#"), .text("\"\"\""), .text("'''")] + shortQuotes)
  static let toml = CommentSyntax([
    .line("#"), .text("\"\"\""), .raw("'''"), .string("\""), .raw("'", isMultiline: false),
  ])
  static let shell = CommentSyntax([
    .line("#", .wordStart), .skip("\\", and: "?"), .skip("$#"),
    SyntaxRule(kind: .heredoc, open: "<<", close: "", isMultiline: true), .text("$'", "'"),
    .text("\"", interpolation: "$("), .raw("'"),
  ])
  static let nushell = CommentSyntax([
    .line("#", .wordStart), .raw("r#'", "'#"), .text("$\"", "\"", interpolation: "("), .text("\""),
    SyntaxRule(kind: .string, open: "$'", close: "'", isMultiline: true, interpolation: "("), .raw("'"),
    .raw("`"),
  ])
  static let fish = CommentSyntax([.line("#", .wordStart), .skip("\\", and: "?")] + longQuotes)
  static let perl = CommentSyntax(
    [
      SyntaxRule(
        kind: .commentLines, open: "=", close: "=cut", condition: [.columnZero, .letterAfter]),
      .line("#", .wordStart), .skip("\\", and: "?"), .skip("$", and: "?"), .special(.heredoc, "<<"),
    ] + shortQuotes)
  static let raku = CommentSyntax(
    [
      SyntaxRule(
        kind: .commentLines, open: "=begin", close: "=end", condition: [.columnZero, .wordEnd]),
      .block("#`(", ")"), .block("#`{", "}"), .block("#`[", "]"), .line("#", .wordStart),
      .skip("\\", and: "?"),
    ] + shortQuotes)
  static let ruby = CommentSyntax([
    SyntaxRule(
      kind: .commentLines, open: "=begin", close: "=end", condition: [.columnZero, .wordEnd]),
    .line("#", .wordStart), .skip("?\""), .skip("?'"), .skip("\\", and: "?"), .special(.heredoc, "<<"),
    .string("\"", interpolation: "#{"), .string("'"), .special(.regex, "/"),
  ])
  static let elixir = CommentSyntax([
    .line("#"), .text("\"\"\""), .text("'''"), .skip("?\""), .skip("?'"), .skip("?#"), .skip("?\\", and: "?"),
    .text("\"", interpolation: "#{"), .text("'", interpolation: "#{"),
  ])
  static let coffeeScript = CommentSyntax([
    .block("###", "###"), .line("#"), .text("\"\"\""), .text("'''"), .text("\"", interpolation: "#{"),
    .text("'"),
  ])
  static let julia = CommentSyntax([
    .nested("#=", "=#"), .line("#"), .text("\"\"\"", isDocumentation: true), .text("\""),
    .special(.character, "'"),
  ])
  static let nim = CommentSyntax([
    .nested("##[", "]##"), .nested("#[", "]#"), .line("#"), .raw("\"\"\""),
    SyntaxRule(kind: .string, open: "\"", close: "\"", condition: .afterR),
    .string("\""), .special(.characters, "'"),
  ])
  static let cmake = CommentSyntax([
    .special(.longComment, "#"), .special(.longString, "["), .skip("\\", and: "?"), .text("\""),
  ])
  static let powerShell = CommentSyntax([
    .block("<#", "#>"), .line("#", .wordStart), .skip("`", and: "?"), .raw("@\"", "\"@"), .raw("@'", "'@"),
    SyntaxRule(
      kind: .string, open: "\"", close: "\"", escape: UInt8(ascii: "`"), isMultiline: true,
      interpolation: "$("), .raw("'"),
  ])
  static let terraform = CommentSyntax(
    [.line("#")] + slashes + [.special(.heredoc, "<<"), .string("\"", interpolation: "${")])
  static let nix = CommentSyntax([
    .line("#"), .block("/*", "*/"),
    SyntaxRule(
      kind: .string, open: "''", close: "''", isMultiline: true, interpolation: "${", notClosing: "'$\\"),
    .text("\"", interpolation: "${"),
  ])
  static let ini = CommentSyntax([.line(";"), .line("#")])
  static let properties = CommentSyntax([.line("#"), .line("!")])
  static let hashAndSlashes = CommentSyntax([.line("#")] + slashes + shortQuotes)
  static let graphQL = CommentSyntax([.line("#"), .text("\"\"\"", isDocumentation: true), .string("\"")])
  static let sql = CommentSyntax([.line("--"), .block("/*", "*/"), .raw("\"", isMultiline: false), .raw("'")])
  static let cql = CommentSyntax([.line("--")] + slashes + [.raw("'")])

  // MARK: With dashes, semicolons, per cent signs

  static let lua = CommentSyntax([
    .special(.longComment, "--"), .special(.longString, "["), .string("\""), .string("'"),
  ])
  static let haskell = CommentSyntax([
    .nested("{-", "-}"), .line("--", .noOperator), .string("\""), .special(.character, "'", .notInWord),
  ])
  static let elm = CommentSyntax([
    .nested("{-", "-}"), .line("--"), .text("\"\"\""), .string("\""), .special(.character, "'", .notInWord),
  ])
  static let idris = CommentSyntax([
    .nested("{-", "-}"), .line("|||"), .line("--", .noOperator), .text("\"\"\""), .string("\""),
    .special(.character, "'", .notInWord),
  ])
  static let lean = CommentSyntax([
    .nested("/-", "-/"), .line("--"), .text("\""), .special(.character, "'", .notInWord),
  ])
  static let dashes = CommentSyntax([.line("--")])
  static let vhdl = CommentSyntax([
    .line("--"), .block("/*", "*/"), .raw("\"", isMultiline: false), .special(.character, "'"),
  ])
  static let appleScript = CommentSyntax([.nested("(*", "*)"), .line("--"), .line("#"), .text("\"")])
  static let lisp = CommentSyntax([
    .line(";"), .nested("#|", "|#"), .skip("\\", and: "?"), .text("\""),
  ])
  static let emacsLisp = CommentSyntax([
    .line(";"), .skip("?\\", and: "?"), .skip("?\""), .skip("?;"), .skip("\\", and: "?"), .text("\""),
  ])
  static let clojure = CommentSyntax([.line(";"), .skip("\\", and: "?"), .text("\"")])
  static let webAssembly = CommentSyntax([.line(";;"), .nested("(;", ";)"), .string("\"")])
  static let assembly = CommentSyntax([
    .line(";"), .line("//"), .block("/*", "*/"), .line("#", [.firstOnLine, .noDirective]),
    .line("@", [.firstOnLine, .noLetterAfter]), .string("\""), .special(.character, "'"),
  ])
  static let semicolon = CommentSyntax([.line(";")])
  static let erlang = CommentSyntax([
    .line("%"), .skip("$\\", and: "?"), .skip("$", and: "?"), .text("\"\"\""), .text("\""), .string("'"),
  ])
  static let prolog = CommentSyntax([
    .line("%"), .block("/*", "*/"), .skip("0'\\", and: "?"), .skip("0'", and: "?"), .text("\""), .string("'"),
  ])
  static let percent = CommentSyntax([.line("%")])
  static let tex = CommentSyntax([
    .block("\\begin{comment}", "\\end{comment}"), .skip("\\", and: "?"), .line("%"),
  ])
  static let matlab = CommentSyntax([
    .nested("%{", "%}", [.firstOnLine, .lastOnLine]), .nested("#{", "#}", [.firstOnLine, .lastOnLine]),
    .line("%", .firstOnLine), .line("#", .firstOnLine),
  ])

  // MARK: ML, Pascal, BASIC and others

  static let ml = CommentSyntax([.nested("(*", "*)"), .text("\""), .special(.character, "'", .notInWord)])
  static let fSharp = CommentSyntax([
    .skip("(*)"), .nested("(*", "*)"), .line("//"), .raw("\"\"\""), .raw("@\"", "\""), .text("\""),
    .special(.character, "'", .notInWord),
  ])
  static let ats = CommentSyntax(
    slashes + [.nested("(*", "*)"), .text("\""), .special(.character, "'", .notInWord)])
  static let pascal = CommentSyntax([
    .line("//"), .skip("{$"), .block("{", "}"), .block("(*", "*)"), .raw("'", isMultiline: false),
  ])
  static let modula = CommentSyntax([
    .nested("(*", "*)"), .raw("\"", isMultiline: false), .raw("'", isMultiline: false),
  ])
  static let fortran = CommentSyntax([
    .line("!"), .line("*", .columnZero), .line("c", [.columnZero, .wordEnd, .anyCase]),
  ])
  static let cobol = CommentSyntax([.line("*", .columnSix), .line("/", .columnSix), .line("*>")])
  static let basic = CommentSyntax([.line("'"), .line("rem", [.firstOnLine, .wordEnd, .anyCase])])
  static let batch = CommentSyntax([
    .line("::"), .line("rem", [.firstOnLine, .wordEnd, .anyCase]),
    .line("@rem", [.firstOnLine, .wordEnd, .anyCase]),
  ])
  static let vim = CommentSyntax([.line("\""), .line("#", .noLetterAfter)])
  static let autoHotkey = CommentSyntax([
    .line(";", .wordStart), .block("/*", "*/", .firstOnLine), .raw("\"", isMultiline: false),
  ])
  static let roff = CommentSyntax([.line(".\\\""), .line("'\\\""), .line(".\\#"), .line("\\\"")])
  static let m4 = CommentSyntax([.line("dnl", [.wordStart, .wordEnd]), .line("#", .wordStart)])
  static let forth = CommentSyntax([.line("\\ ", .wordStart), .block("( ", ")", .wordStart)])
  static let smalltalk = CommentSyntax([.block("\"", "\""), .raw("'")])
  static let apl = CommentSyntax([.line("⍝"), .line("#!", .columnZero)])
  static let stata = CommentSyntax([.line("*", .firstOnLine), .line("//"), .block("/*", "*/")])
  static let sas = CommentSyntax([
    .block("/*", "*/"), .block("*", ";", .firstOnLine), .raw("\"", isMultiline: false),
    .raw("'", isMultiline: false),
  ])

  // MARK: Markup

  static let xml = CommentSyntax([xmlComment, .raw("<![CDATA[", "]]>")])
  private static let htmlText: [SyntaxRule] = [
    xmlComment, .block("<%#", "%>"), .block("<%--", "--%>"),
    SyntaxRule(kind: .enter, open: "<script", close: "", condition: [.anyCase, .wordEnd], grammar: 1),
    SyntaxRule(kind: .enter, open: "<style", close: "", condition: [.anyCase, .wordEnd], grammar: 2),
  ]
  private static let htmlScript: [SyntaxRule] =
    [.special(.leave, "</script", .anyCase), .line("<!--")] + script
  private static let htmlStyle: [SyntaxRule] =
    [.special(.leave, "</style", .anyCase), .block("/*", "*/")] + shortQuotes

  static let html = CommentSyntax([htmlText, htmlScript, htmlStyle], leaving: "</script")
  /// Astro: a script between two lines of dashes precedes the markup.
  static let astro = CommentSyntax(
    [
      htmlText + [SyntaxRule(kind: .enter, open: "---", close: "", condition: .columnZero, grammar: 1)],
      [.special(.leave, "---", .columnZero)] + htmlScript, htmlStyle,
    ], leaving: "</script")
  static let freeMarker = CommentSyntax([xmlComment, .block("<#--", "-->")])
  static let smarty = CommentSyntax([xmlComment, .block("{*", "*}")])
  static let handlebars = CommentSyntax([
    xmlComment, .block("{{!--", "--}}"), .block("{{!", "}}"), .block("{{--", "--}}"),
  ])
  static let jinja = CommentSyntax([xmlComment, .block("{#", "#}")])
  static let goTemplate = CommentSyntax([xmlComment, .block("{{/*", "*/}}"), .block("{{- /*", "*/ -}}")])
  static let liquid = CommentSyntax([
    xmlComment, .block("{% comment %}", "{% endcomment %}"), .block("{%- comment -%}", "{%- endcomment -%}"),
  ])
  static let razor = CommentSyntax([xmlComment, .block("@*", "*@")])
  static let php = CommentSyntax(
    [
      [
        xmlComment, SyntaxRule(kind: .enter, open: "<?php", close: "", condition: .anyCase, grammar: 1),
        SyntaxRule(kind: .enter, open: "<?=", close: "", grammar: 1),
      ],
      slashes + [
        .special(.leave, "?>"), .line("#", .noBracketAfter),
        SyntaxRule(kind: .heredoc, open: "<<<", close: "", isMultiline: true), .text("\""), .text("'"),
      ],
    ], leaving: "?>")
  static let hack = CommentSyntax(
    slashes + [
      .line("#"), SyntaxRule(kind: .heredoc, open: "<<<", close: "", isMultiline: true), .text("\""),
      .text("'"),
    ])
  static let pug = CommentSyntax([.line("//")])
  static let haml = CommentSyntax([.line("-#", .firstOnLine), .line("/", .firstOnLine)])

  // MARK: None

  /// A syntax without comments: every line that is not blank is code.
  package static let plain = CommentSyntax([[]])
}
