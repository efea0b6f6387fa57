import ForageHTTP

/// Which variables hold tokens of GitHub, and of which hosts.
extension TokenFinder {
  /// The variables that hold tokens: the first two are for github.com, the other two for other hosts. Helper
  /// programs get none of them.
  package static let tokenVariables = [
    "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
  ]

  /// Whether a variable holds the token of github.com.
  static func isForUsualHost(_ variable: String) -> Bool { tokenVariables.prefix(2).contains(variable) }

  /// Whether a variable can hold the token of a host; one with another name can be for any host.
  static func isMeant(_ variable: String, for host: String) -> Bool {
    !tokenVariables.contains(variable) || (host == BuiltInProvider.usualHost) == isForUsualHost(variable)
  }

  /// The one host that each variable with a token is for.
  ///
  /// The settings decide first. `GH_ENTERPRISE_TOKEN` and `GITHUB_ENTERPRISE_TOKEN`, which name no host, are
  /// otherwise for the host of the built-in provider when that is not github.com, else for the only other
  /// host; with several other hosts they are for none, as with settings of a provider that are not
  /// understood, which may name another host.
  static func owners(of forges: [Forge], _ settings: Settings) -> [String: String] {
    var owners = settings.tokenHosts
    guard let main = try? forges.first?.address.get().host else { return owners }
    let hosts = Set(forges.compactMap { try? $0.address.get().host }).subtracting([BuiltInProvider.usualHost])
    let isOnly = hosts.count == 1 && settings.brokenProviders.isEmpty
    let owner = main != BuiltInProvider.usualHost ? main : isOnly ? hosts.first : nil
    for variable in tokenVariables
    where owners[variable] == nil && !isMeant(variable, for: BuiltInProvider.usualHost) {
      owners[variable] = owner
    }
    return owners
  }
}
