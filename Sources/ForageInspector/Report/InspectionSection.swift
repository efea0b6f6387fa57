/// A part of a report that can be asked for by itself; the raw value is its name in the JSON.
///
/// What is not asked for is not computed. The place and kind of the repository (`path`, `gitDir`, `bare`, `worktree`,
/// `shallow`, `empty`) and the notes are always told.
package enum InspectionSection: String, Sendable, Hashable, CaseIterable {
  case head, upstream, branches, defaultBranch, tags, remotes, status, stashes
  case commits, authorCount, busFactor, authors, activity, signedShare
  case churn, languages, lines, licenses, size, version
  case largestFiles, largestBlobs, dependencies
  case submodules, worktrees, lfs, hooks, alternates
  case lastFetchAt, commitGraph, partial, sparse

  /// What is told when nothing is said: all but those that read the whole history's trees.
  package static let standard: Set<InspectionSection> = Set(allCases).subtracting([.largestBlobs])

  /// What needs the commits that `HEAD` reaches.
  static let history: Set<InspectionSection> = [
    .commits, .authorCount, .busFactor, .authors, .activity, .signedShare, .tags, .upstream, .version,
  ]

  /// Whether it is told without any reference but `HEAD` and without any commit but its own.
  var isPlain: Bool {
    switch self {
    case .head, .remotes, .status, .hooks, .alternates, .lastFetchAt, .commitGraph, .partial, .sparse: true
    default: false
    }
  }

  /// What it tells, in one line.
  package var summary: String {
    switch self {
    case .head: "what is checked out"
    case .upstream: "what the branch follows, commits ahead and behind"
    case .branches: "how many branches, local and of remotes"
    case .defaultBranch: "the branch that the remote checks out by default"
    case .tags: "how many tags, the nearest, the highest version"
    case .remotes: "names and URLs, without credentials"
    case .status: "paths that are staged, unstaged, untracked, conflicted"
    case .stashes: "how many stashes"
    case .commits: "how many commits and merges, the first and the last"
    case .authorCount: "how many authors"
    case .busFactor: "the fewest authors that have half of the commits together"
    case .authors: "each author's commits, share, first and last date"
    case .activity: "commits by week, weekday and hour"
    case .signedShare: "the part of the last 100 commits that is signed"
    case .churn: "the files that the last 1,000 commits changed most often"
    case .languages: "bytes by language"
    case .lines: "lines of code, comment and blank lines by language"
    case .licenses: "the licence files and what they are"
    case .size: "files, bytes, packs and loose objects"
    case .version: "the newest version, from tags or a manifest"
    case .largestFiles: "the largest files of HEAD"
    case .largestBlobs: "the largest files of the whole history; slow, only on request"
    case .dependencies: "how many dependencies each manifest names"
    case .submodules: "submodules and their state"
    case .worktrees: "linked work trees"
    case .lfs: "whether files are kept with Git LFS"
    case .hooks: "hooks that would run"
    case .alternates: "other object databases that this one needs"
    case .lastFetchAt: "when something was last fetched"
    case .commitGraph: "whether there is a commit-graph file"
    case .partial: "whether objects are left with the remote"
    case .sparse: "whether only some files are checked out"
    }
  }
}
