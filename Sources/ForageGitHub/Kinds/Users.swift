import ForageCore

extension GitHubKind {
  /// Accounts. Source: GitHub's documentation "Searching users".
  static let users = GitHubKind(
    .user, path: "users", reading: UserResponse.self, common: ["in", "language", "created"],
    own: [
      ("user", .text, .login), ("org", .text, .login), ("owner", .text, .login),
      ("type", .choice(["user", "org"]), .accountType), ("fullname", .text, .name),
      ("repos", .number, .repositoryCount), ("location", .text, .location),
      ("followers", .number, .followers),
      ("is", .words(["sponsorable"]), nil),
    ],
    fields: [
      .host, .login, .name, .description, .accountType, .avatarURL, .homepage, .location, .followers,
      .repositoryCount, .createdAt, .updatedAt,
    ],
    sorts: ["followers", "repositories", "joined"])
}

/// An account of a response. Only login and address are required; search omits most other members.
struct UserResponse: GitHubItem {
  var id: Int?
  var login: String
  var htmlURL: String
  var name: String?
  var bio: String?
  var type: String?
  var avatarURL: String?
  var blog: String?
  var location: String?
  var followers: Int?
  var repositories: Int?
  var createdAt: String?
  var updatedAt: String?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    id = object.number("id")
    login = try object.required("login", object.text("login"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    name = object.text("name")
    bio = object.text("bio")
    type = object.text("type")
    avatarURL = object.text("avatar_url")
    blog = object.text("blog")
    location = object.text("location")
    followers = object.number("followers")
    repositories = object.number("public_repos")
    createdAt = object.text("created_at")
    updatedAt = object.text("updated_at")
  }

  func result(on host: String) -> SearchResult? {
    guard !login.isEmpty, let canonical = RepositoryIdentity.canonical(htmlURL) else { return nil }
    let host = String(canonical.prefix { $0 != "/" })
    let key = RepositoryIdentity.ignoresCase(host) ? login.lowercased() : login
    var item = SearchResult(
      id: "\(host)/@\(key)", forgeID: id.map { "\(host):\($0)" }, kind: .user, title: login)
    item.setPage(htmlURL)
    item.set(.host, host)
    item.set(.login, login)
    item.set(.name, name)
    item.set(.description, bio)
    item.set(.accountType, type?.lowercased())
    item.set(.avatarURL, avatarURL)
    item.set(.homepage, blog)
    item.set(.location, location)
    item.set(.followers, followers)
    item.set(.repositoryCount, repositories)
    item.set(.createdAt, GitHubTime.date(createdAt))
    item.set(.updatedAt, GitHubTime.date(updatedAt))
    return item
  }
}
