#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Everything told about one clone; encodes to the JSON of `forage inspect --format json`.
///
/// A section that could not be told is nil and left out of the JSON; ``notes`` then says why. Encode with
/// `JSONEncoder.DateEncodingStrategy.iso8601`. Names are as recorded: not yet fit for a terminal.
package struct InspectionReport: Sendable, Encodable {
  /// The version of this form.
  package let schema = 1
  /// The root of the work tree, of a bare repository the git folder: absolute, without links and trailing
  /// slash.
  package var path: String
  /// The git folder.
  package var gitDir: String
  /// Whether there is no work tree.
  package var bare: Bool
  /// Whether it is a work tree made by `git worktree add`.
  package var worktree: Bool
  /// Whether the history is cut.
  package var shallow: Bool
  /// Whether there is neither a commit on the branch nor any reference.
  package var empty: Bool
  package var head: Head?
  package var upstream: Upstream?
  package var branches: Branches?
  /// The short name of the branch that the remote checks out by default, as far as the clone knows.
  package var defaultBranch: String?
  package var tags: Tags?
  package var remotes: [Remote]?
  package var status: Status?
  package var stashes: Int?
  package var commits: Commits?
  package var authorCount: Int?
  /// The size of the smallest set of authors that has at least half of the commits; 0 without commits.
  package var busFactor: Int?
  package var authors: [Author]?
  package var activity: Activity?
  /// The part of the 100 newest commits (fewer when there are fewer) that bears a signature, from 0 to 1,
  /// rounded to four decimals; whether a signature is valid is not looked at.
  package var signedShare: Double?
  package var churn: Churn?
  package var languages: [Language]?
  package var lines: [Lines]?
  package var licenses: [License]?
  package var size: Size?
  package var version: Version?
  package var largestFiles: [LargeFile]?
  package var largestBlobs: [LargeBlob]?
  package var dependencies: [Dependencies]?
  package var submodules: [Submodule]?
  package var worktrees: [Worktree]?
  /// Whether files are kept with Git LFS.
  package var lfs: Bool?
  /// The names of the hooks that git would run, sorted.
  package var hooks: [String]?
  /// Other object databases whose objects this one needs, absolute paths.
  package var alternates: [String]?
  /// When `git fetch` last ran.
  package var lastFetchAt: Date?
  /// Whether there is a commit-graph file.
  package var commitGraph: Bool?
  /// Whether it is a partial clone.
  package var partial: Bool?
  /// Whether only a part of the files is checked out.
  package var sparse: Bool?
  /// What could not be told.
  package var notes: [Note] = []

  /// Something that could not be told.
  package struct Note: Sendable, Hashable, Codable {
    /// The section that is missing or incomplete.
    package let section: String
    /// Why, one sentence.
    package let message: String
  }

  /// What is checked out.
  package struct Head: Sendable, Hashable, Codable {
    /// The branch's short name; absent when detached.
    package var branch: String?
    /// The full name of the reference; absent when detached.
    package var ref: String?
    package var detached: Bool
    /// Whether the branch has no commit yet.
    package var unborn: Bool
    /// 40 hexadecimal digits; absent when unborn.
    package var commit: String?
  }

  /// What the branch follows; the counts are absent when that is gone.
  package struct Upstream: Sendable, Hashable, Codable {
    package var name: String
    package var ahead: Int?
    package var behind: Int?
  }

  /// How many branches there are; symbolic ones like `origin/HEAD` do not count.
  package struct Branches: Sendable, Hashable, Codable {
    package var local: Int
    package var remote: Int
  }

  /// What the tags tell.
  package struct Tags: Sendable, Hashable, Codable {
    package var count: Int
    package var nearest: Nearest?
    /// The tag with the highest version.
    package var highest: String?

    /// As `git describe --tags` tells.
    package struct Nearest: Sendable, Hashable, Codable {
      package var name: String
      /// Commits since the tag.
      package var distance: Int
    }
  }

  /// A remote; the URL is without credentials.
  package struct Remote: Sendable, Hashable, Codable {
    package var name: String
    package var url: String
  }

  /// How many paths differ, as in `git status --porcelain=v2 --untracked-files=all`.
  package struct Status: Sendable, Hashable, Codable {
    package var clean: Bool
    package var staged: Int
    package var unstaged: Int
    package var untracked: Int
    package var conflicted: Int
  }
}
