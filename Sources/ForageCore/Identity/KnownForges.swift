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
