import ForageCore
import ForageGitHub
import ForageHTTP

/// Finds the token for a host: environment, `gh`, git's credential helpers, in this order, each asked at most once a run.
actor TokenFinder {
  /// The variables that hold tokens; none of them is passed on to a helper program.
  static let tokenVariables = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]

  /// Whether a variable can hold the token of a host: two of the four are GitHub's own, two those of other hosts; any other name can.
  static func isMeant(_ variable: String, for host: String) -> Bool {
    guard let place = tokenVariables.firstIndex(of: variable) else { return true }
    return (host == GitHubHost.dotCom) == (place < 2)
  }

  /// The variables by which a repository's own settings reach git.
  private static let repositoryVariables: Set<String> = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG",
  ]

  /// What was found for a host.
  struct Finding: Sendable {
    var token: GitHubToken?
    /// The sources that were tried, in order.
    var tried: [String]
    /// Variables that hold a token for another host, and so were left alone.
    var withheld: [String] = []
  }

  private let environment: [String: String]
  private let child: ChildProcess
  /// The one host that each variable is for.
  nonisolated let owners: [String: String]
  private var known: [String: Task<Finding, Never>] = [:]

  /// Creates a finder.
  ///
  /// - Parameter owners: The one host that each variable is for, with its port where that is not the default. `GH_ENTERPRISE_TOKEN` and
  ///   `GITHUB_ENTERPRISE_TOKEN` say nothing of a host themselves, so without an owner they are for none.
  init(environment: [String: String], child: ChildProcess, owners: [String: String]) {
    self.environment = environment
    self.child = child
    self.owners = owners
  }

  /// The token for a host; any but github.com counts as another host.
  ///
  /// - Parameter variable: The variable that the settings name for it, the only source then; `nil` for the usual ones.
  func find(_ host: GitHubHost, variable: String? = nil) async -> Finding {
    let key = host.credentialHost + " " + (variable ?? "")
    if let task = known[key] { return await task.value }
    let task = Task { await search(host, variable) }
    known[key] = task
    return await task.value
  }

  /// Whether a variable may be sent to a host.
  private func isFor(_ host: GitHubHost, _ variable: String) -> Bool {
    if let owner = owners[variable] { return owner == host.credentialHost }
    return host.credentialHost == GitHubHost.dotCom && Self.isMeant(variable, for: host.credentialHost)
  }

  /// Ends the helper programs that still run, and waits until they have.
  func cancel() async {
    for task in known.values { task.cancel() }
    for task in known.values { _ = await task.value }
  }

  private func search(_ host: GitHubHost, _ variable: String?) async -> Finding {
    var (tried, withheld) = ([String](), [String]())
    for name in variable.map({ [$0] }) ?? Self.tokenVariables
    where variable != nil || Self.isMeant(name, for: host.credentialHost) {
      let token = Self.usable(environment[name])
      guard isFor(host, name) else {
        if token != nil { withheld.append(name) }
        continue
      }
      tried.append(name)
      if let token {
        return Finding(token: GitHubToken(secret: token, source: name), tried: tried)
      }
    }
    // Whoever names a variable means that account and no other that a helper may know.
    if variable != nil { return Finding(token: nil, tried: tried, withheld: withheld) }
    tried.append("gh auth token")
    if let token = Self.usable(await askGH(host)) {
      return Finding(
        token: GitHubToken(secret: token, source: "gh auth token"), tried: tried, withheld: withheld)
    }
    tried.append("git credential fill")
    if let token = Self.usable(await askGit(host)) {
      return Finding(
        token: GitHubToken(secret: token, source: "git credential fill"), tried: tried, withheld: withheld)
    }
    return Finding(token: nil, tried: tried, withheld: withheld)
  }

  /// A token as it can stand in a header field: trimmed, without anything that would end the line.
  private static func usable(_ text: String?) -> String? {
    let token = text?.trimmingWhitespace() ?? ""
    return !token.isEmpty && token.utf8.allSatisfy { $0 > 32 && $0 < 127 } ? token : nil
  }

  private var childEnvironment: [String: String] {
    // The folder where the user happens to be must not decide which helper runs: the child starts in the root folder, and what could
    // point it at a repository or carry settings is taken away.
    environment.filter { name, _ in
      !Self.tokenVariables.contains(name) && owners[name] == nil && !Self.repositoryVariables.contains(name)
        && !name.hasPrefix("GIT_CONFIG_KEY_")
        && !name.hasPrefix("GIT_CONFIG_VALUE_")
    }
  }

  private func askGH(_ host: GitHubHost) async -> String? {
    await child.output("gh", ["auth", "token", "--hostname", host.credentialHost], "", childEnvironment)
  }

  private func askGit(_ host: GitHubHost) async -> String? {
    var variables = childEnvironment
    // Nobody is asked anything: a helper knows the password, or there is none.
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables["GIT_ASKPASS"] = ""
    variables["SSH_ASKPASS"] = ""
    variables["GCM_INTERACTIVE"] = "never"
    let request = "protocol=\(host.api.scheme)\nhost=\(host.credentialHost)\n\n"
    let answer = await child.output("git", ["credential", "fill"], request, variables)
    for line in (answer ?? "").split(separator: "\n") where line.hasPrefix("password=") {
      return String(line.dropFirst("password=".count))
    }
    return nil
  }
}
