import Forage
import ForageCLI
import Foundation
import TestSupport
import Testing

/// `--after`: what a cursor looks like, and what comes of one that leads nowhere.
struct CursorTests {
  private static let session = "0123456789abcdef0123456789abcdef"

  @Test func thereAndBack() throws {
    for offset in [0, 7, 10_000] {
      let cursor = SearchCursor(session: Self.session, offset: offset)
      #expect(cursor.text == "f1.\(Self.session).\(offset)")
      let read = try SearchCursor(cursor.text)
      #expect(read.session == Self.session)
      #expect(read.offset == offset)
    }
  }

  @Test(arguments: [
    " ", "7", "f1", "f1.", "f1..", "f1.\(session)", "f1.\(session).", "f1.\(session).x",
    "f1.\(session).-1", "f1.\(session).+1", "f1.\(session).07", "f1.\(session).7.", "f1.\(session).7.7",
    "f1.\(session).99999999999999999999", "f1.\(session).٧", "f2.\(session).7", "F1.\(session).7",
    "f1.\(session)0.7", "f1.\(session.dropLast()).7", "f1.\(session.dropLast())g.7", " f1.\(session).7",
    "f1.../../../../../../../../etc/passwd.7", "f1.\(session).7\n", "\u{1B}[2J",
  ])
  func damagedCursors(_ text: String) async throws {
    #expect(throws: ForageError.self) { try SearchCursor(text) }
    let outcome = try await forage(["search", "http", "--after=" + text])
    #expect(outcome.status == .usage)
    #expect(outcome.out == "")
    #expect(outcome.err.hasPrefix("forage: \""))
    #expect(outcome.err.contains("is not a cursor, or is damaged\nhint: "))
    #expect(!outcome.err.contains("\u{1B}"))
    #expect(outcome.err.split(separator: "\n").count == 2)
  }

  /// A search at a time that the files of the machine agree with.
  private func search(
    _ arguments: [String], _ environment: [String: String], columns: Int? = nil, later: TimeInterval = 0
  ) async -> Outcome {
    let capture = Capture()
    var output = capture.output(columns: columns)
    output.isMessageTerminal = columns != nil
    output.now = Date() + later
    let process = ProcessEnvironment(environment: environment, output: output)
    let status = await Entry.run(["search", "http", "-p", "github"] + arguments, in: process)
    return Outcome(status: status, out: capture.results, err: capture.messages)
  }

  private func next(_ text: String) -> String? {
    text.firstMatch(of: /"next":\s?"(f1\.[0-9a-f]{32}\.[0-9]+)"/).map { String($0.output.1) }
  }

  private func titles(_ text: String) -> [String] {
    text.matches(of: /"title":\s?"([^"]*)"/).map { String($0.output.1) }
  }

  private func withThree<Value>(_ body: ([String: String], LoopbackServer) async throws -> Value)
    async throws -> Value
  {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in try await body(variables(home, server.baseURL), server) }
    }
  }

  @Test func pageByPage() async throws {
    try await withThree { environment, _ in
      let whole = await search(["--format", "json"], environment)
      #expect(next(whole.out) == nil)
      let expected = titles(whole.out)
      #expect(expected.count == 3)
      var (found, cursor) = ([String](), String?.none)
      for number in 1...3 {
        let after = cursor.map { ["--after", $0] } ?? []
        let page = await search(["-L", "1", "--format", "json"] + after, environment)
        #expect(page.status == .success)
        #expect(page.err == "")
        #expect(titles(page.out).count == 1)
        found += titles(page.out)
        cursor = next(page.out)
        #expect((cursor == nil) == (number == 3))
      }
      #expect(found == expected)
    }
  }

  @Test func theSummaryHasIt() async throws {
    try await withThree { environment, _ in
      let page = await search(["-L", "1", "--format", "ndjson"], environment)
      let last = try #require(page.out.split(separator: "\n").last)
      let cursor = try #require(next(String(last)))
      #expect(last.hasPrefix("{\"summary\":"))
      let rest = await search(["--format", "json", "--after", cursor], environment)
      #expect(titles(rest.out).count == 2)
      #expect(next(rest.out) == nil)
    }
  }

  @Test func aTerminalTellsIt() async throws {
    try await withThree { environment, _ in
      let page = await search(["-L", "1"], environment, columns: 80)
      let more = try #require(page.err.firstMatch(of: /more: --after (f1\.[0-9a-f]{32}\.1)\n/))
      let rest = await search(["--after", String(more.output.1)], environment, columns: 80)
      #expect(rest.status == .success)
      #expect(rest.out.split(separator: "\n").count == 3)
      #expect(!rest.err.contains("--after"))
    }
  }

  /// Where no cursor is shown none is kept.
  @Test(arguments: [[], ["--format", "tsv"], ["--json", "id"], ["--stream"]])
  func noPlaceIsKeptForNobody(_ format: [String]) async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let page = await search(["-L", "1"] + format, variables(home, server.baseURL))
        #expect(page.status == .success)
        #expect(!page.out.contains("\"next\""))
        #expect(!FileManager.default.fileExists(atPath: home.cache.path + "/forage/sessions"))
      }
    }
  }

  private func expectRefusal(
    _ outcome: Outcome, _ part: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == .usage, sourceLocation: location)
    #expect(outcome.out == "", sourceLocation: location)
    #expect(outcome.err.hasPrefix("forage: "), sourceLocation: location)
    #expect(outcome.err.contains(part), "\(outcome.err)", sourceLocation: location)
    #expect(outcome.err.contains("\nhint: "), sourceLocation: location)
  }

  @Test func cursorsThatLeadNowhere() async throws {
    try await withThree { environment, server in
      let page = await search(["-L", "1", "--format", "json"], environment)
      let cursor = try #require(next(page.out))
      server.forgetRequests()
      let other = await search(["swift", "--after", cursor], environment)
      expectRefusal(other, "belongs to another search")
      expectRefusal(await search(["--sort", "stars", "--after", cursor], environment), "another search")
      expectRefusal(await search(["-p", "local", "--after", cursor], environment), "another search")
      let beyond = cursor.replacing(/\.1$/, with: ".9999")
      expectRefusal(await search(["--after", beyond], environment), "no longer stored")
      let before = cursor.replacing(/\.1$/, with: ".0")
      expectRefusal(await search(["--after", before], environment), "no longer stored")
      let unknown = "f1.\(Self.session).1"
      expectRefusal(await search(["--after", unknown], environment), "the cursor has expired")
      #expect(server.requests.isEmpty)
      let good = await search(["--after", cursor, "--format", "json"], environment)
      #expect(titles(good.out).count == 2)
      let late = await search(["--after", cursor], environment, later: 3700)
      expectRefusal(late, "the cursor has expired")
    }
  }

  @Test func aDamagedFileIsAnExpiredPlace() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        let page = await search(["-L", "1", "--format", "json"], environment)
        let cursor = try #require(next(page.out))
        let folder = home.cache.path + "/forage/sessions"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
          try Data("{\"fingerprint\":".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        expectRefusal(await search(["--after", cursor], environment), "the cursor has expired")
      }
    }
  }
}
