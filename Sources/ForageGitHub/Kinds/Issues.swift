import ForageCore

extension GitHubKind {
  /// Issues and pull requests. Source: GitHub's documentation "Searching issues and pull requests".
  static let issues = GitHubKind(
    .issue, path: "issues",
    common: BelongingRepository.qualifiers + [
      "author", "label", "comments", "state", "language", "created", "updated", "archived", "in",
    ],
    own: [
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
      ("interactions", .number, nil), ("reactions", .number, .reactions), ("draft", .flag, .draft),
      ("review", .choice(["none", "required", "approved", "changes_requested"]), nil),
      ("reviewed-by", .text, nil), ("review-requested", .text, nil), ("user-review-requested", .text, nil),
      ("team-review-requested", .text, nil), ("head", .text, nil), ("base", .text, nil),
      ("status", .choice(["pending", "success", "failure"]), nil), ("sha", .text, nil),
      ("linked", .choice(["pr", "issue"]), nil),
    ],
    read: members,
    fields: Set([.host, .repository, .number, .isPullRequest, .draft, .labels, .assignees])
      .union(reactions.map { ResultField(rawValue: $0.sort) }),
    required: ["number", "title", "html_url"],
    sorts: ["comments", "reactions"] + reactions.map(\.sort) + ["interactions", "created", "updated"]
  ) { item, _ in issue(item) }

  private static let reasons = ["completed", "not planned", "not_planned", "duplicate", "reopened"]

  private static let members = [
    ResponseField(.isPrivate, "private", of: "repository"), ResponseField(.state, "state"),
    ResponseField(.stateReason, "state_reason"), ResponseField(.locked, "locked"),
    ResponseField(.author, "login", of: "user"),
    ResponseField(.avatarURL, "avatar_url", of: "user"),
    ResponseField(.milestone, "title", of: "milestone"), ResponseField(.comments, "comments"),
    ResponseField(.reactions, "total_count", of: "reactions"),
    ResponseField(.createdAt, "created_at"), ResponseField(.updatedAt, "updated_at"),
    ResponseField(.closedAt, "closed_at"),
    ResponseField(.mergedAt, "merged_at", of: "pull_request"),
  ]

  /// The sort keys for reactions of one sort, with their names in answers. Each key is also the name of the
  /// field.
  private static let reactions: [(sort: String, member: String)] = [
    ("reactions-+1", "+1"), ("reactions--1", "-1"), ("reactions-smile", "laugh"),
    ("reactions-thinking_face", "confused"), ("reactions-heart", "heart"), ("reactions-tada", "hooray"),
  ]

  /// The maximum number of labels and assignees to read; GitHub allows 100 labels.
  private static let maximumNames = 100

  /// An issue or pull request. Only number, title and address are required.
  private static func issue(_ item: JSONTree) -> SearchResult? {
    guard let number = item.number("number"), number > 0, let title = item.text("title"),
      let page = item.text("html_url"),
      let repository = BelongingRepository(item["repository"], page: page)
    else { return nil }
    var result = SearchResult(
      id: "\(repository.id)#\(number)", forgeID: item.number("id").map { "\(repository.host):\($0)" },
      kind: .issue, title: title.isEmpty ? "#\(number)" : title)
    result.setPage(page)
    result.read(members, from: item)
    for (sort, member) in reactions {
      if let count = item["reactions"]?.number(member), count > 0 {
        result.set(ResultField(rawValue: sort), count)
      }
    }
    result.set(.host, repository.host)
    result.set(.repository, repository.name)
    result.set(.number, number)
    let isPullRequest = item["pull_request"]?.isObject == true
    result.set(.isPullRequest, isPullRequest)
    result.set(.draft, isPullRequest ? item.flag("draft") : nil)
    // A label is `{"name": …}`, or a plain string in older responses.
    result.set(.labels, item.texts("labels", upTo: maximumNames) { $0.string ?? $0["name"]?.string })
    result.set(.assignees, item.texts("assignees", upTo: maximumNames) { $0.text("login") })
    return result
  }
}
