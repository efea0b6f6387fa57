public import Foundation

/// A commit on the default branch of a repository that `FakeGitHub` knows.
public struct FakeCommit: Sendable, Hashable {
  /// Who wrote or committed it.
  public struct Person: Sendable, Hashable {
    /// The account; nil for an address that belongs to none.
    public var login: String?
    /// The name in the commit.
    public var name: String
    /// The address in the commit.
    public var email: String
    /// When.
    public var date: Date

    /// Makes a person.
    public init(login: String?, name: String, date: Date) {
      self.login = login
      self.name = name
      self.date = date
      email = "\(login ?? "someone")@example.com"
    }
  }

  /// `owner/name`.
  public var repository: String
  /// Forty hexadecimal digits.
  public var sha: String
  /// The whole message.
  public var message: String
  /// Who wrote it.
  public var author: Person
  /// Who committed it.
  public var committer: Person
  /// The parents.
  public var parents: [String] = []

  /// Makes a commit of one person.
  public init(repository: String, sha: String, message: String, author: Person) {
    self.repository = repository
    self.sha = sha
    self.message = message
    self.author = author
    committer = author
  }

  /// Forty hexadecimal digits for a text, always the same: FNV-1a with five starts.
  static func digest(of text: String) -> String {
    (UInt32(1)...5).map { start in
      let hash = text.utf8.reduce(UInt32(2_166_136_261) &* start) { ($0 ^ UInt32($1)) &* 16_777_619 }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  var tree: String { Self.digest(of: "tree of " + sha) }
}

extension FakeSearch where Item == FakeCommit {
  /// `GET /search/commits`.
  static let commits = FakeSearch(
    qualifiers: [
      "author", "committer", "author-name", "committer-name", "author-email", "committer-email",
      "author-date", "committer-date", "merge", "hash", "parent", "tree", "is", "user", "org", "repo",
    ],
    scopes: ["message"],
    texts: { [("message", $0.message)] },
    satisfies: { commit, name, value in
      let lower = value.lowercased()
      return switch name {
      case "author": commit.author.login?.lowercased() == lower
      case "committer": commit.committer.login?.lowercased() == lower
      case "author-name": commit.author.name.lowercased().contains(lower)
      case "committer-name": commit.committer.name.lowercased().contains(lower)
      case "author-email": commit.author.email == lower
      case "committer-email": commit.committer.email == lower
      case "author-date": FakeQuery.date(value, commit.author.date)
      case "committer-date": FakeQuery.date(value, commit.committer.date)
      case "merge": (commit.parents.count > 1) == (lower == "true")
      case "hash": commit.sha == lower
      case "parent": commit.parents.contains(lower)
      case "tree": commit.tree == lower
      case "user", "org": commit.repository.lowercased().hasPrefix(lower + "/")
      case "repo": commit.repository.lowercased() == lower
      default: true
      }
    },
    sorts: [
      "author-date": { $0.author.date.timeIntervalSince1970 },
      "committer-date": { $0.committer.date.timeIntervalSince1970 },
    ],
    repository: { $0.repository },
    json: item)

  private static func item(_ commit: FakeCommit, _ rendering: FakeRendering) -> FakeJSON {
    let links = rendering.links
    let root = "\(links.api)/repos/\(commit.repository)"
    let page = "\(links.web)/\(commit.repository)/commit/"
    func account(_ person: FakeCommit.Person) -> FakeJSON {
      person.login.map { FakeAccount(login: $0).json(links) } ?? .null
    }
    func signature(_ person: FakeCommit.Person) -> FakeJSON {
      // The real service adds thousandths here, other than everywhere else.
      let time = UTCTime.iso(person.date).dropLast() + ".000Z"
      return ["date": .string(String(time)), "name": .string(person.name), "email": .string(person.email)]
    }
    return [
      "url": .string("\(root)/commits/\(commit.sha)"), "sha": .string(commit.sha),
      "node_id": .string("C_\(commit.sha)"), "html_url": .string(page + commit.sha),
      "comments_url": .string("\(root)/commits/\(commit.sha)/comments"),
      "commit": [
        "url": .string("\(root)/git/commits/\(commit.sha)"), "author": signature(commit.author),
        "committer": signature(commit.committer), "message": .string(commit.message),
        "tree": ["url": .string("\(root)/git/trees/\(commit.tree)"), "sha": .string(commit.tree)],
        "comment_count": 0,
      ],
      "author": account(commit.author), "committer": account(commit.committer),
      "parents": .array(
        commit.parents.map { parent in
          [
            "url": .string("\(root)/commits/\(parent)"), "html_url": .string(page + parent),
            "sha": .string(parent),
          ]
        }),
      "repository": rendering.repository(commit.repository).minimal(links), "score": 1.0,
    ]
  }
}
