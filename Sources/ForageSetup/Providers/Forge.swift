package import ForageCore
import ForageGitHub
package import ForageHTTP

/// A forge of the settings, and where its token is.
package struct Forge: Sendable {
  /// Who its provider is, and what it can do, as far as that is known without the address.
  let info: ProviderInfo
  let kinds: [ResultKind: Abilities]
  /// Its address, or why that cannot be used.
  package var address: Result<ForgeAddress, SearchError>
  /// The variable that holds its token; `nil` for the usual sources.
  package var tokenVariable: String?
  /// The variables with tokens for the repositories of some accounts; empty for one token.
  package var ownedTokens: [OwnedVariable] = []
  /// The variable that the settings name for another host than the one that the environment leads to; its
  /// token is not used.
  package var withheldVariable: String?

  /// The id of its provider.
  package var id: String { info.id }

  /// The hosts of its entities; none where its address cannot be used.
  var hosts: [String] { (try? address.get().entityHosts) ?? [] }

  /// The variables of all its tokens; `nil` for the usual sources.
  var variables: [String?] { ownedTokens.isEmpty ? [tokenVariable] : ownedTokens.map(\.name) }
}

extension Forge {
  /// The id of the built-in provider of GitHub, and the type of further ones.
  static let gitHubID = "github"

  /// Every forge of settings, made when one is asked for; of no settings where those cannot be read.
  static func all(of settings: Once<Settings, ForageError>, environment: [String: String])
    -> Once<[Forge], Never>
  {
    Once { () throws(Never) in all((try? settings.get()) ?? Settings(), environment: environment) }
  }

  /// Every forge in order of precedence, the built-in one first.
  ///
  /// The environment wins over the settings: where it moves the built-in provider to another host, the token
  /// of the settings is not used.
  static func all(_ settings: Settings, environment: [String: String]) -> [Forge] {
    let entry = settings.providers[gitHubID]
    let address = Result { () throws(SearchError) in
      if let problem = settings.problem(of: gitHubID) { throw problem }
      return try mainAddress(entry, environment: environment)
    }
    var main = Forge(gitHub: gitHubID, address, tokenVariable: nil)
    if let entry, let variable = entry.tokenVariable {
      if (try? address.get())?.host == settings.tokenHosts[variable] {
        main = Forge(
          gitHub: gitHubID, address, tokenVariable: variable, ownedTokens: entry.ownedSecrets["token"] ?? [])
      } else {
        main.withheldVariable = variable
      }
    }
    let others = settings.added.compactMap { id -> Forge? in
      guard let entry = settings.providers[id], entry.type == gitHubID else { return nil }
      let address = Result { () throws(SearchError) in
        if let problem = settings.problem(of: id) { throw problem }
        return try ForgeAddress(gitHubAPI: entry.address ?? "", setting: "url", isMain: false)
      }
      return Forge(
        gitHub: id, address, tokenVariable: entry.tokenVariable,
        ownedTokens: entry.ownedSecrets["token"] ?? [])
    }
    return [main] + others
  }

  /// `FORAGE_GITHUB_URL`, else the API of `GH_HOST`, else the `url` of the settings, else github.com.
  private static func mainAddress(_ entry: Settings.Provider?, environment: [String: String])
    throws(SearchError) -> ForgeAddress
  {
    if let base = environment["FORAGE_GITHUB_URL"], !base.isEmpty { return try ForgeAddress(gitHubAPI: base) }
    if let host = environment["GH_HOST"], !host.isEmpty { return try ForgeAddress(gitHubHost: host) }
    if let base = entry?.address { return try ForgeAddress(gitHubAPI: base, setting: "url") }
    return try ForgeAddress(gitHubHost: ForgeAddress.gitHub)
  }

  /// A GitHub server.
  private init(
    gitHub id: String, _ address: Result<ForgeAddress, SearchError>, tokenVariable: String?,
    ownedTokens: [OwnedVariable] = []
  ) {
    let known = try? address.get()
    let other = known.flatMap { id != Self.gitHubID && $0.host != ForgeAddress.gitHub ? $0.host : nil }
    let name = other.map { "GitHub at \($0)" } ?? "GitHub"
    self.init(
      info: GitHubProvider.info(id: id, name: name, at: known), kinds: GitHubProvider.kinds,
      address: address, tokenVariable: tokenVariable, ownedTokens: ownedTokens)
  }
}

/// The forges of the settings.
extension Forage {
  /// Every one, the built-in one first.
  package var forges: [Forge] { configuration.forges.get() }

  /// The forge of the settings that has the entities of a host, enabled or not.
  func forge(at host: String) -> Forge? { forges.first { $0.hosts.contains(host) } }

  /// The forges among the providers of the program that uses the library.
  var addedForges: [any ForgeProvider] { configuration.added.compactMap { $0 as? any ForgeProvider } }

  /// The provider of a forge; where its settings are wrong, one that fails with the reason.
  package func provider(of forge: Forge, _ requestOptions: RequestOptions = RequestOptions())
    -> any ForgeProvider
  {
    do throws(SearchError) {
      return try usableProvider(of: forge, requestOptions)
    } catch {
      return UnusableProvider(
        info: forge.info, kinds: forge.kinds, detailedKinds: Set(forge.kinds.keys), error: error)
    }
  }

  /// The provider of a forge.
  ///
  /// - Throws: `SearchError` for a wrong address or proxy.
  package func usableProvider(of forge: Forge, _ requestOptions: RequestOptions = RequestOptions())
    throws(SearchError) -> any ForgeProvider
  {
    let address = try forge.address.get()
    let client = GitHubClient(
      at: address, transport: try network.transport(), userAgent: "forage/" + Forage.version,
      services: network.services(of: forge.id, requestOptions.cache),
      tokens: ForgeTokens(forge: forge, address: address, credentials: credentials),
      report: { [reporter] in reporter.trace?("\(forge.id): warning: " + $0) })
    return GitHubProvider(
      id: forge.id, name: forge.info.name, client: client, keepsAnswers: requestOptions.keepsAnswers)
  }

  /// The hosts on which a repository is always `owner/name`.
  package var twoLevelHosts: Set<String> {
    Set(forges.compactMap { try? $0.address.get().host } + configuration.twoLevelServers)
  }

  /// The searches that are left of the limit of a forge.
  ///
  /// - Parameters:
  ///   - id: The id of a provider.
  ///   - kinds: What is searched for.
  /// - Returns: `nil` for other providers, and where no answer of the forge has reported it yet.
  package func searchesRemaining(of id: String, _ kinds: [ResultKind]) async -> Int? {
    // Before a token was looked for no answer has told it either.
    guard let forge = forges.first(where: { $0.id == id }), let host = try? forge.address.get().host,
      credentials.accounts.withLock({ $0[host] != nil })
    else { return nil }
    return await provider(of: forge).requestsRemaining(for: kinds == [.code] ? .code : .repo)
  }

  /// With no more requests left than this, only what the user asks for is sent: an hour's work by hand.
  private static let requestsForTheUser = 500
  /// How long a forge is waited for that is asked about its limit.
  private static let limitsTimeout: Duration = .seconds(1)

  /// Whether details of entities of a host may be requested before the user asks for them: on a forge only
  /// with a token of which enough requests are left.
  ///
  /// - Parameters:
  ///   - providers: The ids of those that would be asked.
  ///   - reported: The remaining requests that forges reported when they were asked, by host. Where no answer
  ///     has reported them, a request asks that counts against no limit.
  package func allowsPreviews(
    host: String, of providers: [String], reported: Locked<[String: Int]>
  ) async -> Bool {
    guard let forge = forge(at: host), providers.contains(forge.id) else { return true }
    guard let address = try? forge.address.get(),
      await credentials.token(at: address, variable: forge.tokenVariable) != nil
    else { return false }
    let provider = provider(of: forge)
    var left = await provider.requestsRemaining(for: nil)
    left = left ?? reported.withLock { $0[host] }
    if left == nil {
      guard let limits = try? await provider.limits(deadline: .now + Self.limitsTimeout) else {
        return false
      }
      // A forge without limits reports none.
      let number = limits.first?.remaining ?? .max
      reported.withLock { $0[host] = number }
      left = number
    }
    return left.map { $0 > Self.requestsForTheUser } ?? true
  }
}

/// A list of a forge as the feed of a provider of its own: the stars of an account, or its repositories.
package struct ForgeListProvider: FeedProvider {
  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  private let page: @Sendable (SearchRequest) async throws -> SearchPage

  /// The stars of an account.
  package init(starsOf account: String, at forge: any ForgeProvider) {
    self.init(forge, "stars of \(account)", forge.kinds[.repo]?.feed ?? Abilities.Feed()) {
      try await forge.starred(by: account, $0)
    }
  }

  /// The repositories of an account.
  package init(repositoriesOf owner: String, at forge: any ForgeProvider) {
    self.init(forge, "repositories of \(owner)", Abilities.Feed()) {
      request in
      let owner = try await Self.name(owner, at: forge, deadline: request.deadline)
      return try await RequestOwner.$current.withValue(owner) {
        try await forge.repositories(of: owner, request)
      }
    }
  }

  /// The name of an account; `@me` is that of the credential.
  private static func name(_ owner: String, at forge: any ForgeProvider, deadline: ContinuousClock.Instant)
    async throws -> String
  {
    guard owner.lowercased() == "@me" else { return owner }
    if let forge = forge as? any AccountProvider { return try await forge.login(deadline: deadline) }
    guard let login = try await forge.account(deadline: deadline).login else {
      throw SearchError(
        .invalidResponse, "\(forge.info.name) does not tell whose token it is, so that @me means nobody")
    }
    return login
  }

  private init(
    _ forge: any ForgeProvider, _ list: String, _ feed: Abilities.Feed,
    _ page: @escaping @Sendable (SearchRequest) async throws -> SearchPage
  ) {
    var (info, abilities) = (forge.info, forge.kinds[.repo] ?? Abilities(fields: []))
    info.group += " " + list
    abilities.feed = feed
    (self.info, kinds, self.page) = (info, [.repo: abilities], page)
  }

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    throw SearchError(.unsupportedQuery, "a list of \(info.name) cannot be searched")
  }

  package func feed(_ request: SearchRequest) async throws -> SearchPage { try await page(request) }
}

/// A provider whose settings are wrong: every request fails with the reason, and other providers still work.
package struct UnusableProvider: FeedProvider, ForgeProvider {
  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  package let detailedKinds: Set<ResultKind>
  package let error: SearchError

  init(
    info: ProviderInfo, kinds: [ResultKind: Abilities], detailedKinds: Set<ResultKind> = [],
    error: SearchError
  ) {
    (self.info, self.kinds, self.detailedKinds, self.error) = (info, kinds, detailedKinds, error)
  }

  /// Takes the place of a provider that could be made.
  init(_ provider: any SearchProvider, error: SearchError) {
    self.init(
      info: provider.info, kinds: provider.kinds,
      detailedKinds: (provider as? any DetailsProvider)?.detailedKinds ?? [], error: error)
  }

  /// A provider of which nothing but the id is known.
  init(id: String, error: SearchError) {
    self.init(info: ProviderInfo(id: id), kinds: [.repo: Abilities(fields: [])], error: error)
  }

  package func search(_ request: SearchRequest) async throws -> SearchPage { throw error }

  package func feed(_ request: SearchRequest) async throws -> SearchPage { throw error }

  package func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  { throw error }

  package func account(deadline: ContinuousClock.Instant) async throws -> ForgeAccount { throw error }

  package func limits(deadline: ContinuousClock.Instant) async throws -> [RequestLimit] { throw error }

  package func change(
    _ change: StarChange, of repository: EntityReference, deadline: ContinuousClock.Instant
  ) async throws { throw error }

  package func starred(by account: String?, _ request: SearchRequest) async throws -> SearchPage {
    throw error
  }

  package func repositories(of owner: String, _ request: SearchRequest) async throws -> SearchPage {
    throw error
  }

  package func comments(
    of issue: EntityReference, last count: Int, of total: Int, deadline: ContinuousClock.Instant
  ) async throws -> [FieldValue] { throw error }

  package func contents(
    at path: String, in repository: EntityReference, ref: String?, deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents { throw error }
}
