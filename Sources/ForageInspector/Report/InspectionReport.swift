public import ForageFoundation

/// The facts about a clone; encodes to the JSON of `forage inspect --format json`.
///
/// A section that could not be computed is nil and absent from the JSON, and ``notes`` says why. Encode with
/// `JSONEncoder.DateEncodingStrategy.iso8601`. Names are as recorded; escape them before they reach a
/// terminal.
public struct InspectionReport: Sendable, Encodable {
  /// The version of the JSON schema.
  public let schema = 1
  /// The root of the work tree; of a bare repository the folder with its `.git`, else the git directory:
  /// absolute, without symbolic links and a trailing slash.
  public var path: String
  /// The git directory.
  public var gitDir: String
  /// Whether the repository has no work tree.
  public var bare: Bool
  /// Whether this is a linked work tree (`git worktree add`).
  public var worktree: Bool
  /// Whether the clone is shallow.
  public var shallow: Bool
  /// Whether there is neither a commit on the branch nor any reference.
  public var empty: Bool
  /// What takes several steps and is not done: `rebase`, `merge`, `cherry-pick`, `revert`, `bisect` or `am`.
  public var operation: String?
  /// What is checked out.
  public var head: Head?
  /// The upstream of the branch; absent without one.
  public var upstream: Upstream?
  /// The numbers of branches.
  public var branches: Branches?
  /// The short name of the remote's default branch, as far as the clone knows it.
  public var defaultBranch: String?
  /// The tags.
  public var tags: Tags?
  /// The remotes.
  public var remotes: [Remote]?
  /// The changes in the work tree; absent in a bare repository.
  public var status: Status?
  /// The number of stashes.
  public var stashes: Int?
  /// The commits of the history.
  public var commits: Commits?
  /// The number of authors after the mailmap is applied.
  public var authorCount: Int?
  /// The size of the smallest set of authors who together made at least half of the commits; 0 without
  /// commits.
  public var busFactor: Int?
  /// The authors, most commits first.
  public var authors: [Author]?
  /// The commits over time.
  public var activity: Activity?
  /// The share of the 100 newest commits that have a signature, from 0 to 1, rounded to four decimals.
  /// Signatures are not verified.
  public var signedShare: Double?
  /// The files that change most often.
  public var churn: Churn?
  /// The languages, most bytes first.
  public var languages: [Language]?
  /// The lines by language, most lines of code first.
  public var lines: [Lines]?
  /// The files that ``lines`` leaves out.
  public var skipped: Skipped?
  /// The lines of the largest files.
  public var files: [FileLines]?
  /// The license files.
  public var licenses: [License]?
  /// The size of the tree and of the object database.
  public var size: Size?
  /// The newest version.
  public var version: Version?
  /// The largest files of `HEAD`, largest first.
  public var largestFiles: [LargeFile]?
  /// The largest files of the history, largest first.
  public var largestBlobs: [LargeBlob]?
  /// The numbers of direct dependencies, by manifest.
  public var dependencies: [Dependencies]?
  /// The submodules.
  public var submodules: [Submodule]?
  /// The linked work trees.
  public var worktrees: [Worktree]?
  /// Whether the repository uses Git LFS.
  public var lfs: Bool?
  /// The names of the hooks that git would run, sorted.
  public var hooks: [String]?
  /// The absolute paths of the object databases from which this one borrows.
  public var alternates: [String]?
  /// The time of the last `git fetch`.
  public var lastFetchAt: Date?
  /// Whether there is a commit-graph file.
  public var commitGraph: Bool?
  /// Whether this is a partial clone.
  public var partial: Bool?
  /// Whether sparse checkout is on.
  public var sparse: Bool?
  /// Why sections are missing or incomplete.
  public var notes: [Note] = []

  /// A reason why a section is missing or incomplete.
  public struct Note: Sendable, Hashable, Codable {
    /// The section.
    public let section: String
    /// The reason, one sentence.
    public let message: String
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
  public struct Head: Sendable, Hashable, Codable {
    /// The short name of the branch; absent when detached.
    public var branch: String?
    /// The full name of the reference; absent when detached.
    public var ref: String?
    /// Whether `HEAD` is a commit and no branch.
    public var detached: Bool
    /// Whether the branch has no commit yet.
    public var unborn: Bool
    /// The commit id, 40 hexadecimal digits; absent when unborn.
    public var commit: String?
  }

  /// The upstream of the branch; the counts are absent when it does not exist.
  public struct Upstream: Sendable, Hashable, Codable {
    /// The short name, such as `origin/main`.
    public var name: String
    /// The number of commits that only the branch has.
    public var ahead: Int?
    /// The number of commits that only the upstream has.
    public var behind: Int?
  }

  /// The numbers of branches; symbolic ones such as `origin/HEAD` do not count.
  public struct Branches: Sendable, Hashable, Codable {
    /// The number of local branches.
    public var local: Int
    /// The number of remote-tracking branches.
    public var remote: Int
  }

  /// The tags.
  public struct Tags: Sendable, Hashable, Codable {
    /// The number of tags.
    public var count: Int
    /// The nearest tag; absent if no tag is reachable from `HEAD`.
    public var nearest: Nearest?
    /// The tag with the highest version.
    public var highest: String?

    /// The nearest tag, as `git describe --tags` finds it.
    public struct Nearest: Sendable, Hashable, Codable {
      /// The name of the tag.
      public var name: String
      /// The number of commits since the tag.
      public var distance: Int
    }
  }

  /// A remote; its URL has no credentials.
  public struct Remote: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The first configured URL.
    public var url: String
  }

  /// The numbers of changed paths, as in `git status --porcelain=v2 --untracked-files=all`.
  public struct Status: Sendable, Hashable, Codable {
    /// Whether nothing is changed.
    public var clean: Bool
    /// The number of paths that differ between `HEAD` and index.
    public var staged: Int
    /// The number of paths that differ between index and work tree.
    public var unstaged: Int
    /// The number of files that git does not track or ignore.
    public var untracked: Int
    /// The number of paths with an unresolved conflict.
    public var conflicted: Int
  }
}
