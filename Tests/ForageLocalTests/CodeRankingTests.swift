import ForageCore
import TestSupport
import Testing

@testable import ForageLocal

/// Which files come first.
struct CodeRankingTests {
  private static let uses = String(repeating: "  use(struct child_größe *x, enum kind_größe);\n", count: 3)

  /// A keyword before a name is no second name, so that the definition is first.
  @Test(arguments: [
    ("struct child_größe", "z/run.h"), ("\"struct child_größe\"", "z/run.h"),
    ("enum kind_größe", "z/run.h"), ("\"enum kind_größe\"", "z/run.h"), ("def main", "tools/main.py"),
  ])
  func keywordsAreNoNames(query: String, first: String) async throws {
    let world = try CodeSearchTests.World()
    var files = [
      "z/run.h": "struct child_größe {\n  int x;\n};\nenum kind_größe {\n  A,\n};\n",
      "a/structure.c": "int structure(void)\n{\n" + Self.uses + "}\n",
      "t/default_main.txt": "default main\n def main(): pass\n", "tools/main.py": "def main():\n    pass\n",
    ]
    for number in 0..<20 {
      files["a/use\(number).c"] = "int f\(number)(void)\n{\n" + Self.uses + "}\n"
    }
    _ = try await world.clone("one", files)
    _ = try await world.update()
    #expect(try await world.paths(query).first == first)
  }

  /// Extensions are no part of a name, other parts after a point are.
  @Test func namesWithParts() async throws {
    let world = try CodeSearchTests.World()
    _ = try await world.clone(
      "one",
      [
        "a/größe.all_files": "größe 0\n", "b/größe.component.ts": "größe 1\n", "c/größe.c": "größe 2\n",
        "größe.log--all": "größe 3\n",
      ])
    _ = try await world.update()
    #expect(
      try await world.paths("größe") == [
        "b/größe.component.ts", "c/größe.c", "a/größe.all_files", "größe.log--all",
      ])
  }

  /// Of several words, one that is defined without another counts less than all on one line; a function
  /// counts more than a name of a file that has the word among others, which counts more than a variable.
  @Test(arguments: [
    ("größe warten", ["c/both.c", "a/big.py"]),
    ("messen", ["z/function.c", "b/messen.c", "b/messenAlle.c", "y/variable.py"]),
    ("lange liste", ["y/LangeListe.swift", "a/lange.c"]),
    ("teil", ["x/kern.py", "teilung/vonTeil.py", "a/_vendor/kern.py"]),
  ])
  func definitionsAndNames(query: String, first: [String]) async throws {
    let world = try CodeSearchTests.World()
    _ = try await world.clone(
      "one",
      [
        "a/big.py": "def größe():\n  pass\n" + String(repeating: "\n", count: 500)
          + "def warten():\n  pass\n",
        "c/both.c": "/* größe warten */\n",
        "b/messen.c": "use(messen);\n", "b/messenAlle.c": " use(messen, 2);\n",
        "y/variable.py": "messen = 3\n", "z/function.c": "int messen(void)\n{\n}\n",
        "y/LangeListe.swift": "use(LangeListe)\n", "a/lange.c": "lange liste\n",
        "a/_vendor/kern.py": "def teil():\n  pass\n", "x/kern.py": "def teil():\n  return 1\n",
        "teilung/vonTeil.py": "  use(teil)\n",
      ])
    _ = try await world.update()
    #expect(Array(try await world.paths(query).prefix(first.count)) == first)
  }

  /// Of one word, a line that has it as a whole word is shown before lines that have it in others.
  @Test func wholeWordsAreShown() async throws {
    let world = try CodeSearchTests.World()
    _ = try await world.clone("one", ["a.yml": "{{ .ShortMITCommit }}\nx: commits\nlicense: MIT\n"])
    _ = try await world.update()
    let found = try await world.page("mit", matches: MatchOptions(limit: 1)).items.first
    #expect(found?[.matches]?.elements.compactMap { $0["line"]?.number } == [3])
  }

  /// A test, a document and a name that has the word only within another one come after the line that defines
  /// the word.
  @Test func namesOfTestsAndPartsOfWords() async throws {
    let world = try CodeSearchTests.World()
    _ = try await world.clone(
      "one",
      [
        "a/__tests__/größeApp.spec.ts": "  use0(größeApp)\n", "b/docs/größeApp.md": "# größeApp\n",
        "c/vergrößeApps.ts": "  use1(größeApp)\n", "d/apiGrößeApp.ts": "  use2(größeApp)\n",
        "e/index.ts": "export function größeApp() {\n}\n", "f/use.ts": "  use3(größeApp)\n",
      ])
    _ = try await world.update()
    let paths = try await world.paths("größeApp")
    #expect(
      paths == [
        "e/index.ts", "d/apiGrößeApp.ts", "b/docs/größeApp.md", "c/vergrößeApps.ts", "f/use.ts",
        "a/__tests__/größeApp.spec.ts",
      ])
  }

  static let names: [(String, String?)] = [
    ("größe", "größe"), ("struct größe", "größe"), ("static const  int größe", "größe"),
    ("struct", "struct"), ("x", nil), ("two words", nil), ("struct größe ", nil), (" größe", nil),
    ("größe(", nil),
    ("", nil),
  ]

  @Test(arguments: names) func soughtName(text: String, name: String?) {
    #expect(Definitions.soughtName(in: text) == name)
  }
}
