import ForageCore
import ForageGitHub
import ForageHTTP
import Synchronization

/// Providers and clients for GitHub servers.
extension Context {
  /// The provider for a GitHub server; where its settings are wrong, one that fails with the reason.
  ///
  /// - Parameters:
  ///   - reach: How far a search may go beyond the results that one query returns.
  ///   - user: The account whose stars are its feed, `nil` for the token's owner.
  func provider(
    _ instance: GitHubInstance, _ settings: Settings, isNamed: Bool,
    reach: SearchReach = SearchReach(), starsOf user: String? = nil
  ) -> any SearchProvider {
    do throws(SearchError) {
      return GitHubProvider(
        id: instance.id, name: instance.name, client: try client(instance, settings, isNamed: isNamed),
        reach: reach, starsOf: user)
    } catch {
      let descriptor = GitHubProvider.descriptor(
        id: instance.id, name: instance.name, host: try? instance.host.get())
      return UnusableProvider(descriptor: descriptor, error: error)
    }
  }

  /// The client for a GitHub server.
  ///
  /// - Throws: `SearchError` with code `configuration` for a wrong address or proxy.
  func client(_ instance: GitHubInstance, _ settings: Settings, isNamed: Bool = false) throws(SearchError)
    -> GitHubClient
  {
    let host = try instance.host.get()
    let (finder, owners) = tokenFinder(settings)
    let variable = instance.tokenVariable
    return GitHubClient(
      host: host, transport: try transport(), userAgent: "forage/" + Self.version,
      services: httpServices(of: instance.id),
      isNamed: isNamed, tokenHint: { instance.tokenHint(owners) },
      token: { [weak self] in
        let token = await finder.find(host, variable: variable).token
        let fingerprint = token.map { CredentialFingerprint.of($0.secret) } ?? ""
        self?.accounts.withLock { $0[host.credentialHost] = fingerprint }
        return token
      })
  }

  /// The hosts on which a repository is always `owner/name`.
  func twoLevelHosts(_ settings: Settings) -> Set<String> {
    Set(
      GitHubInstance.all(settings, environment: environment).compactMap {
        try? $0.host.get().credentialHost
      })
  }

  /// The environment for programs that need no token: a pager, a browser, git.
  var environmentWithoutTokens: [String: String] {
    let owners = finder.withLock { $0?.owners } ?? [:]
    let others = secretVariables.withLock { $0 }
    return environment.filter { name, _ in
      !TokenFinder.tokenVariables.contains(name) && owners[name] == nil && !others.contains(name)
    }
  }

  /// Finds tokens, not before a request is sent; and the one host of each variable with a token.
  func tokenFinder(_ settings: Settings) -> (finder: TokenFinder, owners: [String: String]) {
    finder.withLock { finder in
      if let finder { return (finder, finder.owners) }
      let instances = GitHubInstance.all(settings, environment: environment)
      self.instances.withLock { $0 = instances }
      let owners = GitHubInstance.tokenOwners(instances, settings)
      let made = TokenFinder(
        environment: environment, child: .live { [weak self] in self?.trace($0) }, owners: owners)
      finder = made
      return (made, owners)
    }
  }
}
