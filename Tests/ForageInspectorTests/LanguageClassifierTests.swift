import ForageInspector
import Testing

@Suite("Languages of files")
struct LanguageClassifierTests {
  /// A path, the beginning of its file (nil: must not be read) and what is expected.
  struct Sample: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String?
    let name: String?
    let counts: Bool
    var testDescription: String { path }

    init(_ path: String, _ text: String? = nil, is name: String?, counts: Bool = true) {
      self.path = path
      self.text = text
      self.name = name
      self.counts = counts
    }
  }

  static func check(_ sample: Sample, attributes: String...) {
    let files = attributes.map { GitAttributesFile(directory: "", text: $0) }
    let verdict = LanguageClassifier(attributes: files).classify(path: sample.path) {
      if sample.text == nil { Issue.record("\(sample.path) was read although its name is decisive") }
      return sample.text.map { Array($0.utf8) }
    }
    #expect(verdict?.name == sample.name)
    if sample.name != nil { #expect(verdict?.counts == sample.counts) }
  }

  @Test(
    "The name alone is enough",
    arguments: [
      Sample("Sources/App/main.swift", is: "Swift"),
      Sample("a/b/c.GO", is: "Go"),
      Sample("Makefile", is: "Makefile"),
      Sample("deep/er/CMakeLists.txt", is: "CMake"),
      Sample("view.antlers.html", is: "Antlers"),
      Sample("Dockerfile", is: "Dockerfile"),
      Sample("a.json", is: "JSON", counts: false),
      Sample("a.yml", is: "YAML", counts: false),
      Sample("notes.txt", is: "Text", counts: false),
      Sample("script.bats", is: "Shell"),
      Sample("refs.bib", is: "TeX"),
      Sample("photo.PNG", is: nil),
      Sample("", is: nil),
    ])
  func byName(_ sample: Sample) { Self.check(sample) }

  @Test(
    "Contents tell where extensions are shared",
    arguments: [
      Sample("a.h", "#ifndef A_H\nint f(void);\n#endif\n", is: "C"),
      Sample("a.h", "namespace a {\nclass B {\n};\n}\n", is: "C++"),
      Sample("a.h", "/* one class of things */\nint f(void);\n", is: "C"),
      Sample("a.h", "#import <UIKit/UIKit.h>\n@interface A : NSObject\n@end\n", is: "Objective-C"),
      Sample("a.m", "#import \"A.h\"\n@implementation A\n@end\n", is: "Objective-C"),
      Sample("a.m", "function y = f(x)\n% doubles\ny = 2 * x;\nend\n", is: "MATLAB"),
      Sample("a.pl", "use strict;\nmy $a = 1;\n", is: "Perl"),
      Sample("a.pl", ":- use_module(library(lists)).\nf(X) :- g(X).\n", is: "Prolog"),
      Sample("a.pl", "use v6;\nsay 1;\n", is: "Raku"),
      Sample("a.ts", "export const a: number = 1;\n", is: "TypeScript"),
      Sample("a.ts", "<?xml version=\"1.0\"?>\n<TS version=\"2.1\"/>\n", is: "XML", counts: false),
      Sample("a.rs", "fn main() {}\n", is: "Rust"),
      Sample("a.rs", "#pragma version(1)\n#pragma rs java_package_name(a.b)\n", is: "RenderScript"),
      Sample("a.v", "module a(input b);\nendmodule\n", is: "Verilog"),
      Sample("a.v", "Require Import Arith.\nLemma a : True.\nProof. auto. Qed.\n", is: "Rocq Prover"),
      Sample("a.cs", "using System;\nclass A {}\n", is: "C#"),
      Sample("a.fs", "module A\nlet b = 1\n", is: "F#"),
      Sample("a.fs", "#version 330\nout vec4 c;\nvoid main() {}\n", is: "GLSL"),
      Sample("a.php", "<?php echo 1;\n", is: "PHP"),
      Sample("a.php", "<?hh\nfunction f(): void {}\n", is: "Hack"),
      Sample("a.r", "x <- c(1, 2)\n", is: "R"),
      Sample("a.sql", "SELECT 1;\n", is: "SQL", counts: false),
      Sample(
        "a.sql", "DECLARE\n  a VARCHAR2(10);\nBEGIN\n  DBMS_OUTPUT.PUT_LINE(a);\nEND;\n/\n", is: "PLSQL"),
      Sample("a.d", "import std.stdio;\nvoid main() {}\n", is: "D"),
      Sample("a.d", "a.o: a.c a.h \\\n  b.h\n", is: "Makefile"),
      Sample("a.cls", "\\ProvidesClass{a}\n", is: "TeX"),
      Sample("a.md", "# Title\n", is: "Markdown", counts: false),
      Sample("a.l", "%{\n#include <stdio.h>\n%}\n%%\n", is: "Lex"),
      Sample("a.ml", "let a = 1\n", is: "OCaml"),
      Sample("a.html", "<!doctype html>\n<p>a\n", is: "HTML"),
      Sample("a.pro", "TEMPLATE = app\nSOURCES += a.cpp\n", is: "QMake"),
      Sample("a.spec", "Name: a\n%description\n", is: "RPM Spec", counts: false),
      Sample("a.inc", "<?php $a = 1;\n", is: "PHP"),
      Sample("a.t", "use Test::More;\nok 1;\n", is: "Perl"),
      Sample("a.gd", "extends Node\nfunc _ready():\n\tpass\n", is: "GDScript"),
    ])
  func byContents(_ sample: Sample) { Self.check(sample) }

  @Test(
    "Interpreters and editor modes tell",
    arguments: [
      Sample("run", "#!/bin/sh\necho\n", is: "Shell"),
      Sample("run", "#!/usr/bin/env -S FOO=1 python3.12 -u\n", is: "Python"),
      Sample("run", "#!/usr/local/bin/lua5.4\n", is: "Lua"),
      Sample("run", "#!/bin/sh\nexec ruby -x \"$0\" \"$@\"\n", is: "Ruby"),
      Sample("a.cgi", "#!/usr/bin/perl\n", is: "Perl"),
      Sample("a.ts", "#!/usr/bin/env node\n", is: "TypeScript"),
      Sample("run", "# -*- mode: ruby; coding: utf-8 -*-\n", is: "Ruby"),
      Sample("a.h", "// -*- C++ -*-\nint a;\n", is: "C++"),
      Sample("run", "# vim: set ft=python:\n", is: "Python"),
      Sample("run", "nothing known\n", is: nil),
      Sample("run", "#!\n", is: nil),
      Sample("run", "a\0b", is: nil),
      Sample("run", "", is: nil),
    ])
  func byHints(_ sample: Sample) { Self.check(sample) }

  @Test(
    "Only the project's own work counts",
    arguments: [
      Sample("vendor/github.com/a/b.go", is: "Go", counts: false),
      Sample("web/node_modules/a/index.js", is: "JavaScript", counts: false),
      Sample("third_party/a.py", is: "Python", counts: false),
      Sample("dist/app.js", is: "JavaScript", counts: false),
      Sample("js/app.min.js", is: "JavaScript", counts: false),
      Sample("js/jquery-3.7.1.js", is: "JavaScript", counts: false),
      Sample("api/a.pb.go", is: "Go", counts: false),
      Sample("a_pb2.py", is: "Python", counts: false),
      Sample("docs/conf.py", is: "Python", counts: false),
      Sample("src/docs/conf.py", is: "Python"),
      Sample("examples/a.go", is: "Go", counts: false),
      Sample("gradlew", is: "Shell", counts: false),
      Sample("README.rb", is: "Ruby", counts: false),
      Sample("Cargo.lock", is: "TOML", counts: false),
      Sample("vendored/a.go", is: "Go"),
      Sample("a.h", "/* Generated by bison. DO NOT EDIT. */\nint a;\n", is: "C", counts: false),
      Sample("a.ts", "// Code generated by protoc-gen-ts. DO NOT EDIT.\n", is: "TypeScript", counts: false),
    ])
  func exclusions(_ sample: Sample) { Self.check(sample) }

  @Test(
    "Attributes have the last word",
    arguments: [
      ("*.foo linguist-language=Python", "a/b.foo", "Python", true),
      ("*.foo linguist-language=Emacs-Lisp", "b.foo", "Emacs Lisp", true),
      ("*.go linguist-vendored", "a/b.go", "Go", false),
      ("vendor/** -linguist-vendored", "vendor/a/b.go", "Go", true),
      ("vendor/** linguist-vendored=false", "vendor/b.go", "Go", true),
      ("vendor/* -linguist-vendored", "vendor/a/b.go", "Go", false),
      ("vendor/ -linguist-vendored", "vendor/b.go", "Go", false),
      ("docs/* linguist-documentation=false", "docs/a.py", "Python", true),
      ("/a.go linguist-generated", "a.go", "Go", false),
      ("/a.go linguist-generated", "b/a.go", "Go", true),
      ("**/gen/*.go linguist-generated=true", "a/b/gen/c.go", "Go", false),
      ("**/gen/*.go linguist-generated=true", "gen/c.go", "Go", false),
      ("a/**/c.go linguist-generated", "a/c.go", "Go", false),
      ("a/**/c.go linguist-generated", "a/x/y/c.go", "Go", false),
      ("[a-c]?.go linguist-generated", "b1.go", "Go", false),
      ("[!a-c]?.go linguist-generated", "b1.go", "Go", true),
      ("[[:digit:]].go linguist-generated", "7.go", "Go", false),
      ("\"a b.go\" linguist-generated", "a b.go", "Go", false),
      ("*.json linguist-detectable", "a.css.json5", "JSON5", false),
      ("*.json5 linguist-detectable", "a.json5", "JSON5", true),
      ("*.go -linguist-detectable", "a.go", "Go", false),
      ("*.go linguist-vendored\n*.go -linguist-vendored", "a.go", "Go", true),
      ("*.go linguist-vendored\n*.go !linguist-vendored", "vendor/a.go", "Go", false),
      ("[attr]own linguist-vendored\n# *.go linguist-vendored", "a.go", "Go", true),
    ])
  func attributes(_ text: String, _ path: String, _ name: String, _ counts: Bool) {
    Self.check(Sample(path, is: name, counts: counts), attributes: text)
  }

  @Test("Inner attribute files win over outer ones, whatever their order")
  func nestedAttributes() {
    let classifier = LanguageClassifier(attributes: [
      GitAttributesFile(directory: "a", text: "/x.go -linguist-vendored"),
      GitAttributesFile(directory: "", text: "*.go linguist-vendored"),
    ])
    #expect(classifier.classify(path: "a/x.go") { nil }?.counts == true)
    #expect(classifier.classify(path: "a/b/x.go") { nil }?.counts == false)
    #expect(classifier.classify(path: "ab/x.go") { nil }?.counts == false)
  }

  @Test("A pattern made to be slow is not")
  func hostilePattern() {
    let pattern = String(repeating: "*a", count: 200) + "b linguist-vendored"
    let classifier = LanguageClassifier(attributes: [GitAttributesFile(directory: "", text: pattern)])
    let path = String(repeating: "a", count: 4000) + ".go"
    #expect(classifier.classify(path: path) { nil } == LanguageVerdict(name: "Go", counts: true))
  }

  @Test("The table is whole", arguments: [("swift", "Swift"), ("cpp", "C++"), ("emacs-lisp", "Emacs Lisp")])
  func table(_ alias: String, _ name: String) throws {
    let table = LanguageTable.shared
    #expect(table.languages.count == 829)
    let index = try #require(table.language(named: alias))
    #expect(table.languages[index].name == name)
    // Ties go to the popular, then to the alphabet.
    let shared = try #require(table.languages(extension: ".h"))
    #expect(shared.map { table.languages[$0].name } == ["C", "C++", "Objective-C"])
  }

  @Test(
    "A shared extension gets one of its own languages", arguments: LanguageTable.shared.ambiguousExtensions)
  func rulesStayWithinTheirExtension(_ suffix: String) throws {
    let table = LanguageTable.shared
    let names = try #require(table.languages(extension: suffix)).map { table.languages[$0].displayName }
    let classifier = LanguageClassifier(attributes: [])
    for text in [
      "", "x\n", "# a\n", "(a)\n", "<?xml version=\"1.0\"?>\n", "{}\n", "// a\n", "; a\n", "module a\n",
    ] {
      let verdict = try #require(classifier.classify(path: "a" + suffix) { Array(text.utf8) })
      #expect(names.contains(verdict.name), "\(suffix) with \(text)")
    }
  }
}
