public import ForageFoundation

/// The facts about a clone; encodes to the JSON of `forage inspect --format json`.
///
/// A section that could not be computed is nil and absent from the JSON, and ``notes`` says why. Encode with
/// `JSONEncoder.DateEncodingStrategy.iso8601`. Names are as recorded; escape them before they reach a
/// terminal.
public struct InspectionReport: Sendable, Hashable, Codable {
  /// The version of the JSON schema.
  public private(set) var schema = 1
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
  /// The unfinished operation: `rebase`, `merge`, `cherry-pick`, `revert`, `bisect` or `am`.
  public var operation: String?
  /// The branch or commit that is checked out.
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
  /// The license as an SPDX expression; `nil` where it is not known, and where it is not known how those of
  /// several files belong together.
  public var license: String?
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

  /// The target of `HEAD`.
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

extension InspectionReport {
  /// The sections that cannot be told, or not completely, because something is missing or damaged.
  package var damagedSections: [String] {
    var names: [String] = []
    for note in notes where note.isDamage && !names.contains(note.section) { names.append(note.section) }
    return names
  }
}

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
    /// True for a program, which does not count for the bus factor.
    public var bot: Bool?
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

extension InspectionReport {
  /// The bytes of a language in `HEAD`'s tree.
  public struct Language: Sendable, Hashable, Codable {
    /// The name of the language, as Linguist spells it.
    public var name: String
    /// The number of bytes.
    public var bytes: Int
    /// The share of all counted bytes, from 0 to 1, rounded to four decimals.
    public var share: Double
  }

  /// The lines of a language in `HEAD`'s tree; each line counts as exactly one of code, comment and blank.
  public struct Lines: Sendable, Hashable, Codable {
    /// The name of the language.
    public var language: String
    /// The number of files.
    public var files: Int
    /// Lines that contain more than white space and comments.
    public var code: Int
    /// Lines that contain only comments and white space.
    public var comment: Int
    /// Lines of white space only.
    public var blank: Int
  }

  /// The numbers of files that are not counted in ``Lines``, each for one reason.
  public struct Skipped: Sendable, Hashable, Codable {
    /// Third-party code.
    public var vendored = 0
    /// Written by a program.
    public var generated = 0
    /// Not text, or a pointer of Git LFS or git-annex to a file that is elsewhere.
    public var binary = 0
  }

  /// The lines of one file, counted as in ``Lines``.
  public struct FileLines: Sendable, Hashable, Codable {
    /// The path in the repository.
    public var path: String
    /// The name of the language.
    public var language: String
    /// Lines of code.
    public var code: Int
    /// Lines of comments.
    public var comment: Int
    /// Blank lines.
    public var blank: Int
  }

  /// A license file; the identifier is absent if the license is unknown.
  public struct License: Sendable, Hashable, Codable {
    /// The SPDX identifier.
    public var spdx: String?
    /// The path in the repository.
    public var path: String
    /// The license that an unknown one is most like.
    public var nearest: String?
    /// True where the file has remarks beside its licenses.
    public var hasOtherText: Bool?
  }

  /// The files of `HEAD`'s tree (without submodules) and the object database on disk.
  public struct Size: Sendable, Hashable, Codable {
    /// The number of files.
    public var files: Int?
    /// The size of the files in bytes.
    public var bytes: Int?
    /// The number of packs.
    public var packs: Int
    /// The size of the packs in bytes.
    public var packBytes: Int
    /// The number of loose objects.
    public var looseObjects: Int
    /// The size of the loose object files, in bytes.
    public var looseBytes: Int
  }

  /// The newest version and its source.
  public struct Version: Sendable, Hashable, Codable {
    /// The version without a leading `v`.
    public var name: String
    /// `tag` or `manifest`.
    public var source: String
    /// The manifest's path; absent for a tag.
    public var path: String?
  }

  /// A file of `HEAD`'s tree.
  public struct LargeFile: Sendable, Hashable, Codable {
    /// The path in the repository.
    public var path: String
    /// The size in bytes.
    public var bytes: Int
  }

  /// A blob of the history, with the oldest commit that has it at that path.
  public struct LargeBlob: Sendable, Hashable, Codable {
    /// The path in the repository.
    public var path: String
    /// The size in bytes.
    public var bytes: Int
    /// The commit id, 40 hexadecimal digits.
    public var commit: String
  }

  /// The number of direct dependencies in a manifest.
  public struct Dependencies: Sendable, Hashable, Codable {
    /// The manifest's path.
    public var manifest: String
    /// The number of dependencies.
    public var count: Int
  }

  /// The files that change most often.
  public struct Churn: Sendable, Hashable, Codable {
    /// The number of commits that were compared: the newest ones without merges.
    public var commits: Int
    /// The files, the most often changed first, then by path.
    public var files: [File]

    /// A file, and the number of commits that changed it.
    public struct File: Sendable, Hashable, Codable {
      /// The path in the repository.
      public var path: String
      /// The number of commits that changed it.
      public var commits: Int
      /// The author who made most of these commits, of equal numbers the first by name; `nil` where no name
      /// is known.
      public var author: Author?
    }

    /// An author, and the number of commits to a file.
    public struct Author: Sendable, Hashable, Codable {
      /// The name after the mailmap is applied.
      public var name: String
      /// The number of commits to the file among those that were compared.
      public var commits: Int
    }
  }

  /// A submodule; `state` is `clean`, `modified`, `uninitialized` or `missing`.
  public struct Submodule: Sendable, Hashable, Codable {
    /// The path in the repository.
    public var path: String
    /// The configured URL, without credentials.
    public var url: String?
    /// The recorded commit id, 40 hexadecimal digits.
    public var commit: String?
    /// The state in the work tree.
    public var state: String
  }

  /// A linked work tree; the branch is absent when `HEAD` is detached.
  public struct Worktree: Sendable, Hashable, Codable {
    /// The path in the repository.
    public var path: String
    /// The short name of its branch.
    public var branch: String?
  }
}
