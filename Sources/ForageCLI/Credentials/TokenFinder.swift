import ForageCore
import ForageGitHub
import ForageHTTP

/// Finds the token for a host: environment, `gh`, git's credential helpers, in this order, each asked at most once a run.
actor TokenFinder {
  /// The variables that hold tokens; none of them is passed on to a helper program.
  static let tokenVariables = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]

  /// The variables by which a repository's own settings reach git.
  private static let repositoryVariables: Set<String> = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG",
  ]

  /// What was found for a host.
  struct Finding: Sendable {
    var token: GitHubToken?
    /// The sources that were tried, in order.
    var tried: [String]
  }

  private let environment: [String: String]
  private let child: ChildProcess
  private var known: [String: Task<Finding, Never>] = [:]

  init(environment: [String: String], child: ChildProcess) {
    self.environment = environment
    self.child = child
  }

  /// The token for a host.
  ///
  /// - Parameter host: Host with its port where that is not the default; any but github.com counts as another host.
  func find(_ host: GitHubHost) async -> Finding {
    if let task = known[host.credentialHost] { return await task.value }
    let task = Task { await search(host) }
    known[host.credentialHost] = task
    return await task.value
  }

  /// Ends the helper programs that still run, and waits until they have.
  func cancel() async {
    for task in known.values { task.cancel() }
    for task in known.values { _ = await task.value }
  }

  private func search(_ host: GitHubHost) async -> Finding {
    var tried: [String] = []
    let isDotCom = host.credentialHost == GitHubHost.dotCom
    for name in isDotCom ? Self.tokenVariables.prefix(2) : Self.tokenVariables.suffix(2) {
      tried.append(name)
      if let token = Self.usable(environment[name]) {
        return Finding(token: GitHubToken(secret: token, source: name), tried: tried)
      }
    }
    tried.append("gh auth token")
    if let token = Self.usable(await askGH(host)) {
      return Finding(token: GitHubToken(secret: token, source: "gh auth token"), tried: tried)
    }
    tried.append("git credential fill")
    if let token = Self.usable(await askGit(host)) {
      return Finding(token: GitHubToken(secret: token, source: "git credential fill"), tried: tried)
    }
    return Finding(token: nil, tried: tried)
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
      !Self.tokenVariables.contains(name) && !Self.repositoryVariables.contains(name)
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
