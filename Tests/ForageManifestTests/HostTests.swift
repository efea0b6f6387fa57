import ForageCore
import ForageHTTP
import Testing

@testable import ForageManifest

struct HostTests {
  private static let silent = HTTPTransport { _ in throw HTTPError(.unreachable, "nothing may be sent") }

  @Test(
    arguments: [
      "10.1.2.3", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
      "0.0.0.0", "224.0.0.1",
      "192.0.0.1", "198.18.0.1", "255.255.255.255", "::1", "::", "fc00::1", "fd12::1", "fe80::1",
      "::ffff:10.0.0.1", "::ffff:7f00:1",
      "64:ff9b::a00:1", "localhost", "printer", "nas.local", "git.internal", "router.lan", "host.localhost",
    ])
  func privateHosts(_ host: String) { #expect(HostRules.isPrivate(host)) }

  @Test(
    arguments: [
      "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2606:4700::1", "::ffff:8.8.8.8",
      "gitlab.com", "local.example",
      "internal.example.com",
    ])
  func publicHosts(_ host: String) { #expect(!HostRules.isPrivate(host)) }

  @Test(arguments: [
    "2130706433", "0x7f000001", "127.1", "0177.0.0.1", "010.0.0.1", "1.2.3.4.5", "0x7f.1", "a..b", "%31",
    "::g", "a b",
  ])
  func misleadingHosts(_ host: String) { #expect(HostRules.isMisleading(host)) }

  @Test(arguments: [
    "8.8.8.8", "a.example", "a.example.", "xn--bcher-kva.example", "2001:db8::1", "a1.b2", "0x.example",
  ])
  func plainHosts(_ host: String) { #expect(!HostRules.isMisleading(host)) }

  /// What a user writes counts as declared; what a file from elsewhere says does not.
  @Test(arguments: [
    "https://10.0.0.1", "https://gitlab.lan:8443/sub", "http://127.0.0.1:8080", "http://localhost:1",
  ])
  func theUserMayNameAnyHost(_ base: String) throws {
    let manifest = try manifest(sample())
    let provider = try ManifestProvider(manifest, base: base, transport: Self.silent, userAgent: "x")
    #expect(provider.client.base?.text.hasPrefix(base) == true)
  }

  @Test(
    arguments: [
      ("http://10.0.0.1", "unencrypted"), ("ftp://a.example", "is not the address"),
      ("https://u:secret@a.example", "is not the address"),
      ("https://a.example?x=secret", "is not the address"), ("a.example", "is not the address"),
      ("", "is not the address"),
      ("https://0x7f.1", "is not the address"),
    ] as [(String, String)])
  func basesThatAreNone(_ base: String, _ message: String) throws {
    let manifest = try manifest(sample())
    let error = #expect(throws: SearchError.self) {
      try ManifestProvider(manifest, base: base, transport: Self.silent, userAgent: "x")
    }
    #expect(
      error?.code == .configuration && error?.message.contains(message) == true
        && error?.message.contains("secret") == false)
  }

  @Test func aBaseThatIsNeededAndOneThatIsNot() throws {
    let needing = try manifest(sample())
    let missing = #expect(throws: SearchError.self) {
      try ManifestProvider(needing, transport: Self.silent, userAgent: "x")
    }
    #expect(needing.needsBase && missing?.code == .configuration)
    #expect(missing?.message.hasPrefix("Acme ") == true)
    #expect(missing?.hint.contains("providers: {acme: {config: {url: \"https://HOST\"}}}") == true)
    let fixed = try manifest(sample().replacing("{base}/search", with: "https://a.example/search"))
    let useless = #expect(throws: SearchError.self) {
      try ManifestProvider(fixed, base: "https://b.example", transport: Self.silent, userAgent: "x")
    }
    #expect(useless?.code == .configuration && useless?.message.contains("fixed address") == true)
    #expect(fixed.info().id == "acme" && needing.abilities[.package] != nil)
  }

  /// Declared private hosts are allowed, loopback is without more.
  @Test func declaredHosts() {
    for url in ["https://10.0.0.1/search", "https://nas.local:8443/search"] {
      let authority = url.split(separator: "/")[1]
      let text = sample().replacing("{base}/search", with: url)
      #expect(problems(text).count == 1)
      #expect(problems(text + "\nhosts: [\"\(authority)\"]").isEmpty)
    }
    #expect(problems(sample().replacing("{base}/search", with: "http://127.0.0.1:8080/search")).isEmpty)
  }
}
