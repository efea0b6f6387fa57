import ForageCore

extension GitHubKind {
  /// Accounts. Source: GitHub's documentation "Searching users".
  static let users = GitHubKind(
    .user, path: "users", common: ["in", "language", "created"],
    own: [
      ("user", .text, .login), ("org", .text, .login), ("owner", .text, .login),
      ("type", .choice(["user", "org"]), .accountType), ("fullname", .text, .name),
      ("repos", .number, .repositoryCount), ("location", .text, .location),
      ("followers", .number, .followers),
      ("is", .words(["sponsorable"]), nil),
    ],
    read: members, fields: [.host, .login, .accountType], required: ["login", "html_url"],
    sorts: ["followers", "repositories", "joined"]
  ) { item, _ in account(item) }

  private static let members = [
    ResponseField(.name, "name"), ResponseField(.description, "bio"),
    ResponseField(.avatarURL, "avatar_url"), ResponseField(.homepage, "blog"),
    ResponseField(.location, "location"), ResponseField(.followers, "followers"),
    ResponseField(.repositoryCount, "public_repos"), ResponseField(.createdAt, "created_at"),
    ResponseField(.updatedAt, "updated_at"),
  ]

  /// An account. Only login and address are required; search omits most other members.
  private static func account(_ item: JSONTree) -> SearchResult? {
    guard let login = item.words("login"), let page = item.text("html_url"),
      let canonical = RepositoryIdentity.canonical(page)
    else { return nil }
    let host = String(canonical.prefix { $0 != "/" })
    var result = SearchResult(
      id: EntityReference(account: login, on: host).id, forgeID: item.number("id").map { "\(host):\($0)" },
      kind: .user, title: login)
    result.setPage(page)
    result.read(members, from: item)
    result.set(.host, host)
    result.set(.login, login)
    result.set(.accountType, item.text("type")?.lowercased())
    return result
  }
}
