import ArgumentParser
import Forage
import ForageBrowse
import Foundation
import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageCore

/// What `forage browse` takes from the rest of the command line.
struct BrowseCommandTests {
  @Test func options() throws {
    let command = try BrowseCommand.parse([
      "http", "client", "-p", "github,local", "-k", "issue", "-L50", "--sort", "stars", "--order", "asc",
      "--favorites", "--offline", "--plugin", "x.yaml", "--max-requests", "9", "--plain",
    ])
    #expect(command.query == ["http", "client"] && command.providers.provider == ["github,local"])
    #expect(command.providers.kind == ["issue"] && command.limit == "50" && command.sort == "stars")
    #expect(command.order == "asc" && command.favorites && command.offline && command.plain)
    #expect(command.plugins.plugin == ["x.yaml"] && command.maxRequests == "9")
  }

  /// As for a search.
  @Test func pullRequestsBesideOtherKinds() async throws {
    let outcome = try await forage(["browse", "--plain", "-k", "pr,repo", "x"])
    #expect(outcome.status == .usage && outcome.err.contains("pr cannot be combined with repo"))
  }

  /// A condition that begins with a minus is part of the query.
  @Test func negatedQualifiers() {
    #expect(ProgramArguments(["browse", "-language:swift"]).prepared == ["browse", " -language:swift"])
  }

  @Test func problemsInMessages() {
    let text = "forage: one\nhint: do this\nforage: two\nloose\n"
    #expect(
      BrowseProblem.read(text) == [
        BrowseProblem("one", hint: "do this"), BrowseProblem("two"), BrowseProblem("loose"),
      ])
    #expect(BrowseProblem.read("") == [])
  }

  @Test func errors() {
    let problem = BrowseProblem("what", hint: "do")
    #expect(BrowseProblem(problem) == problem)
    #expect(BrowseProblem(ForageError("what", hint: "do")) == problem)
    #expect(BrowseProblem(SearchError(.timeout, "what", hint: "do")) == problem)
    let slip = QueryError(message: "what", hint: "do", query: "(", range: 0..<1)
    #expect(BrowseProblem(slip) == BrowseProblem("what", hint: "do", isInQuery: true))
    // The screens have no --timeout.
    let limit = SearchError(.rateLimited, "what", hint: "do", retryAfterMilliseconds: 20_000)
    #expect(limit.advice.contains("--timeout") && BrowseProblem(limit) == problem)
    #expect(SearchError(.incompleteSearch, "what").advice == SearchError(.timeout, "what").advice)
    for code in [SearchError.Code.timeout, .invalidCursor, .cancelled, .incompleteSearch] {
      let hint = BrowseProblem(SearchError(code, "what")).hint
      #expect(!hint.isEmpty && !hint.contains("--timeout"), "\(hint)")
    }
  }

  /// The screens have keys for the kind and the providers.
  @Test(arguments: [
    (
      "leave it out, or use -k issue,code",
      "leave it out, or choose another kind with Tab"
    ),
    ("check it" + SearchRendering.onlyClones, "check it"),
    (
      "change the query, or choose other providers with --provider",
      "change the query, or choose other providers"
    ),
  ])
  func hints(_ hint: String, _ expected: String) { #expect(BrowseList.keyed(hint) == expected) }

  /// Messages are part of the screen where they would go to its terminal, and written at once where they go
  /// elsewhere.
  @Test(arguments: [true, false]) func messages(_ isTerminal: Bool) {
    let (queue, messages, capture) = (BrowseScreen.Queue(), CollectedText(), Capture())
    var output = capture.output(columns: 80)
    output.isMessageTerminal = isTerminal
    let receive = BrowseScreen.receiver(output, isTracing: false, queue, messages)
    receive("forage: what\nhint: do\n")
    #expect(queue.take().count == (isTerminal ? 1 : 0))
    #expect(capture.messages == (isTerminal ? "" : "forage: what\nhint: do\n"))
  }

  /// A semicolon at the end of an argument ends a command of tmux.
  @Test func copyingWithTmux() {
    for (address, word) in [("https://x/a;b", "https://x/a;b"), ("https://x/a;", "https://x/a\\;")] {
      #expect(BrowseScreen.tmuxCommand(copying: address) == ["tmux", "set-buffer", "-w", "--", word])
    }
  }

  private func services(_ output: Output) throws -> BrowseServices {
    let home = try IsolatedHome()
    let context = try Context(
      ProcessEnvironment(environment: variables(home), output: output), output: output)
    return try BrowseServices(BrowseOptions(query: ""), context)
  }

  private static let item: MergedItem = {
    var result = SearchResult(
      id: "github.com/a/b", kind: .repo, title: "a/b", url: "https://github.com/a/b")
    result.set(.description, "It is \u{1B}[31mred")
    result.set(.language, "Swift")
    result.set(.stars, 8149)
    result.set(.favorite, true)
    result.set(.path, "/src/b")
    result[.languages] = .items([
      .record(["name": .text("Swift"), "share": .fraction(0.75)]),
      .record(["name": .text("C"), "share": .fraction(0.25)]),
    ])
    return MergedItem(result)
  }()

  /// The columns are those of a search; the marks follow the stars.
  @Test func rows() throws {
    let services = try services(Capture().output(columns: 80))
    let rows = BrowseRows([Self.item], kinds: [.repo], ShownOrder(), services)
    let item = try #require(rows.items.first)
    #expect(item.key == "repo github.com/a/b" && item.isFavorite && !item.isStarred && item.isRepository)
    #expect(item.clone == "/src/b" && item.cells.first == "a/b" && rows.columns.count == item.cells.count)
    let stars = try #require(rows.columns.firstIndex { $0.hasMarks })
    #expect(item.cells[stars] == "8.1k" && rows.columns.count { $0.hasMarks } == 1)
    let other = BrowseRows([Self.item], kinds: [.repo, .issue], ShownOrder(), services)
    #expect(other.columns.first?.hasMarks == true || other.columns.contains { $0.hasMarks })
  }

  /// The list has no headings: numbers say what they count. Facts of a clone name its folder.
  @Test func numbersAndFolders() throws {
    let services = try services(Capture().output(columns: 80))
    func cells(_ comments: Int) -> [String] {
      var issue = SearchResult(id: "github.com/a/b#\(comments)", kind: .issue, title: "It breaks")
      issue.set(.comments, comments)
      return BrowseRows([MergedItem(issue)], kinds: [.issue], ShownOrder(), services).items[0].cells
    }
    #expect(cells(2).contains("2 comments") && cells(1).contains("1 comment"))
    var clone = SearchResult(id: "/src/b", kind: .repo, title: "b")
    clone.set(.path, "/src/b")
    let text = BrowseText(EntityRecord(item: clone), services.context).rows(60).map(\.text)
    #expect(text.contains { $0.hasSuffix("  /src/b") }, "\(text)")
  }

  /// The facts of the clone of an issue's repository.
  @Test func factsOfAnIssue() async throws {
    let folder = try TemporaryDirectory()
    let repository = try await TemporaryRepository.make("b", in: folder)
    try await repository.commit("first", files: ["a": "a"])
    let actions = BrowseActions(services: try services(Capture().output(columns: 80)))
    var place = SearchResult(id: "local:a", kind: .code, title: "a")
    place.set(.file, repository.path + "/a")
    let facts = try await actions.facts(place, path: nil)
    #expect(facts.rows(60).contains { $0.text.contains("main at ") })
    await #expect(throws: BrowseProblem("there is no clone of a/b")) {
      try await actions.facts(
        SearchResult(id: "github.com/a/b#1", kind: .issue, title: "It breaks"), path: nil)
    }
  }

  /// A file in a clone is shown from there, with the commit of the clone, whatever a forge has.
  @Test func aFileOfAClone() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("größe.c", "int a;\nint größe;\n")
    var file = SearchResult(
      id: "github.com/a/b/blob/1111/größe.c", kind: .code, title: "größe.c",
      url: "https://github.com/a/b/blob/1111/gr%C3%B6%C3%9Fe.c")
    for (field, text) in [
      (ResultField.path, "größe.c"), (.ref, "1111"), (.commit, "2222"), (.file, folder.path("größe.c")),
    ] {
      file.set(field, text)
    }
    file[.matches] = .items([.record(["line": .number(2), "text": .text("int größe;")])])
    let actions = BrowseActions(services: try services(Capture().output(columns: 80)))
    let details = try await actions.details(file, ["github", "local"], isRefresh: false)
    let lines = details.text.rows(60).map(\.text)
    #expect(lines.contains { $0.hasSuffix("int a;") } && lines.contains { $0.hasSuffix("2222") }, "\(lines)")
    #expect(details.problems.isEmpty && !lines.contains { $0.contains("1111") })
  }

  /// Every frame looks at the whole of what the rows have, so that they have no texts without end.
  @Test func longTexts() throws {
    let services = try services(Capture().output(columns: 80))
    for piece in ["a", "漢", "e\u{301}", "\u{301}", "👩‍👧"] {
      var item = Self.item
      item.result.set(.description, "begin " + String(repeating: piece, count: 100_000) + " end")
      let cells = try #require(BrowseRows([item], kinds: [.repo], ShownOrder(), services).items.first).cells
      let long = try #require(cells.first { $0.hasPrefix("begin") })
      #expect(long.hasSuffix(" end") && cells.allSatisfy { $0.unicodeScalars.count <= 2049 })
    }
  }

  /// Who found results stays longer than all but the description where there are several providers.
  @Test func whereResultsCameFrom() throws {
    let services = try services(Capture().output(columns: 80))
    var other = Self.item
    other.sources = ["github", "local"].map { MergedItem.Source(provider: $0, rank: 1, contribution: 0) }
    func dropOrder(_ item: MergedItem) throws -> Int {
      let rows = BrowseRows([item], kinds: [.repo], ShownOrder(), services)
      let place = try #require(rows.columns.firstIndex { $0.maximum == 16 && $0.style == .source })
      return rows.columns[place].dropOrder
    }
    #expect(try dropOrder(Self.item) == 5)
    #expect(try dropOrder(other) == 2)
  }

  /// The details are the page of `show`, and nothing of it controls the terminal.
  @Test func details() throws {
    let services = try services(Capture().output(columns: 80))
    let record = EntityRecord(item: Self.item.result)
    let rows = BrowseText(record, services.context).rows(60)
    #expect(rows.first?.text == "a/b" && rows.allSatisfy { $0.width <= 60 })
    let text = rows.map(\.text).joined(separator: "\n")
    #expect(text.contains("8.1k stars") && text.contains("\u{241B}[31mred") && !text.contains("\u{1B}"))
    #expect(rows.contains { $0.text.hasPrefix("  Languages") })
    // The screens draw the marks themselves.
    var plain = BrowseText(record, services.context, isDrawn: false).rows(60).map(\.text)
    let marks = try #require(plain.firstIndex { $0.contains("favorite") })
    plain.remove(at: marks)
    #expect(plain == rows.map(\.text))
  }
}
