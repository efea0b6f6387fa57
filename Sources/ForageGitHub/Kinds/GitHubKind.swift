import ForageCore
import ForageHTTP

/// A kind of results of GitHub's search: its abilities, its endpoint, and the decoding of its items.
struct GitHubKind: Sendable {
  /// Requests and decodes the page at an address.
  typealias Read =
    @Sendable (GitHubClient, HTTPURL, SearchRequest) async throws -> (SearchAnswer, HTTPResponse)

  /// The kind.
  let kind: ResultKind
  /// The last path segment of its search endpoint.
  let path: String
  /// The abilities of its search.
  let abilities: ProviderDescriptor.KindAbilities
  /// Qualifiers whose meaning differs from, or adds to, the common ones.
  let vocabulary: [QualifierDefinition]
  /// Qualifiers that replace a required word; `nil` if no word is required.
  let wordsOr: [String]?
  /// Whether it has no qualifier `updated`, although it sorts by that time.
  let lacksUpdated: Bool
  let read: Read

  /// All kinds that GitHub can search.
  static let all: [GitHubKind] = [.repositories, .code, .issues, .commits, .users, .topics]

  /// Creates a kind.
  ///
  /// - Parameters:
  ///   - item: The type that decodes an item.
  ///   - common: The qualifiers with their common meaning.
  ///   - own: The qualifiers with a meaning of their own.
  ///   - accept: The media type to request.
  ///   - lacksUpdated: Whether it has no qualifier `updated`, although it sorts by that time.
  init<Item: GitHubItem>(
    _ kind: ResultKind, path: String, reading item: Item.Type, common: [String],
    own: [(name: String, type: QualifierType, field: ResultField?)], fields: Set<ResultField>,
    sorts: [String], accept: String = GitHubClient.json, needsToken: Bool = false, wordsOr: [String]? = nil,
    lacksUpdated: Bool = false, feed: ProviderDescriptor.Feed? = nil
  ) {
    self.kind = kind
    self.path = path
    self.wordsOr = wordsOr
    self.lacksUpdated = lacksUpdated
    let kinds = [kind]
    vocabulary = own.map { QualifierDefinition($0.name, $0.type, field: $0.field, kinds: kinds) }
    var pushes: [String: ProviderDescriptor.Push] = [:]
    pushes.reserveCapacity(common.count + own.count)
    for name in common { pushes[name] = .exact }
    for definition in own { pushes[definition.name] = .exact }
    if lacksUpdated { pushes[GitHubQuery.updated] = .inexact }
    abilities = ProviderDescriptor.KindAbilities(
      qualifiers: pushes, fields: fields, sorts: sorts, booleans: true, needsToken: needsToken,
      maximumPageSize: GitHubProvider.maximumPageSize,
      // Searches that can be split by date have no fixed limit.
      reachable: SplitAxis.date(of: kind) == nil ? GitHubProvider.reachable : nil, feed: feed)
    read = { client, url, request in
      if needsToken { _ = try await client.requiredToken(for: "searching " + path) }
      let (body, response) = try await client.get(
        url, as: SearchResponse<Item>.self, deadline: request.deadline, requests: request.requests,
        accept: accept)
      return (SearchAnswer(body, host: client.host.entityHosts.first ?? GitHubHost.dotCom), response)
    }
  }
}

/// The repository that contains a file, an issue or a commit.
struct BelongingRepository {
  /// Its canonical id.
  var id: String
  /// Its host.
  var host: String

  /// The repository of a page in it.
  ///
  /// - Parameters:
  ///   - object: The repository object of the response, if there is one.
  ///   - page: The address of the page, which on GitHub begins with the repository's address.
  init?(_ object: AnswerObject?, page: String) {
    let beginning = page.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false).prefix(5)
    guard
      let canonical = (object?.text("html_url")).flatMap(RepositoryIdentity.canonical)
        ?? RepositoryIdentity.canonical(beginning.joined(separator: "/")),
      let parts = RepositoryIdentity.components(canonical)
    else { return nil }
    (id, host) = (canonical, parts.host)
  }

  /// The qualifiers that restrict a search to repositories or owners.
  static let qualifiers: [(name: String, type: QualifierType, field: ResultField?)] = [
    ("repo", .text, .repository), ("user", .text, .repository), ("org", .text, .repository),
    ("owner", .text, .repository),
  ]
}

extension SearchResult {
  /// Sets the address, if it is valid.
  mutating func setPage(_ address: String) {
    if HTTPURL(address) != nil { url = address }
  }
}
