public import ForageCore
public import ForageHTTP

extension GitHubProvider {
  /// Creates a provider that searches with a token.
  ///
  /// Redirects within the server are followed and reads are retried. The token is sent to this server only, and
  /// masked where the server repeats it.
  ///
  /// - Parameters:
  ///   - token: The token; `nil` searches public data with a lower rate limit, and not in code.
  ///   - host: The server: `github.com`, `NAME.ghe.com`, or the host of a GitHub Enterprise Server.
  ///   - userAgent: The name of the calling program, which GitHub requires in each request.
  ///   - transport: Sends one request, for example `HTTPTransport.live()` of `ForageHTTPLive`.
  /// - Throws: `SearchError` with code `configuration` if the host is not valid.
  public init(
    token: String?, host: String = "github.com", userAgent: String, transport: HTTPTransport
  ) throws(SearchError) {
    // The host is not shown, because a misplaced address may contain a password.
    guard let server = try? GitHubHost(host: host) else {
      throw SearchError(
        .configuration, "the host of the GitHub server is not valid",
        hint: "write only the host, for example: ghe.example.com")
    }
    let token = token.map { GitHubToken(secret: $0, source: "the calling program") }
    self.init(
      client: GitHubClient(host: server, transport: transport, userAgent: userAgent, token: { token }))
  }
}
