import ForageCore
import ForageGitHub
import ForageHTTP
import Testing

@Suite struct GitHubAddressTests {
  @Test(arguments: [
    ("https://api.github.com", "https://api.github.com/", "github.com", ["github.com"]),
    ("https://API.GitHub.com:443/", "https://api.github.com/", "github.com", ["github.com"]),
    (
      "https://ghe.corp.example/api/v3", "https://ghe.corp.example/api/v3", "ghe.corp.example",
      ["ghe.corp.example"]
    ),
    (
      "https://ghe.corp.example:8443/api/v3/", "https://ghe.corp.example:8443/api/v3/",
      "ghe.corp.example:8443", ["ghe.corp.example:8443"]
    ),
    ("https://api.acme.ghe.com", "https://api.acme.ghe.com/", "acme.ghe.com", ["acme.ghe.com"]),
    ("http://127.0.0.1:4711", "http://127.0.0.1:4711/", "127.0.0.1:4711", ["github.com", "127.0.0.1:4711"]),
    (
      "http://localhost:4711/api/v3", "http://localhost:4711/api/v3", "localhost:4711",
      ["github.com", "localhost:4711"]
    ),
    ("http://[::1]:4711", "http://[::1]:4711/", "[::1]:4711", ["github.com", "[::1]:4711"]),
    ("https://api.corp.example", "https://api.corp.example/", "api.corp.example", ["api.corp.example"]),
  ])
  func addresses(base: String, api: String, credentials: String, entities: [String]) throws {
    let address = try ForgeAddress(gitHubAPI: base)
    #expect(address.api.text == api && address.host == credentials && address.entityHosts == entities)
  }

  @Test(arguments: [
    "", "github.com", "http://api.github.com", "http://ghe.corp.example/api/v3", "http://10.0.0.1",
    "http://127.0.0.1.example",
    "http://localhost.example", "ftp://api.github.com", "https://user:s3cret@ghe.corp.example",
    "https://ghe.corp.example/?x=1",
    "https://", "https://a b",
  ])
  func refusedAddresses(base: String) {
    #expect {
      try ForgeAddress(gitHubAPI: base)
    } throws: { error in
      let error = error as? SearchError
      return error?.code == .configuration && error?.hint.contains("https://") == true
    }
  }

  @Test(arguments: [
    ("github.com", "https://api.github.com/", "github.com"),
    ("GitHub.com", "https://api.github.com/", "github.com"),
    ("api.github.com", "https://api.github.com/", "github.com"),
    ("acme.ghe.com", "https://api.acme.ghe.com/", "acme.ghe.com"),
    ("ACME.GHE.com", "https://api.acme.ghe.com/", "acme.ghe.com"),
    ("api.acme.ghe.com", "https://api.acme.ghe.com/", "acme.ghe.com"),
    ("ghe.corp.example", "https://ghe.corp.example/api/v3", "ghe.corp.example"),
    ("ghe.corp.example:8443", "https://ghe.corp.example:8443/api/v3", "ghe.corp.example:8443"),
  ])
  func names(name: String, api: String, credentials: String) throws {
    let address = try ForgeAddress(gitHubHost: name)
    #expect(address.api.text == api && address.host == credentials)
  }

  /// A name is a host and nothing else: an address or a path in `GH_HOST` must not become another server or
  /// path.
  @Test(arguments: [
    "", " ", "a b", "user@ghe.corp.example", "ghe.corp.example?x", "https://github.com",
    "https://ghe.corp.example",
    "github.com/owner", "ghe.corp.example/", "ghe.corp.example#x",
  ])
  func refusedNames(name: String) {
    #expect {
      try ForgeAddress(gitHubHost: name)
    } throws: { error in
      (error as? SearchError)?.code == .configuration
    }
  }

  @Test func secretInAnAddressIsNotShown() {
    #expect {
      try ForgeAddress(gitHubAPI: "https://user:s3cret@ghe.corp.example")
    } throws: { error in
      !String(describing: error).contains("s3cret")
    }
  }
}
