public import ForageCore
import ForageHTTP

extension GitHubProvider {
  /// Returns the details of an entity. For a repository these include languages, contributors, latest release
  /// and README; any other entity takes one request.
  public func details(
    of id: EntityReference, deadline: ContinuousClock.Instant
  ) async throws -> EntityDetails? {
    let request = DetailsRequest(client: client, host: id.host, deadline: deadline)
    guard id.subject == .repository else { return try await answer(of: id, request) }
    return try await RepositoryParts(of: request, path: ["repos", id.owner, id.name]).completing {
      try await answer(of: id, request)
    }
  }

  /// Requests a repository alone.
  public func repository(_ repository: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> SearchResult?
  {
    try await answer(
      of: repository, DetailsRequest(client: client, host: repository.host, deadline: deadline))?.item
  }

  /// Requests an entity; `nil` if it does not exist.
  func answer(of id: EntityReference, _ request: DetailsRequest) async throws -> EntityDetails? {
    let repository = ["repos", id.owner, id.name]
    do {
      return switch id.subject {
      case .repository: try await request.entity(repository) { GitHubKind.repository($0) }
      case .issue(let number), .mergeRequest(let number):
        try await request.entity(repository + ["issues", String(number)], of: .issues) { item, object in
          item.set(.description, object.text("body"))
        }
      case .commit(let sha):
        try await request.entity(repository + ["commits", sha], of: .commits) { item, object in
          item.set("additions", object["stats"]?.count("additions"))
          item.set("deletions", object["stats"]?.count("deletions"))
        }
      case .file(let path, let ref):
        try await request.entity(
          repository + ["contents"] + path.split(separator: "/").map(String.init),
          parameters: [(name: "ref", value: ref)]
        ) { try FileAnswer($0).result(on: id.host) }
      case .account:
        try await request.entity(["users", id.owner], of: .users) { item, object in
          item.set("company", object.text("company"))
          item.set("following", object.count("following"))
        }
      case .topic:
        // The API has no endpoint for a single topic, so it is looked up by search.
        try await request.details(
          ["search", "topics"], for: .search(.topic), parameters: [(name: "q", value: id.name)]
        ) {
          SearchResponse($0, host: id.host, .topics, report: client.warnings.report).map {
            answer -> SearchResult? in
            answer.items.lazy.compactMap(\.self).first { $0.id == id.id }
          }
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
  let host: String
  var deadline: ContinuousClock.Instant

  /// Requests a document.
  ///
  /// - Parameter read: Reads the document; `nil` if it is not the expected one.
  /// - Returns: What was read, and the response.
  /// - Throws: `SearchError`; `NoDocument` where that is allowed.
  func get<Body>(
    _ path: [String], for purpose: Purpose = .details, parameters: [(name: String, value: String)] = [],
    allowsNothing: Bool = false, _ read: (JSONTree) throws -> Body?
  ) async throws -> (Body, HTTPResponse) {
    try await client.get(
      client.url(path, parameters: parameters), for: purpose, deadline: deadline,
      allowsNothing: allowsNothing, read)
  }

  /// Requests the document of an entity.
  ///
  /// - Parameter item: Reads the entity; `nil` if the document does not identify one.
  /// - Throws: `SearchError`, also if the document does not identify an entity.
  func entity(
    _ path: [String], parameters: [(name: String, value: String)] = [],
    _ item: (JSONTree) throws -> SearchResult?
  ) async throws -> EntityDetails? {
    try await details(path, parameters: parameters) { try item($0).map { .some($0) } }
  }

  /// Requests an entity that a search returns too.
  ///
  /// - Parameter more: Sets the fields that only this document contains.
  func entity(
    _ path: [String], of kind: GitHubKind, _ more: (inout SearchResult, JSONTree) -> Void
  ) async throws -> EntityDetails? {
    try await entity(path) { object in
      guard var item = kind.item(object, host) else { return nil }
      more(&item, object)
      return item
    }
  }

  /// Requests a document that may contain an entity.
  func details(
    _ path: [String], for purpose: Purpose = .details, parameters: [(name: String, value: String)] = [],
    _ read: (JSONTree) throws -> SearchResult??
  ) async throws -> EntityDetails? {
    let (item, response) = try await get(path, for: purpose, parameters: parameters, read)
    guard let item else { return nil }
    let limit = await client.limit(of: response)
    return EntityDetails(
      item: item, missing: limit.map { [MissingPart(.remote, $0)] } ?? [], cache: response.cache)
  }
}
