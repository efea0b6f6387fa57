public import ForageCore
package import ForageFoundation

extension SearchError {
  /// Creates the provider error for a failed request.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - name: The provider's display name.
  ///   - network: The hint if there is no connection.
  ///   - check: The hint if the server does not seem to be the API.
  public init(_ error: HTTPError, of name: String, network: String, check: String) {
    switch error.code {
    case .unreachable: self.init(.unreachable, "\(name) could not be reached", hint: network)
    case .connectionLost:
      self.init(
        .connectionLost, "\(name) closed the connection before the answer was complete",
        hint: "try again in a moment")
    case .tls:
      // It names the host.
      self.init(.tls, error.message, hint: "set SSL_CERT_FILE to a file with the certificates to trust")
    case .offline:
      self.init(
        .offline, "\(name) was not contacted (offline), and no recent response is cached")
    case .circuitOpen: self.init(.circuitOpen, "\(name) could not be reached", hint: network)
    case .timeout:
      self.init(.timeout, "\(name) did not answer in time")
    case .tooLarge: self.init(.responseTooLarge, "\(name): " + error.message, hint: check)
    case .redirect: self.init(.redirect, "\(name): " + error.message, hint: check)
    case .limited: self.init(limited: error.limit, at: Date(), limit: "the rate limit of \(name)")
    default: self.init(.invalidResponse, "\(name): " + error.message, hint: check)
    }
  }

  /// Creates the provider error for a body that is not JSON of the expected form.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - name: The provider's display name.
  ///   - check: What to check if the body is a web page, for example "check GH_HOST". It is followed by "and
  ///     whether a proxy stands in between".
  public init(unreadable response: HTTPResponse, of name: String, check: String) {
    let type =
      response.header("content-type").map { $0.split(separator: ";").first?.lowercased() ?? "" } ?? ""
    let isHTML = type == "text/html" || response.body.prefix(64).contains(UInt8(ascii: "<"))
    let isJSON = (try? JSONTree(parsing: response.body)) != nil
    self.init(
      .invalidResponse,
      isHTML
        ? "\(name) returned a web page instead of JSON"
        : "the answer of \(name) is \(isJSON ? "JSON of an unexpected form" : "not valid JSON")",
      hint: isHTML ? "\(check), and whether a proxy is in between" : "try again in a moment")
  }
}

extension SearchError {
  /// Creates the provider error for an exceeded rate limit.
  ///
  /// - Parameters:
  ///   - refusal: The refusal; without an end, the wait is a minute.
  ///   - time: The time from which the wait is counted.
  ///   - limit: The limit, for example `the rate limit of GitHub`.
  ///   - said: The server's own message; `nil` for none.
  ///   - advice: The end of the hint, after the time to wait.
  package init(
    limited refusal: LimitRefusal?, at time: Date, limit: String, said: String? = nil, advice: String = ""
  ) {
    let end = refusal?.end ?? time.addingTimeInterval(LimitRefusal.unspecifiedWait)
    let seconds = end.wholeSeconds(after: time)
    let clock = Timestamp.moment(time.addingTimeInterval(Double(seconds)), now: time)
    self.init(
      .rateLimited, "\(limit) is exceeded until \(clock)" + (said.map { ": " + $0 } ?? ""),
      hint: "try again in \(LimitAdvice.wait(seconds: seconds))" + advice,
      retryAfterMilliseconds: seconds * 1000)
  }
}

/// The hint for a rate limit that ends in a given time.
package enum LimitAdvice {
  /// The time to wait, for example `40 s` or `3 min`.
  package static func wait(seconds: Int) -> String {
    seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }
}
