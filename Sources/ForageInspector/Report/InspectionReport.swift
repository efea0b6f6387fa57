#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The facts about a clone; encodes to the JSON of `forage inspect --format json`.
///
/// A section that could not be computed is nil and absent from the JSON, and ``notes`` says why. Encode with
/// `JSONEncoder.DateEncodingStrategy.iso8601`. Names are as recorded; escape them before they reach a
/// terminal.
package struct InspectionReport: Sendable, Encodable {
  /// The version of the JSON schema.
  package let schema = 1
  /// The root of the work tree, or the git directory of a bare repository: absolute, without symbolic links
  /// and a trailing slash.
  package var path: String
  /// The git directory.
  package var gitDir: String
  /// Whether the repository has no work tree.
  package var bare: Bool
  /// Whether this is a linked work tree (`git worktree add`).
  package var worktree: Bool
  /// Whether the clone is shallow.
  package var shallow: Bool
  /// Whether there is neither a commit on the branch nor any reference.
  package var empty: Bool
  /// What takes several steps and is not done: `rebase`, `merge`, `cherry-pick`, `revert`, `bisect` or `am`.
  package var operation: String?
  package var head: Head?
  package var upstream: Upstream?
  package var branches: Branches?
  /// The short name of the remote's default branch, as far as the clone knows it.
  package var defaultBranch: String?
  package var tags: Tags?
  package var remotes: [Remote]?
  package var status: Status?
  package var stashes: Int?
  package var commits: Commits?
  package var authorCount: Int?
  /// The size of the smallest set of authors who together made at least half of the commits; 0 without
  /// commits.
  package var busFactor: Int?
  package var authors: [Author]?
  package var activity: Activity?
  /// The share of the 100 newest commits that have a signature, from 0 to 1, rounded to four decimals.
  /// Signatures are not verified.
  package var signedShare: Double?
  package var churn: Churn?
  package var effort: [Effort]?
  package var languages: [Language]?
  package var lines: [Lines]?
  /// The files that ``lines`` leaves out.
  package var skipped: Skipped?
  /// The lines of the largest files.
  package var files: [FileLines]?
  package var licenses: [License]?
  package var size: Size?
  package var version: Version?
  package var largestFiles: [LargeFile]?
  package var largestBlobs: [LargeBlob]?
  package var dependencies: [Dependencies]?
  package var submodules: [Submodule]?
  package var worktrees: [Worktree]?
  /// Whether the repository uses Git LFS.
  package var lfs: Bool?
  /// The names of the hooks that git would run, sorted.
  package var hooks: [String]?
  /// The absolute paths of the object databases from which this one borrows.
  package var alternates: [String]?
  /// The time of the last `git fetch`.
  package var lastFetchAt: Date?
  /// Whether there is a commit-graph file.
  package var commitGraph: Bool?
  /// Whether this is a partial clone.
  package var partial: Bool?
  /// Whether sparse checkout is on.
  package var sparse: Bool?
  /// Why sections are missing or incomplete.
  package var notes: [Note] = []

  /// A reason why a section is missing or incomplete.
  package struct Note: Sendable, Hashable, Codable {
    /// The section.
    package let section: String
    /// The reason, one sentence.
    package let message: String
    /// Whether the reason is something missing or damaged that the clone should have; not part of the JSON.
    package var isDamage = false

    private enum CodingKeys: String, CodingKey { case section, message }
  }

  /// The sections that cannot be told, or not completely, because something is missing or damaged.
  package var damagedSections: [String] {
    var names: [String] = []
    for note in notes where note.isDamage && !names.contains(note.section) { names.append(note.section) }
    return names
  }

  /// What `HEAD` points to.
  package struct Head: Sendable, Hashable, Codable {
    /// The short name of the branch; absent when detached.
    package var branch: String?
    /// The full name of the reference; absent when detached.
    package var ref: String?
    package var detached: Bool
    /// Whether the branch has no commit yet.
    package var unborn: Bool
    /// The commit id, 40 hexadecimal digits; absent when unborn.
    package var commit: String?
  }

  /// The upstream of the branch; the counts are absent when it does not exist.
  package struct Upstream: Sendable, Hashable, Codable {
    package var name: String
    package var ahead: Int?
    package var behind: Int?
  }

  /// The numbers of branches; symbolic ones such as `origin/HEAD` do not count.
  package struct Branches: Sendable, Hashable, Codable {
    package var local: Int
    package var remote: Int
  }

  /// The tags.
  package struct Tags: Sendable, Hashable, Codable {
    package var count: Int
    package var nearest: Nearest?
    /// The tag with the highest version.
    package var highest: String?

    /// The nearest tag, as `git describe --tags` finds it.
    package struct Nearest: Sendable, Hashable, Codable {
      package var name: String
      /// The number of commits since the tag.
      package var distance: Int
    }
  }

  /// A remote; its URL has no credentials.
  package struct Remote: Sendable, Hashable, Codable {
    package var name: String
    package var url: String
  }

  /// The numbers of changed paths, as in `git status --porcelain=v2 --untracked-files=all`.
  package struct Status: Sendable, Hashable, Codable {
    package var clean: Bool
    package var staged: Int
    package var unstaged: Int
    package var untracked: Int
    package var conflicted: Int
  }
}
