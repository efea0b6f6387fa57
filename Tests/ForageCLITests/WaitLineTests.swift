import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// The line that says what a command waits for.
struct WaitLineTests {
  /// What is written to a terminal, in order, and as it comes.
  private final class Screen: Sendable {
    private let texts = Mutex<[String]>([])
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// The line of the output.
    private let line = Mutex<TransientLine?>(nil)

    /// Everything, once it is written.
    var all: String {
      line.withLock { $0 }?.settle()
      return texts.withLock { $0.joined() }
    }

    func output(isTerminal: Bool = true, columns: Int = 80) -> Output {
      let write: @Sendable (String) -> Void = { text in
        self.texts.withLock { $0.append(text) }
        self.continuation.yield(text)
      }
      let output = Output(
        writeResult: write, writeMessage: write, isTerminal: isTerminal, isMessageTerminal: isTerminal,
        columns: columns, now: Capture.now)
      line.withLock { $0 = output.progress }
      return output
    }

    /// Returns once a text was written.
    func wait(for text: String) async {
      for await written in stream where written.contains(text) { return }
    }
  }

  private static let erasure = "\r\u{1B}[2K"

  @Test func namesWhatIsWaitedFor() async {
    let screen = Screen()
    let waits = WaitLine(screen.output(columns: 30), delay: .zero)
    let first = waits.begin("github\u{1B}[2J")
    await screen.wait(for: "waiting for github␛[2J")
    let second = waits.begin("/src/a-long-path/of-a-clone")
    await screen.wait(for: "github␛[2J, /src…")
    waits.end(first)
    #expect(screen.all.hasSuffix(Self.erasure + "waiting for /src/a-long-path…"))
    waits.update(second, "2 clones")
    #expect(screen.all.hasSuffix(Self.erasure + "waiting for 2 clones"))
    waits.end(second)
    #expect(screen.all.hasSuffix("2 clones" + Self.erasure))
  }

  /// A wait that ends before the delay shows nothing, not even an erased line.
  @Test func aShortWaitShowsNothing() {
    let screen = Screen()
    let waits = WaitLine(screen.output(), delay: .seconds(3600))
    waits.end(waits.begin("github"))
    #expect(screen.all == "")
  }

  @Test func limitsAreCountedDown() {
    let screen = Screen()
    let waits = WaitLine(screen.output(), delay: .seconds(3600))
    let wait = waits.begin("github")
    waits.wait("github", for: .seconds(100))
    #expect(screen.all.hasPrefix(Self.erasure + "github: waiting 1 min 40 s for the limit"))
    waits.end(wait)
    #expect(screen.all.hasSuffix("for the limit" + Self.erasure))
  }

  /// Whatever is written while the line is shown starts on an empty line.
  @Test func otherTextsEraseTheLine() async throws {
    let screen = Screen()
    let output = screen.output()
    let waits = WaitLine(output, delay: .zero)
    let wait = waits.begin("github")
    await screen.wait(for: "waiting for github")
    output.message("one")
    try output.result("two")
    waits.end(wait)
    let shown = Self.erasure + "waiting for github" + Self.erasure
    #expect(screen.all == shown + "forage: one\ntwo\n")
  }

  /// Nothing is drawn in a pipe, under `--quiet`, and where the cursor cannot be moved.
  @Test func onlyOnATerminal() async {
    var dumb = Screen().output()
    dumb.canMoveCursor = false
    var quiet = Screen().output()
    quiet.isMessageTerminal = false
    #expect(Screen().output().hasProgress && !dumb.hasProgress && !quiet.hasProgress)
    let screen = Screen()
    var output = screen.output()
    output.canMoveCursor = false
    let line = ProgressLine(output)
    line.show("scanning")
    line.clear()
    let waits = WaitLine(output, delay: .zero)
    waits.wait("github", for: .seconds(100))
    waits.end(waits.begin("github"))
    #expect(screen.all == "")
  }

  @Test func terminalsWithoutACursor() {
    #expect(Output.standard(environment: ["TERM": "xterm"]).canMoveCursor)
    #expect(!Output.standard(environment: ["TERM": "dumb"]).canMoveCursor)
  }

  /// A command that asks a server says so while there is no answer.
  @Test(arguments: [
    ["show", "acme/tool"], ["star", "acme/tool"], ["search", "tool", "-p", "github", "--stream"],
    ["search", "tool", "-p", "github", "--verbose"],
  ])
  func commandsSayWhatTheyWaitFor(_ arguments: [String]) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Acme/Tool")])
    github.fail(.hang)
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let screen = Screen()
        let surroundings = Surroundings(
          environment: variables(home, server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "t"]),
          output: screen.output())
        let run = Task { await Entry.run(arguments + ["--timeout", "60"], in: surroundings) }
        await screen.wait(for: "waiting for ")
        run.cancel()
        _ = await run.value
        #expect(!screen.all.hasSuffix("waiting for github"))
      }
    }
  }
}
