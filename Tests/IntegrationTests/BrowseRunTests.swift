import ForagePlatform
import Foundation
import TestSupport
import Testing

/// The screens of `forage browse` in a terminal, with the real program.
struct BrowseRunTests {
  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]
  /// Switches to the alternate screen, and back.
  private static let (begin, end) = ("\u{1B}[?1049h", "\u{1B}[?1049l")

  private func launch(
    _ program: Program, _ executable: URL, _ arguments: [String], columns: Int, rows: Int,
    adding extra: [String: String] = [:]
  ) throws -> RunningProcess {
    var launch = ProcessRunner.Launch(
      executable, arguments,
      environment: program.environment.merging(["NO_COLOR": "1", "TERM": "xterm-256color"]) { _, new in new }
        .merging(extra) { _, new in new })
    launch.workingDirectory = program.home.home
    launch.terminal = (columns, rows, .outputAndError)
    launch.keepsInputOpen = true
    return try ProcessRunner.start(launch)
  }

  private func start(_ program: Program, _ arguments: [String], columns: Int = 100, rows: Int = 24) throws
    -> RunningProcess
  {
    try launch(program, try forageBinary, ["browse"] + arguments, columns: columns, rows: rows)
  }

  /// Quits, and checks that the terminal was given back.
  private func quit(_ running: RunningProcess) async -> ProcessResult {
    running.send("q")
    let result = await running.wait()
    #expect(result.status == 0 && result.signal == nil && !result.timedOut)
    expectRestored(result)
    return result
  }

  private func expectRestored(_ result: ProcessResult, _ location: SourceLocation = #_sourceLocation) {
    let text = result.out
    #expect(text.contains(Self.begin) && text.contains(Self.end), sourceLocation: location)
    let rest = text.components(separatedBy: Self.end).last ?? ""
    #expect(!rest.contains("\u{1B}"), "\(rest)", sourceLocation: location)
  }

  private func waitFor(_ running: RunningProcess, _ condition: () async throws -> Bool) async throws {
    while try await !condition() {
      try #require(running.isRunning)
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func searchOpenAndQuit() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      try await running.waitForOutput(containing: "github 1")
      running.send("\r")
      try await running.waitForOutput(containing: "Esc back")
      let result = await quit(running)
      // The address of what was opened is left on the screen.
      #expect(
        result.outLines.last?.hasSuffix("https://github.com/Owner/Name") == true,
        "\(result.outLines.suffix(1))")
    }
  }

  /// The editor gets the terminal and the place of the match, and the screens come back.
  @Test func theEditor() async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/one", files: ["größe.c": "first\n\tint needle;\n"])
    try await program.addClones()
    let edited = program.home.directory.path("home/edited")
    try program.home.directory.write(
      "home/my bin/vim", "#!/bin/sh\necho in the editor\n[ -t 0 ] && echo \"$@\" >edited\n", mode: 0o755)
    let running = try launch(
      program, try forageBinary, ["browse", "needle", "-k", "code", "-p", "local"], columns: 100, rows: 24,
      adding: ["EDITOR": "'\(program.home.directory.path("home/my bin"))/vim' -R"])
    defer { running.kill() }
    try await running.waitForOutput(containing: "local 1")
    running.send("e")
    try await running.waitForOutput(containing: "opened ")
    #expect(try String(contentsOfFile: edited, encoding: .utf8) == "-R +2 \(clone.path)/größe.c\n")
    let result = await quit(running)
    let parts = result.out.components(separatedBy: "in the editor")
    #expect(
      parts.count == 2 && parts[0].hasSuffix(Self.end) && parts[1].contains(Self.begin), "\(result.out)")
  }

  /// The terminal is asked to copy, and the address is shown; nothing is claimed that was not seen.
  @Test(
    arguments: [
      ([:], "asked the terminal to copy ", "\u{1B}]52;c;"),
      (["TMUX": "/nonexistent/tmux,1,0"], "asked the terminal to copy ", "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;"),
      (["TERM": "linux"], "this terminal has no clipboard; the address is ", nil),
    ] as [([String: String], String, String?)])
  func copying(_ environment: [String: String], _ message: String, _ sequence: String?) async throws {
    let program = try Program()
    try await program.makeClone("owner/one")
    try await program.addClones()
    let running = try launch(
      program, try forageBinary, ["browse", "one", "-p", "local"], columns: 100, rows: 24,
      adding: environment)
    defer { running.kill() }
    try await running.waitForOutput(containing: "local 1")
    running.send("y")
    try await running.waitForOutput(containing: message + "https://github.com/owner/one")
    let result = await quit(running)
    if let sequence { #expect(result.out.contains(sequence)) } else { #expect(!result.out.contains("]52;")) }
  }

  /// A browser that stays, prints and reads does not disturb the screens.
  @Test func aBrowserThatStays() async throws {
    let program = try Program()
    try await program.makeClone("owner/one")
    try await program.addClones()
    try program.home.directory.write(
      "home/my bin/browser",
      "#!/bin/sh\necho noise; echo noise >&2; read line; read key </dev/tty && echo $key >taken; /bin/sleep 20\n",
      mode: 0o755)
    let running = try launch(
      program, try forageBinary, ["browse", "one", "-p", "local"], columns: 100, rows: 24,
      adding: ["BROWSER": "'\(program.home.directory.path("home/my bin"))/browser'"])
    defer { running.kill() }
    try await running.waitForOutput(containing: "local 1")
    running.send("o")
    try await running.waitForOutput(containing: "opened https://github.com/owner/one")
    let result = await quit(running)
    #expect(!result.out.contains("noise"))
    #expect(!FileManager.default.fileExists(atPath: program.home.directory.path("home/taken")))
  }

  /// A file of a clone is shown at its first match, also in the pane beside the list.
  @Test(arguments: [100, 120])
  func theFirstMatch(_ columns: Int) async throws {
    let program = try Program()
    let lines = (1...90).map { $0 == 60 ? "\tint needle;" : "int line\($0);" }
    try await program.makeClone("owner/one", files: ["a.c": lines.joined(separator: "\n") + "\n"])
    try await program.addClones()
    let running = try start(program, ["needle", "-k", "code", "-p", "local"], columns: columns)
    defer { running.kill() }
    try await running.waitForOutput(containing: "local 1")
    if columns == 100 { running.send("\r") }
    try await running.waitForOutput(containing: "58  int line58;")
    try await running.waitForOutput(containing: "60:     int needle;")
    running.send(columns == 100 ? "g" : "\rg")
    try await running.waitForOutput(containing: " 1  int line1;")
    let result = await quit(running)
    #expect(!result.out.contains("int line40;"))
  }

  /// The first screen needs no login: that the stars need one is no failure.
  @Test func theFeedWithoutAToken() async throws {
    try await withProgram(FakeGitHub(repositories: [])) { program, _ in
      try await program.makeClone("owner/one")
      try await program.addClones()
      let running = try start(program, [])
      defer { running.kill() }
      try await running.waitForOutput(containing: "owner/one")
      try await running.waitForOutput(containing: "github needs a token")
      // To the list: an Esc would wait for the rest of a sequence.
      running.send("\u{1B}[B")
      let result = await quit(running)
      #expect(!result.out.contains("github failed") && !result.out.contains("requires a token"))
    }
  }

  /// Typing is one search, for the whole word.
  @Test func typing() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      let running = try start(program, ["-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "type to search")
      running.send("match")
      try await running.waitForOutput(containing: "github 3")
      // To the list: an Esc would wait for the rest of a sequence.
      running.send("\u{1B}[B")
      _ = await quit(running)
      let searches = server.requests.filter { $0.path.hasSuffix("/search/repositories") }
      #expect(searches.count == 1 && searches.first?.query("q")?.contains("match") == true)
    }
  }

  /// The pane beside the list asks the forge only with a token of which enough requests are left; otherwise
  /// Enter does.
  @Test(arguments: [(true, 4400), (true, 4600), (false, 0)])
  func previews(_ hasToken: Bool, _ used: Int) async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.use(used, of: "core", token: hasToken ? Self.token.values.first : nil)
    let asks = hasToken && used < 4500
    try await withProgram(github, adding: hasToken ? Self.token : [:]) { program, server in
      let running = try start(program, ["match", "-p", "github"], columns: 120)
      defer { running.kill() }
      func details() -> Int { server.requests.count { $0.path.contains("/repos/") } }
      try await running.waitForOutput(containing: "github 3")
      if asks {
        try await waitFor(running) { details() > 0 }
      } else {
        try await running.waitForOutput(containing: "loads the rest")
        #expect(details() == 0)
        running.send("\r")
        try await running.waitForOutput(containing: "Languages")
        // Back on a row that was opened, the pane shows what is known.
        running.send("\u{1B}")
        try await running.waitForOutput(containing: "? help")
        let count = details()
        running.send("jk")
        try await Task.sleep(for: .milliseconds(500))
        #expect(details() == count)
      }
      _ = await quit(running)
    }
  }

  @Test func stars() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github, adding: Self.token) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      running.send("s")
      try await running.waitForOutput(containing: "★")
      try await waitFor(running) { github.options.starred == ["Owner/Name"] }
      _ = await quit(running)
    }
  }

  /// Without a token the star is taken back, and the message says what to do.
  @Test func aStarThatFails() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      running.send("s")
      try await running.waitForOutput(containing: "requires a token")
      try await running.waitForOutput(containing: "hint: ")
      _ = await quit(running)
      #expect(github.options.starred == [])
    }
  }

  /// What was marked right before the end is kept.
  @Test func markAndQuit() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github, adding: Self.token) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      try await running.waitForOutput(containing: "github 1")
      running.send("sf")
      _ = await quit(running)
      #expect(github.options.starred == ["Owner/Name"])
      #expect(try await program.favorites() == ["github.com/owner/name"])
    }
  }

  /// A star that fails after the end is told.
  @Test func failAndQuit() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 1")
      running.send("s")
      let result = await quit(running)
      #expect(result.out.contains("requires a token"))
    }
  }

  @Test func favorites() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    try await withProgram(github) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      running.send("f")
      try await running.waitForOutput(containing: "♥")
      _ = await quit(running)
      #expect(try await program.favorites() == ["github.com/owner/name"])
    }
  }

  /// What a server sends cannot control the terminal.
  @Test func hostileText() async throws {
    var repository = FakeRepository(id: 1, fullName: "Owner/Name")
    repository.description = "name \u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31m\u{202E}end"
    try await withProgram(FakeGitHub(repositories: [repository])) { program, _ in
      let running = try start(program, ["name", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      let result = await quit(running)
      #expect(!result.out.contains("\u{1B}]0") && !result.out.contains("\u{1B}[2J"))
      #expect(!result.out.contains("\u{7}") && !result.out.contains("\u{202E}"))
    }
  }

  /// A server that does not answer blocks no key.
  @Test func aHangingServer() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.hang, path: "/search")
    try await withProgram(github) { program, _ in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github waiting")
      running.send("?")
      try await running.waitForOutput(containing: "choose providers")
      running.send("q")
      _ = await quit(running)
    }
  }

  /// The results of a provider that has answered can be opened while another one hangs.
  @Test func detailsBesideAHangingServer() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Owner/Name")])
    github.fail(.hang)
    try await withProgram(github) { program, _ in
      try await program.makeClone("Owner/Name")
      try await program.addClones()
      let running = try start(program, ["name", "-p", "github,local"], columns: 200)
      defer { running.kill() }
      try await running.waitForOutput(containing: "Owner/Name")
      try await running.waitForOutput(containing: "loading details")
      // The facts need no server; they come after whatever is said about the details.
      running.send("i")
      try await running.waitForOutput(containing: "HISTORY")
      let result = await quit(running)
      #expect(!result.out.contains("no longer there"))
    }
  }

  @Test func anotherSize() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 3")
      running.resize(columns: 120, rows: 40)
      try await running.waitForOutput(containing: "\u{1B}[40;1H")
      try await running.waitForOutput(containing: "│")
      _ = await quit(running)
    }
  }

  /// A failed search says what to do; `r` asks again.
  @Test func askingAgain() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.serverError, path: "/search", times: 2)
    try await withProgram(github) { program, _ in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "r tries again")
      running.send("r")
      try await running.waitForOutput(containing: "github 3")
      _ = await quit(running)
    }
  }

  /// A limit is counted down, and its hint is one for the screens.
  @Test func aLimit() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.secondaryLimit(retryAfter: 60), path: "/search")
    try await withProgram(github) { program, server in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github limit")
      try await running.waitForOutput(containing: "r tries again")
      running.send("r")
      try await running.waitForOutput(containing: "github limit 5")
      let result = await quit(running)
      #expect(!result.out.contains("--timeout"))
      #expect(server.requests.count == 1)
    }
  }

  @Test func theLimitOfRequests() async throws {
    try await withProgram(FakeGitHub(repositories: matching(250))) { program, server in
      let running = try start(program, ["match", "-p", "github", "--max-requests", "3"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 30")
      running.send("G")
      try await running.waitForOutput(containing: "3 requests")
      let result = await quit(running)
      #expect(server.requests.count == 3 && !result.out.contains("failed"), "\(result.out)")
    }
  }

  @Test func ctrlC() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 3")
      running.send("\u{3}")
      let result = await running.wait()
      #expect(result.status == 130 && result.signal == nil)
      expectRestored(result)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT]) func signals(_ number: Int32) async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 3")
      running.sendSignal(number)
      let result = await running.wait()
      #expect(result.signal == number && !result.timedOut)
      expectRestored(result)
    }
  }

  @Test func anInterruptFromOutside() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let running = try start(program, ["match", "-p", "github"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 3")
      running.sendSignal(SIGINT)
      let result = await running.wait()
      #expect(result.status == 130)
      expectRestored(result)
    }
  }

  /// The modes of the terminal are the same before and after.
  @Test(arguments: ["q", "\u{3}"]) func theModes(_ key: String) async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let script = "/bin/stty -g; $forage browse match -p github; echo status $?; /bin/stty -g"
      let running = try launch(
        program, URL(fileURLWithPath: "/bin/sh"), ["-c", script], columns: 100, rows: 24,
        adding: ["forage": try forageBinary.path])
      defer { running.kill() }
      try await running.waitForOutput(containing: "github 3")
      running.send(key)
      let result = await running.wait()
      #expect(result.out.contains("status \(key == "q" ? 0 : 130)"))
      let modes = result.outLines.first ?? ""
      #expect(modes.count(where: { $0 == ":" }) > 2 && result.outLines.last == modes, "\(result.outLines)")
    }
  }

  /// Ctrl-Z gives the terminal back to the shell, and fg takes it again.
  @Test func stoppedAndContinued() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let script = "set -m; $forage browse match -p github; echo stopped; fg; echo status $?"
      let running = try launch(
        program, URL(fileURLWithPath: "/bin/sh"), ["-c", script], columns: 100, rows: 24,
        adding: ["forage": try forageBinary.path])
      defer { running.kill() }
      func begins() -> Int {
        String(decoding: running.stdoutSoFar, as: UTF8.self).components(separatedBy: Self.begin).count - 1
      }
      try await running.waitForOutput(containing: "github 3")
      let before = begins()
      running.send("\u{1A}")
      try await running.waitForOutput(containing: "stopped")
      try await waitFor(running) { begins() > before }
      running.send("q")
      let result = await running.wait()
      #expect(result.out.contains("status 0") && !result.timedOut, "\(result.out.suffix(300))")
      expectRestored(result)
    }
  }

  @Test func usage() async throws {
    let program = try Program()
    for (arguments, text) in [
      (["-p", "nobody"], "there is no provider \"nobody\""), (["-L", "0"], "--limit takes a number"),
      (["--sort", "color"], "no chosen provider sorts by"),
      (["-k", "thing"], "no chosen provider has results"),
      (["--max-requests", "0"], "--max-requests takes a number"),
    ] {
      let result = try await program.run(["browse"] + arguments)
      #expect(result.status == 2 && result.err.contains(text), "\(result.err)")
    }
  }

  @Test func theProgramAloneNamesIt() async throws {
    let result = try await Program().runInTerminal([])
    #expect(result.status == 0 && result.out.contains("browse"))
  }
}
