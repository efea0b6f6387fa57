import Foundation
import TestSupport
import Testing

/// Numbers and `--next` with the real program, several commands on one terminal.
struct LastListRunTests {
  @Test func numbersOfThisTerminal() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      let whole = try await program.run([
        "search", "match", "-p", "github", "--sort", "stars", "--json", "url",
      ])
      let urls = try whole.json().array.compactMap { $0["url"]?.string }
      try #require(urls.count == 5)
      // The answer to a number may go to a pipe; the list may not.
      let result = try await program.runScript(
        "$forage search match -p github --sort stars --timeout 50 -L 2 && $forage open 2 | /bin/cat && $forage search --next && $forage open 1 3-4"
      )
      #expect(result.status == 0, "\(result.err)")
      let lines = result.outLines.filter { $0.hasPrefix("https://") }
      #expect(lines == [urls[1], urls[0], urls[2], urls[3]], "\(result.out)")
      // Each run of a shell here is another session.
      let other = try await program.runScript("$forage open 1")
      #expect(other.status == 2 && !other.out.contains("https://"))
      let piped = try await program.runScript(
        "$forage search match -p github --timeout 50 | /bin/cat; $forage open 1")
      #expect(piped.status == 2)
    }
  }

  /// The line below a list says how to go on, and at the end that there is nothing more.
  @Test func continuing() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let result = try await program.runScript(
        "$forage search match -p github --timeout 50 -L 2; $forage search --next; $forage search --next; echo $?",
        streams: .outputAndError)
      #expect(result.out.contains("more: forage search --next"), "\(result.out)")
      #expect(result.out.contains("no further results"))
      #expect(result.outLines.last == "1")
    }
  }

  /// A list goes on as it began, whatever its saved search has become.
  @Test func aSavedSearchThatChanges() async throws {
    try await withProgram(FakeGitHub(repositories: matching(6))) { program, _ in
      let whole = try await program.run([
        "search", "match", "-p", "github", "--sort", "stars", "--json", "url",
      ])
      let urls = try whole.json().array.compactMap { $0["url"]?.string }
      try #require(urls.count == 6)
      let result = try await program.runScript(
        "$forage searches save mine match -p github --sort stars -L 2 && $forage search @mine --timeout 50 && $forage searches save mine other -L 1 && $forage search --next && $forage searches remove mine && $forage search --next && $forage open 1-6"
      )
      #expect(result.status == 0, "\(result)")
      #expect(result.outLines.filter { $0.hasPrefix("https://") } == urls, "\(result)")
    }
  }

  /// The clone that one stands in is that of the first page, wherever one stands at the next.
  @Test func aListOfAnotherFolder() async throws {
    let program = try Program()
    for name in ["Thing", "Other"] {
      try await program.makeClone(
        "Owner/" + name, files: ["\(name)1.c": "needle \(name)\n", "\(name)2.c": "needle\n\(name)\n"])
    }
    try await program.addClones()
    for place in ["-R .", "repo:./"] {
      let result = try await program.runScript(
        "cd src/Thing && $forage search -k code -p local needle \(place) -L 1 --timeout 50 && cd ../Other && $forage search --next"
      )
      #expect(result.status == 0, "\(result)")
      #expect(result.out.contains("Thing1.c") && result.out.contains("Thing2.c"), "\(result.out)")
      #expect(!result.out.contains("Other"), "\(result.out)")
    }
  }

  /// A manifest of the list is that of its folder.
  @Test func aManifestOfAnotherFolder() async throws {
    try await withServer { _ in
      .json(
        body: #"""
          [{"id": "1", "url": "https://odd.example/x/1", "name": "x/1"},
           {"id": "2", "url": "https://odd.example/x/2", "name": "x/2"}]
          """#)
    } _: { server in
      let program = try Program()
      for (folder, path) in [("one", "/search"), ("two", "/other")] {
        _ = try program.home.directory.write(
          "home/\(folder)/odd.yaml",
          """
          forage: 1
          id: odd
          name: Odd
          kinds: [repo]
          base: \(server.baseURL)
          request: {url: "{base}\(path)", params: {q: "{text}"}}
          items: $[*]
          map: {id: $.id, url: $.url, title: $.name}
          """)
      }
      let result = try await program.runScript(
        "cd one && $forage search x -p odd --plugin odd.yaml -L 1 --timeout 50 && cd ../two && $forage search --next"
      )
      #expect(result.status == 0 && result.out.contains("x/2"), "\(result)")
      #expect(!server.requests.contains { $0.path.hasPrefix("/other") })
    }
  }

  /// The number of code in a clone leads to the file and to the clone, without a request.
  @Test func codeInAClone() async throws {
    try await withProgram(FakeGitHub(repositories: [])) { program, server in
      let clone = try await program.makeClone(
        "Owner/Thing", files: ["a/größe.c": "int first;\nint needle;\nint last;\n"])
      try await program.addClones()
      let result = try await program.runScript(
        "$forage search -k code -p local needle --timeout 50 && $forage show 1 --timeout 50 | /bin/cat && $forage inspect 1 --only head --json path"
      )
      #expect(result.status == 0, "\(result.err)")
      #expect(result.out.contains("int first;") && result.out.contains("int last;"), "\(result.out)")
      #expect(result.out.contains(clone.path), "\(result.out)")
      #expect(server.requests.isEmpty)
      // Without the file what the list knew is left.
      let gone = try await program.runScript(
        "$forage search -k code -p local needle --timeout 50 && /bin/rm src/Thing/a/größe.c; $forage show 1 --json matchCount --timeout 50; $forage inspect 1 --only head --json path"
      )
      #expect(gone.out.contains("\"matchCount\""), "\(gone.out) \(gone.err)")
      #expect(gone.status == 0 && gone.out.contains(clone.path), "\(gone.out) \(gone.err)")
    }
  }

  /// A file is shown around its first match, in the pager and in a pipe.
  @Test func theLinesAroundAMatch() async throws {
    let program = try Program()
    let lines = (1...90).map { $0 == 60 ? "\tint needle;" : "int line\($0);" }
    try await program.makeClone("Owner/Thing", files: ["a.c": lines.joined(separator: "\n") + "\n"])
    try await program.addClones()
    for end in ["", " | /bin/cat"] {
      let result = try await program.runScript(
        "$forage search -k code -p local needle --timeout 50 && FORAGE_PAGER=/bin/cat $forage show 1 --timeout 50"
          + end)
      #expect(result.status == 0, "\(result.out) \(result.err)")
      #expect(result.out.contains("Lines          50 to 90 of 90"), "\(result.out)")
      let shown = result.outLines.filter { $0.contains("  int line") || $0.contains("int needle;") }
      #expect(shown.suffix(41).first == "  50  int line50;", "\(result.out)")
      #expect(shown.contains("  60:     int needle;") && shown.last == "  90  int line90;")
      #expect(!result.out.contains("int line49;"))
    }
  }

  /// A file without a page opens in the editor, whose words are those of a shell; `--editor` never opens a
  /// page.
  @Test func theEditor() async throws {
    let program = try Program()
    let clone = try await TemporaryRepository.make("home/src/one", in: program.home.directory)
    try await clone.commit("first", files: ["-größe x.c": "first\n\tint needle;\n"])
    try await program.addClones()
    let edited = program.home.directory.path("home/edited")
    for (folder, name) in [("my bin", "vim"), ("bin", "code"), ("bin", "other")] {
      try program.home.directory.write(
        "home/\(folder)/\(name)",
        "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && printf '%s\\n' \"$@\" >edited\n", mode: 0o755)
    }
    let file = clone.path + "/-größe x.c"
    let search = "$forage search -k code -p local needle --timeout 50"
    func open(_ editor: String, _ options: String = "") async throws -> (ProcessResult, String?) {
      try? FileManager.default.removeItem(atPath: edited)
      let result = try await program.runScript(
        "\(search) && EDITOR=\(editor) $forage open \(options) 1", streams: .outputAndError)
      return (result, try? String(contentsOfFile: edited, encoding: .utf8))
    }
    for options in ["", "--editor"] {
      let (result, words) = try await open("\"'$PWD/my bin/vim' -c '' \\\"a  b\\\" \\$HOME\"", options)
      #expect(result.status == 0 && words == "-c\n\na  b\n$HOME\n+2\n\(file)\n", "\(result) \(words ?? "")")
    }
    let code = try await open("$PWD/bin/code")
    #expect(code.1 == "--goto\n\(file):2:6\n", "\(code)")
    let other = try await open("$PWD/bin/other")
    #expect(other.1 == "\(file)\n", "\(other)")
    let missing = try await open("no-such-editor", "--editor")
    #expect(missing.0.status == 2 && missing.1 == nil)
    #expect(missing.0.out.contains("\(file):2"), "\(missing)")
    #expect(missing.0.out.contains("forage: the editor no-such-editor was not found"), "\(missing)")
    let none = try await open("")
    #expect(none.0.status == 2 && none.0.out.contains("forage: no editor is set"), "\(none)")
    #expect(none.0.out.contains("hint: set VISUAL or EDITOR"), "\(none)")
  }

  /// What has a page of its commit opens in the browser unless the editor is asked for; what is not on this
  /// disk has no file.
  @Test func pagesAndTheEditor() async throws {
    let program = try Program(adding: ["EDITOR": "/bin/echo edit"])
    let clone = try await program.makeClone("Owner/Thing", files: ["a.c": "int needle;\n"])
    let commit = try await clone.git("rev-parse HEAD")
    try await clone.git("update-ref refs/remotes/origin/main HEAD")
    try await program.addClones()
    let result = try await program.runScript(
      "$forage search -k code -p local needle --timeout 50; $forage open 1; $forage open --editor 1 ./src/Thing; $forage open --editor nobody/nothing; echo $?"
    )
    let lines = result.outLines
    #expect(lines.contains("https://github.com/Owner/Thing/blob/\(commit)/a.c#L1"), "\(result)")
    #expect(lines.contains("edit \(clone.path)/a.c") && lines.contains("edit \(clone.path)"), "\(result)")
    #expect(result.err.contains("forage: nobody/nothing is not on this disk"), "\(result)")
    #expect(lines.last == "1", "\(result)")
  }

  /// A favorite of code that is only in a clone is a place in it.
  @Test func favoriteCode() async throws {
    let program = try Program()
    let clone = try await TemporaryRepository.make("home/src/one", in: program.home.directory)
    try await clone.commit("first", files: ["a/b.c": "first\nneedle\n"])
    try await program.addClones()
    let result = try await program.runScript(
      "$forage search -k code -p local needle --timeout 50 && $forage favorite add 1 && $forage favorite list --format tsv"
    )
    let row = result.outLines.last?.split(separator: "\t").first
    #expect(row == "\(clone.path):a/b.c:2", "\(result.out) \(result.err)")
    let list = try await program.run(["favorite", "list", "--format", "json"])
    #expect(try list.json()["favorites"]?.array.first?["path"]?.string == "a/b.c")
  }

  /// In a clone a number sign names an issue of its repository, which a number without a list hints at.
  @Test func anIssueOfTheClone() async throws {
    let program = try Program()
    _ = try await program.makeClone("Owner/Thing")
    let inside = try await program.runScript(
      "cd src/Thing && $forage open '#7' && $forage show 100", streams: .outputAndError)
    #expect(inside.out.lowercased().contains("https://github.com/owner/thing/issues/7"), "\(inside.out)")
    #expect(inside.status == 2 && inside.out.contains("'#100'"), "\(inside.out)")
    let outside = try await program.runScript("$forage open '#7'", streams: .outputAndError)
    #expect(outside.status == 2 && outside.out.contains("owner/name#7"), "\(outside.out)")
  }

  /// Of several clones of one repository a number, and a path, is the one that it stands for.
  @Test func oneOfSeveralClones() async throws {
    let program = try Program()
    let first = try await program.makeClone("Owner/Thing")
    let second = try await TemporaryRepository.make("home/src/other", in: program.home.directory)
    try await second.commit("first", files: ["a": "a"])
    try await second.git(["remote", "add", "origin", "https://github.com/Owner/Thing.git"])
    try await program.addClones()
    let result = try await program.runScript(
      "$forage clones list --sort path --order asc && $forage inspect 1 --json path && $forage inspect 2 --json path"
    )
    let lines = result.outLines.joined()
    #expect(result.status == 0 && lines.contains(first.path) && lines.contains(second.path), "\(result.err)")
    #expect(lines.components(separatedBy: "\"path\"").count == 3, "\(lines)")
    let editor = try await program.runScript(
      "EDITOR=/bin/echo $forage open --editor \(first.path) \(second.path)")
    #expect(editor.out.contains(first.path) && editor.out.contains(second.path), "\(editor.out)")
    // A file that is not there is no page of a host that is called like its folder.
    let mistyped = try await program.run(["open", "src/Thing/nope.swift:3"])
    #expect(mistyped.status == 2 && mistyped.out == "", "\(mistyped.out)")
  }

  @Test func clonesHaveNumbersToo() async throws {
    let program = try Program()
    let clone = try await program.makeClone("Owner/Thing")
    try await program.addClones()
    let result = try await program.runScript(
      "$forage clones list && $forage inspect 1 --only head --format json && $forage favorite add 1 && $forage open 1"
    )
    #expect(result.status == 0, "\(result.err)")
    #expect(
      result.out.contains("\"path\": \"\(clone.path)\"") || result.out.contains("\"path\":\"\(clone.path)\""))
    #expect(result.out.contains("github.com/Owner/Thing"))
    #expect(result.outLines.last == "https://github.com/Owner/Thing")
    #expect(try await program.favorites() == ["github.com/owner/thing"])
  }
}
