package import ForageCore
package import ForageGitHub

/// How providers are asked, for one search or one page.
package struct RequestOptions: Sendable {
  package var cache: CacheMode
  /// The ids that the user named; where all are built in, plugins and manifests are not searched for.
  package var named: [String]
  /// Whether plugins and manifests that are not enabled are needed, too.
  package var everything: Bool
  /// How far a search may go beyond the results that one query returns, by the provider's id.
  package var depth: @Sendable (_ provider: String) -> SearchDepth

  package init(
    cache: CacheMode = .normal, named: [String] = [], everything: Bool = false,
    depth: @escaping @Sendable (_ provider: String) -> SearchDepth = { _ in SearchDepth() }
  ) {
    self.cache = cache
    self.named = named
    self.everything = everything
    self.depth = depth
  }
}
