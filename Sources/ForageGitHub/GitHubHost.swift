package import ForageCore
package import ForageHTTP

/// One GitHub: github.com, or an Enterprise server.
package struct GitHubHost: Hashable, Sendable {
  /// The base of its API, for example `https://api.github.com` or `https://HOST/api/v3`.
  package var api: HTTPURL
  /// The host whose credentials are used, with its port where that is not the default.
  package var credentialHost: String
  /// The hosts whose entities it knows first-hand, the one of a plain `owner/name` first.
  package var entityHosts: [String]

  /// github.com.
  package static let dotCom = "github.com"

  /// Reads the address of an API.
  ///
  /// - Parameters:
  ///   - base: As in `FORAGE_GITHUB_URL`.
  ///   - setting: What the user wrote the address in, for messages.
  ///   - isMain: Whether it is the GitHub that a plain `owner/name` means. Only then a server on this machine stands in for github.com.
  /// - Throws: `SearchError` with code `configuration` for anything but `https`, or `http` to this machine.
  package init(
    base: String, setting: String = "FORAGE_GITHUB_URL", isMain: Bool = true
  ) throws(SearchError) {
    guard let url = HTTPURL(base), url.query == nil else {
      // Whatever comes before an @ or behind a ? may be a secret, so such an address is not repeated.
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
      // A server on this machine stands in for GitHub: its repositories say themselves where they belong.
      entityHosts = url.isLoopback && isMain ? [Self.dotCom, url.authority] : [credentialHost]
    }
  }

  /// The API of a host as `GH_HOST` names it.
  package init(host: String) throws(SearchError) {
    var name = host.lowercased()
    guard let url = HTTPURL("https://" + name), url.authority == name || url.authority + ":443" == name,
      url.path == "/",
      url.query == nil
    else {
      throw SearchError(
        .configuration, "GH_HOST does not name a host",
        hint: "write just the host, for example: GH_HOST=ghe.example.com")
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
