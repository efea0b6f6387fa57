import Foundation
import TestSupport
import Testing

/// `forage browse --plain` with the real program: lines in, lines out.
struct BrowseDialogRunTests {
  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]

  private func run(_ program: Program, _ arguments: [String], _ lines: [String]) async throws -> ProcessResult
  {
    let result = try await program.run(
      ["browse"] + arguments, stdin: Data(lines.map { $0 + "\n" }.joined().utf8))
    // Nothing moves the cursor.
    #expect(!result.out.contains("\u{1B}"))
    return result
  }

  @Test func theStories() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github, adding: Self.token) { program, _ in
      let result = try await run(
        program, ["-p", "github"],
        ["name", "1", "s 1", "f 1", "s 1", "f 1", "f 1", "o 9", "i 1", "more", "quit", "never read"])
      #expect(result.status == 0)
      #expect(result.outLines.contains { $0.hasPrefix("1. Owner/Name") }, "\(result.out)")
      #expect(result.outLines.contains { $0.hasPrefix("  Address") }, "\(result.out)")
      #expect(
        result.outLines.contains("starred Owner/Name") && result.outLines.contains("unstarred Owner/Name"))
      #expect(result.outLines.contains("Owner/Name is no longer a favorite"))
      #expect(
        result.err.contains("there is no result 9") && result.err.contains("there is no clone of Owner/Name"))
      #expect(result.err.contains("there are no more results"))
      #expect(github.options.starred == [])
      #expect(try await program.favorites() == ["github.com/owner/name"])
    }
  }

  /// Numbers go on across pages of 30.
  @Test func pages() async throws {
    try await withProgram(FakeGitHub(repositories: matching(75))) { program, _ in
      let result = try await run(program, ["match", "-p", "github"], ["more", "more", "more"])
      let numbers = result.outLines.compactMap { line in
        line.firstIndex(of: ".").flatMap { Int(line[..<$0]) }
      }
      #expect(result.status == 0 && numbers == Array(1...75), "\(result.out)")
      #expect(result.outLines.contains("30 results, and more with: more"))
      #expect(result.outLines.contains("75 results, and no more"))
    }
  }

  /// The word of a command is searched for with a slash before it.
  @Test func words() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1))) { program, server in
      let result = try await run(program, ["match", "-p", "github"], ["/more", "help", "kind issue", ""])
      #expect(result.status == 0 && result.out.contains("quit; the end of input too"))
      let words = server.requests.compactMap { $0.query("q") }
      #expect(words.contains { $0.contains("more") })
      #expect(server.requests.contains { $0.path.hasSuffix("/search/issues") })
    }
  }

  /// A query may say how its list is sorted.
  @Test func theOrderOfTheQuery() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      let result = try await run(program, ["match sort:stars", "-p", "github"], ["match sort:nothing"])
      #expect(result.outLines.contains { $0.hasPrefix("1. ") }, "\(result.out) \(result.err)")
      let searches = server.requests.filter { $0.path.hasSuffix("/search/repositories") }
      #expect(searches.count == 1 && searches.first?.query("sort") == "stars")
      #expect(result.err.contains("no chosen provider sorts by \"nothing\""), "\(result.err)")
    }
  }

  @Test func theFeed() async throws {
    let repositories = matching(2)
    let github = FakeGitHub(repositories: repositories) { $0.starred = repositories.map(\.fullName) }
    try await withProgram(github, adding: Self.token) { program, _ in
      let result = try await run(program, ["-p", "github"], ["random", "nothing here", "feed"])
      for repository in repositories {
        #expect(result.out.contains(repository.fullName), "\(result.out)")
      }
      #expect(result.err.contains("nothing found"))
    }
  }

  /// Only providers that are chosen are asked for details, whether on the command line or later.
  @Test func detailsOfChosenProviders() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github) { program, server in
      try await program.makeClone("Owner/Name")
      try await program.addClones()
      let local = try await run(program, ["name", "-p", "local"], ["1"])
      #expect(local.outLines.contains { $0.hasPrefix("1. Owner/Name") }, "\(local.out) \(local.err)")
      #expect(local.outLines.contains { $0.contains("src/Name") }, "\(local.out)")
      #expect(server.requests.isEmpty)
      let both = try await run(program, ["name", "-p", "local"], ["providers github local", "1"])
      #expect(server.requests.contains { $0.path.hasPrefix("/repos/") }, "\(both.out) \(both.err)")
    }
  }

  /// The page of a file is opened at the line in which something was found.
  @Test func thePageOfAFile() async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/one", files: ["größe": "a\nneedle\n"])
    try await clone.git("update-ref refs/remotes/origin/main HEAD")
    try await program.addClones()
    let result = try await run(program, ["needle", "-p", "local", "-k", "code"], ["o 1"])
    #expect(result.out.contains("https://github.com/owner/one/blob/"), "\(result)")
    #expect(result.out.contains("/gr%C3%B6%C3%9Fe#L2\n"), "\(result)")
  }

  /// A failure is told with what to do, and the dialog goes on.
  @Test func failures() async throws {
    let program = try Program()
    let result = try await run(program, ["-p", "github"], ["\"open", "match"])
    #expect(result.status == 0 && result.err.contains("hint: "), "\(result.err)")
  }

  /// A limit is told with the time at which it ends, and a refresh sends nothing before that.
  @Test func aLimit() async throws {
    let github = FakeGitHub(repositories: matching(1))
    github.fail(.primaryLimit(resetIn: 3600))
    try await withProgram(github) { program, server in
      let result = try await run(program, ["match", "-p", "github"], ["refresh"])
      let told = result.err.split(separator: "\n").filter {
        $0.contains("github is not asked before its limit ends, in ")
      }
      #expect(result.status == 0 && told.count == 2, "\(result.err)")
      #expect(server.requests.count == 1)
    }
  }

  /// A refresh that fails leaves the list and its numbers, also where another provider answers.
  @Test func aRefreshThatFails() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.primaryLimit(resetIn: 3600), path: "/search", skip: 1)
    try await withProgram(github) { program, _ in
      try await program.makeClone("me/match")
      try await program.addClones()
      let result = try await run(program, ["match"], ["refresh", "refresh", "f 4"])
      #expect(result.outLines.count { $0 == "the list stays as it was: 4 results" } == 2, "\(result.out)")
      #expect(result.outLines.last?.hasSuffix(" is now a favorite") == true, "\(result.out)")
      // Who cannot be asked is the reason, not the query.
      let only = try await run(program, ["match stars:>=0"], ["refresh"])
      #expect(only.err.contains("github is not asked before its limit ends"), "\(only.err)")
      #expect(!only.err.contains("no provider can answer"), "\(only.err)")
    }
  }

  /// A terminal says what is waited for, on a line of its own; a pipe does not.
  @Test func waiting() async throws {
    let github = FakeGitHub(repositories: matching(1))
    github.fail(.slow(milliseconds: 1500), path: "/search")
    try await withProgram(github) { program, _ in
      let result = try await ProcessRunner.runInTerminal(
        forageBinary, ["browse", "--plain", "match", "-p", "github"], environment: program.environment,
        workingDirectory: program.home.home, stdin: Data("quit\n".utf8))
      #expect(result.out.contains("1 result, and no more"))
      #expect(result.out.contains("waiting for github") && !result.out.contains("\u{1B}"), "\(result.out)")
      let piped = try await run(program, ["other", "-p", "github"], [])
      #expect(!piped.err.contains("waiting"), "\(piped.err)")
    }
  }

  /// A terminal without cursor movement gets the dialog, too.
  @Test func aSimpleTerminal() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1))) { program, _ in
      let result = try await ProcessRunner.runInTerminal(
        forageBinary, ["browse", "match", "-p", "github"],
        environment: program.environment.merging(["TERM": "dumb"]) { _, new in new },
        workingDirectory: program.home.home, stdin: Data("quit\n".utf8))
      #expect(result.status == 0 && result.out.contains("1. ") && !result.out.contains("\u{1B}"))
    }
  }
}
