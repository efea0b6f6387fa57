import ForageCore
import Testing

@testable import ForageMCP

struct ReadToolTests {
  private static let none: CommandRunner = { _ in CommandOutcome(status: 0, output: "{}", problems: []) }

  private func read(_ arguments: [String: JSONTree], _ content: FileContent) async -> (
    JSONTree, isError: Bool
  ) {
    let talk = Conversation(run: Self.none, read: { _ in content })
    talk.call(1, "read", arguments.merging(["path": .string("/src/r")]) { given, _ in given })
    let result = await talk.result(1)
    _ = await talk.end()
    return (result["structuredContent"] ?? .null, result["isError"] == .bool(true))
  }

  @Test(arguments: [
    "../x", "/etc/passwd", "a/../../b", ".git/config", "a/.GIT/config", ".git./x", "git~1/x", "a\0b",
    ".g\u{200B}it/x",
  ])
  func refusesPathsThatLeaveTheRepository(_ path: String) async {
    let (content, isError) = await read(["file": .string(path)], .text("secret"))
    #expect(isError && content["text"] == nil)
  }

  @Test(arguments: [("a//b/./c", "a/b/c"), (".", "."), ("", "."), ("a/.gitignore", "a/.gitignore")])
  func normalisesPaths(_ path: String, _ expected: String) throws {
    #expect(try ReadTool.checked(path) == expected)
  }

  @Test func readsLinesAndContinues() async {
    let text = (1...1_000).map { "line \($0)\r" }.joined(separator: "\n") + "\n"
    let (first, _) = await read(["file": .string("a")], .text(text))
    #expect(first["totalLines"] == .integer(1_000))
    #expect(first["range"] == .object(["start": .integer(1), "end": .integer(400)]))
    #expect(first["next"] == .integer(401))
    let (part, _) = await read(
      ["file": .string("a"), "start": .integer(999), "end": .integer(1_000)], .text(text))
    #expect(part["text"] == .string("line 999\nline 1000") && part["next"] == nil)
    let (beyond, isError) = await read(["file": .string("a"), "start": .integer(1_001)], .text(text))
    #expect(isError && beyond["error"]?["hint"] == .string("it has 1000 lines"))
  }

  @Test func cutsLongAnswers() async {
    let text = (1...300).map { _ in String(repeating: "x", count: 100) }.joined(separator: "\n")
    let (content, _) = await read(["file": .string("a"), "maxChars": .integer(2_000)], .text(text))
    #expect(AnswerLimit.text(content).count <= 2_000 && content["truncated"] == .bool(true))
    let end = content["range"]?["end"]?.integer ?? 0
    #expect(end > 5 && content["next"] == .integer(end + 1))
  }

  @Test func listsFoldersAndEmptyFiles() async {
    let (folder, _) = await read(["file": .string(".")], .folder(["a/", "b"]))
    #expect(folder["entries"] == .array([.string("a/"), .string("b")]))
    let (empty, isError) = await read(["file": .string("a")], .text(""))
    #expect(!isError && empty["totalLines"] == .integer(0) && empty["text"] == .string(""))
  }
}
