// swift-format-ignore-file
extension ContentRules {
  /// The rules of each extension, in their order: conditions, an arrow, the language if they hold, a bar and the
  /// language if they do not; a dash stands for no language.
  ///
  /// A condition consists of terms, all of which must hold, with `or` between alternatives. A term is a kind of search
  /// and the needles, one of which must be found: at the beginning of a `line` after its indentation, of one without
  /// (`flush`), of the `first` one; anywhere (`has`), as a `word`; at the end of a line (`ends`). `then` looks for a
  /// line that begins with the first needle and contains another one, `begins` for a line that begins with a needle
  /// whatever follows. `!` negates a term, `~` ignores case. `is` names a rule without a dot, which holds if it has
  /// a language, or one of ``conditions``. A `#` at the beginning of a line begins a comment.
  static var table: StaticString {
    """
    Motorola68K  ~has "move.l" "move.w" "move.b" "movem.l" "movea.l" "addq.l" "tst.b" "tst.w" "bsr.w" "bra.s"
        "moveq\t" "moveq " "dbf\t" "clr.l" "jsr\t(" → yes
    Assembly  ~line "%macro" "%define" "%ifdef" "section " "global " ".macro" "org " "ifndef " "endif" ".equ"
        "equ " or ~has "move.l" "move.w" "move.b" "\tequ\t" " equ " "\tmov " "\tlda " "\tldr " "\tmacro"
        or line "mov " "push " "mov\t" "push\t" !has "{" → yes
    ObjectiveC  line "@interface" "@protocol" "@implementation" "@class" "@property" "@end" "@import"
        "#import <" '#import "' "NS_ASSUME_NONNULL_BEGIN" → yes
    Prolog  line "use strict" "use warnings" "my $" "sub " "package " "print " "=head1" → -
      line ":- " ":-" or ends ":-" or has " :- " or line "%" !has "$" "=>" ends "." → yes
    PLSQL  ~has "pragma " "sys_refcursor" "varchar2" "dbms_output" "%rowtype" "%type" "exception when"
        "constructor function" or ~line "/" ~has "create or replace package" "create or replace procedure"
        "create or replace function" → yes
    FreeBASIC  ~line "#include" "#lang" "#define" "#ifdef" "#ifndef" "#pragma" 'extern "c' "namespace "
        "return " or ~word "byref as" "as integer ptr" "as any ptr" "as zstring ptr" "cast(" → yes
    Raku  line "use v5" "use 5." "use strict" "use warnings" "use Test::More" "require 5" → -
      line "use v6" "unit module" "unit class" "unit package" "multi sub" "multi method" "proto " "grammar "
        "class " "role " "module " "method " "token " "rule " "has $" "use Test;" "=begin pod" "plan *" → yes
    Fortran  ~line "program " "subroutine " "function " "module " "integer" "real" "implicit none" "c "
        "call " "double precision" "end subroutine" "block data" "common " "write(" "interface" "use "
        "character" → yes
    CPlusPlus  line "template <" "template<" "namespace " "using namespace" "using std::" "public:" "private:"
        "protected:" "#include <iostream>" "#include <string>" "#include <vector>" "#include <map>"
        "#include <memory>" "#include <cstdint>" "#include <cstddef>" "#include <cstdlib>"
        "#include <functional>" "#include <utility>" "#include <algorithm>" "#include <type_traits>"
        "#include <list>" "#include <set>" "#include <mutex>" "namespace{" "public slots:" "signals:"
        "Q_OBJECT" "catch (" "catch(" "constexpr " "explicit " or has "std::" "static_cast<"
        "reinterpret_cast<" "dynamic_cast<" "const_cast<" "enum class " "noexcept" "__has_cpp_attribute"
        "__cplusplus >" or is classHead → yes
    .1 .2 .3 .4 .5 .6 .7 .8 .9  is manualPage → Roff Manpage
      is request → Roff|Text
    .1in .1m .1x .3in .3m .3p .3pm .3qt .3x .man .mdoc  is manualPage → Roff Manpage|Roff
    .msg  flush "cplusplus" "namespace " "struct " "message " "packet " "class " "enum " "import "
        → OMNeT++ MSG
      is fieldList → ROS Interface
    .srv .action  is fieldList flush "---" → ROS Interface
    # systemd units consist of sections of settings.
    .network .target .service .socket .mount .timer .container  is section has "=" → INI
    .url  flush "[InternetShortcut]" → INI
    .app  line "{application," "{'application'," "{application ," ends "}." → Erlang
    .alg  ~line "comment " "begin" "integer " "real " "boolean " "procedure " or is hashComment → ALGOL
    .cmp  is gerber → Gerber Image
    .resource  flush "*** Settings" "*** Variables" "*** Keywords" → RobotFramework
    .sol  line "pragma solidity" or line "contract " "abstract contract " "interface " "library " → Solidity
      is gerber → Gerber Image
    .stl  first "solid" flush "endsolid" → STL
    .tag  then "<%@" "tag" "taglib" "include" "attribute" "variable" or has "<%!" "<%=" → Java Server Pages
    # Lua cartridges of PICO-8; private keys have the same extension.
    .p8  has "pico-8 cartridge" or line "function " "local " "__lua__" → Lua
    .h  is ObjectiveC → Objective-C
      is CPlusPlus → C++|C
    .hh  first "<?hh" → Hack|C++
    .cp  line "MODULE " "END " "IMPORT " "BEGIN" → Component Pascal|C++
    .m  is ObjectiveC or line "#import" "#include" "#define" "#ifdef" "#pragma" → Objective-C
      line ":- module" ":- interface" ":- import_module" ":- pred" → Mercury
      line "implement " 'include "' has "module" "adt" → Limbo
      has ": module" "->fd" "= load " has "sys->" "con " → Limbo
      flush ": " flush ";" → MUF
      first "$def" "( " has "begin" "exit" → MUF
      line "(*" or has "[[" ":=" "/." "BeginPackage[" "Module[" !line "function " "%" → Wolfram Language
      line ";" or line "QUIT" "quit" !line "%" → M
      line "%" "function " "end" "classdef" "clear" "clc" "close all" "figure" "disp(" "fprintf(" → MATLAB
      has " ;" " S " " D ^" "$$" → M
      line "//" "/*" "@" "int main" "static " → Objective-C|MATLAB
    .mm  first "<?xml" "<map" "<!--" → XML|Objective-C++
    # Rust before RenderScript, because a string in a Rust test can hold what that rule looks for.
    .rs  first "<?xml" → XML
      line "use " "fn " "mod " "pub " "impl " "macro_rules!" "#![" "#[" → Rust
      line "#pragma rs" "#pragma version" "#include" "#pragma once" → RenderScript|Rust
    .re  line "#include" "#define" "#ifdef" "#ifndef" "#pragma" "template <" "template<" "namespace "
        or has "/*!re2c" "/*!rules:re2c" "/*!max:re2c" "/*!stags:re2c" or line "std::" → C++|Reason
    # `provider` and `probe` declare user-level (USDT) probes.
    .d  is makeRules → Makefile
      line "#pragma D " or has "#!/usr/sbin/dtrace" → DTrace
      flush "provider " line "probe " → DTrace
      is probe !line "import " "module " → DTrace|D
    .s  ~line "%define" "%macro" "%include" "bits 16" "bits 32" "bits 64" "org " → Assembly
      line ".globl" ".section" ".text" ".global" ".type" ".align" ".file" ".cfi_startproc" → Unix Assembly
      is Motorola68K → Motorola 68K Assembly
    .asm  ~line "%define" "%macro" "%include" "bits 16" "bits 32" "bits 64" "org " → Assembly
      is Motorola68K → Motorola 68K Assembly|Assembly
    .i  line "%module" "%{" "%include" "%define" "%typemap" "%template" "%feature" → SWIG
      is Motorola68K → Motorola 68K Assembly
      line "#pragma SWIG" → SWIG|Assembly
    .ms  line ".text" ".globl" ".global" ".section" ".include" ".align" → Unix Assembly
      flush ".TH" ".SH" ".PP" ".LP" ".NH" ".TL" ".de" ".so" '.\\"' ".nr" ".ds" → Roff
      line "end if" "end while" "end function" "end for" → MiniScript|MAXScript
    .nas  has "func(" "func {" "func()" "setprop(" "getprop(" "props.globals" → Nasal|Assembly
    Verilog  then "module " "(" ";" "#" or line "endmodule" "`timescale" "`include" "`define" "`ifdef"
        "always @" → yes
    .v  is Verilog line "fn " "pub fn " → V
      is Verilog → Verilog
      line "Require " "Import " "Export " "Lemma " "Theorem " "Proof" "Qed." "Definition " "Inductive "
        "Fixpoint " "Section " "From " "Notation " "Module " "(*" → Rocq Prover
      line "fn " "pub fn " "import " "struct " "pub struct " "module " "mut " "println(" → V|Verilog
    .f  flush ": " or line ": " "\\ " "variable " "constant " or word "endif then" → Forth
      line "set $" "define " "flowop" has "flowop" "define process" → Filebench WML|Fortran
    .for  flush ": " or line ": " "\\ " "variable " "constant " or word "endif then" → Forth
      !is Fortran first "(" or !is Fortran !word "end" "END" → Formatted|Fortran
    .fpp  then "module " "{" or line "instance " "topology " "passive component " → FPP
      is Fortran or line "#:" "#ifdef" "#include" "!" → Fortran|FPP
    .fr  flush ": " or line "\\ " "variable " "( " → Forth
      line "module " "import " "data " "type " "infix" or has " :: " → Frege|Text
    .frag  line "function " "var " "module.exports" "(function" "require(" !line "void main" "uniform "
        → JavaScript|GLSL
    .fs  line "#version" "precision " "uniform " "varying " "void main" "gl_FragColor" "out vec" "in vec"
        → GLSL
      line "#include" "#pragma rs" "#pragma version" → Filterscript
      line "let " "open " "module " "namespace " "type " "[<" "member " "//" "#light" "#r " "#if" → F#
      flush ": " or line ": " "\\ " "variable " "also " "( " → Forth|F#
    .cs  first "!" or has " ifTrue: [" "methodsFor:" "subclass: #" " | " is exclamation → Smalltalk|C#
    .cairo  line "%lang" "%builtins" "func " "[ap" "[fp" "from starkware." or ends "ap++;"
        → Cairo Zero|Cairo
    .ch  ~line "#command" "#xcommand" "#translate" "#xtranslate" "#define" "#include" "#ifdef"
        → xBase|Charity
    .pc  line "EXEC SQL" "exec sql" "#include" or has "EXEC SQL" → Pro*C|pkg-config
    .cl  then "class " "{" "inherits" or has " inherits " → Cool
      line "(defun" "(in-package" "(defpackage" "(defmacro" "(load" "(" or first ";" → Common Lisp|OpenCL
    .x  line "%hook" "%ctor" "%orig" "%group" "%new" "%init" "#import" → Logos
      first "xof " → DirectX 3D File
      line "SECTIONS" "OUTPUT_ARCH" "OUTPUT_FORMAT" "ENTRY(" "MEMORY" → Linker Script|RPC
    .mod  line "<!ENTITY" "<!ELEMENT" "<!ATTLIST" "<?xml" or first "<!--" → XML
      line "NEURON {" "NEURON{" "UNITS {" "UNITS{" "INITIAL {" "BREAKPOINT {" → NMODL
      line "MODULE " "DEFINITION MODULE" "IMPLEMENTATION MODULE" "PROCEDURE " → Modula-2
      is objectList → Linux Kernel Module
      line "param " "set " "var " "minimize " "maximize " "subject to" "s.t." → AMPL
    .nr  line "fn " "use " "mod " "struct " "pub " "global " "contract " "//" → Noir|Roff
    .pl  is Prolog → Prolog
      is Raku → Raku|Perl
    .plt  is Prolog → Prolog|Gnuplot
    .pm  first "/* XPM" "! XPM2" or has "/* XPM */" → X PixMap
      is Raku → Raku|Perl
    .t  line "terra " "local terra " or then "local " "= terralib" "require(" → Terra
      then "var " " : " " := " or line "View.Set" 'put "' "proc " "process " !has "->" "$" → Turing
      is Raku → Raku|Perl
    .al  ~line "table " "codeunit " "page " "report " "enum " "tableextension " "pageextension " "query "
        "profile " "profileextension " "pagecustomization " "interface " "permissionset " or ~has "end;"
        ~line "procedure " "local procedure " → AL|Perl
    .cgi  line "<?php" → -
      line "use strict" "my $" → Perl
    .fcgi  line "<?php" → PHP
      line "use strict" "my $" → Perl
    .php  first "<?hh" or line "<?hh" → Hack|PHP
    Pawn  line "public Plugin" "native " "forward " "methodmap " "#pragma newdecls" or has "MaxClients"
        "SourceMod" → yes
    .inc  first "<?php" "<?" or has "<?php" "<?=" → PHP
      ~first "<!--" "<html" "<!doctype" "<div" "<p" "<table" "</" → HTML
      line "SUMMARY" "LICENSE =" "SRC_URI" "DEPENDS" "inherit " "RDEPENDS" "PV =" "PR =" "do_install"
        "PREFERRED_PROVIDER" has "=" → BitBake
      line "script_id(" 'include("' "if(description)" "local_var " "global_var " has "script_" "exit(0)"
        "get_kb_item" "local_var" "global_var" '.inc");' → NASL
      is Pawn has "SourceMod" "methodmap" "Handle:" "sourcemod" "SharedPlugin" → SourcePawn
      is Pawn → Pawn
      line "#declare" "#local" "#macro" "#version" has "#declare" "#end" "pigment" → POV-Ray SDL
      is Assembly ~has "move.l" "move.w" "move.b" → Motorola 68K Assembly
      is Assembly → Assembly
      ~line "procedure " "function " "unit " "{$ifdef" "{$define" "{$" "const" "uses " !line "#" → Pascal
      ~line "select " "create table" "insert into" "drop table" "--" !line "#include" "#define" "#if"
        "#pragma" → SQL
      line "#" "static " "//" "/*" → C++
    .rpy  line "label " "init python" "define " "screen " "image " "init:" "transform " "style " "init "
        → Ren'Py|Python
    .spec  line "Name:" "%description" "%prep" "%files" "%changelog" "%define" "%global" → RPM Spec
      line "Gem::Specification" "require " "describe " "Pod::" → Ruby|Python
    .r  ~line "rebol" "red [" "red/system" → Rebol
      line '#include "Types.r"' "resource '" "type '" "data '" → Rez|R
    .reds  first "Red/System" or ~line "red/system" → Red
      has "func " "->" → Redscript|Red
    .sql  ~has "language plpgsql" "language 'plpgsql'" "$$" "$body$" "raise notice" "begin;" !~line "go"
        ~has "plpgsql" "language 'sql'" "raise notice" "$body$" → PLpgSQL
      ~has "language plpgsql" "language 'plpgsql'" "$$" "$body$" "raise notice" "begin;" !~line "go" → SQL
      ~has "language sql" "begin atomic" "signal sqlstate" "modifies sql data" "result_set_locator"
        "mode db2sql" "syscat." "sysproc." "alter module" or ~ends "end!" or ~ends "end !" → SQLPL
      ~has "@@rowcount" "nvarchar(" "begin try" "sp_executesql" "exec sp_" "[dbo]." "set nocount on"
        "@@fetch_status" or ~line "go" ~has "dbo." or ~line "declare @" → TSQL
      is PLSQL → PLSQL|SQL
    .ddl .prc  is PLSQL → PLSQL|SQL
    .es  line "-module(" "%%" "%" "main(" or first "%!" "#!/usr/bin/env escript" → Erlang|JavaScript
    .gs  line "uses " "init" "[indent" !has "{" → Genie
      line "uses " "package " "property " "construct(" → Gosu
      line "#version" "layout(" "layout (" "EmitVertex" → GLSL|JavaScript
    .ts  first "<?xml" "<!DOCTYPE TS" "<TS " → XML|TypeScript
    .tsx  first "<?xml" "<tileset" → XML|TSX
    .ls  first "import " "package " line "public " "package\n{" "class " has "override " "public class "
        → LoomScript
      line "package" → LoomScript|LiveScript
    .qs  line "operation " "namespace " "open Microsoft" "newtype " → Q#|Qt Script
    .sc  line "import " "object " "class " "package " "def " "val " "trait " has "def " "object " "val "
        "import " !has "SynthDef" "^this" "Ugen" "|" → Scala
      has "SynthDef" "{ |" "{|" "^this" "~" "*new" "*ar" "arg " "var <" → SuperCollider|Scala
    .scd  line "# " "NAME" "_" flush "# " → Markdown|SuperCollider
    .shader  line "Shader " 'Shader"' "SubShader" → ShaderLab
      line "void main" "uniform " "#version" "precision " → GLSL
    .star  line "data_" "loop_" "save_" or first "data_" → STAR|Starlark
    .sls  line "(library" "(import" "(define" "(" or first ";" "#!r6rs" → Scheme|Salt
    .jq  line "declare " "import module" "module namespace" "jsoniq version" "xquery version" "for $"
        → JSONiq|jq
    .tl  line "---functions---" "---types---" or is typeCombinator → Type Language|Teal
    .uc  line "import " "let " "function " "'use strict'" "{%" "export " !~then "class " "extends"
        → ucode|UnrealScript
    .nu  line "def " "export " "let " "mut " "use " "module " "alias " "#!/usr/bin/env nu" → Nushell
      line "(" or first ";" → Nu|Nushell
    .n  flush ".Dd" ".TH" ".SH" ".so" `'\\"` '.\\"' `'\\" ` → Roff|Nemerle
    .trigger  line "#" "if [" "set -" "export " !~line "trigger " → Shell|Apex
    .ks  line "%packages" "%post" "%pre" "bootloader" "rootpw" "clearpart" "autopart" "lang "
        → Kickstart|KerboScript
    .k  line "module " "syntax " "endmodule" "rule " "require " "requires " "configuration" → KFramework|KCL
    .cake  line "#addin" "#tool" "#load" "Task(" "var " "using " "//" → C#|CoffeeScript
    .pluginspec  first "<?xml" "<plugin" → XML|Ruby
    .dsc  line "Format:" "Source:" "Binary:" "-----BEGIN PGP" → Debian Package Control File|DenizenScript
    .lisp .lsp  line "(define " "(define(" "(context " or has "newlisp" → NewLisp|Common Lisp
    Lisp  line "(def" "(in-package" "(setq" "(let" "(defpackage" or first ";" → yes
    .l  is Lisp line "(de " "(class " "(dm " "(rel " "# " → PicoLisp
      is Lisp → Common Lisp
      line "(de " "(class +" "(dm " "(must " "(symbols " "(load " → PicoLisp
      flush "%{" "%%" "%option" "%x" "%top" → Lex
      flush "." or line ".TH" ".SH" '.\\"' → Roff|Lex
    .ml  line "structure " "signature " "functor " "fun " "datatype " "infix " !line "module " "let rec "
        "type t =" → Standard ML|OCaml
    .ex  line "include " "integer " "sequence " "atom " "procedure " "end procedure" "end function" "--"
        "without " !line "defmodule " "@" → Euphoria|Elixir
    .e  line "procedure " "global " "include " "public " "namespace " "end procedure" "end function" "export "
        !line "class" "feature" "def " → Euphoria
      line "class" "feature" "inherit" "note" "indexing" "deferred class" "create" "expanded class"
        → Eiffel|E
    .b  line "implement " 'include "' → Limbo
      is brainfuck → Brainfuck|B
    .bf  line "LoadFunctionLibrary" "DataSet " "fprintf" "global " "Model " "Tree " "#include" → HyPhy
      line "using " "namespace " "class " "public " "struct " → Beef
      is brainfuck → Brainfuck|Befunge
    .bb  line "SUMMARY" "DESCRIPTION" "LICENSE" "inherit " "SRC_URI" "require " "DEPENDS" → BitBake
      line "(ns " "(defn" "(def " "(require" "(" or first "#!/usr/bin/env bb" → Clojure|BlitzBasic
    .bs  line "package " or has " :: " → Bluespec BH
      line "sub " "function " "class " "namespace " "import " "end sub" → BrighterScript|Bikeshed
    .pro  line "-keep" "-dont" "-optimiz" "-repackage" "-libraryjars" "-include " "-basedirectory"
        or begins "-keep" "-dont" → Proguard
      line ":- " ":-" or has " :- " or ends ":-" → Prolog
      is bracketed !~line "pro " → INI
      line "HEADERS" "SOURCES" "TEMPLATE" "QT " "QT+" "CONFIG" "TARGET" "SUBDIRS" "include(" → QMake
      ~line "pro " "function " "compile_opt" "end" "return" → IDL
      has "=" → INI|Prolog
    .ecl  line ":-" or has " :- " → ECLiPSe|ECL
    .g  is gCode → G-code
      has ":=" "function(" "#" → GAP|G-code
    .gd  line "Declare" "#############" or begins "Declare" "##" → GAP|GDScript
    .tst  line "gap>" → GAP|Scilab
    .j  line ".class" ".super" ".method" ".source" → Jasmin
      line "@import" "@implementation" "@interface" "@end" → Objective-J
      line "function " "library " "globals" "scope " "native " "//" → JASS
    .q  ~line "select " "create table" "insert " "set hive" "drop table" "from " "create external"
        → HiveQL|q
    .p  line "plot " "set term" "set title" "set output" "set xlabel" "splot " "set " "unset "
        → Gnuplot|OpenEdge ABL
    .w  line "@*" "@<" "@ " "@c" "\\input" → CWeb|OpenEdge ABL
    .lp  ~line "minimize" "maximize" "subject to" "max:" "min:" "maximise" "minimise" "max " "min "
        → Linear Programming
      line "require open" "symbol " "rule " "opaque " "constant symbol" "require "
        → Lambdapi|Answer Set Programming
    .st  has "$if(" "$endif$" "<if(" "<endif>" "group " or line "group " "delimiters" !has "subclass:"
        → StringTemplate
      line "!" '"' "Object subclass:" or has "subclass:" ":=" "methodsFor:" "^ " "ifTrue:"
        → Smalltalk|StringTemplate
    # `v` and two numbers begin the schematics of gEDA, which have the same extension.
    .sch  first "<?xml" "<schema" "<sch:" has "<eagle" → Eagle
      first "<?xml" "<schema" "<sch:" → XML
      first "EESchema" "(kicad_sch" "v 2" → KiCad Schematic|Scheme
    .scm  line "(#" "[" has "] @" ") @" '" @' "(#match?" "(#eq?" "(#set!" → Tree-sitter Query
      line "(define" "(import" "(use-modules" "(load" "(module" "(library" "(let" "(set!" "#!" → Scheme
      line "[" "(" has ") @" '" @' "] @" "(#" → Tree-sitter Query|Scheme
    .nb  has "(* Content-type: application/" "Notebook[" "(* CreatedBy='" "Cell[" → Wolfram Language|Text
    .moo  line ":- module" ":- interface" ":- pred" → Mercury|Moocode
    .mo  line "import " "actor " "module {" "public func" "public shared" "func " !has "equation" "within "
        "end " → Motoko|Modelica
    # Module names begin with a capital in Lean 4 and with a small letter in earlier versions.
    .lean  is oldLean → Lean
    .bas  line "Type=" "Group=" "Version=" "B4A=true" "B4J=true" "ModulesStructureVersion"
        line "@EndOfDesignText@" → B4X
      line "Attribute VB_Name" ~has "declare ptrsafe" "thisworkbook" "activesheet" "application." "worksheet"
        "range(" → VBA
      line "Attribute VB_Name" → Visual Basic 6.0
      ~line "option vba" "option explicit" "public sub " "private sub " "public function " !is FreeBASIC → VBA
      is FreeBASIC → FreeBASIC
      ~line "declare sub" "declare function" "'$include" "rem $include" "defint " "'$dynamic" "'$static"
        "_title" or ~has "_newimage" "_limit" "$include:" → QuickBASIC
      is numbered → BASIC|VBA
    .bi  is FreeBASIC → FreeBASIC|QuickBASIC
    .frm  line "VERSION 5.00" has "Begin VB." "Object = " → Visual Basic 6.0
      line "VERSION 5.00" → VBA|INI
    .vba  first '"' or line '" Vimball' "UseVimball" "finish" → Vim script|VBA
    .cls  line "\\NeedsTeXFormat" "\\ProvidesClass" "\\def" "\\newcommand" "\\RequirePackage" "%" → TeX
      line "VERSION 1.0 CLASS" "Attribute VB_Name" line "BEGIN" has "MultiUse = -1  'True"
        "MTSTransactionMode" line "Persistable" "DataBindingBehavior" "MTSTransactionMode" → Visual Basic 6.0
      line "VERSION 1.0 CLASS" "Attribute VB_Name" → VBA
      ~then "class " "extends %" "[" "%persistent" has "Property " "ClassMethod " "Method " "%" → ObjectScript
      ~line "routine-level" "method public" "end method" "define " "using progress" "&scoped-define"
        "block-level" "end class" → OpenEdge ABL
      ~line "public " "private " "global " "@istest" "/**" "abstract " "virtual " → Apex
    .as  line "package" "import " "public class" "class " "dynamic class" "intrinsic class" "package "
        has ":void" ": void" ":String" ":Number" "import flash" "import mx" or line "import " "package"
        → ActionScript
      line "#include" "#pragma" "void " "[Setting" "int " "string " "funcdef " "shared " "enum " "namespace "
        or has "@ " "@>" "&in" "&out" → AngelScript|ActionScript
    .asc  has "-----BEGIN " "---- BEGIN " or line "ssh-" → Public Key
      line "function " "#define" "struct " "import " "export " "//" !flush "= " "== " → AGS Script|AsciiDoc
    .ash  line "import " "import<" "script " "notify " or has "$item" "$skill" "my_" "cli_execute"
        → KoLmafia ASH|AGS Script
    .asy  first "Version " line "SymbolType" "LINE " "SYMATTR " → LTspice Symbol|Asymptote
    .pp  ~line "unit " "program " "interface" "implementation" "uses " "begin" "end." "{$" !then "class " "{"
        "(" → Pascal|Puppet
    # FLUX nodes list inputs and outputs around an arrow, which HLSL shaders lack.
    .fx  has ") => (" ")=>(" or line "=>" or ends "=>" → FLUX|HLSL
    .toc  line "## " → World of Warcraft Addon Data|TeX
    .bst  line "ENTRY" "FUNCTION " "FUNCTION{" "READ" "INTEGERS" "STRINGS" → BibTeX Style|BuildStream
    .dsp  line "# Microsoft Developer Studio" or has "Microsoft Developer Studio"
        → Microsoft Developer Studio Project|Faust
    .ftl  has "<#" "${" "[#" "</#" → FreeMarker
      has " = " "-term" "=\n" → Fluent
    .tpl  has "{{" → Go Template|Smarty
    .mc  ~line "messageid=" "messageidtypedef" "severitynames" "facilitynames" "languagenames"
        → Win32 Message File
      line "divert(" "define(" "dnl" "include(" "OSTYPE(" "DOMAIN(" "FEATURE(" "MAILER(" "VERSIONID("
        → M4|Monkey C
    # The macros of Autoconf, and M4's own macros with the prefix `m4_`.
    .m4  has "AC_DEFUN(" "AC_PREREQ(" "AC_INIT(" "AT_SETUP(" "AS_IF(" or begins "m4_" "_m4_" → M4Sugar|M4
    .mqh  has "class " "input " "#property strict" "MqlTick" "override" !has "extern " "OrderSend("
        → MQL5|MQL4
    .rno  flush ".TH" ".SH" ".PP" '.\\"' ".so" ".de" or has "\\f" `'\\"` → Roff|RUNOFF
    .rsc  line "module " "import " "data " "public " "@doc" → Rascal|RouterOS Script
    .properties  line "[" ";" → INI|Java Properties
    .cfg  flush "global" "defaults" "frontend " "backend " "listen " → HAProxy|INI
    .vhost  line "server {" "server{" "location " "listen " "upstream " → Nginx|ApacheConf
    .workflow  first "<?xml" → XML|HCL
    .cue  line 'FILE "' "TRACK " "PERFORMER " "REM " "INDEX " → Cue Sheet|CUE
    .odin  line "package " "import " "//" or has ":: proc" → Odin|Object Data Instance Notation
    .ice  first "{" → JSON|Slice
    .tact  first "{" has '":' → JSON|Tact
    .mps  first "<?xml" or has "<model" → JetBrains MPS|Mathematical Programming System
    .mojo  first "<?xml" or has "<mojo" → XML|Mojo
    .sw  first "<?xml" "<" → XML|Sway
    .typ  first "<?xml" "<" → XML|Typst
    .tsp  line "NAME" "TYPE" "DIMENSION" "EDGE_WEIGHT_TYPE" → TSPLIB data|TypeSpec
    .mask  first "%YAML" → Unity3D Asset|Mask
    .pkl  is pickle → Pickle|Pkl
    .md  line "(define_insn" "(define_expand" "(define_" "(match_" ";;" begins "(define_"
        → GCC Machine Description|Markdown
    .html  has "<emu-" "</emu-" or begins "<emu-" or line "<pre class=metadata>" → Ecmarkup|HTML
    .json  has '"openapi":' '"openapi" :' → OASv3-json
      has '"swagger":' '"swagger" :' → OASv2-json|JSON
    .yaml .yml  flush "openapi:" '"openapi":' → OASv3-yaml
      flush "swagger:" '"swagger":' → OASv2-yaml
      line "\t" or is tabbed → MiniYAML|YAML
    .txt  first "[Adblock" "! Title" "[uBlock" → Adblock Filter List
      has "*For Vim version" "vim:tw=78" "vim:ft=help" "ft=help" → Vim Help File|Text
    .plist  first "<?xml" "<!DOCTYPE plist" "<plist" → XML Property List|OpenStep Property List
    .vcf  first "BEGIN:VCARD" or line "BEGIN:VCARD" → vCard
      first "##fileformat" → TSV
    # A `<%` begins a Gosu template, not XML.
    .res  first "<?xml" "<style" "<root" or first "<" !first "<%" → XML|ReScript
    .gst  first "<?xml" "<style" "<root" or first "<" !first "<%" → XML|Gosu
    .csl  first "<?xml" "<style" "<root" or first "<" !first "<%" → XML|Kusto
    .gml  first "<?xml" or line "<gml:" "<graphml" → XML
      line "graph" "Creator" line "node" "edge" "graph [" "graph" has "[" !has ";" → Graph Modeling Language
      line "G04" "%FS" "%MO" "D10*" or ends "*%" → Gerber Image|Game Maker Language
    .gts  line "G04" "%FS" "%MO" or ends "*%" → Gerber Image|Glimmer TS
    .ncl  first "<?xml" "<ncl" → XML
      line "G04" "%FS" or ends "*%" → Gerber Image
      first "THE_TITLE" "THE TITLE" or line "THE_TITLE:" → Text
      line "let" "{" "in" !line "begin" "load " ";" → Nickel|NCL
    .brd  first "<?xml" "<!DOCTYPE eagle" "<eagle" → Eagle|KiCad Legacy Layout
    .pbt  ~line "$pbexportheader" "global type" "forward" or has "Save Format v3"
        → PowerBuilder|Protocol Buffer Text Format
    .pod  line "=begin pod" "=begin " "=for " !line "=head1" "=pod" "=cut" or line "=begin pod" → Pod 6|Pod
    .srt  has " --> " → SubRip Text|SRecode Template
    .svx  line "*begin" "*end" "*include" "*data" "*export" ";" → Survex data|mdsvex
    .yy  first "{" has '":' → JSON|Yacc
    .nl  line "(define " "(" ";" or first "#!" → NewLisp|NL

    """
  }
}
