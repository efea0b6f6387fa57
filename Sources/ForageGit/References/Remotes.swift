/// A remote of a repository.
package struct Remote: Sendable, Hashable {
  /// Its name.
  package let name: String
  /// Its first URL as configured, without credentials.
  package let url: String
  /// The URL that git asks, which is another one where `url.*.insteadOf` applies; without credentials.
  package let effectiveURL: String

  /// Creates a remote.
  package init(name: String, url: String, effectiveURL: String? = nil) {
    self.name = name
    self.url = url
    self.effectiveURL = effectiveURL ?? url
  }
}

/// What the current branch follows.
package struct Upstream: Sendable, Hashable {
  /// The short name, as in `origin/main`.
  package let name: String
  /// The full name of the reference that is compared with.
  package let ref: String
  /// Its commit; nil when the reference is gone.
  package let commit: ObjectID?
}

extension GitRepository {
  /// More remotes are not listed: the largest known collections of forks have some thousand.
  package static let remoteLimit = 10_000
  /// How many `url.*.insteadOf` are heeded, the user's before the repository's: each is tried on each remote.
  private static let rewriteLimit = 1_000

  /// Whether there are more than ``remoteLimit`` remotes.
  package var hasUnlistedRemotes: Bool { config.subsections(of: "remote").count > Self.remoteLimit }

  /// The remotes that have a URL, in the configuration's order; of very many the first ``remoteLimit``.
  package func remotes() -> [Remote] {
    let rules = rewriteRules()
    return config.subsections(of: "remote").prefix(Self.remoteLimit).compactMap { name in
      guard let url = config.strings("remote.\(name).url").first(where: { !$0.isEmpty }) else { return nil }
      return Remote(
        name: name, url: RemoteURL.withoutCredentials(url),
        effectiveURL: RemoteURL.withoutCredentials(Self.rewritten(url, rules)))
    }
  }

  /// What a branch follows by `branch.*.remote` and `branch.*.merge`; nil when it follows nothing.
  package func upstream(ofBranch branch: String) -> Upstream? {
    guard let remote = config.string("branch.\(branch).remote"),
      let merge = config.string("branch.\(branch).merge")
    else { return nil }
    guard let ref = remote == "." ? merge : tracking(merge, remote) else { return nil }
    var name = ref
    for prefix in ["refs/heads/", "refs/remotes/", "refs/"] where ref.hasPrefix(prefix) {
      name = String(ref.dropFirst(prefix.count))
      break
    }
    return Upstream(name: name, ref: ref, commit: refs[name: ref]?.target)
  }

  /// Where the fetch rules of a remote store one of its references.
  private func tracking(_ merge: String, _ remote: String) -> String? {
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

  /// Each `url.<base>.insteadOf`, at most ``rewriteLimit``.
  private func rewriteRules() -> [(base: String, prefix: String)] {
    let rules = config.subsections(of: "url").lazy.flatMap { base in
      self.config.strings("url.\(base).insteadof").filter { !$0.isEmpty }.map { (base: base, prefix: $0) }
    }
    return Array(rules.prefix(Self.rewriteLimit))
  }

  /// Applies the longest of the rules that fits.
  private static func rewritten(_ url: String, _ rules: [(base: String, prefix: String)]) -> String {
    var best: (base: String, length: Int)?
    for (base, prefix) in rules where url.hasPrefix(prefix) {
      if prefix.count > best?.length ?? 0 { best = (base, prefix.count) }
    }
    guard let best else { return url }
    return best.base + url.dropFirst(best.length)
  }
}

/// URLs of remotes, made fit to be shown.
package enum RemoteURL {
  /// The same URL without passwords and tokens.
  ///
  /// Of `http`, `https` and `ftp` all user information goes, and the query; of `ssh` and others only the
  /// password;
  /// `git@host:path` stays.
  package static func withoutCredentials(_ url: String) -> String {
    guard let separator = url.firstRange(of: "://") else { return withoutScpPassword(url) }
    let scheme = url[..<separator.lowerBound]
    var rest = url[separator.upperBound...]
    let kind = (scheme.split(separator: ":").last ?? scheme).lowercased()
    let isWeb = ["http", "https", "ftp", "ftps"].contains(kind)
    if isWeb, let query = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      // A password with an unescaped `?` or `#`, or a token as a parameter: what follows is never part of a
      // path
      // that a Git server has, unless a host comes after it.
      let host = rest[query...].lastIndex(of: "@").map { rest[rest.index(after: $0)...] }
      rest = host ?? rest[..<query]
    }
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    if let at = rest[..<end].lastIndex(of: "@") {
      let user = rest[..<at].prefix { $0 != ":" }
      let host = rest[rest.index(after: at)...]
      return isWeb || user.isEmpty ? "\(scheme)://\(host)" : "\(scheme)://\(user)@\(host)"
    }
    // `user:pass/word@host`: what looks like a port is none.
    if let colon = rest[..<end].lastIndex(of: ":"), !rest[..<end].hasPrefix("["),
      !rest[rest.index(after: colon)..<end].allSatisfy(\.isNumber), let at = rest.lastIndex(of: "@")
    {
      return "\(scheme)://\(rest[rest.index(after: at)...])"
    }
    return "\(scheme)://\(rest)"
  }

  /// `user:password@host:path` as `user@host:path`.
  private static func withoutScpPassword(_ url: String) -> String {
    guard let colon = url.firstIndex(of: ":"), !url[..<colon].contains("/"), !url[..<colon].contains("@")
    else {
      return url
    }
    let rest = url[url.index(after: colon)...]
    guard let at = rest.firstIndex(of: "@"), !rest[..<at].contains("/") else { return url }
    return "\(url[..<colon])\(rest[at...])"
  }
}
