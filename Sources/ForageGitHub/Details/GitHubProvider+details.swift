public import ForageCore
import ForageHTTP

extension GitHubProvider {
  /// Returns the details of an entity. For a repository these include languages, contributors, latest release
  /// and README; any other entity takes one request.
  public func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
  {
    let request = DetailsRequest(client: client, host: id.host, deadline: deadline, requests: requests)
    guard id.subject == .repository else { return try await answer(of: id, request) }
    return try await RepositoryParts(request: request, path: ["repos", id.owner, id.name]).completing {
      try await answer(of: id, request)
    }
  }

  /// Requests an entity; `nil` if it does not exist.
  func answer(of id: EntityReference, _ request: DetailsRequest) async throws -> EntityDetails? {
    let repository = ["repos", id.owner, id.name]
    do {
      return switch id.subject {
      case .repository: try await request.entity(repository, as: RepositoryResponse.self)
      case .issue(let number):
        try await request.entity(repository + ["issues", String(number)], as: IssueAnswer.self)
      case .commit(let sha): try await request.entity(repository + ["commits", sha], as: CommitAnswer.self)
      case .file(let path, let ref):
        try await request.entity(
          repository + ["contents"] + path.split(separator: "/").map(String.init),
          parameters: [(name: "ref", value: ref)], as: FileAnswer.self)
      case .account: try await request.entity(["users", id.owner], as: AccountAnswer.self)
      case .topic:
        try await request.entity(
          ["search", "topics"], parameters: [(name: "q", value: id.name)],
          as: SearchResponse<TopicResponse>.self
        ) { found in
          // The API has no endpoint for a single topic, so it is looked up by search.
          found.items.lazy.compactMap { $0.value?.result(on: id.host) }.first { $0.id == id.id }
        }
      }
    } catch let error as SearchError where Self.saysNone(error, of: id.kind) {
      return nil
    }
  }

  /// Whether an error means that the entity does not exist. For commits GitHub reports this with 422.
  private static func saysNone(_ error: SearchError, of kind: ResultKind) -> Bool {
    error.code == .notFound || kind == .commit && error.code == .invalidQuery
  }
}

/// How to send the requests for one entity.
struct DetailsRequest: Sendable {
  let client: GitHubClient
  /// The forge that the entity is on.
  let host: String
  let deadline: ContinuousClock.Instant
  let requests: RequestCounter

  /// Requests a document.
  ///
  /// - Returns: The document, and how the cache contributed to it.
  /// - Throws: `SearchError`; `NoDocument` where that is allowed.
  func get<Body: Decodable>(
    _ path: [String], parameters: [(name: String, value: String)] = [], as type: Body.Type,
    allowsNothing: Bool = false
  ) async throws -> (Body, HTTPCacheState) {
    let (body, response) = try await client.get(
      client.url(path, parameters: parameters), as: type, deadline: deadline, requests: requests,
      allowsNothing: allowsNothing)
    return (body, response.cache)
  }

  /// Requests the document of an entity.
  ///
  /// - Throws: `SearchError`, also if the document does not identify an entity.
  func entity<Body: GitHubItem>(
    _ path: [String], parameters: [(name: String, value: String)] = [], as type: Body.Type
  ) async throws -> EntityDetails {
    let details = try await entity(path, parameters: parameters, as: type) { $0.result(on: host) }
    guard let details else {
      throw SearchError(
        .invalidResponse, "the answer identifies no repository, issue, commit or account",
        hint: GitHubErrors.checkAddress)
    }
    return details
  }

  /// Requests a document that may contain an entity.
  func entity<Body: Decodable>(
    _ path: [String], parameters: [(name: String, value: String)] = [], as type: Body.Type,
    _ result: (Body) -> SearchResult?
  ) async throws -> EntityDetails? {
    let (body, cache) = try await get(path, parameters: parameters, as: type)
    return result(body).map { EntityDetails(item: $0, cache: cache.use) }
  }
}
