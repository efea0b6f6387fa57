extension ContentRules {
  /// Rules for scripting languages, SQL dialects and languages that share their extensions.
  static func scripts(_ suffix: String, _ t: SourceText) -> String? {
    switch suffix {
    case ".pl":
      if isProlog(t) { return "Prolog" }
      return isRaku(t) ? "Raku" : "Perl"
    case ".plt":
      return isProlog(t) ? "Prolog" : "Gnuplot"
    case ".pm":
      if t.first("/* XPM", "! XPM2") || t.has("/* XPM */") { return "X PixMap" }
      return isRaku(t) ? "Raku" : "Perl"
    case ".t":
      if t.line("terra ", "local terra ") || t.line("local ", then: "= terralib", "require(") {
        return "Terra"
      }
      if t.line("var ", then: " : ", " := ")
        || t.line("View.Set", "put \"", "proc ", "process ") && !t.has("->", "$")
      {
        return "Turing"
      }
      return isRaku(t) ? "Raku" : "Perl"
    case ".al":
      let lower = t.anyCase
      return lower.line(
        "table ", "codeunit ", "page ", "report ", "enum ", "tableextension ", "pageextension ", "query ",
        "profile ", "profileextension ", "pagecustomization ", "interface ", "permissionset ")
        || lower.has("end;") && lower.line("procedure ", "local procedure ") ? "AL" : "Perl"
    case ".cgi", ".fcgi":
      return t.line("<?php") ? (suffix == ".fcgi" ? "PHP" : nil) : t.line("use strict", "my $") ? "Perl" : nil
    case ".php":
      return t.first("<?hh") || t.line("<?hh") ? "Hack" : "PHP"
    case ".inc":
      return include(t)
    case ".rpy":
      return t.line(
        "label ", "init python", "define ", "screen ", "image ", "init:", "transform ", "style ", "init ")
        ? "Ren'Py" : "Python"
    case ".spec":
      if t.line("Name:", "%description", "%prep", "%files", "%changelog", "%define", "%global") {
        return "RPM Spec"
      }
      return t.line("Gem::Specification", "require ", "describe ", "Pod::") ? "Ruby" : "Python"
    case ".r":
      if t.anyCase.line("rebol", "red [", "red/system") { return "Rebol" }
      if t.line("#include \"Types.r\"", "resource '", "type '", "data '") { return "Rez" }
      return "R"
    case ".reds":
      return t.first("Red/System") || t.anyCase.line("red/system")
        ? "Red" : t.has("func ", "->") ? "Redscript" : "Red"
    case ".sql", ".ddl", ".prc":
      return sql(suffix, t)
    case ".es":
      return t.line("-module(", "%%", "%", "main(") || t.first("%!", "#!/usr/bin/env escript")
        ? "Erlang" : "JavaScript"
    case ".gs":
      if t.line("uses ", "init", "[indent") && !t.has("{") { return "Genie" }
      if t.line("uses ", "package ", "property ", "construct(") { return "Gosu" }
      return t.line("#version", "layout(", "layout (", "EmitVertex") ? "GLSL" : "JavaScript"
    case ".ts":
      return t.first("<?xml", "<!DOCTYPE TS", "<TS ") ? "XML" : "TypeScript"
    case ".tsx":
      return t.first("<?xml", "<tileset") ? "XML" : "TSX"
    case ".ls":
      return t.first("import ", "package ") && t.line("public ", "package\n{", "class ")
        && t.has("override ", "public class ")
        ? "LoomScript" : t.line("package") ? "LoomScript" : "LiveScript"
    case ".qs":
      return t.line("operation ", "namespace ", "open Microsoft", "newtype ") ? "Q#" : "Qt Script"
    case ".sc":
      if t.line("import ", "object ", "class ", "package ", "def ", "val ", "trait ")
        && t.has("def ", "object ", "val ", "import ")
        && !t.has("SynthDef", "^this", "Ugen", "|")
      {
        return "Scala"
      }
      return t.has("SynthDef", "{ |", "{|", "^this", "~", "*new", "*ar", "arg ", "var <")
        ? "SuperCollider" : "Scala"
    case ".scd":
      return t.line("# ", "NAME", "_") && t.flush("# ") ? "Markdown" : "SuperCollider"
    case ".shader":
      return t.line("Shader ", "Shader\"", "SubShader")
        ? "ShaderLab" : t.line("void main", "uniform ", "#version", "precision ") ? "GLSL" : nil
    case ".star":
      return t.line("data_", "loop_", "save_") || t.first("data_") ? "STAR" : "Starlark"
    case ".sls":
      return t.line("(library", "(import", "(define", "(") || t.first(";", "#!r6rs") ? "Scheme" : "Salt"
    case ".jq":
      return t.line(
        "declare ", "import module", "module namespace", "jsoniq version", "xquery version", "for $")
        ? "JSONiq" : "jq"
    case ".tl":
      return t.line("---functions---", "---types---") || t.line(where: isTypeCombinator)
        ? "Type Language" : "Teal"
    case ".uc":
      return t.line("import ", "let ", "function ", "'use strict'", "{%", "export ")
        && !t.anyCase.line("class ", then: "extends")
        ? "ucode" : "UnrealScript"
    case ".nu":
      return (t.line("(") || t.first(";"))
        && !t.line("def ", "export ", "let ", "mut ", "use ", "module ", "alias ", "#!/usr/bin/env nu")
        ? "Nu" : "Nushell"
    case ".nas", ".n":
      if suffix == ".n", t.flush(".Dd", ".TH", ".SH", ".so", "'\\\"", ".\\\"", "'\\\" ") { return "Roff" }
      return suffix == ".n" ? "Nemerle" : nil
    case ".trigger":
      return t.line("#", "if [", "set -", "export ") && !t.anyCase.line("trigger ") ? "Shell" : "Apex"
    case ".ks":
      return t.line("%packages", "%post", "%pre", "bootloader", "rootpw", "clearpart", "autopart", "lang ")
        ? "Kickstart"
        : "KerboScript"
    case ".k":
      return t.line("module ", "syntax ", "endmodule", "rule ", "require ", "requires ", "configuration")
        ? "KFramework" : "KCL"
    case ".cake":
      return t.line("#addin", "#tool", "#load", "Task(", "var ", "using ", "//") ? "C#" : "CoffeeScript"
    case ".pluginspec":
      return t.first("<?xml", "<plugin") ? "XML" : "Ruby"
    case ".dsc":
      return t.line("Format:", "Source:", "Binary:", "-----BEGIN PGP")
        ? "Debian Package Control File" : "DenizenScript"
    default:
      return nil
    }
  }

  static func isProlog(_ t: SourceText) -> Bool {
    if t.line("use strict", "use warnings", "my $", "sub ", "package ", "print ", "=head1") { return false }
    return t.line(":- ", ":-") || t.ends(":-") || t.has(" :- ")
      || t.line("%") && !t.has("$", "=>") && t.ends(".")
  }

  static func isRaku(_ t: SourceText) -> Bool {
    if t.line("use v5", "use 5.", "use strict", "use warnings", "use Test::More", "require 5") {
      return false
    }
    return t.line(
      "use v6", "unit module", "unit class", "unit package", "multi sub", "multi method", "proto ",
      "grammar ",
      "class ", "role ", "module ", "method ", "token ", "rule ", "has $", "use Test;", "=begin pod", "plan *"
    )
  }

  private static func include(_ t: SourceText) -> String? {
    if t.first("<?php", "<?") || t.has("<?php", "<?=") { return "PHP" }
    if t.anyCase.first("<!--", "<html", "<!doctype", "<div", "<p", "<table", "</") { return "HTML" }
    if t.line(
      "SUMMARY", "LICENSE =", "SRC_URI", "DEPENDS", "inherit ", "RDEPENDS", "PV =", "PR =", "do_install",
      "PREFERRED_PROVIDER")
      && t.has("=")
    {
      return "BitBake"
    }
    if t.line("script_id(", "include(\"", "if(description)", "local_var ", "global_var ")
      && t.has("script_", "exit(0)", "get_kb_item", "local_var", "global_var", ".inc\");")
    {
      return "NASL"
    }
    if t.line("public Plugin", "native ", "forward ", "methodmap ", "#pragma newdecls")
      || t.has("MaxClients", "SourceMod")
    {
      return t.has("SourceMod", "methodmap", "Handle:", "sourcemod", "SharedPlugin") ? "SourcePawn" : "Pawn"
    }
    if t.line("#declare", "#local", "#macro", "#version") && t.has("#declare", "#end", "pigment") {
      return "POV-Ray SDL"
    }
    if is68KOrAssembly(t) {
      return t.anyCase.has("move.l", "move.w", "move.b") ? "Motorola 68K Assembly" : "Assembly"
    }
    if t.anyCase.line("procedure ", "function ", "unit ", "{$ifdef", "{$define", "{$", "const", "uses ")
      && !t.line("#")
    {
      return "Pascal"
    }
    if t.anyCase.line("select ", "create table", "insert into", "drop table", "--")
      && !t.line("#include", "#define", "#if", "#pragma")
    {
      return "SQL"
    }
    return t.line("#", "static ", "//", "/*") ? "C++" : nil
  }

  private static func is68KOrAssembly(_ t: SourceText) -> Bool {
    let lower = t.anyCase
    return lower.line(
      "%macro", "%define", "%ifdef", "section ", "global ", ".macro", "org ", "ifndef ", "endif", ".equ",
      "equ ")
      || lower.has(
        "move.l", "move.w", "move.b", "\tequ\t", " equ ", "\tmov ", "\tlda ", "\tldr ", "\tmacro")
      || t.line("mov ", "push ", "mov\t", "push\t") && !t.has("{")
  }

  private static func sql(_ suffix: String, _ t: SourceText) -> String {
    let lower = t.anyCase
    if suffix == ".sql" {
      if lower.has("language plpgsql", "language 'plpgsql'", "$$", "$body$", "raise notice", "begin;")
        && !lower.line("go")
      {
        return lower.has("plpgsql", "language 'sql'", "raise notice", "$body$") ? "PLpgSQL" : "SQL"
      }
      if lower.has(
        "language sql", "begin atomic", "signal sqlstate", "modifies sql data", "result_set_locator",
        "mode db2sql", "syscat.", "sysproc.", "alter module")
        || lower.ends("end!") || lower.ends("end !")
      {
        return "SQLPL"
      }
      if lower.has(
        "@@rowcount", "nvarchar(", "begin try", "sp_executesql", "exec sp_", "[dbo].", "set nocount on",
        "@@fetch_status")
        || lower.line("go") && lower.has("dbo.") || lower.line("declare @")
      {
        return "TSQL"
      }
    }
    if lower.has(
      "pragma ", "sys_refcursor", "varchar2", "dbms_output", "%rowtype", "%type", "exception when",
      "constructor function")
      || lower.line("/")
        && lower.has("create or replace package", "create or replace procedure", "create or replace function")
    {
      return "PLSQL"
    }
    return "SQL"
  }

  /// Whether a line is a TL combinator: `name#0a1b2c3d field:type = Type;`.
  private static func isTypeCombinator(_ line: ArraySlice<UInt8>) -> Bool {
    line.last == UInt8(ascii: ";") && line.contains(UInt8(ascii: "#")) && line.contains(UInt8(ascii: "="))
      && line.contains(UInt8(ascii: ":")) && !line.contains(UInt8(ascii: "("))
  }
}
