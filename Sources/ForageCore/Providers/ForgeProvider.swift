public import ForageFoundation

/// A provider of a forge: a place with accounts, where repositories can be starred and read.
///
/// `Forage` uses the forges of the settings, and those that a program adds: for their hosts repositories are
/// starred, comments of issues read and files shown as for GitHub.
///
/// A forge that lacks one of these throws `unsupportedQuery`, as the default implementations do.
public protocol ForgeProvider: DetailsProvider {
  /// Tests the credential with one request that is never answered from the cache.
  ///
  /// - Returns: The account; the forge accepts the credential.
  /// - Throws: `SearchError` with code `unauthorized` if the forge refuses it; any other one leaves it
  ///   untested.
  func account(deadline: ContinuousClock.Instant) async throws -> ForgeAccount

  /// Requests the limits of the credential, which counts against none of them.
  ///
  /// - Returns: The limits, that of details first; empty for a forge without limits.
  /// - Throws: `SearchError`.
  func limits(deadline: ContinuousClock.Instant) async throws -> [RequestLimit]

  /// Finds what the forge does not permit to the credential, although it accepts it.
  ///
  /// - Returns: Each as a note, whose message continues a sentence about the credential.
  /// - Throws: `SearchError`.
  func restrictions(deadline: ContinuousClock.Instant) async throws -> [Note]

  /// The requests that remain for a kind of results, as earlier answers reported; `nil` if that is unknown.
  ///
  /// - Parameter kind: The kind that is searched for; `nil` for details of an entity.
  func requestsRemaining(for kind: ResultKind?) async -> Int?

  /// The pause between two changes that the forge asks for.
  var pauseBetweenChanges: Duration { get }

  /// Adds the star of the credential's account, or removes it; a change that is lost is not repeated.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - repository: A repository of this forge.
  ///   - deadline: When the call times out.
  /// - Throws: `SearchError`, whose message says whether the outcome is unknown.
  func change(_ change: StarChange, of repository: EntityReference, deadline: ContinuousClock.Instant)
    async throws

  /// Returns one page of the repositories that an account has starred, newest first.
  ///
  /// - Parameters:
  ///   - account: The name of the account; `nil` for that of the credential.
  ///   - request: As for a feed of repositories.
  /// - Throws: `SearchError`, with code `notFound` if there is no such account.
  func starred(by account: String?, _ request: SearchRequest) async throws -> SearchPage

  /// Returns a repository without the parts that need requests of their own.
  ///
  /// - Parameters:
  ///   - repository: A repository of this forge, by any name that it has or had.
  ///   - deadline: When the call times out.
  /// - Returns: `nil` if there is none.
  /// - Throws: `SearchError`.
  func repository(_ repository: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> SearchResult?

  /// Returns one page of the repositories of an account.
  ///
  /// - Parameters:
  ///   - owner: The name of the account.
  ///   - request: As for a feed of repositories.
  /// - Throws: `SearchError`, with code `notFound` if there is no such account.
  func repositories(of owner: String, _ request: SearchRequest) async throws -> SearchPage

  /// Returns the last comments of an issue.
  ///
  /// - Parameters:
  ///   - issue: An issue of this forge.
  ///   - count: The number of comments wanted, 1 to 100.
  ///   - total: The number of comments that it has.
  ///   - deadline: When the call times out.
  /// - Returns: Records of `author`, `createdAt` and `text`, oldest first.
  /// - Throws: `SearchError`.
  func comments(of issue: EntityReference, last count: Int, of total: Int, deadline: ContinuousClock.Instant)
    async throws -> [FieldValue]

  /// Marks notifications of the credential's account as read; a change that is lost is not repeated.
  ///
  /// - Throws: `SearchError`, whose message says whether the outcome is unknown.
  func markRead(_ what: ReadNotifications, deadline: ContinuousClock.Instant) async throws

  /// Returns the address of the page on which the forge itself shows a search; nothing is requested.
  ///
  /// - Parameters:
  ///   - query: The whole query, with qualifiers that `kinds` may lack.
  ///   - kind: A kind of `kinds`.
  ///   - sort: One of the kind's sort keys; `nil` for the order of the forge.
  ///   - order: The direction of `sort`.
  /// - Returns: An address of the web; `nil` if there is no page for this search.
  func searchPage(of query: QueryExpression, kind: ResultKind, sort: String?, order: SortOrder) -> String?

  /// Returns the address of the page of an entity; nothing is requested.
  ///
  /// - Returns: An address of the web; `nil` for the usual one, as GitHub has it.
  func page(of entity: EntityReference) -> String?

  /// Returns what is at a path of a repository: a file, a folder, a link or a submodule.
  ///
  /// - Parameters:
  ///   - path: The path without a slash at its beginning; empty for the root.
  ///   - repository: A repository of this forge.
  ///   - ref: A branch, tag or commit; `nil` for the default branch.
  ///   - deadline: When the call times out.
  /// - Throws: `SearchError`, with code `notFound` if there is none.
  func contents(
    at path: String, in repository: EntityReference, ref: String?, deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents
}

/// Which notifications are marked as read.
public enum ReadNotifications: Hashable, Sendable {
  /// One, by the field `thread` of its result.
  case thread(String)
  /// All that were updated until a time.
  case all(until: Date)
}

extension ForgeProvider {
  /// Unknown.
  public func requestsRemaining(for kind: ResultKind?) async -> Int? { nil }

  /// None.
  public func restrictions(deadline: ContinuousClock.Instant) async throws -> [Note] { [] }

  /// No limits.
  public func limits(deadline: ContinuousClock.Instant) async throws -> [RequestLimit] { [] }

  /// None.
  public var pauseBetweenChanges: Duration { .zero }

  /// Throws `unsupportedQuery`.
  public func change(
    _ change: StarChange, of repository: EntityReference, deadline: ContinuousClock.Instant
  ) async throws { throw lack("stars") }

  /// Throws `unsupportedQuery`.
  public func starred(by account: String?, _ request: SearchRequest) async throws -> SearchPage {
    throw lack("stars")
  }

  /// The item of the details.
  public func repository(_ repository: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> SearchResult?
  { try await details(of: repository, deadline: deadline)?.item }

  /// Throws `unsupportedQuery`.
  public func repositories(of owner: String, _ request: SearchRequest) async throws -> SearchPage {
    throw lack("list of the repositories of an account")
  }

  /// Throws `unsupportedQuery`.
  public func comments(
    of issue: EntityReference, last count: Int, of total: Int, deadline: ContinuousClock.Instant
  ) async throws -> [FieldValue] { throw lack("comments") }

  /// Throws `unsupportedQuery`.
  public func markRead(_ what: ReadNotifications, deadline: ContinuousClock.Instant) async throws {
    throw lack("notifications")
  }

  /// Throws `unsupportedQuery`.
  public func contents(
    at path: String, in repository: EntityReference, ref: String?, deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents { throw lack("files") }

  /// None.
  public func searchPage(of query: QueryExpression, kind: ResultKind, sort: String?, order: SortOrder)
    -> String?
  { nil }

  /// The usual one.
  public func page(of entity: EntityReference) -> String? { nil }

  package func lack(_ what: String) -> SearchError {
    SearchError(.unsupportedQuery, "\(info.name) has no \(what)")
  }
}

/// The account of a credential, as the forge reports it.
public struct ForgeAccount: Hashable, Sendable {
  /// The name of the account; `nil` for a credential that has none, such as that of an app.
  public var login: String?
  /// The scopes of the credential; `nil` where the forge names none.
  public var scopes: [String]?
  /// Why the forge names no scopes, for a forge whose credentials may have some.
  package var unknownScopes: String?

  /// Creates an account.
  public init(login: String? = nil, scopes: [String]? = nil) {
    self.login = login
    self.scopes = scopes
  }
}

/// A limit on requests.
public struct RequestLimit: Hashable, Sendable {
  /// The name of the limit, for example `search`.
  public var resource: String
  /// The requests allowed in a period.
  public var limit: Int
  /// The requests left in this period.
  public var remaining: Int
  /// When the period ends, by the local clock; `nil` if the forge does not report it.
  public var resetAt: Date?

  /// Creates a limit.
  public init(resource: String, limit: Int, remaining: Int, resetAt: Date? = nil) {
    self.resource = resource
    self.limit = limit
    self.remaining = remaining
    self.resetAt = resetAt
  }
}

/// A change of the star that a user gives a repository.
public enum StarChange: Sendable, Hashable {
  /// Adds a star.
  case add
  /// Removes a star.
  case remove

  /// The resulting state of the repository.
  package var done: String { self == .add ? "starred" : "unstarred" }
}

extension SearchError {
  /// Whether the server may have made a change before it failed so: the request may have reached it, and the
  /// error is no refusal.
  package var leavesOutcomeUnknown: Bool {
    [.serverError, .connectionLost, .timeout, .invalidResponse, .responseTooLarge].contains(code)
  }

  /// The same error of a request that changes a star, which says where it may have been changed.
  ///
  /// - Parameters:
  ///   - name: `owner/name`.
  ///   - secret: What the request was allowed by: "the token".
  ///   - rights: What to check of it.
  package func changing(
    _ change: StarChange, of name: String, with secret: String, rights: String
  ) -> SearchError {
    if code == .notFound {
      return SearchError(
        .notFound,
        "\(name) does not exist, is private and not visible to you, or \(secret) may not change stars",
        hint: "check the name\(rights)")
    }
    guard leavesOutcomeUnknown else { return self }
    var error = self
    error.message += "; it is unknown whether \(name) is \(change.done)"
    error.hint = "check your stars; the change can be repeated safely"
    error.subject = name
    return error
  }

  /// The same error of a request that marks notifications as read, which says where they may have been.
  package var markingRead: SearchError {
    guard leavesOutcomeUnknown else { return self }
    var error = self
    error.message += "; it is unknown whether it is read"
    error.hint = "see: forage feed -k notification; it can be repeated safely"
    return error
  }
}

/// The contents of a path of a repository.
public enum RepositoryContents: Sendable {
  /// The bytes of a file.
  case file([UInt8])
  /// The names in a folder, those of folders with `/` at their end, and whether there are more.
  case folder([String], hasMore: Bool)
  /// The target of a symbolic link that the forge has not followed.
  case link(String)
  /// The commit of a submodule.
  case submodule(String)
}
