package import ForageCore
import ForageHTTP

/// How connections are opened.
package struct NetworkSettings: Hashable, Sendable {
  /// A PEM file with certificates to trust instead of the system's.
  package var certificateFile: String?
  private let proxy: Proxy?
  private let excluded: [String]
  /// The variable with a proxy for addresses with `http:`, where no other variable names one.
  private let unusedProxy: String?

  /// Reads `SSL_CERT_FILE`, `HTTPS_PROXY`, else `ALL_PROXY`, and `NO_PROXY`. The lower-case forms of the
  /// proxy variables take precedence.
  ///
  /// - Throws: `SearchError` if a proxy is not a valid address.
  package init(environment: [String: String]) throws(SearchError) {
    func variable(_ name: String) -> String? {
      [name.lowercased(), name].first { environment[$0].map { !$0.isEmpty } ?? false }
    }
    certificateFile = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    if let variable = variable("HTTPS_PROXY") ?? variable("ALL_PROXY") {
      guard let known = Proxy(environment[variable] ?? "", variable: variable) else {
        throw SearchError(
          .configuration, "\(variable) is not a valid proxy address",
          hint:
            "write it as http://host:port, with user:password@ before the host, or as socks5://host:port; or unset it"
        )
      }
      (proxy, unusedProxy) = (known, nil)
    } else {
      (proxy, unusedProxy) = (nil, variable("HTTP_PROXY"))
    }
    excluded = (variable("NO_PROXY").flatMap { environment[$0] } ?? "").split(whereSeparator: {
      $0 == "," || $0 == " "
    }).map {
      $0.lowercased()
    }
  }

  /// The variable with a proxy for addresses with `http:` alone, where an address with `https:` has none.
  func unusedProxy(for url: HTTPURL) -> String? {
    url.scheme == "https" && !url.isLoopback ? unusedProxy : nil
  }

  /// The proxy for an address; `nil` for loopback and for hosts in `NO_PROXY` (`*`, a host, or a domain with
  /// its subdomains).
  func proxy(for url: HTTPURL) -> Proxy? {
    guard let proxy, url.scheme == "https", !url.isLoopback else { return nil }
    let isExcluded = excluded.contains { entry in
      if entry == "*" { return true }
      let domain = entry.hasPrefix(".") ? String(entry.dropFirst()) : entry
      return url.host == domain || url.host.hasSuffix("." + domain) || url.authority == domain
    }
    return isExcluded ? nil : proxy
  }
}

/// A proxy that the environment names.
struct Proxy: Hashable, Sendable {
  /// The variable that names it.
  var variable: String
  /// The address as libcurl reads it, with user and password, which are never shown.
  var address: String
  /// The proxy as users know it, without user and password.
  var name: String
  /// Whether the address has a user.
  var hasLogin: Bool

  /// libcurl's name of each kind of proxy that an address can begin with. Through SOCKS 5 the proxy looks up
  /// names, so that those that only it knows can be reached.
  private static let schemes = [
    "http": "http", "https": "https", "socks": "socks5h", "socks5": "socks5h", "socks5h": "socks5h",
    "socks4": "socks4", "socks4a": "socks4a",
  ]

  /// Reads `[scheme://][user[:password]@]host[:port]`.
  ///
  /// User and password may be percent-encoded; libcurl takes them only so, and an address with a control
  /// character for none.
  ///
  /// - Returns: `nil` for another scheme, where there is no host or port, and for control characters.
  init?(_ text: String, variable: String) {
    let mark = text.firstRange(of: "://")
    let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
    var rest = text[(mark?.upperBound ?? text.startIndex)...]
    var login = ""
    if let at = rest.lastIndex(of: "@") {
      let names = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { PercentEncoding.decode($0) }
      guard names.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else { return nil }
      login = names.map { PercentEncoding.encode($0) }.joined(separator: ":") + "@"
      rest = rest[rest.index(after: at)...]
    }
    guard let kind = Self.schemes[scheme], let url = HTTPURL("http://" + rest) else { return nil }
    let port = url.port ?? (kind == "https" ? 443 : kind == "http" ? 80 : 1080)
    let place = "\(url.host.contains(":") ? "[\(url.host)]" : url.host):\(port)"
    (self.variable, hasLogin) = (variable, !login.isEmpty)
    address = "\(kind)://\(login)\(place)"
    name = "\(place) (\(variable))"
  }
}
