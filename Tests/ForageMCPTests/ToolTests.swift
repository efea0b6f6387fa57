import ForageCore
import Synchronization
import Testing

@testable import ForageMCP

/// What tools ask, and how their answers are cut.
struct ToolTests {
  /// Runs calls of a tool against a command that prints a document.
  private func answer(
    _ tool: String, _ arguments: [String: JSONTree], status: Int32 = 0, output: String = "{}",
    problems: [(String, String)] = []
  ) async -> (content: JSONTree, isError: Bool, commands: [[String]]) {
    let commands = Mutex<[[String]]>([])
    let talk = Conversation { command in
      commands.withLock { $0.append(command) }
      return CommandOutcome(
        status: status, output: output, problems: problems.map { (message: $0.0, hint: $0.1) })
    }
    talk.call(1, tool, arguments)
    let result = await talk.result(1)
    _ = await talk.end()
    #expect(
      result["content"]?.array?.first?["text"]?.string
        == AnswerLimit.text(result["structuredContent"] ?? .null))
    return (result["structuredContent"] ?? .null, result["isError"]?.bool ?? false, commands.withLock { $0 })
  }

  @Test func searchAsksTheCommandLine() async {
    let (_, _, commands) = await answer(
      "search",
      [
        "query": .string("-x stars:>5"), "kinds": .array([.string("repo"), .string("user")]),
        "sort": .string("stars"),
        "order": .string("asc"), "favorites": .bool(true), "offline": .bool(true),
        "cursor": .string("f1.a.1"),
      ])
    #expect(
      commands == [
        [
          "search", "--kind=repo", "--kind=user", "--sort=stars", "--order=asc", "--favorites", "--offline",
          "--format=json", "--limit=10", "--after=f1.a.1", "--", "-x stars:>5",
        ]
      ])
  }

  @Test(arguments: [
    (["pattern": JSONTree.string("a \"b\\")], #""a \"b\\""#),
    (["pattern": .string("a/b\\/c"), "mode": .string("regex")], #"/a\/b\/c/"#),
    (
      ["pattern": .string("x"), "repo": .string("o/r"), "path": .string("a b"), "case": .bool(true)],
      #""x" repo:"o/r" path:"a b" case:yes"#
    ),
  ])
  func codeQueries(_ arguments: [String: JSONTree], _ expected: String) async {
    let (_, _, commands) = await answer("search_code", arguments)
    #expect(commands.first?.last == expected)
  }

  @Test(arguments: [
    (["query": JSONTree.string("x"), "limmit": .integer(3)], "did you mean \"limit\"?"),
    (["query": .string("x"), "limit": .integer(0)], "it is a whole number from 1 to 100"),
    (["query": .string("x"), "order": .string("desk")], "did you mean \"desc\"?"),
    (["query": .integer(1)], "it is a string"), ([:], "it is a string"),
    (["query": .string(String(repeating: "x", count: 1 << 20))], "use a shorter text"),
  ])
  func refusesWrongArguments(_ arguments: [String: JSONTree], _ hint: String) async {
    let (content, isError, commands) = await answer("search", arguments)
    #expect(isError && content["error"]?["hint"]?.string == hint)
    #expect(commands.isEmpty)
  }

  /// A list that is too long ends between items, with the cursor of the shorter page.
  @Test func cutsListsBetweenItems() async throws {
    let commands = Mutex<[[String]]>([])
    let talk = Conversation { command in
      commands.withLock { $0.append(command) }
      let limit = command.compactMap { $0.hasPrefix("--limit=") ? Int($0.dropFirst(8)) : nil }.first ?? 0
      let items = (0..<limit).map { #"{"id":"\#($0)","title":"\#(String(repeating: "t", count: 90))"}"# }
      return CommandOutcome(
        status: 0,
        output: #"{"complete":true,"next":"f1.s.\#(limit)","items":[\#(items.joined(separator: ","))]}"#,
        problems: [])
    }
    talk.call(1, "search", ["query": .string("x"), "limit": .integer(100), "maxChars": .integer(2_000)])
    let content = try #require(await talk.result(1)["structuredContent"])
    let items = content["items"]?.array ?? []
    #expect(AnswerLimit.text(content).count <= 2_000)
    #expect(items.count > 5 && items.count < 100)
    #expect(content["truncated"] == .bool(true))
    #expect(content["next"] == .string("f1.s.\(items.count)"))
    _ = await talk.end()
  }

  @Test func shortensOneLargeItem() async {
    let text = String(repeating: "é", count: 50_000)
    let (content, isError, _) = await answer(
      "show", ["id": .string("a/b")], output: #"{"schema":1,"item":{"id":"a/b","readme":"\#(text)"}}"#)
    #expect(!isError && content["truncated"] == .bool(true))
    #expect(content["item"]?["id"] == .string("a/b"))
    #expect(AnswerLimit.text(content).unicodeScalars.count <= 8_000)
  }

  @Test func failsOnlyWhenNothingCouldBeAnswered() async {
    let document =
      #"{"complete":false,"providers":[{"id":"github","state":"failed","error":{"message":"no"}}],"items":[]}"#
    let failed = await answer(
      "search", ["query": .string("x")], status: 4, output: document, problems: [("github: no", "wait")])
    #expect(failed.isError && failed.content["error"]?["hint"] == .string("wait"))
    #expect(failed.content["providers"]?.array?.first?["error"] == .string("no"))
    let none = await answer(
      "search", ["query": .string("x")], status: 1, output: #"{"complete":true,"items":[]}"#)
    #expect(!none.isError && none.content["items"] == .array([]) && none.content["complete"] == .bool(true))
    let partial = await answer("search", ["query": .string("x")], status: 3, output: document)
    #expect(!partial.isError && partial.content["complete"] == .bool(false))
  }

  @Test func starsOnlyWhatIsNamed() async {
    let (content, isError, commands) = await answer("star", ["repo": .string("o/r"), "on": .bool(false)])
    #expect(!isError && content["starred"] == .bool(false) && commands == [["unstar", "--", "o/r"]])
  }

  @Test func listsClonesByPages() async {
    let clones = (0..<200).map {
      #"{"id":"github.com/o/r\#($0)","path":"/src/r\#($0)","upstream":{"ahead":1,"behind":0},"status":{"staged":1,"untracked":2}}"#
    }
    let output = #"{"schema":1,"clones":[\#(clones.joined(separator: ","))]}"#
    var cursor: String?
    var paths: [String] = []
    repeat {
      let arguments: [String: JSONTree] = cursor.map { ["cursor": .string($0)] } ?? [:]
      let (content, isError, _) = await answer("clones", arguments, output: output)
      #expect(!isError && AnswerLimit.text(content).count <= 8_000)
      let page = content["clones"]?.array ?? []
      #expect(page.first?["changes"] == .integer(3) && page.first?["ahead"] == .integer(1))
      paths += page.compactMap { $0["path"]?.string }
      cursor = content["next"]?.string
    } while cursor != nil
    #expect(paths == (0..<200).map { "/src/r\($0)" })
  }
}
