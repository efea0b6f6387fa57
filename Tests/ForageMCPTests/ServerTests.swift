import Dispatch
import ForageCore
import Synchronization
import Testing

@testable import ForageMCP

/// Messages, in both eras of the protocol.
struct ServerTests {
  private func code(_ response: JSONTree) -> Int? { response["error"]?["code"]?.integer }

  @Test func discoversWithoutInitialize() async throws {
    let talk = try Conversation()
    talk.request(1, "server/discover")
    let result = await talk.result(1)
    #expect(result["resultType"] == .string("complete"))
    #expect(result["supportedVersions"] == .array([.string("2026-07-28")]))
    #expect(result["cacheScope"]?.string == "public" && result["ttlMs"]?.integer != nil)
    #expect(result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == .string("forage"))
    _ = await talk.end()
  }

  @Test func needsMetadata() async throws {
    let talk = try Conversation()
    talk.send(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
    talk.send(
      #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
    )
    talk.send(
      #"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}"#
    )
    #expect(code(await talk.response(1)) == -32602)
    #expect(code(await talk.response(2)) == -32602)
    let unsupported = await talk.response(3)
    #expect(code(unsupported) == -32022)
    #expect(unsupported["error"]?["data"]?["supported"] == .array([.string("2026-07-28")]))
    #expect(unsupported["error"]?["data"]?["requested"] == .string("1900-01-01"))
    _ = await talk.end()
  }

  @Test(arguments: [
    ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
    ("2024-11-05", "2024-11-05"), ("2024-01-01", "2025-11-25"),
  ])
  func servesClientsThatInitialize(_ wanted: String, _ agreed: String) async throws {
    let talk = try Conversation()
    talk.send(
      #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(wanted)","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
    )
    talk.send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    talk.send(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
    talk.send(#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#)
    let hello = await talk.message { $0["id"] == .string("a") }
    #expect(hello["result"]?["protocolVersion"] == .string(agreed))
    #expect(await talk.result(2) == .object([:]))
    let list = await talk.result(3)
    #expect(list["tools"]?.array?.count == 8 && list["resultType"] == nil)
    _ = await talk.end()
  }

  @Test(arguments: [
    ("{", -32700), ("[]", -32600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600),
  ])
  func refusesOtherMessages(_ line: String, _ expected: Int) async throws {
    let talk = try Conversation()
    talk.send(line)
    let response = await talk.message { $0["error"] != nil }
    #expect(code(response) == expected)
    #expect((response["id"] == .null) == (expected == -32700))
    talk.request(9, "server/discover")
    #expect(await talk.result(9)["resultType"] != nil)
    _ = await talk.end()
  }

  /// What has no parameters or arguments may say so by `null`, or by nothing.
  @Test func takesNullForNothing() async throws {
    let talk = try Conversation()
    talk.send(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#)
    for (id, line) in [
      (2, #""method":"ping","params":null"#), (3, #""method":"tools/list","params":null"#),
      (4, #""method":"tools/call","params":{"name":"clones","arguments":null}"#),
      (5, #""method":"tools/call","params":{"name":"clones"}"#),
    ] {
      talk.send(#"{"jsonrpc":"2.0","id":\#(id),\#(line)}"#)
      #expect(await talk.response(id)["error"] == nil, "\(line)")
    }
    for id in [4, 5] { #expect(await talk.result(id)["isError"] == .bool(false)) }
    talk.send(#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"clones","arguments":[]}}"#)
    #expect(code(await talk.response(6)) == -32602)
    _ = await talk.end()
  }

  @Test func skipsAMessageThatIsTooLongAndReadsTheNext() async throws {
    let talk = try Conversation()
    talk.send(" \r")
    talk.send(String(repeating: "x", count: 6 << 20))
    talk.request(1, "server/discover")
    #expect(await talk.result(1)["resultType"] != nil)
    let all = await talk.end()
    #expect(all.map(code) == [-32600, nil] && all.first?["id"] == nil)
  }

  @Test func namesTheNearestToolAndMethod() async throws {
    let talk = try Conversation()
    talk.call(1, "serch")
    talk.request(2, "resources/list")
    let unknown = await talk.response(1)
    #expect(code(unknown) == -32602)
    #expect(unknown["error"]?["message"]?.string?.contains("did you mean search?") == true)
    #expect(code(await talk.response(2)) == -32601)
    _ = await talk.end()
  }

  /// The definitions cost an agent fewer than 6,800 characters, and their order is fixed.
  @Test func definesFewSmallTools() async throws {
    let talk = try Conversation()
    talk.request(1, "tools/list")
    let tools = await talk.result(1)["tools"]?.array ?? []
    #expect(
      tools.compactMap { $0["name"]?.string } == [
        "search", "search_code", "read", "inspect", "show", "clones", "history", "star",
      ])
    #expect(ResponseLimit.text(.array(tools)).count < 6_800)
    for tool in tools {
      #expect(tool["inputSchema"]?["additionalProperties"] == .bool(false))
      #expect(tool["outputSchema"]?["type"] == .string("object"))
      #expect(tool["outputSchema"]?["required"] == .array([.string("complete"), .string("providers")]))
      #expect(tool["annotations"]?["readOnlyHint"]?.bool == (tool["name"] != .string("star")))
      for hint in ["destructiveHint", "idempotentHint", "openWorldHint"] {
        #expect(tool["annotations"]?[hint]?.bool != nil)
      }
      #expect(tool["title"]?.string?.isEmpty == false)
    }
    _ = await talk.end()
  }

  /// A call that hangs delays no other one; a cancelled one is not answered.
  @Test func runsCallsAtTheSameTimeAndCancels() async throws {
    let started = AsyncStream<Void>.makeStream()
    let talk = try Conversation { request in
      guard request.query?.description.contains("hang") == true else { return SearchPage(items: []) }
      started.continuation.yield()
      try await Task.sleep(for: .seconds(3_600))
      return SearchPage(items: [])
    }
    talk.call(1, "search", ["query": .string("hang")])
    for await _ in started.stream { break }
    talk.call(2, "search", ["query": .string("x")])
    #expect(await talk.result(2)["isError"] == .bool(false))
    talk.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
    talk.call(3, "search", ["query": .string("x")])
    _ = await talk.result(3)
    let all = await talk.end()
    #expect(!all.contains { $0["id"] == .integer(1) })
  }

  /// A client that does not read holds up no call.
  @Test func worksWhileNobodyReads() async throws {
    let reading = DispatchSemaphore(value: 0)
    let started = AsyncStream<Void>.makeStream()
    let talk = try Conversation(reading: reading) { _ in
      started.continuation.yield()
      return SearchPage(items: [])
    }
    talk.request(1, "server/discover")
    talk.call(2, "search", ["query": .string("x"), "providers": .array([.string("shelf")])])
    for await _ in started.stream { break }
    for _ in 1...2 { reading.signal() }
    #expect(await talk.result(1)["resultType"] != nil)
    #expect(await talk.result(2)["isError"] == .bool(false))
    _ = await talk.end()
  }

  /// Messages are written in order, also when those who send them have to wait.
  @Test func keepsTheOrderOfMessages() async {
    let reading = DispatchSemaphore(value: 0)
    let written = Mutex<[UInt8]>([])
    let writer = MessageWriter { message in
      reading.wait()
      written.withLock { $0.append(message[0]) }
    }
    let message = [UInt8](repeating: 0, count: 1 << 20)
    for number in 0..<4 { await writer.send([UInt8(number)] + message.dropFirst()) }
    for number in 4..<20 {
      reading.signal()
      await writer.send([UInt8(number)] + message.dropFirst())
    }
    for _ in 0..<4 { reading.signal() }
    await writer.flush()
    #expect(written.withLock { $0 } == Array(0..<20))
  }

  /// Calls that wait for hosts hold up no work on clones.
  @Test func worksOnClonesWhileHostsAreSlow() async throws {
    let started = AsyncStream<Void>.makeStream()
    let talk = try Conversation { _ in
      started.continuation.yield()
      try await Task.sleep(for: .seconds(3_600))
      return SearchPage(items: [])
    }
    for id in 1...16 { talk.call(id, "search", ["query": .string("x\(id)")]) }
    var hanging = 0
    for await _ in started.stream {
      hanging += 1
      if hanging == 16 { break }
    }
    talk.call(17, "clones")
    #expect(await talk.result(17)["isError"] == .bool(false))
    for id in 1...16 {
      talk.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
    }
    _ = await talk.end()
  }

  /// More calls than run at a time are all answered; one that waits can be cancelled.
  @Test func runsFewCallsAtATime() async throws {
    let count = Mutex((now: 0, most: 0))
    let started = AsyncStream<Void>.makeStream()
    let talk = try Conversation { request in
      if request.query?.description.contains("hang") == true {
        started.continuation.yield()
        try await Task.sleep(for: .seconds(3_600))
      }
      count.withLock { count in
        count.now += 1
        count.most = max(count.most, count.now)
      }
      try await Task.sleep(for: .milliseconds(20))
      count.withLock { $0.now -= 1 }
      return SearchPage(items: [])
    }
    for id in 1...60 {
      talk.call(id, "search", ["query": .string("x\(id)"), "providers": .array([.string("shelf")])])
    }
    for id in 1...60 { #expect(await talk.result(id)["isError"] == .bool(false)) }
    let most = count.withLock { $0.most }
    #expect(most > 1 && most <= 16, "\(most) ran at the same time")
    for id in 101...116 { talk.call(id, "search", ["query": .string("hang\(id)")]) }
    var hanging = 0
    for await _ in started.stream {
      hanging += 1
      if hanging == 16 { break }
    }
    talk.call(117, "search", ["query": .string("y")])
    for id in [117] + Array(101...116) {
      talk.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
    }
    talk.call(118, "search", ["query": .string("z")])
    #expect(await talk.result(118)["isError"] == .bool(false))
    let all = await talk.end()
    #expect(!all.contains { (101...117).contains($0["id"]?.integer ?? 0) })
  }

  /// What only earlier revisions have is unknown in the stateless one.
  @Test(arguments: ["ping", "initialize"]) func hasNoHandshakeInTheStatelessRevision(_ method: String)
    async throws
  {
    let talk = try Conversation()
    talk.request(1, method, ["protocolVersion": .string("2025-11-25")])
    #expect(code(await talk.response(1)) == -32601)
    _ = await talk.end()
  }

  @Test func reportsProgressOfSlowCalls() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let talk = try Conversation { _ in
      for await _ in gate.stream { break }
      return SearchPage(items: [])
    }
    talk.call(1, "search", ["query": .string("x")], meta: ["progressToken": .string("t")])
    let report = await talk.message { $0["method"] == .string("notifications/progress") }
    #expect(report["params"]?["progressToken"] == .string("t"))
    #expect(report["params"]?["progress"]?.integer == 1)
    gate.continuation.yield()
    #expect(await talk.result(1)["isError"] == .bool(false))
    _ = await talk.end()
  }

  @Test func masksSecretsAndNeutralisesText() async throws {
    let talk = try Conversation(environment: ["GH_TOKEN": "s3cr3t-t0ken"]) { _ in
      SearchPage(items: [
        SearchResult(id: "shelf.example/a/b", kind: .repo, title: "s3cr3t-t0ken \u{1B}[31m\u{202E}red x")
      ])
    }
    talk.call(1, "search", ["query": .string("x")])
    let text = ResponseLimit.text(await talk.response(1))
    #expect(!text.contains("s3cr3t-t0ken"))
    #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    #expect(!text.contains("\\u001b") && text.contains("red"))
    _ = await talk.end()
  }
}
