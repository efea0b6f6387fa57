import ForageHTTP
import TestSupport
import Testing

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("https://API.GitHub.com", "https://api.github.com/"),
    ("HTTP://h", "http://h/"),
    ("https://h:443/a", "https://h/a"),
    ("http://h:80", "http://h/"),
    ("https://h:80/", "https://h:80/"),
    ("http://h:8080/a?b=c#d", "http://h:8080/a?b=c"),
    ("https://h?q=1", "https://h/?q=1"),
    ("https://h/?", "https://h/?"),
    ("https://h#@evil.example/", "https://h/"),
    ("https://h?@evil.example/", "https://h/?@evil.example/"),
    ("https://h:/a", "https://h/a"),
    ("https://h/a//b/", "https://h/a//b/"),
    ("http://[::1]:9/x", "http://[::1]:9/x"),
    ("https://[2001:DB8::1]", "https://[2001:db8::1]/"),
    ("https://[::1]:443/", "https://[::1]/"),
    ("https://h/a%20b?q=%26", "https://h/a%20b?q=%26"),
  ])
  func parsing(text: String, expected: String) throws {
    let url = try #require(HTTPURL(text))
    #expect(url.text == expected)
    #expect(HTTPURL(url.text) == url)
  }

  @Test(arguments: [
    "", "h", "h/a", "//h/a", "ftp://h/", "file:///etc/passwd", "javascript:alert(1)", "https://",
    "https:///a", "https://?q",
    "https://user@h/", "https://user:secret@h/", "https://:secret@h/", "https://@h/", "https://h:0/",
    "https://h:65536/",
    "https://h:x/", "https://h:-1/", "https://h:+443/", "https://a:b:c/", "https://::1/", "https://[::1",
    "https://[]/",
    "https://[::1]x/", "https://h/a b", "https://h /", "https://h/\r\nX-Evil: 1", "https://h/\u{0}",
    "https://h\\@evil.example/",
    "https://hé.example/", "https://h/ü", " https://h/",
  ])
  func refusal(text: String) {
    #expect(HTTPURL(text) == nil)
  }

  @Test func parts() throws {
    let url = try #require(HTTPURL("http://[::1]:8080/a/b?page=2&per_page=100&empty=&flag&page=3"))
    #expect(url.scheme == "http" && url.host == "::1" && url.port == 8080 && url.path == "/a/b")
    #expect(url.authority == "[::1]:8080")
    #expect(url.rawParameter("page") == "2")
    #expect(url.rawParameter("per_page") == "100")
    #expect(url.rawParameter("empty") == "")
    #expect(url.rawParameter("flag") == nil && url.rawParameter("age") == nil)
  }

  @Test func appendedPathsHaveOneSlashBetween() throws {
    for base in ["https://h", "https://h/", "https://h//"] {
      #expect(try #require(HTTPURL(base)).appending(["a", "b"]).text == "https://h/a/b")
    }
    let base = try #require(HTTPURL("https://h/api/v3/?old=1"))
    #expect(base.appending(["x"]).text == "https://h/api/v3/x")
    #expect(
      base.appending(["x"], parameters: [("q", "C++ & co")]).text == "https://h/api/v3/x?q=C%2B%2B%20%26%20co"
    )
  }

  /// Any text survives as one segment, one name and one value, and alters nothing beside it.
  @Test func everyTextSurvivesEncoding() throws {
    let seed = propertySeed()
    let base = try #require(HTTPURL("https://h.example:8443/api/v3"))
    let texts = hostileTexts(count: 1500, seed: seed)
    for (index, text) in texts.enumerated() {
      let other = texts[(index * 7 + 3) % texts.count]
      let url = base.appending(
        ["first", text, "last"],
        parameters: [("before", "1"), (text, other), ("value", text), ("after", "2")])
      #expect(HTTPURL(url.text) == url, "\(text.debugDescription)")
      #expect(url.scheme == "https" && url.host == "h.example" && url.port == 8443)
      #expect(
        url.path.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      )
      let seen = RecordedRequest(method: "GET", target: url.path + "?" + (url.query ?? ""), headers: [:])
      #expect(
        seen.pathParts.map { Array($0.utf8) } == ["api", "v3", "first", text, "last"].map { Array($0.utf8) })
      let items = seen.queryItems.map { [Array($0.name.utf8), Array($0.value.utf8)] }
      let expected = [("before", "1"), (text, other), ("value", text), ("after", "2")]
      #expect(items == expected.map { [Array($0.0.utf8), Array($0.1.utf8)] }, "\(text.debugDescription)")
    }
  }

  @Test(arguments: [
    ("/x", "https://h:8443/x"),
    ("/x?y=1", "https://h:8443/x?y=1"),
    ("x?y=1", "https://h:8443/a/x?y=1"),
    ("//other.example/x", "https://other.example/x"),
    ("https://other.example:1/x", "https://other.example:1/x"),
    ("http://h:8443/x", "http://h:8443/x"),
    // RFC 3986, section 5.2: a query alone keeps the path, and dots are removed.
    ("?page=2", "https://h:8443/a/b?page=2"),
    ("../x", "https://h:8443/x"),
    // An address inside the query does not make the reference absolute.
    ("/login?return_to=https://h/a", "https://h:8443/login?return_to=https://h/a"),
  ])
  func references(reference: String, expected: String) throws {
    let base = try #require(HTTPURL("https://h:8443/a/b?c=d"))
    #expect(base.resolving(reference)?.text == expected)
  }

  @Test(arguments: ["https://user:secret@h/", "ftp://h/x", "//user@h/x", "/a b", "https://"])
  func unusableReferences(reference: String) throws {
    let base = try #require(HTTPURL("https://h/a"))
    #expect(base.resolving(reference) == nil)
  }

  @Test(arguments: [
    ("https://h/", "https://H:443/other?x", true), ("https://h/", "http://h/", false),
    ("https://h/", "https://h:8443/", false),
    ("https://h/", "https://h.example/", false), ("https://h/", "https://sub.h/", false),
    ("http://[::1]/", "http://[::1]:80/", true),
  ])
  func origins(a: String, b: String, isSame: Bool) throws {
    #expect(try #require(HTTPURL(a)).hasSameOrigin(as: try #require(HTTPURL(b))) == isSame)
  }

  @Test(arguments: [
    ("localhost", true), ("api.localhost", true), ("127.0.0.1", true), ("127.255.0.3", true), ("[::1]", true),
    ("localhost.example", false), ("notlocalhost", false), ("127.0.0.1.example", false),
    ("127.0.0.256", false),
    ("128.0.0.1", false), ("0.0.0.0", false), ("10.0.0.1", false), ("[::2]", false),
    ("[0:0:0:0:0:0:0:1]", true), ("[0::0001]", true), ("[::0.0.0.1]", true), ("[1::1]", false),
    ("[::1:1]", false), ("[::g]", false),
  ])
  func loopback(host: String, isLoopback: Bool) throws {
    #expect(try #require(HTTPURL("http://\(host):1234/")).isLoopback == isLoopback)
  }
}
