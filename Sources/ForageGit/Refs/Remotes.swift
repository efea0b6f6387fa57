package struct Remote: Sendable, Hashable {
  package let name: String
  /// The first configured URL, without credentials.
  package let url: String
  /// The URL after `url.*.insteadOf` is applied, without credentials.
  package let effectiveURL: String

  package init(name: String, url: String, effectiveURL: String? = nil) {
    self.name = name
    self.url = url
    self.effectiveURL = effectiveURL ?? url
  }
}

package struct Upstream: Sendable, Hashable {
  package let name: String
  /// The full name of the reference.
  package let ref: String
  /// The commit; nil if the reference does not exist.
  package let commit: ObjectID?
}

extension GitRepository {
  /// The most remotes that are listed; the largest known collections of forks have some thousand.
  package static let remoteLimit = 10_000
  /// The most `url.*.insteadOf` rules, the user's before the repository's, because each is tried on each
  /// remote.
  private static let rewriteLimit = 1_000

  /// Whether there are more than ``remoteLimit`` remotes.
  package var hasUnlistedRemotes: Bool { config.subsections(of: "remote").count > Self.remoteLimit }

  /// Returns the remotes that have a URL, in the order of the configuration, at most ``remoteLimit``.
  package func remotes() -> [Remote] {
    let rules = rewriteRules()
    return config.subsections(of: "remote").prefix(Self.remoteLimit).compactMap { name in
      guard let url = config.strings("remote.\(name).url").first(where: { !$0.isEmpty }) else { return nil }
      return Remote(
        name: name, url: RemoteURL.withoutCredentials(url),
        effectiveURL: RemoteURL.withoutCredentials(Self.rewritten(url, rules)))
    }
  }

  /// Returns the remotes that the repository may be a clone of: `origin`, else that of the current branch's
  /// upstream, else all.
  package func sourceRemotes() -> [Remote] {
    let remotes = remotes()
    let upstream = refs.head.branch.flatMap { config.string("branch.\($0).remote") }
    let source =
      remotes.first { $0.name == "origin" } ?? upstream.flatMap { name in remotes.first { $0.name == name } }
    return source.map { [$0] } ?? remotes
  }

  /// Returns the upstream of a branch by `branch.*.remote` and `branch.*.merge`; nil if none is configured.
  package func upstream(ofBranch branch: String) -> Upstream? {
    guard let remote = config.string("branch.\(branch).remote"),
      let merge = config.strings("branch.\(branch).merge").first
    else { return nil }
    guard let ref = remote == "." ? merge : tracking(merge, remote) else { return nil }
    var name = ref
    for prefix in ["refs/heads/", "refs/remotes/", "refs/"] where ref.hasPrefix(prefix) {
      name = String(ref.dropFirst(prefix.count))
      break
    }
    return Upstream(name: name, ref: ref, commit: refs.reference(shownAs: ref)?.target)
  }

  /// Maps a reference of a remote to the remote-tracking reference by the fetch refspecs.
  func tracking(_ merge: String, _ remote: String) -> String? {
    for rule in config.strings("remote.\(remote).fetch") {
      let sides = rule.drop { $0 == "+" }.split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { continue }
      guard let star = sides[0].firstIndex(of: "*"), let target = sides[1].firstIndex(of: "*") else {
        if sides[0] == merge { return String(sides[1]) }
        continue
      }
      let (before, after) = (sides[0][..<star], sides[0][sides[0].index(after: star)...])
      guard merge.hasPrefix(before), merge.hasSuffix(after), merge.count >= before.count + after.count else {
        continue
      }
      let middle = merge.dropFirst(before.count).dropLast(after.count)
      return "\(sides[1][..<target])\(middle)\(sides[1][sides[1].index(after: target)...])"
    }
    return nil
  }

  /// Returns the `url.<base>.insteadOf` rules, at most ``rewriteLimit``.
  private func rewriteRules() -> [(base: String, prefix: String)] {
    var rules: [(base: String, prefix: String)] = []
    for base in config.subsections(of: "url") where rules.count < Self.rewriteLimit {
      rules += config.strings("url.\(base).insteadof").filter { !$0.isEmpty }.map { (base, $0) }
    }
    return Array(rules.prefix(Self.rewriteLimit))
  }

  private static func rewritten(_ url: String, _ rules: [(base: String, prefix: String)]) -> String {
    var best: (base: String, length: Int)?
    for (base, prefix) in rules where url.hasPrefix(prefix) {
      if prefix.count > best?.length ?? 0 { best = (base, prefix.count) }
    }
    guard let best else { return url }
    return best.base + url.dropFirst(best.length)
  }
}

/// Removes credentials from URLs of remotes.
package enum RemoteURL {
  /// Returns the URL without passwords and tokens.
  ///
  /// Of `http`, `https` and `ftp` URLs all user information and the query are removed; of `ssh` and others
  /// only the password. `git@host:path` stays.
  package static func withoutCredentials(_ url: String) -> String {
    guard let separator = url.firstRange(of: "://") else { return withoutScpPassword(url) }
    let scheme = url[..<separator.lowerBound]
    var rest = url[separator.upperBound...]
    let kind = (scheme.split(separator: ":").last ?? scheme).lowercased()
    let isWeb = ["http", "https", "ftp", "ftps"].contains(kind)
    if isWeb, let query = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      // A password with an unescaped `?` or `#`, or a token as a parameter. What follows is not part of a
      // path on a Git server, unless a host comes after it.
      let host = rest[query...].lastIndex(of: "@").map { rest[rest.index(after: $0)...] }
      rest = host ?? rest[..<query]
    }
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    if let at = rest[..<end].lastIndex(of: "@") {
      let user = rest[..<at].prefix { $0 != ":" }
      let host = rest[rest.index(after: at)...]
      return isWeb || user.isEmpty ? "\(scheme)://\(host)" : "\(scheme)://\(user)@\(host)"
    }
    // `user:pass/word@host`: the text after the colon is not a port.
    if let colon = rest[..<end].lastIndex(of: ":"), !rest[..<end].hasPrefix("["),
      !rest[rest.index(after: colon)..<end].allSatisfy(\.isNumber), let at = rest.lastIndex(of: "@")
    {
      return "\(scheme)://\(rest[rest.index(after: at)...])"
    }
    return "\(scheme)://\(rest)"
  }

  /// Returns `user:password@host:path` as `user@host:path`.
  private static func withoutScpPassword(_ url: String) -> String {
    // `transport::address` of gitremote-helpers(7).
    if let mark = url.firstRange(of: "::"), url[..<mark.lowerBound].allSatisfy(\.isLetter) {
      return url[..<mark.upperBound] + withoutScpPassword(String(url[mark.upperBound...]))
    }
    guard let colon = url.firstIndex(of: ":"), !url[..<colon].contains("/"), !url[..<colon].contains("@")
    else {
      return url
    }
    let rest = url[url.index(after: colon)...]
    guard let at = rest.firstIndex(of: "@"), !rest[..<at].contains("/") else { return url }
    return "\(url[..<colon])\(rest[at...])"
  }
}
