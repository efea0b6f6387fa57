import ForageGit
import TestSupport
import Testing

@testable import ForageInspector

@Suite("Attributes of languages")
struct LinguistAttributeTests {
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
      ("*.json linguist-detectable", "a.css.json5", "JSON5", false),
      ("*.json5 linguist-detectable", "a.json5", "JSON5", true),
      ("*.go -linguist-detectable", "a.go", "Go", false),
      ("*.go linguist-vendored\n*.go -linguist-vendored", "a.go", "Go", true),
      ("*.go linguist-vendored\n*.go !linguist-vendored", "vendor/a.go", "Go", false),
      ("[attr]own linguist-vendored\n# *.go linguist-vendored", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go own", "a.go", "Go", false),
      ("[attr]own linguist-vendored\n*.go -own", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go own -linguist-vendored", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go -linguist-vendored own", "a.go", "Go", false),
      ("[attr]a text\n[attr]a linguist-generated\n*.go a", "a.go", "Go", false),
      ("*.x linguist-language=golang", "a.x", "Go", true),
      ("*.x linguist-language=C++,other", "a.x", "C++", true),
      ("\u{FEFF}*.go linguist-vendored", "a.go", "Go", false),
      ("*.go  linguist-vendored\t-linguist-vendored", "a.go", "Go", true),
      ("*.json linguist-detectable=true", "a.json5", "JSON5", false),
      ("*.go linguist-detectable=false", "a.go", "Go", false),
    ])
  func attributes(_ text: String, _ path: String, _ name: String, _ counts: Bool) async throws {
    let verdict = try await verdict(path, [".gitattributes": text])
    #expect(verdict?.name == name && verdict?.counts == counts)
  }

  /// Classifies a path in a commit with some attribute files.
  private func verdict(_ path: String, _ files: [String: String]) async throws -> LanguageVerdict? {
    try await withAttributes(files) { attributes in
      var classifier = LanguageClassifier()
      return classifier.classify(path: path, size: 0, attributes: attributes.attributes(of: path)) { nil }
    }
  }

  private func withAttributes<Result>(
    _ files: [String: String], _ body: (AttributeFiles) throws -> Result
  ) async throws -> Result {
    let temporary = try await TemporaryRepository.make()
    for (path, text) in files { try temporary.write(path, text) }
    try await temporary.git(["add", "--force", "."])
    try await temporary.git(["commit", "--quiet", "-m", "a"])
    let repository = try GitRepository.open(temporary.path, environment: GitEnvironment())
    let commit = try #require(repository.refs.head.commit)
    // Only what is committed counts.
    try temporary.write(".gitattributes", "* linguist-language=Ada")
    return try body(AttributeFiles(try repository.listing(of: try repository.tree(of: commit)), repository))
  }

  @Test("Inner attribute files win over outer ones")
  func nestedAttributes() async throws {
    let files = ["a/.gitattributes": "/x.go -linguist-vendored", ".gitattributes": "*.go linguist-vendored"]
    #expect(try await verdict("a/x.go", files)?.counts == true)
    #expect(try await verdict("a/b/x.go", files)?.counts == false)
    #expect(try await verdict("ab/x.go", files)?.counts == false)
  }

  @Test("A bare repository has the attributes of its commit")
  func bare() async throws {
    let temporary = try await TemporaryRepository.make()
    try temporary.write(".gitattributes", "*.go linguist-generated")
    try await temporary.git(["add", "."])
    try await temporary.git(["commit", "--quiet", "-m", "a"])
    try await temporary.git(["config", "core.bare", "true"])
    let repository = try GitRepository.open(temporary.path + "/.git", environment: GitEnvironment())
    let commit = try #require(repository.refs.head.commit)
    let files = AttributeFiles(try repository.listing(of: try repository.tree(of: commit)), repository)
    #expect(files.attributes(of: "a.go")?.isGenerated == true)
    #expect(files.attributes(of: "a.c") == LinguistAttributes())
  }

  @Test("Attributes are looked up only where a file speaks of languages")
  func otherAttributes() async throws {
    try await withAttributes([".gitattributes": "*.go text eol=lf\n*.bin filter=lfs"]) { files in
      #expect(files.attributes(of: "a.go") == nil && files.marksLFS)
    }
  }

  @Test("A file with a pattern made to be slow is ignored", arguments: [250, 4000])
  func hostilePattern(length: Int) async throws {
    let path = String(repeating: "a", count: length - 3) + ".go"
    for stars in [3, 200] {
      let pattern = String(repeating: "*a", count: stars) + "b linguist-vendored"
      try await withAttributes([".gitattributes": pattern + "\n* linguist-language=C"]) { files in
        #expect((files.attributes(of: path)?.language == "C") == (stars == 3 && length < 255))
        #expect(files.isIncomplete == (stars == 200))
      }
    }
  }

  @Test("An unknown language is ignored")
  func unknownLanguage() async throws {
    let files = [".gitattributes": "*.go linguist-language=Nonesuch\n*.rs linguist-language"]
    #expect(try await verdict("a.go", files) == nil)
    #expect(try await verdict("a.rs", files) == nil)
    #expect(try await verdict("a.c", files)?.name == "C")
  }

  @Test("Macros are the root's alone")
  func innerMacros() async throws {
    let files = ["d/.gitattributes": "[attr]own linguist-vendored\n*.go own"]
    #expect(try await verdict("d/a.go", files)?.counts == true)
  }

  /// Patterns of all forms against paths, as the git program judges them.
  @Test func asGitJudges() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let names = ["a", "b", "ab", "a.go", "b.go", "x-y.go", "[.go", "é.go", "e\u{301}", "日.go"]
    let paths = Set(
      (0..<40).map { _ in
        ((0..<Int.random(in: 0..<3, using: &random)).map { _ in random.pick(["a", "b", "ab", "ü"]) }
          + [random.pick(names)])
          .joined(separator: "/")
      }
    ).sorted()
    let parts = [
      "*", "**", "a", "b", "ab", "*.go", "?.go", "[ab]", "[!a]*", "a*", "\\a", "[a-b]?", "**.go", "é*",
      "??.go", "ü",
    ]
    let lines = (0..<25).map { _ in
      (random.chance(0.2) ? "/" : "")
        + (0..<Int.random(in: 1..<4, using: &random)).map { _ in random.pick(parts) }.joined(separator: "/")
        + " " + random.pick(["linguist-vendored", "-linguist-vendored", "!linguist-vendored"])
    }
    let text = lines.joined(separator: "\n")
    let repository = try await TemporaryRepository.make()
    try repository.write(".gitattributes", text)
    let told = try await repository.git(["check-attr", "linguist-vendored", "--"] + paths)
    try await repository.git(["add", "--force", "."])
    try await repository.git(["commit", "--quiet", "-m", "a"])
    let opened = try GitRepository.open(repository.path, environment: GitEnvironment())
    let commit = try #require(opened.refs.head.commit)
    let files = AttributeFiles(try opened.listing(of: try opened.tree(of: commit)), opened)
    let judged = told.split(separator: "\n")
    try #require(judged.count == paths.count, "seed \(seed)")
    for (path, line) in zip(paths, judged) {
      let isVendored = files.attributes(of: path)?.isVendored
      #expect((isVendored == true) == line.hasSuffix(": set"), "seed \(seed): \(line)\n\(text)")
      #expect((isVendored == false) == line.hasSuffix(": unset"), "seed \(seed): \(line)\n\(text)")
    }
  }
}
