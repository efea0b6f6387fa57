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
    /// Most often changed first, then by path.
    public var files: [File]

    /// A file, and the number of commits that changed it.
    public struct File: Sendable, Hashable, Codable {
      /// The path in the repository.
      public var path: String
      /// The number of commits that changed it.
      public var commits: Int
      /// The author who made most of these commits, of equal numbers the first by name; `nil` where no name is known.
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
