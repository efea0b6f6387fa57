import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// The rows that say what a command waits for.
struct StatusDisplayTests {
  /// What is written to a terminal, in order, and as it comes.
  private final class Screen: Sendable {
    private let texts = Mutex<[String]>([])
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// The display of the output.
    private let display = Mutex<StatusDisplay?>(nil)

    /// Everything, once it is written.
    var all: String {
      display.withLock { $0 }?.settle()
      return texts.withLock { $0.joined() }
    }

    private func write(_ text: String) {
      texts.withLock { $0.append(text) }
      continuation.yield(text)
    }

    func output(isTerminal: Bool = true, canMoveCursor: Bool = true) -> Output {
      let output = Output(
        writeResult: { self.write($0) }, writeMessage: { self.write($0) }, isTerminal: isTerminal,
        isMessageTerminal: isTerminal, canMoveCursor: canMoveCursor, now: Capture.now)
      display.withLock { $0 = output.status }
      return output
    }

    func status(
      columns: Int = 80, rows: Int = 24, canMoveCursor: Bool = true, delay: Duration = .zero
    ) -> StatusDisplay {
      let status = StatusDisplay(
        columns: columns, rows: rows, canMoveCursor: canMoveCursor, delay: delay
      ) { self.write($0) }
      display.withLock { $0 = status }
      return status
    }

    /// Returns once a text was written.
    func wait(for text: String) async {
      for await written in stream where written.contains(text) { return }
    }
  }

  private static func erasure(_ rows: Int = 1) -> String { "\u{1B}[\(rows)A\r\u{1B}[J" }

  @Test func rowsAreSafeAlignedAndCut() async {
    let screen = Screen()
    let status = screen.status(columns: 30)
    let first = status.show { [.init(title: "a", text: "github\u{1B}[2J")] }
    #expect(screen.all == "a  github␛[2J\n")
    let second = status.show { [.init(title: "long", text: "/src/a-long-path/of-a-clone")] }
    let both = "a     github␛[2J\nlong  /src/a-long-path/of-a-…\n"
    #expect(screen.all.hasSuffix(Self.erasure() + both))
    first.end()
    #expect(screen.all.hasSuffix(Self.erasure(2) + "long  /src/a-long-path/of-a-…\n"))
    second.end()
    #expect(screen.all.hasSuffix("…\n" + Self.erasure()))
  }

  /// More rows than the terminal has could not be erased.
  @Test func rowsFitTheTerminal() {
    let screen = Screen()
    let status = screen.status(rows: 3)
    let entry = status.show { (1...9).map { .init(text: "row \($0)") } }
    #expect(screen.all == "row 1\nrow 2\n")
    entry.end()
    #expect(screen.all.hasSuffix(Self.erasure(2)))
  }

  /// Rows are read again without being told, and written where they differ.
  @Test func changesAreShown() async {
    let screen = Screen()
    let status = screen.status()
    let text = Mutex("one")
    let entry = status.show { [.init(text: text.withLock { $0 })] }
    await screen.wait(for: "one\n")
    text.withLock { $0 = "two" }
    await screen.wait(for: Self.erasure() + "two\n")
    entry.end()
    #expect(screen.all == "one\n" + Self.erasure() + "two\n" + Self.erasure())
  }

  /// A wait that ends before the delay shows nothing, not even an erased line.
  @Test func aShortWaitShowsNothing() {
    let screen = Screen()
    let status = screen.status(delay: .seconds(3600))
    let entry = status.show { [.init(text: "waiting for github")] }
    #expect(screen.all == "")
    entry.end()
    #expect(screen.all == "")
  }

  /// A limit is known to last: it is shown at once, in the row of its provider where there is one.
  @Test func limitsAreCountedDown() {
    let screen = Screen()
    let status = screen.status(delay: .seconds(3600))
    let hidden = status.show { [.init(text: "waiting for github", provider: "github")] }
    status.showLimit(of: "github", .seconds(100))
    #expect(screen.all.hasPrefix("github: waiting 1 min 40 s for the limit\n"))
    hidden.end()
    #expect(screen.all.hasSuffix("for the limit\n" + Self.erasure()))
  }

  @Test func aLimitTakesThePlaceOfTheText() {
    let screen = Screen()
    let status = screen.status()
    let entry = status.show { [.init(title: "a", text: "waiting", provider: "a"), .init(text: "b")] }
    status.showLimit(of: "a", .seconds(50))
    #expect(screen.all.hasSuffix("a  waiting 50 s for the limit\nb\n"))
    entry.end()
  }

  /// Whatever is written while rows are shown starts on an empty line.
  @Test func otherTextsEraseTheRows() async throws {
    let screen = Screen()
    let output = screen.output()
    let line = StatusLine(output)
    line.show("waiting for github")
    await screen.wait(for: "waiting for github")
    output.message("one")
    try output.result("two")
    line.show(nil)
    let shown = "waiting for github\n" + Self.erasure()
    #expect(screen.all == shown + "forage: one\ntwo\n")
  }

  @Test func nothingIsDrawnOverAQuestion() {
    let screen = Screen()
    let status = screen.status()
    let entry = status.paused {
      let entry = status.show { [.init(text: "waiting")] }
      #expect(screen.all == "")
      return entry
    }
    #expect(screen.all == "waiting\n")
    entry.end()
  }

  /// Where the cursor cannot be moved a wait is one line that stays, however its text changes.
  @Test func withoutACursorAWaitIsOneLine() async {
    let screen = Screen()
    #expect(screen.output(canMoveCursor: false).hasProgress)
    let status = screen.status(canMoveCursor: false)
    let text = Mutex("waiting")
    let first = status.show { [.init(title: "github", text: text.withLock { $0 })] }
    #expect(screen.all == "github  waiting\n")
    text.withLock { $0 = "2 results" }
    let second = status.show { [.init(text: "reading")] }
    #expect(screen.all == "github  waiting\nreading\n")
    status.showLimit(of: "github", .seconds(50))
    #expect(screen.all == "github  waiting\nreading\ngithub: waiting 50 s for the limit\n")
    first.end()
    second.end()
    #expect(screen.all.hasSuffix("for the limit\n"))
    let later = status.show { [.init(text: "reading")] }
    #expect(screen.all.hasSuffix("for the limit\nreading\n"))
    later.end()
  }

  /// Nothing is drawn in a pipe, under `--quiet`, and where something else draws.
  @Test func onlyOnATerminal() async throws {
    var quiet = Screen().output()
    quiet.isMessageTerminal = false
    #expect(Screen().output().hasProgress && !quiet.hasProgress)
    let screen = Screen()
    let line = StatusLine(screen.output().diverted(isTerminal: true) { _ in })
    line.show("scanning")
    try await Task.sleep(for: StatusDisplay.standardDelay * 2)
    #expect(screen.all == "")
    line.show(nil)
  }

  @Test func terminalsWithoutACursor() {
    #expect(Output.standard(environment: ["TERM": "xterm"]).canMoveCursor)
    #expect(!Output.standard(environment: ["TERM": "dumb"]).canMoveCursor)
  }

  /// A command that asks a server says so while there is no answer.
  @Test(arguments: [
    ["show", "acme/tool"], ["star", "acme/tool"], ["search", "tool", "-p", "github", "--verbose"],
  ])
  func commandsSayWhatTheyWaitFor(_ arguments: [String]) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Acme/Tool")])
    github.fail(.hang)
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let screen = Screen()
        let process = ProcessEnvironment(
          environment: variables(home, server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "t"]),
          output: screen.output())
        let run = Task { await Entry.run(arguments + ["--timeout", "60"], in: process) }
        await screen.wait(for: "waiting")
        run.cancel()
        _ = await run.value
        // The row is erased before the message about the interruption, if there is one.
        let end = try #require(screen.all.ranges(of: Self.erasure()).last?.upperBound)
        let lines = screen.all[end...].split(separator: "\n")
        #expect(!lines.contains { $0.hasSuffix("waiting") || $0.hasPrefix("waiting") }, "\(lines)")
      }
    }
  }
}
