import Forage
import ForageCore
import TestSupport
import Testing

@testable import ForageMCP

struct ReadToolTests {
  private func read(_ arguments: [String: JSONTree], _ file: RepositoryFile) throws(ToolFailure) -> JSONTree {
    let checked = try ToolArguments(.object(arguments), ReadTool.read.parameters + [.maxChars])
    return NeutralText.neutral(try ReadTool.answer(file, checked))
  }

  @Test(arguments: [
    "../x", "/etc/passwd", "a/../../b", ".git/config", "a/.GIT/config", ".git./x", "git~1/x", "a\0b",
    ".g\u{200B}it/x",
  ])
  func refusesPathsThatLeaveTheRepository(_ path: String) async throws {
    #expect(throws: ToolFailure.self) { try ReadTool.checked(path) }
    let talk = try Conversation()
    let repository = try await TemporaryRepository.make()
    try repository.write("a", "secret")
    try await talk.addClones(in: repository.path)
    let place = JSONTree.string(repository.path)
    let read = await talk.answer("read", ["path": place, "file": .string("a")])
    #expect(!read.isError && read.content["text"] == .string("secret"))
    let (content, isError) = await talk.answer("read", ["path": place, "file": .string(path)], id: 2)
    #expect(isError && content["text"] == nil)
    _ = await talk.end()
  }

  @Test(arguments: [("a//b/./c", "a/b/c"), (".", "."), ("", "."), ("a/.gitignore", "a/.gitignore")])
  func normalisesPaths(_ path: String, _ expected: String) throws {
    #expect(try ReadTool.checked(path) == expected)
  }

  @Test func readsLinesAndContinues() throws {
    let text = (1...1_000).map { "line \($0)\r" }.joined(separator: "\n") + "\n"
    let first = try read(["file": .string("a")], .text(text))
    #expect(first["totalLines"] == .integer(1_000))
    #expect(first["range"] == .object(["start": .integer(1), "end": .integer(400)]))
    #expect(first["next"] == .integer(401))
    let part = try read(
      ["file": .string("a"), "start": .integer(999), "end": .integer(1_000)], .text(text))
    #expect(part["text"] == .string("line 999\nline 1000") && part["next"] == nil)
    let beyond = #expect(throws: ToolFailure.self) {
      try read(["file": .string("a"), "start": .integer(1_001)], .text(text))
    }
    #expect(beyond?.hint == "it has 1000 lines")
  }

  @Test func cutsLongAnswers() throws {
    let text = (1...300).map { _ in String(repeating: "x", count: 100) }.joined(separator: "\n")
    let content = try read(["file": .string("a"), "maxChars": .integer(2_000)], .text(text))
    #expect(AnswerLimit.text(content).count <= 2_000 && content["truncated"] == .bool(true))
    let end = content["range"]?["end"]?.integer ?? 0
    #expect(end > 5 && content["next"] == .integer(end + 1))
  }

  @Test func listsFoldersAndEmptyFiles() throws {
    let folder = try read(["file": .string(".")], .folder(["a/", "b"]))
    #expect(folder["entries"] == .array([.string("a/"), .string("b")]))
    let empty = try read(["file": .string("a")], .text(""))
    #expect(empty["totalLines"] == .integer(0) && empty["text"] == .string(""))
  }
}
