import ForageCore
import ForagePlatform

/// An absolute HTTP address, split into components so that a value cannot change another component.
public struct HTTPURL: Hashable, Sendable {
  /// `http` or `https`.
  public var scheme: String
  /// The host in lower case; an IPv6 address without brackets.
  public var host: String
  /// The port; `nil` for the scheme's default.
  public var port: Int?
  /// The percent-encoded path, beginning with a slash.
  public var path: String
  /// The percent-encoded query, without the question mark.
  public var query: String?

  /// The path without slashes at its end, so that names can be added to it; empty for the root.
  package var folder: String {
    var path = path[...]
    while path.last == "/" { path.removeLast() }
    return String(path)
  }

  /// Parses an address.
  ///
  /// - Returns: `nil` for other schemes, for addresses with credentials and for anything that is not an
  ///   absolute address.
  public init?(_ text: String) {
    guard let mark = text.utf8Range(of: "://") else { return nil }
    scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") }) else { return nil }
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    guard let (host, port) = Self.split(authority: rest[..<end].lowercased()) else { return nil }
    self.host = host
    self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
    let tail = rest[end...].prefix { $0 != "#" }
    let mark2 = tail.firstIndex(of: "?")
    let rawPath = tail[..<(mark2 ?? tail.endIndex)]
    path = rawPath.isEmpty ? "/" : String(rawPath)
    query = mark2.map { String(tail[tail.index(after: $0)...]) }
  }

  private static func split(authority: String) -> (host: String, port: Int?)? {
    guard !authority.contains("@"), !authority.isEmpty else { return nil }
    var host = Substring(authority)
    var portText: Substring?
    if host.hasPrefix("[") {
      guard let close = host.firstIndex(of: "]") else { return nil }
      let behind = host[host.index(after: close)...]
      guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
      portText = behind.isEmpty ? nil : behind.dropFirst()
      host = host[host.index(after: host.startIndex)..<close]
    } else if let colon = host.lastIndex(of: ":") {
      portText = host[host.index(after: colon)...]
      host = host[..<colon]
      guard !host.contains(":") else { return nil }
    }
    guard !host.isEmpty else { return nil }
    guard let portText, !portText.isEmpty else { return (String(host), nil) }
    guard portText.consists(of: "0"..."9"), let port = Int(portText),
      (1...65535).contains(port)
    else { return nil }
    return (String(host), port)
  }

  /// Appends path segments and replaces the query by parameters; each is percent-encoded, also `.` and `..`.
  public func appending(_ segments: [String], parameters: [(name: String, value: String)] = []) -> HTTPURL {
    var copy = self
    copy.path = path
    while copy.path.hasSuffix("/") { copy.path.removeLast() }
    copy.path += segments.map { segment in
      let isDots = segment == "." || segment == ".."
      return "/" + (isDots ? segment.replacing(".", with: "%2E") : PercentEncoding.encode(segment))
    }.joined()
    copy.query =
      parameters.isEmpty
      ? nil
      : parameters.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(
        separator: "&")
    return copy
  }

  /// Resolves the value of a `Location` or `Link` header relative to this address.
  package func resolving(_ reference: String) -> HTTPURL? {
    let end = reference.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? reference.endIndex
    if reference[..<end].contains(":") { return HTTPURL(reference) }
    if reference.hasPrefix("//") { return HTTPURL(scheme + ":" + reference) }
    let base = scheme + "://" + authority
    if reference.hasPrefix("?") { return HTTPURL(base + path + reference) }
    if reference.isEmpty || reference.hasPrefix("#") { return self }
    let folder = reference.hasPrefix("/") ? "" : path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    guard var target = HTTPURL(base + folder + reference) else { return nil }
    target.path = Self.withoutDots(target.path)
    return target
  }

  /// Removes `.` and `..` segments from a path (RFC 3986, section 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var result: [Substring] = []
    for segment in segments {
      if segment == ".." { _ = result.popLast() } else if segment != "." { result.append(segment) }
    }
    let endsInDots = segments.last == "." || segments.last == ".."
    return "/" + result.joined(separator: "/") + (endsInDots && !result.isEmpty ? "/" : "")
  }

  /// Host and port as written in an address.
  public var authority: String {
    (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
  }

  /// Whether both addresses have the same scheme, host and port.
  package func hasSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether the host is this machine: `localhost`, `*.localhost`, 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    var address = in6_addr()
    if host.contains(":"), inet_pton(AF_INET6, host, &address) == 1 {
      // An address can be written in many ways, but ::1 is fifteen bytes of 0 and one of 1.
      return withUnsafeBytes(of: address) { $0.last == 1 && $0.dropLast().allSatisfy { $0 == 0 } }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The value of a query parameter, still percent-encoded.
  package func rawParameter(_ name: String) -> String? {
    for pair in (query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }

  /// The whole address.
  public var text: String { scheme + "://" + authority + path + (query.map { "?" + $0 } ?? "") }
}
