#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension InspectionReport {
  /// The history that `HEAD` reaches.
  package struct Commits: Sendable, Hashable, Encodable {
    package var count: Int
    package var merges: Int
    /// Of the commits without parents the one with the earliest author time.
    package var first: Commit?
    /// The commit of `HEAD`.
    package var last: Commit?
  }

  /// One commit.
  package struct Commit: Sendable, Hashable, Encodable {
    /// 40 hexadecimal digits.
    package var commit: String
    /// The author's name, mailmap applied.
    package var author: String
    package var authoredAt: Date
    /// The first paragraph of the message; only told of the last commit.
    package var subject: String?
  }

  /// One author, as `git shortlog -sne HEAD` counts.
  package struct Author: Sendable, Hashable, Encodable {
    package var name: String
    package var email: String
    package var commits: Int
    /// The part of all commits, from 0 to 1, rounded to four decimals.
    package var share: Double
    package var firstAt: Date
    package var lastAt: Date
  }

  /// The bytes of one language in `HEAD`'s tree.
  package struct Language: Sendable, Hashable, Encodable {
    package var name: String
    package var bytes: Int
    /// The part of all counted bytes, from 0 to 1, rounded to four decimals.
    package var share: Double
  }

  /// A licence file; the identifier is absent when the text is not known.
  package struct License: Sendable, Hashable, Encodable {
    package var spdx: String?
    package var path: String
  }

  /// Files of `HEAD`'s tree (submodules left out) and the object database on disk.
  package struct Size: Sendable, Hashable, Encodable {
    package var files: Int?
    package var bytes: Int?
    package var packs: Int
    package var packBytes: Int
    package var looseObjects: Int
  }

  /// A submodule; `state` is `current`, `different`, `uninitialized` or `unrecorded`.
  package struct Submodule: Sendable, Hashable, Encodable {
    package var path: String
    package var url: String?
    package var commit: String?
    package var state: String
  }

  /// A linked work tree; the branch is absent when detached.
  package struct Worktree: Sendable, Hashable, Encodable {
    package var path: String
    package var branch: String?
  }
}
