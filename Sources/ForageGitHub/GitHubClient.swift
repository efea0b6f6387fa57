import ForageCore
package import ForageHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A token and where it came from.
package struct GitHubToken: Sendable {
  /// The secret.
  package var secret: String
  /// Its source as the user knows it, for example `GH_TOKEN`.
  package var source: String

  package init(secret: String, source: String) {
    self.secret = secret
    self.source = source
  }
}

/// Sends requests to one GitHub and reads the answers.
package struct GitHubClient: Sendable {
  let host: GitHubHost
  private let transport: HTTPTransport
  private let token: @Sendable () async -> GitHubToken?
  private let userAgent: String

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: Sends one request; redirects and retries are added here.
  ///   - token: Finds the token for the host, `nil` for none; called at most once a request.
  package init(
    host: GitHubHost, transport: HTTPTransport, userAgent: String,
    token: @escaping @Sendable () async -> GitHubToken?
  ) {
    self.host = host
    self.transport = transport
    self.userAgent = userAgent
    self.token = token
  }

  /// Reads one JSON document.
  ///
  /// - Parameter requests: Told of each request, those after redirects and lost connections too.
  /// - Returns: The document and the answer's header fields.
  /// - Throws: `SearchError` for everything that is not status 200 with the expected JSON.
  func get<Body: Decodable>(
    _ url: HTTPURL, as type: Body.Type, deadline: ContinuousClock.Instant,
    requests: RequestCounter = RequestCounter()
  ) async throws -> (Body, HTTPResponse) {
    let token = await token()
    try Task.checkCancellation()
    let errors = GitHubErrors(
      host: host.credentialHost, tokenSource: token?.source, now: Int(Date().timeIntervalSince1970))
    var headers = [
      (name: "User-Agent", value: userAgent), (name: "Accept", value: "application/vnd.github+json"),
      (name: "X-GitHub-Api-Version", value: "2022-11-28"),
    ]
    if let token { headers.append((name: "Authorization", value: "Bearer " + token.secret)) }
    do {
      let counted = HTTPTransport { [transport] request in
        requests.add()
        return try await transport.send(request)
      }
      let response = try await counted.retryingReads().followingRedirects().send(
        HTTPRequest(url: url, headers: headers, deadline: deadline))
      guard response.status == 200 else { throw errors.error(response) }
      guard String(validating: response.body, as: UTF8.self) != nil,
        let body = try? JSONDecoder().decode(type, from: Data(response.body))
      else {
        throw errors.unreadable(response)
      }
      return (body, response)
    } catch let error as HTTPError {
      throw errors.error(error)
    }
  }

  /// The address of a path of the API.
  func url(_ segments: [String], parameters: [(name: String, value: String)] = []) -> HTTPURL {
    host.api.appending(segments, parameters: parameters)
  }
}
