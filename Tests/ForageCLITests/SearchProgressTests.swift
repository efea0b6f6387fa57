import Dispatch
import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// What a terminal shows while a search runs.
struct SearchProgressTests {
  /// Writes results and messages into one list, in their order.
  private final class Recorder: Sendable {
    private let texts = Mutex<[(isResult: Bool, text: String)]>([])

    var all: [(isResult: Bool, text: String)] { texts.withLock { $0 } }
    var messages: String { all.filter { !$0.isResult }.map(\.text).joined() }
    var everything: String { all.map(\.text).joined() }

    func output(isTerminal: Bool = true, isMessageTerminal: Bool = true, columns: Int = 80) -> Output {
      Output(
        writeResult: { text in self.texts.withLock { $0.append((true, text)) } },
        writeMessage: { text in self.texts.withLock { $0.append((false, text)) } },
        isTerminal: isTerminal, isMessageTerminal: isMessageTerminal, columns: columns, now: Capture.now)
    }
  }

  /// A provider of repositories that does what a test says.
  private struct Scripted: SearchProvider {
    let info: ProviderInfo
    let kinds: [ResultKind: Abilities] = [.repo: Abilities(fields: [.stars], needsText: false)]
    let answer: @Sendable (SearchRequest) async throws -> SearchPage

    init(_ id: String, answer: @escaping @Sendable (SearchRequest) async throws -> SearchPage) {
      info = ProviderInfo(id: id)
      self.answer = answer
    }

    func search(_ request: SearchRequest) async throws -> SearchPage { try await answer(request) }
  }

  private static func page(_ titles: [String], next: String? = nil) -> SearchPage {
    SearchPage(
      items: titles.map { SearchResult(id: "x/\($0)", kind: .repo, title: $0) }, next: next,
      total: ResultTotal(100))
  }

  /// Longest wait for something to be drawn, in steps of `step`; only a display that never draws gets there.
  private static let maximumWaits = 40
  /// Longer than the pause between two drawings.
  private static let step: Duration = .milliseconds(80)

  /// A provider that gives a new result every step until the terminal has shown a text.
  private static func patient(_ id: String, until text: String, _ recorder: Recorder) -> Scripted {
    Scripted(id) { request in
      let number = request.cursor.flatMap { Int($0) } ?? 0
      try await Task.sleep(for: step)
      let isOver = recorder.messages.contains(text) || number >= maximumWaits
      return page(["\(id)-\(number)"], next: isOver ? nil : String(number + 1))
    }
  }

  /// A search with a display, which is taken away at the end.
  private func run(_ providers: [any SearchProvider], _ output: Output) async throws {
    let registry = ProviderRegistry(providers)
    let search = FederatedSearch(query: try QueryParser().parse("x"), timeout: .seconds(300))
    let progress = SearchProgress(registry, output: output)
    _ = await SearchRun(search, registry).more(observer: progress.follow)
    progress.end()
    output.status.settle()
  }

  /// What is left on a terminal that is tall enough.
  private func screen(_ text: String) -> [String] {
    var (lines, row) = ([""], 0)
    var rest = text[...]
    while let character = rest.first {
      if let match = rest.prefixMatch(of: /\u{1B}\[([0-9]*)([AJKm])/) {
        if match.output.2 == "A" { row = max(0, row - (Int(match.output.1) ?? 1)) }
        if match.output.2 == "J" { lines = Array(lines[..<row]) + [""] }
        if match.output.2 == "K" { lines[row] = "" }
        rest = rest[match.range.upperBound...]
        continue
      }
      rest = rest.dropFirst()
      if character == "\n" {
        row += 1
        if row == lines.count { lines.append("") }
      } else if character != "\r" {
        lines[row].append(character)
      }
    }
    return lines.last == "" ? lines.dropLast() : lines
  }

  private static var erasure: Regex<Substring> { /\u{1B}\[[0-9]+A\r\u{1B}\[J/ }

  /// A notice stays above what is drawn, and nothing of it is erased.
  @Test func noticesStay() async throws {
    let recorder = Recorder()
    let registry = ProviderRegistry([Self.patient("p", until: "requests", recorder)])
    let search = FederatedSearch(query: try QueryParser().parse("x"), timeout: .seconds(300))
    let output = recorder.output()
    let progress = SearchProgress(registry, output: output)
    _ = await SearchRun(search, registry).more { event in
      progress.follow(event)
      // Once something is drawn.
      if recorder.messages.contains("p  "), !recorder.messages.contains("requests") {
        output.message("about 40 requests")
      }
    }
    progress.end()
    output.status.settle()
    #expect(screen(recorder.everything) == ["forage: about 40 requests"])
  }

  @Test func aLineForEachProvider() async throws {
    let recorder = Recorder()
    let fast = Scripted("fast") { _ in Self.page(["o/first", "o/second"]) }
    let slow = Self.patient("slower", until: "o/first", recorder)
    try await run([fast, slow], recorder.output())
    let messages = recorder.messages
    let drawings = messages.split(separator: Self.erasure).map(String.init)
    #expect(!drawings.isEmpty)
    for drawing in drawings {
      let lines = drawing.split(separator: "\n").map(String.init)
      #expect(lines.count >= 2)
      #expect(lines.first?.hasPrefix("fast    ") == true)
      #expect(lines.dropFirst().first?.hasPrefix("slower  ") == true)
      #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("  ") })
      #expect(lines.count <= 12)
      #expect(drawing.hasSuffix("\n"))
    }
    #expect(messages.contains("\n  o/first\n"))
    // Each drawing is taken away by a sequence that counts its lines, the last one too.
    let erasures = messages.matches(of: /\u{1B}\[([0-9]+)A\r\u{1B}\[J/)
    #expect(erasures.compactMap { Int($0.output.1) } == drawings.map { $0.count { $0 == "\n" } })
    #expect(messages.hasSuffix("\u{1B}[J"))
    #expect(screen(messages) == [])
  }

  @Test func failuresAreToldAtOnce() async throws {
    let recorder = Recorder()
    let bad = Scripted("bad") { _ in
      throw SearchError(.other, "it is\u{1B}[2J broken", hint: "none")
    }
    try await run([bad, Self.patient("slow", until: "broken", recorder)], recorder.output())
    #expect(recorder.messages.contains("bad   it is␛[2J broken\n"))
    #expect(screen(recorder.messages) == [])
  }

  /// The seconds that are left, fewer each time.
  @Test func waitsAreCountedDown() async throws {
    let recorder = Recorder()
    @Sendable func seconds() -> [Int] {
      recorder.messages.matches(of: /slow  waiting ([0-9]+) s for the limit\n/).compactMap {
        Int($0.output.1)
      }
    }
    let slow = Scripted("slow") { _ in
      for _ in 0..<Self.maximumWaits * 5 where Set(seconds()).count < 2 {
        try await Task.sleep(for: Self.step)
      }
      return Self.page([])
    }
    let registry = ProviderRegistry([slow])
    let search = FederatedSearch(query: try QueryParser().parse("x"), timeout: .seconds(300))
    let output = recorder.output()
    let progress = SearchProgress(registry, output: output)
    _ = await SearchRun(search, registry).more { event in
      progress.follow(event)
      guard case .started = event else { return }
      output.status.showLimit(of: "slow", .seconds(50))
    }
    progress.end()
    output.status.settle()
    #expect(Set(seconds()).count >= 2)
    #expect(seconds() == seconds().sorted(by: >) && seconds().allSatisfy { (1...50).contains($0) })
    #expect(screen(recorder.messages) == [])
  }

  @Test func titlesAreMadeSafe() async throws {
    let recorder = Recorder()
    let title = "evil\u{1B}[2J\u{1B}]0;owned\u{7}\n\r\u{202E}\u{9B}1m"
    let fast = Scripted("fast") { _ in Self.page([title]) }
    try await run([fast, Self.patient("slow", until: "evil", recorder)], recorder.output())
    let text = recorder.messages.replacing(Self.erasure, with: "")
    #expect(text.contains("  evil␛[2J␛]0;owned␇"))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && $0.value != 127 })
    for scalar in ["\u{202E}", "\u{9B}"] { #expect(!text.contains(scalar)) }
    #expect(screen(recorder.messages) == [])
  }

  /// A line that wraps takes two rows, and then the wrong ones are erased.
  @Test(arguments: [20, 40])
  func noLineIsWiderThanTheTerminal(_ columns: Int) async throws {
    let recorder = Recorder()
    let fast = Scripted("fast") { _ in
      Self.page(["wide-title-", "高速な検索"].map { String(repeating: $0, count: 30) })
    }
    let slow = Self.patient("slow", until: "高", recorder)
    try await run([fast, slow], recorder.output(columns: columns))
    let lines = recorder.messages.replacing(Self.erasure, with: "").split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { TextWidth.of(String($0)) < columns })
  }

  @Test func nothingForFastAnswers() async throws {
    let providers = [Scripted("a") { _ in Self.page(["o/a"]) }, Scripted("b") { _ in Self.page([]) }]
    var (recorder, time): (Recorder, Duration) = (Recorder(), .seconds(1))
    // A busy machine may take longer than the time after which a search is shown; then it is tried again.
    for _ in 0..<50 where time > .milliseconds(100) {
      recorder = Recorder()
      time = try await ContinuousClock().measure { try await run(providers, recorder.output()) }
    }
    try #require(time < .milliseconds(100))
    // Past the moment at which a slower search begins to draw.
    try await Task.sleep(for: .milliseconds(400))
    #expect(recorder.all.isEmpty)
  }

  @Test(arguments: [(false, true), (true, false), (false, false)])
  func nothingWithoutATerminal(_ isTerminal: Bool, _ isMessageTerminal: Bool) async throws {
    let recorder = Recorder()
    let slow = Scripted("slow") { _ in
      try await Task.sleep(for: StatusDisplay.standardDelay * 2)
      return Self.page([])
    }
    try await run(
      [slow], recorder.output(isTerminal: isTerminal, isMessageTerminal: isMessageTerminal))
    #expect(recorder.all.isEmpty)
  }

  /// Who takes no part is not shown, whether that is known before or turns out.
  @Test func onlyWhoIsAskedIsShown() async throws {
    let empty = Scripted("empty") { _ in throw SearchError(.nothingToAsk, "there is nothing", hint: "add") }
    struct Other: SearchProvider {
      let info = ProviderInfo(id: "other", name: "Other")
      let kinds: [ResultKind: Abilities] = ["story": Abilities(fields: [])]
      func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
    }
    var messages = "empty"
    // On a busy machine the first frame may be drawn before it turns out; then it is tried again.
    for _ in 0..<10 where messages.contains("empty") {
      let recorder = Recorder()
      try await run([empty, Other(), Self.patient("slow", until: "slow-0", recorder)], recorder.output())
      messages = recorder.messages
      #expect(messages.contains("slow  ") && !messages.contains("other"))
      #expect(screen(messages) == [])
    }
    #expect(!messages.contains("empty"))
  }

  /// A terminal that takes nothing stops no provider.
  @Test func aBlockedTerminalStopsNobody() async throws {
    let gate = DispatchSemaphore(value: 0)
    let entered = Mutex(false)
    let output = Output(
      writeResult: { _ in },
      writeMessage: { _ in
        entered.withLock { $0 = true }
        gate.wait()
        gate.signal()
      }, isTerminal: true, isMessageTerminal: true, now: Capture.now)
    let provider = Scripted("slow") { request in
      let number = request.cursor.flatMap { Int($0) } ?? 0
      try await Task.sleep(for: Self.step)
      let isOver = entered.withLock { $0 } && number > 3 || number >= Self.maximumWaits
      return Self.page(["slow-\(number)"], next: isOver ? nil : String(number + 1))
    }
    let registry = ProviderRegistry([provider])
    let search = FederatedSearch(query: try QueryParser().parse("x"), timeout: .seconds(300))
    let progress = SearchProgress(registry, output: output)
    let result = await SearchRun(search, registry).more(observer: progress.follow)
    #expect(result.outcomes.map(\.state) == [.ok] && entered.withLock { $0 })
    gate.signal()
    progress.end()
    output.status.settle()
  }

  // The whole command with a slow server.

  /// - Parameter milliseconds: How late the server answers; nil: once it is shown that it is waited for.
  private func search(
    _ arguments: [String] = [], milliseconds: Int? = 1500, isTerminal: Bool = true,
    adding extra: (IsolatedHome) throws -> [String: String] = { _ in [:] }
  ) async throws -> (status: Status, recorder: Recorder) {
    let github = FakeGitHub(repositories: threeRepositories)
    let recorder = Recorder()
    github.fail(
      milliseconds.map { FakeGitHub.Fault.slow(milliseconds: $0) }
        ?? .held { recorder.messages.contains("waiting") },
      path: "/search")
    return try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let output = recorder.output(isTerminal: isTerminal, isMessageTerminal: isTerminal)
        let environment = variables(home, server.baseURL, adding: try extra(home))
        let process = ProcessEnvironment(environment: environment, output: output)
        let status = await Entry.run(
          ["search", "http", "--timeout", "50", "-L", "1"] + arguments, in: process)
        return (status, recorder)
      }
    }
  }

  @Test func goneBeforeTheResults() async throws {
    let (status, recorder) = try await search(milliseconds: nil)
    #expect(status == .success)
    let first = try #require(recorder.all.firstIndex { $0.isResult })
    let before = recorder.all[..<first].map(\.text).joined()
    #expect(before.contains("github  waiting\n"))
    // A row of the clones is there for as long as nobody has looked whether there are any.
    #expect(
      before.wholeMatch(of: /(github  [^\n]*\n((local)?  [^\n]*\n)*\u{1B}\[[0-9]+A\r\u{1B}\[J)+/)
        != nil)
    #expect(screen(before) == [])
    let after = recorder.all[first...].map(\.text).joined()
    #expect(!after.contains("\u{1B}"))
    #expect(screen(recorder.everything).first?.contains("REPOSITORY") == true)
  }

  @Test func nothingInAPipe() async throws {
    let (status, recorder) = try await search(milliseconds: 400, isTerminal: false)
    #expect(status == .success)
    #expect(recorder.messages == "")
  }

  /// A message that is written meanwhile stays, and nothing of the display stays around it.
  @Test func messagesStay() async throws {
    let (status, recorder) = try await search { home in
      ["XDG_CACHE_HOME": try home.directory.write("no-folder", "").path]
    }
    #expect(status == .success)
    let screen = screen(recorder.everything)
    #expect(screen.contains { $0.hasPrefix("forage: the cache ") })
    #expect(screen.contains { $0.contains("REPOSITORY") })
    #expect(!screen.contains { $0.contains("waiting") || $0.hasPrefix("local   ") })
  }

  @Test func verboseLinesStay() async throws {
    let (status, recorder) = try await search(["--verbose"])
    #expect(status == .success)
    let screen = screen(recorder.everything)
    #expect(screen.contains { $0.hasPrefix("forage: GET http://127.0.0.1:") })
    #expect(screen.contains { $0.contains("REPOSITORY") })
    #expect(!screen.contains { $0.contains("waiting") || $0.hasPrefix("local   ") })
  }

  /// The first request of a validation, which finds out whether the server can be reached, is a wait as well.
  @Test func aValidationShowsWhatItWaitsFor() async throws {
    let recorder = Recorder()
    let isShown = Mutex<Bool?>(nil)
    let noteWhatIsShown: @Sendable () -> Bool = {
      isShown.withLock { $0 = $0 ?? recorder.messages.contains("waiting for shop") }
      return true
    }
    try await withServer { _ in
      let isFirst = isShown.withLock { $0 == nil }
      return ScriptedResponse(
        isFirst
          ? [.delay(milliseconds: 1500), .wait(until: noteWhatIsShown), .closeConnection] : [.closeConnection]
      )
    } _: { server in
      try await withIsolatedHome { home in
        let manifest = try home.directory.writeShop("shop.yaml", at: "\(server.baseURL)/find")
        let process = ProcessEnvironment(environment: variables(home), output: recorder.output())
        _ = await Entry.run(["plugin", "validate", manifest.path], in: process)
      }
    }
    #expect(isShown.withLock { $0 } == true, "\(recorder.messages)")
  }
}
