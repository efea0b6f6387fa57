/// A folder that is still to be compared.
struct WalkItem: Sendable {
  /// What is to be done with it.
  struct Tasks: OptionSet, Sendable {
    let rawValue: UInt8
    /// Compare the index's files with those on disk.
    static let compare = Tasks(rawValue: 1)
    /// Look for what the index does not have.
    static let list = Tasks(rawValue: 2)
  }

  /// The path from the root without a slash at the end, then a zero byte.
  var path: [UInt8]
  /// The folder's number in the index; -1 when that does not have it.
  var directory: Int32
  var tasks: Tasks
  /// Only these entries are to be compared; nil for all of the folder itself and its folders.
  var entries: Range<Int32>?
  /// What is ignored in it.
  var rules: IgnoreRules?
  /// Whether the index has a file of this name.
  var isShadowed = false
}

/// What a walk found out about an entry of the index that is not simply clean.
struct WalkFinding: Sendable {
  enum Kind: UInt8, Sendable {
    /// The file differs or is gone.
    case changed
    /// The file is gone.
    case deleted
    /// Only the content tells.
    case doubtful
    /// A submodule, which is looked at later.
    case submodule
    /// A file that is to be added later, and is there.
    case intended
    /// Not looked at: left out of the work tree, assumed unchanged, or it cannot be reached.
    case unseen
  }

  let entry: Int32
  let kind: Kind
}

/// What one thread of a walk found.
struct WalkResult: Sendable {
  var findings: [WalkFinding] = []
  var untracked = 0
  /// Why the number of untracked files cannot be told.
  var error: GitError?

  mutating func add(_ other: WalkResult) {
    findings += other.findings
    untracked += other.untracked
    error = error ?? other.error
  }
}
