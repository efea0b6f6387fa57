/// The name of one property of a result; open, so that providers can add their own.
public struct ResultField: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The name as it stands in JSON.
  public let rawValue: String

  /// Creates a field name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a field name from a literal.
  public init(stringLiteral value: String) { rawValue = value }

  /// A sentence or two about the entity.
  public static let description: ResultField = "description"
  /// The host of the forge, with its port where that is not the default.
  public static let host: ResultField = "host"
  /// The account or the namespace that owns the repository.
  public static let owner: ResultField = "owner"
  /// The repository's own name, the name that a person gives on an account, or the name of a topic.
  public static let name: ResultField = "name"
  /// Owner and name joined by a slash.
  public static let fullName: ResultField = "fullName"
  /// The owner's picture.
  public static let avatarURL: ResultField = "avatarUrl"
  /// The project's own site.
  public static let homepage: ResultField = "homepage"
  /// The main programming language.
  public static let language: ResultField = "language"
  /// Labels that the owner has given.
  public static let topics: ResultField = "topics"
  /// The license as an SPDX identifier.
  public static let license: ResultField = "license"
  /// How many people have starred it.
  public static let stars: ResultField = "stars"
  /// How many forks it has.
  public static let forks: ResultField = "forks"
  /// How many people watch it.
  public static let watchers: ResultField = "watchers"
  /// How many people are notified of its events; tells more than `watchers`, which GitHub equates with stars.
  public static let subscribers: ResultField = "subscribers"
  /// How many repositories are in its network of forks.
  public static let network: ResultField = "network"
  /// Open issues, including pull requests.
  public static let openIssues: ResultField = "openIssues"
  /// The repository's size in kilobytes.
  public static let sizeKB: ResultField = "sizeKB"
  /// Whether it is a fork.
  public static let fork: ResultField = "fork"
  /// Whether it is archived.
  public static let archived: ResultField = "archived"
  /// Whether it is private.
  public static let isPrivate: ResultField = "private"
  /// Whether it is a template.
  public static let template: ResultField = "template"
  /// Whether it is a mirror.
  public static let mirror: ResultField = "mirror"
  /// The branch that HEAD names.
  public static let defaultBranch: ResultField = "defaultBranch"
  /// When it was created.
  public static let createdAt: ResultField = "createdAt"
  /// When anything about it changed last.
  public static let updatedAt: ResultField = "updatedAt"
  /// When commits arrived last.
  public static let pushedAt: ResultField = "pushedAt"
  /// When the account whose stars were asked for has starred it.
  public static let starredAt: ResultField = "starredAt"
  /// The folder of its clone on this machine; of a file its place within the repository.
  public static let path: ResultField = "path"
  /// The folders of all its clones on this machine, where there are several.
  public static let paths: ResultField = "paths"
  /// The commits that its history begins with, by their ids: what has one in common is of one origin. It is there to relate entities, and
  /// not among the fields that are written.
  public static let rootCommits: ResultField = "rootCommits"

  /// Whether it is a favorite on this machine.
  public static let favorite: ResultField = "favorite"
  /// When it was added to the favorites; only in their own list.
  public static let addedAt: ResultField = "addedAt"
  /// Whether the account of the token has starred it.
  public static let starred: ResultField = "starred"

  // Of a file, an issue, a commit.

  /// The repository that it belongs to, by its id.
  public static let repository: ResultField = "repository"
  /// The branch, tag or commit at which a file was found.
  public static let ref: ResultField = "ref"
  /// The pieces of text that were found: a sequence of records with `text`, `line` where it is known (from 1), and `matches`, a sequence of
  /// pairs of places within the text, from 0 in Unicode scalars, the second behind the end.
  public static let fragments: ResultField = "fragments"
  /// The number of an issue within its repository.
  public static let number: ResultField = "number"
  /// Whether an issue is `open` or `closed`.
  public static let state: ResultField = "state"
  /// Who wrote it, by the name of the account, where there is none by their own name.
  public static let author: ResultField = "author"
  /// The labels of an issue.
  public static let labels: ResultField = "labels"
  /// How many comments there are.
  public static let comments: ResultField = "comments"
  /// Whether an issue is a pull request.
  public static let isPullRequest: ResultField = "isPullRequest"
  /// Whether a pull request is a draft.
  public static let draft: ResultField = "draft"
  /// Whether nobody but the maintainers may comment.
  public static let locked: ResultField = "locked"
  /// Why an issue was closed: `completed` or `not_planned` for example.
  public static let stateReason: ResultField = "stateReason"
  /// The accounts that an issue is assigned to.
  public static let assignees: ResultField = "assignees"
  /// The milestone of an issue.
  public static let milestone: ResultField = "milestone"
  /// How many reactions there are.
  public static let reactions: ResultField = "reactions"
  /// When a pull request was merged; absent while it is not.
  public static let mergedAt: ResultField = "mergedAt"
  /// When it was closed.
  public static let closedAt: ResultField = "closedAt"
  /// A commit's id, 40 or 64 hexadecimal digits.
  public static let sha: ResultField = "sha"
  /// When a commit was written.
  public static let authoredAt: ResultField = "authoredAt"
  /// When a commit was committed.
  public static let committedAt: ResultField = "committedAt"
  /// A commit's message.
  public static let message: ResultField = "message"

  /// The name of a commit's author as the commit says it.
  public static let authorName: ResultField = "authorName"
  /// Who committed it, by the name of the account, where there is none by their own name.
  public static let committer: ResultField = "committer"
  /// The ids of a commit's parents.
  public static let parents: ResultField = "parents"

  // Of an account or a topic.

  /// The name of an account.
  public static let login: ResultField = "login"
  /// `user` or `organization`.
  public static let accountType: ResultField = "type"
  /// How many accounts follow it.
  public static let followers: ResultField = "followers"
  /// How many public repositories it has.
  public static let repositoryCount: ResultField = "repositories"
  /// Where somebody says to be.
  public static let location: ResultField = "location"
  /// Whether people have written about a topic.
  public static let curated: ResultField = "curated"
  /// Whether a topic is shown among the chosen ones.
  public static let featured: ResultField = "featured"

  // Of a repository, told only when one is shown by itself.

  /// Its languages: a sequence of records with `name`, `bytes` and `share`, a fraction of all bytes.
  public static let languages: ResultField = "languages"
  /// The newest release: a record with `tag`, `name` and `publishedAt`.
  public static let latestRelease: ResultField = "latestRelease"
  /// Who has committed most: a sequence of records with `login` or `name`, and `commits`.
  public static let contributors: ResultField = "contributors"
  /// The text of its readme.
  public static let readme: ResultField = "readme"

  /// The fields in the order in which they are written; others follow by name.
  public static let order: [ResultField] = [
    .description, .host, .owner, .name, .avatarURL, .homepage, .language, .topics, .license, .stars, .forks,
    .watchers, .subscribers, .network, .openIssues, .sizeKB, .fork, .archived, .isPrivate, .template, .mirror,
    .defaultBranch, .repository, .ref, .number, .isPullRequest, .draft, .state, .stateReason, .locked,
    .author,
    .authorName, .committer, .labels, .assignees, .milestone, .comments, .reactions, .sha, .parents, .message,
    .login, .accountType, .location, .followers, .repositoryCount, .curated, .featured, .authoredAt,
    .committedAt, .createdAt, .updatedAt, .pushedAt, .closedAt, .mergedAt, .starredAt, .languages,
    .latestRelease,
    .contributors, .readme, .path, .paths, .fragments, .favorite, .starred,
  ]

  /// The place of each field in that order.
  static let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
}
