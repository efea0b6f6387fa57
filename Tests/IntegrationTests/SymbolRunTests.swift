import Foundation
import TestSupport
import Testing

/// Definitions and uses of names, by the built program.
struct SymbolRunTests {
  private static let files = [
    "größe.c": """
    #include "x.h"
    int total(int a);
    /* total is no use here */
    static int total(int a)
    {
      return a + LIMIT;
    }
    int main(void)
    {
      const char *text = "total";
      return total(3) + subtotal(total(4)) + Total;
    }

    """,
    "lib/shop.py": """
    class Shop:
        LIMIT = 3

        def total(self):
            return self.LIMIT  # total


    def main():
        print(Shop().total())

    """,
    "notes.md": "total is a word\n",
  ]

  private func withClone(_ body: (Program, TemporaryRepository) async throws -> Void) async throws {
    let program = try Program()
    let repository = try await TemporaryRepository.make("home/src/shop", in: program.home.directory)
    try await repository.commit("first", files: Self.files)
    try await repository.git(["remote", "add", "origin", "https://github.com/acme/shop.git"])
    try await program.addClones()
    try await body(program, repository)
  }

  private func code(_ program: Program, _ query: String) async throws -> ProcessResult {
    try await program.run(["search", "-k", "code", "-p", "local", query])
  }

  @Test func definitionsAndUses() async throws {
    try await withClone { program, _ in
      for (query, places) in [
        ("symbol:total", ["größe.c:4:12", "lib/shop.py:4:9"]),
        ("symbol:Total", ["größe.c:4:12", "lib/shop.py:4:9"]),
        ("symbol:total symbol-kind:method", ["lib/shop.py:4:9"]),
        ("symbol:total -symbol-kind:method", ["größe.c:4:12"]),
        ("symbol:total symbol-kind:function", ["größe.c:4:12", "lib/shop.py:4:9"]),
        ("symbol:/^[A-Z]/ symbol-kind:type", ["lib/shop.py:1:7"]), ("symbol:total symbol-kind:type", []),
        ("uses:total", ["größe.c:11:10", "lib/shop.py:9:18"]), ("uses:Total", ["größe.c:11:42"]),
        ("uses:total case:no language:c", ["größe.c:11:10"]), ("uses:subtotal", ["größe.c:11:21"]),
        ("uses:word", []),
        ("uses:LIMIT symbol:total", ["größe.c:4:12", "größe.c:6:14", "lib/shop.py:4:9", "lib/shop.py:5:21"]),
      ] {
        let found = try await code(program, query)
        let rows = found.outLines.map { $0.prefix { $0 != "\t" }.dropFirst("acme/shop:".count) }
        #expect(rows.map(String.init).sorted() == places.sorted(), "\(query): \(found.out)\(found.err)")
        #expect(found.status == (places.isEmpty ? 1 : 0), "\(query)")
      }
      let alone = try await code(program, "total symbol-kind:function")
      #expect(alone.status != 0 && alone.err.contains("symbol:NAME"), "\(alone.err)")
      let unknown = try await code(program, "symbol:total symbol-kind:thing")
      #expect(unknown.status == 2 && unknown.err.contains("function"), "\(unknown.err)")
    }
  }

  @Test(arguments: ["path:/^lib/", "filename:/^shop/", "extension:/c|py/"])
  func aConditionOnPathsIsNoExpression(_ condition: String) async throws {
    try await withClone { program, _ in
      let found = try await code(program, condition + " total")
      #expect(found.status == 1 && found.err.contains("\(condition) is compared as text"), "\(found)")
    }
  }

  @Test func fieldsOfSymbols() async throws {
    try await withClone { program, _ in
      let options = ["search", "-k", "code", "-p", "local", "--format", "json"]
      let definitions = try await program.run(options + ["symbol:/./ language:python"]).json()
      let symbols = definitions["items"]?[0]?["symbols"]?.array ?? []
      #expect(
        symbols.map { "\($0["line"]?.int ?? 0) \($0["kind"]?.string ?? "") \($0["name"]?.string ?? "")" }
          == ["1 class Shop", "2 constant LIMIT", "4 method total", "8 function main"])
      let uses = try await program.run(options + ["uses:total"]).json()
      let users = uses["items"]?.array.flatMap { $0["matches"]?.array ?? [] } ?? []
      #expect(users.map { $0["symbol"]?.string } == ["main", "main"])
      #expect(users.map { $0["symbolKind"]?.string } == ["function", "function"])
      #expect(uses["items"]?[0]?["symbols"] == nil)
    }
  }

  /// On a terminal a use tells the function that it is in, where there is room.
  @Test func usersOnATerminal() async throws {
    try await withClone { program, _ in
      let search = "$forage search -k code -p local uses:total"
      let shown = try await program.runScript(search)
      #expect(shown.out.contains("subtotal(total(4)) + Total;  in main()"), "\(shown)")
      let narrow = try await program.runScript("COLUMNS=24 " + search)
      #expect(narrow.out.contains("11") && !narrow.out.contains("in main()"), "\(narrow)")
    }
  }

  @Test func rowsOfGrep() async throws {
    try await withClone { program, repository in
      let folder = URL(fileURLWithPath: repository.path)
      let uses = try await program.run(["grep", "--uses", "total"], in: folder)
      #expect(
        uses.out == """
          größe.c:11:  return total(3) + subtotal(total(4)) + Total;
          lib/shop.py:9:    print(Shop().total())

          """, "\(uses)")
      let words = try await program.run(["grep", "--uses", "total", "-o", "-t", "c"], in: folder)
      #expect(words.out == "größe.c:11:total\ngröße.c:11:total\n", "\(words)")
      let definitions = try await program.run(["grep", "--symbol", "total", "lib"], in: folder)
      #expect(definitions.out == "lib/shop.py:4:    def total(self):\n", "\(definitions)")
      for arguments in [
        ["--uses", "total", "--symbol", "total"], ["--uses", "total", "-e", "x"], ["--uses", "total", "-v"],
        ["--uses"],
      ] {
        let refused = try await program.run(["grep"] + arguments, in: folder)
        #expect(refused.status == 2 && refused.out == "" && refused.err.contains("hint: "), "\(refused)")
      }
    }
  }

  /// A file without a line is shown by its definitions, one with a line by the lines around it.
  @Test(arguments: ["größe.c", "./größe.c", "acme/shop:größe.c"]) func outlineOfAFile(_ name: String)
    async throws
  {
    try await withClone { program, repository in
      let folder = URL(fileURLWithPath: repository.path)
      let shown = try await program.run(["show", name], in: folder)
      #expect(shown.out.hasSuffix("\n\n  4  function  total\n  8  function  main\n"), "\(shown)")
      let json = try await program.run(["show", name, "--json", "symbols"], in: folder)
      #expect(try json.json()["symbols"]?.array.map { $0["line"]?.int } == [4, 8], "\(json)")
      let line = try await program.run(["show", name + ":6"], in: folder)
      #expect(line.out.contains("6: ") && !line.out.contains("function  main"), "\(line)")
      let prose = try await program.run(["show", "notes.md"], in: folder)
      #expect(prose.out.hasSuffix("  total is a word\n"), "\(prose)")
    }
  }

  /// Of a file that is too large to be shown its size is told.
  @Test func largeFile() async throws {
    try await withClone { program, repository in
      let path = repository.path + "/large.c"
      try Data("int x;\n".utf8).write(to: URL(fileURLWithPath: path))
      #expect(truncate(path, 20 << 20) == 0)
      let shown = try await program.run(["show", "./large.c"], in: URL(fileURLWithPath: repository.path))
      #expect(shown.status == 0 && shown.out.contains("21 MB, too large to be shown"), "\(shown)")
    }
  }
}
