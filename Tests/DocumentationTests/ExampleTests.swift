import ForageCore
import ForageHTTP
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

@testable import DocumentedExamples

/// The examples of the documentation do what their text says.
@Suite struct ExampleTests {
  private static func transport(_ status: Int, _ body: String, expecting path: String) -> HTTPTransport {
    HTTPTransport { request in
      #expect(request.url.text.contains(path))
      return HTTPResponse(
        status: status, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    }
  }

  @Test func theBookshelfIsSearched() async throws {
    #expect(
      Set(try await books("programming"))
        == ["Structured Programming", "The Art of Computer Programming"])
    #expect(try await books("programming author:knuth") == ["The Art of Computer Programming"])
    #expect(try await books("nothing-of-this-name") == [])
    #expect(
      try await books("structured author:dahl", and: [OneBook()])
        == ["Structured Programming", "Structured Programming"])
  }

  @Test func theBookshelfKeepsTheContract() async {
    #expect(await brokenRules() == [])
  }

  @Test func thePackageIndexIsAsked() async throws {
    let api = try #require(HTTPURL("https://index.example/api"))
    let body = #"{"packages":[{"name":"parser","summary":"Parses \u00e9"},{"name":"lexer"}]}"#
    let index = PackageIndex(
      api: api, transport: Self.transport(200, body, expecting: "/api/search?q=fast%20parser"))
    let query = try QueryParser().parse("fast parser").root
    let request = SearchRequest(kind: .package, query: query, pageSize: 5, deadline: .now + .seconds(20))
    let page = try await index.search(request)
    #expect(page.items.map(\.title) == ["parser", "lexer"])
    #expect(page.items.first?[.description]?.text == "Parses \u{e9}")
    let limited = PackageIndex(api: api, transport: Self.transport(429, "", expecting: "/api/search"))
    let error = await #expect(throws: SearchError.self) { try await limited.search(request) }
    #expect(error?.code == .rateLimited)
  }

  @Test func gitHubIsAsked() async throws {
    let body = """
      {"total_count":1,"incomplete_results":false,"items":[{"id":1,"full_name":"o/r","name":"r","owner":{"login":"o"},\
      "html_url":"https://github.com/o/r","stargazers_count":7}]}
      """
    let found = try await popularRepositories(
      "parser language:swift", token: "t",
      transport: Self.transport(200, body, expecting: "https://api.github.com/search/repositories?q=parser"))
    #expect(found == ["o/r: 7 stars"])
  }

  @Test func aPageIsDownloaded() async throws {
    let handler: LoopbackServer.Handler = { $0.path == "/a" ? .json(body: "{}") : .status(404) }
    try await withServer(handler: handler) { server in
      let present = try #require(HTTPURL(server.baseURL + "/a"))
      let missing = try #require(HTTPURL(server.baseURL + "/b"))
      #expect(try await text(of: present) == "{}")
      await #expect(throws: HTTPError.self) { try await text(of: missing) }
    }
  }

  @Test func thePluginIntroducesItself() throws {
    let result = try JSONDecoder().decode(InitializeResult.self, from: Data(try introduction().utf8))
    #expect(result.protocol == PluginProtocol.version && result.version == "1.0.0")
    let request =
      #"{"provider":"bookshelf","kind":"book","text":["a","b c"],"filters":[],"limit":5,"deadlineMs":1000}"#
    #expect(try words(ofRequest: Data(request.utf8)) == ["a", "b c"])
  }
}
