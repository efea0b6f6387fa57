public import Foundation

/// A repository that `FakeGitHub` knows.
public struct FakeRepository: Sendable, Hashable, Identifiable {
  /// The number that never changes.
  public var id: Int
  /// The global node id; nil: made from `id`.
  public var nodeID: String?
  /// `owner/name`.
  public var fullName: String
  /// True when the owner is an organisation.
  public var ownerIsOrganization = false
  /// One line of text; nil as on the real service when none was written.
  public var description: String?
  /// The main language.
  public var language: String?
  /// Topics, lower case.
  public var topics: [String] = []
  /// Stargazers.
  public var stars = 0
  /// Forks of it.
  public var forks = 0
  /// Open issues, pull requests included.
  public var openIssues = 0
  /// Watchers in today's sense (`subscribers_count`).
  public var subscribers = 0
  /// The licence's SPDX id, for example `MIT` or `NOASSERTION`; nil: none was found.
  public var license: String?
  /// True when it is read-only.
  public var archived = false
  /// True when it is a fork; search leaves forks out unless it is asked for them.
  public var fork = false
  /// True when only somebody with a token can see it.
  public var isPrivate = false
  /// True when it is a template.
  public var isTemplate = false
  /// What it mirrors.
  public var mirrorURL: String?
  /// The size in KB.
  public var size = 100
  /// When it was made.
  public var createdAt = Date(timeIntervalSince1970: 1_500_000_000)
  /// When anything about it changed.
  public var updatedAt = Date(timeIntervalSince1970: 1_700_000_000)
  /// When somebody pushed last; nil for a repository without a push.
  public var pushedAt: Date? = Date(timeIntervalSince1970: 1_690_000_000)
  /// The default branch.
  public var defaultBranch = "main"
  /// The project's own page.
  public var homepage: String?
  /// What is told of it only below its own address.
  public var facts = FakeFacts()

  /// Makes a small public repository; set what else matters.
  public init(
    id: Int, fullName: String, description: String? = nil, language: String? = nil, topics: [String] = [],
    stars: Int = 0
  ) {
    self.id = id
    self.fullName = fullName
    self.description = description
    self.language = language
    self.topics = topics
    self.stars = stars
  }

  /// The part before the slash.
  public var owner: String { String(fullName.prefix { $0 != "/" }) }
  /// The part after the slash.
  public var name: String { String(fullName.drop { $0 != "/" }.dropFirst()) }

  /// A copy with changes.
  public func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}
