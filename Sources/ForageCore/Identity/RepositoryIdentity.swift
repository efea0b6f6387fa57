/// Maps the addresses of a repository to one canonical name.
package enum RepositoryIdentity {
  /// Longer addresses, in bytes, are rejected.
  static let maximumLength = 4096

  /// The port of each scheme that no name has; empty for every port, because a server of ssh or of git has
  /// its web pages at another one.
  private static let droppedPorts = ["http": "80", "https": "443", "ssh": "", "git": ""]

  /// Alternative SSH hosts, which forges offer for restricted networks, and the hosts that they stand for.
  static let secondAddresses = [
    "ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
  ]

  /// The canonical name `host/owner/.../name` of a repository's address.
  ///
  /// `git@host:o/r.git`, `ssh://`, `git://`, `git+https://`, `http://` and `https://` addresses and canonical
  /// names map to the same name. Credentials, `www.`, ports of ssh and git, default ports, query, fragment,
  /// `.git` and trailing slashes are removed; other ports are kept. The host is lowercased, and so is the
  /// path on hosts that ignore case. With `https://` before it the name is the address of the repository's
  /// page, also on Azure DevOps, whose clone addresses differ from its pages. The function is idempotent.
  ///
  /// - Returns: `nil` for local paths, `file:` URLs and anything else that names no repository on a host.
  ///   The name of a gist has no owner: `gist.github.com/ID`.
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
    guard let (host, path) = plainParts(address) ?? hostAndPath(address),
      let parts = components(host + "/" + path)
    else {
      return nil
    }
    return (parts.owner, parts.name)
  }

  /// The canonical name of a repository, spelled as an address or name of it or a page in it spells it;
  /// unchanged where that is another's, or on a host where the case is part of the name.
  package static func spelled(_ canonical: String, as address: String) -> String {
    guard let host = components(canonical)?.host, ignoresCase(host), let parts = spelling(address) else {
      return canonical
    }
    let path = "\(parts.owner)/\(parts.name)".split(separator: "/").prefix(canonical.count { $0 == "/" })
    let name = "\(host)/" + path.joined(separator: "/")
    return name.lowercased() == canonical ? name : canonical
  }

  /// An address or a name of a server below a path, as if the server were at the root: its repositories are
  /// known without that path.
  ///
  /// - Parameter server: Host and path, for example `git.example.com:8443/gitlab`; a host alone changes
  ///   nothing.
  package static func withoutSubPath(_ address: String, of server: String) -> String {
    guard let slash = server.firstIndex(of: "/") else { return address }
    let scheme = address.utf8Range(of: "://").map { address[..<$0.upperBound] } ?? ""
    var rest = address.dropFirst(scheme.count)
    if let user = rest.prefix(while: { $0 != "/" }).lastIndex(of: "@") {
      rest = rest[rest.index(after: user)...]
    }
    let below = rest.dropFirst(server.count)
    guard below.first == "/", rest.prefix(server.count).lowercased() == server.lowercased() else {
      return address
    }
    return String(scheme + server[..<slash] + below)
  }

  private static func hostAndPath(_ address: String) -> (host: String, path: String)? {
    guard let parts = split(address.trimmingWhitespace()),
      let host = normalisedHost(parts.authority, scheme: parts.scheme), let path = normalisedPath(parts.path)
    else { return nil }
    let page = page(host, path)
    return (page.host, page.path.joined(separator: "/"))
  }

  /// Host and path of an address for ssh, the host without user and port, the path as written after a slash:
  /// an absolute path in the form `host:/path` begins with two. `nil` for other addresses.
  package static func sshParts(_ address: String) -> (host: String, path: String)? {
    guard let parts = split(address.trimmingWhitespace()), parts.scheme == "ssh" else { return nil }
    return normalisedHost(parts.authority, scheme: parts.scheme).map { ($0, parts.path) }
  }

  /// Host and path of a repository's page, which those of its clone address differ from on few forges.
  ///
  /// On Azure DevOps the path for ssh is `v3/organization/project/repository`, and a page may leave out a
  /// project that has the name of the repository. Source: its documentation, "Use SSH key authentication".
  private static func page(_ host: String, _ path: [String]) -> (host: String, path: [String]) {
    var (host, path) = (host, path)
    if host == KnownForges.gists { return (host, Array(path.prefix(2).suffix(1))) }
    if ["ssh." + azure, "vs-ssh" + visualStudio].contains(host) {
      guard path.count == 4, path[0].lowercased() == "v3" else { return (host, path) }
      (host, path) = (azure, [path[1], path[2], "_git", path[3]])
    } else if host.hasSuffix(visualStudio), host != visualStudio {
      let isCollection = path.count > 1 && path[0].lowercased() == "defaultcollection"
      path = [String(host.dropLast(visualStudio.count))] + path.dropFirst(isCollection ? 1 : 0)
      host = azure
    }
    if isServerPage(path), !ignoresCase(host) {
      path = [(path[0].lowercased() == "users" ? "~" : "") + path[1].lowercased(), path[3]]
    }
    if host == azure, path.count == 3, path[1].lowercased() == "_git" { path.insert(path[2], at: 1) }
    return (host, path)
  }

  /// Whether a path is that of a page of Bitbucket Data Center, which the addresses for git lack:
  /// `projects/KEY/repos/NAME`, or `users/NAME/repos/NAME`.
  ///
  /// Source: Atlassian's documentation of Bitbucket Data Center.
  static func isServerPage(_ path: [some StringProtocol]) -> Bool {
    path.count >= 4 && ["projects", "users"].contains(path[0].lowercased()) && path[2].lowercased() == "repos"
  }

  /// Whether an address is that of a page of Bitbucket Data Center.
  package static func isServerPage(_ address: String) -> Bool {
    split(address.trimmingWhitespace()).flatMap { normalisedPath($0.path) }.map(isServerPage) ?? false
  }

  private static let azure = "dev.azure.com"
  /// The end of the former hosts of Azure DevOps, which begin with the organization.
  private static let visualStudio = ".visualstudio.com"

  /// Whether owner and repository names on a host ignore case.
  package static func ignoresCase(_ host: String) -> Bool { KnownForges.ignoresCase(host) }

  /// Whether a repository on a host is known to be always `owner/name`.
  package static func isTwoLevel(_ host: String) -> Bool { KnownForges.isTwoLevel(host) }

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

  /// The host that has to stand before `owner/name`, because a reader would take the name for that of another
  /// repository without it; `nil` where the name is enough, and for an id that is no canonical name.
  ///
  /// - Parameters:
  ///   - id: The canonical id of the repository.
  ///   - bareHost: The host that a name without one means.
  package static func hostBeforeName(of id: String, bareHost: String) -> String? {
    components(id).flatMap { shortName(id, bareHost: bareHost) == id ? $0.host : nil }
  }

  /// The id of a repository, of something in it or of an account as people write it: without the host that a
  /// name without one means.
  package static func shortName(_ id: String, bareHost: String) -> String {
    guard id.hasPrefix(bareHost + "/") else { return id }
    let name = id.dropFirst(bareHost.count + 1)
    // A name with groups in it begins like one with a host.
    let slashes = name.utf8.prefix { !"#@!:".utf8.contains($0) }.count { $0 == UInt8(ascii: "/") }
    return slashes > 1 ? id : String(name)
  }

  /// Whether a canonical id, with its host or without, is read as the name of this repository: nothing in it
  /// begins another part of a reference, as in `a@0123abc` and `a:b`, and it is no gist's.
  package static func isReference(_ id: String) -> Bool {
    guard components(id) != nil else { return false }
    return !id.drop { $0 != "/" }.contains { "#@!:".contains($0) || $0.isWhitespace }
  }

  /// Splits the canonical name of a gist, which has no owner; `nil` for any other text.
  package static func gist(_ canonical: String) -> (host: String, name: String)? {
    let parts = canonical[...].slashSeparated()
    guard parts.count == 2, parts[0] == KnownForges.gists, !parts[1].isEmpty else { return nil }
    return (KnownForges.gists, String(parts[1]))
  }

  private static func split(_ address: String) -> (scheme: String, authority: String, path: String)? {
    if let mark = address.utf8Range(of: "://") {
      var scheme = address[..<mark.lowerBound].lowercased()
      if scheme.hasPrefix("git+") { scheme.removeFirst(4) }
      guard droppedPorts[scheme] != nil else { return nil }
      let rest = address[mark.upperBound...]
      let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
      return (scheme, String(rest[..<end]), String(rest[end...]))
    }
    guard let slash = address.firstIndex(of: "/") ?? (address.contains(":") ? address.endIndex : nil) else {
      return nil
    }
    // "transport::address" is for a program of git's that is named so.
    if let mark = address.firstRange(of: "::"), address[..<mark.lowerBound].allSatisfy(\.isLetter) {
      return nil
    }
    // The scp form "user@host:path" has a colon before the first slash that no port follows.
    if let colon = scpColon(address[..<slash]) {
      return ("ssh", unbracketed(address[..<colon]), "/" + address[address.index(after: colon)...])
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

  /// Host and port of the scp form, where they may be in brackets: `[user@host:port]` or `user@[host:port]`.
  /// Only those of an address of IPv6 stay.
  private static func unbracketed(_ authority: Substring) -> String {
    let plain = authority.filter { $0 != "[" && $0 != "]" }
    let host = plain.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return host.count { $0 == ":" } > 1 ? "[\(host)]" : String(host)
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
      let dropped = droppedPorts[scheme]
      if port.isEmpty || dropped == "" || dropped == String(port) { host = String(host[..<colon]) }
    }
    while host.hasPrefix("www."), host.dropFirst(4).contains(".") { host.removeFirst(4) }
    let isClean = host.unicodeScalars.allSatisfy {
      $0.value > 32 && $0.value != 127 && !"/\\?#%".unicodeScalars.contains($0)
    }
    return host.isEmpty || !isClean ? nil : secondAddresses[host] ?? host
  }

  /// A segment of a path in which nothing is encoded that need not be; what is no text stays encoded.
  private static func decoded(_ segment: Substring) -> String {
    let bytes = PercentEncoding.decodedBytes(segment) { PercentEncoding.isUnreserved($0) || $0 >= 0x80 }
    if let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ !(127...159).contains($0.value) })
    {
      return text
    }
    return PercentEncoding.decode(segment, where: PercentEncoding.isUnreserved)
  }

  private static func normalisedPath(_ raw: String) -> [String]? {
    let end = raw.firstIndex { $0 == "?" || $0 == "#" } ?? raw.endIndex
    var segments = raw[..<end].slashSeparated(omittingEmptySubsequences: true).map(decoded)
    while let last = segments.last, last.lowercased().hasSuffix(".git") {
      let shorter = String(last.dropLast(4))
      if shorter.isEmpty { segments.removeLast() } else { segments[segments.count - 1] = shorter }
    }
    return segments.isEmpty || segments.contains(".") || segments.contains("..") ? nil : segments
  }
}

/// The known public forges: the only list of them.
package enum KnownForges {
  /// The hosts on which owner and repository names ignore case, and whether a repository there is always
  /// `owner/name`, without subgroups.
  private static let hosts = [
    "github.com": true, "codeberg.org": true, "bitbucket.org": true, "gitea.com": true, "gitlab.com": false,
    "git.sr.ht": false, "dev.azure.com": false, gists: false,
  ]

  /// Whether pages of pull requests are called so, and have numbers of their own.
  static func hasPullRequests(_ host: String) -> Bool { host == "bitbucket.org" }

  /// The host of GitHub's gists, whose names are those of no owner's.
  static let gists = "gist.github.com"

  /// Whether a host is one of GitHub Enterprise Cloud with data residency.
  private static func isEnterpriseCloud(_ host: String) -> Bool { host.hasSuffix(".ghe.com") }

  /// Whether a host is run by GitHub.
  package static func isGitHub(_ host: String) -> Bool { host == "github.com" || isEnterpriseCloud(host) }

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

  /// The canonical name of an address that ``plainParts(_:)`` splits.
  ///
  /// - Returns: `nil` for every other form; the address may still have a canonical name.
  static func plainWebName(_ address: String) -> String? {
    plainParts(address).map { host, path in
      host + "/" + (ignoresCase(host) ? path.lowercased() : path)
    }
  }

  /// Splits an address of the form `https://host/owner/name` or `git@host:owner/name`, or a name of the form
  /// `host/owner/name`, in plain characters, with or without `.git` at its end.
  ///
  /// This is a fast path: a search parses thousands of such addresses, and so does a scan of clones.
  ///
  /// - Returns: The host, and owner and name as written; `nil` for every other form.
  static func plainParts(_ address: String) -> (host: String, path: String)? {
    var address = address
    return address.withUTF8 { bytes in
      if bytes.starts(with: "https://".utf8) { return plainParts(bytes, from: 8, hostEnd: "/") }
      if bytes.starts(with: "git@".utf8) { return plainParts(bytes, from: 4, hostEnd: ":") }
      return bytes.first == UInt8(ascii: "/") ? nil : plainParts(bytes, from: 0, hostEnd: "/")
    }
  }

  private static func plainParts(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, hostEnd: Unicode.Scalar
  ) -> (host: String, path: String)? {
    let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
    // The offsets of what ends the host and the owner; 0 until found.
    var (first, second) = (0, 0)
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: hostEnd) where first == 0: first = place
      case slash where first > 0 && second == 0: second = place
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        dot, UInt8(ascii: "_"):
        continue
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where first > 0: continue
      default: return nil
      }
    }
    // 0x20 is the bit that distinguishes upper from lower case.
    func endsWithGit(_ end: Int) -> Bool {
      bytes[..<end].suffix(4).elementsEqual(".git".utf8, by: { $0 | 0x20 == $1 })
    }
    let end = endsWithGit(bytes.count) ? bytes.count - 4 : bytes.count
    guard first > start, second > first + 1, second < end - 1, !endsWithGit(end),
      // A segment that begins with a dot may be a relative path: leave it to the full parser.
      bytes[start] != dot, bytes[first + 1] != dot, bytes[second + 1] != dot
    else { return nil }
    let host = String(decoding: bytes[start..<first], as: UTF8.self)
    guard !host.hasPrefix("www."), secondAddresses[host] == nil, host != KnownForges.gists,
      !host.hasSuffix(visualStudio)
    else { return nil }
    return (host, String(decoding: bytes[(first + 1)..<end], as: UTF8.self))
  }
}
