import Synchronization

extension FakeGitHub {
  /// What a `LoopbackServer` needs to answer like this service, but with the first page of a list for every
  /// page.
  ///
  /// The link to a next page is in every answer, so that a client that only follows links never ends.
  public var repeatingHandler: LoopbackServer.Handler {
    let pages = RepeatedPages()
    return { [self] request in
      let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { !$0.hasPrefix("page=") }
      let target = String(parts[0]) + "?" + query.joined(separator: "&")
      if let known = pages.answers.withLock({ $0[target] }) { return known }
      let first = RecordedRequest(
        method: request.method, target: target, headers: request.headers, body: request.body,
        connectionID: request.connectionID, isTLS: request.isTLS)
      let answer = respond(to: first)
      pages.answers.withLock { $0[target] = answer }
      return answer
    }
  }
}

/// The answers that are given again, by target without the page.
private final class RepeatedPages: Sendable {
  let answers = Mutex<[String: ScriptedResponse]>([:])
}
