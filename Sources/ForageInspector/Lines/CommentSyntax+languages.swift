extension CommentSyntax {
  /// Returns the syntax of a language by its name on GitHub; nil if it is unknown.
  package static func of(language name: String) -> CommentSyntax? { byLanguage[name].map(CommentSyntax.init) }

  private static let byLanguage = [String: [SyntaxRule]](
    uniqueKeysWithValues: families.flatMap { family in
      family.names.split { $0 == "|" || $0 == "\n" }.map { (String($0), family.rules) }
    })

  /// Languages with the same comments and strings.
  private struct Family {
    /// The names, separated by bars and line feeds.
    let names: String
    let rules: [SyntaxRule]

    init(_ names: String, _ rules: [SyntaxRule]...) {
      self.names = names
      self.rules = rules.flatMap(\.self)
    }
  }

  // MARK: Pieces

  private static let slashes: [SyntaxRule] = [.line("//"), .block("/*", "*/")]
  private static let nestedSlashes: [SyntaxRule] = [.line("//"), .nested("/*", "*/")]
  private static let hash: [SyntaxRule] = [.line("#")]
  private static let quotes: [SyntaxRule] = [.string("\""), .string("'")]
  private static let cQuotes: [SyntaxRule] = [.string("\""), .character]
  private static let longQuotes: [SyntaxRule] = [.text("\"\"\""), .text("'''")]
  private static let xml: [SyntaxRule] = [.block("<!--", "-->")]
  /// A script of JavaScript; a backslash outside a string is in a regular expression (`/\/*$/`).
  private static let script: [SyntaxRule] = slashes + [.text("`"), .code("\\")] + quotes

  /// The table. A string within a line matters only where it can hide what spans lines, so languages without
  /// such constructs have no strings here.
  private static let families = [
    // Like C.
    Family(
      """
      C|C++|Cuda|CWeb|Filterscript|HIP|ISPC|Linker Script|Logos|Metal|nesC|Objective-C|Objective-C++|OpenCL
      Pro*C|RenderScript|Unified Parallel C|XS
      """, slashes, [.raw("R\"(", ")\"")], cQuotes),
    Family(
      """
      1C Enterprise|ActionScript|AGS Script|AIDL|Aiken|AL|Alloy|AngelScript|ANTLR|Apex|ASL|AspectJ|Asymptote
      Avro IDL|Ballerina|BAML|Beef|Bicep|Bison|Blueprint|Bluespec|Boogie|C3|Cadence|Cairo|Cairo Zero|CAP CDS
      Cap'n Proto|CartoCSS|Ceylon|ChucK|Circom|Click|Closure Templates|CodeQL|CUE|Cycript|Cypher|Dafny
      DataWeave|DM|Dogescript|DTrace|eC|Ecere Projects|ECL|Fantom|Faust|FIRRTL|FlatBuffers|Flix|FPP
      Game Maker Language|GAML|GDShader|Gleam|GLSL|Gno|Gosu|GSC|Haxe|HLSL|HolyC|IL Assembly|ImageJ Macro
      JASS|JFlex|Jison|Jison Lex|Jolie|JSON with Comments|JSON5|Jsonnet|KerboScript|KFramework|Langium|Lex
      Lobster|LSL|Mask|MiniD|Mint|MLIR|Modelica|Monkey C|MoonBit|Motoko|Move|MQL4|MQL5|NetLinx|Noir|NWScript
      Objective-J|OMNeT++ MSG|OMNeT++ NED|ooc|Opal|OpenQASM|OpenSCAD|P4|Pawn|PEG.js|Pike|POV-Ray SDL
      PowerBuilder|Processing|Promela|Protocol Buffer|Q#|Qt Script|QuakeC|Quint|Ragel|Rascal|Redscript
      ReScript|Sail|ShaderLab|Slang|Slice|Slint|Smithy|Solidity|SourcePawn|SQF|Squirrel|Stan|StringTemplate
      SuperCollider|Sway|SWIG|Tact|templ|Thrift|TL-Verilog|TypeSpec|Typst|Uno|UnrealScript|Vala|VCL|Volt
      WebIDL|Whiley|Witcher Script|Wollok|Wren|X10|XC|Xojo|Xtend|Yacc|YARA|Yul|ZenScript|Zephir
      """, slashes, cQuotes),
    Family(
      "Cangjie|Carbon|Chapel|Hare|Jai|Koka|Odin|Pkl|Pony|Reason|ReasonLIGO|V|WGSL", nestedSlashes, cQuotes),
    Family("Java|Java Server Pages|Java Template Engine", slashes, [.text("\"\"\"")], cQuotes),
    Family("Kotlin|Nextflow|Scala", nestedSlashes, [.raw("\"\"\"")], cQuotes),
    Family("C#", slashes, [.raw("\"\"\""), .raw("@\"", "\""), .raw("@$\"", "\"")], cQuotes),
    Family("Go|Go Checksums|Go Module|Go Workspace", slashes, [.raw("`")], cQuotes),
    Family("Less|Sass|SCSS|Stylus|SugarSS", slashes, quotes),
    Family("CSS|PostCSS", [.block("/*", "*/")], quotes),
    Family("SystemVerilog|Verilog", slashes, [.string("\"")]),
    Family(
      "RON|Rust", nestedSlashes,
      [.raw("r##\"", "\"##"), .raw("r#\"", "\"#"), .raw("r\"", "\""), .text("\""), .character]),
    Family(
      "Swift", nestedSlashes,
      [.raw("#\"\"\"", "\"\"\"#"), .raw("##\"", "\"##"), .raw("#\"", "\"#"), .text("\"\"\""), .string("\"")]),
    Family("Dart", nestedSlashes, longQuotes, quotes),
    Family("Gradle|Groovy|Groovy Server Pages", slashes, longQuotes, quotes),
    Family("D", slashes, [.nested("/+", "+/"), .raw("`"), .raw("r\"", "\""), .text("\""), .character]),
    Family("Zig", [.line("//")]),
    Family("Glimmer JS|Glimmer TS|JavaScript|JavaScript+ERB|QML|TSX|TypeScript", script),
    // With a number sign.
    Family(
      """
      Alpine Abuild|AMPL|ApacheConf|Awk|Berry|BitBake|Boo|Browserslist|Caddyfile|CODEOWNERS
      Common Workflow Language|cURL Config|Cylc|desktop|Dockerfile|Dotenv|Earthly|Elvish|Elvish Transcript
      Filebench WML|fish|Fluent|GAP|GDB|Gentoo Ebuild|Gentoo Eclass|Gherkin|Git Attributes|Git Config
      Git Revision List|GN|Gnuplot|Hosts File|Hurl|Ignore List|Janet|jq|Julia REPL|Just|KakouneScript|KCL
      kvlang|Limbo|LiveScript|Makefile|mcfunction|MiniScript|Nearley|Nginx|Nickel|Ninja|Nu|Nushell
      OpenRC runscript|Option List|Pip Requirements|Polar|Procfile|Puppet|QMake|R|RAML|Readline Config|Ring|RobotFramework
      Roc|RouterOS Script|RPM Spec|Salt|sed|Shell|Singularity|Smali|SPARQL|SSH Config|Talon|Tcl|Tcsh|Turtle|WDL
      Wget Config|YAML|Zeek|Zimpl
      """, hash),
    Family(
      """
      Cython|Easybuild|GDScript|Genie|Jac|Mojo|NumPy|Python|Python console|Ren'Py|Sage|Scenic|Snakemake
      Starlark|Vyper|Xonsh
      """, hash,
      [
        .block("\"\"\"", "\"\"\"", .statement), .block("r\"\"\"", "\"\"\"", .statement),
        .block("'''", "'''", .statement),
      ], longQuotes, quotes),
    Family("Meson", hash, longQuotes, quotes),
    Family(
      "TOML", hash, [.text("\"\"\""), .raw("'''"), .string("\""), .raw("'", spansLines: false)]),
    Family("Crystal|Mirah|Ruby", hash, [.block("=begin", "=end", .firstColumn)]),
    Family(
      "Perl", hash,
      ["=pod", "=head", "=over", "=item", "=back", "=begin", "=end", "=for", "=encoding"].map {
        .block($0, "=cut", .firstColumn)
      }),
    Family(
      "Raku", [.block("#`(", ")"), .block("#`{", "}"), .block("#`[", "]")], hash,
      [.block("=begin", "=end", .firstColumn)]),
    Family("Elixir", hash, [.code("?")], longQuotes, quotes),
    Family("CoffeeScript", [.block("###", "###")], hash, longQuotes, quotes),
    Family(
      "Julia", [.nested("#=", "=#")], hash,
      [.block("\"\"\"", "\"\"\"", .firstOnLine), .text("\"\"\""), .string("\""), .character]),
    Family("Nim", [.nested("##[", "]##"), .nested("#[", "]#")], hash, [.raw("\"\"\"")], cQuotes),
    Family(
      "CMake", [.block("#[[", "]]"), .block("#[=[", "]=]")], hash, [.raw("[[", "]]"), .raw("[=[", "]=]")]),
    Family(
      "PowerShell", [.block("<#", "#>")], hash,
      [
        .code("`"), .raw("@\"", "\"@"), .raw("@'", "'@"), .string("\"", escape: "`"),
        .raw("'", spansLines: false),
      ]),
    Family("HCL|Terraform Template|HOCON|Io|Open Policy Agent|Sieve", hash, slashes, quotes),
    Family("Nix", hash, [.block("/*", "*/", .firstOnLine)]),
    Family("EditorConfig|INI|Windows Registry Entries", [.line(";")], hash),
    Family("Java Properties", hash, [.line("!")]),
    Family("GraphQL", hash, [.block("\"\"\"", "\"\"\"", .firstOnLine), .text("\"\"\""), .string("\"")]),
    // With dashes, semicolons, per cent signs.
    Family(
      "HiveQL|PLpgSQL|PLSQL|SQL|SQLPL|TSQL",
      [.line("--"), .block("/*", "*/"), .raw("\"", spansLines: false), .raw("'")]),
    Family("CQL", [.line("--")], slashes, [.raw("'")]),
    Family(
      "Clue|Lua|Luau|MoonScript|Teal|Terra|Xmake",
      [
        .block("--[[", "]]"), .block("--[=[", "]=]"), .block("--[==[", "]==]"), .line("--"), .raw("[[", "]]"),
        .raw("[=[", "]=]"), .raw("[==[", "]==]"),
      ], quotes),
    Family(
      "Agda|Bluespec BH|C2hs Haskell|Cabal Config|Curry|Dhall|Elm|Frege|Haskell|PureScript",
      [.nested("{-", "-}"), .line("--"), .text("\"\"\"")], cQuotes),
    Family("Idris", [.nested("{-", "-}"), .line("|||"), .line("--"), .text("\"\"\"")], cQuotes),
    Family("Lean|Lean 4", [.nested("/-", "-/"), .line("--")], cQuotes),
    Family("Ada|Eiffel|Euphoria|Futhark|Grammatical Framework|Isabelle ROOT|SurrealQL", [.line("--")]),
    Family("VHDL", [.line("--"), .block("/*", "*/")], cQuotes),
    Family("AppleScript", [.nested("(*", "*)"), .line("--")], hash, [.string("\"")]),
    Family(
      "Common Lisp|Dune|Fennel|Hy|LFE|NewLisp|Racket|Scheme|Shen|ZIL",
      [.line(";"), .nested("#|", "|#"), .code("\\"), .text("\"")]),
    Family("Clojure|edn|Emacs Lisp", [.line(";"), .code("\\"), .text("\"")]),
    Family("WebAssembly", [.line(";;"), .nested("(;", ";)"), .string("\"")]),
    Family(
      "Apollo Guidance Computer|Assembly|Motorola 68K Assembly|Unix Assembly",
      ["#define", "#include", "#if", "#el", "#end", "#undef", "#error", "#pragma"].map { .code($0) },
      [.line(";"), .line("#", .firstOnLine), .line("@", .firstOnLine)], slashes, cQuotes),
    Family(
      """
      AutoIt|BlitzBasic|CLIPS|Csound|Csound Score|IDL|Inno Setup|Jasmin|LLVM|MeTTa|Papyrus|PDDL|Pep8
      PureBasic|Rebol|Red|Redcode|SMT|Tree-sitter Query|wisp|ZAP
      """, [.line(";")]),
    Family("AutoHotkey", [.line(";"), .block("/*", "*/", .firstOnLine)]),
    Family("Erlang", [.line("%"), .code("$"), .text("\"")]),
    Family(
      "ECLiPSe|Logtalk|Mercury|Prolog",
      [.line("%"), .block("/*", "*/"), .code("0'"), .string("\""), .string("'")]),
    Family("Answer Set Programming|LilyPond|MiniZinc|PostScript", [.line("%")]),
    Family("BibTeX|TeX", [.block("\\begin{comment}", "\\end{comment}"), .code("\\"), .line("%")]),
    Family(
      "MATLAB", [.nested("%{", "%}", .firstOnLine), .nested("#{", "#}", .firstOnLine), .line("%")], hash),
    // ML, Pascal, BASIC and others.
    Family(
      "F*|Isabelle|Lambdapi|LigoLANG|OCaml|Rocq Prover|Standard ML|UrWeb|Wolfram Language",
      [.nested("(*", "*)"), .text("\""), .character]),
    Family(
      "F#",
      [
        .code("(*)"), .nested("(*", "*)"), .line("//"), .raw("\"\"\""), .raw("@\"", "\""), .text("\""),
        .character,
      ]
    ),
    Family("ATS", slashes, [.nested("(*", "*)"), .text("\""), .character]),
    Family(
      "Oxygene|Pascal",
      [.line("//"), .code("{$"), .block("{", "}"), .block("(*", "*)"), .raw("'", spansLines: false)]),
    Family(
      "Component Pascal|Modula-2|Modula-3|Oberon",
      [.nested("(*", "*)"), .raw("\"", spansLines: false), .raw("'", spansLines: false)]),
    Family(
      "Fortran",
      [.line("!"), .line("*", .firstColumn), .line("c", .firstColumn), .line("C", .firstColumn)]),
    Family("Fortran Free Form", [.line("!")]),
    Family("COBOL", [.line("*")]),
    Family(
      """
      B4X|BASIC|BlitzMax|BrighterScript|Brightscript|Classic ASP|FreeBASIC|QuickBASIC|REALbasic|VBA|VBScript
      Visual Basic .NET|Visual Basic 6.0
      """, [.line("'"), .line("rem "), .line("Rem "), .line("REM ")]),
    Family(
      "Batchfile", [.line("::"), .line("rem "), .line("Rem "), .line("REM "), .line("@rem"), .line("@REM")]),
    Family("Vim script|Vim Snippet", [.line("\""), .line("#")]),
    Family("Roff|Roff Manpage", [.line(".\\\""), .line("'\\\""), .line(".\\#"), .line("\\\"")]),
    Family("M4|M4Sugar", hash, [.line("dnl")]),
    Family("Forth", [.line("\\ "), .block("( ", ")")]),
    Family("Smalltalk", [.block("\"", "\""), .raw("'")]),
    Family("APL", [.line("⍝"), .line("#!")]),
    Family("Stata", slashes, [.line("*", .firstOnLine)]),
    Family("SAS", [.block("/*", "*/"), .block("*", ";", .firstOnLine)], quotes),
    // Markup.
    Family(
      """
      Ant Build System|ASP.NET|ColdFusion|Genshi|JetBrains MPS|LabVIEW|Markdown|Maven POM|MDX|SVG
      Web Ontology Language|XML|XML Property List|XPages|XProc|XSLT
      """, xml, [.raw("<![CDATA[", "]]>")]),
    Family(
      """
      Astro|Ecmarkup|Edge|EJS|HTML|HTML+ECR|HTML+EEX|HTML+ERB|HTML+PHP|Kit|Marko|mdsvex|MTML|Riot|Svelte
      Velocity Template Language|Vue
      """, xml,
      [
        .block("<%#", "%>"), .block("<%--", "--%>"), .line("//", .firstOnLine),
        .block("/*", "*/", .firstOnLine),
      ]),
    Family(
      "Blade|Handlebars|Mustache", xml,
      [.block("{{!--", "--}}"), .block("{{!", "}}"), .block("{{--", "--}}")]),
    Family("Jinja|Latte|Nunjucks|Twig", xml, [.block("{#", "#}")]),
    Family("Go Template", xml, [.block("{{/*", "*/}}"), .block("{{- /*", "*/ -}}")]),
    Family(
      "Liquid", xml,
      [.block("{% comment %}", "{% endcomment %}"), .block("{%- comment -%}", "{%- endcomment -%}")]),
    Family("HTML+Razor", xml, [.block("@*", "*@")]),
    Family("FreeMarker", xml, [.block("<#--", "-->")]),
    Family("Smarty", xml, [.block("{*", "*}")]),
    Family("Hack|PHP", xml, slashes, [.code("#[")], hash, quotes),
    Family("Haml|Slim", [.line("-#", .firstOnLine), .line("/", .firstOnLine)]),
    Family("Pug", [.line("//")]),
  ]
}
