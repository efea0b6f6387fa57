package import ForageCore
package import ForageHTTP

/// A GitHub server: github.com, GitHub Enterprise Cloud or Server.
package struct GitHubHost: Hashable, Sendable {
  /// The base address of its API, for example `https://api.github.com` or `https://HOST/api/v3`.
  package var api: HTTPURL
  /// The host whose credentials are used, with its port unless that is the scheme's default.
  package var credentialHost: String
  /// The hosts whose entities this server is authoritative for; the first is the one of a plain `owner/name`.
  package var entityHosts: [String]

  /// The host of github.com.
  package static let dotCom = "github.com"

  /// Parses the base address of an API.
  ///
  /// - Parameters:
  ///   - base: The address, as in `FORAGE_GITHUB_URL`.
  ///   - setting: The name of the setting, for messages.
  ///   - isMain: Whether a plain `owner/name` means this server. Only then does a loopback address replace
  ///     github.com.
  /// - Throws: `SearchError` with code `configuration` unless the scheme is `https`, or `http` with a
  ///   loopback host.
  package init(
    base: String, setting: String = "FORAGE_GITHUB_URL", isMain: Bool = true
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
    api = url
    if url.authority == "api.github.com" {
      credentialHost = Self.dotCom
      entityHosts = [Self.dotCom]
    } else {
      credentialHost =
        url.authority.hasPrefix("api.") && url.host.hasSuffix(".ghe.com")
        ? String(url.authority.dropFirst(4)) : url.authority
      // A loopback server stands in for github.com, so its repositories can belong to github.com.
      entityHosts = url.isLoopback && isMain ? [Self.dotCom, url.authority] : [credentialHost]
    }
  }

  /// Parses a host as in `GH_HOST`.
  ///
  /// - Throws: `SearchError` with code `configuration` if it is not a host.
  package init(host: String) throws(SearchError) {
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
    if name == Self.dotCom || name == "api.github.com" {
      try self.init(base: "https://api.github.com")
    } else if name.hasSuffix(".ghe.com") {
      try self.init(base: "https://api.\(name)")
    } else {
      try self.init(base: "https://\(name)/api/v3")
    }
  }
}
