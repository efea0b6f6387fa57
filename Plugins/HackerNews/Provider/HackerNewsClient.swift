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

  /// The maximum length of the server's own message, in characters.
  private static let messageLimit = 300

  /// Requests one page of a list.
  ///
  /// - Throws: `SearchError`.
  func get(
    _ list: String, _ parameters: [(name: String, value: String)], deadline: ContinuousClock.Instant,
    requests: RequestCounter
  ) async throws -> StoryAnswer {
    let url = base.appending(["api", "v1", list], parameters: parameters)
    let request = HTTPRequest(
      url: url, headers: [("User-Agent", userAgent), ("Accept", "application/json")], deadline: deadline)
    requests.add()
    let response: HTTPResponse
    do { response = try await transport.send(request) } catch let error as HTTPError {
      throw Self.error(error)
    }
    guard response.status == 200 else { throw Self.error(response) }
    guard let answer = try? JSONDecoder().decode(StoryAnswer.self, from: Data(response.body)) else {
      throw SearchError(
        .invalidResponse, "the response of Hacker News contains no list of stories",
        hint: "check the plugin's setting url")
    }
    return answer
  }

  private struct Refusal: Decodable {
    var message: String?
  }

  private static func error(_ response: HTTPResponse) -> SearchError {
    let message = (try? JSONDecoder().decode(Refusal.self, from: Data(response.body)))?.message
    let reason = message.map { ": " + $0.prefix(messageLimit) } ?? ""
    let status = "Hacker News answered with status \(response.status)\(reason)"
    switch response.status {
    case 429,
      403 where response.header("retry-after") != nil:
      let end = LimitRefusal(response, at: Date())?.end
      return SearchError(
        .rateLimited, "the hourly rate limit of Hacker News is exceeded", hint: "try again later",
        retryAfterMilliseconds: end.map { Int(max(0, $0.timeIntervalSinceNow) * 1000) })
    case 400, 422:
      return SearchError(.invalidQuery, "Hacker News rejected the query" + reason, hint: "simplify the query")
    case 500...: return SearchError(.serverError, status, hint: "try again in a moment")
    default:
      return SearchError(.invalidResponse, status, hint: "check the plugin's setting url")
    }
  }

  private static func error(_ error: HTTPError) -> SearchError {
    let message = "Hacker News: " + error.message
    switch error.code {
    case .unreachable:
      return SearchError(
        .unreachable, "Hacker News could not be reached", hint: "check the network connection")
    case .connectionLost:
      return SearchError(
        .connectionLost, "Hacker News closed the connection before the answer was complete",
        hint: "try again in a moment")
    case .tls:
      return SearchError(.tls, message, hint: "set SSL_CERT_FILE to a file with the certificates to trust")
    case .timeout:
      return SearchError(
        .timeout, "Hacker News did not answer in time", hint: "allow more time with --timeout SECONDS")
    case .tooLarge: return SearchError(.responseTooLarge, message, hint: "use a lower --limit")
    case .redirect: return SearchError(.redirect, message, hint: "check the plugin's setting url")
    case .offline, .circuitOpen: return SearchError(.unreachable, message, hint: "try again later")
    case .malformed:
      return SearchError(.invalidResponse, message, hint: "check the plugin's setting url")
    }
  }
}
