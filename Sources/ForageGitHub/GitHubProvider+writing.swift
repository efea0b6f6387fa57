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
    var errors = client.errors(token)
    let rights =
      "the token from \(token.source) needs permission to change stars "
      + "(fine-grained: Starring, write; classic: public_repo, or repo for private repositories)"
    errors.permissionHint = rights
    errors.words = [
      .redirect: RefusalWords(
        "redirects the change to \(name) in a way that is not safe to follow",
        hint: "nothing was changed; use the repository's current name"),
      .invalidQuery: RefusalWords("rejected the change to \(name)", hint: "open the repository in a browser"),
    ]
    var headers = client.headers(token, accept: GitHubClient.json)
    // GitHub requires an explicit length for an empty PUT.
    if change == .add { headers.append((name: "Content-Length", value: "0")) }
    let request = HTTPRequest(
      method: change == .add ? "PUT" : "DELETE",
      url: client.url(["user", "starred", repository.owner, repository.name]), headers: headers,
      deadline: deadline)
    // The change may have been made whatever the response is.
    defer { client.forgetOwnLists(token) }
    let failure: SearchError
    do {
      let response = try await writing(token).send(request)
      // 304 is documented: the star already had the requested state.
      if response.status == 204 || response.status == 304 { return }
      failure = errors.error(response)
    } catch let error as HTTPError {
      failure = errors.error(error)
    }
    throw failure.changing(change, of: name, with: "the token", rights: "; " + rights)
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
