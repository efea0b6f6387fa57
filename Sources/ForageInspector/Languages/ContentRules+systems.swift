extension ContentRules {
  /// Rules for the C family, assembly, hardware description, Rust, Fortran and languages that share their
  /// extensions.
  static func systems(_ suffix: String, _ t: SourceText) -> String? {
    switch suffix {
    case ".h":
      if isObjectiveC(t) { return "Objective-C" }
      return isCPlusPlus(t) ? "C++" : "C"
    case ".hh":
      return t.first("<?hh") ? "Hack" : "C++"
    case ".cp":
      return t.line("MODULE ", "END ", "IMPORT ", "BEGIN") ? "Component Pascal" : "C++"
    case ".m":
      return objectiveCOrMaths(t)
    case ".mm":
      return t.first("<?xml", "<map", "<!--") ? "XML" : "Objective-C++"
    case ".rs":
      if t.first("<?xml") { return "XML" }
      // Rust first, because a string literal in a Rust test can hold what the other rules look for.
      if t.line("use ", "fn ", "mod ", "pub ", "impl ", "macro_rules!", "#![", "#[") { return "Rust" }
      if t.line("#pragma rs", "#pragma version", "#include", "#pragma once") { return "RenderScript" }
      return "Rust"
    case ".re":
      return t.line(
        "#include", "#define", "#ifdef", "#ifndef", "#pragma", "template <", "template<", "namespace ")
        || t.has("/*!re2c", "/*!rules:re2c", "/*!max:re2c", "/*!stags:re2c") || t.line("std::")
        ? "C++" : "Reason"
    case ".d":
      if isMakeRules(t) { return "Makefile" }
      if t.line("#pragma D ") || t.has("#!/usr/sbin/dtrace") { return "DTrace" }
      // A declaration of user-level (USDT) probes.
      if t.flush("provider "), t.line("probe ") { return "DTrace" }
      if t.line(where: isProbe) && !t.line("import ", "module ") { return "DTrace" }
      return "D"
    case ".s", ".asm":
      if t.anyCase.line("%define", "%macro", "%include", "bits 16", "bits 32", "bits 64", "org ") {
        return "Assembly"
      }
      if suffix == ".s",
        t.line(".globl", ".section", ".text", ".global", ".type", ".align", ".file", ".cfi_startproc")
      {
        return "Unix Assembly"
      }
      return is68K(t) ? "Motorola 68K Assembly" : suffix == ".asm" ? "Assembly" : nil
    case ".i":
      if t.line("%module", "%{", "%include", "%define", "%typemap", "%template", "%feature") { return "SWIG" }
      return is68K(t) ? "Motorola 68K Assembly" : t.line("#pragma SWIG") ? "SWIG" : "Assembly"
    case ".ms":
      if t.line(".text", ".globl", ".global", ".section", ".include", ".align") { return "Unix Assembly" }
      if t.flush(".TH", ".SH", ".PP", ".LP", ".NH", ".TL", ".de", ".so", ".\\\"", ".nr", ".ds") {
        return "Roff"
      }
      if t.line("end if", "end while", "end function", "end for") { return "MiniScript" }
      return "MAXScript"
    case ".nas":
      return t.has("func(", "func {", "func()", "setprop(", "getprop(", "props.globals")
        ? "Nasal" : "Assembly"
    case ".v":
      return verilogOrOther(t)
    case ".f", ".for":
      if t.flush(": ") || t.line(": ", "\\ ", "variable ", "constant ") || t.word("endif then") {
        return "Forth"
      }
      if suffix == ".f", t.line("set $", "define ", "flowop"), t.has("flowop", "define process") {
        return "Filebench WML"
      }
      if suffix == ".for", !isFortran(t), t.first("(") || !t.word("end", "END") { return "Formatted" }
      return "Fortran"
    case ".fpp":
      if t.line("module ", then: "{") || t.line("instance ", "topology ", "passive component ") {
        return "FPP"
      }
      return isFortran(t) || t.line("#:", "#ifdef", "#include", "!") ? "Fortran" : "FPP"
    case ".fr":
      if t.flush(": ") || t.line("\\ ", "variable ", "( ") { return "Forth" }
      return t.line("module ", "import ", "data ", "type ", "infix") || t.has(" :: ") ? "Frege" : "Text"
    case ".frag":
      if t.line("function ", "var ", "module.exports", "(function", "require(")
        && !t.line("void main", "uniform ")
      {
        return "JavaScript"
      }
      return "GLSL"
    case ".fs":
      return fSharpOrOther(t)
    case ".cs":
      if t.first("!")
        || t.has(" ifTrue: [", "methodsFor:", "subclass: #", " | ") && t.line(where: { $0.last == 0x21 })
      {
        return "Smalltalk"
      }
      return "C#"
    case ".cairo":
      return t.line("%lang", "%builtins", "func ", "[ap", "[fp", "from starkware.") || t.ends("ap++;")
        ? "Cairo Zero" : "Cairo"
    case ".ch":
      return t.anyCase.line(
        "#command", "#xcommand", "#translate", "#xtranslate", "#define", "#include", "#ifdef")
        ? "xBase" : "Charity"
    case ".pc":
      return t.line("EXEC SQL", "exec sql", "#include") || t.has("EXEC SQL") ? "Pro*C" : "pkg-config"
    case ".cl":
      if t.line("class ", then: "{", "inherits") || t.has(" inherits ") { return "Cool" }
      if t.line("(defun", "(in-package", "(defpackage", "(defmacro", "(load", "(") || t.first(";") {
        return "Common Lisp"
      }
      return "OpenCL"
    case ".x":
      if t.line("%hook", "%ctor", "%orig", "%group", "%new", "%init", "#import") { return "Logos" }
      if t.first("xof ") { return "DirectX 3D File" }
      if t.line("SECTIONS", "OUTPUT_ARCH", "OUTPUT_FORMAT", "ENTRY(", "MEMORY") { return "Linker Script" }
      return "RPC"
    case ".mod":
      if t.line("<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<?xml") || t.first("<!--") { return "XML" }
      if t.line("NEURON {", "NEURON{", "UNITS {", "UNITS{", "INITIAL {", "BREAKPOINT {") { return "NMODL" }
      if t.line("MODULE ", "DEFINITION MODULE", "IMPLEMENTATION MODULE", "PROCEDURE ") { return "Modula-2" }
      if t.line(where: {
        $0.count > 3 && $0.suffix(2).elementsEqual(".o".utf8) || $0.suffix(3).elementsEqual(".ko".utf8)
      }) {
        return "Linux Kernel Module"
      }
      return t.line("param ", "set ", "var ", "minimize ", "maximize ", "subject to", "s.t.") ? "AMPL" : nil
    case ".nr":
      return t.line("fn ", "use ", "mod ", "struct ", "pub ", "global ", "contract ", "//") ? "Noir" : "Roff"
    default:
      return nil
    }
  }

  static func isObjectiveC(_ t: SourceText) -> Bool {
    t.line(
      "@interface", "@protocol", "@implementation", "@class", "@property", "@end", "@import", "#import <",
      "#import \"", "NS_ASSUME_NONNULL_BEGIN")
  }

  /// Whether a text has something that plain C does not allow; `extern "C"` alone marks a C header.
  static func isCPlusPlus(_ t: SourceText) -> Bool {
    t.line(
      "template <", "template<", "namespace ", "using namespace", "using std::", "public:", "private:",
      "protected:",
      "#include <iostream>", "#include <string>", "#include <vector>", "#include <map>", "#include <memory>",
      "#include <cstdint>", "#include <cstddef>", "#include <cstdlib>", "#include <functional>",
      "#include <utility>",
      "#include <algorithm>", "#include <type_traits>", "#include <list>", "#include <set>",
      "#include <mutex>",
      "namespace{", "public slots:", "signals:", "Q_OBJECT", "catch (", "catch(", "constexpr ", "explicit ")
      || t.has(
        "std::", "static_cast<", "reinterpret_cast<", "dynamic_cast<", "const_cast<", "enum class ",
        "noexcept",
        "__has_cpp_attribute", "__cplusplus >")
      || t.line(where: isClassHead)
  }

  /// Whether a line is a class declaration rather than prose in a comment: followed by `{`, `:`, `;` or the
  /// end of the line.
  private static func isClassHead(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: "class ".utf8) || line.starts(with: "virtual ".utf8) else { return false }
    guard let last = line.last(where: { $0 != 0x20 && $0 != 0x09 }) else { return false }
    return last == UInt8(ascii: "{") || last == UInt8(ascii: ";") || line.contains(UInt8(ascii: ":"))
      || line.split(separator: 0x20).count <= 3
  }

  private static func objectiveCOrMaths(_ t: SourceText) -> String? {
    if isObjectiveC(t) || t.line("#import", "#include", "#define", "#ifdef", "#pragma") {
      return "Objective-C"
    }
    if t.line(":- module", ":- interface", ":- import_module", ":- pred") { return "Mercury" }
    if t.line("implement ", "include \"") && t.has("module", "adt") { return "Limbo" }
    if t.has(": module", "->fd", "= load ") && t.has("sys->", "con ") { return "Limbo" }
    if t.flush(": ") && t.flush(";") { return "MUF" }
    if t.first("$def", "( ") && t.has("begin", "exit") { return "MUF" }
    if t.line("(*") || t.has("[[", ":=", "/.", "BeginPackage[", "Module[") && !t.line("function ", "%") {
      return "Wolfram Language"
    }
    if t.line(";") || t.line("QUIT", "quit") && !t.line("%") { return "M" }
    if t.line("%", "function ", "end", "classdef", "clear", "clc", "close all", "figure", "disp(", "fprintf(")
    {
      return "MATLAB"
    }
    if t.has(" ;", " S ", " D ^", "$$") { return "M" }
    return t.line("//", "/*", "@", "int main", "static ") ? "Objective-C" : "MATLAB"
  }

  private static func verilogOrOther(_ t: SourceText) -> String {
    if t.line("module ", then: "(", ";", "#")
      || t.line("endmodule", "`timescale", "`include", "`define", "`ifdef", "always @")
    {
      return t.line("fn ", "pub fn ") ? "V" : "Verilog"
    }
    if t.line(
      "Require ", "Import ", "Export ", "Lemma ", "Theorem ", "Proof", "Qed.", "Definition ", "Inductive ",
      "Fixpoint ", "Section ", "From ", "Notation ", "Module ", "(*")
    {
      return "Rocq Prover"
    }
    return t.line("fn ", "pub fn ", "import ", "struct ", "pub struct ", "module ", "mut ", "println(")
      ? "V" : "Verilog"
  }

  private static func fSharpOrOther(_ t: SourceText) -> String {
    if t.line(
      "#version", "precision ", "uniform ", "varying ", "void main", "gl_FragColor", "out vec", "in vec")
    {
      return "GLSL"
    }
    if t.line("#include", "#pragma rs", "#pragma version") { return "Filterscript" }
    if t.line(
      "let ", "open ", "module ", "namespace ", "type ", "[<", "member ", "//", "#light", "#r ", "#if")
    {
      return "F#"
    }
    if t.flush(": ") || t.line(": ", "\\ ", "variable ", "also ", "( ") { return "Forth" }
    return "F#"
  }

  private static func isFortran(_ t: SourceText) -> Bool {
    t.anyCase.line(
      "program ", "subroutine ", "function ", "module ", "integer", "real", "implicit none", "c ", "call ",
      "double precision", "end subroutine", "block data", "common ", "write(", "interface", "use ",
      "character")
  }

  private static func is68K(_ t: SourceText) -> Bool {
    t.anyCase.has(
      "move.l", "move.w", "move.b", "movem.l", "movea.l", "addq.l", "tst.b", "tst.w", "bsr.w", "bra.s",
      "moveq\t", "moveq ", "dbf\t", "clr.l", "jsr\t(")
  }

  /// Whether the first line is a rule as compilers write it: `target: file file \`.
  private static func isMakeRules(_ t: SourceText) -> Bool {
    guard let line = t.lines.first(where: { t.bytes[Int($0.start)] != UInt8(ascii: "#") }) else {
      return false
    }
    let bytes = t.slice(line)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { return false }
    let target = bytes[..<colon]
    let next = bytes[(colon + 1)...].first
    return (next == nil || next == 0x20 || next == 0x09)
      && target.allSatisfy { SourceText.isNameByte($0) || "./-+$()%\\ ".utf8.contains($0) }
      && (target.contains(UInt8(ascii: ".")) || bytes.last == UInt8(ascii: "\\"))
  }

  /// Whether a line is a probe description: `provider:module:function:name`, or `BEGIN` or `END` alone.
  private static func isProbe(_ line: ArraySlice<UInt8>) -> Bool {
    if line.elementsEqual("BEGIN".utf8) || line.elementsEqual("END".utf8) { return true }
    let colons = line.filter { $0 == UInt8(ascii: ":") }.count
    return colons >= 3 && line.allSatisfy { SourceText.isNameByte($0) || ":*-?`$,".utf8.contains($0) }
  }
}
