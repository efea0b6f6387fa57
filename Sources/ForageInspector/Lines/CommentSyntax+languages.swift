extension CommentSyntax {
  /// Returns the syntax of a language by its name on GitHub; nil if it is unknown.
  package static func of(language name: String) -> CommentSyntax? { byLanguage[name]?() }

  private typealias Family = @Sendable () -> CommentSyntax

  private static let byLanguage = [String: Family](
    uniqueKeysWithValues: families.flatMap { names, syntax in
      names.split { $0 == "|" || $0 == "\n" }.map { (String($0), syntax) }
    })

  /// The languages of each syntax, separated by bars and line feeds. A syntax is compiled when it is used.
  private static let families: [(names: String, syntax: Family)] = [
    (
      """
      C|C++|Cuda|CWeb|Filterscript|HIP|ISPC|Linker Script|Logos|Metal|nesC|Objective-C|Objective-C++|OpenCL
      Pro*C|RenderScript|Unified Parallel C|XS
      """, { c }
    ),
    (
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
      """, { slashFamily }
    ),
    ("Cangjie|Carbon|Chapel|Hare|Jai|Koka|Odin|Pkl|Pony|Reason|ReasonLIGO|V|WGSL", { nestedSlashFamily }),
    ("Nextflow|Scala", { scala }), ("Java|Java Server Pages|Java Template Engine", { java }),
    ("C#", { cSharp }), ("Go|Go Checksums|Go Module|Go Workspace", { go }), ("CSS|PostCSS", { css }),
    ("Less|Sass|SCSS|Stylus|SugarSS", { scss }), ("SystemVerilog|Verilog", { verilog }),
    ("RON|Rust", { rust }), ("Swift", { swift }), ("Kotlin", { kotlin }), ("Dart", { dart }),
    ("Gradle|Groovy|Groovy Server Pages", { groovy }), ("D", { d }), ("Zig", { zig }),
    ("Glimmer JS|Glimmer TS|JavaScript|JavaScript+ERB|QML|TSX|TypeScript", { javaScript }),
    (
      """
      AMPL|ApacheConf|Awk|Berry|BitBake|Boo|Browserslist|Caddyfile|CODEOWNERS|Common Workflow Language
      cURL Config|Cylc|desktop|Dockerfile|Dotenv|Earthly|Elvish|Elvish Transcript|Filebench WML|Fluent|GAP
      GDB|Gherkin|Git Attributes|Git Config|Git Revision List|GN|Gnuplot|Hosts File|Hurl|Ignore List|Janet
      Julia REPL|Just|KakouneScript|KCL|kvlang|Limbo|LiveScript|Makefile|mcfunction|MiniScript|Nearley|Nginx
      Nickel|Ninja|Nu|OpenRC runscript|Option List|Pip Requirements|Polar|Procfile|QMake|RAML
      Readline Config|Ring|RobotFramework|Roc|RouterOS Script|RPM Spec|Salt|sed|Singularity|Smali|SPARQL
      SSH Config|Talon|Tcl|Tcsh|Turtle|WDL|Wget Config|YAML|Zeek|Zimpl
      """, { hash }
    ),
    ("jq|Puppet|R", { hashStrings }),
    (
      """
      Cython|Easybuild|GDScript|Genie|Jac|Mojo|NumPy|Python|Python console|Ren'Py|Sage|Scenic|Snakemake
      Starlark|Vyper|Xonsh
      """, { python }
    ),
    ("Meson", { tripleHash }), ("TOML", { toml }),
    ("Alpine Abuild|Gentoo Ebuild|Gentoo Eclass|Shell", { shell }), ("Nushell", { nushell }),
    ("fish", { fish }), ("Perl", { perl }), ("Raku", { raku }), ("Crystal|Mirah|Ruby", { ruby }),
    ("Elixir", { elixir }), ("CoffeeScript", { coffeeScript }), ("Julia", { julia }), ("Nim", { nim }),
    ("CMake", { cmake }), ("PowerShell", { powerShell }), ("HCL|Terraform Template", { terraform }),
    ("Nix", { nix }), ("EditorConfig|INI|Windows Registry Entries", { ini }),
    ("Java Properties", { properties }), ("HOCON|Io|Open Policy Agent|Sieve", { hashAndSlashes }),
    ("CQL", { cql }), ("GraphQL", { graphQL }), ("HiveQL|PLpgSQL|PLSQL|SQL|SQLPL|TSQL", { sql }),
    ("Clue|Lua|Luau|MoonScript|Teal|Terra|Xmake", { lua }),
    ("Agda|Bluespec BH|C2hs Haskell|Cabal Config|Curry|Dhall|Frege|Haskell|PureScript", { haskell }),
    ("Elm", { elm }), ("Idris", { idris }), ("Lean|Lean 4", { lean }),
    ("Eiffel|Euphoria|Futhark|Grammatical Framework|Isabelle ROOT|SurrealQL", { dashes }),
    ("Ada|VHDL", { vhdl }), ("AppleScript", { appleScript }),
    ("Common Lisp|Dune|Fennel|Hy|LFE|NewLisp|Racket|Scheme|Shen|ZIL", { lisp }),
    ("Emacs Lisp", { emacsLisp }), ("Clojure|edn", { clojure }), ("WebAssembly", { webAssembly }),
    ("Apollo Guidance Computer|Assembly|Motorola 68K Assembly|Unix Assembly", { assembly }),
    (
      """
      AutoIt|BlitzBasic|CLIPS|Csound|Csound Score|IDL|Inno Setup|Jasmin|LLVM|MeTTa|Papyrus|PDDL|Pep8
      PureBasic|Rebol|Red|Redcode|SMT|Tree-sitter Query|wisp|ZAP
      """, { semicolon }
    ),
    ("Erlang", { erlang }), ("ECLiPSe|Logtalk|Mercury|Prolog", { prolog }),
    ("Answer Set Programming|LilyPond|MiniZinc|PostScript", { percent }), ("BibTeX|TeX", { tex }),
    ("MATLAB", { matlab }),
    ("F*|Isabelle|Lambdapi|LigoLANG|OCaml|Rocq Prover|Standard ML|UrWeb|Wolfram Language", { ml }),
    ("F#", { fSharp }), ("ATS", { ats }), ("Oxygene|Pascal", { pascal }),
    ("Component Pascal|Modula-2|Modula-3|Oberon", { modula }), ("Fortran|Fortran Free Form", { fortran }),
    ("COBOL", { cobol }),
    (
      """
      B4X|BASIC|BlitzMax|BrighterScript|Brightscript|Classic ASP|FreeBASIC|QuickBASIC|REALbasic|VBA|VBScript
      Visual Basic .NET|Visual Basic 6.0
      """, { basic }
    ),
    ("Batchfile", { batch }), ("Vim script|Vim Snippet", { vim }), ("AutoHotkey", { autoHotkey }),
    ("Roff|Roff Manpage", { roff }), ("M4|M4Sugar", { m4 }), ("Forth", { forth }),
    ("Smalltalk", { smalltalk }), ("APL", { apl }), ("Stata", { stata }), ("SAS", { sas }),
    (
      """
      Ant Build System|ASP.NET|ColdFusion|Genshi|JetBrains MPS|LabVIEW|Markdown|Maven POM|MDX|SVG
      Web Ontology Language|XML|XML Property List|XPages|XProc|XSLT
      """, { xml }
    ),
    (
      """
      Ecmarkup|Edge|EJS|HTML|HTML+ECR|HTML+EEX|HTML+ERB|HTML+PHP|Kit|Marko|mdsvex|MTML|Riot|Svelte
      Velocity Template Language|Vue
      """, { html }
    ),
    ("Blade|Handlebars|Mustache", { handlebars }), ("Jinja|Latte|Nunjucks|Twig", { jinja }),
    ("Go Template", { goTemplate }), ("Liquid", { liquid }), ("HTML+Razor", { razor }), ("PHP", { php }),
    ("Astro", { astro }), ("FreeMarker", { freeMarker }), ("Smarty", { smarty }), ("Hack", { hack }),
    ("Pug", { pug }), ("Haml|Slim", { haml }),
  ]
}
