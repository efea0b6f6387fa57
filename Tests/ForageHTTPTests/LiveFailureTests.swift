import ForageHTTP
import TestSupport
import Testing

/// What goes wrong between two machines, and the code that it gets.
@Suite struct LiveFailureTests {
  @Test func nothingListens() async throws {
    let server = try await LoopbackServer.start { _ in .status(200) }
    await server.stop()
    try await withLive { live in
      let error = await failure(of: live, try request(server.baseURL))
      #expect(error?.code == .unreachable)
      #expect(error?.message.hasPrefix("127.0.0.1:\(server.port) ") == true)
    }
  }

  @Test func closedWithoutAByte() async throws {
    try await withServer(answering: .empty) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL))
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func droppedInTheHead() async throws {
    let half = ScriptedResponse([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .closeConnection])
    try await withServer(answering: half) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .connectionLost)
      }
    }
  }

  @Test(arguments: ["length", "chunked"])
  func droppedInTheBody(framing: String) async throws {
    let lengthHead = ScriptedResponse.head(status: 200, headers: [], length: 100)
    let chunkedHead = ScriptedResponse.head(
      status: 200, headers: [("Transfer-Encoding", "chunked")], length: nil)
    let answer =
      framing == "length" ? lengthHead + Array("half".utf8) : chunkedHead + Array("4\r\nhalf\r\n".utf8)
    try await withServer(answering: ScriptedResponse([.bytes(answer), .closeConnection])) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .connectionLost)
      }
    }
  }

  /// A stream that is cut is a connection that was lost, whatever the length of its body says.
  @Test(arguments: [11, 300, 700])
  func compressedBodyIsCut(at length: Int) async throws {
    let packed = Gzip.stored([UInt8](repeating: 7, count: 1000))
    let cut = ScriptedResponse.response(
      status: 200, headers: [("Content-Encoding", "gzip")], body: Array(packed.prefix(length)))
    try await withServer(answering: cut) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .connectionLost, "\(error?.message ?? "")")
      }
    }
  }

  @Test(arguments: ["br", "zstd", "compress, br", "gzip, gzip"])
  func encodingsThatWereNotAskedFor(_ encoding: String) async throws {
    let answer = ScriptedResponse.response(
      status: 200, headers: [("Content-Encoding", encoding)], body: [1, 2, 3])
    try await withServer(answering: answer) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .unknownEncoding)
        #expect(error?.message.contains("the encoding \(encoding), which was not asked for") == true)
      }
    }
  }

  /// Nothing to decode, or nothing that is encoded.
  @Test(arguments: [("br", ""), ("identity", "plain"), ("Identity", "plain")])
  func encodingsThatDoNotMatter(_ encoding: String, _ text: String) async throws {
    let answer = ScriptedResponse.response(
      status: 200, headers: [("Content-Encoding", encoding)], body: Array(text.utf8))
    try await withServer(answering: answer) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL))
        #expect(response.body == Array(text.utf8))
      }
    }
  }

  @Test func silenceEndsAtTheDeadline() async throws {
    try await withServer(answering: .hang) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL, within: .milliseconds(300)))
        #expect(error?.code == .timeout)
        #expect(error?.message.hasPrefix("127.0.0.1:\(server.port) ") == true)
        try await expectEventually { server.openConnections == 0 }
      }
    }
  }

  /// A body that comes byte by byte does not outlast the deadline: twelve seconds are offered, half a second
  /// is given.
  @Test func drippingEndsAtTheDeadline() async throws {
    let slow = ScriptedResponse.drip(String(repeating: "x", count: 240), everyMilliseconds: 50)
    try await withServer(answering: slow) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL, within: .milliseconds(500)))
        #expect(error?.code == .timeout)
        try await expectEventually { server.openConnections == 0 }
      }
    }
  }

  @Test func slowButInTimeIsFine() async throws {
    let slow = ScriptedResponse.drip("abc", everyMilliseconds: 50)
    try await withServer(answering: slow) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL))
        #expect(response.body == Array("abc".utf8))
      }
    }
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.7\r\n", "HTTP/1.1 abc Nonsense\r\n\r\n", "<html>no head</html>\r\n\r\n",
    "\u{16}\u{3}\u{1}binary\r\n\r\n",
  ])
  func notHTTP(text: String) async throws {
    let answer = ScriptedResponse([.bytes(Array(text.utf8)), .closeConnection])
    try await withServer(answering: answer) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
      }
    }
  }

  /// Cancelled before the head and in the middle of the body: the connection closes, nothing hangs.
  @Test(arguments: [true, false])
  func cancellationClosesTheConnection(hasHead: Bool) async throws {
    let head = ScriptedResponse.head(status: 200, headers: [], length: 1000) + Array("some".utf8)
    let answer = ScriptedResponse(hasHead ? [.bytes(head), .hang] : [.hang])
    try await withServer(answering: answer) { server in
      try await withLive { live in
        let sent = try request(server.baseURL)
        let task = Task { try await live.send(sent) }
        try await expectEventually { server.requests.count == 1 }
        // Time for the head to arrive; when it is late, the other case is tested twice.
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectEventually { server.openConnections == 0 }
      }
    }
  }

  @Test func cancelledBeforeItIsSent() async throws {
    try await withServer(answering: .hang) { server in
      try await withLive { live in
        let sent = try request(server.baseURL)
        let task = Task {
          try? await Task.sleep(for: .seconds(60))
          return try await live.send(sent)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// After a failure the transport goes on.
  @Test func failureLeavesTheTransportUsable() async throws {
    let handler: LoopbackServer.Handler = { $0.path == "/bad" ? .empty : .text("good") }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        for _ in 1...3 {
          let error = try await failure(of: live, request(server.baseURL + "/bad"))
          #expect(error?.code == .connectionLost)
          let response = try await live.send(request(server.baseURL + "/good"))
          #expect(response.body == Array("good".utf8))
        }
      }
    }
  }

  /// A connection that comes while the server stops is served by nobody, and is closed all the same.
  @Test func serverStopsWhileConnectionsCome() async throws {
    for round in 0..<40 {
      let server = try await LoopbackServer.start { _ in .text("good") }
      try await withLive { live in
        let sent = try request(server.baseURL)
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { _ = try? await live.send(sent) } }
          for _ in 0..<round { await Task.yield() }
          await server.stop()
        }
      }
    }
  }
}
