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

  /// The pager begins at the line in which something was found.
  @Test func codeInThePager() async throws {
    let program = try Program()
    let lines = (1...90).map {
      $0 == 60 ? "int needle;" : "int line\($0); /* \(String(repeating: "long ", count: 30))*/"
    }
    try await program.makeClone("Owner/Thing", files: ["a.c": lines.joined(separator: "\n") + "\n"])
    try await program.addClones()
    try program.home.directory.write(
      "home/bin/less", "#!/bin/sh\n/usr/bin/sed -n \"${1#+}p\"\n", mode: 0o755)
    let search = "$forage search -k code -p local needle --timeout 50"
    let result = try await program.runScript(
      "\(search) >/dev/null; \(search) && FORAGE_PAGER=$PWD/bin/less $forage show 1 --timeout 50")
    #expect(result.status == 0 && result.outLines.last == "  60: int needle;", "\(result.out) \(result.err)")
    let other = try await program.runScript(
      "\(search) && FORAGE_PAGER='/usr/bin/sed -n $p' $forage show 1 --timeout 50")
    #expect(other.outLines.last?.contains("*/") == true, "\(other.out)")
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

  @Test func clonesHaveNumbersToo() async throws {
    let program = try Program()
    let clone = try await program.makeClone("Owner/Thing")
    try await program.addClones()
    let result = try await program.runScript(
      "$forage clones list --number && $forage inspect 1 --only head --format json && $forage favorite add 1 && $forage open 1"
    )
    #expect(result.status == 0, "\(result.err)")
    #expect(
      result.out.contains("\"path\": \"\(clone.path)\"") || result.out.contains("\"path\":\"\(clone.path)\""))
    #expect(result.out.contains("github.com/Owner/Thing"))
    #expect(result.outLines.last == "https://github.com/Owner/Thing")
    #expect(try await program.favorites() == ["github.com/owner/thing"])
  }
}
