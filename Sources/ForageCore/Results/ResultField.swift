/// The name of one property of a result; open, so that providers can add their own.
public struct ResultField: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name in JSON.
  public let rawValue: String

  /// Creates a field name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a field name from a literal.
  public init(stringLiteral value: String) { rawValue = value }

  /// A short description of the entity.
  public static let description: ResultField = "description"
  /// The host of the forge, with its port unless that is the scheme's default.
  public static let host: ResultField = "host"
  /// The account or namespace that owns the repository.
  public static let owner: ResultField = "owner"
  /// The repository's name without its owner, the display name of an account, or the name of a topic.
  public static let name: ResultField = "name"
  /// `owner/name`.
  public static let fullName: ResultField = "fullName"
  /// The address of the owner's picture.
  public static let avatarURL: ResultField = "avatarUrl"
  /// The address of the project's own site.
  public static let homepage: ResultField = "homepage"
  /// The main programming language.
  public static let language: ResultField = "language"
  /// The topic labels of the repository.
  public static let topics: ResultField = "topics"
  /// The license as an SPDX identifier.
  public static let license: ResultField = "license"
  /// The number of stars.
  public static let stars: ResultField = "stars"
  /// The number of forks.
  public static let forks: ResultField = "forks"
  /// The number of watchers, which GitHub reports as the number of stars.
  public static let watchers: ResultField = "watchers"
  /// The number of accounts that are notified of the repository's events (watchers in GitHub's web pages).
  public static let subscribers: ResultField = "subscribers"
  /// The number of repositories in its fork network.
  public static let network: ResultField = "network"
  /// The number of open issues, including pull requests.
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
  /// The default branch, which the remote HEAD names.
  public static let defaultBranch: ResultField = "defaultBranch"
  /// When it was created.
  public static let createdAt: ResultField = "createdAt"
  /// When it changed last in any way.
  public static let updatedAt: ResultField = "updatedAt"
  /// When commits were last pushed.
  public static let pushedAt: ResultField = "pushedAt"
  /// When the account that was asked about starred it.
  public static let starredAt: ResultField = "starredAt"
  /// The path of its clone on this machine; for a file, the path within the repository.
  public static let path: ResultField = "path"
  /// The paths of all its clones on this machine, if there are several.
  public static let paths: ResultField = "paths"
  /// The ids of the root commits of its history. Repositories that share one have a common origin. The field
  /// is used to relate entities and is not written to output.
  public static let rootCommits: ResultField = "rootCommits"
  /// The forge's answer about the entity, with the names of its API; only where it was asked to be kept, and
  /// never shown as it is.
  package static let answer: ResultField = "answer"
  /// The addresses for git, over HTTPS and over SSH, where a forge tells them.
  package static let cloneURL: ResultField = "cloneUrl"
  package static let sshURL: ResultField = "sshUrl"

  /// Whether it is a favorite on this machine.
  public static let favorite: ResultField = "favorite"
  /// When it was added to the favorites; only in their own list.
  public static let addedAt: ResultField = "addedAt"
  /// Whether the account of the token has starred it.
  public static let starred: ResultField = "starred"

  // Fields of files, issues and commits.

  /// The repository that contains it: its id, with owner and name as the forge writes them.
  public static let repository: ResultField = "repository"
  /// The branch, tag or commit of the file.
  public static let ref: ResultField = "ref"
  /// The matching pieces of text: a sequence of records with `text`, `line` (from 1, if known) and `matches`,
  /// a sequence of half-open ranges `[start, end]` within the text in Unicode scalars, from 0.
  public static let fragments: ResultField = "fragments"
  /// Whether a file can have more matches than its fragments, because the service returns only some; absent
  /// if not.
  public static let truncated: ResultField = "truncated"
  /// The matching lines of a file: a sequence of records with `line` and `column` (in bytes), both from 1,
  /// `text`, `ranges` (half-open ranges `[start, end]` within the text in Unicode scalars, from 0), `before`
  /// and `after` (the lines around it), and of names `symbol` and `symbolKind`: what the line defines, or, of
  /// a use, the definition that it is in.
  public static let matches: ResultField = "matches"
  /// The number of matching lines of a file, including those that are not returned.
  public static let matchCount: ResultField = "matchCount"
  /// The definitions that `symbol:` found in a file, or all of its outline: a sequence of records with
  /// `name`, `kind` (absent if it is not known) and `line`, from 1.
  public static let symbols: ResultField = "symbols"
  /// The root of the clone that a file is in, where the name of its repository means another clone.
  public static let clone: ResultField = "clone"
  /// The commit that contains the file, 40 hexadecimal digits.
  public static let commit: ResultField = "commit"
  /// The path of a file on this machine; the address `file:///...` with percent-encodings if it is not UTF-8.
  public static let file: ResultField = "file"
  /// The encoding of a file of which the UTF-8 form was searched: `UTF-16LE` or `UTF-16BE`. The columns of
  /// its matches are bytes of that form.
  public static let encoding: ResultField = "encoding"
  /// The other places of the same file on this machine: a sequence of records with `repository`, `path`,
  /// `ref`, `commit` and `file`, and with `fits` false for a place that the query excludes.
  public static let places: ResultField = "places"
  /// The number of an issue within its repository.
  public static let number: ResultField = "number"
  /// The state of an issue: `open` or `closed`.
  public static let state: ResultField = "state"
  /// The author's account name, or their own name if no account is known.
  public static let author: ResultField = "author"
  /// The labels of an issue.
  public static let labels: ResultField = "labels"
  /// The number of comments.
  public static let comments: ResultField = "comments"
  /// Whether an issue is a pull request.
  public static let isPullRequest: ResultField = "isPullRequest"
  /// Whether a pull request is a draft.
  public static let draft: ResultField = "draft"
  /// Whether only maintainers may comment.
  public static let locked: ResultField = "locked"
  /// Why an issue was closed, for example `completed` or `not_planned`.
  public static let stateReason: ResultField = "stateReason"
  /// The accounts that an issue is assigned to.
  public static let assignees: ResultField = "assignees"
  /// The milestone of an issue.
  public static let milestone: ResultField = "milestone"
  /// The number of reactions.
  public static let reactions: ResultField = "reactions"
  /// When a pull request was merged; absent if it was not.
  public static let mergedAt: ResultField = "mergedAt"
  /// When it was closed.
  public static let closedAt: ResultField = "closedAt"
  /// The id of a commit, 40 or 64 hexadecimal digits.
  public static let sha: ResultField = "sha"
  /// When a commit was written.
  public static let authoredAt: ResultField = "authoredAt"
  /// When a commit was committed.
  public static let committedAt: ResultField = "committedAt"
  /// A commit's message.
  public static let message: ResultField = "message"

  /// The author's name as recorded in the commit.
  public static let authorName: ResultField = "authorName"
  /// The committer's account name, or their own name if no account is known.
  public static let committer: ResultField = "committer"
  /// The ids of a commit's parents.
  public static let parents: ResultField = "parents"

  // Fields of accounts and topics.

  /// The login of an account.
  public static let login: ResultField = "login"
  /// The type of an account: `user` or `organization`.
  public static let accountType: ResultField = "type"
  /// The number of followers.
  public static let followers: ResultField = "followers"
  /// The number of public repositories.
  public static let repositoryCount: ResultField = "repositories"
  /// The location in an account's profile.
  public static let location: ResultField = "location"
  /// Whether a topic is curated by GitHub's community.
  public static let curated: ResultField = "curated"
  /// Whether a topic is featured by GitHub.
  public static let featured: ResultField = "featured"
  /// The branches, tags or commits that have a file, where the query names them.
  public static let refs: ResultField = "refs"
  /// Why an account gets a notification.
  public static let reason: ResultField = "reason"
  /// Whether a notification was not read.
  public static let unread: ResultField = "unread"
  /// The subject of a notification: a record of `kind` and, of issues and pull requests, `number`.
  public static let subject: ResultField = "subject"
  /// The id of a notification on its forge.
  public static let thread: ResultField = "thread"

  // Fields of repositories that only details carry.

  /// Its languages: a sequence of records with `name`, `bytes` and `share`, a fraction of all bytes.
  public static let languages: ResultField = "languages"
  /// The latest release: a record with `tag`, `name` and `publishedAt`.
  public static let latestRelease: ResultField = "latestRelease"
  /// The accounts with the most commits: a sequence of records with `login` or `name`, and `commits`.
  public static let contributors: ResultField = "contributors"
  /// The text of the README.
  public static let readme: ResultField = "readme"
  /// The name for the whole entity in notes about an answer of its forge; no item has it.
  package static let remote: ResultField = "remote"

  /// The fields of all kinds, in the order in which they are written, each with its type; `nil` for values
  /// with parts and for those that no provider sets as such. Other fields follow, sorted by name.
  private static let general: [(field: ResultField, type: FieldType?)] = [
    (.description, .text), (.host, .text), (.owner, .text), (.name, .text), (.avatarURL, .text),
    (.homepage, .text), (.language, .text), (.topics, .list), (.license, .text), (.stars, .number),
    (.forks, .number), (.watchers, .number), (.subscribers, .number), (.network, .number),
    (.openIssues, .number), (.sizeKB, .number), (.fork, .flag), (.archived, .flag), (.isPrivate, .flag),
    (.template, .flag), (.mirror, .flag), (.defaultBranch, .text), (.repository, nil), (.ref, .text),
    (.refs, nil), (.commit, nil), (.number, .number), (.isPullRequest, .flag), (.draft, .flag),
    (.state, .text), (.stateReason, .text), (.locked, .flag), (.author, .text), (.authorName, .text),
    (.committer, .text), (.labels, .list), (.assignees, .list), (.milestone, .text), (.comments, .number),
    (.reactions, .number), (.sha, .text), (.parents, .list), (.message, .text), (.login, .text),
    (.accountType, .text), (.location, .text), (.followers, .number), (.repositoryCount, .number),
    (.curated, .flag), (.featured, .flag), (.reason, .text), (.unread, .flag), (.subject, nil),
    (.thread, .text), (.authoredAt, .date), (.committedAt, .date), (.createdAt, .date), (.updatedAt, .date),
    (.pushedAt, .date), (.closedAt, .date), (.mergedAt, .date), (.starredAt, .date), (.languages, nil),
    (.latestRelease, nil), (.contributors, nil), (.readme, nil), (.path, .text), (.paths, nil),
    (.clone, nil), (.file, nil), (.encoding, nil), (.matchCount, nil), (.matches, nil), (.symbols, nil),
    (.fragments, nil), (.truncated, .flag), (.places, nil), (.favorite, nil), (.starred, nil),
  ]
  /// The fields that some kinds alone have, such as packages.
  private static let special: [(field: ResultField, type: FieldType?)] = [
    ("accepted", .flag), ("additions", .number), ("answers", .number), (.cloneURL, .text), ("company", .text),
    ("deletions", .number), ("discussionUrl", .text), ("following", .number), (.sshURL, .text),
    ("documentation", .text),
    ("downloads", .number), (.fullName, .text), ("keywords", .list), ("points", .number),
    ("publishedAt", .date), ("recentDownloads", .number), ("registry", .text), ("score", .number),
    ("tags", .list), ("text", .text), ("version", .text), ("views", .number),
  ]

  /// The types of the fields that any provider can set.
  static let types = (general + special).compactMap { field, type in type.map { (field.rawValue, $0) } }
  /// The fields of all kinds in the order in which they are written.
  package static let order = general.map(\.field)
  /// The fields that some kinds alone have.
  package static let ofSomeKinds = special.map(\.field)

  static let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
}

extension ResultField {
  /// Whether only a provider of its own kind has the field.
  package var isOwn: Bool { Self.positions[self] == nil && FieldType.known[rawValue] == nil }

  /// Whether items from outside this program cannot set the field: it names another member of an item, or
  /// something on this machine, such as the folder of a clone.
  ///
  /// - Parameter kind: The kind of the item.
  package func isReserved(for kind: ResultKind) -> Bool {
    switch rawValue {
    case "path", "paths": kind == .repo
    case "favorite", "starred", "file", "places": true
    // It is not written, but results are filtered and sorted by it.
    case "score": false
    default: isMember(for: kind)
    }
  }

  /// Whether an item in JSON has another member of this name, whose value is the one that is written.
  ///
  /// - Parameter kind: The kind of the item; only the `score` of a question is a field.
  package func isMember(for kind: ResultKind) -> Bool {
    switch rawValue {
    case "id", "kind", "title", "url", "sources", "related", "provenance": true
    case "score": kind != .question
    default: false
    }
  }
}
