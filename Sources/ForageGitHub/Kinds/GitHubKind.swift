import ForageCore
import ForageHTTP

/// One kind of GitHub's results: what its search can do, where it is asked, and how its answers are read.
struct GitHubKind: Sendable {
  /// Reads the answer at an address.
  typealias Read =
    @Sendable (GitHubClient, HTTPURL, SearchRequest) async throws -> (SearchAnswer, HTTPResponse)

  /// The kind.
  let kind: ResultKind
  /// The last part of the path of its search.
  let path: String
  /// What its search can do.
  let abilities: ProviderDescriptor.KindAbilities
  /// What its qualifiers mean beside the common ones, or other than those.
  let vocabulary: [QualifierDefinition]
  /// Qualifiers that can stand in for a word; `nil` where GitHub needs no word.
  let wordsOr: [String]?
  /// Whether it has no qualifier `updated`, although it sorts by that time.
  let lacksUpdated: Bool
  let read: Read

  /// Every kind that GitHub has a search for.
  static let all: [GitHubKind] = [.repositories, .code, .issues, .commits, .users, .topics]

  /// Creates a kind.
  ///
  /// - Parameters:
  ///   - item: How an item of its answers is read.
  ///   - common: The qualifiers that mean what they mean everywhere.
  ///   - own: Those that it has for itself.
  ///   - accept: The media type asked for.
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
      // What can be cut into pieces by date has no end that is known beforehand.
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

/// The repository that a file, an issue or a commit belongs to.
struct BelongingRepository {
  /// Its canonical id.
  var id: String
  /// Its forge.
  var host: String

  /// The repository of a page within it.
  ///
  /// - Parameters:
  ///   - object: What the answer tells of the repository, where it does.
  ///   - page: The address of the page: on GitHub every one begins with the repository's own.
  init?(_ object: AnswerObject?, page: String) {
    let beginning = page.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false).prefix(5)
    guard
      let canonical = (object?.text("html_url")).flatMap(RepositoryIdentity.canonical)
        ?? RepositoryIdentity.canonical(beginning.joined(separator: "/")),
      let parts = RepositoryIdentity.components(canonical)
    else { return nil }
    (id, host) = (canonical, parts.host)
  }

  /// The names of what GitHub lets one search within, read off the repository.
  static let qualifiers: [(name: String, type: QualifierType, field: ResultField?)] = [
    ("repo", .text, .repository), ("user", .text, .repository), ("org", .text, .repository),
    ("owner", .text, .repository),
  ]
}

extension SearchResult {
  /// Sets the address, where it is one.
  mutating func setPage(_ address: String) {
    if HTTPURL(address) != nil { url = address }
  }
}
