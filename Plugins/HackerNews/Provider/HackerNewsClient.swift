import ForageCore
import ForageHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sends requests to the API and decodes the responses.
struct HackerNewsClient: Sendable {
  let base: HTTPURL
  let transport: HTTPTransport
  let userAgent: String

  /// The hint for answers that do not look like those of the API.
  private static let checkAddress = "check the plugin's setting url"

  /// Requests one page of a list.
  ///
  /// - Throws: `SearchError`.
  func get(
    _ list: String, _ parameters: [(name: String, value: String)], deadline: ContinuousClock.Instant
  ) async throws -> StoryAnswer {
    let url = base.appending(["api", "v1", list], parameters: parameters)
    let request = HTTPRequest(
      url: url, headers: [("User-Agent", userAgent), ("Accept", "application/json")], deadline: deadline)
    let response: HTTPResponse
    do { response = try await transport.send(request) } catch let error as HTTPError {
      throw SearchError(
        error, of: "Hacker News", network: "check the network connection", check: Self.checkAddress)
    }
    guard response.status == 200 else { throw Self.error(response) }
    guard let answer = try? JSONDecoder().decode(StoryAnswer.self, from: Data(response.body)) else {
      throw SearchError(
        .invalidResponse, "the response of Hacker News contains no list of stories",
        hint: Self.checkAddress)
    }
    return answer
  }

  private struct Refusal: Decodable {
    var message: String?
  }

  private static func error(_ response: HTTPResponse) -> SearchError {
    SearchError(
      refusal: response, of: "Hacker News",
      said: (try? JSONDecoder().decode(Refusal.self, from: Data(response.body)))?.message,
      check: checkAddress)
  }
}
