extension CommentSyntax {
  /// Returns the syntax of a language by its name on GitHub; nil if it is unknown.
  package static func of(language name: String) -> CommentSyntax? {
    likeC(name) ?? likeScripts(name) ?? others(name) ?? markup(name)
  }

  private static func likeC(_ name: String) -> CommentSyntax? {
    switch name {
    case "C", "C++", "Cuda", "CWeb", "Filterscript", "HIP", "ISPC", "Linker Script", "Logos", "Metal",
      "nesC", "Objective-C", "Objective-C++", "OpenCL", "Pro*C", "RenderScript", "Unified Parallel C",
      "XS":
      c
    case "1C Enterprise", "ActionScript", "AGS Script", "AIDL", "Aiken", "AL", "Alloy", "AngelScript",
      "ANTLR", "Apex", "ASL", "AspectJ", "Asymptote", "Avro IDL", "Ballerina", "BAML", "Beef", "Bicep",
      "Bison", "Blueprint", "Bluespec", "Boogie", "C3", "Cadence", "Cairo", "Cairo Zero", "CAP CDS",
      "Cap'n Proto", "CartoCSS", "Ceylon", "ChucK", "Circom", "Click", "Closure Templates", "CodeQL",
      "CUE", "Cycript", "Cypher", "Dafny", "DataWeave", "DM", "Dogescript", "DTrace", "eC",
      "Ecere Projects", "ECL", "Fantom", "Faust", "FIRRTL", "FlatBuffers", "Flix", "FPP",
      "Game Maker Language", "GAML", "GDShader", "Gleam", "GLSL", "Gno", "Gosu", "GSC", "Haxe", "HLSL",
      "HolyC", "IL Assembly", "ImageJ Macro", "JASS", "JFlex", "Jison", "Jison Lex", "Jolie",
      "JSON with Comments", "JSON5", "Jsonnet", "KerboScript", "KFramework", "Langium", "Lex", "Lobster",
      "LSL", "Mask", "MiniD", "Mint", "MLIR", "Modelica", "Monkey C", "MoonBit", "Motoko", "Move", "MQL4",
      "MQL5", "NetLinx", "Noir", "NWScript", "Objective-J", "OMNeT++ MSG", "OMNeT++ NED", "ooc", "Opal",
      "OpenQASM", "OpenSCAD", "P4", "Pawn", "PEG.js", "Pike", "POV-Ray SDL", "PowerBuilder", "Processing",
      "Promela", "Protocol Buffer", "Q#", "Qt Script", "QuakeC", "Quint", "Ragel", "Rascal", "Redscript",
      "ReScript", "Sail", "ShaderLab", "Slang", "Slice", "Slint", "Smithy", "Solidity", "SourcePawn",
      "SQF", "Squirrel", "Stan", "StringTemplate", "SuperCollider", "Sway", "SWIG", "Tact", "templ",
      "Thrift", "TL-Verilog", "TypeSpec", "Typst", "Uno", "UnrealScript", "Vala", "VCL", "Volt", "WebIDL",
      "Whiley", "Witcher Script", "Wollok", "Wren", "X10", "XC", "Xojo", "Xtend", "Yacc", "YARA", "Yul",
      "ZenScript", "Zephir":
      slashFamily
    case "Cangjie", "Carbon", "Chapel", "Hare", "Jai", "Koka", "Odin", "Pkl", "Pony", "Reason",
      "ReasonLIGO", "V", "WGSL":
      nestedSlashFamily
    case "Nextflow", "Scala": scala
    case "Java", "Java Server Pages", "Java Template Engine": java
    case "C#": cSharp
    case "Go", "Go Checksums", "Go Module", "Go Workspace": go
    case "CSS", "PostCSS": css
    case "Less", "Sass", "SCSS", "Stylus", "SugarSS": scss
    case "SystemVerilog", "Verilog": verilog
    case "RON", "Rust": rust
    case "Swift": swift
    case "Kotlin": kotlin
    case "Dart": dart
    case "Gradle", "Groovy", "Groovy Server Pages": groovy
    case "D": d
    case "Zig": zig
    case "Glimmer JS", "Glimmer TS", "JavaScript", "JavaScript+ERB", "QML", "TSX", "TypeScript": javaScript
    default: nil
    }
  }

  private static func likeScripts(_ name: String) -> CommentSyntax? {
    switch name {
    case "AMPL", "ApacheConf", "Awk", "Berry", "BitBake", "Boo", "Browserslist", "Caddyfile", "CODEOWNERS",
      "Common Workflow Language", "cURL Config", "Cylc", "desktop", "Dockerfile", "Dotenv", "Earthly",
      "Elvish", "Elvish Transcript", "Filebench WML", "Fluent", "GAP", "GDB", "Gherkin", "Git Attributes",
      "Git Config", "Git Revision List", "GN", "Gnuplot", "Hosts File", "Hurl", "Ignore List", "Janet",
      "Julia REPL", "Just", "KakouneScript", "KCL", "kvlang", "Limbo", "LiveScript", "Makefile",
      "mcfunction", "MiniScript", "Nearley", "Nginx", "Nickel", "Ninja", "Nu",
      "OpenRC runscript", "Option List", "Pip Requirements", "Polar", "Procfile", "QMake", "RAML",
      "Readline Config", "Ring", "RobotFramework", "Roc", "RouterOS Script", "RPM Spec", "Salt", "sed",
      "Singularity", "Smali", "SPARQL", "SSH Config", "Talon", "Tcl", "Tcsh", "Turtle", "WDL",
      "Wget Config", "YAML", "Zeek", "Zimpl":
      hash
    case "jq", "Puppet", "R": hashStrings
    case "Cython", "Easybuild", "GDScript", "Genie", "Jac", "Mojo", "NumPy", "Python", "Python console",
      "Ren'Py", "Sage", "Scenic", "Snakemake", "Starlark", "Vyper", "Xonsh":
      python
    case "Meson": tripleHash
    case "TOML": toml
    case "Alpine Abuild", "Gentoo Ebuild", "Gentoo Eclass", "Shell": shell
    case "Nushell": nushell
    case "fish": fish
    case "Perl": perl
    case "Raku": raku
    case "Crystal", "Mirah", "Ruby": ruby
    case "Elixir": elixir
    case "CoffeeScript": coffeeScript
    case "Julia": julia
    case "Nim": nim
    case "CMake": cmake
    case "PowerShell": powerShell
    case "HCL", "Terraform Template": terraform
    case "Nix": nix
    case "EditorConfig", "INI", "Windows Registry Entries": ini
    case "Java Properties": properties
    case "HOCON", "Io", "Open Policy Agent", "Sieve": hashAndSlashes
    case "CQL": cql
    case "GraphQL": graphQL
    case "HiveQL", "PLpgSQL", "PLSQL", "SQL", "SQLPL", "TSQL": sql
    default: nil
    }
  }

  private static func others(_ name: String) -> CommentSyntax? {
    switch name {
    case "Clue", "Lua", "Luau", "MoonScript", "Teal", "Terra", "Xmake": lua
    case "Agda", "Bluespec BH", "C2hs Haskell", "Cabal Config", "Curry", "Dhall", "Frege", "Haskell",
      "PureScript":
      haskell
    case "Elm": elm
    case "Idris": idris
    case "Lean", "Lean 4": lean
    case "Eiffel", "Euphoria", "Futhark", "Grammatical Framework", "Isabelle ROOT", "SurrealQL":
      dashes
    case "Ada", "VHDL": vhdl
    case "AppleScript": appleScript
    case "Common Lisp", "Dune", "Fennel", "Hy", "LFE", "NewLisp", "Racket", "Scheme", "Shen", "ZIL": lisp
    case "Emacs Lisp": emacsLisp
    case "Clojure", "edn": clojure
    case "WebAssembly": webAssembly
    case "Apollo Guidance Computer", "Assembly", "Motorola 68K Assembly", "Unix Assembly": assembly
    case "AutoIt", "BlitzBasic", "CLIPS", "Csound", "Csound Score", "IDL", "Inno Setup", "Jasmin", "LLVM",
      "MeTTa", "Papyrus", "PDDL", "Pep8", "PureBasic", "Rebol", "Red", "Redcode", "SMT",
      "Tree-sitter Query", "wisp", "ZAP":
      semicolon
    case "Erlang": erlang
    case "ECLiPSe", "Logtalk", "Mercury", "Prolog": prolog
    case "Answer Set Programming", "LilyPond", "MiniZinc", "PostScript": percent
    case "BibTeX", "TeX": tex
    case "MATLAB": matlab
    case "F*", "Isabelle", "Lambdapi", "LigoLANG", "OCaml", "Rocq Prover", "Standard ML", "UrWeb",
      "Wolfram Language":
      ml
    case "F#": fSharp
    case "ATS": ats
    case "Oxygene", "Pascal": pascal
    case "Component Pascal", "Modula-2", "Modula-3", "Oberon": modula
    case "Fortran", "Fortran Free Form": fortran
    case "COBOL": cobol
    case "B4X", "BASIC", "BlitzMax", "BrighterScript", "Brightscript", "Classic ASP", "FreeBASIC",
      "QuickBASIC", "REALbasic", "VBA", "VBScript", "Visual Basic .NET", "Visual Basic 6.0":
      basic
    case "Batchfile": batch
    case "Vim script", "Vim Snippet": vim
    case "AutoHotkey": autoHotkey
    case "Roff", "Roff Manpage": roff
    case "M4", "M4Sugar": m4
    case "Forth": forth
    case "Smalltalk": smalltalk
    case "APL": apl
    case "Stata": stata
    case "SAS": sas
    default: nil
    }
  }

  private static func markup(_ name: String) -> CommentSyntax? {
    switch name {
    case "Ant Build System", "ASP.NET", "ColdFusion", "Genshi", "JetBrains MPS", "LabVIEW", "Markdown",
      "Maven POM", "MDX", "SVG", "Web Ontology Language", "XML", "XML Property List", "XPages", "XProc",
      "XSLT":
      xml
    case "Ecmarkup", "Edge", "EJS", "HTML", "HTML+ECR", "HTML+EEX", "HTML+ERB",
      "HTML+PHP", "Kit", "Marko", "mdsvex", "MTML", "Riot", "Svelte",
      "Velocity Template Language", "Vue":
      html
    case "Blade", "Handlebars", "Mustache": handlebars
    case "Jinja", "Latte", "Nunjucks", "Twig": jinja
    case "Go Template": goTemplate
    case "Liquid": liquid
    case "HTML+Razor": razor
    case "PHP": php
    case "Astro": astro
    case "FreeMarker": freeMarker
    case "Smarty": smarty
    case "Hack": hack
    case "Pug": pug
    case "Haml", "Slim": haml
    default: nil
    }
  }
}
