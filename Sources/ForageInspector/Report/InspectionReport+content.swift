extension InspectionReport {
  /// The bytes of a language in `HEAD`'s tree.
  package struct Language: Sendable, Hashable, Codable {
    package var name: String
    package var bytes: Int
    /// The share of all counted bytes, from 0 to 1, rounded to four decimals.
    package var share: Double
  }

  /// The lines of a language in `HEAD`'s tree; each line counts as exactly one of code, comment and blank.
  package struct Lines: Sendable, Hashable, Codable {
    package var language: String
    package var files: Int
    /// Lines that contain more than white space and comments.
    package var code: Int
    /// Lines that contain only comments and white space.
    package var comment: Int
    /// Lines of white space only.
    package var blank: Int
  }

  /// The numbers of files that are not counted in ``Lines``, each for one reason.
  package struct Skipped: Sendable, Hashable, Codable {
    /// Third-party code.
    package var vendored = 0
    /// Written by a program.
    package var generated = 0
    package var binary = 0
  }

  /// The lines of one file, counted as in ``Lines``.
  package struct FileLines: Sendable, Hashable, Codable {
    package var path: String
    package var language: String
    package var code: Int
    package var comment: Int
    package var blank: Int
  }

  /// A license file; the identifier is absent if the license is unknown.
  package struct License: Sendable, Hashable, Codable {
    package var spdx: String?
    package var path: String
    /// The license that an unknown one is most like.
    package var nearest: String?
  }

  /// The files of `HEAD`'s tree (without submodules) and the object database on disk.
  package struct Size: Sendable, Hashable, Codable {
    package var files: Int?
    package var bytes: Int?
    package var packs: Int
    package var packBytes: Int
    package var looseObjects: Int
    /// The size of the loose object files, in bytes.
    package var looseBytes: Int
  }

  /// The newest version and its source.
  package struct Version: Sendable, Hashable, Codable {
    /// The version without a leading `v`.
    package var name: String
    /// `tag` or `manifest`.
    package var source: String
    /// The manifest's path; absent for a tag.
    package var path: String?
  }

  /// A file of `HEAD`'s tree.
  package struct LargeFile: Sendable, Hashable, Codable {
    package var path: String
    package var bytes: Int
  }

  /// A blob of the history, with the oldest commit that has it at that path.
  package struct LargeBlob: Sendable, Hashable, Codable {
    package var path: String
    package var bytes: Int
    /// The commit id, 40 hexadecimal digits.
    package var commit: String
  }

  /// The number of direct dependencies in a manifest.
  package struct Dependencies: Sendable, Hashable, Codable {
    /// The manifest's path.
    package var manifest: String
    package var count: Int
  }

  /// The files that change most often.
  package struct Churn: Sendable, Hashable, Codable {
    /// The number of commits that were compared: the newest ones without merges.
    package var commits: Int
    /// Most often changed first, then by path.
    package var files: [File]

    /// A file, and the number of commits that changed it.
    package struct File: Sendable, Hashable, Codable {
      package var path: String
      package var commits: Int
    }
  }

  /// The lines that an author added and removed, merges and renames not counted.
  package struct Effort: Sendable, Hashable, Codable {
    package var name: String
    package var email: String
    package var added: Int
    package var removed: Int
  }

  /// A submodule; `state` is `clean`, `modified`, `uninitialized` or `missing`.
  package struct Submodule: Sendable, Hashable, Codable {
    package var path: String
    package var url: String?
    package var commit: String?
    package var state: String
  }

  /// A linked work tree; the branch is absent when `HEAD` is detached.
  package struct Worktree: Sendable, Hashable, Codable {
    package var path: String
    package var branch: String?
  }
}
