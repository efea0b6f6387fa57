public import Foundation

/// An issue or a pull request that `FakeGitHub` knows.
public struct FakeIssue: Sendable, Hashable {
  /// The number that never changes.
  public var id: Int
  /// `owner/name`.
  public var repository: String
  /// The number within the repository.
  public var number: Int
  /// The title.
  public var title: String
  /// The text.
  public var body: String?
  /// True when it is open.
  public var isOpen = true
  /// Why it was closed.
  public var stateReason: String?
  /// Who wrote it; nil for an account that is gone.
  public var author: String?
  /// Labels.
  public var labels: [String] = []
  /// Who it is assigned to.
  public var assignees: [String] = []
  /// The title of its milestone.
  public var milestone: String?
  /// Comments.
  public var comments = 0
  /// Reactions.
  public var reactions = 0
  /// True for a pull request.
  public var isPullRequest = false
  /// True for a draft.
  public var isDraft = false
  /// True when it is locked.
  public var isLocked = false
  /// When it was made.
  public var createdAt = Date(timeIntervalSince1970: 1_600_000_000)
  /// When anything about it changed.
  public var updatedAt = Date(timeIntervalSince1970: 1_650_000_000)
  /// When it was closed.
  public var closedAt: Date?
  /// When it was merged.
  public var mergedAt: Date?

  /// Makes an open issue; set what else matters.
  public init(repository: String, number: Int, title: String) {
    self.repository = repository
    self.number = number
    self.title = title
    id = 2_000_000_000 + FakeAccount.number(of: "\(repository)#\(number)")
  }
}

extension FakeSearch where Item == FakeIssue {
  /// `GET /search/issues`.
  static let issues = FakeSearch(
    qualifiers: [
      "type", "is", "state", "state_reason", "state-reason", "reason", "author", "assignee", "mentions",
      "commenter", "involves", "team", "label", "milestone", "project", "no", "language", "in", "user", "org",
      "repo", "created", "updated", "closed", "merged", "comments", "interactions", "reactions", "draft",
      "review", "reviewed-by", "review-requested", "user-review-requested", "team-review-requested", "head",
      "base", "status", "sha", "linked", "archived",
    ],
    scopes: ["title", "body", "comments"],
    texts: { [("title", $0.title), ("body", $0.body ?? "")] },
    satisfies: satisfies,
    sorts: [
      "comments": { Double($0.comments) }, "reactions": { Double($0.reactions) },
      // All of them are of this sort.
      "reactions-+1": { Double($0.reactions) },
      "interactions": { Double($0.comments + $0.reactions) },
      "created": { $0.createdAt.timeIntervalSince1970 }, "updated": { $0.updatedAt.timeIntervalSince1970 },
    ],
    repository: { $0.repository },
    json: { $0.json($1) })

  private static func satisfies(_ issue: FakeIssue, _ name: String, _ value: String) -> Bool {
    let lower = value.lowercased()
    switch name {
    case "type", "is": return isState(issue, lower)
    case "state": return issue.isOpen == (lower == "open")
    case "reason", "state_reason", "state-reason":
      return issue.stateReason == lower.replacing(" ", with: "_")
    case "author": return issue.author?.lowercased() == login(lower)
    case "assignee": return issue.assignees.contains { $0.lowercased() == lower }
    case "involves": return ([issue.author ?? ""] + issue.assignees).contains { $0.lowercased() == lower }
    case "label":
      let wanted = lower.split(separator: ",").map(String.init)
      return issue.labels.contains { wanted.contains($0.lowercased()) }
    case "milestone": return issue.milestone?.lowercased() == lower
    case "no":
      return switch lower {
      case "label": issue.labels.isEmpty
      case "assignee": issue.assignees.isEmpty
      case "milestone": issue.milestone == nil
      default: true
      }
    case "user", "org": return issue.repository.lowercased().hasPrefix(lower + "/")
    case "repo": return issue.repository.lowercased() == lower
    case "created": return FakeQuery.date(value, issue.createdAt)
    case "updated": return FakeQuery.date(value, issue.updatedAt)
    case "closed": return FakeQuery.date(value, issue.closedAt)
    case "merged": return FakeQuery.date(value, issue.mergedAt)
    case "comments": return FakeQuery.number(value, issue.comments)
    case "reactions": return FakeQuery.number(value, issue.reactions)
    case "interactions": return FakeQuery.number(value, issue.comments + issue.reactions)
    case "draft": return issue.isPullRequest && issue.isDraft == (lower == "true")
    default: return true
    }
  }

  /// An app is written `app/NAME` and goes by the login `NAME[bot]`.
  private static func login(_ name: String) -> String {
    name.hasPrefix("app/") ? name.dropFirst(4) + "[bot]" : name
  }

  private static func isState(_ issue: FakeIssue, _ word: String) -> Bool {
    switch word {
    case "issue": !issue.isPullRequest
    case "pr", "pull-request": issue.isPullRequest
    case "open": issue.isOpen
    case "closed": !issue.isOpen
    case "merged": issue.mergedAt != nil
    case "unmerged": issue.isPullRequest && issue.mergedAt == nil
    case "draft": issue.isDraft
    case "locked": issue.isLocked
    case "unlocked": !issue.isLocked
    default: true
    }
  }
}
