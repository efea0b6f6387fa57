import ForageInspector
import Testing

/// Short texts of shared extensions, each with what its language alone has.
@Suite("Languages by their texts")
struct LanguageRulesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String
    let language: String
    var testDescription: String { "\(path) is \(language)" }

    init(_ path: String, _ text: String, _ language: String) {
      self.path = path
      self.text = text
      self.language = language
    }
  }

  private func check(_ cases: [Case]) {
    var classifier = LanguageClassifier()
    for sample in cases {
      let verdict = classifier.classify(path: sample.path, attributes: .detectable) {
        Array(sample.text.utf8)
      }
      #expect(verdict?.languageName ?? "none" == sample.language, "\(sample.path): \(sample.text)")
    }
  }

  @Test func systems() {
    check([
      Case("a.h", "#pragma once\nint f(void);\n", "C"), Case("a.h", "template <class T> class B;\n", "C++"),
      Case("a.h", "static inline void f() { try {\n } catch (...) {}\n}\nclass A {\n};\n", "C++"),
      Case("a.h", "@protocol P\n@end\n", "Objective-C"), Case("a.hh", "namespace a {}\n", "C++"),
      Case("a.hh", "<?hh\nclass A {}\n", "Hack"), Case("a.m", "@interface A\n@end\n", "Objective-C"),
      Case("a.m", "% a comment\nx = 1;\n", "MATLAB"),
      Case("a.m", ":- module a.\n:- interface.\n", "Mercury"),
      Case("a.m", "(* a comment *)\nf[x_] := x\n", "Wolfram Language"),
      Case("a.m", "a ; comment\n ; b\n", "M"),
      Case("a.mm", "#import <A/A.h>\n", "Objective-C++"),
      Case("a.mm", "<?xml version=\"1.0\"?>\n<a/>\n", "XML"),
      Case("a.rs", "use std::io;\nfn f() {}\n", "Rust"), Case("a.rs", "#pragma version(1)\n", "RenderScript"),
      Case("a.re", "let f = x => x;\n", "Reason"), Case("a.re", "#include <a>\n", "C++"),
      Case("a.d", "module a;\nimport std.stdio;\n", "D"), Case("a.d", "a.o: a.c b.h\n", "Makefile"),
      Case("a.d", "syscall::read:entry\n{\n}\n", "DTrace"),
      Case("a.d", "provider p {\n  probe a();\n};\n", "DTrace"),
      Case("a.s", ".globl f\nf:\n  ret\n", "Unix Assembly"),
      Case("a.s", "%define A 1\nbits 16\n", "Assembly"),
      Case("a.asm", " moveq #1,d0\n move.l d0,d1\n", "Motorola 68K Assembly"),
      Case("a.asm", "section .text\nmov eax, 1\n", "Assembly"),
      Case("a.i", "%module a\n%{\n%}\n", "SWIG"), Case("a.ms", ".TH A 1\n", "Roff"),
      Case("a.ms", "if a then\nend if\n", "MiniScript"), Case("a.ms", "fn f a = (\n)\n", "MAXScript"),
      Case("a.v", "module a(b);\nendmodule\n", "Verilog"),
      Case("a.v", "Theorem a : True.\nProof. auto. Qed.\n", "Rocq Prover"),
      Case("a.v", "fn main() {\n println('a')\n}\n", "V"), Case("a.f", ": square dup * ;\n", "Forth"),
      Case("a.f", "      program a\n      end\n", "Fortran"),
      Case("a.fs", "let a = 1\n", "F#"), Case("a.fs", "#version 330\n", "GLSL"),
      Case("a.fs", ": a dup ;\n", "Forth"),
      Case("a.frag", "uniform vec2 a;\nvoid main() {}\n", "GLSL"),
      Case("a.cs", "using System;\n", "C#"), Case("a.cs", "!A methodsFor: 'b'!\n", "Smalltalk"),
      Case("a.cs", "using System;\nint a = b | c; // d!\n", "C#"),
      Case("a.cairo", "%lang starknet\n", "Cairo Zero"), Case("a.cairo", "fn main() {}\n", "Cairo"),
      Case("a.cl", "(defun f ())\n", "Common Lisp"), Case("a.cl", "class A inherits B {\n};\n", "Cool"),
      Case("a.cl", "__kernel void f() {\n}\n", "OpenCL"), Case("a.pc", "EXEC SQL BEGIN;\n", "Pro*C"),
      Case("a.pc", "Name: a\nVersion: 1\n", "pkg-config"), Case("a.x", "%hook A\n%end\n", "Logos"),
      Case("a.x", "SECTIONS\n{\n}\n", "Linker Script"), Case("a.x", "program A {\n} = 1;\n", "RPC"),
      Case("a.mod", "MODULE A;\nEND A.\n", "Modula-2"), Case("a.mod", "NEURON {\n}\n", "NMODL"),
      Case("a.mod", "<!ENTITY a \"b\">\n", "XML"), Case("a.cp", "MODULE A;\nEND A.\n", "Component Pascal"),
      Case("a.ch", "#command A => B\n", "xBase"), Case("a.fpp", "module A {\n}\n", "FPP"),
    ])
  }

  @Test func scripts() {
    check([
      Case("a.pl", "use strict;\n", "Perl"), Case("a.pl", "a(X) :- b(X).\n", "Prolog"),
      Case("a.pl", "use v6;\n", "Raku"), Case("a.pm", "package A;\nuse strict;\n1;\n", "Perl"),
      Case("a.pm", "/* XPM */\nstatic char *a[] = {\n", "X PixMap"), Case("a.t", "use Test::More;\n", "Perl"),
      Case("a.t", "use v6;\nplan 1;\n", "Raku"), Case("a.t", "terra f()\nend\n", "Terra"),
      Case("a.al", "codeunit 1 \"A\"\n{\n}\n", "AL"), Case("a.php", "<?php echo 1;\n", "PHP"),
      Case("a.inc", "<?php echo 1;\n", "PHP"), Case("a.inc", "inherit a\nSUMMARY = \"b\"\n", "BitBake"),
      Case("a.inc", "#declare A = 1;\n", "POV-Ray SDL"),
      Case("a.inc", "{$ifdef A}\nprocedure a;\nend;\n", "Pascal"),
      Case("a.inc", "</body>\n", "HTML"), Case("a.inc", "include(\"a.inc\");\nlocal_var b;\n", "NASL"),
      Case("a.rpy", "label start:\n", "Ren'Py"), Case("a.rpy", "import os\n", "Python"),
      Case("a.spec", "Name: a\n%description\n", "RPM Spec"),
      Case("a.spec", "Gem::Specification.new\n", "Ruby"), Case("a.r", "x <- 1\n", "R"),
      Case("a.r", "REBOL []\n", "Rebol"), Case("a.r", "resource 'a' (1) {\n};\n", "Rez"),
      Case("a.sql", "SELECT 1;\n", "SQL"),
      Case("a.sql", "CREATE FUNCTION f() AS $$\n$$ LANGUAGE plpgsql;\n", "PLpgSQL"),
      Case("a.sql", "DECLARE @a int\nGO\n", "TSQL"), Case("a.sql", "a VARCHAR2(9);\n/\n", "PLSQL"),
      Case("a.sql", "create procedure a\nbegin atomic\nend\n", "SQLPL"),
      Case("a.es", "%% a\n-module(a).\n", "Erlang"), Case("a.es", "export default 1;\n", "JavaScript"),
      Case("a.ts", "let a: number;\n", "TypeScript"), Case("a.ts", "<!DOCTYPE TS>\n<TS>\n", "XML"),
      Case("a.tsx", "const a = <b/>;\n", "TSX"), Case("a.tsx", "<?xml version=\"1.0\"?>\n", "XML"),
      Case("a.qs", "namespace A {\n}\n", "Q#"), Case("a.qs", "var a = 1;\n", "Qt Script"),
      Case("a.sc", "object A {\n def b = 1\n}\n", "Scala"), Case("a.sc", "SynthDef(\\a)\n", "SuperCollider"),
      Case("a.scd", "# NAME\n\na\n", "Markdown"), Case("a.shader", "Shader \"A\" {\n}\n", "ShaderLab"),
      Case("a.star", "loop_\n_a\n", "STAR"), Case("a.star", "def f():\n  pass\n", "Starlark"),
      Case("a.sls", "a:\n  pkg.installed\n", "Salt"), Case("a.sls", "(library (a))\n", "Scheme"),
      Case("a.tl", "local a: number = 1\n", "Teal"), Case("a.uc", "class A extends B;\n", "UnrealScript"),
      Case("a.uc", "'use strict';\nlet a = 1;\n", "ucode"), Case("a.nu", "def f [] { 1 }\n", "Nushell"),
      Case("a.nu", "(print 1)\n", "Nu"), Case("a.n", ".Dd today\n", "Roff"),
      Case("a.n", "using System;\n", "Nemerle"),
      Case("a.trigger", "trigger A on B {\n}\n", "Apex"), Case("a.ks", "%packages\n%end\n", "Kickstart"),
      Case("a.k", "module A\nendmodule\n", "KFramework"),
      Case("a.dsc", "Format: 3.0\nSource: a\n", "Debian Package Control File"),
      Case("a.p8", "-----BEGIN PRIVATE KEY-----\nTWFu\n", "none"),
      Case("a.p8", "pico-8 cartridge\n__lua__\n", "Lua"),
    ])
  }

  @Test func functionalAndLogic() {
    check([
      Case("a.lisp", "(defun f ())\n", "Common Lisp"), Case("a.lsp", "(define (f) 1)\n", "NewLisp"),
      Case("a.l", "%{\n%}\n%%\n", "Lex"), Case("a.l", ".TH A 1\n", "Roff"),
      Case("a.l", "(de f (X)\n", "PicoLisp"),
      Case("a.ml", "let rec f x = x\n", "OCaml"),
      Case("a.ml", "structure A = struct\nfun f x = x\nend\n", "Standard ML"),
      Case("a.ex", "defmodule A do\nend\n", "Elixir"),
      Case("a.ex", "include a.e\nprocedure f()\nend procedure\n", "Euphoria"),
      Case("a.e", "class\n  A\nfeature\nend\n", "Eiffel"), Case("a.e", "def f() {\n}\n", "E"),
      Case("a.b", "+++[->+<]>.\n", "Brainfuck"), Case("a.b", "implement A;\n", "Limbo"),
      Case("a.b", "main() {\n auto a;\n}\n", "B"), Case("a.bb", "SUMMARY = \"a\"\ninherit b\n", "BitBake"),
      Case("a.bb", "(defn f [])\n", "Clojure"), Case("a.bs", "sub a()\nend sub\n", "BrighterScript"),
      Case("a.pro", "a(X) :- b(X).\n", "Prolog"), Case("a.pro", "SOURCES += a.c\nHEADERS += a.h\n", "QMake"),
      Case("a.pro", "-keep class a\n", "Proguard"), Case("a.pro", "pro a, b\n  return\nend\n", "IDL"),
      Case("a.ecl", "a :- b.\n", "ECLiPSe"), Case("a.ecl", "a := 1;\n", "ECL"),
      Case("a.g", "G1 X1\nM3\n", "G-code"),
      Case("a.g", "a := function()\nend;\n", "GAP"), Case("a.gd", "extends Node\nvar a\n", "GDScript"),
      Case("a.gd", "DeclareOperation(\"A\");\n", "GAP"), Case("a.j", ".class public A\n.super B\n", "Jasmin"),
      Case("a.j", "@implementation A\n@end\n", "Objective-J"), Case("a.q", "select a from b\n", "HiveQL"),
      Case("a.q", "f:{x+1}\n", "q"), Case("a.p", "set terminal png\nplot x\n", "Gnuplot"),
      Case("a.p", "DEFINE VARIABLE a AS INTEGER.\n", "OpenEdge ABL"), Case("a.w", "@* A.\n@c\n", "CWeb"),
      Case("a.lp", "maximize\n x\nsubject to\n", "Linear Programming"),
      Case("a.lp", "a :- b, not c.\n", "Answer Set Programming"),
      Case("a.st", "Object subclass: #A\n", "Smalltalk"),
      Case("a.st", "a $if(b)$ c $endif$\n", "StringTemplate"),
      Case("a.sch", "EESchema Schematic File Version 2\n", "KiCad Schematic"),
      Case("a.sch", "(define a 1)\n", "Scheme"),
      Case("a.scm", "(define a 1)\n", "Scheme"),
      Case("a.scm", "[\"a\" \"b\"] @keyword\n", "Tree-sitter Query"),
      Case("a.lean", "import data.nat\n", "Lean"), Case("a.lean", "import Mathlib.Data\n", "Lean 4"),
      Case("a.mo", "model A\nequation\nend A;\n", "Modelica"), Case("a.mo", "actor {\n}\n", "Motoko"),
      Case("a.moo", ":- module a.\n", "Mercury"), Case("a.bf", "using System;\n", "Beef"),
      Case("a.bf", "+++[->+<]>.\n", "Brainfuck"),
    ])
  }

  @Test func basicsAndOthers() {
    check([
      Case("a.cls", "\\ProvidesClass{a}\n", "TeX"), Case("a.cls", "public class A {\n}\n", "Apex"),
      Case("a.cls", "Class A Extends %RegisteredObject\n{\nMethod a() {}\n}\n", "ObjectScript"),
      Case("a.as", "package {\n public class A {\n  function a():void {}\n }\n}\n", "ActionScript"),
      Case("a.as", "void f(string &in a) {}\n", "AngelScript"), Case("a.asc", "= Title\n\na\n", "AsciiDoc"),
      Case("a.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n", "Public Key"),
      Case("a.pp", "class a {\n}\n", "Puppet"),
      Case("a.pp", "unit a;\ninterface\nend.\n", "Pascal"),
      Case("a.fx", "float4 f() : SV_Target {\n}\n", "HLSL"),
      Case("a.fx", "Read(int a) => (int b);\n", "FLUX"),
      Case("a.toc", "## Title: a\n", "World of Warcraft Addon Data"),
      Case("a.bst", "ENTRY { a }\n", "BibTeX Style"), Case("a.bst", "kind: autotools\n", "BuildStream"),
      Case("a.dsp", "process = _;\n", "Faust"), Case("a.ftl", "<#if a>b</#if>\n", "FreeMarker"),
      Case("a.ftl", "a-b = C\n", "Fluent"), Case("a.tpl", "{{ .A }}\n", "Go Template"),
      Case("a.tpl", "{$a}\n", "Smarty"),
      Case("a.mc", "MessageId=1\n", "Win32 Message File"),
      Case("a.mc", "using A.B;\nclass C {\n}\n", "Monkey C"),
      Case("a.m4", "AC_INIT([a])\n", "M4Sugar"), Case("a.m4", "define(`a', `b')\n", "M4"),
      Case("a.properties", "a=b\n", "Java Properties"), Case("a.properties", "; c\na=b\n", "INI"),
      Case("a.pkl", "a = 1\n", "Pkl"), Case("a.pkl", "(dp0\nS'a'\np1\n", "Pickle"),
      Case("a.bas", "10 PRINT 1\n", "BASIC"), Case("a.bas", "#include \"a.bi\"\n", "FreeBASIC"),
      Case("a.bas", "Attribute VB_Name = \"A\"\nActiveSheet.Range(\"A1\")\n", "VBA"),
      Case("a.md", "# A\n", "Markdown"), Case("a.md", "(define_insn \"a\")\n", "GCC Machine Description"),
      Case("a.html", "<p>a\n", "HTML"), Case("a.html", "<emu-clause id=a>\n", "Ecmarkup"),
      Case("a.json", "{\"openapi\": \"3.0.0\"}\n", "OASv3-json"), Case("a.json", "{}\n", "JSON"),
      Case("a.yml", "a: b\n", "YAML"), Case("a.yaml", "A:\n\tb: c\n", "MiniYAML"),
      Case("a.txt", "a\n", "Text"),
      Case("a.plist", "<?xml version=\"1.0\"?>\n<plist>\n", "XML Property List"),
      Case("a.plist", "{ a = b; }\n", "OpenStep Property List"),
      Case("a.gml", "<?xml version=\"1.0\"?>\n", "XML"),
      Case("a.gml", "graph [\nnode [\n]\n]\n", "Graph Modeling Language"),
      Case("a.res", "let a = 1\n", "ReScript"), Case("a.res", "<root>\n", "XML"),
      Case("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n", "SubRip Text"),
      Case("a.sol", "pragma solidity ^0.8.0;\n", "Solidity"), Case("a.sol", "nothing of the kind\n", "none"),
      Case("a.1", ".TH A 1\n.SH NAME\n", "Roff Manpage"), Case("a.2", ".de X\n", "Roff"),
      Case("a.3", "version 3\n", "Text"),
      Case("a.8x", ".Dd May\n.Dt A 8\n.Sh NAME\n", "Roff Manpage"), Case("a.3pm", ".de X\n", "Roff"),
      Case("a.msg", "int32 a\nstring b\n", "ROS Interface"), Case("a.msg", "\u{1}mail\n", "none"),
      Case("a.srv", "int32 a\n---\nint32 b\n", "ROS Interface"),
      Case("a.url", "[InternetShortcut]\nURL=a\n", "INI"),
      Case("a.network", "[Match]\nName=a\n", "INI"), Case("a.app", "{application, a,\n []}.\n", "Erlang"),
      Case("a.resource", "*** Settings ***\n", "RobotFramework"),
      Case("a.stl", "solid a\nendsolid a\n", "STL"),
      Case("a.tag", "<%@ tag a=\"b\" %>\n", "Java Server Pages"),
      Case("a.cmp", "G04*\nD10*\n", "Gerber Image"),
      Case("data", "<?xml version=\"1.0\"?>\n<a/>\n", "XML"),
      Case("data", "\n\n\n<?xml version=\"1.0\"?>\n", "none"),
    ])
  }

  @Test func interpretersAndModes() {
    check([
      Case("a", "#!/usr/bin/env python3\n", "Python"), Case("a", "#! /bin/bash -e\n", "Shell"),
      Case("a", "#!/usr/bin/env -S ts-node run\n", "TypeScript"),
      Case("a", "#!/usr/bin/env -vS A=b perl -w\n", "Perl"),
      Case("a", "#!/bin/sh\n# \\\nexec tclsh \"$0\" \"$@\"\n", "Tcl"),
      Case("a", "#!/bin/sh\nexec true\n", "Shell"),
      Case("a", "#!/usr/bin/osascript -l JavaScript\n", "none"), Case("a", "#!/usr/bin/awk -f\n", "Awk"),
      Case("a", "#!/usr/bin/php8.2\n", "PHP"), Case("a", "# -*- ruby -*-\n", "Ruby"),
      Case("a", "// -*- tab-width: 4; mode: c++; -*-\n", "C++"), Case("a", "/* vim: set ft=c: */\n", "C"),
      Case("a", "a\n\n\n# vim600: ts=4 filetype=perl\n", "Perl"),
      Case("a", "x\ny\n# vi: se syntax=sh:\n", "Shell"),
      Case("a", "\n\n\n\n\n\n# vim: ft=ruby\n\n\n\n\n\n\n", "none"), Case("a", "# vim: ts=4\n", "none"),
      Case("a", "" + String(repeating: "x\n", count: 100) + "-- vim: ft=lua\n", "Lua"),
      Case("a", "UseVimball\nfinish\na\n\" vim: ft=ruby\n", "none"),
      Case("a.h", "/* -*- mode: objc -*- */\n", "Objective-C"),
      Case("a", "a\u{0}b", "none"), Case("a", "#!\n", "none"), Case("a", "#!/usr/bin/env\n", "none"),
    ])
  }
}
