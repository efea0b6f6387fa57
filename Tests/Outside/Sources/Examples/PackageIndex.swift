import ForageCore
import ForageHTTP
import Foundation

/// A provider that searches an HTTP API, which answers `{"packages": [{"name": ..., "summary": ...}]}`.
struct PackageIndex: SearchProvider {
  let info = ProviderInfo(id: "index", name: "Package Index")
  let kinds: [ResultKind: Abilities] = [.package: Abilities(fields: [.description], maximumPageSize: 50)]
  let api: HTTPURL
  let transport: HTTPTransport

  init(api: HTTPURL, transport: HTTPTransport) {
    self.api = api
    self.transport = transport.followingRedirects().retryingReads()
  }

  private struct Answer: Decodable {
    struct Package: Decodable {
      var name: String
      var summary: String?
    }
    var packages: [Package]
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let words = request.query?.positiveTerms.map(\.text) ?? []
    let url = api.appending(["search"], parameters: [("q", words.joined(separator: " "))])
    let response: HTTPResponse
    do {
      response = try await transport.send(HTTPRequest(url: url, deadline: request.deadline))
    } catch let error as HTTPError {
      throw SearchError(error, of: "Package Index", network: "check the network", check: "check the address")
    }
    guard response.status == 200 else {
      throw SearchError(refusal: response, of: "Package Index", check: "check the address")
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body)) else {
      throw SearchError(unreadable: response, of: "Package Index", check: "check the address")
    }
    let items = answer.packages.map { package in
      var item = SearchResult(id: "index:" + package.name, kind: .package, title: package.name)
      item.set(.description, package.summary)
      return item
    }
    return SearchPage(items: Array(items.prefix(request.pageSize)))
  }
}
