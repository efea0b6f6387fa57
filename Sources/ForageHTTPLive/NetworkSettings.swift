package import ForageCore
import ForageHTTP

package struct NetworkSettings: Hashable, Sendable {
  /// A PEM file with certificates to trust instead of the system's.
  package var certificateFile: String?
  private let httpsProxy: ProxyAddress?
  private let excluded: [String]

  /// Reads `SSL_CERT_FILE`, `HTTPS_PROXY` and `NO_PROXY`. The lower-case forms of the proxy variables take
  /// precedence.
  ///
  /// - Throws: `SearchError` if a proxy is not a valid address.
  package init(environment: [String: String]) throws(SearchError) {
    func value(_ name: String) -> String? {
      (environment[name.lowercased()] ?? environment[name]).flatMap { $0.isEmpty ? nil : $0 }
    }
    certificateFile = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    if let proxy = value("HTTPS_PROXY") {
      guard let address = ProxyAddress(proxy) else {
        throw SearchError(
          .configuration, "HTTPS_PROXY is not a valid proxy address",
          hint: "write it as http://host:port, or unset it")
      }
      httpsProxy = address
    } else {
      httpsProxy = nil
    }
    excluded = (value("NO_PROXY") ?? "").split(whereSeparator: { $0 == "," || $0 == " " }).map {
      $0.lowercased()
    }
  }

  /// The proxy for an address; `nil` for loopback and for hosts in `NO_PROXY` (`*`, a host, or a domain with
  /// its subdomains).
  func proxy(for url: HTTPURL) -> ProxyAddress? {
    guard let httpsProxy, url.scheme == "https", !url.isLoopback else { return nil }
    let isExcluded = excluded.contains { entry in
      if entry == "*" { return true }
      let domain = entry.hasPrefix(".") ? String(entry.dropFirst()) : entry
      return url.host == domain || url.host.hasSuffix("." + domain) || url.authority == domain
    }
    return isExcluded ? nil : httpsProxy
  }
}

struct ProxyAddress: Hashable, Sendable {
  struct Credentials: Hashable, Sendable {
    var user: String
    var password: String
  }

  var host: String
  var port: Int
  var credentials: Credentials?

  /// Parses `[http://][user[:password]@]host[:port]`.
  init?(_ text: String) {
    var rest = Substring(text)
    if let mark = rest.firstRange(of: "://") {
      guard rest[..<mark.lowerBound].lowercased() == "http" else { return nil }
      rest = rest[mark.upperBound...]
    }
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = Credentials(
        user: PercentEncoding.decode(parts[0]),
        password: parts.count > 1 ? PercentEncoding.decode(parts[1]) : "")
      rest = rest[rest.index(after: at)...]
    }
    guard let url = HTTPURL("http://" + rest) else { return nil }
    host = url.host
    port = url.port ?? 80
  }
}
