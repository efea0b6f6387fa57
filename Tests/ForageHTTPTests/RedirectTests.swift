import ForageHTTP
import TestSupport
import Testing

@Suite struct RedirectTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func sameOriginIsFollowed(status: Int) async throws {
    let handler: LoopbackServer.Handler = { request in
      request.path == "/old" ? .redirect(to: "/new?x=1", status: status) : .text("here")
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let sent = try request(server.baseURL + "/old", headers: [("Authorization", "Bearer secret")])
        let response = try await live.followingRedirects().send(sent)
        #expect(response.status == 200 && response.body == Array("here".utf8))
        #expect(server.requests.map(\.target) == ["/old", "/new?x=1"])
        #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer secret" })
      }
    }
  }

  @Test func absoluteAddressOfTheSameOriginIsFollowed() async throws {
    let handler: LoopbackServer.Handler = { request in
      request.path == "/old" ? .redirect(to: request.origin + "/new") : .text("here")
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let response = try await live.followingRedirects().send(try request(server.baseURL + "/old"))
        #expect(response.status == 200 && server.requests.count == 2)
      }
    }
  }

  /// A second server, which is another port of the same host, is never contacted.
  @Test(arguments: [301, 302, 303, 307, 308])
  func otherOriginIsRefused(status: Int) async throws {
    try await withServer(answering: .text("stolen")) { other in
      try await withServer(answering: .redirect(to: other.baseURL + "/", status: status)) { server in
        try await withLive { live in
          let sent = try request(server.baseURL, headers: [("Authorization", "Bearer secret")])
          let error = await failure(of: live.followingRedirects(), sent)
          #expect(error?.code == .redirect)
          #expect(error?.message.contains("127.0.0.1:\(other.port)") == true)
        }
        #expect(server.requests.count == 1)
      }
      #expect(other.connectionCount == 0 && other.requests.isEmpty)
    }
  }

  /// An address that was written without TLS is not moved to it behind the user's back, but the error says
  /// so.
  @Test func https() async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(status: 301, headers: [("Location", "https://h.example/a")])
    }
    let error = await failure(of: stub.transport.followingRedirects(), try request("http://h.example/a"))
    #expect(error?.code == .redirect && error?.message.contains("redirects to https") == true)
  }

  @Test(arguments: [
    "http://h.example/", "https://h.example:8443/", "https://evil.example/", "//evil.example/",
    "https://user:pw@h.example/",
    "ftp://h.example/", "https://h.example/a b",
  ])
  func refusedTargets(location: String) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 302, headers: [("Location", location)]) }
    let error = await failure(of: stub.transport.followingRedirects(), try request("https://h.example/start"))
    #expect(error?.code == .redirect)
    #expect(error?.message.contains("pw") == false)
    #expect(stub.requests.count == 1)
  }

  @Test func loopEnds() async throws {
    let handler: LoopbackServer.Handler = { .redirect(to: $0.target) }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let error = await failure(of: live.followingRedirects(), try request(server.baseURL + "/a"))
        #expect(error?.code == .redirect)
        #expect(error?.message.contains("more than") == true)
      }
      #expect(server.requests.count == HTTPLimits.maximumRedirects + 1)
    }
  }

  @Test func longestChainIsFollowed() async throws {
    let stub = StubTransport { number, _ in
      number <= HTTPLimits.maximumRedirects
        ? HTTPResponse(status: 302, headers: [("location", "/\(number)")]) : HTTPResponse(status: 200)
    }
    let response = try await stub.transport.followingRedirects().send(try request("https://h/0"))
    #expect(response.status == 200)
    #expect(stub.requests.map(\.url.path) == ["/0", "/1", "/2", "/3", "/4", "/5"])
  }

  @Test(arguments: [
    ("GET", 303, "GET"), ("HEAD", 303, "HEAD"), ("PUT", 303, "GET"), ("PUT", 307, "PUT"),
    ("DELETE", 308, "DELETE"),
    ("HEAD", 302, "HEAD"),
  ])
  func methods(method: String, status: Int, second: String) async throws {
    let stub = StubTransport { number, _ in
      number == 1 ? HTTPResponse(status: status, headers: [("Location", "/b")]) : HTTPResponse(status: 204)
    }
    _ = try await stub.transport.followingRedirects().send(try request("https://h/a", method: method))
    #expect(stub.requests.map(\.method) == [method, second])
  }

  /// For a write only the redirects are followed that keep the method; the others are answers.
  @Test(arguments: [301, 302, 303, 307, 308], ["PUT", "DELETE"])
  func writes(status: Int, method: String) async throws {
    let stub = StubTransport { number, _ in
      number == 1 ? HTTPResponse(status: status, headers: [("Location", "/b")]) : HTTPResponse(status: 204)
    }
    let transport = stub.transport.followingRedirects(HTTPTransport.redirectsOfWrites)
    let response = try await transport.send(try request("https://h/a", method: method))
    let isFollowed = status == 307 || status == 308
    #expect(response.status == (isFollowed ? 204 : status))
    #expect(stub.requests.map(\.method) == (isFollowed ? [method, method] : [method]))
  }

  @Test(arguments: [200, 204, 300, 304, 404])
  func otherStatusesAreAnswers(status: Int) async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(status: status, headers: [("Location", "https://evil.example/")])
    }
    #expect(try await stub.transport.followingRedirects().send(try request("https://h/a")).status == status)
  }

  @Test func redirectWithoutTargetIsAnAnswer() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 301) }
    #expect(try await stub.transport.followingRedirects().send(try request("https://h/a")).status == 301)
  }
}
