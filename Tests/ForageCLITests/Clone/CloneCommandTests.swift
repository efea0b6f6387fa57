import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// `forage clone` with the git program, over repositories in a folder that stands in for a forge.
struct CloneCommandTests {
  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret", "PATH": "/usr/bin:/bin"]

  /// Runs a command in a home.
  ///
  /// - Parameters:
  ///   - lines: Standard input.
  ///   - isTerminal: Whether somebody answers questions with these lines.
  private func run(
    _ arguments: [String], _ home: IsolatedHome, _ api: String = nobody, lines: [String] = [],
    isTerminal: Bool = false
  ) async -> Outcome {
    let capture = Capture()
    let rest = Mutex(lines[...])
    let input = Input(isTerminal: isTerminal) { rest.withLock { $0.popFirst() } }
    let process = ProcessEnvironment(
      environment: variables(home, api, adding: Self.token), output: capture.output(),
      terminalPrograms: .live, input: input)
    let status = await Entry.run(arguments, in: process)
    return Outcome(status: status, out: capture.results, err: capture.messages)
  }

  private func path(_ home: IsolatedHome, _ name: String) -> String {
    home.directory.path("home/src/github.com/" + name)
  }

  /// What git's own command takes has another place here.
  @Test func argumentsOfGit() async throws {
    try await withIsolatedHome { home in
      let folder = await run(["clone", "psf/requests", home.directory.path("req")], home)
      #expect(folder.status == .usage && folder.err.contains("clone takes no folder"), "\(folder.err)")
      #expect(folder.err.contains("clones.root"))
      let name = await run(["clone", "foo"], home)
      #expect(name.status == .usage && name.err.contains("owner/name, ") && !name.err.contains("@login"))
      let option = await run(["clone", "psf/requests", "--", "--depth", "1"], home)
      #expect(
        option.status == .usage && option.err.hasSuffix("hint: write --depth before --\n"), "\(option.err)")
    }
  }

  @Test func clonesAndKnowsThem() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory)
      try await forge.add("Owner/One")
      try await forge.add("owner/zwei-検索")
      let first = await run(["clone", "Owner/One", "owner/zwei-検索", "owner/one"], home)
      #expect(first.status == .success && first.err == "", "\(first.err)")
      #expect(
        Set(first.out.split(separator: "\n").map(String.init)) == [
          "Owner/One\tcloned\t" + path(home, "Owner/One"),
          "owner/zwei-検索\tcloned\t" + path(home, "Owner/zwei-検索"),
        ], "\(first.out)")
      #expect(FileManager.default.fileExists(atPath: path(home, "Owner/One/main.swift")))
      let found = await run(["search", "zwei", "-p", "local"], home)
      #expect(found.status == .success && found.out.hasPrefix("owner/zwei-検索\t"), "\(found.err)")
      let list = await run(["clones", "list"], home)
      #expect(list.out.split(separator: "\n").count == 2)
      let again = await run(["clone", "owner/ONE", "--format", "json"], home)
      #expect(
        again.out == """
          {"schema":1,"clones":[{"id":"github.com/owner/one","path":"\(path(home, "Owner/One"))","state":"present"}]}

          """)
      #expect(again.status == .success && again.err == "")
    }
  }

  @Test func oneFailureStopsNoOther() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory)
      try await forge.add("o/fine")
      try await forge.add("o/taken")
      try home.directory.write("home/src/github.com/o/taken/file", "mine")
      let some = await run(["clone", "o/none", "o/taken", "o/fine", "--format", "json"], home)
      #expect(some.status == .partial)
      #expect(
        some.out.contains(#""id":"github.com/o/fine","path":"\#(path(home, "o/fine"))","state":"cloned"}"#))
      #expect(some.out.contains(#""state":"failed","error":"o/none"#))
      #expect(some.err.contains("forage: o/none ") && some.err.contains("forage: o/taken "), "\(some.err)")
      #expect(some.err.components(separatedBy: "\nhint: ").count == 3)
      #expect(FileManager.default.contents(atPath: path(home, "o/taken/file")) == Data("mine".utf8))
      let none = await run(["clone", "o/none", "o/taken"], home)
      #expect(none.status == .failed)
      #expect(none.out.split(separator: "\n").allSatisfy { $0.contains("\tfailed\t") })
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path(home, "o")).sorted() == ["fine", "taken"])
    }
  }

  /// What is cloned anywhere in the catalogue is not cloned again; another repository at its place is not
  /// touched.
  @Test func clonesThatExist() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory)
      try await forge.add("o/else")
      let other = try await TemporaryRepository.make("home/own/mine", in: home.directory)
      try await other.commit(files: ["a": "1"])
      try await other.git("remote add origin git@github.com:O/Else.git")
      let wrong = try await TemporaryRepository.make("home/src/github.com/o/wrong", in: home.directory)
      try await wrong.git("remote add origin https://github.com/x/y")
      let right = try await TemporaryRepository.make("home/src/github.com/o/right", in: home.directory)
      try await right.git("remote add origin https://github.com/o/right")
      _ = await run(["clones", "add", home.directory.path("home/own")], home)
      let outcome = await run(["clone", "o/else", "o/wrong", "o/right"], home)
      #expect(outcome.status == .partial)
      #expect(outcome.out.contains("o/else\tpresent\t" + other.path) || outcome.out.contains("O/Else"))
      #expect(outcome.out.contains("o/right\tpresent\t" + right.path))
      #expect(outcome.err.contains("github.com/x/y"))
      #expect(!FileManager.default.fileExists(atPath: path(home, "o/else")))
      let known = await run(["clones", "list"], home)
      #expect(known.out.contains(right.path + "\tgithub.com/o/right\t"))
    }
  }

  @Test func standardInput() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory, hosts: ["github.com", "codeberg.org"])
      for name in ["o/one", "o/two", "o/three"] { try await forge.add(name) }
      try await forge.add("c/four", host: "codeberg.org")
      let lines = [
        "o/one", "", "o/two\tText\tSwift\t1", #"{"id":"github.com/o/three"}"#, "three words here",
        "c/four\t\t\t\t\thttps://codeberg.org/c/four\t\tcodeberg", #"{"summary":{}}"#,
      ]
      let outcome = await run(["clone", "-"], home, lines: lines)
      #expect(outcome.status == .partial)
      #expect(outcome.err.contains("line 5: "), "\(outcome.err)")
      let states = outcome.out.split(separator: "\n").map {
        $0.split(separator: "\t").prefix(2).joined(separator: " ")
      }
      #expect(
        Set(states) == ["o/one cloned", "o/two cloned", "o/three cloned", "codeberg.org/c/four cloned"])
      #expect(
        FileManager.default.fileExists(atPath: home.directory.path("home/src/codeberg.org/c/four/main.swift"))
      )
      let json = await run(
        ["clone", "-"], home, lines: [#"[{"id":"github.com/o/one"},{"id":"github.com/o/two"}]"#, "[{"])
      #expect(json.status == .partial && json.out.split(separator: "\n").count == 2)
      #expect(json.err.contains("line 2: ") && json.err.contains("JSON"), "\(json.err)")
      #expect(await run(["clone", "-"], home).status == .nothingFound)
      #expect(await run(["clone", "-"], home, lines: ["three words here"]).status == .failed)
    }
  }

  @Test func extentAndPlace() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory)
      let source = try await forge.add("o/deep")
      try await source.commit("second", files: ["b": "2"])
      try home.writeConfig("forage/config.yaml", "clones: {root: ~/ordner/ü}\n")
      let outcome = await run(["clone", "o/deep", "--depth", "1"], home)
      let place = home.directory.path("home/ordner/ü/github.com/o/deep")
      #expect(outcome.status == .success && outcome.out.hasSuffix(place + "\n"), "\(outcome.err)")
      let clone = try TemporaryRepository(at: place, in: home.directory)
      #expect(try await clone.git("rev-list --count HEAD") == "1")
      #expect(try await clone.git("remote get-url origin") == "https://github.com/o/deep")
    }
  }

  /// The repositories of an account: two, one of them archived, and a fork.
  private func account() -> FakeGitHub {
    FakeGitHub(repositories: [
      FakeRepository(id: 1, fullName: "Octo/One").with { $0.size = 1942 },
      FakeRepository(id: 2, fullName: "Octo/Two").with {
        ($0.size, $0.archived) = (500, true)
      },
      FakeRepository(id: 3, fullName: "Octo/Fork").with { $0.fork = true },
      FakeRepository(id: 4, fullName: "other/Three"),
    ]) { $0.starred = ["other/Three", "Octo/Fork"] }
  }

  @Test func everythingOfAnAccount() async throws {
    try await withGitHub(account()) { server in
      try await withIsolatedHome { home in
        let forge = try GitForge(in: home.directory)
        for name in ["Octo/One", "Octo/Two", "Octo/Fork"] { try await forge.add(name) }
        let all = ["clone", "--owner", "octo"]
        let unasked = await run(all, home, server.baseURL)
        #expect(
          unasked.status == .usage && unasked.out == "" && unasked.err.contains("--yes"), "\(unasked.err)")
        #expect(
          unasked.err.contains("2 of 2 repositories of octo") && unasked.err.contains("2.5 MB"),
          "\(unasked.err)")
        #expect(unasked.err.contains("1 fork"))
        let no = await run(all, home, server.baseURL, lines: ["n"], isTerminal: true)
        #expect(no.status == .failed && no.out == "" && no.err.contains("[y/N]"))
        #expect(!FileManager.default.fileExists(atPath: path(home, "Octo")))
        let yes = await run(all, home, server.baseURL, lines: ["y"], isTerminal: true)
        #expect(yes.status == .success, "\(yes.err)")
        #expect(yes.out.split(separator: "\n").allSatisfy { $0.contains("\tcloned\t") })
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: path(home, "Octo")).sorted() == ["One", "Two"])
        // Nothing is missing, so nobody is asked.
        let again = await run(all, home, server.baseURL)
        #expect(
          again.status == .success
            && again.out.split(separator: "\n").allSatisfy { $0.contains("\tpresent\t") })
        let forks = await run(all + ["--forks", "--yes"], home, server.baseURL)
        #expect(forks.status == .success && forks.out.contains("Octo/Fork\tcloned\t"), "\(forks.err)")
        #expect(forks.err.contains("1 of 3") && forks.err.contains("2 cloned already"))
        #expect(await run(["clone", "--owner", "nobody", "--yes"], home, server.baseURL).status == .failed)
      }
    }
  }

  /// A clone stays one of its repository after a rename: the forge's answer says so, and both names mean it.
  @Test func aRenamedRepository() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 7, fullName: "New/Tool")]) {
      $0.renames = ["old/thing": 7]
    }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let forge = try GitForge(in: home.directory)
        for name in ["old/thing", "New/Tool"] { try await forge.add(name) }
        #expect(await run(["clone", "old/thing"], home).status == .success)
        let folder = path(home, "old/thing")
        #expect(await run(["favorite", "add", "old/thing"], home).status == .success)
        let shown = await run(["show", "old/thing", "--json", "path,title"], home, server.baseURL)
        #expect(shown.out.contains(folder) && shown.out.contains("New/Tool"), "\(shown)")
        for name in ["New/Tool", "old/thing"] {
          let clone = await run(["clone", name], home)
          #expect(clone.status == .success && clone.out == "\(name)\tpresent\t\(folder)\n", "\(clone)")
        }
        #expect(!FileManager.default.fileExists(atPath: path(home, "New")))
        // A favorite is one of the repository, too.
        for name in ["New/Tool", "old/thing"] {
          #expect(await run(["favorite", "add", name], home).out.hasSuffix(" is already a favorite\n"))
        }
        let favorites = await run(["favorite", "list", "--json", "id"], home)
        #expect(favorites.out == "[{\"id\":\"github.com/new/tool\"}]\n", "\(favorites)")
        #expect(await run(["favorite", "remove", "old/thing"], home).status == .success)
        // A scan reads the old address again.
        #expect(await run(["clones", "scan", "--no-index"], home).status == .success)
        for name in ["New/Tool", "old/thing", "tool", "thing", "https://github.com/old/thing.git", "old/*"] {
          let list = await run(["clones", "list", name, "--json", "path,id,renamedTo"], home)
          #expect(
            list.out == """
              [{"path":"\(folder)","id":"github.com/new/tool","renamedTo":"github.com/New/Tool"}]

              """, "\(name) \(list)")
        }
        let list = await run(["clones", "list", "--format", "table"], home)
        #expect(list.err.hasSuffix("old/thing: renamed to New/Tool\n"), "\(list.err)")
        // Another repository gets the old name.
        github.update { options in
          options.repositories.append(FakeRepository(id: 8, fullName: "old/thing"))
          options.renames = [:]
        }
        #expect(await run(["show", "old/thing", "--no-cache"], home, server.baseURL).status == .success)
        let ids = await run(["clones", "list", "--json", "id,renamedTo"], home)
        #expect(ids.out == "[{\"id\":\"github.com/old/thing\",\"renamedTo\":null}]\n", "\(ids)")
      }
    }
  }

  /// A repository that is cloned by a name of which nothing was told yet, while a clone has another of its
  /// names.
  @Test(arguments: [("old/thing", "New/thing"), ("New/thing", "old/thing"), ("old/thing", "old/other")])
  func aRenamedRepositoryIsNotClonedTwice(_ there: String, _ asked: String) async throws {
    let github = FakeGitHub(
      repositories: [
        FakeRepository(id: 7, fullName: "New/thing"), FakeRepository(id: 8, fullName: "old/other"),
      ]) { $0.renames = ["old/thing": 7] }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let forge = try GitForge(in: home.directory)
        for name in [there, asked] { try await forge.add(name) }
        try await forge.add("x/y", files: ["other": "history\n"])
        #expect(await run(["clone", there], home).status == .success)
        // What is like no clone is not asked for.
        #expect(await run(["clone", "x/y"], home, server.baseURL).out.contains("\tcloned\t"))
        #expect(server.requests.isEmpty)
        let clone = await run(["clone", asked], home, server.baseURL)
        let outcome =
          asked == "old/other" ? "cloned\t" + path(home, asked) : "present\t" + path(home, there)
        #expect(clone.out == "\(asked)\t\(outcome)\n", "\(clone)")
        let list = await run(["clones", "list", "old/thing", "--json", "id,path"], home)
        #expect(
          list.out == "[{\"id\":\"github.com/new/thing\",\"path\":\"\(path(home, there))\"}]\n", "\(list)")
      }
    }
  }

  /// A clone none of whose names is like the one that is cloned has its history, and the forge tells it from
  /// a fork.
  @Test(arguments: [
    ("old/thing", "New/tool", false), ("New/tool", "old/thing", false), ("old/thing", "New/tool", true),
    ("old/thing", "else/fork", false),
  ])
  func aRenamedRepositoryIsKnownByItsHistory(_ there: String, _ asked: String, _ isCutOff: Bool) async throws
  {
    let github = FakeGitHub(
      repositories: [
        FakeRepository(id: 7, fullName: "New/tool"), FakeRepository(id: 9, fullName: "else/fork"),
      ]) { $0.renames = ["old/thing": 7] }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let forge = try GitForge(in: home.directory)
        for name in [there, asked] { try await forge.add(name).commit("second") }
        #expect(await run(["clone", there], home).status == .success)
        let options = isCutOff ? ["--depth", "1"] : []
        let clone = await run(["clone", asked] + options, home, server.baseURL)
        let isFork = asked == "else/fork"
        #expect(
          clone.out == "\(asked)\t" + (isFork ? "cloned" : "present") + "\t"
            + path(home, isFork ? asked : there) + "\n", "\(clone)")
        #expect(FileManager.default.fileExists(atPath: path(home, asked)) == isFork)
        let list = await run(["clones", "list", there, "--json", "id,path"], home)
        #expect(
          list.out == "[{\"id\":\"github.com/new/tool\",\"path\":\"\(path(home, there))\"}]\n", "\(list)")
      }
    }
  }

  /// A forge that does not answer is asked once about what has the name or the history of a clone.
  @Test(arguments: ["else/thing", "else/fork"]) func aForgeThatDoesNotAnswer(_ fork: String) async throws {
    let github = FakeGitHub(repositories: [])
    github.fail(.hang)
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let forge = try GitForge(in: home.directory)
        for name in ["old/thing", fork] { try await forge.add(name) }
        #expect(await run(["clone", "old/thing"], home).status == .success)
        let clone = await run(["clone", fork], home, server.baseURL)
        #expect(clone.out == "\(fork)\tcloned\t\(path(home, fork))\n", "\(clone)")
        #expect(server.requests.map(\.path).filter { $0.hasSuffix("/repos/" + fork) }.count == 1)
        #expect(server.requests.count == 1, "\(server.requests.map(\.path))")
      }
    }
  }

  /// The id that a forge gives a repository says in the results of a search that it was renamed.
  @Test func aRepositoryIsKnownByItsIDOnTheForge() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 7, fullName: "old/thing")])
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let forge = try GitForge(in: home.directory)
        for name in ["old/thing", "new/tool"] { try await forge.add(name) }
        #expect(await run(["clone", "--owner", "old", "-y"], home, server.baseURL).status == .success)
        let folder = path(home, "old/thing")
        github.update { $0.repositories = [FakeRepository(id: 7, fullName: "new/tool")] }
        let found = await run(["search", "tool", "--json", "id,path"], home, server.baseURL)
        #expect(found.out == "[{\"id\":\"github.com/new/tool\",\"path\":\"\(folder)\"}]\n", "\(found)")
        let clone = await run(["clone", "new/tool"], home)
        #expect(clone.out == "new/tool\tpresent\t\(folder)\n", "\(clone)")
      }
    }
  }

  /// The set of the settings: what is new is cloned, the rest fetched, what is gone or renamed named.
  @Test func aDeclaredSet() async throws {
    let github = account()
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let none = await run(["clones", "sync"], home, server.baseURL)
        #expect(none.status == .nothingFound && none.err.contains("clones: {sync:"), "\(none)")
        // One entry leaves out what another wants.
        try home.writeConfig(
          "forage/config.yaml", "clones: {sync: [{owner: octo}, {owner: octo, archived: true}]}\n")
        let both = await run(["clones", "sync", "--dry-run", "--format", "table"], home, server.baseURL)
        #expect(both.err.hasSuffix("2 repositories: 2 new; left out: 1 fork\n"), "\(both)")
        try home.writeConfig(
          "forage/config.yaml",
          "clones: {sync: [{owner: octo, archived: true}, {owner: other, exclude: 'th*'}]}\n")
        let forge = try GitForge(in: home.directory)
        let one = try await forge.add("Octo/One")
        for name in ["Octo/Two", "Octo/New"] { try await forge.add(name) }
        let dry = await run(["clones", "sync", "--dry-run", "--format", "table"], home, server.baseURL)
        #expect(
          dry.out == "new Octo/One \(path(home, "Octo/One"))\nnew Octo/Two \(path(home, "Octo/Two"))\n",
          "\(dry)")
        #expect(dry.err.hasSuffix("2 repositories: 2 new; left out: 1 fork, 1 excluded\n"), "\(dry.err)")
        #expect(!FileManager.default.fileExists(atPath: path(home, "")))
        let first = await run(["clones", "sync", "--format", "table"], home, server.baseURL)
        #expect(
          first.status == .success && first.err.hasSuffix("2 cloned; left out: 1 fork, 1 excluded\n"),
          "\(first)")
        try await one.commit("second")
        github.update { options in
          options.repositories.removeAll { $0.id == 2 }
          options.repositories.append(FakeRepository(id: 9, fullName: "Octo/New"))
        }
        let second = await run(["clones", "sync", "--json", "id,state"], home, server.baseURL)
        #expect(
          second.out == """
            [{"id":"github.com/octo/new","state":"cloned"},{"id":"github.com/octo/one","state":"updated"},\
            {"id":"github.com/octo/two","state":"gone"}]

            """, "\(second)")
        #expect(FileManager.default.fileExists(atPath: path(home, "Octo/Two/main.swift")))
        github.update { options in
          options.repositories[0].fullName = "Octo/Eins"
          options.renames = ["octo/new": 9]
          options.repositories[options.repositories.count - 1].fullName = "away/New"
        }
        let third = await run(["clones", "sync", "--json", "id,state,renamedTo"], home, server.baseURL)
        #expect(
          third.out == """
            [{"id":"github.com/away/new","state":"renamed","renamedTo":"github.com/away/New"},\
            {"id":"github.com/octo/eins","state":"current","renamedTo":"github.com/Octo/Eins"},\
            {"id":"github.com/octo/two","state":"gone","renamedTo":null}]

            """, "\(third)")
      }
    }
  }

  @Test func everyStar() async throws {
    try await withGitHub(account()) { server in
      try await withIsolatedHome { home in
        try await GitForge(in: home.directory).add("other/Three")
        let outcome = await run(["clone", "--stars", "-y", "--format", "ndjson"], home, server.baseURL)
        #expect(outcome.status == .success, "\(outcome.err)")
        #expect(
          outcome.out == """
            {"id":"github.com/other/three","path":"\(path(home, "other/Three"))","state":"cloned"}

            """)
      }
    }
  }

  @Test(
    arguments: [
      [], ["--yes"], ["o/n", "--stars"], ["--stars", "--owner", "x"], ["o/n", "--depth", "0"],
      ["o/n", "--depth", "x"], ["o/n", "--filter", ""], ["o/n", "--filter", "a b"], ["--owner", "a/b"],
      ["--owner", ""], ["--owner=-x"], ["three words here"], ["@login"], ["o/n", "--format", "html"],
    ])
  func usage(_ arguments: [String]) async throws {
    try await withIsolatedHome { home in
      let outcome = await run(["clone"] + arguments, home)
      #expect(outcome.status == .usage && outcome.out == "", "\(outcome.err)")
      #expect(outcome.err.contains("\nhint: "))
      #expect(!FileManager.default.fileExists(atPath: home.directory.path("home/src")))
    }
  }

  /// What was made for clones that failed is removed, and nothing else.
  @Test func noEmptyFoldersStay() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory)
      #expect(await run(["clone", "o/none", "p/none"], home).status == .failed)
      #expect(!FileManager.default.fileExists(atPath: home.directory.path("home/src")))
      #expect(await run(["clones", "scan"], home).status == .nothingFound)
      try await forge.add("o/fine")
      try home.directory.makeDirectory("home/src/github.com/leer")
      #expect(await run(["clone", "o/fine", "p/none", "leer/none"], home).status == .partial)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: home.directory.path("home/src/github.com"))
          .sorted()
          == ["leer", "o"])
      #expect(await run(["clones", "scan"], home).status == .success)
    }
  }

  @Test func withoutGit() async throws {
    try await withIsolatedHome { home in
      let outcome = await forage(["clone", "o/n"], in: variables(home))
      #expect(outcome.status == .failed && outcome.err.contains("git"))
    }
  }
}
