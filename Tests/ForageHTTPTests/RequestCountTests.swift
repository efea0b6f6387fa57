import ForageCore
import ForageHTTP
import TestSupport
import Testing

/// Each request that is sent counts for whoever asked for it, and nothing else does.
@Suite struct RequestCountTests {
  @Test func whatIsSentCounts() async throws {
    let handler: LoopbackServer.Handler = { request in
      request.path == "/old" ? .redirect(to: "/new") : .status(request.path == "/new" ? 204 : 404)
    }
    try await withServer(handler: handler) { server in
      try await withLive { live in
        let (first, second) = (RequestCounter(), RequestCounter())
        try await first.counting {
          _ = try await live.followingRedirects().send(request(server.baseURL + "/old"))
        }
        #expect(first.count == 2)
        // A refusal is an answer.
        try await second.counting { _ = try await live.send(request(server.baseURL + "/none")) }
        #expect(first.count == 2 && second.count == 1)
        // Nobody counts.
        _ = try await live.send(request(server.baseURL))
        #expect(first.count == 2 && second.count == 1 && server.requests.count == 4)
      }
    }
  }

  @Test func eachRetryCounts() async throws {
    try await withServer(answering: .empty) { server in
      try await withLive { live in
        let counter = RequestCounter()
        let sent = try request(server.baseURL)
        let error = await counter.counting { await failure(of: live.retryingReads { _ in }, sent) }
        #expect(error?.code == .connectionLost)
        #expect(counter.count == HTTPLimits.maximumRetries + 1 && counter.count == server.requests.count)
      }
    }
  }

  /// Below an owner of a deadline, in child tasks and in the threads of the transport it is the same counter.
  @Test func whatIsSentAtOnceCounts() async throws {
    try await withServer(answering: .status(204)) { server in
      try await withLive { live in
        let counter = RequestCounter()
        let sent = try request(server.baseURL)
        try await counter.counting {
          _ = try await Deadline.run(until: .now + patience) {
            async let first = live.send(sent)
            async let second = live.send(sent)
            return try await (first.status, second.status)
          }
        }
        #expect(counter.count == 2 && server.requests.count == 2)
      }
    }
  }

  @Test func whatIsNotSentDoesNotCount() async throws {
    try await withServer(answering: .status(204)) { server in
      try await withLive { live in
        let counter = RequestCounter()
        let late = try request(server.baseURL, within: .zero)
        let error = await counter.counting { await failure(of: live, late) }
        #expect(error?.code == .timeout)
        let sent = try request(server.baseURL)
        let task = Task {
          try? await Task.sleep(for: .seconds(60))
          return try await counter.counting { try await live.send(sent) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(counter.count == 0)
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// A transport of one's own counts where it is told to.
  @Test func aTransportOfOnesOwn() async throws {
    let stub = StubTransport { number, _ in HTTPResponse(status: number == 1 ? 503 : 200) }
    let counter = RequestCounter()
    try await counter.counting {
      let response = try await stub.transport.counting().retryingReads { _ in }.send(request("https://h/"))
      #expect(response.status == 200)
    }
    #expect(counter.count == 2 && stub.requests.count == 2)
    _ = try await stub.transport.counting().send(request("https://h/"))
    try await counter.counting { _ = try await stub.transport.send(request("https://h/")) }
    #expect(counter.count == 2)
  }

  /// What is inside a transport that counts is not counted again.
  @Test func aTransportInsideAnother() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 200) }
    let counter = RequestCounter()
    try await counter.counting {
      _ = try await stub.transport.counting().counting().send(request("https://h/"))
      #expect(RequestCounter.current === counter)
    }
    #expect(counter.count == 1)
    try await withServer(answering: .status(204)) { server in
      try await withLive { live in
        try await counter.counting { _ = try await live.counting().send(request(server.baseURL)) }
      }
    }
    #expect(counter.count == 2)
  }

  /// An answer of the cache is no request.
  @Test func theCacheDoesNotCount() async throws {
    let box = try CacheBox()
    let services = HTTPServices(cache: box.cache())
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, body: [1]) }
    let transport = stub.transport.counting().reading(
      services, host: "h", credential: nil, scope: "s", freshFor: .seconds(60), resource: "search")
    let counter = RequestCounter()
    for _ in 1...3 { try await counter.counting { _ = try await transport.send(request("https://h/")) } }
    #expect(counter.count == 1 && stub.requests.count == 1)
  }
}
