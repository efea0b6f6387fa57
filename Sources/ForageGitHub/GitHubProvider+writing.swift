public import ForageCore
import ForageHTTP

extension GitHubProvider {
  /// The pause that GitHub asks for between two changes. Source: GitHub's documentation "Best practices for
  /// using the REST API".
  public var pauseBetweenChanges: Duration { .seconds(1) }

  /// Adds or removes the star of the token's owner, with one request.
  ///
  /// The request is repeated only after a rate limit refused it, and only if the deadline allows. If the
  /// response is lost, the error reports the outcome as unknown. A redirect is followed only if it preserves
  /// the method and stays on the token's server.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - repository: A repository of this server.
  ///   - deadline: When the request times out.
  /// - Throws: `SearchError`.
  public func change(
    _ change: StarChange, of repository: EntityReference, deadline: ContinuousClock.Instant
  ) async throws {
    let token = try await client.requiredToken(for: change == .add ? "starring" : "removing a star")
    try Task.checkCancellation()
    let name = repository.owner + "/" + repository.name
    var failures = StarFailures(errors: client.errors(token), change: change, name: name)
    failures.errors.rejected = "the change to \(name)"
    failures.errors.permissionHint = failures.rights
    var headers = client.headers(token, accept: GitHubClient.json)
    // GitHub requires an explicit length for an empty PUT.
    if change == .add { headers.append((name: "Content-Length", value: "0")) }
    let request = HTTPRequest(
      method: change == .add ? "PUT" : "DELETE",
      url: client.url(["user", "starred", repository.owner, repository.name]), headers: headers,
      deadline: deadline)
    // The change may have been made whatever the response is.
    defer { client.forgetOwnLists(token) }
    do {
      let response = try await writing(token).send(request)
      // 304 is documented: the star already had the requested state.
      guard response.status == 204 || response.status == 304 else { throw failures.error(response) }
    } catch let error as HTTPError {
      throw failures.error(error)
    }
  }

  /// The transport for writes: with rate limits, without cache and retries.
  func writing(_ token: ForgeToken) -> HTTPTransport {
    var transport = client.masked(token)
    if let services = client.services {
      let (host, credential) = (client.address.host, token.fingerprint)
      transport =
        transport
        .breaking(services.breaker, host: host)
        .budgeted(
          by: services.budgets, host: host, credential: credential, onWait: services.onWait,
          resource: Purpose.details.resource)
    }
    return transport.followingRedirects(HTTPTransport.redirectsOfWrites)
  }
}

/// Creates errors for failed changes of a star, which state whether the outcome is unknown.
private struct StarFailures {
  var errors: GitHubErrors
  var change: StarChange
  /// `owner/name`.
  var name: String

  func error(_ response: HTTPResponse) -> SearchError {
    var error = errors.error(response)
    switch response.status {
    case 404:
      error.message =
        "\(name) does not exist, is private and not visible to you, or the token may not change stars"
      error.hint = "check the name; " + rights
    case 422:
      error.hint = "open the repository in a browser"
    case 301..<400:
      error.message =
        "\(errors.name) redirects the change to \(name) in a way that is not safe to follow"
      error.hint = "nothing was changed; use the repository's current name"
    case 500...: error = error.leavingUnknown(change, of: name)
    case 200..<300:
      error = error.leavingUnknown(change, of: name)
      (error.hint, error.subject) = (GitHubErrors.checkAddress, nil)
    default: break
    }
    return error
  }

  func error(_ failure: HTTPError) -> SearchError {
    let error = errors.error(failure)
    return error.leavesOutcomeUnknown ? error.leavingUnknown(change, of: name) : error
  }

  var rights: String {
    "the token\(errors.tokenSource.map { " from " + $0 } ?? "") needs permission to change stars "
      + "(fine-grained: Starring, write; classic: public_repo, or repo for private repositories)"
  }
}
