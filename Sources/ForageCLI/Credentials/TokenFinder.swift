import ForageCore
import ForageGitHub
import ForageHTTP

/// Finds the token for a host: environment, `gh`, git's credential helpers, in this order, each asked at most once a run.
actor TokenFinder {
  /// The variables that hold tokens; none of them is passed on to a helper program.
  static let tokenVariables = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]

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
    environment.filter { !Self.tokenVariables.contains($0.key) }
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
