import ForageCore
import ForageGitHub
import ForageHTTP

/// The GitHub servers of the settings: the built-in `github` and further ones.
enum GitHubServers {
  /// The id of the built-in provider.
  private static let mainID = "github"
  static let dotCom = GitHubHost.dotCom

  /// The type of GitHub servers in the settings.
  static let type = ProviderType(name: mainID) { address throws(SearchError) in
    guard let address else { return dotCom }
    return try GitHubHost(base: address, setting: "url").credentialHost
  }

  /// What is known of the built-in provider without settings.
  static let info = GitHubProvider.info(id: mainID, name: "", host: nil)
  static let kinds = GitHubProvider.kinds

  // MARK: Servers

  /// Every server in order of precedence, the built-in one first.
  ///
  /// The environment wins over the settings: where it moves the built-in provider to another host, the token of the settings is not used.
  static func forges(_ settings: Settings, environment: [String: String]) -> [Forge] {
    let entry = settings.providers[mainID]
    let host = Result { () throws(SearchError) in
      if let problem = settings.problem(of: mainID) { throw problem }
      return try mainHost(entry, environment: environment)
    }
    var main = forge(mainID, host, tokenVariable: nil)
    if let variable = entry?.tokenVariable {
      if (try? host.get())?.credentialHost == settings.tokenHosts[variable] {
        main = forge(mainID, host, tokenVariable: variable)
      } else {
        main.withheldVariable = variable
      }
    }
    let others = settings.added.compactMap { id -> Forge? in
      guard let entry = settings.providers[id], entry.type == mainID else { return nil }
      let host = Result { () throws(SearchError) in
        if let problem = settings.problem(of: id) { throw problem }
        return try GitHubHost(base: entry.address ?? "", setting: "url", isMain: false)
      }
      return forge(id, host, tokenVariable: entry.tokenVariable)
    }
    return [main] + others
  }

  /// `FORAGE_GITHUB_URL`, else the API of `GH_HOST`, else the `url` of the settings, else github.com.
  private static func mainHost(_ entry: Settings.Provider?, environment: [String: String])
    throws(SearchError) -> GitHubHost
  {
    if let base = environment["FORAGE_GITHUB_URL"], !base.isEmpty { return try GitHubHost(base: base) }
    if let host = environment["GH_HOST"], !host.isEmpty { return try GitHubHost(host: host) }
    if let base = entry?.address { return try GitHubHost(base: base, setting: "url") }
    return try GitHubHost(host: dotCom)
  }

  private static func forge(
    _ id: String, _ host: Result<GitHubHost, SearchError>, tokenVariable: String?
  ) -> Forge {
    let known = try? host.get()
    let other = known.flatMap { id != mainID && $0.credentialHost != dotCom ? $0.credentialHost : nil }
    let name = other.map { "GitHub at \($0)" } ?? "GitHub"
    return Forge(
      info: GitHubProvider.info(id: id, name: name, host: known), kinds: kinds,
      address: host.map(ForgeAddress.init), tokenVariable: tokenVariable,
      tokenHint: { owners in tokenHint(known, variable: tokenVariable, owners) },
      make: { forage, requestOptions throws(SearchError) in
        let client = try client(id, try host.get(), tokenVariable: tokenVariable, forage, requestOptions)
        return GitHubProvider(id: id, name: name, client: client)
      })
  }

  private static func client(
    _ id: String, _ host: GitHubHost, tokenVariable variable: String?, _ forage: Forage,
    _ requestOptions: RequestOptions
  ) throws(SearchError) -> GitHubClient {
    let credentials = forage.credentials
    return GitHubClient(
      host: host, transport: try forage.network.transport(), userAgent: "forage/" + Forage.version,
      services: forage.network.services(of: id, requestOptions.cache),
      tokenHint: { tokenHint(host, variable: variable, credentials.finder.owners) },
      report: { [reporter = forage.reporter] in reporter.trace?("\(id): warning: " + $0) },
      token: { await credentials.token(at: ForgeAddress(host), variable: variable) })
  }

  // MARK: Tokens

  /// The variables that hold tokens: the first two are for github.com, the other two for other hosts.
  static let tokenVariables = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]

  /// Whether a variable holds the token of github.com.
  static func isForUsualHost(_ variable: String) -> Bool { tokenVariables.prefix(2).contains(variable) }

  /// Whether a variable can hold the token of a host; one with another name can be for any host.
  static func isMeant(_ variable: String, for host: String) -> Bool {
    !tokenVariables.contains(variable) || (host == dotCom) == isForUsualHost(variable)
  }

  /// The one host that each variable with a token is for.
  ///
  /// The settings decide first. `GH_ENTERPRISE_TOKEN` and `GITHUB_ENTERPRISE_TOKEN`, which name no host, are otherwise for the host of the
  /// built-in provider when that is not github.com, else for the only other host; with several other hosts they are for none, as with
  /// settings of a provider that are not understood, which may name another host.
  static func tokenOwners(_ forges: [Forge], _ settings: Settings) -> [String: String] {
    var owners = settings.tokenHosts
    guard let main = try? forges.first?.address.get().host else { return owners }
    let hosts = Set(forges.compactMap { try? $0.address.get().host }).subtracting([dotCom])
    let isOnly = hosts.count == 1 && settings.brokenProviders.isEmpty
    let owner = main != dotCom ? main : isOnly ? hosts.first : nil
    for variable in tokenVariables where owners[variable] == nil && !isMeant(variable, for: dotCom) {
      owners[variable] = owner
    }
    return owners
  }

  /// How to provide a token for a server.
  private static func tokenHint(_ host: GitHubHost?, variable: String?, _ owners: [String: String]) -> String
  {
    if let variable { return "set \(variable), which the settings name for it" }
    guard let host = host?.credentialHost else { return "set GH_TOKEN or run: gh auth login" }
    let usable = tokenVariables.first { name in
      isMeant(name, for: host) && (host == dotCom || owners[name] == host)
    }
    let login = host == dotCom ? "gh auth login" : "gh auth login --hostname \(host)"
    guard let usable else {
      return
        "add a variable with its token to the settings, secrets: {token: {env: NAME}}, or run: \(login)"
    }
    return "set \(usable) or run: \(login)"
  }
}

extension ForgeAddress {
  init(_ host: GitHubHost) {
    self.init(api: host.api.text, host: host.credentialHost, entityHosts: host.entityHosts)
  }
}
