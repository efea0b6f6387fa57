import ForageCore

extension GitHubKind {
  /// Issues and pull requests. Source: GitHub's documentation "Searching issues and pull requests".
  static let issues = GitHubKind(
    .issue, path: "issues", reading: IssueResponse.self,
    common: [
      "author", "label", "comments", "state", "language", "created", "updated", "archived", "in",
    ],
    own: BelongingRepository.qualifiers + [
      // Organisations define their own issue types, so the list of values is open.
      ("type", .text, .isPullRequest),
      (
        "is",
        .words([
          "issue", "pr", "pull-request", "open", "closed", "merged", "unmerged", "draft", "locked",
          "unlocked", "queued", "public", "private", "internal",
        ]), nil
      ),
      ("reason", .words(reasons), .stateReason), ("state_reason", .words(reasons), .stateReason),
      ("state-reason", .words(reasons), .stateReason),
      ("no", .words(["label", "milestone", "assignee", "project", "type", "parent-issue"]), nil),
      ("assignee", .text, .assignees), ("mentions", .text, nil), ("commenter", .text, nil),
      ("involves", .text, nil), ("team", .text, nil), ("milestone", .text, .milestone),
      ("project", .text, nil), ("closed", .date, .closedAt), ("merged", .date, .mergedAt),
      ("interactions", .number, nil), ("reactions", .number, .reactions), ("draft", .boolean, .draft),
      ("review", .choice(["none", "required", "approved", "changes_requested"]), nil),
      ("reviewed-by", .text, nil), ("review-requested", .text, nil), ("user-review-requested", .text, nil),
      ("team-review-requested", .text, nil), ("head", .text, nil), ("base", .text, nil),
      ("status", .choice(["pending", "success", "failure"]), nil), ("sha", .text, nil),
      ("linked", .choice(["pr", "issue"]), nil),
    ],
    fields: [
      .host, .repository, .number, .isPullRequest, .draft, .state, .stateReason, .locked, .author,
      .avatarURL, .labels, .assignees, .milestone, .comments, .reactions, .isPrivate, .createdAt, .updatedAt,
      .closedAt, .mergedAt,
    ],
    sorts: [
      "comments", "reactions", "reactions-+1", "reactions--1", "reactions-smile", "reactions-thinking_face",
      "reactions-heart", "reactions-tada", "interactions", "created", "updated",
    ])

  private static let reasons = ["completed", "not planned", "not_planned", "duplicate", "reopened"]
}

/// An issue or pull request of a response. Only number, title and address are required.
struct IssueResponse: GitHubItem {
  /// The maximum number of labels and assignees to decode; GitHub allows 100 labels.
  private static let maximumNames = 100

  var id: Int?
  var number: Int
  var title: String
  var htmlURL: String
  var repository: BelongingRepository?
  var isPrivate: Bool?
  var state: String?
  var stateReason: String?
  var isLocked: Bool?
  var author: String?
  var avatarURL: String?
  var labels: [String]
  var assignees: [String]
  var milestone: String?
  var comments: Int?
  var reactions: Int?
  var isPullRequest: Bool
  var isDraft: Bool?
  var createdAt: String?
  var updatedAt: String?
  var closedAt: String?
  var mergedAt: String?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    id = object.number("id")
    number = try object.required("number", object.number("number"))
    title = try object.required("title", object.text("title"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    let owner = object.object("repository")
    repository = BelongingRepository(owner, page: htmlURL)
    isPrivate = owner?.flag("private")
    state = object.text("state")
    stateReason = object.text("state_reason")
    isLocked = object.flag("locked")
    let user = object.object("user")
    author = user?.text("login")
    avatarURL = user?.text("avatar_url")
    let named: [Lenient<LabelName>]? = try? object.list("labels", upTo: Self.maximumNames)
    labels = (named ?? []).compactMap { $0.value?.text }
    assignees = object.objects("assignees", upTo: Self.maximumNames).compactMap { $0.text("login") }
    milestone = object.object("milestone")?.text("title")
    comments = object.number("comments")
    reactions = object.object("reactions")?.number("total_count")
    let pull = object.object("pull_request")
    isPullRequest = pull != nil
    isDraft = object.flag("draft")
    createdAt = object.text("created_at")
    updatedAt = object.text("updated_at")
    closedAt = object.text("closed_at")
    mergedAt = pull?.text("merged_at")
  }

  func result(on host: String) -> SearchResult? {
    guard let repository, number > 0 else { return nil }
    var item = SearchResult(
      id: "\(repository.id)#\(number)", forgeID: id.map { "\(repository.host):\($0)" }, kind: .issue,
      title: title.isEmpty ? "#\(number)" : title)
    item.setPage(htmlURL)
    item.set(.host, repository.host)
    item.set(.repository, repository.id)
    item.set(.number, number)
    item.set(.isPullRequest, isPullRequest)
    item.set(.draft, isPullRequest ? isDraft : nil)
    item.set(.state, state)
    item.set(.stateReason, stateReason)
    item.set(.locked, isLocked)
    item.set(.author, author)
    item.set(.avatarURL, avatarURL)
    item.set(.labels, labels)
    item.set(.assignees, assignees)
    item.set(.milestone, milestone)
    item.set(.comments, comments)
    item.set(.reactions, reactions)
    item.set(.isPrivate, isPrivate)
    item.set(.createdAt, GitHubTime.date(createdAt))
    item.set(.updatedAt, GitHubTime.date(updatedAt))
    item.set(.closedAt, GitHubTime.date(closedAt))
    item.set(.mergedAt, GitHubTime.date(mergedAt))
    return item
  }
}

/// A label: `{"name": …}`, or a plain string in older responses.
private struct LabelName: Decodable {
  var text: String?

  init(from decoder: any Decoder) throws {
    if let plain = try? decoder.singleValueContainer().decode(String.self) {
      text = plain
    } else {
      text = try AnswerObject(from: decoder).text("name")
    }
    if text?.isEmpty == true { text = nil }
  }
}
