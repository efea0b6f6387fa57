extension InspectionReport {
  /// The bytes of one language in `HEAD`'s tree.
  package struct Language: Sendable, Hashable, Codable {
    package var name: String
    package var bytes: Int
    /// The part of all counted bytes, from 0 to 1, rounded to four decimals.
    package var share: Double
  }

  /// The lines of one language in `HEAD`'s tree: each line is one of the three.
  package struct Lines: Sendable, Hashable, Codable {
    package var language: String
    package var files: Int
    /// Lines with something that is neither white space nor a comment.
    package var code: Int
    /// Lines with nothing but comments and white space, and a comment.
    package var comment: Int
    /// Lines of white space.
    package var blank: Int
  }

  /// A licence file; the identifier is absent when the text is not known.
  package struct License: Sendable, Hashable, Codable {
    package var spdx: String?
    package var path: String
  }

  /// Files of `HEAD`'s tree (submodules left out) and the object database on disk.
  package struct Size: Sendable, Hashable, Codable {
    package var files: Int?
    package var bytes: Int?
    package var packs: Int
    package var packBytes: Int
    package var looseObjects: Int
    /// Bytes of the loose objects' files.
    package var looseBytes: Int
  }

  /// The newest version and where it stands.
  package struct Version: Sendable, Hashable, Codable {
    /// Without a leading `v`.
    package var name: String
    /// `tag` or `manifest`.
    package var source: String
    /// The manifest's path; absent for a tag.
    package var path: String?
  }

  /// A file of `HEAD`'s tree by size.
  package struct LargeFile: Sendable, Hashable, Codable {
    package var path: String
    package var bytes: Int
  }

  /// A blob of the history by size, with the oldest commit that has it at that path.
  package struct LargeBlob: Sendable, Hashable, Codable {
    package var path: String
    package var bytes: Int
    /// 40 hexadecimal digits.
    package var commit: String
  }

  /// How many dependencies a manifest names directly.
  package struct Dependencies: Sendable, Hashable, Codable {
    /// The manifest's path.
    package var manifest: String
    package var count: Int
  }

  /// How often files were changed.
  package struct Churn: Sendable, Hashable, Codable {
    /// How many commits were looked at: the newest that are no merges.
    package var commits: Int
    /// Most often changed first, then by path.
    package var files: [File]

    /// A file and in how many of the commits it was changed.
    package struct File: Sendable, Hashable, Codable {
      package var path: String
      package var commits: Int
    }
  }

  /// A submodule; `state` is `current`, `different`, `uninitialized` or `unrecorded`.
  package struct Submodule: Sendable, Hashable, Codable {
    package var path: String
    package var url: String?
    package var commit: String?
    package var state: String
  }

  /// A linked work tree; the branch is absent when detached.
  package struct Worktree: Sendable, Hashable, Codable {
    package var path: String
    package var branch: String?
  }
}
