import ForageInspector
import TestSupport
import Testing

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
      ("\"a b.go\" linguist-generated", "a b.go", "Go", false),
      ("*.json linguist-detectable", "a.css.json5", "JSON5", false),
      ("*.json5 linguist-detectable", "a.json5", "JSON5", true),
      ("*.go -linguist-detectable", "a.go", "Go", false),
      ("*.go linguist-vendored\n*.go -linguist-vendored", "a.go", "Go", true),
      ("*.go linguist-vendored\n*.go !linguist-vendored", "vendor/a.go", "Go", false),
      ("[attr]own linguist-vendored\n# *.go linguist-vendored", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go own", "a.go", "Go", false),
      ("*.go own\n[attr]own linguist-vendored", "a.go", "Go", false),
      ("[attr]own linguist-vendored\n*.go -own", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go own\na.go !own", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go own -linguist-vendored", "a.go", "Go", true),
      ("[attr]own linguist-vendored\n*.go -linguist-vendored own", "a.go", "Go", false),
      ("[attr]a b\n[attr]b a linguist-generated\n*.go a", "a.go", "Go", false),
      ("[attr]a text\n[attr]a linguist-generated\n*.go a", "a.go", "Go", false),
      ("*.x linguist-language=golang", "a.x", "Go", true),
      ("*.x linguist-language=C++,other", "a.x", "C++", true),
      ("\u{FEFF}*.go linguist-vendored", "a.go", "Go", false),
      ("*.go  linguist-vendored\t-linguist-vendored", "a.go", "Go", true),
      ("*.json linguist-detectable=true", "a.json5", "JSON5", false),
      ("*.go linguist-detectable=false", "a.go", "Go", false),
    ])
  func attributes(_ text: String, _ path: String, _ name: String, _ counts: Bool) {
    LanguageClassifierTests.check(.init(path, is: name, counts: counts), attributes: text)
  }

  @Test("Inner attribute files win over outer ones, whatever their order")
  func nestedAttributes() {
    var classifier = LanguageClassifier(attributes: [
      GitAttributesFile(directory: "a", text: "/x.go -linguist-vendored"),
      GitAttributesFile(directory: "", text: "*.go linguist-vendored"),
    ])
    #expect(classifier.classify(path: "a/x.go", size: 0) { nil }?.counts == true)
    #expect(classifier.classify(path: "a/b/x.go", size: 0) { nil }?.counts == false)
    #expect(classifier.classify(path: "ab/x.go", size: 0) { nil }?.counts == false)
  }

  @Test("A pattern made to be slow is not")
  func hostilePattern() {
    let pattern = String(repeating: "*a", count: 200) + "b linguist-vendored"
    var classifier = LanguageClassifier(attributes: [GitAttributesFile(directory: "", text: pattern)])
    let path = String(repeating: "a", count: 4000) + ".go"
    #expect(classifier.classify(path: path, size: 0) { nil }?.counts == true)
  }

  @Test("An unknown language is ignored")
  func unknownLanguage() {
    var classifier = LanguageClassifier(attributes: [
      GitAttributesFile(directory: "", text: "*.go linguist-language=Nonesuch\n*.rs linguist-language")
    ])
    #expect(classifier.classify(path: "a.go", size: 0) { nil } == nil)
    #expect(classifier.classify(path: "a.rs", size: 0) { nil } == nil)
    #expect(classifier.classify(path: "a.c", size: 0) { nil }?.name == "C")
  }

  @Test("Macros are the root's alone, and too long lines nobody's")
  func innerMacros() {
    let long = "*.go linguist-vendored " + String(repeating: "x", count: 2048)
    var classifier = LanguageClassifier(attributes: [
      GitAttributesFile(directory: "", text: long),
      GitAttributesFile(directory: "d", text: "[attr]own linguist-vendored\n*.go own"),
    ])
    #expect(classifier.classify(path: "d/a.go", size: 0) { nil }?.counts == true)
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
    var classifier = LanguageClassifier(attributes: [
      GitAttributesFile(directory: "", text: text + "\n* linguist-language=Go")
    ])
    let judged = told.split(separator: "\n")
    try #require(judged.count == paths.count, "seed \(seed)")
    for (path, line) in zip(paths, judged) {
      let verdict = try #require(classifier.classify(path: path, size: 0) { nil })
      #expect(verdict.counts != line.hasSuffix(": set"), "seed \(seed): \(line)\n\(text)")
    }
  }
}
