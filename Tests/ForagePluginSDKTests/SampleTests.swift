import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

/// A plugin on the SDK as a host sees it: a process with pipes.
struct SampleTests {
  @Test func itGreetsFirst() async throws {
    let talk = try await Conversation.hold([Conversation.search(1, ["a"])])
    #expect(talk.result.status == 0)
    let hello = try #require(talk.messages.first?["result"])
    #expect(hello == .object(["protocol": .integer(1), "version": .string("1.2.3")]))
    #expect(talk.answer(1)?["result"]?["count"] == .integer(1))
  }

  /// The program prints for its `plugin.json` what it declares, and nothing else.
  @Test func itDeclaresWhatItCan() async throws {
    let result = try await ProcessRunner.run(samplePluginBinary, ["--declare"], environment: [:])
    #expect(result.status == 0 && result.err.contains("stray words"))
    let repo = #"""
      {"text": "exact", "qualifiers": {"language": "exact", "stars": "inexact",
       "rating": {"push": "exact", "type": "number", "field": "rating"}}, "fields": ["description", "rating", "stars"],
       "sorts": ["stars"], "maxPage": 100, "feed": true, "details": true}
      """#
    let expected = #"{"concurrency": 4, "kinds": {"repo": \#(repo)}}"#
    #expect(try JSONTree(parsing: result.stdout) == JSONTree(parsing: expected.utf8), "\(result.out)")
  }

  @Test func whatOtherCodePrintsIsTheLog() async throws {
    let talk = try await Conversation.hold([Conversation.search(1, ["input"])])
    #expect(talk.messages.allSatisfy { $0["jsonrpc"]?.string == "2.0" })
    #expect(talk.result.err.contains("stray words on standard output"))
    #expect(talk.result.err.contains("stray words in a search"))
    // Standard input is not the plugin's either.
    #expect(talk.items(1).first?["title"]?.string == "nothing to read")
  }

  @Test func theQueryArrivesTyped() async throws {
    let filters =
      #"[{"field":"language","op":"eq","value":"c++"},{"field":"stars","op":"range","value":[1,5]},{"field":"rating","op":"gt","value":3,"negated":true},{"field":"text","op":"eq","value":"b c","negated":true}]"#
    let talk = try await Conversation.hold([Conversation.search(7, ["a"], filters: filters)], waitingFor: 7)
    let item = try #require(talk.items(7).first)
    #expect(item["title"]?.string == #"a language:c++ stars:1..5 -rating:>3 NOT "b c""#)
    #expect(item["id"]?.string == "0")
    let answer = talk.answer(7)?["result"]
    #expect(answer?["next"]?.string == "1" && answer?["total"] == nil)
  }

  /// A condition that the provider leaves is applied for it; the total is then not known.
  @Test(arguments: [(3, true), (4, false)])
  func theRestOfAQueryIsApplied(_ stars: Int, _ isFound: Bool) async throws {
    let filters = #"[{"field":"stars","op":"ge","value":\#(stars)}]"#
    let talk = try await Conversation.hold(
      [
        Conversation.search(1, ["a"], filters: filters), Conversation.search(2, ["a"]),
      ], waitingFor: 2)
    #expect(talk.items(1).isEmpty != isFound)
    #expect(talk.answer(1)?["result"]?["next"] != nil && talk.answer(1)?["result"]?["total"] == nil)
    #expect(talk.answer(2)?["result"]?["total"]?["value"] == .integer(3))
  }

  @Test func anUnknownFilterIsRefused() async throws {
    let filters = #"[{"field":"stars","op":"new","value":1}]"#
    let talk = try await Conversation.hold([Conversation.search(1, ["a"], filters: filters)])
    #expect(talk.answer(1)?["error"]?["code"] == .integer(1005))
  }

  @Test func cursorsOutliveTheProcess() async throws {
    var (cursor, seen): (String?, [String]) = ("null", [])
    while let place = cursor, seen.count < 10 {
      let talk = try await Conversation.hold([Conversation.search(1, ["a"], cursor: place)])
      seen += talk.items(1).compactMap { $0["id"]?.string }
      cursor = talk.answer(1)?["result"]?["next"]?.string.map { "\"\($0)\"" }
    }
    #expect(seen == ["0", "1", "2"])
  }

  @Test(arguments: [
    ("broken", 1, "it broke off"), ("huge", 2, #"item 1 ("sample:1")"#),
    ("many", 50, "51 items"),
  ])
  func whatIsTooMuchIsAnErrorBehindTheRest(_ word: String, _ count: Int, _ message: String) async throws {
    let talk = try await Conversation.hold([Conversation.search(1, [word], limit: 50)])
    #expect(talk.items(1).count == count)
    let error = talk.answer(1)?["error"]
    #expect(error?["message"]?.string?.contains(message) == true)
  }

  @Test func errorsKeepTheirCauses() async throws {
    let talk = try await Conversation.hold([Conversation.search(1, ["fail"])])
    let error = talk.answer(1)?["error"]
    #expect(error?["code"] == .integer(1003))
    #expect(error?["message"]?.string == "slow down")
    #expect(error?["data"]?["retryAfterMs"] == .integer(500))
  }

  @Test(arguments: ["sleep", "stubborn"])
  func aCancelledRequestIsAnsweredOnce(_ word: String) async throws {
    let talk = try await Conversation.hold(
      [
        Conversation.search(1, [word]), #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":99}}"#, Conversation.search(2, ["a"]),
      ], waitingFor: 2)
    #expect(talk.messages.count { $0["id"] == .integer(1) } == 1)
    #expect(talk.answer(1)?["error"]?["code"] == .integer(1001))
    #expect(talk.answer(2)?["result"] != nil)
  }

  @Test(arguments: ["sleep", "stubborn"])
  func theDeadlineIsAnswered(_ word: String) async throws {
    let talk = try await Conversation.hold([Conversation.search(1, [word], deadline: 50)])
    #expect(talk.answer(1)?["error"]?["code"] == .integer(1007))
  }

  @Test(arguments: ["sleep", "stubborn"])
  func itExitsAtTheEndOfInput(_ word: String) async throws {
    let talk = try await Conversation.hold([Conversation.search(1, [word])], waitingFor: nil)
    #expect(talk.result.status == 0)
    #expect(!talk.result.timedOut)
    #expect(talk.answer(1)?["error"]?["code"] == .integer(1001))
  }

  @Test func feedAndDetailsAreServed() async throws {
    let talk = try await Conversation.hold(
      [
        #"{"jsonrpc":"2.0","id":1,"method":"feed","params":{"provider":"sample","kind":"repo","text":[],"filters":[],"limit":5,"cursor":null,"deadlineMs":9000}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"details","params":{"provider":"sample","kind":"repo","id":"sample.example/o/n","deadlineMs":9000}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"details","params":{"provider":"sample","kind":"repo","id":"other.example/o/n","deadlineMs":9000}}"#,
      ], config: #"{"greeting":"hello"}"#, waitingFor: 3)
    #expect(talk.items(1).first?["title"]?.string == "hello")
    #expect(talk.items(2).first?["id"]?.string == "sample.example/o/n")
    #expect(talk.answer(3)?["result"]?["count"] == .integer(0))
  }

  @Test(arguments: [
    ("junk", -32_700), ("[]", -32_600), (#"{"jsonrpc":"2.0","id":5,"method":"dance","params":{}}"#, -32_601),
    (#"{"jsonrpc":"2.0","id":5,"method":"search","params":{}}"#, -32_602),
    (
      #"{"jsonrpc":"2.0","id":5,"method":"search","params":{"provider":"no","kind":"repo","text":[],"filters":[],"limit":5,"deadlineMs":9000}}"#,
      -32_602
    ),
    (
      #"{"jsonrpc":"2.0","id":5,"method":"search","params":{"provider":"sample","kind":"no","text":[],"filters":[],"limit":5,"deadlineMs":9000}}"#,
      1005
    ),
    (#"{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocol":1}}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":5}"#, -32_600), ("", -32_700),
  ])
  func whatIsNoRequestIsRefused(_ line: String, _ code: Int) async throws {
    let talk = try await Conversation.hold([line, Conversation.search(1, ["a"])])
    #expect(talk.messages.contains { $0["error"]?["code"] == .integer(code) }, "\(talk.messages)")
    #expect(talk.answer(1)?["result"] != nil)
  }

  @Test func nothingIsAnsweredBeforeTheGreeting() async throws {
    let talk = try await Conversation.hold([Conversation.search(1, ["a"])], isGreeted: false)
    #expect(talk.answer(1)?["error"]?["code"] == .integer(-32_600))
  }

  @Test func wrongSettingsAreTold() async throws {
    let talk = try await Conversation.hold([Conversation.search(1, ["a"])], config: #"{"wrong":"odd"}"#)
    #expect(talk.answer(0)?["error"]?["code"] == .integer(1008))
    #expect(talk.answer(0)?["error"]?["message"]?.string == "wrong is odd")
    #expect(talk.answer(1)?["error"]?["code"] == .integer(1008))
  }

  @Test func anotherVersionIsRefused() async throws {
    let line = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":2}}"#
    let talk = try await Conversation.hold([line], isGreeted: false, waitingFor: 0)
    #expect(talk.answer(0)?["error"]?["code"] == .integer(1005))
  }

  @Test func anEndlessLineEndsIt() async throws {
    let talk = try await Conversation.hold([String(repeating: "a", count: 32 << 20)], waitingFor: nil)
    #expect(talk.result.status == 0)
    // The greeting may be answered behind it.
    #expect(talk.messages.contains { $0["error"]?["code"] == .integer(-32_600) }, "\(talk.messages)")
  }
}
