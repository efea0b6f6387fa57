package import ForageCore
package import ForageHTTP

extension ForgeAddress {
  /// The host of github.com.
  package static let gitHub = "github.com"

  /// The server of a GitHub API: github.com, GitHub Enterprise Cloud or Server.
  ///
  /// - Parameters:
  ///   - base: The base address of the API, as in `FORAGE_GITHUB_URL`.
  ///   - setting: The name of the setting, for messages.
  ///   - isMain: Whether a plain `owner/name` means this server. Only then does a loopback address replace
  ///     github.com.
  /// - Throws: `SearchError` with code `configuration` unless the scheme is `https`, or `http` with a
  ///   loopback host.
  package init(
    gitHubAPI base: String, setting: String = "FORAGE_GITHUB_URL", isMain: Bool = true
  ) throws(SearchError) {
    guard let url = HTTPURL(base), url.query == nil else {
      // User information and query may contain secrets, so such an address is not shown.
      let isShown = !base.contains("@") && !base.contains("?")
      throw SearchError(
        .configuration,
        setting + (isShown ? ", \"\(base)\"," : "") + " is not the address of a GitHub API",
        hint: "write it as https://HOST/api/v3, without user name, password and query")
    }
    guard url.scheme == "https" || url.isLoopback else {
      throw SearchError(
        .configuration, "\(setting), \"\(base)\", would send requests unencrypted over the network",
        hint: "use https://")
    }
    let isCloud = url.authority.hasPrefix("api.") && url.host.hasSuffix(".ghe.com")
    let isGitHub = url.authority == "api.github.com"
    let host = isGitHub ? Self.gitHub : isCloud ? String(url.authority.dropFirst(4)) : url.authority
    // A loopback server stands in for github.com, so its repositories can belong to github.com.
    self.init(api: url, host: host, entityHosts: url.isLoopback && isMain ? [Self.gitHub, host] : [host])
  }

  /// The server of a host as in `GH_HOST`.
  ///
  /// - Throws: `SearchError` with code `configuration` if it is not a host.
  package init(gitHubHost host: String) throws(SearchError) {
    var name = host.lowercased()
    guard let url = HTTPURL("https://" + name), url.authority == name || url.authority + ":443" == name,
      url.path == "/",
      url.query == nil
    else {
      throw SearchError(
        .configuration, "GH_HOST is not a valid host",
        hint: "write only the host, for example: GH_HOST=ghe.example.com")
    }
    name = url.authority
    if name.hasPrefix("api."), name.hasSuffix(".ghe.com") { name.removeFirst(4) }
    if name == Self.gitHub || name == "api.github.com" {
      try self.init(gitHubAPI: "https://api.github.com")
    } else if name.hasSuffix(".ghe.com") {
      try self.init(gitHubAPI: "https://api.\(name)")
    } else {
      try self.init(gitHubAPI: "https://\(name)/api/v3")
    }
  }
}
