#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension InspectionReport {
  /// The commits that are reachable from `HEAD`.
  package struct Commits: Sendable, Hashable, Codable {
    package var count: Int
    package var merges: Int
    /// The root commit with the earliest author date.
    package var first: Commit?
    /// The commit of `HEAD`.
    package var last: Commit?
  }

  /// A commit.
  package struct Commit: Sendable, Hashable, Codable {
    /// The commit id, 40 hexadecimal digits.
    package var commit: String
    /// The author's name after the mailmap is applied.
    package var author: String
    package var authoredAt: Date
    /// The first paragraph of the message; set for the last commit only.
    package var subject: String?
  }

  /// An author, as `git shortlog -sne HEAD` counts.
  package struct Author: Sendable, Hashable, Codable {
    package var name: String
    package var email: String
    package var commits: Int
    /// The share of all commits, from 0 to 1, rounded to four decimals.
    package var share: Double
    package var firstAt: Date
    package var lastAt: Date
  }

  /// The distribution of commits over time, by author date.
  package struct Activity: Sendable, Hashable, Codable {
    /// The 52 weeks that end with the current one, oldest first.
    package var weeks: [Week]
    /// Commits by day of the week in the author's time zone, Monday first; 7 numbers.
    package var weekdays: [Int]
    /// Commits by hour in the author's time zone; 24 numbers.
    package var hours: [Int]

    /// A week in UTC.
    package struct Week: Sendable, Hashable, Codable {
      /// Its Monday: `2026-01-05`.
      package var start: String
      package var commits: Int
    }
  }
}
