extension FakeGitHub {
  /// What a `LoopbackServer` needs to answer like this service, but with the first page of a list for every page.
  ///
  /// The link to a next page is in every answer, so that a client that only follows links never ends.
  public var repeatingHandler: LoopbackServer.Handler {
    { [self] request in
      let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { !$0.hasPrefix("page=") }
      let first = RecordedRequest(
        method: request.method, target: parts[0] + "?" + query.joined(separator: "&"),
        headers: request.headers,
        body: request.body, connectionID: request.connectionID, isTLS: request.isTLS)
      return respond(to: first)
    }
  }
}
