import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The time that GitHub writes as a text.
private func time(_ text: String?) -> Date? { text.flatMap { DatePoint($0) }?.start }

/// An issue or a pull request.
struct IssueAnswer: Decodable, DetailsAnswer {
  /// More labels and assignees than an issue can have.
  private static let maximumNames = 200

  /// A label or an account: an object with a name, or just the name.
  private struct Named: Decodable {
    var name: String?

    init(from decoder: any Decoder) throws {
      if let plain = try? decoder.singleValueContainer().decode(String.self) {
        name = plain
      } else {
        let object = try AnswerObject(from: decoder)
        name = object.text("name") ?? object.text("login")
      }
    }
  }

  private var id: Int?
  private var number: Int
  private var title: String
  private var htmlURL: String
  private var item = SearchResult(id: "", kind: .issue, title: "")

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    id = object.number("id")
    number = try object.required("number", object.number("number"))
    title = try object.required("title", object.text("title"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    func names(_ member: String) -> [String]? {
      let list: [Lenient<Named>]? = try? object.list(member, upTo: Self.maximumNames)
      return list?.compactMap { $0.value?.name }
    }
    item.set(.description, object.text("body"))
    item.set(.number, number)
    item.set(.state, object.text("state"))
    item.set("stateReason", object.text("state_reason"))
    item.set(.author, object.object("user")?.text("login"))
    item.set(.labels, names("labels"))
    item.set("assignees", names("assignees"))
    item.set("milestone", object.object("milestone")?.text("title"))
    item.set("locked", object.flag("locked"))
    item.set(.comments, object.number("comments"))
    let pull = object.object("pull_request")
    item.set(.isPullRequest, pull != nil)
    item.set("draft", object.flag("draft"))
    item.set("mergedAt", time(pull?.text("merged_at")))
    item.set(.createdAt, time(object.text("created_at")))
    item.set(.updatedAt, time(object.text("updated_at")))
    item.set(.closedAt, time(object.text("closed_at")))
  }

  func result() -> SearchResult? {
    guard let reference = EntityReference(htmlURL, defaultHost: GitHubHost.dotCom), reference.kind == .issue
    else { return nil }
    var item = item
    item.id = reference.id
    item.forgeID = id.map { "\(reference.host):\($0)" }
    item.title = title
    item.url = htmlURL
    item.set(.host, reference.host)
    item.set(.repository, reference.repositoryID)
    return item
  }
}

/// A commit.
struct CommitAnswer: Decodable, DetailsAnswer {
  private var sha: String
  private var message: String
  private var htmlURL: String
  private var item = SearchResult(id: "", kind: .commit, title: "")

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    let commit = try object.required("commit", object.object("commit"))
    sha = try object.required("sha", object.text("sha"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    message = try object.required("message", commit.text("message"))
    let (author, committer) = (commit.object("author"), commit.object("committer"))
    item.set(.sha, sha)
    item.set(.message, message)
    item.set(.author, object.object("author")?.text("login") ?? author?.text("name"))
    item.set("authorName", author?.text("name"))
    item.set("committer", object.object("committer")?.text("login") ?? committer?.text("name"))
    item.set(.authoredAt, time(author?.text("date")))
    item.set(.committedAt, time(committer?.text("date")))
    let stats = object.object("stats")
    item.set("additions", stats?.number("additions"))
    item.set("deletions", stats?.number("deletions"))
  }

  func result() -> SearchResult? {
    guard let reference = EntityReference(htmlURL, defaultHost: GitHubHost.dotCom), reference.kind == .commit
    else { return nil }
    var item = item
    item.id = reference.id
    item.title = message.split(separator: "\n").first.map(String.init) ?? sha
    item.url = htmlURL
    item.set(.host, reference.host)
    item.set(.repository, reference.repositoryID)
    return item
  }
}

/// An account of a person or an organisation.
struct AccountAnswer: Decodable, DetailsAnswer {
  private var id: Int?
  private var login: String
  private var htmlURL: String
  private var item = SearchResult(id: "", kind: .user, title: "")

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    id = object.number("id")
    login = try object.required("login", object.text("login"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    item.set(.description, object.text("bio"))
    item.set(.name, object.text("name"))
    item.set(.login, login)
    item.set(.accountType, object.text("type")?.lowercased())
    item.set(.avatarURL, object.text("avatar_url"))
    item.set(.homepage, object.text("blog"))
    item.set("company", object.text("company"))
    item.set("location", object.text("location"))
    item.set(.followers, object.number("followers"))
    item.set("following", object.number("following"))
    item.set(.repositoryCount, object.number("public_repos"))
    item.set(.createdAt, time(object.text("created_at")))
    item.set(.updatedAt, time(object.text("updated_at")))
  }

  func result() -> SearchResult? {
    // With a further part the address has the form of a repository's, whose host can be read.
    guard let host = RepositoryIdentity.canonical(htmlURL + "/x").flatMap(RepositoryIdentity.components)?.host
    else { return nil }
    let account = EntityReference(account: login, on: host)
    var item = item
    item.id = account.id
    item.forgeID = id.map { "\(account.host):\($0)" }
    item.title = login
    item.url = htmlURL
    item.set(.host, account.host)
    return item
  }
}

/// The topics that a search for one finds.
struct TopicAnswer: Decodable {
  /// The search is for one name: what is not on its first page is not it.
  private static let maximum = 100

  private struct Topic: Decodable {
    var name: String
    var description: String?
    var createdAt: String?
    var updatedAt: String?

    init(from decoder: any Decoder) throws {
      let object = try AnswerObject(from: decoder)
      name = try object.required("name", object.text("name"))
      description = object.text("short_description") ?? object.text("description")
      createdAt = object.text("created_at")
      updatedAt = object.text("updated_at")
    }
  }

  private var topics: [Lenient<Topic>]

  init(from decoder: any Decoder) throws {
    topics = try AnswerObject(from: decoder).list("items", upTo: Self.maximum)
  }

  /// The topic of that name, on a host.
  func named(_ name: String, host: String) -> SearchResult? {
    guard let topic = topics.lazy.compactMap(\.value).first(where: { $0.name.lowercased() == name }) else {
      return nil
    }
    let reference = EntityReference(topic: topic.name, on: host)
    var item = SearchResult(
      id: reference.id, kind: .topic, title: topic.name, url: reference.webAddress)
    item.set(.host, host)
    item.set(.name, topic.name)
    item.set(.description, topic.description)
    item.set(.createdAt, time(topic.createdAt))
    item.set(.updatedAt, time(topic.updatedAt))
    return item
  }
}
