extension ContentRules {
  /// Rules for Lisp and ML dialects, logic and mathematical languages, and languages that share their
  /// extensions.
  static func functional(_ suffix: String, _ t: SourceText) -> String? {
    switch suffix {
    case ".lisp", ".lsp":
      if t.line("(define ", "(define(", "(context ") || t.has("newlisp") { return "NewLisp" }
      return "Common Lisp"
    case ".l":
      if t.line("(def", "(in-package", "(setq", "(let", "(defpackage") || t.first(";") {
        return t.line("(de ", "(class ", "(dm ", "(rel ", "# ") ? "PicoLisp" : "Common Lisp"
      }
      if t.line("(de ", "(class +", "(dm ", "(must ", "(symbols ", "(load ") { return "PicoLisp" }
      if t.flush("%{", "%%", "%option", "%x", "%top") { return "Lex" }
      return t.flush(".") || t.line(".TH", ".SH", ".\\\"") ? "Roff" : "Lex"
    case ".ml":
      if t.line("structure ", "signature ", "functor ", "fun ", "datatype ", "infix ")
        && !t.line("module ", "let rec ", "type t =")
      {
        return "Standard ML"
      }
      return "OCaml"
    case ".ex":
      return t.line(
        "include ", "integer ", "sequence ", "atom ", "procedure ", "end procedure", "end function", "--",
        "without ")
        && !t.line("defmodule ", "@") ? "Euphoria" : "Elixir"
    case ".e":
      if t.line(
        "procedure ", "global ", "include ", "public ", "namespace ", "end procedure", "end function",
        "export ")
        && !t.line("class", "feature", "def ")
      {
        return "Euphoria"
      }
      if t.line(
        "class", "feature", "inherit", "note", "indexing", "deferred class", "create", "expanded class")
      {
        return "Eiffel"
      }
      return "E"
    case ".b":
      if t.line("implement ", "include \"") { return "Limbo" }
      return isBrainfuck(t) ? "Brainfuck" : "B"
    case ".bf":
      if t.line("LoadFunctionLibrary", "DataSet ", "fprintf", "global ", "Model ", "Tree ", "#include") {
        return "HyPhy"
      }
      if t.line("using ", "namespace ", "class ", "public ", "struct ") { return "Beef" }
      return isBrainfuck(t) ? "Brainfuck" : "Befunge"
    case ".bb":
      if t.line("SUMMARY", "DESCRIPTION", "LICENSE", "inherit ", "SRC_URI", "require ", "DEPENDS") {
        return "BitBake"
      }
      return t.line("(ns ", "(defn", "(def ", "(require", "(") || t.first("#!/usr/bin/env bb")
        ? "Clojure" : "BlitzBasic"
    case ".bs":
      if t.line("package ") || t.has(" :: ") { return "Bluespec BH" }
      return t.line("sub ", "function ", "class ", "namespace ", "import ", "end sub")
        ? "BrighterScript" : "Bikeshed"
    case ".pro":
      if t.line("-keep", "-dont", "-optimiz", "-repackage", "-libraryjars", "-include ", "-basedirectory")
        || t.line(where: { $0.starts(with: "-keep".utf8) || $0.starts(with: "-dont".utf8) })
      {
        return "Proguard"
      }
      if t.line(":- ", ":-") || t.has(" :- ") || t.ends(":-") { return "Prolog" }
      if t.line(where: { $0.starts(with: "[".utf8) && $0.last == UInt8(ascii: "]") })
        && !t.anyCase.line("pro ")
      {
        return "INI"
      }
      if t.line("HEADERS", "SOURCES", "TEMPLATE", "QT ", "QT+", "CONFIG", "TARGET", "SUBDIRS", "include(") {
        return "QMake"
      }
      return t.anyCase.line("pro ", "function ", "compile_opt", "end", "return")
        ? "IDL" : t.has("=") ? "INI" : "Prolog"
    case ".ecl":
      return t.line(":-") || t.has(" :- ") ? "ECLiPSe" : "ECL"
    case ".g":
      return t.line(where: isGCode) ? "G-code" : t.has(":=", "function(", "#") ? "GAP" : "G-code"
    case ".gd":
      return t.line("Declare", "#############")
        || t.line(where: { $0.starts(with: "Declare".utf8) || $0.starts(with: "##".utf8) })
        ? "GAP" : "GDScript"
    case ".tst":
      return t.line("gap>") ? "GAP" : "Scilab"
    case ".j":
      if t.line(".class", ".super", ".method", ".source") { return "Jasmin" }
      if t.line("@import", "@implementation", "@interface", "@end") { return "Objective-J" }
      return t.line("function ", "library ", "globals", "scope ", "native ", "//") ? "JASS" : nil
    case ".q":
      return t.anyCase.line(
        "select ", "create table", "insert ", "set hive", "drop table", "from ", "create external")
        ? "HiveQL" : "q"
    case ".p":
      return t.line("plot ", "set term", "set title", "set output", "set xlabel", "splot ", "set ", "unset ")
        ? "Gnuplot" : "OpenEdge ABL"
    case ".w":
      return t.line("@*", "@<", "@ ", "@c", "\\input") ? "CWeb" : "OpenEdge ABL"
    case ".lp":
      let lower = t.anyCase
      if lower.line(
        "minimize", "maximize", "subject to", "max:", "min:", "maximise", "minimise", "max ", "min ")
      {
        return "Linear Programming"
      }
      return t.line("require open", "symbol ", "rule ", "opaque ", "constant symbol", "require ")
        ? "Lambdapi" : "Answer Set Programming"
    case ".st":
      if t.has("$if(", "$endif$", "<if(", "<endif>", "group ")
        || t.line("group ", "delimiters") && !t.has("subclass:")
      {
        return "StringTemplate"
      }
      return t.line("!", "\"", "Object subclass:") || t.has("subclass:", ":=", "methodsFor:", "^ ", "ifTrue:")
        ? "Smalltalk" : "StringTemplate"
    case ".sch":
      if t.first("<?xml", "<schema", "<sch:") { return t.has("<eagle") ? "Eagle" : "XML" }
      // `v` and two numbers begin the schematics of gEDA, which have the same extension.
      return t.first("EESchema", "(kicad_sch", "v 2") ? "KiCad Schematic" : "Scheme"
    case ".scm":
      if t.line("(#", "[") && t.has("] @", ") @", "\" @", "(#match?", "(#eq?", "(#set!") {
        return "Tree-sitter Query"
      }
      return t.line(
        "(define", "(import", "(use-modules", "(load", "(module", "(library", "(let", "(set!", "#!")
        ? "Scheme"
        : t.line("[", "(") && t.has(") @", "\" @", "] @", "(#") ? "Tree-sitter Query" : "Scheme"
    case ".nb":
      return t.has("(* Content-type: application/", "Notebook[", "(* CreatedBy='", "Cell[")
        ? "Wolfram Language" : "Text"
    case ".moo":
      return t.line(":- module", ":- interface", ":- pred") ? "Mercury" : "Moocode"
    case ".mo":
      return t.line("import ", "actor ", "module {", "public func", "public shared", "func ")
        && !t.has("equation", "within ", "end ")
        ? "Motoko" : "Modelica"
    case ".lean":
      // Module names begin with a capital in Lean 4 and with a small letter in earlier versions.
      guard let line = t.lines.first(where: { t.starts($0, "import ") }), t.slice(line).count > 7 else {
        return nil
      }
      return t.slice(line).dropFirst(7).first.map { $0 &- 0x61 < 26 } ?? false ? "Lean" : "Lean 4"
    default:
      return nil
    }
  }

  /// Whether a text is mostly the eight instructions, or has typical sequences of them.
  private static func isBrainfuck(_ t: SourceText) -> Bool {
    let visible = t.bytes.filter { $0 > 0x20 }
    let instructions = visible.filter { "+-<>[].,".utf8.contains($0) }
    return !visible.isEmpty && (instructions.count * 2 > visible.count || t.has("+++", "[-]", ">>>", "[>"))
  }

  /// Whether a line begins with a G-code word: `G1 X2`, `M3`, `N10`.
  private static func isGCode(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, "GMNgmn".utf8.contains(first), line.count > 1 else { return false }
    return (0x30...0x39).contains(line[line.startIndex + 1])
  }
}
