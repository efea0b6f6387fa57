import ForageCore
import ForageHTTP
import TestSupport
import Testing

@testable import ForageHTTPLive

@Suite struct NetworkSettingsTests {
  private func proxy(_ environment: [String: String], for address: String = "https://api.example.com/") throws
    -> ProxyAddress?
  {
    try NetworkSettings(environment: environment).proxy(for: try #require(HTTPURL(address)))
  }

  @Test(arguments: [
    ("http://proxy:3128", "proxy", 3128, nil, nil),
    ("http://proxy:3128/", "proxy", 3128, nil, nil),
    ("proxy:3128", "proxy", 3128, nil, nil),
    ("http://proxy", "proxy", 80, nil, nil),
    ("HTTP://Proxy:8080", "proxy", 8080, nil, nil),
    ("http://[::1]:3128", "::1", 3128, nil, nil),
    ("http://me:secret@proxy:3128", "proxy", 3128, "me", "secret"),
    ("http://me@proxy:3128", "proxy", 3128, "me", ""),
    ("http://me:a:b@proxy:3128", "proxy", 3128, "me", "a:b"),
    // User name and password are percent-encoded in an address.
    ("http://m%40e:p%3Aq%2F@proxy:3128", "proxy", 3128, "m@e", "p:q/"),
  ])
  func proxies(text: String, host: String, port: Int, user: String?, password: String?) throws {
    let found = try #require(try proxy(["HTTPS_PROXY": text]))
    #expect(found.host == host && found.port == port)
    #expect(found.credentials?.user == user && found.credentials?.password == password)
  }

  @Test(arguments: [
    "https://proxy:3128", "socks5://proxy:1080", "http://", "http://proxy:99999", "ht tp://x", "://proxy",
  ])
  func unusableProxies(text: String) {
    #expect {
      try NetworkSettings(environment: ["HTTPS_PROXY": text])
    } throws: { error in
      let error = error as? SearchError
      return error?.code == .configuration && error?.message.contains("HTTPS_PROXY") == true
        && error?.hint.isEmpty == false
    }
  }

  /// The error does not show the password that may be part of the address.
  @Test func refusalHidesThePassword() {
    #expect {
      try NetworkSettings(environment: ["HTTPS_PROXY": "socks5://me:secret@proxy:1080"])
    } throws: { error in
      !String(describing: error).contains("secret")
    }
  }

  @Test func lowerCaseWinsAndEmptyIsUnset() throws {
    #expect(try proxy(["HTTPS_PROXY": "upper:1", "https_proxy": "lower:2"])?.host == "lower")
    #expect(try proxy(["HTTPS_PROXY": "upper:1"])?.host == "upper")
    #expect(try proxy(["https_proxy": "lower:2"])?.host == "lower")
    #expect(try proxy(["HTTPS_PROXY": ""]) == nil)
    #expect(try proxy([:]) == nil)
    #expect(try NetworkSettings(environment: ["SSL_CERT_FILE": ""]).certificateFile == nil)
    #expect(try NetworkSettings(environment: ["SSL_CERT_FILE": "/x.pem"]).certificateFile == "/x.pem")
  }

  @Test(arguments: [
    "http://api.example.com/", "https://localhost/", "https://127.0.0.1:8443/", "https://[::1]/",
    "https://x.localhost/",
  ])
  func plainHTTPAndThisMachineGoDirectly(address: String) throws {
    #expect(try proxy(["HTTPS_PROXY": "proxy:1"], for: address) == nil)
  }

  @Test(arguments: [
    ("*", true), ("api.example.com", true), ("API.EXAMPLE.COM", true), ("example.com", true),
    (".example.com", true),
    ("other.org, example.com", true), ("other.org example.com", true), ("com", true),
    ("api.example.com:8443", true),
    ("", false), ("other.org", false), ("ample.com", false), ("x.api.example.com", false),
    ("api.example", false),
    ("api.example.com:9999", false), (",,", false),
  ])
  func exclusions(list: String, isDirect: Bool) throws {
    let environment = ["HTTPS_PROXY": "proxy:1", "NO_PROXY": list]
    #expect((try proxy(environment, for: "https://api.example.com:8443/") == nil) == isDirect)
  }

  /// A proxy is asked to connect, gets nothing else, and its refusal is told.
  @Test func proxyIsAskedToConnect() async throws {
    try await withServer(answering: .status(403)) { server in
      let environment = ["HTTPS_PROXY": "http://me:secret@127.0.0.1:\(server.port)"]
      try await withLive(environment) { live in
        let sent = try request(
          "https://api.example.invalid/x?q=1", headers: [("Authorization", "Bearer token")])
        let error = await failure(of: live, sent)
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("the proxy refused the request to api.example.invalid") == true)
      }
      let seen = try #require(server.requests.first)
      #expect(seen.method == "CONNECT" && seen.target == "api.example.invalid:443")
      #expect(seen.header("proxy-authorization") == "Basic bWU6c2VjcmV0")
      #expect(seen.header("authorization") == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func proxyThatWantsALogin() async throws {
    try await withServer(answering: .status(407)) { server in
      try await withLive(["HTTPS_PROXY": "http://127.0.0.1:\(server.port)"]) { live in
        let error = await failure(of: live, try request("https://api.example.invalid/"))
        #expect(error?.code == .unreachable && error?.message.contains("proxy") == true)
      }
      #expect(server.requests.first?.header("proxy-authorization") == nil)
    }
  }

  /// A connection that ends in the TLS handshake is none, however the end is noticed.
  @Test func proxyThatHangsUp() async throws {
    let head = ScriptedResponse.head(status: 200, headers: [], length: nil)
    try await withServer(answering: ScriptedResponse([.bytes(head), .closeConnection])) { server in
      try await withLive(["HTTPS_PROXY": "http://127.0.0.1:\(server.port)"]) { live in
        let error = await failure(of: live, try request("https://api.example.invalid/"))
        let code = try #require(error?.code)
        #expect([.unreachable, .connectionLost, .tls].contains(code), "\(error?.message ?? "")")
      }
    }
  }

  @Test func thisMachineIsReachedWithoutTheProxy() async throws {
    try await withServer(answering: .status(403)) { proxy in
      try await withServer(answering: .text("direct")) { server in
        try await withLive(["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]) { live in
          let response = try await live.send(request(server.baseURL))
          #expect(response.body == Array("direct".utf8))
        }
      }
      #expect(proxy.connectionCount == 0)
    }
  }
}
