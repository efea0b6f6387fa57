import ForageCore

extension GitHubKind {
  /// Repositories. Source: GitHub's documentation "Searching for repositories".
  static let repositories = GitHubKind(
    .repo, path: "repositories",
    common: [
      "repo", "user", "org", "owner", "language", "license", "topic", "topics", "stars", "forks", "size",
      "followers", "good-first-issues", "help-wanted-issues", "created", "pushed", "archived", "mirror",
      "template", "fork", "has", "in", "props.*",
    ],
    own: [
      (
        "is",
        .words(["public", "private", "internal", "sponsorable", "archived", "fork", "mirror", "template"]),
        nil
      )
    ],
    read: members, fields: [.host, .owner, .name, .fullName, .license, .mirror, .starredAt, .starred],
    required: ["id", "name", "full_name", "html_url"],
    sorts: ["stars", "forks", "help-wanted-issues", "updated"], lacksUpdated: true, feed: GitHubStars.feed
  ) { item, _ in repository(item) }

  private static let members = [
    ResponseField(.description, "description"),
    ResponseField(.avatarURL, "avatar_url", of: "owner"),
    ResponseField(.homepage, "homepage"), ResponseField(.language, "language"),
    ResponseField(.topics, "topics"), ResponseField(.stars, "stargazers_count"),
    ResponseField(.forks, "forks_count"), ResponseField(.watchers, "watchers_count"),
    ResponseField(.subscribers, "subscribers_count"), ResponseField(.network, "network_count"),
    ResponseField(.openIssues, "open_issues_count"), ResponseField(.sizeKB, "size"),
    ResponseField(.fork, "fork"), ResponseField(.archived, "archived"),
    ResponseField(.isPrivate, "private"), ResponseField(.template, "is_template"),
    ResponseField(.defaultBranch, "default_branch"), ResponseField(.createdAt, "created_at"),
    ResponseField(.updatedAt, "updated_at"), ResponseField(.pushedAt, "pushed_at"),
  ]

  /// A repository; `nil` if its address names none.
  ///
  /// The identity comes from the response, not from the requested address.
  static func repository(_ item: JSONTree) -> SearchResult? {
    guard let id = item.number("id"), let name = item.text("name"), let fullName = item.text("full_name"),
      let page = item.text("html_url"), let canonical = RepositoryIdentity.canonical(page),
      let parts = RepositoryIdentity.components(canonical)
    else { return nil }
    // An empty name is unknown; the address has it, too.
    let spelling = name.isEmpty || fullName.isEmpty ? RepositoryIdentity.spelling(page) : nil
    var result = SearchResult(
      id: canonical, forgeID: "\(parts.host):\(id)", kind: .repo,
      title: fullName.isEmpty ? spelling.map { $0.owner + "/" + $0.name } ?? canonical : fullName, url: page)
    result.read(members, from: item)
    result.set(.host, parts.host)
    result.set(
      .owner, item["owner"]?.words("login") ?? result.title.split(separator: "/").first.map(String.init))
    result.set(.name, name.isEmpty ? spelling?.name : name)
    if let spdx = item["license"]?.text("spdx_id"), spdx != "NOASSERTION" {
      result.set(.license, spdx)
    }
    let mirror = item.text("mirror_url")
    result.set(.mirror, mirror.map { !$0.isEmpty })
    result.relate(to: mirror, .mirror)
    return result
  }
}
