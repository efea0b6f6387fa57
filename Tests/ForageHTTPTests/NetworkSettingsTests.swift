import ForageCore
import ForageHTTP
import TestSupport
import Testing

@testable import ForageHTTPLive

@Suite struct NetworkSettingsTests {
  private func proxy(_ environment: [String: String], for address: String = "https://api.example.com/") throws
    -> Proxy?
  {
    try NetworkSettings(environment: environment).proxy(for: try #require(HTTPURL(address)))
  }

  @Test(arguments: [
    ("http://proxy:3128", "http://proxy:3128"), ("http://proxy:3128/", "http://proxy:3128"),
    ("proxy:3128", "http://proxy:3128"), ("http://proxy", "http://proxy:80"),
    ("HTTP://Proxy:8080", "http://proxy:8080"), ("http://[::1]:3128", "http://[::1]:3128"),
    ("https://proxy", "https://proxy:443"), ("socks4a://proxy", "socks4a://proxy:1080"),
    // The proxy resolves the names.
    ("socks5://proxy", "socks5h://proxy:1080"), ("socks5h://proxy:9050", "socks5h://proxy:9050"),
    ("SOCKS://[::1]", "socks5h://[::1]:1080"),
    // Users and passwords, which are percent-encoded in an address.
    ("http://me:secret@proxy:3128", "http://me:secret@proxy:3128"),
    ("http://me@proxy:3128", "http://me@proxy:3128"), ("http://me:a:b@proxy:1", "http://me:a%3Ab@proxy:1"),
    ("http://me:1#x?y/z @w@proxy:1", "http://me:1%23x%3Fy%2Fz%20%40w@proxy:1"),
    ("http://m%40e:p%3Aq%2F@proxy:3128", "http://m%40e:p%3Aq%2F@proxy:3128"),
    ("socks5://me:secret@proxy", "socks5h://me:secret@proxy:1080"),
  ])
  func proxies(text: String, address: String) throws {
    let found = try #require(try proxy(["HTTPS_PROXY": text]))
    #expect(found.address == address)
    #expect(!found.name.contains("secret") && found.name.hasSuffix(" (HTTPS_PROXY)"))
  }

  @Test(arguments: [
    "ftp://proxy:3128", "http://", "http://proxy:99999", "ht tp://x", "://proxy", "http://me:a%00b@proxy:1",
    "http://m%0ae@proxy:1",
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

  /// The variable for all protocols counts where that for HTTPS is not set, and is named as it is written.
  @Test func theProxyOfAllProtocols() throws {
    #expect(try proxy(["ALL_PROXY": "all:1"])?.name == "all:1 (ALL_PROXY)")
    #expect(try proxy(["all_proxy": "all:1", "ALL_PROXY": "upper:1"])?.name == "all:1 (all_proxy)")
    #expect(try proxy(["ALL_PROXY": "all:1", "HTTPS_PROXY": "https:2"])?.name == "https:2 (HTTPS_PROXY)")
    #expect(try proxy(["ALL_PROXY": "all:1", "HTTPS_PROXY": ""])?.address == "http://all:1")
    #expect(try proxy(["ALL_PROXY": "all:1", "NO_PROXY": "example.com"]) == nil)
    let error = #expect(throws: SearchError.self) {
      try NetworkSettings(environment: ["all_proxy": "ftp://me:secret@proxy"])
    }
    #expect(
      error?.message.hasPrefix("all_proxy is not a valid proxy") == true
        && error?.hint.contains("secret") == false)
  }

  /// Where nothing listens, the proxy and its variable are named.
  @Test(arguments: ["http", "https", "socks5"], ["HTTPS_PROXY", "ALL_PROXY"])
  func aProxyThatIsNotThere(scheme: String, variable: String) async throws {
    let server = try await LoopbackServer.start { _ in .status(200) }
    await server.stop()
    try await withLive([variable: "\(scheme)://127.0.0.1:\(server.port)"]) { live in
      let failure = await failure(of: live, try request("https://api.example.invalid/"))
      let error = try #require(failure)
      #expect(error.code == .unreachable)
      let told = SearchError(error, of: "Example", network: "check the network", check: "check the address")
      #expect(
        told.message
          == "Example could not be reached: no connection to api.example.invalid through the proxy "
          + "127.0.0.1:\(server.port) (\(variable))")
      #expect(told.hint == "check the proxy in \(variable)")
    }
  }

  /// The error does not show the password that may be part of the address.
  @Test func refusalHidesThePassword() {
    #expect {
      try NetworkSettings(environment: ["HTTPS_PROXY": "ftp://me:secret@proxy:1080"])
    } throws: { error in
      !String(describing: error).contains("secret")
    }
  }

  @Test func lowerCaseWinsAndEmptyIsUnset() throws {
    #expect(try proxy(["HTTPS_PROXY": "upper:1", "https_proxy": "lower:2"])?.name == "lower:2 (https_proxy)")
    #expect(try proxy(["HTTPS_PROXY": "upper:1"])?.name == "upper:1 (HTTPS_PROXY)")
    #expect(try proxy(["https_proxy": "lower:2"])?.name == "lower:2 (https_proxy)")
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
        #expect(
          error?.message
            == "the proxy 127.0.0.1:\(server.port) (HTTPS_PROXY) refused the request to api.example.invalid")
        #expect(error?.proxyVariable == "HTTPS_PROXY")
      }
      let seen = try #require(server.requests.first)
      #expect(seen.method == "CONNECT" && seen.target == "api.example.invalid:443")
      #expect(seen.header("proxy-authorization") == "Basic bWU6c2VjcmV0")
      #expect(seen.header("authorization") == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [("", "wants a user and a password"), ("me:secret@", "refused user and password")])
  func proxyThatWantsALogin(_ login: String, _ message: String) async throws {
    try await withServer(answering: .status(407)) { server in
      try await withLive(["HTTPS_PROXY": "http://\(login)127.0.0.1:\(server.port)"]) { live in
        let error = await failure(of: live, try request("https://api.example.invalid/"))
        let told = SearchError(try #require(error), of: "Example", network: "", check: "")
        #expect(
          told.message
            == "Example could not be reached: the proxy 127.0.0.1:\(server.port) (HTTPS_PROXY) \(message) "
            + "for the request to api.example.invalid")
        #expect(told.hint == "check user and password in HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT")
      }
      #expect((server.requests.first?.header("proxy-authorization") == nil) == login.isEmpty)
    }
  }

  /// A proxy for addresses with `http:` alone is told of where a direct connection fails, and never used.
  @Test func aProxyOfAnotherScheme() async throws {
    try await withServer(answering: .status(407)) { server in
      let variable = "HTTP_PROXY"
      try await withLive([variable: "http://127.0.0.1:\(server.port)"]) { live in
        let error = await failure(of: live, try request("https://api.example.invalid/"))
        let told = SearchError(try #require(error), of: "Example", network: "", check: "")
        #expect(told.message == "Example could not be reached: the name api.example.invalid is not known")
        #expect(told.hint.hasPrefix("HTTP_PROXY is for addresses with http: alone; set HTTPS_PROXY"))
      }
      #expect(server.requests.isEmpty)
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
