import ForageHTTP
import ForageHTTPLive
import TestSupport
import Testing

@Suite struct LiveTransportTests {
  @Test func oneConnectionServesManyRequests() async throws {
    let handler: LoopbackServer.Handler = { .json(body: #"{"path":"\#($0.path)"}"#) }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        for number in 1...8 {
          let response = try await live.send(try request("\(server.baseURL)/\(number)"))
          #expect(String(decoding: response.body, as: UTF8.self) == #"{"path":"/\#(number)"}"#)
        }
      }
      #expect(server.connectionCount == 1)
      #expect(Set(server.requests.map(\.connectionID)) == [1])
    }
  }

  @Test func equalSettingsShareConnections() async throws {
    try await withServer(answering: .status(204)) { server in
      for _ in 1...3 {
        _ = try await HTTPTransport.live(environment: [:]).send(try request(server.baseURL))
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test func whatIsSent() async throws {
    try await withServer(answering: .status(204)) { server in
      try await withLive { live in
        let headers = [
          ("User-Agent", "forage-test"), ("X-Twice", "1"), ("X-Twice", "2"), ("accept-encoding", "br"),
        ]
        let sent = try request(server.baseURL + "/a%2Fb?q=C%2B%2B%20x&n=", method: "DELETE", headers: headers)
        #expect(try await live.send(sent).status == 204)
      }
      let seen = try #require(server.requests.first)
      #expect(seen.method == "DELETE")
      #expect(seen.target == "/a%2Fb?q=C%2B%2B%20x&n=")
      #expect(seen.header("host") == "127.0.0.1:\(server.port)")
      #expect(seen.headers["user-agent"] == ["forage-test"])
      #expect(seen.headers["x-twice"] == ["1", "2"])
      #expect(seen.headers["accept-encoding"] == ["gzip"])
      #expect(seen.header("authorization") == nil && seen.body.isEmpty)
    }
  }

  /// Every status is an answer for the transport, redirects too.
  @Test(arguments: [200, 204, 301, 304, 401, 404, 422, 429, 500, 503])
  func everyStatusIsAnAnswer(status: Int) async throws {
    let handler: LoopbackServer.Handler = { _ in
      .status(status, headers: [("Location", "/x"), ("X-A", "1"), ("x-a", "2")])
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let response = try await live.send(try request(server.baseURL))
        #expect(response.status == status && response.body.isEmpty)
        #expect(response.headers.filter { $0.name.lowercased() == "x-a" }.map(\.value) == ["1", "2"])
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func headHasNoBody() async throws {
    let head = ScriptedResponse.head(status: 200, headers: [], length: 12_345)
    try await withServer(answering: ScriptedResponse([.bytes(head)])) { server in
      try await withLive { live in
        let response = try await live.send(try request(server.baseURL, method: "HEAD"))
        #expect(
          response.status == 200 && response.body.isEmpty && response.header("content-length") == "12345")
      }
    }
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 1_000_000])
  func gzipBodyIsUnpacked(size: Int) async throws {
    let plain = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let packed = Gzip.stored(plain)
    let handler: LoopbackServer.Handler = { _ in
      .response(status: 200, headers: [("Content-Encoding", "gzip")], body: packed)
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL))
        #expect(response.body == plain)
      }
    }
  }

  @Test func compressedBodyIsUnpacked() async throws {
    let handler: LoopbackServer.Handler = { _ in
      .response(status: 200, headers: [("Content-Encoding", "gzip")], body: Gzip.bomb(runs: 1000))
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let body = try await live.send(try request(server.baseURL)).body
        #expect(body.count == 258_001 && body.allSatisfy { $0 == UInt8(ascii: "a") })
      }
    }
  }

  /// A body may be several streams, one behind the other (RFC 1952, section 2.2), and be followed by padding.
  @Test(arguments: ["gzip", "x-gzip", "GZip"])
  func severalStreamsAreOneBody(encoding: String) async throws {
    let packed = Gzip.stored(Array("one ".utf8)) + Gzip.bomb(runs: 1) + Gzip.stored([]) + [0, 0, 0, 0]
    let answer = ScriptedResponse.response(
      status: 200, headers: [("Content-Encoding", encoding)], body: packed)
    try await withServer(answering: answer) { server in
      try await withLive { live in
        let body = try await live.send(request(server.baseURL)).body
        #expect(String(decoding: body, as: UTF8.self) == "one " + String(repeating: "a", count: 259))
      }
    }
  }

  @Test func chunkedBodyIsJoined() async throws {
    let head = ScriptedResponse.head(status: 200, headers: [("Transfer-Encoding", "chunked")], length: nil)
    let chunks = Array("3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\n\r\n".utf8)
    try await withServer(answering: ScriptedResponse([.bytes(head + chunks)])) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL))
        #expect(response.body == Array("abcdefgh".utf8))
      }
    }
  }

  @Test func nothingIsSentAfterTheDeadline() async throws {
    try await withServer(answering: .status(200)) { server in
      try await withLive { live in
        for time in [Duration.zero, .seconds(-5)] {
          let error = try await failure(of: live, request(server.baseURL, within: time))
          #expect(error?.code == .timeout)
        }
      }
      #expect(server.connectionCount == 0)
    }
  }
}

@Suite struct BodyLimitTests {
  /// The limit itself is taken, one byte more is not, whether its length is told or not.
  @Test(arguments: [true, false])
  func limitIsExact(isDeclared: Bool) async throws {
    let handler: LoopbackServer.Handler = { request in
      let body = [UInt8](repeating: 7, count: request.path == "/fits" ? 5000 : 5001)
      if isDeclared { return .response(status: 200, body: body) }
      let head = ScriptedResponse.head(status: 200, headers: [], length: nil)
      return ScriptedResponse([.bytes(head + body), .closeConnection])
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let response = try await live.send(request(server.baseURL + "/fits", maximumBodyBytes: 5000))
        #expect(response.body.count == 5000)
        let error = await failure(of: live, try request(server.baseURL + "/large", maximumBodyBytes: 5000))
        #expect(error?.code == .tooLarge)
      }
    }
  }

  /// What is announced as too large is not read.
  @Test func declaredGiantIsRefused() async throws {
    let github = FakeGitHub()
    github.fail(.hugeBody(megabytes: 200, declared: true))
    try await withGitHub(github) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL))
        #expect(error?.code == .tooLarge && error?.message.contains("16 MiB") == true)
        try await expectEventually { server.openConnections == 0 }
      }
    }
  }

  /// A body without end: only a reader that stops by itself comes back.
  @Test func endlessBodyIsCutOff() async throws {
    let head = ScriptedResponse.head(status: 200, headers: [("Transfer-Encoding", "chunked")], length: nil)
    let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 65, count: 65_536) + Array("\r\n".utf8)
    let endless = ScriptedResponse([.bytes(head), .repeat(chunk, times: .max)])
    try await withServer(answering: endless) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .tooLarge)
        try await expectEventually { server.openConnections == 0 }
      }
    }
  }

  /// 400 KB that unpack to 64 MiB.
  @Test func gzipBombIsRefused() async throws {
    let bomb = Gzip.bomb(runs: (64 << 20) / 258)
    #expect(bomb.count < 500_000)
    let handler: LoopbackServer.Handler = { _ in
      .response(status: 200, headers: [("Content-Encoding", "gzip")], body: bomb)
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .tooLarge)
      }
    }
  }

  /// The caller's limit counts what comes out, not what goes in.
  @Test func smallLimitCountsUnpackedBytes() async throws {
    let packed = Gzip.bomb(runs: 1000)
    let handler: LoopbackServer.Handler = { _ in
      .response(status: 200, headers: [("Content-Encoding", "gzip")], body: packed)
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL, maximumBodyBytes: 100_000))
        #expect(packed.count < 100_000 && error?.code == .tooLarge)
      }
    }
  }

  @Test func damagedGzipIsRefused() async throws {
    var packed = Gzip.stored(Array("hello, world".utf8))
    packed[12] ^= 0xFF
    let handler: LoopbackServer.Handler = { [packed] _ in
      .response(status: 200, headers: [("Content-Encoding", "gzip")], body: packed)
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let error = await failure(of: live, try request(server.baseURL))
        #expect(
          error?.code == .unknownEncoding && error?.message.contains("127.0.0.1:\(server.port)") == true)
      }
    }
  }
}
