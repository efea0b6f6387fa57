#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension InspectionReport {
  /// The history that `HEAD` reaches.
  package struct Commits: Sendable, Hashable, Codable {
    package var count: Int
    package var merges: Int
    /// Of the commits without parents the one with the earliest author time.
    package var first: Commit?
    /// The commit of `HEAD`.
    package var last: Commit?
  }

  /// One commit.
  package struct Commit: Sendable, Hashable, Codable {
    /// 40 hexadecimal digits.
    package var commit: String
    /// The author's name, mailmap applied.
    package var author: String
    package var authoredAt: Date
    /// The first paragraph of the message; only told of the last commit.
    package var subject: String?
  }

  /// One author, as `git shortlog -sne HEAD` counts.
  package struct Author: Sendable, Hashable, Codable {
    package var name: String
    package var email: String
    package var commits: Int
    /// The part of all commits, from 0 to 1, rounded to four decimals.
    package var share: Double
    package var firstAt: Date
    package var lastAt: Date
  }

  /// When commits were made, by their author times.
  package struct Activity: Sendable, Hashable, Codable {
    /// The 52 weeks that end with the current one, oldest first.
    package var weeks: [Week]
    /// Commits of all time by the day of the week, Monday first, in the author's own time; 7 numbers.
    package var weekdays: [Int]
    /// Commits of all time by the hour, from 0, in the author's own time; 24 numbers.
    package var hours: [Int]

    /// A week in UTC.
    package struct Week: Sendable, Hashable, Codable {
      /// Its Monday: `2026-01-05`.
      package var start: String
      package var commits: Int
    }
  }
}
