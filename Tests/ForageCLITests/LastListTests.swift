import Forage
import ForageCore
import ForagePlatform
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// Numbers of the last list of a terminal, and its continuation.
struct LastListTests {
  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]

  /// Runs a body with three repositories, the most stars first: apple/swift-nio, kana/http-検索, nemo/http.
  private func withThree<Value>(
    starred: [String] = [],
    _ body: ([String: String], LoopbackServer, IsolatedHome) async throws -> Value
  ) async throws -> Value {
    try await withGitHub(FakeGitHub(repositories: threeRepositories) { $0.starred = starred }) { server in
      try await withIsolatedHome { home in
        try await body(variables(home, server.baseURL, adding: Self.token), server, home)
      }
    }
  }

  private static let search = ["search", "http", "-p", "github", "--sort", "stars", "--timeout", "50"]

  @discardableResult
  private func run(
    _ arguments: [String], _ environment: [String: String], columns: Int? = 100, terminal: String = "one.1"
  ) async -> Outcome {
    await forage(arguments, in: environment, columns: columns, terminal: terminal)
  }

  @Test func numbersAreThoseOfTheLastList() async throws {
    try await withThree { environment, _, home in
      await run(Self.search, environment)
      let open = await run(["open", "3", "1"], environment, columns: nil)
      #expect(open.status == .success)
      #expect(open.out == "https://github.com/nemo/http\nhttps://github.com/apple/swift-nio\n")
      let added = await run(["favorite", "add", "2-3"], environment)
      #expect(added.status == .success && added.out.contains("nemo/http is now a favorite"))
      let favorites = await run(["favorite", "list", "--format", "json"], environment, columns: nil)
      #expect(favorites.out.contains("\"title\":\"kana/http-検索\"") && favorites.out.contains("\"stars\":999"))
      let shown = await run(["show", "1", "--format", "json", "--timeout", "50"], environment, columns: nil)
      #expect(shown.status == .success && shown.out.contains("\"id\":\"github.com/apple/swift-nio\""))
      let starred = await run(["star", "3"], environment)
      #expect(starred.status == .success && starred.out == "starred nemo/http\n")
      let files = try FileManager.default.contentsOfDirectory(atPath: home.state.path + "/forage/lists")
      let file = try #require(files.first)
      #expect(files.count == 1)
      let attributes = try FileManager.default.attributesOfItem(
        atPath: home.state.path + "/forage/lists/" + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  /// A number that is not there names the list, which is often not the one that was meant.
  @Test func aNumberOfAnotherList() async throws {
    try await withThree { environment, _, _ in
      await run(Self.search, environment)
      let four = await run(["open", "4"], environment)
      #expect(
        four.err.hasPrefix(
          "forage: the last list on this terminal (forage search) has only the numbers 1 to 3, and not 4\n"))
      await run(Self.search + ["-L", "1"], environment)
      let two = await run(["favorite", "add", "2"], environment)
      #expect(
        two.err.hasPrefix(
          "forage: the last list on this terminal (forage search) has only the number 1, and not 2\n"))
    }
  }

  /// What a list prints of users, topics and commits names them.
  @Test func namesAsTheyArePrinted() async throws {
    let shas = ["abcdef0123", "abcdef9123"].map { $0 + String(repeating: "0", count: 30) }
    var topic = FakeTopic(name: "swift")
    topic.displayName = "Swift"
    let github = FakeGitHub(repositories: threeRepositories) { [topic] in
      $0.users = [FakeAccount(login: "swift")]
      $0.topics = [topic]
      $0.commits = shas.map { sha in
        let person = FakeCommit.Person(login: nil, name: "A", date: Date(timeIntervalSince1970: 1e9))
        return FakeCommit(repository: "nemo/http", sha: sha, message: "swift", author: person)
      }
    }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL, adding: Self.token)
        for (kind, name, page) in [
          ("user", "swift", "swift"), ("topic", "swift", "topics/swift"),
          ("commit", "abcdef9", "nemo/http/commit/\(shas[1])"),
        ] {
          let list = await run(["search", "swift", "-p", "github", "-k", kind], environment)
          #expect(list.out.contains(name), "\(list.err)")
          let open = await run(["open", name], environment, columns: nil)
          #expect(open.out == "https://github.com/\(page)\n", "\(open.err)")
          let elsewhere = await run(["open", name], environment, terminal: "two.2")
          #expect(elsewhere.status == .usage && elsewhere.err.contains("names no repository"))
        }
        let several = await run(["open", "swift"], environment)
        #expect(several.err.hasPrefix("forage: swift is the name of 2 results of the last list\nhint: "))
        #expect(several.err.contains("write the number of one: 1, 2") && several.status == .usage)
      }
    }
  }

  /// Any address of the web is opened, and nothing that only looks like one.
  @Test(arguments: [
    ("https://example.org/x", true), ("https://[::1]/x", true), ("https:///x", false), ("http://[::1", false),
    ("https://:80/", false),
  ])
  func addresses(_ address: String, _ isOpened: Bool) async throws {
    try await withIsolatedHome { home in
      let outcome = await run(["open", address], variables(home), columns: nil)
      #expect(outcome.out == (isOpened ? address + "\n" : ""), "\(outcome)")
      #expect(outcome.status == (isOpened ? .success : .usage))
    }
  }

  @Test(arguments: ["4", "2-4", "0", "3-2", "0-1", "99999999"])
  func numbersThatNoResultHas(_ number: String) async throws {
    try await withThree { environment, server, _ in
      await run(Self.search, environment)
      server.forgetRequests()
      for command in [["star"], ["favorite", "add"], ["open"], ["show"], ["inspect"]] {
        let outcome = await run(command + [number], environment)
        #expect(outcome.status == .usage && outcome.out == "", "\(command)")
        #expect(outcome.err.contains("\nhint: "))
      }
      #expect(server.requests.isEmpty)
      #expect(await run(["favorite", "list"], environment).status == .nothingFound)
    }
  }

  /// A list of another terminal, of a pipe or of a page in the browser gives no numbers.
  @Test func onlyListsOfThisTerminal() async throws {
    try await withThree { environment, _, _ in
      await run(Self.search, environment, columns: nil)
      await run(Self.search + ["--web"], environment)
      await run(Self.search, environment, terminal: "two.1")
      await run(Self.search, environment, terminal: "one.2")
      let none = await run(["open", "1"], environment)
      #expect(none.status == .usage && none.out == "" && none.err.contains("\nhint: "))
      #expect(await run(["open", "1"], environment, terminal: "two.1").status == .success)
    }
  }

  /// The list is named where another one may be meant: minutes after it, and after a list that went
  /// elsewhere.
  @Test func theListThatIsMeant() async throws {
    try await withThree { environment, _, home in
      /// What a command says about the list, beside that there is no browser.
      func note(_ outcome: Outcome) -> String {
        outcome.err.split(separator: "\n").filter { $0.contains(" list: ") }.joined(separator: "\n")
      }
      await run(Self.search + ["-L", "1"], environment)
      #expect(note(await run(["open", "1"], environment)) == "")
      await run(["search", "nemo", "-p", "github", "--timeout", "50"], environment, columns: nil)
      let open = await run(["open", "1", "1"], environment)
      #expect(open.out == "https://github.com/apple/swift-nio\n")
      #expect(
        note(open) == "forage: numbers refer to the list: forage search http -p github --sort stars "
          + "--timeout 50 -L 1")
      let next = await run(["search", "--next"], environment)
      #expect(next.out.contains("kana/http-検索"))
      #expect(next.err.contains("forage: continuing the list: forage search http "), "\(next.err)")
      #expect(note(await run(["open", "2"], environment)) == "")
      let folder = home.state.path + "/forage/lists/"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.count == 1)
      for name in names {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -630)], ofItemAtPath: folder + name)
      }
      #expect(note(await run(["open", "2"], environment)).hasSuffix(" (10m ago)"))
      #expect(note(await run(["open", "2", "--quiet"], environment)) == "")
    }
  }

  /// Where nothing is found no list is printed: the one before it is still the last.
  @Test(arguments: [
    ["search", "nothinglikethis", "-p", "github", "--timeout", "50"], ["favorite", "list"],
  ])
  func nothingLeavesTheListBefore(_ empty: [String]) async throws {
    try await withThree { environment, _, _ in
      await run(Self.search + ["-L", "1"], environment)
      #expect(await run(empty, environment).status == .nothingFound)
      #expect(await run(["open", "1"], environment).out == "https://github.com/apple/swift-nio\n")
      let next = await run(["search", "--next"], environment)
      #expect(next.status == .success && next.out.contains("kana/http-検索"), "\(next)")
    }
  }

  /// One result without a page or a clone stops no other.
  @Test func whatCanBeDoneIsDone() async throws {
    try await withThree { environment, _, home in
      let clone = try await TemporaryRepository.make("tool", in: home.directory)
      try await clone.commit("first", files: ["a": "a"])
      await run(["favorite", "add", "a/b", clone.path, "c/d"], environment)
      await run(["favorite", "list", "--sort", "name"], environment)
      let open = await run(["open", "3", "1-2"], environment, columns: nil)
      #expect(open.status == .partial, "\(open)")
      #expect(open.out == "https://github.com/a/b\nhttps://github.com/c/d\n")
      #expect(open.err.contains("tool has no page\nhint: "), "\(open.err)")
      #expect(await run(["open", "3"], environment).status == .nothingFound)
      let some = await run(["inspect", "2-3", "--only", "head", "--json", "path"], environment, columns: nil)
      #expect(some.status == .partial && some.out.hasPrefix("[{\"path\":"), "\(some)")
      #expect(some.err.hasPrefix("forage: c/d has no clone on this machine\nhint: "), "\(some.err)")
      #expect(some.err.hasSuffix("forage clone 2\n"))
      let none = await run(["inspect", "1", "2", "--format", "json"], environment, columns: nil)
      #expect(none.status == .usage && none.out == "", "\(none)")
    }
  }

  /// A command that fails prints no list: the one before it is still the last.
  @Test func aFailureLeavesTheListBefore() async throws {
    try await withThree { environment, _, _ in
      let withoutToken = environment.filter { $0.key != "GH_ENTERPRISE_TOKEN" }
      await run(Self.search + ["-L", "1"], environment)
      for (arguments, status) in [
        (["stars", "--timeout", "50"], Status.failed),
        (["search", "unheard", "-p", "github", "--offline"], .failed),
      ] {
        let failed = await run(arguments, withoutToken)
        #expect(failed.status == status && !failed.err.isEmpty, "\(arguments): \(failed)")
        #expect(await run(["open", "1"], environment).out == "https://github.com/apple/swift-nio\n")
      }
      let next = await run(["search", "--next"], environment)
      #expect(next.status == .success && next.out.contains("kana/http-検索"), "\(next)")
    }
  }

  @Test func anOldListIsNoLonger() async throws {
    try await withThree { environment, _, home in
      await run(Self.search, environment)
      let folder = home.state.path + "/forage/lists/"
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)], ofItemAtPath: folder + name)
      }
      #expect(await run(["open", "1"], environment).status == .usage)
      // The list of another terminal clears it away.
      await run(Self.search, environment, terminal: "two.1")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }
  }

  @Test func aDamagedListIsNone() throws {
    var one = LastList(
      command: "search", arguments: ["x"], hasMore: true, items: [],
      knownUntil: Date(timeIntervalSince1970: 7.9))
    #expect(LastList(one.encoded) == nil)
    one.items = [SearchResult(id: "example.org/o/a", kind: .repo, title: "o/a")]
    one.folder = "/r"
    #expect(LastList(Array(one.encoded.dropLast())) == nil)
    let read = try #require(LastList(one.encoded))
    #expect(read.last == 1 && read[1].title == "o/a" && read.hasMore && read.arguments == ["x"])
    #expect(read.knownUntil == Date(timeIntervalSince1970: 7) && read.folder == "/r")
    let text = String(decoding: one.encoded, as: UTF8.self)
    // As an older version wrote it.
    let old = try #require(LastList(Array(text.replacing(#""folder":"/r","#, with: "").utf8)))
    #expect(old.last == 1 && old.folder == nil)
    for (whole, damaged) in [(#""hasMore":true"#, #""hasMore":1"#), (#""version":4"#, #""version":3"#)] {
      #expect(text.contains(whole))
      #expect(LastList(Array(text.replacing(whole, with: damaged).utf8)) == nil, "\(damaged)")
    }
  }

  /// The page of a file is opened at the line in which something was found.
  @Test func thePageOfAFileIsAtItsLine() throws {
    var file = SearchResult(
      id: "local:größe", kind: .code, title: "größe.c",
      url: "https://github.com/o/r/blob/main/gr%C3%B6%C3%9Fe.c")
    #expect(file.pageAddress == file.url)
    file.set(.file, "/r/größe.c")
    file[.matches] = .items([
      .record(["line": .number(14), "column": .number(5), "text": .text("int größe;")])
    ])
    let list = LastList(
      command: "search", arguments: [], hasMore: false, items: [file], knownUntil: .distantPast)
    let read = try #require(LastList(list.encoded)?[1])
    #expect(read.url == file.url)
    for item in [file, read] {
      #expect(item.pageAddress == "https://github.com/o/r/blob/main/gr%C3%B6%C3%9Fe.c#L14")
      #expect(item.fileLocation == FileLocation(path: "/r/größe.c", line: 14, column: 5))
    }
    file.url = "file:///r/gr%C3%B6%C3%9Fe.c"
    #expect(file.pageAddress == file.url)
  }

  @Test func otherListsHaveNumbersToo() async throws {
    try await withThree(starred: ["nemo/http", "apple/swift-nio"]) { environment, _, _ in
      for command in [["stars", "--timeout", "50"], ["feed", "-p", "github", "--timeout", "50"]] {
        let list = await run(command, environment)
        #expect(list.out.split(separator: "\n").dropFirst().first?.hasPrefix("1  ★  apple/swift-nio") == true)
        #expect(await run(["open", "2"], environment).out == "https://github.com/nemo/http\n")
      }
      await run(["favorite", "add", "a/b"], environment)
      await run(["favorite", "list"], environment)
      #expect(await run(["open", "1"], environment).out == "https://github.com/a/b\n")
    }
  }

  @Test func numbersAreShownWhereTheyAreWanted() async throws {
    try await withThree { environment, _, home in
      let numbered = await run(Self.search, environment)
      #expect(
        numbered.out.split(separator: "\n").map { String($0.prefix(2)) } == ["# ", "1 ", "2 ", "3 "])
      let plain = await run(Self.search + ["--no-number"], environment)
      #expect(plain.out.hasPrefix("REPOSITORY"))
      let pipe = await run(Self.search + ["--number"], environment, columns: nil)
      #expect(pipe.out.hasPrefix("apple/swift-nio\t"))
      try home.writeConfig("forage/config.yaml", "numbers: false\n")
      #expect(await run(Self.search, environment).out == plain.out)
      #expect(await run(Self.search + ["--number"], environment).out == numbered.out)
      try home.writeConfig("forage/config.yaml", "numbers: perhaps\n")
      let wrong = await run(Self.search, environment)
      #expect(wrong.out == numbered.out && wrong.err.contains("config.yaml:1"))
    }
  }

  @Test func continuing() async throws {
    try await withThree { environment, _, _ in
      await run(Self.search + ["-L", "1"], environment)
      // The options of the next page win over those of the list.
      let second = await run(["search", "--next"], environment)
      #expect(second.status == .success)
      // Numbers go on over the pages, and those of the first page keep their meaning.
      #expect(second.out.split(separator: "\n").last?.hasPrefix("2  kana/http-検索") == true)
      #expect(await run(["open", "2"], environment).out == "https://github.com/kana/http-検索\n")
      #expect(await run(["open", "1"], environment).out == "https://github.com/apple/swift-nio\n")
      #expect(await run(["open", "3"], environment).status == .usage)
      let third = await run(["search", "--next", "--format", "tsv"], environment, columns: nil)
      #expect(third.out.hasPrefix("nemo/http\t"))
      // What went to a pipe is no list of this terminal: it still goes on behind the second.
      let again = await run(["search", "--next"], environment)
      #expect(again.out.contains("nemo/http"))
      let pages = await run(["open", "1-3"], environment).out.split(separator: "\n")
      #expect(pages.map { $0.split(separator: "/").last } == ["swift-nio", "http-検索", "http"])
      let end = await run(["search", "--next"], environment)
      #expect(end.status == .nothingFound && end.out == "" && end.err.contains("no further results"))
    }
  }

  /// What the settings lack is told once, of a further page too.
  @Test func settingsOfAFurtherPage() async throws {
    try await withThree { environment, _, home in
      await run(Self.search + ["-L", "1"], environment)
      try home.writeConfig("forage/config.yaml", "colour: x\n")
      let next = await run(["search", "--next"], environment)
      #expect(next.status == .success && next.out.contains("kana/http-検索"), "\(next)")
      #expect(next.err.components(separatedBy: "config.yaml:1").count == 2, "\(next.err)")
    }
  }

  /// The next page is offered by the commands that have one.
  @Test(
    arguments: [
      ("search", true), ("stars", true), ("feed", true), ("notification", true), ("notifications", true),
      ("plugin", false), ("clones", false), ("favorite", false), ("nope", false), ("", false),
    ])
  func commandsThatGoOn(_ command: String, _ isPossible: Bool) {
    #expect(ListContinuation.isPossible(command) == isPossible)
  }

  /// A list of selected fields goes on, too.
  @Test func continuingSelectedFields() async throws {
    try await withThree { environment, _, _ in
      await run(Self.search + ["-L", "1", "--json", "title"], environment)
      let second = await run(["search", "--next", "--json", "title"], environment)
      #expect(second.out.contains("\"kana/http-検索\"") && !second.out.contains("stars"), "\(second)")
      let third = await run(["search", "--next"], environment)
      #expect(third.status == .success && third.out.contains("nemo/http"), "\(third)")
    }
  }

  /// A result that another one moves to the next page is not printed again, and what is new is on the next
  /// page.
  @Test func whatTheForgeMovesIsPrintedOnce() async throws {
    let github = FakeGitHub(repositories: threeRepositories)
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL, adding: Self.token)
        let search = Self.search + ["--no-cache", "-L", "2"]
        let first = await run(search + ["--format", "tsv"], environment)
        #expect(Self.titles(first) == ["apple/swift-nio", "kana/http-検索"])
        // Now the second result is the third.
        github.update {
          $0.repositories.append(FakeRepository(id: 4, fullName: "new/http-größe", stars: 1_000_000))
        }
        let second = await run(["search", "--next"], environment)
        #expect(second.status == .success)
        #expect(Self.titles(second) == ["new/http-größe", "nemo/http"])
        #expect(await run(["open", "3"], environment).out == "https://github.com/new/http-größe\n")
        #expect(await run(["open", "2"], environment).out == "https://github.com/kana/http-検索\n")
        #expect(await run(["search", "--next"], environment).status == .nothingFound)
      }
    }
  }

  /// The names in a list of tab-separated values.
  private static func titles(_ outcome: Outcome) -> [Substring] {
    outcome.out.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
  }

  /// Pages that were read are not requested again, and further pages have the same number of results.
  @Test func pagesThatWereReadAreFromTheCache() async throws {
    let repositories = (1...90).map {
      FakeRepository(id: $0, fullName: "o/http-\($0)", stars: 1000 - $0)
    }
    try await withGitHub(FakeGitHub(repositories: repositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL, adding: Self.token)
        var titles: [Substring] = []
        for arguments in [
          Self.search + ["-L", "20", "--format", "tsv"], ["search", "--next"], ["search", "--next"],
        ] {
          titles += Self.titles(await run(arguments, environment))
        }
        #expect(titles == repositories.prefix(60).map { $0.fullName[...] })
        let requests = server.requests.filter { $0.path.hasSuffix("/search/repositories") }
        #expect(requests.map { $0.query("page") ?? "1" } == ["1", "2"])
        #expect(requests.allSatisfy { $0.query("per_page") == "30" })
      }
    }
  }

  /// Numbers and `--next` mean the list printed last; for another list the command that continues it is
  /// named.
  @Test func anotherListInBetween() async throws {
    try await withThree(starred: ["nemo/http"]) { environment, _, home in
      await run(Self.search + ["-L", "1"], environment)
      await run(["stars", "--timeout", "50"], environment)
      #expect(await run(["open", "1"], environment).out == "https://github.com/nemo/http\n")
      let next = await run(["search", "--next"], environment)
      #expect(next.status == .usage && next.out == "", "\(next)")
      #expect(next.err.contains("forage stars\nhint: continue it with: forage stars --next"), "\(next)")
      await run(["favorite", "add", "a/b"], environment)
      await run(["favorite", "list"], environment)
      let favorites = await run(["search", "--next"], environment)
      #expect(favorites.status == .usage && favorites.err.contains("hint: start again with: forage search"))
      let files = try FileManager.default.contentsOfDirectory(atPath: home.state.path + "/forage/lists")
      #expect(files.count == 1)
    }
  }

  @Test func whatCannotBeContinued() async throws {
    try await withThree(starred: ["nemo/http"]) { environment, _, _ in
      await run(Self.search + ["-L", "1"], environment)
      for arguments in [
        ["search", "swift", "--next"], ["stars", "--next"], ["feed", "--next", "--sample", "3"],
      ] {
        let outcome = await run(arguments, environment)
        #expect(outcome.status == .usage && outcome.out == "", "\(arguments)")
        #expect(outcome.err.contains("\nhint: "))
      }
      // A further page is no list of what is new.
      await run(["searches", "save", "mine", "http", "-p", "github", "-L", "1"], environment)
      #expect(await run(["search", "@mine", "--timeout", "50"], environment).status == .success)
      let new = await run(["search", "--next", "--new"], environment)
      #expect(new.status == .usage && new.out == "", "\(new)")
      #expect(new.err.hasPrefix("forage: --next and --new exclude each other\nhint: "), "\(new)")
      let elsewhere = await run(["search", "--next"], environment, terminal: "two.1")
      #expect(elsewhere.status == .usage && elsewhere.out == "")
    }
  }
}
