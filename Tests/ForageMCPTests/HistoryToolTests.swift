import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageMCP

struct HistoryToolTests {
  private func withHistory(_ body: (Conversation, TemporaryRepository) async throws -> Void) async throws {
    let talk = try Conversation()
    let repository = try await TemporaryRepository.make()
    try await repository.commit("first thing", files: ["a.txt": "one\n", "b/größe.txt": "x\n"])
    for number in 1...30 {
      try await repository.commit(
        "change \(number)", files: ["a.txt": "one\n\(number)\n"], author: "Ann <ann@x>")
    }
    try await repository.git("branch side HEAD~5")
    try await repository.commit(
      "large", files: ["big.txt": (0..<900).map { "line \($0)\n" }.joined(), "b/größe.txt": "y\n"])
    try await talk.addClones(in: repository.path)
    try await body(talk, repository)
    _ = await talk.end()
  }

  /// The commits of a clone, narrowed by words, file and ref, page by page.
  @Test func log() async throws {
    try await withHistory { talk, repository in
      let place = JSONTree.string(repository.path)
      let all = await talk.answer("history", ["path": place, "limit": .integer(5)])
      let commits = try #require(all.content["commits"]?.array)
      #expect(!all.isError && commits.count == 5 && commits[0]["subject"] == .string("large"), "\(all)")
      #expect(commits[1]["author"] == .string("Ann") && commits[1]["sha"]?.string?.count == 40)
      let next = try #require(all.content["next"])
      let more = await talk.answer("history", ["path": place, "limit": .integer(5), "cursor": next], id: 2)
      #expect(more.content["commits"]?.array?.first?["subject"] == .string("change 26"), "\(more)")
      let some = await talk.answer(
        "history", ["path": place, "file": .string("b/größe.txt"), "query": .string("thing OR large")], id: 3)
      #expect(some.content["commits"]?.array?.count == 2, "\(some)")
      let side = await talk.answer(
        "history", ["path": place, "ref": .string("side"), "limit": .integer(1)], id: 4)
      #expect(side.content["commits"]?.array?.first?["subject"] == .string("change 25"))
      let wrong = await talk.answer("history", ["path": place, "ref": .string("nowhere")], id: 5)
      #expect(wrong.isError)
      let uncloned = await talk.answer("history", ["repo": .string("acme/uncloned")], id: 6)
      let hint = uncloned.content["error"]?["hint"]
      #expect(uncloned.isError && hint == .string("clone it first, or see the tool clones"), "\(uncloned)")
    }
  }

  /// A diff that is too long goes on at its next line, and is whole together.
  @Test func oneCommit() async throws {
    try await withHistory { talk, repository in
      let place = JSONTree.string(repository.path)
      var arguments: [String: JSONTree] = [
        "path": place, "commit": .string("HEAD"), "maxChars": .integer(4_000),
      ]
      var text = ""
      for round in 1...20 {
        let (content, isError) = await talk.answer("history", arguments, id: round)
        #expect(!isError && ResponseLimit.text(content).unicodeScalars.count <= 4_000)
        text += (text.isEmpty ? "" : "\n") + (content["diff"]?.string ?? "")
        #expect((content["message"] != nil) == (round == 1))
        guard let next = content["next"] else { break }
        arguments["cursor"] = next
      }
      let expected = try await repository.git([
        "-c", "core.quotePath=false", "diff", "--no-color", "-M", "HEAD~1", "HEAD",
      ])
      // libgit2 quotes names and shortens ids in its own way.
      func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("+") || $0.hasPrefix("-") || $0.hasPrefix("@@") }
      }
      #expect(
        lines(text).filter { !$0.contains("größe") && !$0.contains("\\303") }
          == lines(expected).filter { !$0.contains("größe") })
      let one = await talk.answer(
        "history", ["path": place, "commit": .string("HEAD"), "file": .string("b")], id: 30)
      #expect(one.content["diff"]?.string?.contains("big.txt") == false && one.content["next"] == nil)
      for (index, wrong) in [
        ["path": place, "commit": .string("nowhere")], ["path": .string("/etc"), "commit": .string("HEAD")],
        ["path": place, "commit": .string("HEAD"), "cursor": .string("x")],
        ["path": place, "commit": .string("HEAD"), "file": .string("../x")],
      ].enumerated() {
        #expect(await talk.answer("history", wrong, id: 40 + index).isError, "\(wrong)")
      }
    }
  }
}
