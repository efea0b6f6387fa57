/// A source of search results.
///
/// The protocol is the contract between the federation and its providers:
///
/// - The descriptor is constant.
/// - `search` returns one page at a time. Items are in the provider's own order, best first. Ranks are
///   counted across pages.
/// - An error loses the page and ends the list; earlier pages are kept. Throw `SearchError` if the cause is
///   known, so that the user sees a message and a hint.
/// - A provider that has nothing to search, for example an empty catalogue, throws code `nothingToAsk` for
///   the first page, with the reason as message. One that turns out not to support the query throws
///   `unsupportedQuery`. In both cases it counts as not asked: no results are missing, and the reason is
///   reported only if the user asks for it.
/// - When the task is cancelled, return or throw soon. The search does not wait, and discards the result.
/// - Calls may run concurrently on any thread, and may block: each provider of a search has a thread of its
///   own.
public protocol SearchProvider: Sendable {
  /// The identity and abilities of the provider.
  var descriptor: ProviderDescriptor { get }

  /// Returns the complete descriptor of a provider that must be started to know it, for example a plugin.
  ///
  /// Called before the first page of a kind if the descriptor is provisional, in the provider's own task: within
  /// its time limit, and without delay for other providers. Id, group, hosts and time
  /// limit must be the same as there.
  ///
  /// - Parameter deadline: When the call times out.
  /// - Returns: The complete descriptor; the default implementation returns `descriptor`.
  /// - Throws: `SearchError` if the provider cannot be asked, which becomes its outcome.
  func declaration(deadline: ContinuousClock.Instant) async throws -> ProviderDescriptor

  /// Returns one page of results.
  ///
  /// - Parameter request: The request. Its query contains only conditions that the descriptor declares.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: `SearchError`, or any other error, which is reported as `other`.
  func search(_ request: SearchRequest) async throws -> SearchPage

  /// Returns one page of the feed of a kind for which the descriptor declares one.
  ///
  /// The rules for pages, cursors and errors are those of `search`.
  ///
  /// - Parameter request: The request. Its query is `nil`; its sort key is one of the feed's.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: As `search`; the default implementation throws `unsupportedQuery`.
  func feed(_ request: SearchRequest) async throws -> SearchPage

  /// Returns everything that is known about an entity, which may take several requests.
  ///
  /// The answer lists the parts that are missing.
  ///
  /// - Parameters:
  ///   - id: The entity, of any kind.
  ///   - deadline: When the call times out.
  ///   - requests: Counts the requests.
  /// - Returns: The entity; `nil` if it does not exist or its kind is not supported.
  /// - Throws: `SearchError` if nothing is known; the default implementation throws `unsupportedQuery`.
  func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
}

extension SearchProvider {
  /// Returns `descriptor`.
  public func declaration(deadline: ContinuousClock.Instant) async throws -> ProviderDescriptor { descriptor }

  /// Throws `unsupportedQuery`.
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    throw SearchError(.unsupportedQuery, "\(descriptor.name) has no feed")
  }

  /// Throws `unsupportedQuery`.
  public func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
  {
    throw SearchError(.unsupportedQuery, "\(descriptor.name) has no details")
  }
}
