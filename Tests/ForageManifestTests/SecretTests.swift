import ForageCore
import ForageHTTP
import ForageHTTPLive
import Synchronization
import TestSupport
import Testing

@testable import ForageManifest

struct SecretTests {
  private static let secret = "s3cr3t&x=1"

  @Test(
    arguments: [
      ("header: X-Token", "x-token", "s3cr3t&x=1"), ("bearer: true", "authorization", "Bearer s3cr3t&x=1"),
      ("header: Authorization, prefix: token", "authorization", "token s3cr3t&x=1"),
      ("query: key", nil, "s3cr3t&x=1"),
    ] as [(String, String?, String)])
  func whereItGoes(_ way: String, _ header: String?, _ value: String) async throws {
    let shared = try SharedServices()
    try await withAPI(
      sample(more: "auth: {secret: token, \(way)}"), secrets: ["token": Self.secret],
      services: shared.services()
    ) { _ in
      .json(body: rows(1...3))
    } _: { provider, server in
      _ = try await provider.search(ask("x", of: provider))
      let request = try #require(server.requests.first)
      if let header {
        #expect(request.headers[header] == [value] && !request.target.contains("s3cr3t"))
      } else {
        #expect(
          request.query("key") == value && request.queryItems.map(\.name) == ["q", "per_page", "page", "key"])
      }
      // Nothing that is kept holds it.
      #expect(shared.stored.count == 1 && shared.stored.allSatisfy { !$0.contains("s3cr3t") })
    }
  }

  /// What a server knows of another provider's secret goes no further either.
  @Test func secretsOfOthersGoNoFurther() async throws {
    let other = "0ther-s3cret-0123"
    let shared = try SharedServices()
    let body =
      #"{"items":[{"id":1,"url":"https://acme.example/1","name":"n","text":"it is 0ther-s3cret-0123, or %30ther-s3cret-0123"}]}"#
    let handler: LoopbackServer.Handler = { request in
      request.query("q") == "bad"
        ? .json(status: 400, body: #"{"message": "no: 0ther-s3cret-0123"}"#) : .json(body: body)
    }
    try await withServer(handler: handler) { server in
      let live = LiveTransport(try NetworkSettings(environment: [:]))
      let provider = try ManifestProvider(
        try manifest(sample()), base: server.baseURL,
        transport: live.transport, services: shared.services(), userAgent: testUserAgent,
        knownSecrets: { [other] })
      let page = try await provider.search(ask("x", of: provider))
      #expect(page.items.first?[.description] == .text("it is ***, or ***"))
      let error = await searchError { _ = try await provider.search(ask("bad", of: provider)) }
      #expect(error?.message.contains("no: ***") == true, "\(error as Any)")
      await live.shutdown()
    }
    #expect(shared.stored.allSatisfy { !$0.contains("s3cret") })
  }

  /// What is told of requests leaves it out.
  @Test(arguments: ["header: X-Token", "query: key"])
  func reportsLeaveItOut(_ way: String) async throws {
    let seen = Mutexed<[String]>([])
    try await withServer(answering: rows(1...3)) { server in
      let live = LiveTransport(try NetworkSettings(environment: [:]))
      let transport = live.transport.reporting { exchange in
        seen.value.withLock { $0 += [exchange.url] + exchange.headers }
      }
      let provider = try ManifestProvider(
        try manifest(sample(more: "auth: {secret: token, \(way)}")), base: server.baseURL,
        transport: transport,
        userAgent: testUserAgent, secret: { _ in Self.secret })
      _ = try await provider.search(ask("x", of: provider))
      await live.shutdown()
    }
    let all = seen.value.withLock { $0 }
    #expect(!all.isEmpty && !all.joined(separator: "\n").contains("s3cr3t"))
  }

  @Test func withoutOneNothingIsSent() async throws {
    try await withAPI(
      sample(more: "auth: {secret: token, bearer: true}\nneedsToken: true")
    ) { _ in
      .json(body: rows(1...3))
    } _: {
      provider, server in
      let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(error?.code == .unauthorized && server.connectionCount == 0)
      #expect(error?.hint.contains("providers: {acme: {secrets: {token: {env: NAME}}}}") == true)
      #expect(provider.kinds[.package]?.needsToken == true)
    }
  }

  /// The same texts are no tokens, and for the same reason, as for every forge.
  @Test(
    arguments: ["a\nX-Evil: 1", "ä", "\u{0}", "Bearer s3cr3t"],
    ["bearer: true", "header: X-Token", "query: key"])
  func oneThatNoHeaderCanHold(_ secret: String, _ way: String) async throws {
    try await withAPI(
      sample(more: "auth: {secret: token, \(way)}"), secrets: ["token": secret]
    ) { _ in
      .json(body: rows(1...3))
    } _: {
      provider, server in
      let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(
        error?.code == .configuration && server.connectionCount == 0
          && error?.message.hasSuffix(" " + HeaderToken.fault) == true)
    }
  }

  /// Another host gets it only when the manifest names that host.
  @Test(arguments: [true, false])
  func otherHostsGetItOnlyWhenNamed(_ isNamed: Bool) async throws {
    try await withServer(answering: rows(1...3)) { other in
      let hosts = isNamed ? "hosts: [\"127.0.0.1:\(other.port)\"]" : "hosts: []"
      let more = """
        auth: {secret: token, header: X-Token}
        \(hosts)
        feed: {request: {url: "\(other.baseURL)/hot", params: {page: "{page}"}}}
        """
      try await withAPI(
        sample(more: more), secrets: ["token": Self.secret]
      ) { _ in
        .json(body: rows(1...3))
      } _: { provider, server in
        _ = try await provider.search(ask("x", of: provider))
        _ = try await provider.feed(ask(nil, of: provider))
        #expect(server.requests.first?.headers["x-token"] == [Self.secret])
        #expect(other.requests.first?.headers["x-token"] == (isNamed ? [Self.secret] : nil))
      }
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectElsewhereGetsNothing(_ status: Int) async throws {
    try await withServer(answering: rows(1...3)) { other in
      let target = other.baseURL + "/search"
      try await withAPI(
        sample(more: "auth: {secret: token, header: X-Token}"), secrets: ["token": Self.secret]
      ) { _ in
        .redirect(to: target, status: status)
      } _: { provider, _ in
        let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
        #expect(error?.code == .redirect && other.connectionCount == 0)
      }
    }
  }

  /// Servers repeat the address that they were asked by: the cursor must not carry the secret on.
  @Test func cursorsHoldNone() async throws {
    let text = sample(
      paging: "{style: link, size: 3}", params: "{n: \"{size}\"}", more: "auth: {secret: token, query: key}")
    try await withAPI(
      text, secrets: ["token": "s3cr3t"]
    ) { request in
      .json(
        headers: [("Link", "<\(request.origin)\(request.target)&at=2>; rel=\"next\"")], body: rows(1...3))
    } _: { provider, server in
      let page = try await provider.search(ask("x", of: provider, pageSize: 3))
      let next = try #require(page.next)
      let content = try #require(Base64.decode(String(next.dropFirst(11))))
      #expect(!String(decoding: content, as: UTF8.self).contains("s3cr3t"))
      _ = try await provider.search(ask("x", of: provider, pageSize: 3, cursor: next))
      #expect(server.requests.last?.target == "/search?n=3&at=2&key=s3cr3t")
    }
  }

  @Test func aRefusedSecretIsSentAgain() async throws {
    try await withAPI(
      sample(more: "auth: {secret: token, header: X-Token}"), secrets: ["token": "old"],
      services: SharedServices().services()
    ) { _ in
      .json(status: 401, body: "{}")
    } _: { provider, server in
      for _ in 0..<2 {
        let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
        #expect(error?.code == .unauthorized)
      }
      #expect(server.requests.count == 2)
    }
  }
}

/// Runs a body with a server that answers every request with the same JSON.
func withServer<Result>(answering body: String, _ run: (LoopbackServer) async throws -> Result) async throws
  -> Result
{
  try await withServer(handler: { _ in .json(body: body) }, run)
}
