/// Maps the addresses of a repository to one canonical name.
package enum RepositoryIdentity {
  /// Longer addresses, in bytes, are rejected.
  static let maximumLength = 4096

  private static let defaultPorts = ["http": "80", "https": "443", "ssh": "22", "git": "9418"]

  /// Alternative SSH hosts on port 443, which forges offer for restricted networks, and the hosts that they
  /// stand for.
  static let secondAddresses = [
    "ssh.github.com:443": "github.com", "ssh.github.com": "github.com", "altssh.gitlab.com:443": "gitlab.com",
    "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org:443": "bitbucket.org",
    "altssh.bitbucket.org": "bitbucket.org",
  ]

  /// The canonical name `host/owner/.../name` of a repository's address.
  ///
  /// `git@host:o/r.git`, `ssh://`, `git://`, `git+https://`, `http://` and `https://` addresses and canonical
  /// names map to the same name. Credentials, `www.`, default ports, query, fragment, `.git` and trailing
  /// slashes are removed; other ports are kept. The host is lowercased, and so is the path on hosts that
  /// ignore case. The function is idempotent.
  ///
  /// - Returns: `nil` for local paths, `file:` URLs and anything else that names no repository on a host.
  package static func canonical(_ address: String) -> String? {
    guard address.utf8.count <= maximumLength else { return nil }
    return plainWebName(address) ?? thoroughName(address)
  }

  /// The canonical name of an address in any accepted form.
  static func thoroughName(_ address: String) -> String? {
    guard let name = oncePassed(address), oncePassed(name) == name else { return nil }
    return name
  }

  /// The canonical name after one pass; `thoroughName` rejects addresses for which a second pass would change
  /// it.
  private static func oncePassed(_ address: String) -> String? {
    guard let (host, path) = hostAndPath(address) else { return nil }
    return host + "/" + (ignoresCase(host) ? path.lowercased() : path)
  }

  /// Owner and name in the letter case of the address.
  package static func spelling(_ address: String) -> (owner: String, name: String)? {
    guard let (host, path) = hostAndPath(address), let parts = components(host + "/" + path) else {
      return nil
    }
    return (parts.owner, parts.name)
  }

  private static func hostAndPath(_ address: String) -> (host: String, path: String)? {
    guard let parts = split(address.trimmingWhitespace()),
      let host = normalisedHost(parts.authority, scheme: parts.scheme), let path = normalisedPath(parts.path)
    else { return nil }
    return (host, path)
  }

  /// Whether owner and repository names on a host ignore case.
  package static func ignoresCase(_ host: String) -> Bool { KnownForges.ignoresCase(host) }

  /// Splits a canonical name into host, owner (everything between host and name) and name; `nil` when one is
  /// missing.
  package static func components(_ canonical: String) -> (host: String, owner: String, name: String)? {
    let (bytes, slash) = (canonical.utf8, UInt8(ascii: "/"))
    guard let first = bytes.firstIndex(of: slash), let last = bytes.lastIndex(of: slash), first < last,
      first > bytes.startIndex, bytes.last != slash, canonical.utf8Range(of: "//") == nil
    else { return nil }
    return (
      String(canonical[..<first]), String(canonical[bytes.index(after: first)..<last]),
      String(canonical[bytes.index(after: last)...])
    )
  }

  private static func split(_ address: String) -> (scheme: String, authority: String, path: String)? {
    if let mark = address.utf8Range(of: "://") {
      var scheme = address[..<mark.lowerBound].lowercased()
      if scheme.hasPrefix("git+") { scheme.removeFirst(4) }
      guard defaultPorts[scheme] != nil else { return nil }
      let rest = address[mark.upperBound...]
      let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
      return (scheme, String(rest[..<end]), String(rest[end...]))
    }
    guard let slash = address.firstIndex(of: "/") ?? (address.contains(":") ? address.endIndex : nil) else {
      return nil
    }
    // The scp form "user@host:path" has a colon before the first slash that no port follows.
    if let colon = scpColon(address[..<slash]) {
      return ("ssh", String(address[..<colon]), "/" + address[address.index(after: colon)...])
    }
    // A canonical name has no scheme, so no port is a default port.
    let host = address[..<slash]
    guard slash < address.endIndex, canBeHost(host) else { return nil }
    return ("", String(host), String(address[slash...]))
  }

  private static func scpColon(_ head: Substring) -> Substring.Index? {
    if let bracket = head.lastIndex(of: "]") {
      let next = head.index(after: bracket)
      return head.hasSuffix("]")
        ? nil : head[next] == ":" && !isPort(head[head.index(after: next)...]) ? next : nil
    }
    guard let colon = head.firstIndex(of: ":"), colon > head.startIndex else { return nil }
    // "host:8080/o/r" is a canonical name with a port; a single letter before the colon is a Windows drive.
    if isPort(head[head.index(after: colon)...]), !head.contains("@") { return nil }
    return head[..<colon].count > 1 ? colon : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    !text.isEmpty && text.consists(of: "0"..."9")
  }

  private static func canBeHost(_ text: Substring) -> Bool {
    guard let first = text.first else { return false }
    return first != "." && first != "~" && !text.hasSuffix(":")
  }

  private static func normalisedHost(_ authority: String, scheme: String) -> String? {
    var host = authority.lowercased()
    if let at = host.lastIndex(of: "@") { host = String(host[host.index(after: at)...]) }
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
      let port = host[host.index(after: colon)...]
      guard port.isEmpty || isPort(port) else { return nil }
      if port.isEmpty || String(port) == defaultPorts[scheme] { host = String(host[..<colon]) }
    }
    while host.hasPrefix("www."), host.dropFirst(4).contains(".") { host.removeFirst(4) }
    let isClean = host.unicodeScalars.allSatisfy {
      $0.value > 32 && $0.value != 127 && !"/\\?#%".unicodeScalars.contains($0)
    }
    return host.isEmpty || !isClean ? nil : secondAddresses[host] ?? host
  }

  private static func normalisedPath(_ raw: String) -> String? {
    let end = raw.firstIndex { $0 == "?" || $0 == "#" } ?? raw.endIndex
    var segments = raw[..<end].slashSeparated(omittingEmptySubsequences: true).map {
      PercentEncoding.decode($0, where: PercentEncoding.isUnreserved)
    }
    while let last = segments.last, last.lowercased().hasSuffix(".git") {
      let shorter = String(last.dropLast(4))
      if shorter.isEmpty { segments.removeLast() } else { segments[segments.count - 1] = shorter }
    }
    guard !segments.isEmpty, !segments.contains("."), !segments.contains("..") else { return nil }
    return segments.joined(separator: "/")
  }
}

/// What is known of public forges: the only list of them.
enum KnownForges {
  /// The hosts on which owner and repository names ignore case, and whether a repository there is always
  /// `owner/name`, without subgroups.
  private static let hosts = [
    "github.com": true, "codeberg.org": true, "bitbucket.org": true, "gitea.com": true, "gitlab.com": false,
    "git.sr.ht": false,
  ]

  /// Whether a host is one of GitHub Enterprise Cloud with data residency.
  private static func isEnterpriseCloud(_ host: String) -> Bool { host.hasSuffix(".ghe.com") }

  /// Whether a host is run by GitHub.
  static func isGitHub(_ host: String) -> Bool { host == "github.com" || isEnterpriseCloud(host) }

  /// Whether owner and repository names on a host ignore case.
  static func ignoresCase(_ host: String) -> Bool { hosts[host] != nil || isEnterpriseCloud(host) }

  /// Whether a repository on a host is always `owner/name`: a longer path leads to a page inside the
  /// repository, a shorter one to an account.
  static func isTwoLevel(_ host: String) -> Bool {
    hosts[host] ?? isEnterpriseCloud(host)
  }
}

extension RepositoryIdentity {
  /// The canonical name of an address, or `nil` when host, owner or name is missing.
  static func repository(at address: String) -> String? {
    guard address.utf8.count <= maximumLength else { return nil }
    if let plain = plainWebName(address) { return plain }
    return thoroughName(address).flatMap { components($0) == nil ? nil : $0 }
  }

  /// The canonical name of an address of the form `https://host/owner/name` in plain characters.
  ///
  /// This is a fast path: a search parses thousands of such addresses.
  ///
  /// - Returns: `nil` for every other form; the address may still have a canonical name.
  static func plainWebName(_ address: String) -> String? {
    var address = address
    return address.withUTF8 { plainWebName($0) }
  }

  private static func plainWebName(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let (start, dot) = (scheme.utf8.count, UInt8(ascii: "."))
    guard bytes.starts(with: scheme.utf8) else { return nil }
    // The offsets of the slashes; 0 until found.
    var (first, second, hasCapitals) = (0, 0, false)
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "/"):
        guard second == 0 else { return nil }
        if first == 0 { first = place } else { second = place }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        dot, UInt8(ascii: "_"):
        continue
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        guard first > 0 else { return nil }
        hasCapitals = true
      default: return nil
      }
    }
    guard first > start, second > first + 1, second < bytes.count - 1 else { return nil }
    // A segment that begins with a dot may be a relative path: leave it to the full parser.
    guard bytes[start] != dot, bytes[first + 1] != dot, bytes[second + 1] != dot else { return nil }
    let host = String(decoding: bytes[start..<first], as: UTF8.self)
    let end = bytes[(second + 1)...].suffix(4)
    guard !host.hasPrefix("www."), secondAddresses[host] == nil,
      // 0x20 is the bit that distinguishes upper from lower case.
      !end.elementsEqual(".git".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    let name = String(decoding: bytes[start...], as: UTF8.self)
    return hasCapitals && ignoresCase(host) ? name.lowercased() : name
  }

  private static let scheme = "https://"
}
