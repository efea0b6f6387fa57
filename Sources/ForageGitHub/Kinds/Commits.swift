import ForageCore

extension GitHubKind {
  /// Commits of default branches. Source: GitHub's documentation "Searching commits".
  static let commits = GitHubKind(
    .commit, path: "commits", reading: CommitResponse.self, common: ["author"],
    own: BelongingRepository.qualifiers + [
      ("committer", .text, .committer), ("author-name", .text, .authorName), ("committer-name", .text, nil),
      ("author-email", .text, nil), ("committer-email", .text, nil), ("author-date", .date, .authoredAt),
      ("committer-date", .date, .committedAt), ("merge", .boolean, .parents), ("hash", .text, .sha),
      ("parent", .text, .parents), ("tree", .text, nil),
      ("is", .words(["public", "private", "internal"]), nil),
    ],
    fields: [
      .host, .repository, .sha, .parents, .message, .author, .authorName, .committer, .avatarURL, .comments,
      .isPrivate, .authoredAt, .committedAt,
    ],
    sorts: ["author-date", "committer-date"])
}

/// A commit of a response. Only its id and address are required.
struct CommitResponse: GitHubItem {
  /// The maximum number of parents to decode; the largest known merge has 66.
  private static let maximumParents = 100
  /// The length of an abbreviated id, used as title if there is no message.
  private static let shortID = 7

  /// The author or committer.
  struct Person {
    /// The account, if GitHub knows it.
    var login: String?
    var avatarURL: String?
    /// The name in the commit.
    var name: String?
    var date: String?

    init(account: AnswerObject?, signature: AnswerObject?) {
      login = account?.text("login")
      avatarURL = account?.text("avatar_url")
      name = signature?.text("name")
      date = signature?.text("date")
    }
  }

  var sha: String
  var htmlURL: String
  var repository: BelongingRepository?
  var isPrivate: Bool?
  var message: String?
  var author: Person
  var committer: Person
  var parents: [String]
  var comments: Int?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    sha = try object.required("sha", object.text("sha"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    let owner = object.object("repository")
    repository = BelongingRepository(owner, page: htmlURL)
    isPrivate = owner?.flag("private")
    let commit = object.object("commit")
    message = commit?.text("message")
    comments = commit?.number("comment_count")
    author = Person(account: object.object("author"), signature: commit?.object("author"))
    committer = Person(account: object.object("committer"), signature: commit?.object("committer"))
    parents = object.objects("parents", upTo: Self.maximumParents).compactMap { $0.text("sha") }
  }

  func result(on host: String) -> SearchResult? {
    guard let repository, Self.isObjectID(sha) else { return nil }
    let subject = message?.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingWhitespace() }
      .first { !$0.isEmpty }
    var item = SearchResult(
      id: "\(repository.id)@\(sha.lowercased())", kind: .commit,
      title: subject ?? String(sha.prefix(Self.shortID)))
    item.setPage(htmlURL)
    item.set(.host, repository.host)
    item.set(.repository, repository.id)
    item.set(.sha, sha.lowercased())
    item.set(.parents, parents)
    item.set(.message, message)
    item.set(.author, author.login ?? author.name)
    item.set(.authorName, author.name)
    item.set(.committer, committer.login ?? committer.name)
    item.set(.avatarURL, author.avatarURL)
    item.set(.comments, comments)
    item.set(.isPrivate, isPrivate)
    item.set(.authoredAt, GitHubTime.date(author.date))
    item.set(.committedAt, GitHubTime.date(committer.date))
    return item
  }

  /// Whether a text is a SHA-1 or SHA-256 object id.
  private static func isObjectID(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
  }
}
