import TestSupport
import Testing

@testable import ForageInspector

extension LinguistAttributes {
  /// Makes files of every language count, so that all of them are read.
  static var detectable: LinguistAttributes {
    var attributes = LinguistAttributes()
    attributes.isDetectable = true
    return attributes
  }
}

@Suite("Languages of files")
struct LanguageClassifierTests {
  /// The extensions that several languages share.
  static let sharedExtensions = Set(
    "\(LanguageTable.facts)".split { $0 == ";" || $0 == "\n" }
      .flatMap { record in
        let fields = record.split(separator: "\t", omittingEmptySubsequences: false)
        return fields.count > 4 ? fields[4].lowercased().split(separator: " ").map(String.init) : []
      }
  ).filter { LanguageTable.shared.languages(extension: $0).count > 1 }.sorted()

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

  static func check(_ sample: Sample) {
    var classifier = LanguageClassifier()
    let verdict = classifier.classify(path: sample.path, size: sample.text?.utf8.count ?? 0) {
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
      Sample("a.rs", "use a::b;\nconst C: &str = \"\n#include <x>\n\";\n", is: "Rust"),
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
    "A shared extension gets one of its own languages", arguments: LanguageClassifierTests.sharedExtensions)
  func rulesStayWithinTheirExtension(_ suffix: String) throws {
    let table = LanguageTable.shared
    let names = table.languages(extension: suffix).map { table.name($0) }
    try #require(!names.isEmpty)
    var classifier = LanguageClassifier()
    for text in [
      "\u{20}", "x\n", "# a\n", "(a)\n", "<?xml version=\"1.0\"?>\n", "{}\n", "// a\n", "; a\n", "module a\n",
    ] {
      let verdict = classifier.classify(path: "a" + suffix, attributes: .detectable) { Array(text.utf8) }
      // Where any kind of file has the extension, none of its languages may show.
      guard let name = verdict?.languageName else { continue }
      #expect(names.contains(name) || suffix.count == 2, "\(suffix) with \(text)")
    }
  }

  @Test("Any bytes are classified without a trap, whatever the extension")
  func randomContents() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let suffixes =
      Self.sharedExtensions + ["", ".js", ".css", ".html", ".eps", ".1x", ".go"]
    let pieces = [
      "#!", "#!/bin/env", "-*-", "-*-mode:", "vim:ft=", "vi:", "\n", "\r\n", "\r", "\t", " ",
      "<?xml version=",
      "exec", "\"$0\"", "(", ")", ":", "{", "}", ";", "class ", "[", "]", "*", "=", "\u{0}", "é", "#",
      "%%Creator: ",
      ":-", "G04", "\\",
    ]
    var classifier = LanguageClassifier()
    for suffix in suffixes {
      let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in random.pick(pieces) }.joined()
      _ = classifier.classify(
        path: "d/e\u{301}日" + suffix, size: text.utf8.count, attributes: .detectable
      ) { Array(text.utf8) }
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        UInt8.random(in: 1...255, using: &random)
      }
      _ = classifier.classify(path: "d/a" + suffix, size: bytes.count, attributes: .detectable) { bytes }
    }
  }
}
