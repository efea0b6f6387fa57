import ForageHTTP
import ForageHTTPLive
import TestSupport
import Testing

/// Connections: how they are opened, kept, shared and closed, in each version of HTTP.
@Suite struct LiveConnectionTests {
  @Test func eachNameOfThisMachine() async throws {
    try await withServer(answering: .text("good")) { server in
      try await withLive { live in
        for host in ["127.0.0.1", "localhost", "a.localhost", "LOCALHOST"] {
          let response = try await live.send(request("http://\(host):\(server.port)/"))
          #expect(response.body == Array("good".utf8), "\(host)")
        }
      }
    }
  }

  @Test func addressesOfIPv6() async throws {
    let handler: LoopbackServer.Handler = { _ in .text("good") }
    try await withServer(isIPv6: true, handler: handler) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL))
        #expect(response.body == Array("good".utf8))
      }
      #expect(server.requests.first?.header("host") == "[::1]:\(server.port)")
    }
  }

  /// An answer of HTTP/1.0 ends with the connection.
  @Test func answersOfHTTP10() async throws {
    let answer = ScriptedResponse([
      .bytes(Array("HTTP/1.0 200 OK\r\nA: b\r\n\r\ngood".utf8)), .closeConnection,
    ])
    try await withServer(answering: answer) { server in
      try await withLive { live in
        for _ in 1...2 {
          let response = try await live.send(request(server.baseURL))
          #expect(
            response.status == 200 && response.header("a") == "b" && response.body == Array("good".utf8))
        }
      }
      #expect(server.connectionCount == 2)
    }
  }

  /// A connection that the server closed while nothing was sent is replaced, and no request is sent twice.
  @Test(arguments: ["GET", "POST"])
  func keptConnectionsThatWereClosed(method: String) async throws {
    let handler: LoopbackServer.Handler = { _ in .text("good").thenClose() }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        for _ in 1...3 {
          let response = try await live.send(request(server.baseURL, method: method))
          #expect(response.body == Array("good".utf8))
          try await expectEventually { server.openConnections == 0 }
        }
      }
      #expect(server.requests.count == 3)
    }
  }

  /// More requests than connections are open at a time: all are answered, each with its own.
  @Test func manyRequestsAtOnce() async throws {
    let handler: LoopbackServer.Handler = { .text($0.path).delayed(milliseconds: 5) }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let sent = try (1...100).map { try request("\(server.baseURL)/\($0)") }
        let bodies = try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
          for request in sent { group.addTask { (request.url.path, try await live.send(request).body) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 100 && bodies.allSatisfy { Array($0.utf8) == $1 })
      }
      // Eight at a time; libcurl 8 replaces one that it does not find alive.
      #expect(server.connectionCount <= 16)
    }
  }

  /// A server that says nothing holds up no other one, however many requests wait for it.
  @Test func oneServerHoldsUpNoOther() async throws {
    try await withServer(answering: .hang) { silent in
      try await withServer(answering: .text("good")) { server in
        try await withLive { live in
          let lost = try request(silent.baseURL)
          let hanging = (1...20).map { _ in Task { try await live.send(lost) } }
          try await expectEventually { silent.requests.count == 8 }
          let sent = try request(server.baseURL)
          for _ in 1...3 {
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
              for _ in 1...20 { group.addTask { try await live.send(sent).body } }
              for try await body in group { #expect(body == Array("good".utf8)) }
            }
          }
          for task in hanging { task.cancel() }
        }
      }
    }
  }

  /// A request that waits for a connection ends with its deadline and with its task.
  @Test func waitingForAConnection() async throws {
    try await withServer(answering: .hang) { server in
      try await withLive { live in
        let sent = try request(server.baseURL)
        let hanging = (1...8).map { _ in Task { try await live.send(sent) } }
        try await expectEventually { server.requests.count == 8 }
        let error = await failure(of: live, try request(server.baseURL, within: .milliseconds(200)))
        #expect(error?.code == .timeout)
        let waiting = Task { try await live.send(sent) }
        for task in [waiting] + hanging {
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
        }
        try await expectEventually { server.openConnections == 0 }
      }
      #expect(server.requests.count == 8)
    }
  }

  /// A proxy that says nothing, and a server behind one that says nothing when it should begin with TLS: the
  /// deadline ends both, and so does the end of the task.
  @Test(arguments: [true, false])
  func silenceBeforeTheRequest(hasTunnel: Bool) async throws {
    let head = ScriptedResponse.head(status: 200, headers: [], length: nil)
    try await withServer(answering: ScriptedResponse(hasTunnel ? [.bytes(head), .hang] : [.hang])) { server in
      try await withLive(["HTTPS_PROXY": "http://127.0.0.1:\(server.port)"]) { live in
        let address = "https://api.example.invalid/"
        let error = await failure(of: live, try request(address, within: .milliseconds(300)))
        #expect(error?.code == .timeout)
        let sent = try request(address)
        let task = Task { try await live.send(sent) }
        try await expectEventually { server.requests.count == 2 }
        // Time for the answer of the proxy to arrive; when it is late, the other case is tested twice.
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectEventually { server.openConnections == 0 }
      }
    }
  }

  @Test func unknownNames() async throws {
    try await withLive { live in
      let error = await failure(of: live, try request("http://name.invalid/"))
      #expect(error?.code == .unreachable && error?.message == "the name name.invalid is not known")
      #expect(error?.obstacle == .name)
      let closed = await failure(of: live, try request("http://127.0.0.1:9/"))
      #expect(closed?.message == "127.0.0.1:9 refused the connection" && closed?.obstacle == .refusal)
    }
  }

  @Test(arguments: [1, 5000])
  func largeHeads(_ fields: Int) async throws {
    let value = String(repeating: "x", count: 1_000_000 / fields)
    let headers = (1...fields).map { (name: "X-\($0)", value: value) }
    try await withServer(answering: .response(status: 200, headers: headers)) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL))
        #expect(
          error?.code == .malformed && error?.message.contains("header") == true, "\(error?.message ?? "")")
      }
    }
  }

  /// A body that is longer than its length says is cut there, and what follows it is no other answer.
  @Test(arguments: ["GET", "HEAD"])
  func bodiesBeyondTheirLength(method: String) async throws {
    let extra = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad".utf8)
    let head = ScriptedResponse.head(status: 200, headers: [], length: 4)
    try await withServer(answering: ScriptedResponse([.bytes(head + Array("good".utf8) + extra)])) { server in
      try await withLive { live in
        for _ in 1...2 {
          let response = try await live.send(request(server.baseURL, method: method))
          #expect(response.body == Array((method == "HEAD" ? "" : "good").utf8))
        }
      }
    }
  }

  /// Answers in between (RFC 9110, section 15.2) are no answers.
  @Test func answersInBetween() async throws {
    let hints = Array("HTTP/1.1 103 Early Hints\r\nX: early\r\n\r\n".utf8)
    let rest = ScriptedResponse.head(status: 200, headers: [("X", "late")], length: 4) + Array("good".utf8)
    try await withServer(answering: ScriptedResponse([.bytes(hints + rest)])) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL))
        #expect(response.headers.filter { $0.name == "X" }.map(\.value) == ["late"])
        #expect(response.status == 200 && response.body == Array("good".utf8))
      }
    }
  }

  /// What is sent with a body: its length, and no type that nobody gave.
  @Test(arguments: ["", "{\"a\":\"é\\u0000\"}\0"])
  func bodiesThatAreSent(body: String) async throws {
    try await withServer(answering: .status(204)) { server in
      try await withLive { live in
        var sent = try request(server.baseURL, method: "POST", headers: [("X-Empty", "")])
        sent.body = Array(body.utf8)
        #expect(try await live.send(sent).status == 204)
      }
      let seen = try #require(server.requests.first)
      #expect(seen.method == "POST" && seen.body == Array(body.utf8))
      #expect(seen.headers["content-length"] == ["\(body.utf8.count)"] && seen.headers["x-empty"] == [""])
      #expect(["content-type", "accept", "expect", "user-agent"].allSatisfy { seen.header($0) == nil })
    }
  }

  /// A header field cannot become two.
  @Test func fieldsWithLineBreaks() async throws {
    try await withServer(answering: .status(204)) { server in
      try await withLive { live in
        for value in ["a\r\nB: c", "a\nB: c", "a\0b"] {
          let error = await failure(of: live, try request(server.baseURL, headers: [("A", value)]))
          #expect(error?.code == .malformed && error?.message.contains("B: c") == false)
        }
      }
      #expect(server.requests.isEmpty)
    }
  }
}
