/// The kind of a result. Providers can add their own kinds.
public struct ResultKind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name in lower case.
  public let rawValue: String

  /// Creates a kind.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a kind from a literal.
  public init(stringLiteral value: String) { rawValue = value }

  /// A repository.
  public static let repo: ResultKind = "repo"
  /// A match in a file.
  public static let code: ResultKind = "code"
  /// An issue or a pull request.
  public static let issue: ResultKind = "issue"
  /// A commit.
  public static let commit: ResultKind = "commit"
  /// A user or organisation account.
  public static let user: ResultKind = "user"
  /// A topic label of repositories.
  public static let topic: ResultKind = "topic"
  /// A story of a news site.
  public static let story: ResultKind = "story"
  /// A question of a question-and-answer site.
  public static let question: ResultKind = "question"
  /// A package of a registry or a distribution.
  public static let package: ResultKind = "package"

  /// The kinds above, in their order for people.
  package static let known: [ResultKind] = [
    .repo, .code, .issue, .commit, .user, .topic, .story, .question, .package,
  ]
}
