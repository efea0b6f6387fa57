package import ForageCore

extension SearchError {
  /// The error for an answer that did not arrive.
  ///
  /// - Parameters:
  ///   - name: What a person calls the provider.
  ///   - network: What to do without a connection.
  ///   - check: What to do if the server does not seem to be the API.
  package init(_ error: HTTPError, of name: String, network: String, check: String) {
    switch error.code {
    case .unreachable: self.init(.unreachable, "\(name) could not be reached", hint: network)
    case .connectionLost:
      self.init(
        .connectionLost, "\(name) ended the connection before the answer was complete",
        hint: "try again in a moment")
    case .tls:
      self.init(.tls, "\(name): " + error.message, hint: "set SSL_CERT_FILE to the certificates to trust")
    case .offline:
      self.init(
        .offline, "no cached answer of \(name), and --offline sends no request",
        hint: "leave --offline out")
    case .circuitOpen:
      self.init(
        .circuitOpen, "\(name): " + error.message, hint: network)
    case .timeout:
      self.init(.timeout, "\(name) did not answer in time", hint: "allow more with --timeout SECONDS")
    case .tooLarge: self.init(.responseTooLarge, "\(name): " + error.message, hint: check)
    case .malformed: self.init(.invalidResponse, "\(name): " + error.message, hint: check)
    case .redirect: self.init(.redirect, "\(name): " + error.message, hint: check)
    }
  }

  /// The error for a body that is not JSON.
  ///
  /// - Parameters:
  ///   - name: What a person calls the provider.
  ///   - check: What to check if the body is a web page; "and whether a proxy stands in between" is appended.
  package init(unreadable response: HTTPResponse, of name: String, check: String) {
    let type =
      response.header("content-type").map { $0.split(separator: ";").first?.lowercased() ?? "" } ?? ""
    let isHTML = type == "text/html" || response.body.prefix(64).contains(UInt8(ascii: "<"))
    self.init(
      .invalidResponse,
      isHTML ? "\(name) answered with a web page instead of JSON" : "the answer of \(name) is not valid JSON",
      hint: isHTML ? "\(check), and whether a proxy stands in between" : "try again in a moment")
  }
}

/// What to do about a limit that ends in a number of seconds.
package struct LimitAdvice {
  /// How long to wait, for example `40 s` or `3 min`.
  package let wait: String
  /// How the program waits by itself, to be appended to other advice; empty for a wait that is too long.
  package let choice: String

  /// Waits in seconds for which `--timeout` is suggested.
  private static let waitable = 1...600
  /// Seconds after the end of the limit that the suggested time limit leaves for the answer.
  private static let room = 10

  /// Creates advice.
  package init(seconds: Int) {
    wait = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    choice =
      Self.waitable.contains(seconds) ? ", or let it wait with --timeout \(seconds + Self.room)" : ""
  }
}
