package import ForageCore
import ForageHTTP

/// What can be done with a star.
package enum StarChange: Sendable, Hashable {
  /// Give one.
  case add
  /// Take it back.
  case remove

  /// What has become of the repository.
  package var done: String { self == .add ? "starred" : "unstarred" }
}

extension GitHubClient {
  /// The pause that GitHub asks for between two writes; source: its documentation "Best practices for using the REST API".
  package static let pauseBetweenWrites: Duration = .seconds(1)

  /// Gives or takes back the star of the token's owner, with one request.
  ///
  /// Nothing is sent twice, but for what a limit has refused, and that only where there is time to wait for its end: of a
  /// write whose answer is lost nobody knows whether it has arrived, and the error says so. A redirect is followed only
  /// when it keeps the method, and only within the server that the token is for.
  ///
  /// - Parameters:
  ///   - reference: A repository of this forge.
  ///   - requests: Told of each request.
  /// - Throws: `SearchError`.
  package func change(
    _ change: StarChange, of reference: EntityReference, deadline: ContinuousClock.Instant,
    requests: RequestCounter = RequestCounter()
  ) async throws {
    let token = try await requiredToken(for: "giving stars")
    try Task.checkCancellation()
    let name = reference.owner + "/" + reference.name
    var failures = StarFailures(errors: errors(token), change: change, name: name)
    failures.errors.rejected = "the change of \(name)"
    var headers = headers(token, accept: Self.json)
    // GitHub wants the length of nothing said when something is put.
    if change == .add { headers.append((name: "Content-Length", value: "0")) }
    let request = HTTPRequest(
      method: change == .add ? "PUT" : "DELETE",
      url: url(["user", "starred", reference.owner, reference.name]), headers: headers, deadline: deadline)
    // Whatever comes back, the change may have been made.
    defer { forgetStars(token) }
    do {
      let response = try await writing(requests, token: token).send(request)
      // 304 is in the documentation: it is as it was to become.
      guard response.status == 204 || response.status == 304 else { throw failures.error(response) }
    } catch let error as HTTPError {
      throw failures.error(error)
    }
  }

  /// The transport for writes: counted and limited, never from the cache and never tried again after a failure.
  private func writing(_ requests: RequestCounter, token: GitHubToken) -> HTTPTransport {
    let counted = HTTPTransport { [transport] request in
      requests.add()
      return try await transport.send(request)
    }
    // Who writes has named the server.
    let polite = services.map { limited(counted, $0, token: token, isForced: true) } ?? counted
    return polite.followingRedirects(HTTPTransport.redirectsOfWrites)
  }
}

/// Tells why a star could not be given or taken back, and whether it is known that nothing has changed.
private struct StarFailures {
  var errors: GitHubErrors
  var change: StarChange
  /// `owner/name`.
  var name: String

  /// How to find out what has become of a write.
  private var check: String { "check with: forage stars repo:\(name); doing it twice does no harm" }

  func error(_ response: HTTPResponse) -> SearchError {
    var error = errors.error(response)
    switch response.status {
    case 404:
      error.message = "\(name) does not exist, is private and not visible to you, or the token may not star"
      error.hint = "check the name; " + rights
    case 403 where error.code == .forbidden: error.hint = rights
    case 422:
      error.hint = "look at the repository in a browser"
    case 301..<400:
      error.message =
        "\(errors.name) sends the change of \(name) elsewhere, in a way that is not safe to follow"
      error.hint = "nothing was changed; use the repository's present name"
    case 500...: error = uncertain(error)
    case 200..<300:
      error = uncertain(error)
      error.hint = "check the address of the API with: forage doctor"
    default: break
    }
    return error
  }

  func error(_ failure: HTTPError) -> SearchError {
    let error = errors.error(failure)
    switch failure.code {
    case .connectionLost, .timeout, .malformed, .tooLarge: return uncertain(error)
    // Nothing was sent, or nothing but to the server that refused to deal with it.
    case .unreachable, .tls, .offline, .circuitOpen, .redirect: return error
    }
  }

  private var rights: String {
    "the token\(errors.tokenSource.map { " from " + $0 } ?? "") needs the right to star "
      + "(fine-grained: Starring, write; classic: public_repo, for private ones repo)"
  }

  private func uncertain(_ error: SearchError) -> SearchError {
    var error = error
    error.message += ", so it is not known whether \(name) is \(change.done)"
    error.hint = check
    return error
  }
}
