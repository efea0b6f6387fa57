public import ForageFoundation

extension InspectionReport {
  /// The commits that are reachable from `HEAD`.
  public struct Commits: Sendable, Hashable, Codable {
    /// The number of commits.
    public var count: Int
    /// The number of merges among them.
    public var merges: Int
    /// The root commit with the earliest author date.
    public var first: Commit?
    /// The commit of `HEAD`.
    public var last: Commit?
  }

  /// A commit.
  public struct Commit: Sendable, Hashable, Codable {
    /// The commit id, 40 hexadecimal digits.
    public var commit: String
    /// The author's name after the mailmap is applied.
    public var author: String
    /// The author date.
    public var authoredAt: Date
    /// The first paragraph of the message; set for the last commit only.
    public var subject: String?
  }

  /// An author, as `git shortlog -sne HEAD` counts.
  public struct Author: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The email address.
    public var email: String
    /// The number of commits.
    public var commits: Int
    /// The share of all commits, from 0 to 1, rounded to four decimals.
    public var share: Double
    /// The author date of the earliest commit.
    public var firstAt: Date
    /// The author date of the latest commit.
    public var lastAt: Date
  }

  /// The distribution of commits over time, by author date.
  public struct Activity: Sendable, Hashable, Codable {
    /// The 52 weeks that end with the current one, oldest first.
    public var weeks: [Week]
    /// Commits by day of the week in the author's time zone, Monday first; 7 numbers.
    public var weekdays: [Int]
    /// Commits by hour in the author's time zone; 24 numbers.
    public var hours: [Int]

    /// A week in UTC.
    public struct Week: Sendable, Hashable, Codable {
      /// Its Monday: `2026-01-05`.
      public var start: String
      /// The number of commits.
      public var commits: Int
    }
  }
}
