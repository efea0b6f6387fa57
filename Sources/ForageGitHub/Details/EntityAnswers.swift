import ForageCore

/// The response for one issue or pull request, with its body.
struct IssueAnswer: GitHubItem {
  private var issue: IssueResponse
  private var body: String?

  init(from decoder: any Decoder) throws {
    issue = try IssueResponse(from: decoder)
    body = try AnswerObject(from: decoder).text("body")
  }

  func result(on host: String) -> SearchResult? {
    var item = issue.result(on: host)
    item?.set(.description, body)
    return item
  }
}

/// The response for one commit, with its statistics.
struct CommitAnswer: GitHubItem {
  private var commit: CommitResponse
  private var additions: Int?
  private var deletions: Int?

  init(from decoder: any Decoder) throws {
    commit = try CommitResponse(from: decoder)
    let stats = try AnswerObject(from: decoder).object("stats")
    additions = stats?.number("additions")
    deletions = stats?.number("deletions")
  }

  func result(on host: String) -> SearchResult? {
    var item = commit.result(on: host)
    item?.set("additions", additions)
    item?.set("deletions", deletions)
    return item
  }
}

/// The response for one account, with more fields than a search returns.
struct AccountAnswer: GitHubItem {
  private var user: UserResponse
  private var company: String?
  private var following: Int?

  init(from decoder: any Decoder) throws {
    user = try UserResponse(from: decoder)
    let object = try AnswerObject(from: decoder)
    company = object.text("company")
    following = object.number("following")
  }

  func result(on host: String) -> SearchResult? {
    var item = user.result(on: host)
    item?.set("company", company)
    item?.set("following", following)
    return item
  }
}
