import ForageCore

extension GitHubKind {
  /// Commits of default branches. Source: GitHub's documentation "Searching commits".
  static let commits = GitHubKind(
    .commit, path: "commits", common: BelongingRepository.qualifiers + ["author"],
    own: [
      ("committer", .text, .committer), ("author-name", .text, .authorName), ("committer-name", .text, nil),
      ("author-email", .text, nil), ("committer-email", .text, nil), ("author-date", .date, .authoredAt),
      ("committer-date", .date, .committedAt), ("merge", .flag, .parents), ("hash", .text, .sha),
      ("parent", .text, .parents), ("tree", .text, nil),
      ("is", .words(["public", "private", "internal"]), nil),
    ],
    read: members,
    fields: [
      .host, .repository, .sha, .parents, .message, .author, .authorName, .committer, .comments, .authoredAt,
      .committedAt,
    ],
    required: ["sha", "html_url"],
    sorts: ["author-date", "committer-date"]
  ) { item, _ in commit(item) }

  private static let members = [
    ResponseField(.avatarURL, "avatar_url", of: "author"),
    ResponseField(.isPrivate, "private", of: "repository"),
  ]

  /// The maximum number of parents to read; the largest known merge has 66.
  private static let maximumParents = 100
  /// The length of an abbreviated id, used as title if there is no message.
  private static let shortID = 7

  /// A commit. Only its id and address are required.
  private static func commit(_ item: JSONTree) -> SearchResult? {
    guard let sha = item.text("sha"), isObjectID(sha), let page = item.text("html_url"),
      let repository = BelongingRepository(item["repository"], page: page)
    else { return nil }
    let commit = item["commit"]
    let message = commit?.text("message")
    let subject = message?.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingWhitespace() }
      .first { !$0.isEmpty }
    var result = SearchResult(
      id: "\(repository.id)@\(sha.lowercased())", kind: .commit,
      title: subject ?? String(sha.prefix(shortID)))
    result.setPage(page)
    result.read(members, from: item)
    result.set(.host, repository.host)
    result.set(.repository, repository.name)
    result.set(.sha, sha.lowercased())
    result.set(.parents, item.texts("parents", upTo: maximumParents) { $0.text("sha") })
    result.set(.message, message)
    result.set(.comments, commit?.count("comment_count"))
    // The signatures are in the commit, the accounts beside it.
    let (author, committer) = (commit?["author"], commit?["committer"])
    result.set(.author, item["author"]?.text("login") ?? author?.text("name"))
    result.set(.authorName, author?.text("name"))
    result.set(.committer, item["committer"]?.text("login") ?? committer?.text("name"))
    result.set(.authoredAt, author?.date("date"))
    result.set(.committedAt, committer?.date("date"))
    return result
  }

  /// Whether a text is a SHA-1 or SHA-256 object id.
  private static func isObjectID(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.consists(of: "0"..."9", "a"..."f", "A"..."F")
  }
}
