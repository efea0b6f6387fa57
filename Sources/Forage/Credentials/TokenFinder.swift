package import ForageCore

/// Finds the token for a host: environment, `gh`, git's credential helpers, in this order, each at most once in a process for
/// a host.
///
/// A program is started only where it can know a token, because that takes longer than a search: `gh` where its hosts file names the host,
/// git where a credential helper is configured.
///
/// Where a secret may go: a token only to the one host that it is for, a secret of a plugin or manifest only to one that is trusted or bundled, or
/// that the user allows.
/// - Host of a variable: `SettingsReader.tokenVariable` and `GitHubServers.tokenOwners` say which host its token is for, `TokenFinder.isFor`
///   compares.
/// - GitHub: `GitHubClient.headers` attaches the token, and `GitHubClient.ownURL` keeps links to further pages at the API's origin.
/// - Redirects: `HTTPTransport.followingRedirects` refuses another origin.
/// - Manifests: `ManifestClient.mayHaveSecret` admits the API's origin and the hosts of the manifest, for the first request
///   (`ManifestClient.signature`) and each one that is sent (`ManifestClient.sending`); `Forage.secretRefusal` asks the user about
///   those that a path names.
/// - Plugins: `PluginSession.opened` passes the secrets that `plugin.json` names, after `Forage.secretRefusal`; `PluginEnvironment.filtered`
///   withholds the variables.
/// - Other programs (git, pager, browser): `Forage.environmentWithoutTokens`; `gh` and credential helpers: `TokenFinder.childEnvironment`.
package actor TokenFinder {
  /// The variables that hold tokens; helper programs get none of them.
  package static let tokenVariables = GitHubServers.tokenVariables

  /// The variables by which a repository's own settings reach git.
  private static let repositoryVariables: Set<String> = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG",
  ]

  package struct Finding: Sendable {
    package var token: ForgeToken?
    /// The sources that were tried, in order.
    package var tried: [String] = []
    /// The programs that were not started, and the variables without a usable value, with the reason.
    package var skipped: [Skipped] = []
    /// Variables that hold a token for another host.
    package var withheld: [String] = []

    /// The variables without a usable value, to be added to a sentence; empty without any.
    package var unusable: String {
      skipped.filter { tried.contains($0.source) }.map { ": \($0.source) is set, but \($0.reason)" }.joined()
    }
  }

  /// A program that was not started because it cannot know a token, or a variable whose value is not a usable token.
  package struct Skipped: Sendable, Hashable {
    package var source: String
    package var reason: String
  }

  /// The names of the programs as sources.
  private static let (gh, git) = ("gh auth token", "git credential fill")

  private let environment: [String: String]
  private let child: ChildProcess
  /// The one host that each variable is for.
  package nonisolated let owners: [String: String]
  private var known: [String: Task<Finding, Never>] = [:]
  private(set) var secrets: Set<String> = []

  /// Creates a finder.
  ///
  /// - Parameter owners: The one host that each variable is for, with its port where that is not the default. `GH_ENTERPRISE_TOKEN` and
  ///   `GITHUB_ENTERPRISE_TOKEN` name no host, so without an owner they are for none.
  package init(environment: [String: String], child: ChildProcess, owners: [String: String]) {
    self.environment = environment
    self.child = child
    self.owners = owners
  }

  /// The token for a forge; any but github.com counts as another host.
  ///
  /// - Parameter variable: The variable that the settings name, which is then the only source; `nil` for the usual sources.
  package func find(_ forge: ForgeAddress, variable: String? = nil) async -> Finding {
    let key = forge.host + " " + (variable ?? "")
    if let task = known[key] { return await task.value }
    let task = Task { await search(forge, variable) }
    known[key] = task
    let finding = await task.value
    if let token = finding.token { secrets.insert(token.secret) }
    return finding
  }

  private nonisolated func isFor(_ forge: ForgeAddress, _ variable: String) -> Bool {
    if let owner = owners[variable] { return owner == forge.host }
    return forge.host == BuiltInProvider.usualHost && GitHubServers.isMeant(variable, for: forge.host)
  }

  /// Ends the helper programs that still run, and waits for their end.
  package func cancel() async {
    for task in known.values { task.cancel() }
    for task in known.values { _ = await task.value }
  }

  /// The token of a variable for a host, without asking a program.
  ///
  /// - Parameter variable: As for ``find(_:variable:)``.
  package nonisolated func findVariable(_ forge: ForgeAddress, _ variable: String?) -> Finding {
    var finding = Finding()
    for name in variable.map({ [$0] }) ?? Self.tokenVariables
    where variable != nil || GitHubServers.isMeant(name, for: forge.host) {
      let token = Self.usable(environment[name])
      guard isFor(forge, name) else {
        if token != nil { finding.withheld.append(name) }
        continue
      }
      finding.tried.append(name)
      if let token {
        finding.token = ForgeToken(secret: token, source: name)
        return finding
      }
      if environment[name]?.contains(where: { !$0.isWhitespace }) == true {
        let reason = "its value is no token: it has spaces or characters that are not ASCII"
        finding.skipped.append(Skipped(source: name, reason: reason))
      }
    }
    return finding
  }

  private func search(_ forge: ForgeAddress, _ variable: String?) async -> Finding {
    var finding = findVariable(forge, variable)
    // A variable in the settings names an account; a helper may know another one.
    if finding.token != nil || variable != nil { return finding }
    if let reason = reasonAgainstGH(forge) {
      finding.skipped.append(Skipped(source: Self.gh, reason: reason))
    } else {
      finding.tried.append(Self.gh)
      finding.token = Self.usable(await askGH(forge)).map { ForgeToken(secret: $0, source: Self.gh) }
      if finding.token != nil { return finding }
    }
    if let reason = reasonAgainstGit(forge) {
      finding.skipped.append(Skipped(source: Self.git, reason: reason))
    } else {
      finding.tried.append(Self.git)
      finding.token = Self.usable(await askGit(forge)).map { ForgeToken(secret: $0, source: Self.git) }
    }
    return finding
  }

  /// Why `gh` cannot know a token for a host; `nil` when it can.
  private func reasonAgainstGH(_ forge: ForgeAddress) -> String? {
    let hosts = GitHubCLIHosts(environment: environment)
    guard hosts.name(forge.host) else {
      return "\(hosts.path ?? "its hosts file") does not name \(forge.host)"
    }
    return child.path("gh", environment) == nil ? "gh is not installed" : nil
  }

  /// Why git cannot know a token for a host; `nil` when it can.
  private func reasonAgainstGit(_ forge: ForgeAddress) -> String? {
    guard let git = child.path("git", environment) else { return "git is not installed" }
    let helpers = GitCredentialHelpers(environment: environment, git: git)
    return helpers.areConfigured(for: Self.withoutPort(forge.host))
      ? nil : "no credential helper is configured for \(forge.host)"
  }

  /// A host without its port; the colons of an IPv6 address are in brackets.
  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return host }
    return String(host[..<colon])
  }

  /// A token that a header field can hold, trimmed; `nil` for any other text.
  private static func usable(_ text: String?) -> String? {
    let token = text?.trimmingWhitespace() ?? ""
    return !token.isEmpty && token.utf8.allSatisfy { $0 > 32 && $0 < 127 } ? token : nil
  }

  private var childEnvironment: [String: String] {
    // The current folder must not decide which helper runs: the child starts in the root folder, without the variables that name a
    // repository or contain settings.
    environment.filter { name, _ in
      !Self.tokenVariables.contains(name) && owners[name] == nil && !Self.repositoryVariables.contains(name)
        && !name.hasPrefix("GIT_CONFIG_KEY_")
        && !name.hasPrefix("GIT_CONFIG_VALUE_")
    }
  }

  private func askGH(_ forge: ForgeAddress) async -> String? {
    await child.output("gh", ["auth", "token", "--hostname", forge.host], "", childEnvironment)
  }

  private func askGit(_ forge: ForgeAddress) async -> String? {
    var variables = childEnvironment
    // The user is not asked: a helper knows the password, or there is none.
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables["GIT_ASKPASS"] = ""
    variables["SSH_ASKPASS"] = ""
    variables["GCM_INTERACTIVE"] = "never"
    let request = "protocol=\(forge.api.prefix { $0 != ":" })\nhost=\(forge.host)\n\n"
    let answer = await child.output("git", ["credential", "fill"], request, variables)
    for line in (answer ?? "").split(separator: "\n") where line.hasPrefix("password=") {
      return String(line.dropFirst("password=".count))
    }
    return nil
  }
}
