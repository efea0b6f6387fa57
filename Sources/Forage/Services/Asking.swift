package import ForageGitHub
package import ForageHTTP

/// How providers are asked, for one search or one page.
package struct Asking: Sendable {
  /// How cached answers are used.
  package var cache: HTTPCachePolicy.Mode
  /// The ids that the user named; where all are built in, plugins and manifests are not searched for.
  package var named: [String]
  /// Whether plugins and manifests that are not enabled are needed, too.
  package var everything: Bool
  /// How far a search may go beyond the results that one query returns, by the provider's id.
  package var reach: @Sendable (_ provider: String) -> SearchReach
  /// Takes the start of a wait for a rate limit, `nil` for the reporter of the services.
  package var waiting: (@Sendable (_ provider: String, _ duration: Duration) -> Void)?

  package init(
    cache: HTTPCachePolicy.Mode = .normal, named: [String] = [], everything: Bool = false,
    reach: @escaping @Sendable (_ provider: String) -> SearchReach = { _ in SearchReach() },
    waiting: (@Sendable (_ provider: String, _ duration: Duration) -> Void)? = nil
  ) {
    self.cache = cache
    self.named = named
    self.everything = everything
    self.reach = reach
    self.waiting = waiting
  }
}
