import ForageGit
import TestSupport
import Testing

@testable import ForageInspector

@Suite("Counting lines")
struct LineCounterTests {
  /// A text in a language and what its lines are: `c`ode, comment (`#`) or blank (`.`), one letter a line.
  struct Sample: Sendable, CustomTestStringConvertible {
    let language: String
    let lines: String
    let text: String
    var testDescription: String { "\(language): \(text.prefix(40))" }

    init(_ language: String, _ lines: String, _ text: String) {
      self.language = language
      self.lines = lines
      self.text = text
    }
  }

  static func count(_ text: [UInt8], _ language: String) throws -> LineCounts {
    let syntax = try #require(CommentSyntax.of(language: language), "\(language) is not known")
    return text.withUnsafeBytes { LineCounter.count($0, syntax) }
  }

  @Test(
    "Languages",
    arguments: [
      Sample("C", "c##.c", "int a; /* one\n two */\n// three\n\nint b;\n"),
      Sample("C", "c#c", "char *s = \"/* no\";\n// \" /*\nchar c = '\"'; /* end */ int d;\n"),
      Sample("C", "cc", "int a; /* */ int b; // x\n/* */ int c;\n"),
      Sample("C++", "ccc#", "auto s = R\"(\n/* \" )\n)\"; // b\n/* a */\n"),
      Sample("C", "c#", "int x = 1'000'000; /*\n*/\n"),
      Sample("Rust", "##c#", "/* a /* b */\n*/\nfn f<'a>(x: &'a str) {} // it's\n// c\n"),
      Sample("Rust", "ccc", "let s = r#\"\n// \" no\n\"#;\n"),
      Sample("Swift", "ccc#", "let s = #\"/*\"#\nlet t = \"\"\"\n  // no \\(f(\"x\")) \"\"\"\n// yes\n"),
      Sample("Swift", "c#", "let s = \"\\(a(\"b\"))\"\n/* c /* d */ */\n"),
      Sample("Kotlin", "cc##", "val s = \"\"\"\n/*\"\"\"\n/* a /* b */\n*/\n"),
      Sample("Go", "ccc#", "s := `a\n// no\n`\n// b\n"),
      Sample("JavaScript", "ccc#", "let s = `a ${`b ${c}`}\n// no\n`\n/* c */\n"),
      Sample("JavaScript", "c#", "let r = /\\/*$/.test(a / b)\n// \"\n"),
      Sample("TypeScript", "c.#", "const a: string = 'it\\'s'\n\n/** d */\n"),
      Sample("Zig", "cc#", "const a =\n  \\\\ // no \"\n// yes\n"),
      Sample("Python", "##.#c", "\"\"\"a\nb\n\nc\"\"\"\nx = 1\n"),
      Sample("Python", "cccc#", "f(\n  \"\"\"\n  # no\n  \"\"\")\n# yes\n"),
      Sample("Python", "cccc", "f(x,\n  \"\"\"a\n  # no\n  b\"\"\")\n"),
      Sample("Python", "#.#", "# a [\n\n\"\"\"b\"\"\"\n"),
      Sample("Python", "c##c", "def f():\n  r\"\"\"a\n  b\"\"\"\n  return '#'\n"),
      Sample("Ruby", "c###c", "a = \"#{b(\"#\")}\"\n=begin\nx\n=end\nb = 1 # c\n"),
      Sample("Ruby", "cccc#", "f(<<~EOS)\n  it's\n  =begin\nEOS\n# yes\n"),
      Sample("Perl", "c#.##c", "my $x = $#a;\n=pod\n\n text\n=cut\nprint 1;\n"),
      Sample("Perl", "c##", "my $s = '=pod';\n=head1 a =cut\n=cut\n"),
      Sample("Shell", "#ccc#", "#!/bin/sh\necho 'a\nit''s' $# \"$(f \"it's\")\"\ncat <<EOF # it's\n# yes\n"),
      Sample("Nushell", "#cc#", "#!/usr/bin/env nu\nlet a = 'x\n'; let b = a#b\n# yes\n"),
      Sample("Lua", "###cc#", "--[==[ a\n]] b\n]==]\nx = [[\n-- no ]]\n-- c\n"),
      Sample("Haskell", "##cc", "{- a {- b -}\n-}\nf' = 'x' --> y\ng = '\"' -- c\n"),
      Sample("OCaml", "##c#", "(* a (* b *)\n*)\nlet f (x : 'a) = '\"'\n(* c *)\n"),
      Sample("Common Lisp", "##cc", "#| a #| b |#\n|#\n(f #\\\" ; c\n\"; no\")\n"),
      Sample("Clojure", "#c", ";; a\n(str \"; no\" \\\")\n"),
      Sample("SQL", "#cc#", "-- a\nselect 'x''\n-- no', \"a\"\n/* b */\n"),
      Sample("HTML", "##c", "<!-- a\nb -->\n<p>it's // no</p>\n"),
      Sample("HTML", "c#cc#c", "<script>\n// a\nlet s = '/*'\n</script><style>\n/* b */\n</style>\n"),
      Sample("Vue", "cc#cc", "<template>\n<script lang=\"ts\">\n// a\n</script>\n</template>\n"),
      Sample("PHP", "c#c#c", "<?php\n# a\n#[Attribute] class A {}\n// b ?>\n<p>it's # no</p>\n"),
      Sample("XML", "#c", "<!-- a -->\n<a><![CDATA[<!--]]></a>\n"),
      Sample("CSS", "#c", "/* a */\na { content: \"/*\" }\n"),
      Sample("CMake", "##c", "#[[ a\nb ]]\nset(A \"#\") # c\n"),
      Sample("Julia", "##c#", "#= a #= b =#\n=#\nx = a' * 'b' # c\n\"\"\"doc\"\"\"\n"),
      Sample("Elixir", "#cc", "# a\nx = \"#{y(\"#\")}\"\nz = ?#\n"),
      Sample("Erlang", "#c", "% a\nf() -> $\" + $% .\n"),
      Sample("Fortran", "##c#", "! a\nC b\n      call f\n* c\n"),
      Sample("COBOL", "#c#", "      * a\n       MOVE A TO B.\n      *> c\n"),
      Sample("Pascal", "##cc", "{ a\n} (* b *)\n{$IFDEF X}\ns := '{';\n"),
      Sample("MATLAB", "###c", "%{\na\n%}\nx = a'; % b\n"),
      Sample("TeX", "#c", "% a\n10\\% b % c\n"),
      Sample("Vim script", "#c", "\" a\nlet x = \"b\"\n"),
      Sample("Batchfile", "##c", "REM a\n:: b\nREMOVE c\n"),
      Sample("PowerShell", "##cc", "<# a\n#>\n$s = @\"\n# it's\"@\n"),
      Sample("Assembly", "##cc", "; a\n# b\n#define X\nmov eax, 1 ; c\n"),
      Sample("D", "##c", "/+ a /+ b +/\n+/\nauto s = r\"\\\"; // c\n"),
      Sample("Nim", "##c", "#[ a #[ b ]#\n]#\nlet s = r\"\\\" # c\n"),
      Sample("F#", "c#", "let f = (*)\n(* a *)\n"),
      Sample("Nix", "ccc##", "x = ''\n  rm a/*\n'';\n# a\n/* b */\n"),
      Sample("C#", "ccc#", "var s = @\"\\\";\nvar t = \"\"\"\n// no \"\"\";\n// a\n"),
      Sample("YAML", "#c", "# a\nb: 1 # c\n"),
      Sample("TOML", "#cc", "# a\nb = '''\n# no '''\n"),
      Sample("Makefile", "#c", "# a\nall: ; @echo # b\n"),
      Sample("VHDL", "#c", "-- a\nx <= '\"' when y'event;\n"),
    ])
  func languages(_ sample: Sample) throws {
    let expected = LineCounts(
      code: sample.lines.count { $0 == "c" }, comment: sample.lines.count { $0 == "#" },
      blank: sample.lines.count { $0 == "." })
    #expect(try Self.count(Array(sample.text.utf8), sample.language) == expected)
    let windows = Array(sample.text.replacing("\n", with: "\r\n").utf8)
    // CMake's and other constructs do not look at carriage returns; nor may they change the lines' kinds.
    #expect(try Self.count(windows, sample.language) == expected)
  }

  @Test(
    "Ends of lines",
    arguments: [
      ("", 0, 0, 0), ("\n", 0, 0, 1), (" ", 0, 0, 1), ("a", 1, 0, 0), ("a\n", 1, 0, 0), ("a\n\n", 1, 0, 1),
      ("a\rb\r", 1, 0, 0), ("\r\n// c\r\n", 0, 1, 1), ("\u{FEFF}", 0, 0, 1), ("\u{FEFF}// c", 0, 1, 0),
      ("\u{FEFF}\n", 0, 0, 1), ("/*", 0, 1, 0), ("/* a\n\n", 0, 1, 1), ("\"a\nb", 2, 0, 0),
    ])
  func ends(_ text: String, _ code: Int, _ comment: Int, _ blank: Int) throws {
    #expect(try Self.count(Array(text.utf8), "C") == LineCounts(code: code, comment: comment, blank: blank))
  }

  @Test("A NUL near the beginning makes a file binary")
  func binary() {
    func isBinary(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(\.isBinary) }
    #expect(!isBinary([]))
    #expect(!isBinary(Array("a\nb".utf8)))
    #expect(isBinary([0x61, 0]))
    #expect(isBinary([UInt8](repeating: 0x61, count: 7999) + [0]))
    #expect(!isBinary([UInt8](repeating: 0x61, count: 8000) + [0]))
  }

  @Test("The tables agree with a plain reading of the rules on random texts")
  func agreesWithReference() throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<400 {
      let rules = random.pick(PlainLineRules.all)
      let text = (0..<Int.random(in: 0..<60, using: &random)).flatMap { _ in
        Array(random.pick(PlainLineRules.pieces).utf8)
      }
      let expected = rules.count(text)
      let found = try Self.count(text, rules.language)
      guard found == expected else {
        Issue.record(
          "\(rules.language): \(found), not \(expected), in \(String(decoding: text, as: UTF8.self))")
        return
      }
    }
  }

  @Test("Any bytes are counted in any language, each line once")
  func anyBytes() throws {
    var random = SeededGenerator(seed: propertySeed())
    let languages = (0..<LanguageTable.shared.count).map(LanguageTable.shared.name).filter {
      CommentSyntax.of(language: $0) != nil
    }
    #expect(languages.count > 300)
    for language in languages {
      let text = (0..<Int.random(in: 0..<80, using: &random)).flatMap { _ -> [UInt8] in
        random.chance(0.2)
          ? [UInt8.random(in: .min ... .max, using: &random)] : Array(random.pick(PlainLineRules.pieces).utf8)
      }
      let lines = text.count { $0 == 0x0A } + (text.last.map { $0 != 0x0A } == true ? 1 : 0)
      #expect(try Self.count(text, language).lines == lines, "\(language): \(text)")
    }
  }

  /// Whether a text is a comment depends on the code before it, from which white space can keep it apart.
  @Test(arguments: [
    ("Python", " ", "\"\"\"ä\"\"\"\n"), ("Python", "(", "'''ä'''\n"), ("Rust", "/*", "\n"), ("C", "'", "\n"),
  ])
  func growth(_ language: String, _ piece: String, _ line: String) throws {
    let factor = try Growth.factor(5_000) { size in
      let code = "x = 1" + String(repeating: piece, count: size) + "\n"
      return Array((code + String(repeating: line, count: size)).utf8)
    } work: { text in
      let counts = try Self.count(text, language)
      #expect(counts.lines > 0)
    }
    #expect(factor < Growth.limit)
  }

  @Test("A tree's lines: clean files from the work tree, others from the objects, binary ones not at all")
  func tree() async throws {
    let repository = try await TemporaryRepository.make()
    try repository.directory.write("repo/a.c", "int a;\n// b\n\n")
    try repository.directory.write("repo/b/b.c", "int a;\n")
    try repository.directory.write("repo/c.omgrofl", "x = 1\n")
    try repository.directory.write("repo/d.c", "a\u{0}b\n")
    try await repository.git(["add", "."])
    try await repository.git(["commit", "--quiet", "-m", "a"])
    try repository.directory.write("repo/b/b.c", "int b;\n")
    let git = try GitRepository.open(repository.path, environment: GitEnvironment())
    let head = try #require(git.refs.head.commit)
    let listing = try git.listing(of: try git.commit(head).tree)
    let stamps = git.fileStamps()
    for (known, isCancelled) in [(stamps, false), (FileStamps(), false), (stamps, true)] {
      let files = ClassifiedFiles(
        listing, attributes: { _ in nil }, countsLines: true, readsPointers: false,
        isCancelled: { isCancelled }, reader: { _ in CloneFileReader(git, stamps: known) })
      let told = files.lines.lines.map { "\($0.language) \($0.files) \($0.code) \($0.comment) \($0.blank)" }
      #expect(told == (isCancelled ? [] : ["C 2 2 1 1", "Omgrofl 1 1 0 0"]))
      let notes = files.lines.notes.map(\.message)
      #expect(notes.count == (isCancelled ? 0 : 1) && notes.allSatisfy { $0.contains("Omgrofl") })
    }
  }
}
