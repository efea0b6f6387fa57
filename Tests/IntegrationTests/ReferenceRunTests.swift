import Foundation
import TestSupport
import Testing

/// What commands name things by, from a folder with clones in it.
struct ReferenceRunTests {
  /// Runs a body with a program whose home has a clone at `src/google/codesearch`.
  private func withClone<Value>(
    remote: String = "https://github.com/Google/CodeSearch.git",
    _ github: FakeGitHub = FakeGitHub(repositories: []),
    _ body: (Program, LoopbackServer, TemporaryRepository) async throws -> Value
  ) async throws -> Value {
    try await withProgram(github) { program, server in
      let repository = try await TemporaryRepository.make(
        "home/src/google/codesearch", in: program.home.directory)
      try await repository.commit("first", files: ["main.go": "package main\n"])
      if !remote.isEmpty { try await repository.git(["remote", "add", "origin", remote]) }
      return try await body(program, server, repository)
    }
  }

  private func favorites(_ program: Program) async throws -> [[String?]] {
    let list = try await program.run(["favorite", "list", "--format", "json"])
    return try list.json()["favorites"]?.array.map { [$0["id"]?.string, $0["title"]?.string] } ?? []
  }

  @Test(arguments: [
    "src/google/codesearch", "./src/google/codesearch", "src/google/codesearch/main.go", "Google/CodeSearch",
    "git@github.com:Google/CodeSearch.git", "https://github.com/Google/CodeSearch/tree/main",
  ])
  func oneRepository(_ reference: String) async throws {
    try await withClone { program, server, _ in
      let added = try await program.run(["favorite", "add", reference])
      #expect(added.status == 0, "\(added.err)")
      #expect(try await favorites(program) == [["github.com/google/codesearch", "Google/CodeSearch"]])
      // An address is opened as it is, and the path of a file means the file to show and open.
      let isAddress = reference.hasPrefix("https:")
      for command in [["show", "-w"], ["open"]] where !reference.hasSuffix(".go") {
        let page = try await program.run(command + [reference])
        #expect(
          page.status == 0
            && page.out.lowercased()
              == (isAddress ? reference.lowercased() : "https://github.com/google/codesearch") + "\n",
          "\(page.err)")
      }
      let removed = try await program.run(["favorite", "remove", reference])
      #expect(removed.status == 0 && server.requests.isEmpty)
      #expect(try await favorites(program).isEmpty)
    }
  }

  /// A folder that is no clone and above none does not hide the clone with its name, unless it is written as
  /// a path.
  @Test func aFolderWithTheNameOfAClone() async throws {
    try await withProgram(FakeGitHub(repositories: [])) { program, _ in
      let engine = try await program.makeClone("acme/engine")
      let wheel = try await program.makeClone("acme/wheel")
      try await program.addClones()
      for folder in ["engine", "acme/engine"] {
        try program.home.directory.write("home/desk/\(folder)/a", "a")
      }
      let below = try await TemporaryRepository.make("home/desk/wheel/below", in: program.home.directory)
      try await below.commit("first", files: ["a": "a"])
      let work = URL(fileURLWithPath: program.home.directory.path("home/desk"))
      for name in ["engine", "acme/engine"] {
        let inspected = try await program.run(["inspect", name, "--format", "json"], in: work)
        #expect(try inspected.json()["path"]?.string == engine.path, "\(inspected.err)")
        let written = try await program.run(["inspect", "./" + name], in: work)
        #expect(written.status != 0 && written.err.contains("is not in a Git repository"))
        let opened = try await program.run(["open", name], in: work)
        #expect(opened.out == "https://github.com/acme/engine\n", "\(opened)")
      }
      let added = try await program.run(["favorite", "add", "engine"], in: work)
      #expect(added.status == 0, "\(added.err)")
      #expect(try await favorites(program) == [["github.com/acme/engine", "acme/engine"]])
      for (text, paths) in [("acme/*", [engine.path, wheel.path]), ("wheel", [below.path])] {
        let inspected = try await program.run(["inspect", text, "--format", "json"], in: work)
        #expect(try inspected.json().array.compactMap { $0["path"]?.string } == paths, "\(inspected)")
      }
    }
  }

  /// The options with the path of a manifest in the home folder.
  private static func absolute(_ options: [String], _ program: Program) -> [String] {
    options.map { $0.hasSuffix(".yaml") ? program.home.directory.path("home/" + $0) : $0 }
  }

  /// `repo:` means the clones that a command for clones means, for every kind, and whether or not anything
  /// else is searched.
  @Test(arguments: [["-p", "local"], ["--plugin", "odd.yaml"]])
  func clonesOfASearch(_ providers: [String]) async throws {
    // Names without a host are those of github.com.
    let program = try Program("")
    try program.home.writeConfig("forage/config.yaml", "providers: {github: {enabled: false}}\n")
    _ = try program.home.directory.write(
      "home/odd.yaml",
      """
      forage: 1
      id: odd
      name: Odd
      kinds: [repo]
      base: \(Program.nobody)
      request: {url: "{base}/search", params: {q: "{text}"}}
      items: $[*]
      map: {id: $.id, url: $.url, title: $.name}
      """)
    let remotes = [
      "deep": "https://gitlab.com/group/owner/tool.git", "here": "https://github.com/x/twin.git",
      "there": "https://gitlab.com/x/twin.git", "a/plain": "", "b/plain": "",
      "upper": "https://git.acme.example/Team/One.git", "lower": "https://git.acme.example/team/one.git",
    ]
    for (folder, remote) in remotes {
      let clone = try await TemporaryRepository.make("home/src/\(folder)", in: program.home.directory)
      try await clone.commit("needle of \(folder)", files: ["a.c": "needle of \(folder)\n"])
      if !remote.isEmpty { try await clone.git(["remote", "add", "origin", remote]) }
    }
    try await program.addClones()
    for (text, folders) in [
      ("owner/tool", ["deep"]), ("x/twin", ["here"]), ("gitlab.com/x/twin", ["there"]),
      ("twin", ["here", "there"]), ("plain", ["a/plain", "b/plain"]), ("x/none", []),
      // The case counts where nothing else tells two repositories from each other.
      ("git.acme.example/team/one", ["lower"]), ("git.acme.example/Team/One", ["upper"]),
      ("git.acme.example/TEAM/one", ["lower", "upper"]),
      // A glob, folders above clones, and a clone.
      ("x/*", ["here", "there"]), ("src/a", ["a/plain"]), ("./src/a", ["a/plain"]), ("~/src/b", ["b/plain"]),
      ("./src/there", ["there"]), (#""./src/there","owner/tool","x/none""#, ["deep", "there"]),
    ] {
      func lines(_ query: String) async throws -> Set<String> {
        let code = try await program.run(["search", "-k", "code", "--vimgrep"] + providers + [query])
        return Set(code.outLines)
      }
      func expected(_ folders: [String]) -> Set<String> {
        Set(
          folders.map { folder in
            program.home.directory.path("home/src/\(folder)/a.c") + ":1:1:needle of \(folder)"
          })
      }
      #expect(try await lines("needle repo:\(text)") == expected(folders), "\(text)")
      let others = remotes.keys.filter { !folders.contains($0) }
      #expect(try await lines("needle NOT repo:\(text)") == expected(others), "\(text)")
      let either = try await lines("needle (repo:\(text) OR repo:owner/tool)")
      #expect(either == expected(folders + ["deep"]), "\(text)")
      let commits = try await program.run(
        ["search", "-k", "commit", "needle repo:\(text)", "--json", "title"] + providers)
      let titles = try commits.json().array.compactMap { $0["title"]?.string }
      #expect(titles.sorted() == folders.map { "needle of " + $0 }, "\(commits)")
      let repositories = try await program.run(["search"] + providers + ["repo:" + text])
      #expect(repositories.outLines.count == folders.count, "\(repositories)")
      let rest = try await program.run(["search"] + providers + ["NOT repo:" + text])
      #expect(rest.outLines.count == others.count, "\(rest)")
    }
    // A folder in the clone that one stands in has no name of a repository, but a path.
    let here = program.home.directory.url.appendingPathComponent("home/src/here")
    try FileManager.default.createDirectory(
      at: here.appendingPathComponent("apple/größe"), withIntermediateDirectories: true)
    for (text, count) in [("apple/größe", 0), ("./apple/größe", 1)] {
      let lines = try await program.run(
        ["search", "-k", "code", "--vimgrep", "needle repo:\(text)"] + Self.absolute(providers, program),
        in: here)
      #expect(lines.outLines.count == count, "\(lines)")
    }
    // The same as an option.
    let option = try await program.run(["search", "-p", "local", "-k", "code", "needle", "-R", "plain"])
    #expect(option.outLines.count == 2, "\(option)")
  }

  /// A name of ssh's configuration is the host that it means: of a clone, of an address that is typed, and
  /// where the forge has the repository, too.
  @Test func aNameOfSSH() async throws {
    let remote = "git@github-work:Google/CodeSearch.git"
    let known = FakeRepository(id: 1, fullName: "google/codesearch")
    try await withClone(remote: remote, FakeGitHub(repositories: [known])) { program, _, _ in
      try program.home.directory.write("home/.ssh/config", "Include work\n")
      try program.home.directory.write("home/.ssh/work", "Host github-work\n  HostName ssh.github.com\n")
      try await program.addClones()
      for reference in ["./src/google/codesearch", remote] {
        let page = try await program.run(["open", reference])
        #expect(page.out.lowercased() == "https://github.com/google/codesearch\n", "\(page.err)")
      }
      let list = try await program.run(["search", "codesearch", "--format", "json"])
      let items = try list.json()["items"]?.array ?? []
      #expect(items.map { $0["id"]?.string } == ["github.com/google/codesearch"], "\(list.err)")
    }
  }

  /// A clone whose address is no page, and none that is only put together from it.
  @Test(arguments: ["git@nas:me/tool.git", "git@nas.example:~me/tool", "nas.example:/srv/git/tool.git"])
  func noPage(_ remote: String) async throws {
    try await withClone(remote: remote) { program, server, clone in
      let page = try await program.run(["open", "./src/google/codesearch"])
      #expect(page.status == 1 && page.out == "" && expectMessages(page).count == 1, "\(page.out)")
      try await program.addClones()
      let list = try await program.run(["feed", "-p", "local", "--format", "json"])
      let items = try list.json()["items"]?.array ?? []
      #expect(items.count == 1 && items.allSatisfy { $0["url"]?.string == nil }, "\(list.out)")
      let here = URL(fileURLWithPath: clone.path)
      for (kind, query) in [("repo", "repo:."), ("code", "package repo:.")] {
        let found = try await program.run(["search", "-k", kind, "-p", "local", query], in: here)
        #expect(found.outLines.count == 1, "\(found)")
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// What lists print names the same thing: places of code, files that were found, ids of commits.
  @Test func whatListsPrint() async throws {
    try await withClone { program, server, clone in
      try await clone.commit(
        "more", files: ["docs/a b.md": "x\n  needle\n", "f:1.txt": "needle 1\n", "docs/g.md": "g\n"])
      try await program.addClones()
      let here = URL(fileURLWithPath: clone.path)
      let rows = try await program.run(["search", "-k", "code", "-p", "local", "needle"]).outLines
      let places = rows.compactMap { $0.split(separator: "\t").first.map(String.init) }
      #expect(
        places.map { $0.lowercased() }.sorted() == [
          "google/codesearch:docs/a b.md:2:3", "google/codesearch:f:1.txt:1:1",
        ])
      let lists = try await (
        program.run(["search", "-k", "code", "-p", "local", "needle", "--vimgrep"]),
        program.run(["grep", "--all", "--vimgrep", "needle"], adding: ["PATH": "/usr/bin:/bin"])
      )
      let found = (lists.0.outLines + lists.1.outLines).map { line in
        String(line[..<(line.range(of: ":  needle") ?? line.range(of: ":needle"))!.lowerBound])
      }
      #expect(found.count == 4, "\(found)")
      for place in places + found {
        let opened = try await program.run(["open", place])
        let file = place.contains("a b.md") ? "docs/a b.md:2" : "f:1.txt:1"
        #expect(opened.status == 0 && opened.out == "\(clone.path)/\(file)\n", "\(place) \(opened)")
        let shown = try await program.run(["show", place, "--format", "json"])
        #expect(try shown.json()["item"]?["file"]?.string == "\(clone.path)/\(file.dropLast(2))", "\(shown)")
      }
      for path in ["docs/g.md", "./docs/g.md", clone.path + "/docs/g.md"] {
        let opened = try await program.run(["open", path], in: here)
        #expect(opened.status == 0 && opened.out == clone.path + "/docs/g.md\n", "\(path) \(opened)")
      }
      let id = try await clone.git("rev-parse HEAD")
      let commit = try await program.run(["open", id])
      #expect(commit.out.lowercased() == "https://github.com/google/codesearch/commit/\(id)\n", "\(commit)")
      let none = try await program.run(["open", String(id.reversed())])
      #expect(none.status == 2 && expectMessages(none).count == 1)
      // A file that is in no clone is that of the forge.
      let page = try await program.run(["open", "o/n:a b/c.go:3:1"])
      #expect(page.out == "https://github.com/o/n/blob/HEAD/a%20b/c.go#L3\n", "\(page)")
      let starred = try await program.run(["star", places[0]], adding: ["GH_ENTERPRISE_TOKEN": "t0ken"])
      #expect(starred.status == 2 && expectMessages(starred).count == 1)
      #expect(server.requests.isEmpty)
    }
  }

  /// A place is a line of a file of its repository, and its page where only that is wanted.
  @Test func placesInFiles() async throws {
    try await withClone { program, server, clone in
      try await clone.commit("more", files: ["docs/a b.md": "x\n  needle\n", "docs/g.md": "g\n"])
      try await program.addClones()
      let here = URL(fileURLWithPath: clone.path)
      // Each line of a file is a place of its own.
      let lines = try await program.run(
        ["open"] + ["1", "2", "1", "0"].map { "docs/a b.md:" + $0 }, in: here)
      #expect(lines.outLines == ["1", "2"].map { "\(clone.path)/docs/a b.md:\($0)" }, "\(lines)")
      let web = try await program.run(["show", "-w", "docs/a b.md:2"], in: here)
      #expect(
        web.out.lowercased() == "https://github.com/google/codesearch/blob/head/docs/a%20b.md#l2\n", "\(web)")
      // The path stays in the repository, and is taken as it is written.
      let outside = try program.home.directory.write("home/src/env.sh", "x\n").path
      try FileManager.default.createSymbolicLink(
        atPath: clone.path + "/link", withDestinationPath: outside)
      let left = try await program.run(["open", "google/codesearch:../../env.sh"])
      #expect(left.status == 2 && left.out == "" && expectMessages(left).count == 1, "\(left)")
      for (path, page) in [("link", "link"), ("f#L9", "f%23L9")] {
        let opened = try await program.run(["open", "google/codesearch:" + path])
        #expect(opened.out == "https://github.com/Google/CodeSearch/blob/HEAD/\(page)\n", "\(opened)")
      }
      let zero = try await program.run(["open", "google/codesearch:main.go:0"])
      #expect(zero.out == clone.path + "/main.go:1\n", "\(zero)")
      // A place in a file is no favorite.
      let kept = try await program.run(["favorite", "add", "docs/g.md:1"], in: here)
      #expect(kept.status == 2 && expectMessages(kept).count == 1, "\(kept)")
      #expect(server.requests.isEmpty)
    }
  }

  /// An address of the web is opened as it is, whatever it names.
  @Test(arguments: [
    "https://github.com/a/b/releases/tag/v1", "https://github.com/a/b/blob/main/x.c?plain=1#L3-L9",
    "http://localhost:3000/A/b/issues/7#issuecomment-1", "HTTPS://example.org/",
    "https://gist.github.com/a/1",
  ])
  func addressesStay(_ address: String) async throws {
    let program = try Program()
    let opened = try await program.run(["open", address])
    #expect(opened.status == 0 && opened.out == address + "\n", "\(opened)")
  }

  @Test(arguments: ["https://example.org/`x`", "https://example.org/'x", "ftp://example.org/x"])
  func addressesThatAreNone(_ address: String) async throws {
    let program = try Program()
    let opened = try await program.run(["open", address])
    #expect([1, 2].contains(opened.status) && opened.out == "" && expectMessages(opened).count == 1)
  }

  /// `owner/name` is a repository, also where there is a folder of this name.
  @Test func twoNamesAreARepository() async throws {
    try await withClone { program, _, _ in
      #expect(try await program.run(["favorite", "add", "src/google"]).status == 0)
      #expect(try await favorites(program) == [["github.com/src/google", "src/google"]])
      let folder = try await program.run(["favorite", "add", "./src/google"])
      #expect(folder.status == 2 && expectMessages(folder).count == 1)
    }
  }

  /// `repo:.` is the clone that one stands in, and a name without an owner the only clone with it.
  @Test(arguments: [["x repo:."], ["x", "-R", "."], ["x", "-R", "codesearch"], ["x repo:CodeSearch"]])
  func repositoriesByPlace(_ query: [String]) async throws {
    try await withClone { program, server, clone in
      try await program.addClones()
      let here = URL(fileURLWithPath: clone.path)
      let issues = try await program.run(["search", "-k", "issue", "-p", "github"] + query, in: here)
      let asked = server.requests.compactMap { $0.query("q") }
      #expect(asked == ["x repo:Google/CodeSearch"], "\(issues.err)")
    }
  }

  /// A path names the clone that is there, with and without a forge, or those below it; a path without a clone
  /// is an error.
  @Test(arguments: ["https://github.com/Google/CodeSearch.git", ""])
  func repositoriesByPath(_ remote: String) async throws {
    try await withClone(remote: remote) { program, server, clone in
      try await program.addClones()
      let paths = [
        "./src/google/codesearch", "src/google/codesearch", "~/src/google/codesearch", clone.path, "./src",
      ]
      for path in paths {
        let code = try await program.run(["search", "-k", "code", "-p", "local", "-R", path, "main"])
        #expect(code.status == 0 && code.outLines.count == 1, "\(path) \(code)")
      }
      for path in ["~/gone", "/nonexistent/x"] {
        let none = try await program.run(["search", "-k", "code", "-p", "local", "main", "-R", path])
        #expect(none.status == 2 && none.out == "", "\(path) \(none)")
        #expect(expectMessages(none).first?.hasSuffix("is a path, and there is no clone") == true)
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func codeOfTheCloneHere() async throws {
    try await withClone(remote: "") { program, server, clone in
      try await program.addClones()
      let here = URL(fileURLWithPath: clone.path)
      let query = ["search", "main repo:.", "-k"]
      let code = try await program.run(query + ["code"], in: here)
      #expect(code.outLines.count == 1 && code.status == 0, "\(code)")
      // No forge has it.
      let issues = try await program.run(query + ["issue"], in: here)
      #expect(server.requests.isEmpty)
      #expect(issues.err.contains("no remote") && issues.err.contains(clone.path), "\(issues.err)")
      // Above it, it is one of those below.
      let above = try await program.run(query + ["code"])
      #expect(above.outLines.count == 1 && above.status == 0, "\(above)")
      try program.home.directory.write("home/desk/a", "a")
      let desk = URL(fileURLWithPath: program.home.directory.path("home/desk"))
      let outside = try await program.run(query + ["code"], in: desk)
      #expect(outside.status == 2 && expectMessages(outside).first?.hasPrefix("repo:. is") == true)
      for (path, advice) in [("./main.go", "repo:. path:main.go\n"), (clone.path, "write repo:.\n")] {
        let paths = try await program.run(
          ["search", "-k", "code", "-p", "local", "main path:\(path)"], in: here)
        #expect(paths.err.contains(advice), "\(paths.err)")
      }
    }
  }

  @Test func aCloneWithoutARemote() async throws {
    try await withClone(remote: "") { program, _, clone in
      let added = try await program.run(["favorite", "add", "./src/google/codesearch"])
      #expect(added.status == 0 && added.out.contains("no remote") && added.out.contains(clone.path))
      #expect(try await favorites(program) == [[clone.path, "codesearch"]])
      let page = try await program.run(["open", "src/google/codesearch"])
      #expect(page.status == 1 && page.out == "" && expectMessages(page).count == 1)
      try FileManager.default.removeItem(atPath: clone.path)
      // Its path is its id, also when the folder is gone.
      #expect(try await program.run(["favorite", "remove", clone.path]).status == 0)
    }
  }

  @Test(arguments: [
    ["favorite", "add", "no/such/folder"], ["favorite", "add", "a/b", "./nowhere"], ["star", "a/b", "x/y/z"],
    ["show", "src/google/other"], ["open", "src/google/other"], ["unstar", "src"],
  ])
  func whatNamesNothing(_ arguments: [String]) async throws {
    try await withClone { program, server, _ in
      let result = try await program.run(arguments, adding: ["GH_ENTERPRISE_TOKEN": "t0ken"])
      #expect(result.status == 2 && result.out == "")
      #expect(expectMessages(result).count == 1)
      #expect(try await favorites(program).isEmpty && server.requests.isEmpty)
    }
  }

  @Test(arguments: [
    "google/codesearch#7", "https://github.com/google/codesearch/issues/7", "google/codesearch@0123456",
    "@google",
  ])
  func onlyRepositoriesAreStarred(_ reference: String) async throws {
    let known = FakeRepository(id: 1, fullName: "google/codesearch")
    try await withClone(FakeGitHub(repositories: [known])) { program, server, _ in
      let result = try await program.run(["star", reference], adding: ["GH_ENTERPRISE_TOKEN": "t0ken"])
      #expect(result.status == 2 && result.out == "" && server.requests.isEmpty)
      #expect(expectMessages(result).count == 1)
      let path = try await program.run(
        ["star", "src/google/codesearch"], adding: ["GH_ENTERPRISE_TOKEN": "t0ken"])
      #expect(path.status == 0 && server.requests.map(\.method) == ["PUT"])
    }
  }

  @Test func tooManyPages() async throws {
    let program = try Program()
    let result = try await program.run(["open"] + (1...11).map { "o/n\($0)" })
    #expect(result.status == 2 && result.out == "" && expectMessages(result).count == 1)
    let ten = try await program.run(["open"] + (1...10).map { "o/n\($0)" } + ["o/n1"])
    #expect(ten.status == 0 && ten.outLines.count == 10)
  }

  /// A name that is no path here is the clone in the catalogue.
  @Test func clonesHaveNames() async throws {
    try await withClone { program, _, clone in
      try await program.addClones()
      for name in ["Google/CodeSearch", "google/codesearch#7", "google/codesearch@0123456"] {
        let result = try await program.run(["inspect", name, "--only", "head", "--format", "json"])
        #expect(result.status == 0, "\(result.err)")
        #expect(try result.json()["path"]?.string == clone.path)
      }
      // The last part of the name alone.
      let named = try await program.run(["inspect", "codesearch", "--only", "head", "--format", "json"])
      #expect(named.status == 0, "\(named.err)")
      #expect(try named.json()["path"]?.string == clone.path)
      let shown = try await program.run(["show", "CODESEARCH", "-p", "local", "--format", "json"])
      #expect(shown.status == 0, "\(shown.err)")
      #expect(try shown.json()["item"]?["id"]?.string == "github.com/google/codesearch")
      #expect(try shown.json()["local"]?["path"]?.string == clone.path)
      #expect(try await program.run(["open", "codesearch"]).out == "https://github.com/Google/CodeSearch\n")
      #expect(try await program.run(["favorite", "add", "codesearch"]).status == 0)
      #expect(try await favorites(program) == [["github.com/google/codesearch", "Google/CodeSearch"]])
      let other = try await program.makeClone("other/codesearch")
      _ = try await program.run(["clones", "scan"])
      for command in [["inspect"], ["show"], ["open"], ["favorite", "add"]] {
        let several = try await program.run(command + ["codesearch"])
        #expect(several.status == 2 && several.out == "", "\(command)")
        #expect(several.err.contains(clone.path) && several.err.contains(other.path), "\(several.err)")
      }
      // A folder that is gone: the catalogue knows it no more.
      try FileManager.default.removeItem(atPath: clone.path)
      let gone = try await program.run(["inspect", "google/codesearch"])
      #expect(gone.status == 2 && gone.err.contains("google/codesearch"), "\(gone.err)")
    }
  }

  /// Of several clones of a repository every command takes the complete one, and `inspect` names the others.
  @Test func aShallowCloneStandsBack() async throws {
    try await withClone { program, _, clone in
      try await clone.commit("second", files: ["größe.go": "package main\n"])
      let shallow = program.source + "/a-shallow"
      try await clone.git(["clone", "--quiet", "--depth", "1", "file://" + clone.path, shallow])
      try await clone.git([
        "-C", shallow, "remote", "set-url", "origin", "https://github.com/Google/CodeSearch",
      ])
      try await program.addClones()
      let facts = try await program.run([
        "inspect", "google/codesearch", "--only", "head", "--format", "json",
      ])
      #expect(facts.status == 0 && facts.err.contains("/a-shallow"), "\(facts.err)")
      #expect(try facts.json()["path"]?.string == clone.path)
      let shown = try await program.run(["show", "google/codesearch", "-p", "local", "--format", "json"])
      #expect(try shown.json()["local"]?["path"]?.string == clone.path, "\(shown.err)")
      let found = try await program.run(["search", "codesearch", "-p", "local", "--format", "json"])
      #expect(try found.json()["items"]?[0]?["path"]?.string == clone.path, "\(found.err)")
    }
  }

  /// A commit is shown from a clone where no forge is asked, and where the forge lacks it.
  @Test(arguments: [[], ["-p", "local"], ["--offline"]] as [[String]])
  func aCommitOfAClone(_ options: [String]) async throws {
    try await withClone { program, _, clone in
      try await program.addClones()
      let id = try await clone.git("rev-parse HEAD")
      let name = "github.com/google/codesearch@"
      let shown = try await program.run(["show", name + id, "--format", "json"] + options)
      let item = try shown.json()["item"]
      #expect(shown.status == 0 && item?["sha"]?.string == id, "\(shown.err)")
      #expect(item?["message"]?.string == "first\n" && item?["author"]?.string != nil)
      // A list of several kinds abbreviates it.
      let short = try await program.run(["show", name + id.prefix(10), "--format", "json"] + options)
      #expect(try short.json()["item"]?["sha"]?.string == id, "\(short.err)")
      let missing = try await program.run(["show", name + String(id.reversed())] + options)
      #expect(missing.status != 0 && missing.out == "")
    }
  }

  /// An id alone names no page of one of several forges, as of a mirror; in a clone it means that one.
  @Test func aCommitOfSeveralForges() async throws {
    try await withClone { program, _, clone in
      let mirror = program.home.directory.path("home/src/mirror")
      try await clone.git(["clone", "--quiet", clone.path, mirror])
      try await clone.git([
        "-C", mirror, "remote", "set-url", "origin", "https://git.acme.example/team/größe.git",
      ])
      try await program.addClones()
      let id = try await clone.git("rev-parse HEAD")
      let outside = try await program.run(["open", id])
      #expect(outside.status == 2 && outside.out == "")
      for name in ["github.com/google/codesearch", "git.acme.example/team/größe"] {
        #expect(outside.err.contains(name), "\(outside.err)")
      }
      let inside = try await program.run(["open", id], in: URL(fileURLWithPath: mirror))
      #expect(inside.out.hasPrefix("https://git.acme.example/team/"), "\(inside)")
    }
  }

  /// Rows of a clone whose repository has a name that reads as another thing's lead back to its folder.
  @Test(arguments: [
    "https://git.acme.example/team/a@0123abc.git", "https://git.acme.example/team/a!1.git",
    "https://git.acme.example/team/a:b.git", "https://git.acme.example/team/sp ace.git",
    "https://gist.github.com/0123456789abcdef0123456789abcdef.git",
  ])
  func unusualNames(_ remote: String) async throws {
    try await withClone(remote: remote) { program, server, clone in
      try await program.addClones()
      let known = try await program.run(["feed", "-p", "local"])
      #expect(known.out.split(separator: "\t").first.map(String.init) == clone.path, "\(known.out)")
      let page = try await program.run(["open", clone.path])
      #expect(page.out.isEmpty || page.out == remote.dropLast(4) + "\n", "\(page.out)")
      let details = try await program.run(["show", clone.path])
      #expect(details.status == 0 && details.out.hasPrefix(clone.path + "\n"), "\(details.err)")
      let code = try await program.run(["search", "-k", "code", "-p", "local", "package"])
      let place = try #require(code.out.split(separator: "\t").first.map(String.init))
      #expect(place == clone.path + "/main.go:1:1" || place == clone.path + ":main.go:1:1")
      let file = try await program.run(["show", place])
      #expect(file.status == 0 && file.out.contains("package main"), "\(file.err)")
      #expect(server.requests.isEmpty)
    }
  }

  /// Rows of another branch lead to the file as that has it, also where a name has hidden characters.
  @Test(arguments: [
    ("only.go", "only.go"), ("größe %0A.go", "gr%C3%B6%C3%9Fe%20%250A.go"), ("a:1.go", "a%3A1.go"),
    ("line\nbreak\u{202E}.go", "line%0Abreak%E2%80%AE.go"),
  ])
  func filesOfOtherBranches(_ name: String, _ path: String) async throws {
    try await withClone(remote: "https://git.acme.example/team/engine.git") { program, server, clone in
      if !name.hasPrefix("only") { try await clone.commit("old", files: [name: "old\n"]) }
      try await clone.git(["checkout", "--quiet", "-b", "feature/x"])
      try await clone.commit("other", files: [name: "package needle\n"])
      let commit = try await clone.git("rev-parse HEAD")
      try await clone.git(["checkout", "--quiet", "-"])
      try await program.addClones()
      let found = try await program.run([
        "search", "-k", "code", "-p", "local", "needle repo:git.acme.example/team/engine ref:feature/x",
      ])
      let place = try #require(found.out.split(separator: "\t").first.map(String.init), "\(found.err)")
      let shown = try await program.run(["show", place])
      #expect(shown.status == 0 && shown.out.contains("package needle"), "\(place) \(shown.err)")
      let page = "https://git.acme.example/team/engine/blob/\(commit)/\(path)#L1\n"
      #expect(try await program.run(["open", place]).out == page, "\(place)")
      // A commit that no branch has any more is named by its id.
      try await clone.git(["branch", "--quiet", "-D", "feature/x"])
      let lost = try await program.run([
        "search", "-k", "code", "-p", "local", "needle repo:git.acme.example/team/engine ref:\(commit)",
      ])
      let other = try #require(lost.out.split(separator: "\t").first.map(String.init), "\(lost.err)")
      #expect(try await program.run(["open", other]).out == page, "\(other)")
      let text = try await program.run(["show", other])
      #expect(text.status == 0 && text.out.contains("package needle"), "\(other) \(text.err)")
      #expect(server.requests.isEmpty)
    }
  }

  /// A clone whose path reads as the name of another repository.
  @Test func aCloneThatIsNotTheRepository() async throws {
    let program = try Program()
    try await program.makeClone("apple/Mixed")
    let other = try await program.run(["favorite", "add", "src/Mixed"])
    #expect(other.status == 0 && other.err.contains("hint: to name the folder, write ./src/Mixed\n"))
    let shown = try await program.run(["show", "src/Mixed", "-p", "local"])
    #expect(shown.status == 2 && shown.err.ranges(of: "./src/Mixed").count == 1, "\(shown.err)")
    try await program.makeClone("src/same")
    let same = try await program.run(["favorite", "add", "src/same"])
    #expect(same.err == "" && same.out == "src/same is now a favorite\n")
  }
}
