public import ForageCore

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
      self.init(
        .tls, "\(name): " + error.message, hint: "set SSL_CERT_FILE to a file with the certificates to trust")
    case .offline:
      self.init(
        .offline, "\(name) was not contacted (offline), and no recent response is cached",
        hint: "run without --offline to contact it")
    case .circuitOpen: self.init(.circuitOpen, "\(name) could not be reached", hint: network)
    case .timeout:
      self.init(.timeout, "\(name) did not answer in time", hint: "allow more time with --timeout SECONDS")
    case .tooLarge: self.init(.responseTooLarge, "\(name): " + error.message, hint: check)
    case .redirect: self.init(.redirect, "\(name): " + error.message, hint: check)
    default: self.init(.invalidResponse, "\(name): " + error.message, hint: check)
    }
  }

  /// Creates the provider error for a body that is not valid JSON.
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
    self.init(
      .invalidResponse,
      isHTML ? "\(name) returned a web page instead of JSON" : "the answer of \(name) is not valid JSON",
      hint: isHTML ? "\(check), and whether a proxy is in between" : "try again in a moment")
  }
}

/// The advice for a rate limit that ends in a given time.
package struct LimitAdvice {
  /// The time to wait, for example `40 s` or `3 min`.
  package let wait: String
  /// How to let the program wait by itself, to be appended to another hint; empty if the wait is too long.
  package let choice: String
  /// What to append where an older answer to the same request is cached.
  package static let older = ", or use the cached answers with --offline"

  /// The range of seconds for which the program's waiting is suggested.
  private static let waitable = 1...600
  /// Seconds added to the limit's end in the suggested timeout, for the response itself.
  private static let room = 10

  /// Creates advice.
  package init(seconds: Int) {
    wait = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    choice =
      Self.waitable.contains(seconds) ? ", or wait for it with --timeout \(seconds + Self.room)" : ""
  }
}
