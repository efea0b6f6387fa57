package import ForageCore
import ForageFoundation
package import ForageHTTP
package import ForagePluginHost

/// A provider of a plugin that is not asked before the end of a limit that it has reported to this process; the plugin is not started
/// for it either.
package struct LimitedPlugin: FeedProvider, DetailsProvider {
  package let provider: any SearchProvider
  private let budgets: RateBudgets
  private let host: String
  /// Distinguishes the files, settings and secrets that the limit was reported with: with others the plugin is asked again.
  private let credential: String

  /// Marks the plugins among the hosts of limits; no host can begin with it.
  private static let mark = "plugin:"

  package init(
    _ provider: any SearchProvider, of plugin: FoundPlugin, _ entry: Settings.Provider,
    environment: [String: String], budgets: RateBudgets
  ) {
    self.provider = provider
    self.budgets = budgets
    host = Self.mark + plugin.id
    let secrets = entry.secrets.mapValues { JSONTree.string(environment[$0] ?? "") }
    var identity = JSONWriter()
    identity.write(.array([.string(plugin.stamp), .object(entry.config), .object(secrets)]))
    credential = identity.bytes.fingerprint
  }

  package var info: ProviderInfo { provider.info }

  package var kinds: [ResultKind: Abilities] { provider.kinds }

  package var detailedKinds: Set<ResultKind> { (provider as? any DetailsProvider)?.detailedKinds ?? [] }

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    try await page { try await provider.search(request) }
  }

  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    try await page { try await provider.page(ofFeed: request) }
  }

  package func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    guard let provider = provider as? any DetailsProvider else { return nil }
    let details = try await limited { try await provider.details(of: id, deadline: deadline) }
    if let limit = details?.limit { _ = block(for: limit) }
    return details
  }

  private func page(_ ask: () async throws -> SearchPage) async throws -> SearchPage {
    var page = try await limited(ask)
    page.failure = page.failure.map(kept)
    if let limit = page.limit { _ = block(for: limit) }
    return page
  }

  /// Asks, unless a limit holds, and keeps the limit that the answer reports.
  private func limited<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
    if let end = budgets.end(host: host, credential: credential, resource: info.id) {
      let now = Date()
      let seconds = end.wholeSeconds(after: now)
      throw SearchError(
        .rateLimited,
        "the limit of \(info.name) is exceeded until \(Timestamp.moment(end, now: now)), so it was not asked",
        hint: "try again in \(LimitAdvice.wait(seconds: seconds))",
        retryAfterMilliseconds: seconds * 1000)
    }
    do {
      return try await ask()
    } catch let error as SearchError {
      throw kept(error)
    }
  }

  /// Keeps the limit of an error.
  ///
  /// - Returns: The error with the end of the limit in its message.
  private func kept(_ error: SearchError) -> SearchError {
    guard error.code == .rateLimited, let wait = error.retryAfterMilliseconds, wait > 0 else { return error }
    let end = block(for: .milliseconds(wait))
    var error = error
    error.message += " (until \(Timestamp.moment(end, now: Date())))"
    return error
  }

  private func block(for wait: Duration) -> Date {
    budgets.block(host: host, credential: credential, resource: info.id, for: wait)
  }
}
