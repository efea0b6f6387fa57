package import ForageCore

extension SearchError {
  /// Why the answer of a provider never arrived.
  ///
  /// - Parameters:
  ///   - name: What a person calls the provider.
  ///   - network: What to do where there is no connection.
  ///   - check: What to do where something else than the API seems to be there.
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
        .offline, "\(name) is not asked while offline, and no recent answer is kept",
        hint: "leave --offline out to ask it")
    case .circuitOpen:
      self.init(
        .circuitOpen, "\(name): " + error.message, hint: "name it with --provider to try it all the same")
    case .timeout:
      self.init(.timeout, "\(name) did not answer in time", hint: "allow more with --timeout SECONDS")
    case .tooLarge: self.init(.responseTooLarge, "\(name): " + error.message, hint: check)
    case .malformed: self.init(.invalidResponse, "\(name): " + error.message, hint: check)
    case .redirect: self.init(.redirect, "\(name): " + error.message, hint: check)
    }
  }

  /// What is wrong with a body that is no JSON.
  ///
  /// - Parameters:
  ///   - name: What a person calls the provider.
  ///   - check: What to look at where a web page came in its place, to stand before "and whether a proxy stands in between".
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

/// What to do about a limit that ends in so many seconds.
package struct LimitAdvice {
  /// How long to wait, for example `40 s` or `3 min`.
  package let wait: String
  /// How the program can be made to wait by itself, to stand behind what else can be done; empty where nobody would want that.
  package let choice: String

  /// Seconds that somebody may want the program to wait.
  private static let waitable = 1...600
  /// Seconds beyond a limit's end that the advised time limit has room for: the answer, and a slow network.
  private static let room = 10

  /// Creates advice.
  package init(seconds: Int) {
    wait = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    choice =
      Self.waitable.contains(seconds) ? ", or let it wait with --timeout \(seconds + Self.room)" : ""
  }
}
