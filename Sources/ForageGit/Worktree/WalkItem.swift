/// A folder to process.
struct WalkItem: Sendable {
  /// What to do with the folder.
  struct Tasks: OptionSet, Sendable {
    let rawValue: UInt8
    /// Compare the files of the index with those on disk.
    static let compare = Tasks(rawValue: 1)
    /// Find names that the index does not have.
    static let list = Tasks(rawValue: 2)
    /// Report the paths of untracked files, besides their number.
    static let name = Tasks(rawValue: 4)
  }

  /// The path from the root without a trailing slash, with a NUL at the end.
  var path: [UInt8]
  /// The number of the folder in the index; -1 if it is untracked.
  var directory: Int32
  var tasks: Tasks
  /// The entries to compare; nil for all of the folder and its subfolders.
  var entries: Range<Int32>?
  /// The ignore rules that apply.
  var rules: IgnoreRules?
  /// Whether the index has a file of this name.
  var isShadowed = false
}

/// A finding about an entry of the index that is not simply clean.
struct WalkFinding: Sendable {
  enum Kind: UInt8, Sendable {
    /// The file differs or is absent.
    case changed
    /// The file is absent.
    case deleted
    /// The content must be compared.
    case doubtful
    /// A submodule, which is examined later.
    case submodule
    /// An intent-to-add entry whose file exists.
    case intentToAdd
    /// Not compared: skip-worktree, assume-unchanged or unreachable.
    case unchecked
  }

  let entry: Int32
  let kind: Kind
}

/// The result of one thread of a walk.
struct WalkResult: Sendable {
  var findings: [WalkFinding] = []
  var untracked = 0
  /// The paths of untracked files, if they are requested.
  var untrackedPaths: [[UInt8]] = []
  /// Why the untracked files could not be counted.
  var error: GitError?

  mutating func add(_ other: WalkResult) {
    findings += other.findings
    untracked += other.untracked
    untrackedPaths += other.untrackedPaths
    error = error ?? other.error
  }
}
