import Forage
import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// When a pager is started, with what, and what happens without one.
struct PagerTests {
  /// Programs that only note what they are asked.
  private final class Noted: Sendable {
    struct Call: Equatable {
      var words: [String]
      var input: String?
      var less: String?
    }

    private let calls = Mutex<[Call]>([])
    var all: [Call] { calls.withLock { $0 } }

    func programs(_ ending: TerminalProgram.Ending = .ended(isSuccess: true)) -> TerminalProgram {
      let note = { @Sendable (words: [String], input: String?, environment: [String: String]) async in
        self.calls.withLock { $0.append(Call(words: words, input: input, less: environment["LESS"])) }
        return ending
      }
      return TerminalProgram(run: note) { await note($0, nil, $1) }
    }
  }

  private func show(
    _ environment: [String: String], lines: Int = 30, columns: Int? = 80, byDefault: Bool = false,
    hasKeyboard: Bool = true, canMoveCursor: Bool = true,
    ending: TerminalProgram.Ending = .ended(isSuccess: true)
  ) async throws -> (calls: [Noted.Call], out: String, err: String) {
    let (noted, capture) = (Noted(), Capture())
    let output = capture.output(columns: columns, canMoveCursor: canMoveCursor)
    let process = ProcessEnvironment(
      environment: environment, output: output, terminalPrograms: noted.programs(ending),
      input: Input(isTerminal: hasKeyboard) { nil })
    try await Context(process, output: process.output).paged(byDefault: byDefault) { output in
      for line in 1...lines { try output.result("line \(line)") }
    }
    return (noted.all, capture.results, capture.messages)
  }

  private static let long = (1...30).map { "line \($0)\n" }.joined()

  @Test func longOutputOnATerminal() async throws {
    let told = try await show(["FORAGE_PAGER": "less -S", "PAGER": "more"])
    #expect(told.calls == [.init(words: ["less", "-S"], input: Self.long, less: "FRX")])
    #expect(told.out == "" && told.err == "")
    let quoted = try await show(["PAGER": "'/opt/my pager' -p ''"])
    #expect(quoted.calls.map(\.words) == [["/opt/my pager", "-p", ""]])
    let own = try await show(["PAGER": "less", "LESS": "-M"])
    #expect(own.calls == [.init(words: ["less"], input: Self.long, less: "-M")])
  }

  /// A pager has nothing to do with tokens.
  @Test func noTokenForThePager() async throws {
    let names = Mutex<Set<String>>([])
    let process = ProcessEnvironment(
      environment: ["PAGER": "less", "HOME": "/h"].merging(
        TokenFinder.tokenVariables.map { ($0, "s3cret") }, uniquingKeysWith: { $1 }),
      output: Capture().output(columns: 80),
      terminalPrograms: TerminalProgram { _, _, environment in
        names.withLock { $0 = Set(environment.keys) }
        return .ended(isSuccess: true)
      })
    try await Context(process, output: process.output).paged { output in
      for line in 1...30 { try output.result("line \(line)") }
    }
    #expect(names.withLock(\.self) == ["PAGER", "HOME", "LESS", "LV"])
  }

  /// Nothing chosen, an empty choice, `cat`, a pipe, a list that fits.
  @Test(arguments: [
    [:], ["FORAGE_PAGER": "", "PAGER": "less"], ["PAGER": ""], ["PAGER": "cat"], ["FORAGE_PAGER": "/bin/cat"],
  ])
  func noPager(_ environment: [String: String]) async throws {
    let told = try await show(environment)
    #expect(told.calls.isEmpty && told.out == Self.long)
  }

  /// A page goes through `less` unless the user chose another pager or none.
  @Test func theDefaultPagerOfPages() async throws {
    let usual = try await show([:], byDefault: true)
    #expect(usual.calls == [.init(words: ["less"], input: Self.long, less: "FRX")] && usual.out == "")
    let own = try await show(["PAGER": "more"], byDefault: true)
    #expect(own.calls.map(\.words) == [["more"]])
    let missing = try await show([:], byDefault: true, ending: .notStarted)
    #expect(missing.out == Self.long && missing.err == "")
  }

  /// An empty choice, a pipe, nobody at the keyboard, a terminal that `less` cannot use, a page that fits.
  @Test func noDefaultPager() async throws {
    let shown = [
      try await show(["FORAGE_PAGER": ""], byDefault: true),
      try await show([:], columns: nil, byDefault: true),
      try await show([:], byDefault: true, hasKeyboard: false),
      try await show([:], byDefault: true, canMoveCursor: false),
    ]
    #expect(shown.allSatisfy { $0.calls.isEmpty && $0.out == Self.long })
    #expect(try await show([:], lines: 23, byDefault: true).calls.isEmpty)
  }

  @Test func pipesAndShortListsNeedNone() async throws {
    let pipe = try await show(["PAGER": "less"], columns: nil)
    #expect(pipe.calls.isEmpty && pipe.out == Self.long)
    let short = try await show(["PAGER": "less"], lines: 23)
    #expect(short.calls.isEmpty && short.out.hasSuffix("line 23\n"))
    let full = try await show(["PAGER": "less"], lines: 24)
    #expect(full.calls.count == 1 && full.out == "")
  }

  @Test func aPagerThatIsNotThere() async throws {
    let told = try await show(["PAGER": "nopager"], ending: .notStarted)
    #expect(told.out == Self.long)
    #expect(told.err.hasPrefix("forage: the pager nopager could not be started\nhint: set FORAGE_PAGER "))
  }

  @Test func aPagerInOpenQuotes() async throws {
    let told = try await show(["PAGER": "'less -S"])
    #expect(told.out == Self.long && told.calls.isEmpty)
    #expect(told.err.hasPrefix("forage: PAGER ends within quotes or after a backslash: 'less -S\nhint: "))
  }

  /// Real programs: one that reads all, one that goes away at once with far more to read than a pipe holds,
  /// one that fails.
  @Test func realPrograms() async throws {
    // As the program does at its start: a reader that goes away is noticed when writing.
    signal(SIGPIPE, SIG_IGN)
    let folder = try TemporaryDirectory()
    let file = folder.path("seen")
    let text = String(repeating: "0123456789\n", count: 100_000)
    func run(_ words: [String], _ input: String?) async -> Bool? {
      let ending = await TerminalProgram.live.run(words, input, ["PATH": "/usr/bin:/bin"])
      return if case .ended(let isSuccess) = ending { isSuccess } else { nil }
    }
    // Many times: the program may start before or after the text is written.
    for _ in 1...20 { #expect(await run(["tee", "-a", "/dev/null"], "") == true) }
    #expect(await run(["cp", "/dev/stdin", file], text) == true)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    #expect(await run(["true"], text) == true)
    #expect(await run(["false"], nil) == false)
    #expect(await run(["no-such-program"], nil) == nil)
    #expect(await run(["/no/such/program"], text) == nil)
    #expect(await run([folder.path("")], nil) == nil)
  }

  /// The browsers to try: those of the user in their order, else the system's.
  @Test func browsers() throws {
    let page = "https://x.example/a?b=%20"
    func commands(_ browser: String?) throws -> [[String]] {
      try Browser.commands(page, environment: browser.map { ["BROWSER": $0] } ?? [:])
    }
    for none in [nil, "", " : "] { #expect(try commands(none).map(\.count) == [2], "\(none ?? "nil")") }
    #expect(try commands("firefox -P work") == [["firefox", "-P", "work", page]])
    #expect(try commands("a %s --new:b") == [["a", page, "--new"], ["b", page]])
    #expect(try commands("'/opt/My Browser/run' -P ''") == [["/opt/My Browser/run", "-P", "", page]])
    #expect(
      try commands("sh -c \"br http://proxy:80/%s\"::c\\:d 'e:f'") == [
        ["sh", "-c", "br http://proxy:80/\(page)"], ["c:d", "e:f", page],
      ])
    let error = #expect(throws: ForageError.self) { try commands("a:'b") }
    #expect(error?.message == "BROWSER ends within quotes or after a backslash: a:'b")
  }

  @Test func openingPages() async throws {
    let noted = Noted()
    let traced = CollectedText()
    func open(
      _ address: String, _ ending: TerminalProgram.Ending, browser: String? = "b",
      into capture: Capture = Capture()
    ) async throws -> Capture {
      let environment = browser.map { ["BROWSER": $0] } ?? [:]
      try await Browser(
        environment: environment, program: noted.programs(ending), hasTerminal: false,
        trace: { traced.add($0 + "\n") }
      ).open([address], output: capture.output())
      return capture
    }
    let opened = try await open("https://x.example/1", .ended(isSuccess: true))
    #expect(opened.results == "" && opened.messages == "forage: opened https://x.example/1\n")
    #expect(noted.all.map(\.words) == [["b", "https://x.example/1"]])
    for ending in [TerminalProgram.Ending.notStarted, .ended(isSuccess: false)] {
      let told = try await open("https://x.example/2", ending, browser: nil)
      #expect(told.results == "https://x.example/2\n" && told.messages.contains("no browser"))
      // A browser that was named has failed, which is an error; the address is there all the same.
      let capture = Capture()
      let error = await #expect(throws: ForageError.self) {
        try await open("https://x.example/3", ending, browser: "false", into: capture)
      }
      #expect(error?.message == "BROWSER (false) failed" && error?.code == .usage)
      #expect(capture.results == "https://x.example/3\n")
    }
    #expect(traced.text.hasPrefix("b https://x.example/1: ok, "))
    #expect(traced.text.contains("\nfalse https://x.example/3: failed, "))
    for address in ["file:///etc/passwd", "--help", "javascript:alert(1)", "https://x.example/\u{1B}[2J"] {
      await #expect(throws: ForageError.self) { try await open(address, .ended(isSuccess: true)) }
    }
    #expect(!noted.all.contains { $0.words.contains("--help") })
  }

  /// A browser that stays, prints and reads is left to itself, and gets several pages at once.
  @Test func aBrowserThatStays() async throws {
    let folder = try TemporaryDirectory()
    let script = try folder.write(
      "my browser",
      """
      #!/bin/sh
      echo noise; echo noise >&2
      read -r line; { read -r key </dev/tty; } 2>/dev/null && echo "$key" >>"\(folder.path)/asked"
      echo "$line|$1" >>"\(folder.path)/opened"
      exec sleep 20
      """, mode: 0o755)
    let pages = (1...5).map { "https://x.example/\($0)" }
    let capture = Capture()
    let start = ContinuousClock.now
    try await Browser(
      environment: ["PATH": "/usr/bin:/bin", "BROWSER": "'\(script.path)'"], program: .live,
      hasTerminal: true
    ).open(pages, output: capture.output())
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(capture.results == "")
    #expect(capture.messages == pages.map { "forage: opened \($0)\n" }.joined())
    var opened: [Substring] = []
    while opened.count < pages.count, ContinuousClock.now - start < .seconds(18) {
      opened =
        (try? String(contentsOfFile: folder.path("opened"), encoding: .utf8))?.split(separator: "\n") ?? []
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(opened.sorted() == pages.map { "|\($0)" })
    #expect(!FileManager.default.fileExists(atPath: folder.path("asked")))
  }

  /// A browser that is drawn on the terminal is started only where it can have it, and for one page after the
  /// other. Without a display the system's program starts such a browser.
  @Test(
    arguments: ["/usr/bin/w3m -N", "xdg-open", "lynx:/usr/bin/sensible-browser", "gone:w3m"], [true, false])
  func browsersForTerminals(_ browser: String, _ hasTerminal: Bool) async throws {
    let pages = (1...4).map { "https://x.example/\($0)" }
    let runs = Mutex<[String]>([])
    let running = Mutex(0)
    let programs = TerminalProgram { words, _, _ in
      running.withLock {
        $0 += 1
        #expect($0 == 1)
      }
      try? await Task.sleep(for: .milliseconds(5))
      running.withLock { $0 -= 1 }
      runs.withLock { $0.append(words.last ?? "") }
      return .ended(isSuccess: true)
    } start: { words, _ in
      #expect(words[0] == "gone", "it has no terminal")
      return .notStarted
    }
    let capture = Capture()
    let opener = Browser(environment: ["BROWSER": browser], program: programs, hasTerminal: hasTerminal)
    do {
      try await opener.open(pages, output: capture.output())
      #expect(hasTerminal && capture.results == "")
    } catch let error as ForageError {
      #expect(
        error.message == "BROWSER (\(browser)) \(browser == "gone:w3m" ? "failed" : "needs the terminal")")
      #expect(!hasTerminal && capture.results == pages.map { $0 + "\n" }.joined())
    }
    #expect(runs.withLock(\.self) == (hasTerminal ? pages : []))
  }

  /// With a display the system's program has a window of its own.
  @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"]) func aDisplay(_ variable: String) async throws {
    let programs = Noted().programs()
    for (value, isOpened) in [(":0", true), ("", false)] {
      let browser = Browser(
        environment: ["BROWSER": "/usr/bin/xdg-open", variable: value], program: programs, hasTerminal: false)
      #expect(try await browser.open("https://x.example/") == isOpened)
    }
  }

  /// After an interruption no other browser is tried, and no other page is opened.
  @Test func anInterruptedBrowser() async throws {
    let starts = Mutex<[[String]]>([])
    let (started, starting) = AsyncStream<Void>.makeStream()
    let programs = TerminalProgram { _, _, _ in
      .notStarted
    } start: { words, _ in
      starts.withLock { $0.append(words) }
      starting.yield()
      try? await Task.sleep(for: .seconds(60))
      return .notStarted
    }
    let task = Task {
      try await Browser(environment: ["BROWSER": "slow:second"], program: programs, hasTerminal: false)
        .open(["https://x.example/1", "https://x.example/2"], output: Capture().output())
    }
    _ = await started.first { true }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(starts.withLock(\.self) == [["slow", "https://x.example/1"]])
  }
}
