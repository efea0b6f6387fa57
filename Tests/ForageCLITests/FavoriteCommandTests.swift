import ForageCLI
import Foundation
import TestSupport
import Testing

/// `favorite` to exact bytes, for a terminal and for a pipe.
struct FavoriteCommandTests {
  private func withHome<Value>(_ body: (IsolatedHome, [String: String]) async throws -> Value)
    async throws -> Value
  {
    // An empty variable means github.com, which no command here asks for anything.
    try await withIsolatedHome { home in try await body(home, variables(home, "")) }
  }

  /// On a terminal it is told which favorites are names only.
  @Test func namesOfWhichNothingIsKnown() async throws {
    try await withHome { _, environment in
      func add(_ name: String) async -> String {
        let capture = Capture()
        var output = capture.output(columns: 80)
        output.isMessageTerminal = true
        let process = ProcessEnvironment(environment: environment, output: output)
        #expect(await Entry.run(["favorite", "add", name], in: process) == .success)
        return capture.messages
      }
      #expect(await add("o/n").hasSuffix(": o/n; to check: forage show o/n\n"))
      #expect(await add("o/n") == "")
    }
  }

  /// Where another host is meant by names without one, that of github.com is told.
  @Test func namesOfAnotherHost() async throws {
    try await withHome { _, environment in
      let environment = environment.merging(["GH_HOST": "git.example"]) { $1 }
      let names = ["github.com/o/n", "git.example/o/n"]
      let added = await forage(["favorite", "add"] + names, in: environment)
      #expect(added.out == "github.com/o/n is now a favorite\no/n is now a favorite\n", "\(added.err)")
      let removed = await forage(["favorite", "remove"] + names, in: environment)
      #expect(removed.out == "github.com/o/n is no longer a favorite\no/n is no longer a favorite\n")
      let missing = await forage(["favorite", "remove"] + names, in: environment)
      #expect(missing.err.contains("github.com/o/n is not") && missing.err.contains(" o/n is not"))
    }
  }

  @Test func addListRemove() async throws {
    try await withHome { _, environment in
      let added = await forage(
        ["favorite", "add", "Apple/Swift-NIO", "https://codeberg.org/kana/zlib.git"], in: environment)
      #expect(added.status == .success)
      #expect(added.err == "")
      #expect(
        added.out == """
          Apple/Swift-NIO is now a favorite
          codeberg.org/kana/zlib is now a favorite

          """)
      let again = await forage(["favorite", "add", "apple/swift-nio"], in: environment)
      #expect(again.status == .success)
      #expect(again.err == "")
      #expect(again.out == "Apple/Swift-NIO is already a favorite\n")

      let list = await forage(["favorite", "list"], in: environment)
      #expect(list.status == .success)
      #expect(list.err == "")
      // Columns as in a search, and the time of adding behind them; names as the user wrote them.
      #expect(
        list.out == """
          codeberg.org/kana/zlib\t\t\t\t\thttps://codeberg.org/kana/zlib\t\t\t2026-01-01T00:00:00Z
          Apple/Swift-NIO\t\t\t\t\thttps://github.com/apple/swift-nio\t\t\t2026-01-01T00:00:00Z

          """)
      let short = await forage(["favorite"], in: environment)
      #expect(short.out == list.out)

      let removed = await forage(
        ["favorite", "remove", "kana/zlib", "github.com/apple/swift-nio"], in: environment)
      #expect(removed.status == .nothingFound)
      #expect(removed.out == "Apple/Swift-NIO is no longer a favorite\n")
      #expect(
        removed.err == """
          forage: kana/zlib is not a favorite
          hint: see: forage favorite list

          """)
      let left = await forage(["favorite", "list"], in: environment)
      #expect(left.out.split(separator: "\n").count == 1 && left.out.hasPrefix("codeberg.org/kana/zlib\t"))
    }
  }

  @Test func onATerminal() async throws {
    try await withHome { _, environment in
      _ = await forage(["favorite", "add", "apple/swift-nio", "a/b"], in: environment)
      let wide = await forage(["favorite", "list", "--no-number"], in: environment, columns: 80)
      #expect(
        wide.out == """
             REPOSITORY       ADDED
          ♥  a/b                now
          ♥  apple/swift-nio    now

          """)
      let numbered = await forage(["favorite", "list"], in: environment, columns: 40)
      #expect(
        numbered.out == """
          #     REPOSITORY       ADDED
          1  ♥  a/b                now
          2  ♥  apple/swift-nio    now

          """)
      let sorted = await forage(
        ["favorite", "list", "--sort", "added", "-L", "1"], in: environment, columns: 40)
      #expect(sorted.out.split(separator: "\n").count == 2)
      // The default order, by our name and by gh's.
      for key in ["relevance", "best-match"] {
        let usual = await forage(["favorite", "list", "--sort", key], in: environment, columns: 40)
        #expect(usual.status == .success && usual.out == numbered.out, "\(key)")
      }
      let mistake = await forage(["favorite", "list", "--sort", "starz"], in: environment)
      #expect(mistake.status == .usage && mistake.err.contains("starz") && mistake.err.contains("stars"))
    }
  }

  @Test func json() async throws {
    try await withHome { _, environment in
      let none = await forage(["favorite", "list", "--format", "json"], in: environment)
      #expect(none.status == .nothingFound)
      #expect(none.out == "{\"schema\":1,\"favorites\":[]}\n")
      _ = await forage(["favorite", "add", "a/b"], in: environment)
      let member = """
        {"id":"github.com/a/b","kind":"repo","title":"a/b","url":"https://github.com/a/b",\
        "host":"github.com","owner":"a","name":"b","favorite":true,"addedAt":"2026-01-01T00:00:00Z"}
        """
      let json = await forage(["favorite", "list", "--format", "json"], in: environment)
      #expect(json.out == "{\"schema\":1,\"favorites\":[\(member)]}\n")
      let lines = await forage(["favorite", "list", "--format", "ndjson"], in: environment)
      #expect(lines.out == member + "\n")
    }
  }

  /// A search that shows a favorite again teaches its facts and the spelling of the forge; the list needs no
  /// server then.
  @Test func factsAreThoseOfTheLastSearch() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        _ = await forage(["favorite", "add", "Apple/SWIFT-nio", "nemo/http"], in: environment)
        _ = await forage(["search", "http", "-p", "github", "--sort", "stars"], in: environment)
        server.forgetRequests()
        let list = await forage(["favorite", "list", "--sort", "stars"], in: environment)
        let rows = list.out.split(separator: "\n")
        #expect(
          rows.first?.hasPrefix(
            "apple/swift-nio\tEvent-driven network framework for http clients\tSwift\t8149\t") == true)
        #expect(rows.count == 2 && rows[1].hasPrefix("nemo/http\t\t\t0\t"))
        #expect(server.requests.isEmpty)
        // Adding it again by another spelling loses nothing.
        _ = await forage(["favorite", "add", "APPLE/swift-nio"], in: environment)
        #expect(await forage(["favorite", "list", "--sort", "stars"], in: environment).out == list.out)
      }
    }
  }

  /// What an earlier answer told of a repository is known of a new favorite, and of one that no answer has
  /// shown since.
  @Test func theSpellingOfAnEarlierAnswer() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        _ = await forage(["search", "http", "-p", "github", "--sort", "stars"], in: environment)
        server.forgetRequests()
        let added = await forage(["favorite", "add", "Apple/SWIFT-nio"], in: environment)
        #expect(added.out == "apple/swift-nio is now a favorite\n")
        let list = await forage(["favorite", "list", "--json", "title,owner,name,stars"], in: environment)
        #expect(
          list.out
            == #"[{"title":"apple/swift-nio","owner":"apple","name":"swift-nio","stars":8149}]"# + "\n")
        #expect(server.requests.isEmpty)
      }
    }
  }

  /// Rows of clones show the stars of an earlier answer; facts of favorites stay those of the forge.
  @Test func starsOfClones() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        let clone = try await TemporaryRepository.make("home/src/nio", in: home.directory)
        try await clone.commit("first", files: ["README.md": "A framework in this clone.\n"])
        try await clone.git(["remote", "add", "origin", "https://github.com/Apple/Swift-NIO.git"])
        _ = await forage(["clones", "add", home.directory.path("home/src")], in: environment)
        _ = await forage(["favorite", "add", "apple/swift-nio"], in: environment)
        let row = ["search", "framework", "-p", "local", "--json", "stars,sources"]
        #expect(await forage(row, in: environment).out.hasPrefix(#"[{"stars":null,"#))
        _ = await forage(["search", "http", "-p", "github", "--sort", "stars"], in: environment)
        server.forgetRequests()
        let facts = await forage(["favorite", "list"], in: environment).out
        #expect(facts.hasPrefix("apple/swift-nio\tEvent-driven network framework"))
        #expect(await forage(row, in: environment).out.hasPrefix(#"[{"stars":8149,"#))
        #expect(await forage(["favorite", "list"], in: environment).out == facts)
        #expect(server.requests.isEmpty)
      }
    }
  }

  /// A favorite has the facts that the catalogue has of its clone, with a forge and without.
  @Test(arguments: [true, false])
  func factsOfAClone(_ hasForge: Bool) async throws {
    try await withHome { home, environment in
      let clone = try await TemporaryRepository.make("src/tool", in: home.directory)
      try await clone.commit("first", files: ["README.md": "It finds all your files.\n", "a.c": "int a;\n"])
      if hasForge { try await clone.git(["remote", "add", "origin", "https://github.com/Acme/Tool.git"]) }
      let folder = home.directory.path("src")
      #expect(await forage(["clones", "add", folder], in: environment).status == .success)
      let references = hasForge ? [clone.path, "acme/tool"] : [clone.path]
      for reference in references {
        _ = await forage(["favorite", "add", reference], in: environment)
        let list = await forage(["favorite", "list"], in: environment)
        let name = hasForge ? "Acme/Tool" : "tool"
        #expect(list.out.hasPrefix("\(name)\tIt finds all your files.\tC\t"), "\(reference): \(list)")
        _ = await forage(["favorite", "remove", reference], in: environment)
      }
    }
  }

  @Test func noFavorites() async throws {
    try await withHome { home, environment in
      for columns in [nil, 80] {
        let list = await forage(["favorite", "list"], in: environment, columns: columns)
        #expect(list.status == .nothingFound)
        #expect(list.out == "")
        #expect(
          list.err == """
            forage: there are no favorites
            hint: add one with: forage favorite add owner/name

            """)
      }
      let search = await forage(["search", "x", "--favorites"], in: environment)
      #expect(search.status == .nothingFound)
      #expect(search.out == "")
      #expect(
        search.err == "forage: there are no favorites\nhint: add one with: forage favorite add owner/name\n")
      // Programs get the answer that a search has.
      for (format, out) in [
        ("json", #"{"schema":1,"query":"x","complete":true,"providers":[],"items":[]}"#),
        ("ndjson", #"{"summary":{"schema":1,"query":"x","complete":true,"providers":[]}}"#),
      ] {
        let none = await forage(["search", "x", "--favorites", "--format", format], in: environment)
        #expect(none.status == .nothingFound && none.out == out + "\n" && none.err == search.err)
      }
      let fields = await forage(["search", "x", "--favorites", "--json", "id"], in: environment)
      #expect(fields.status == .nothingFound && fields.out == "[]\n")
      let removed = await forage(["favorite", "remove", "a/b"], in: environment)
      #expect(removed.status == .nothingFound)
      // Looking makes no store.
      #expect(!FileManager.default.fileExists(atPath: home.data.path + "/forage/forage.db"))
    }
  }

  /// One that names nothing among others: nothing is changed.
  @Test(arguments: ["foo", "", " ", "owner/na\u{1B}[2Jme", "owner/", "a/b/c"])
  func whatNamesNoRepository(_ reference: String) async throws {
    try await withHome { _, environment in
      _ = await forage(["favorite", "add", "a/b"], in: environment)
      for verb in ["add", "remove"] {
        let outcome = await forage(["favorite", verb, "a/b", "c/d", reference], in: environment)
        #expect(outcome.status == .usage)
        #expect(outcome.out == "")
        #expect(outcome.err.contains("\nhint: "), "\(outcome.err)")
        #expect(!outcome.err.contains("\u{1B}"))
      }
      let list = await forage(["favorite", "list"], in: environment)
      #expect(list.out.split(separator: "\n").count == 1 && list.out.hasPrefix("a/b\t"))
    }
  }

  @Test func nothingNamed() async throws {
    for verb in ["add", "remove"] {
      let outcome = try await forage(["favorite", verb])
      #expect(outcome.status == .usage)
      #expect(outcome.out == "")
      #expect(outcome.err.contains("\nhint: "))
    }
  }

  @Test func aStoreThatCannotBe() async throws {
    try await withIsolatedHome { home in
      let file = try home.directory.write("no-folder", "")
      let environment = variables(home, "", adding: ["XDG_DATA_HOME": file.path])
      let outcome = await forage(["favorite", "add", "a/b"], in: environment)
      #expect(outcome.status == .failed)
      #expect(outcome.out == "")
      #expect(outcome.err.hasPrefix("forage: "))
      #expect(outcome.err.contains("\nhint: "))
      #expect(!outcome.err.contains("is now a favorite"))
    }
  }

  /// Conditions on what belongs to a repository, and `is:`, are checked on what is known of a favorite.
  @Test func issuesAmongThem() async throws {
    try await withGitHub(FakeGitHub(repositories: [])) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        _ = await forage(
          ["favorite", "add", "github.com/nemo/http#7", "github.com/nemo/tcp#8"], in: environment)
        let search = ["search", "--favorites", "-k", "issue", "--json", "id"]
        let one = await forage(search + ["-R", "nemo/http"], in: environment)
        #expect(one.out == "[{\"id\":\"github.com/nemo/http#7\"}]\n", "\(one.err)")
        let none = await forage(search + ["is:open"], in: environment)
        #expect(none.out == "[]\n" && none.status == .nothingFound, "\(none.err)")
      }
    }
  }

  @Test func resultsTellOfThem() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        _ = await forage(
          ["favorite", "add", "github.com/nemo/http", "github.com/not/there"], in: environment)
        let search = ["search", "http", "-p", "github", "--sort", "stars"]
        let all = await forage(search + ["--json", "title,favorite"], in: environment)
        #expect(
          all.out == """
            [{"title":"apple/swift-nio","favorite":false},{"title":"kana/http-検索","favorite":false},\
            {"title":"nemo/http","favorite":true}]

            """)
        let only = await forage(search + ["--favorites", "--json", "title,favorite"], in: environment)
        #expect(only.out == "[{\"title\":\"nemo/http\",\"favorite\":true}]\n")
        #expect(only.status == .success)
        // Of one whose facts are not stored it is not known whether it fits.
        let unknown = await forage(
          ["search", "there stars:>1", "--favorites", "--format", "json"], in: environment)
        #expect(
          unknown.status == .nothingFound && unknown.out.contains("\"complete\":false"), "\(unknown.out)")
        #expect(unknown.err.contains("of not/there only the name is known\nhint: "), "\(unknown.err)")
        let known = await forage(["search", "there", "--favorites", "--json", "title"], in: environment)
        #expect(known.out == "[{\"title\":\"not/there\"}]\n" && !known.err.contains("is known"))
        let none = await forage(search + ["--favorites", "swift"], in: environment)
        #expect(none.status == .nothingFound)
        #expect(none.out == "")
      }
    }
  }
}
