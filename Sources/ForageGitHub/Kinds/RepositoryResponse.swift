/// A repository of a response. Only what identifies it is required.
struct RepositoryResponse: GitHubItem {
  struct Owner {
    var login: String?
    var avatarURL: String?
  }

  struct License {
    var key: String?
    var spdxID: String?
  }

  var id: Int
  var name: String
  var fullName: String
  var htmlURL: String
  var owner: Owner?
  var description: String?
  var homepage: String?
  var language: String?
  var topics: [String]?
  var license: License?
  var stars: Int?
  var forks: Int?
  var watchers: Int?
  var subscribers: Int?
  var network: Int?
  var openIssues: Int?
  var size: Int?
  var fork: Bool?
  var archived: Bool?
  var isPrivate: Bool?
  var isTemplate: Bool?
  var mirrorURL: String?
  var defaultBranch: String?
  var createdAt: String?
  var updatedAt: String?
  var pushedAt: String?

  /// Decodes required members strictly and optional members leniently.
  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    id = try object.required("id", object.number("id"))
    name = try object.required("name", object.text("name"))
    fullName = try object.required("full_name", object.text("full_name"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    owner = object.object("owner").map { Owner(login: $0.text("login"), avatarURL: $0.text("avatar_url")) }
    license = object.object("license").map { License(key: $0.text("key"), spdxID: $0.text("spdx_id")) }
    description = object.text("description")
    homepage = object.text("homepage")
    language = object.text("language")
    topics = object.texts("topics")
    stars = object.number("stargazers_count")
    forks = object.number("forks_count")
    watchers = object.number("watchers_count")
    subscribers = object.number("subscribers_count")
    network = object.number("network_count")
    openIssues = object.number("open_issues_count")
    size = object.number("size")
    fork = object.flag("fork")
    archived = object.flag("archived")
    isPrivate = object.flag("private")
    isTemplate = object.flag("is_template")
    mirrorURL = object.text("mirror_url")
    defaultBranch = object.text("default_branch")
    createdAt = object.text("created_at")
    updatedAt = object.text("updated_at")
    pushedAt = object.text("pushed_at")
  }
}
