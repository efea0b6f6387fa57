package import ForageCore
package import ForageGitHub

/// A GitHub server: the built-in `github`, or another one of the settings.
package struct GitHubInstance: Sendable {
  /// The id of the built-in provider.
  package static let mainID = "github"
  package static let dotCom = GitHubHost.dotCom

  package var id: String
  /// The server, or why its address cannot be used.
  package var host: Result<GitHubHost, SearchError>
  /// The variable that holds its token; `nil` for the usual sources.
  package var tokenVariable: String?
  /// The variable that the settings name for another host than the one that the environment leads to; its token is not used.
  package var withheldVariable: String?

  package var name: String {
    guard id != Self.mainID, let host = try? host.get().credentialHost, host != GitHubHost.dotCom else {
      return "GitHub"
    }
    return "GitHub at \(host)"
  }

  /// Every GitHub server in order of precedence, the built-in one first.
  ///
  /// The environment wins over the settings: where it moves the built-in provider to another host, the token of the settings is not used.
  package static func all(_ settings: Settings, environment: [String: String]) -> [GitHubInstance] {
    let entry = settings.providers[mainID]
    let host = Result { () throws(SearchError) in try mainHost(entry, environment: environment) }
    var main = GitHubInstance(id: mainID, host: host)
    if let variable = entry?.tokenVariable {
      if (try? host.get())?.credentialHost == settings.tokenHosts[variable] {
        main.tokenVariable = variable
      } else {
        main.withheldVariable = variable
      }
    }
    let others = settings.added.compactMap { id -> GitHubInstance? in
      guard let entry = settings.providers[id], entry.type == mainID, let address = entry.address else {
        return nil
      }
      let host = Result { () throws(SearchError) in
        try GitHubHost(base: address, setting: "url", isMain: false)
      }
      return GitHubInstance(id: id, host: host, tokenVariable: entry.tokenVariable)
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
    return try GitHubHost(host: GitHubHost.dotCom)
  }

  /// The one host that each variable with a token is for.
  ///
  /// The settings decide first. `GH_ENTERPRISE_TOKEN` and `GITHUB_ENTERPRISE_TOKEN`, which name no host, are otherwise for the host of the
  /// built-in provider when that is not github.com, else for the only other host; with several other hosts they are for none.
  package static func tokenOwners(_ instances: [GitHubInstance], _ settings: Settings) -> [String: String] {
    var owners = settings.tokenHosts
    guard let main = try? instances.first?.host.get().credentialHost else { return owners }
    let hosts = Set(instances.compactMap { try? $0.host.get().credentialHost }).subtracting([
      GitHubHost.dotCom
    ])
    let owner = main != GitHubHost.dotCom ? main : hosts.count == 1 ? hosts.first : nil
    for variable in TokenFinder.tokenVariables
    where owners[variable] == nil && !TokenFinder.isMeant(variable, for: GitHubHost.dotCom) {
      owners[variable] = owner
    }
    return owners
  }

  /// How to provide a token for the host.
  package func tokenHint(_ owners: [String: String]) -> String {
    if let tokenVariable {
      return "set \(tokenVariable), which the settings name for it"
    }
    guard let host = try? host.get().credentialHost else { return "set GH_TOKEN or run: gh auth login" }
    let usable = TokenFinder.tokenVariables.first { name in
      TokenFinder.isMeant(name, for: host) && (host == GitHubHost.dotCom || owners[name] == host)
    }
    let login = host == GitHubHost.dotCom ? "gh auth login" : "gh auth login --hostname \(host)"
    guard let usable else {
      return
        "add a variable with its token to the settings, secrets: {token: {env: NAME}}, or run: \(login)"
    }
    return "set \(usable) or run: \(login)"
  }
}
