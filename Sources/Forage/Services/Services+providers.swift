package import ForageCore
package import ForageGitHub
import ForageHTTP
import ForageLocal

/// A built-in provider, with its further instances.
package struct BuiltInProvider: Sendable {
  /// Its type in the settings, whose name is its id.
  package let type: ProviderType
  /// Its abilities as far as they are known without settings.
  package let descriptor: ProviderDescriptor
  /// Makes the provider, and behind it the further instances in the order of the settings.
  let make: @Sendable (Services, Settings, RequestOptions) -> [any SearchProvider]

  /// The id of the provider of the clones on this machine.
  package static let clonesID = LocalProvider.id

  /// All of them, in order of precedence.
  package static let all = [
    BuiltInProvider(
      type: ProviderType(name: GitHubInstance.mainID) { address throws(SearchError) in
        guard let address else { return GitHubHost.dotCom }
        return try GitHubHost(base: address, setting: "url").credentialHost
      },
      descriptor: GitHubProvider.descriptor(id: GitHubInstance.mainID, name: "", host: nil)
    ) { services, _, requestOptions in
      services.instances.map { instance in
        services.provider(instance, requestOptions)
      }
    },
    BuiltInProvider(
      type: ProviderType(name: LocalProvider.id), descriptor: LocalProvider { nil }.descriptor
    ) { services, settings, _ in
      let code = CodeSettings(index: services.codeIndex, maximumFileSize: settings.maximumFileSize)
      return [LocalProvider(code: code) { [store = services.store] in try store.existing() }]
    },
  ]
}

/// A type of providers in the settings.
package struct ProviderType: Sendable {
  /// The value of `type`, and the id of the built-in provider of this type.
  package var name: String
  /// The host of an address, with its port where that is not the default; without an address the host of the built-in provider.
  ///
  /// It throws for an address that is not allowed. `nil`: the type has no addresses, so there is only the built-in provider.
  var host: (@Sendable (_ address: String?) throws(SearchError) -> String)?
  /// Whether it is a plugin or a manifest, which has `config` and `secrets`.
  package var isExternal = false

  package init(name: String, isExternal: Bool = false) {
    self.name = name
    self.isExternal = isExternal
  }

  init(name: String, host: @escaping @Sendable (_ address: String?) throws(SearchError) -> String) {
    self.name = name
    self.host = host
  }
}

/// Providers and clients for GitHub servers.
extension Services {
  /// The provider for a GitHub server; where its settings are wrong, one that fails with the reason.
  ///
  /// - Parameters:
  ///   - user: The account whose stars are its feed, `nil` for the token's owner.
  package func provider(
    _ instance: GitHubInstance, _ requestOptions: RequestOptions = RequestOptions(),
    starsOf user: String? = nil
  ) -> any SearchProvider {
    do throws(SearchError) {
      return GitHubProvider(
        id: instance.id, name: instance.name, client: try client(instance, requestOptions),
        depth: requestOptions.depth(instance.id), starsOf: user)
    } catch {
      let descriptor = GitHubProvider.descriptor(
        id: instance.id, name: instance.name, host: try? instance.host.get())
      return UnusableProvider(descriptor: descriptor, error: error)
    }
  }

  /// The client for a GitHub server.
  ///
  /// - Throws: `SearchError` with code `configuration` for a wrong address or proxy.
  package func client(
    _ instance: GitHubInstance, _ requestOptions: RequestOptions = RequestOptions()
  ) throws(SearchError) -> GitHubClient {
    let host = try instance.host.get()
    let finder = tokenFinder
    let (owners, accounts) = (finder.owners, accounts)
    let variable = instance.tokenVariable
    return GitHubClient(
      host: host, transport: try transport(), userAgent: "forage/" + Self.version,
      services: httpServices(of: instance.id, requestOptions),
      tokenHint: { instance.tokenHint(owners) },
      report: { [reporter] in reporter.trace?("\(instance.id): warning: " + $0) },
      token: {
        let token = await finder.find(host, variable: variable).token
        let fingerprint = token?.fingerprint ?? ""
        accounts.withLock { $0[host.credentialHost] = fingerprint }
        return token
      })
  }

  /// The searches that are left of the limit of a GitHub server.
  ///
  /// - Parameters:
  ///   - id: The id of a provider.
  ///   - kinds: What is searched for.
  /// - Returns: `nil` for other providers, and where the server has not told it yet.
  package func searchesLeft(of id: String, _ kinds: [ResultKind]) -> Int? {
    guard let host = try? instances.first(where: { $0.id == id })?.host.get().credentialHost else {
      return nil
    }
    return budgets.remaining(
      host: host, credential: accounts.withLock({ $0[host] }).flatMap { $0.isEmpty ? nil : $0 },
      resource: kinds == [.code] ? "code_search" : "search")
  }

  /// With no more requests left than this, only what the user asks for is sent: an hour's work by hand.
  private static let requestsForTheUser = 500
  /// How long a server is waited for that is asked what is left.
  private static let limitsTimeout: Duration = .seconds(1)

  /// Whether details of entities of a host may be requested before the user asks for them: on a GitHub server only with a token of which
  /// enough requests are left.
  ///
  /// - Parameters:
  ///   - providers: The ids of those that would be asked.
  ///   - told: What servers said was left when they were asked, by host: where no answer has told it, a request asks that counts
  ///     against no limit.
  package func allowsPreviews(host: String, of providers: [String], told: Locked<[String: Int]>) async -> Bool
  {
    guard let instance = instance(at: host), providers.contains(instance.id),
      let server = try? instance.host.get()
    else { return true }
    guard let token = await tokenFinder.find(server, variable: instance.tokenVariable).token else {
      return false
    }
    var left = budgets.remaining(
      host: server.credentialHost, credential: token.fingerprint, resource: "core")
    left = left ?? told.withLock { $0[host] }
    if left == nil {
      guard let limits = try? await client(instance).limits(deadline: .now + Self.limitsTimeout) else {
        return false
      }
      // A server without limits tells none.
      let number = limits.first { $0.resource == "core" }?.remaining ?? .max
      told.withLock { $0[host] = number }
      left = number
    }
    return left.map { $0 > Self.requestsForTheUser } ?? true
  }

  /// Makes each provider be asked once more, whatever failed before.
  package func admitNextRequests() { breaker.admitNextRequests() }

  /// The hosts on which a repository is always `owner/name`.
  package var twoLevelHosts: Set<String> {
    Set(credentials.get().instances.compactMap { try? $0.host.get().credentialHost })
  }

  /// The hosts that a name without one may mean, the usual one first.
  package var plainHosts: [String] {
    (try? instances.first?.host.get().entityHosts) ?? [GitHubHost.dotCom]
  }

  /// Every GitHub of the settings, the built-in one first.
  package var instances: [GitHubInstance] { credentials.get().instances }

  /// The GitHub of the settings that has the entities of a host.
  package func instance(at host: String) -> GitHubInstance? {
    instances.first { (try? $0.host.get())?.entityHosts.contains(host) == true }
  }

  /// Finds tokens, not before a request is sent.
  package var tokenFinder: TokenFinder { credentials.get().finder }
}

/// A provider whose settings are wrong: every request fails with the reason, and other providers still work.
package struct UnusableProvider: SearchProvider {
  package let descriptor: ProviderDescriptor
  package let error: SearchError

  package func search(_ request: SearchRequest) async throws -> SearchPage { throw error }

  package func feed(_ request: SearchRequest) async throws -> SearchPage { throw error }

  package func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
  {
    throw error
  }
}
