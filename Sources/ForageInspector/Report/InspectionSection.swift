/// A part of the report that can be requested by itself; the raw value is its name in the JSON.
///
/// ``summary`` says what a section contains. Only requested sections are computed. The location and kind of
/// the repository (`path`, `gitDir`, `bare`, `worktree`, `shallow`, `empty`) and the notes are always
/// present.
public enum InspectionSection: String, Sendable, Hashable, CaseIterable, Codable {
  /// References, remotes, stashes and the state of the work tree.
  case head, upstream, branches, defaultBranch, tags, remotes, status, stashes
  /// The commits of `HEAD` and their authors.
  case commits, authorCount, busFactor, authors, activity, signedShare
  /// The files that change most, and what the project consists of.
  case churn, languages, lines, licenses, size, version
  /// Lists of files and of dependencies.
  case files, largestFiles, largestBlobs, dependencies
  /// Other repositories and work trees that belong to this one, Git LFS and hooks.
  case submodules, worktrees, lfs, hooks, alternates
  /// The state of the clone: its last fetch, and whether it is complete.
  case lastFetchAt, commitGraph, partial, sparse

  /// The default sections: all except lists that few want, and what reads all trees of the history.
  public static let standard: Set<InspectionSection> = Set(allCases).subtracting([.files, .largestBlobs])

  /// The sections about the commits of `HEAD`, in the order of the report.
  static let ofCommits: [InspectionSection] = [
    .commits, .authors, .authorCount, .busFactor, .activity, .signedShare,
  ]
  /// The sections about what commits changed.
  static let ofChanges: [InspectionSection] = [.churn, .largestBlobs]
  /// The sections about the tree of `HEAD`'s commit, in the order of the report; the first that is requested
  /// has the note of an error.
  static let ofTree: [InspectionSection] = [
    .size, .languages, .lines, .files, .licenses, .largestFiles, .dependencies, .version, .submodules, .lfs,
  ]
  /// The sections that are read beside the history.
  static let ofContents = Set(ofTree + [.status, .stashes])

  /// Whether the section needs no reference but `HEAD`, and no commit but its own.
  var isPlain: Bool {
    switch self {
    case .head, .remotes, .status, .hooks, .alternates, .lastFetchAt, .commitGraph, .partial, .sparse: true
    default: false
    }
  }

  /// A description in one line.
  public var summary: String {
    switch self {
    case .head: "checked-out branch or commit"
    case .upstream: "upstream of the branch, commits ahead and behind"
    case .branches: "number of local and remote-tracking branches"
    case .defaultBranch: "default branch of the remote"
    case .tags: "number of tags, nearest tag, tag with the highest version"
    case .remotes: "names and URLs of the remotes, without credentials"
    case .status: "number of staged, unstaged, untracked and conflicted paths"
    case .stashes: "number of stashes"
    case .commits: "number of commits and merges, first and last commit"
    case .authorCount: "number of authors"
    case .busFactor: "fewest authors who made half of the commits"
    case .authors: "commits, share, first and last date of each author"
    case .activity: "commits by week, weekday and hour"
    case .signedShare: "share of the last 100 commits that is signed"
    case .churn: "files that the last 1,000 commits changed most often"
    case .languages: "bytes by language"
    case .lines: "lines of code, comments and blank lines by language"
    case .files: "lines of the \(ClassifiedFiles.largestCount) files with the most (only on request)"
    case .licenses: "license files and their SPDX identifiers"
    case .size: "files, bytes, packs and loose objects"
    case .version: "newest version, from tags or a manifest"
    case .largestFiles: "largest files of HEAD"
    case .largestBlobs: "largest files of the whole history (slow, only on request)"
    case .dependencies: "number of direct dependencies in each manifest"
    case .submodules: "submodules and their state"
    case .worktrees: "linked work trees"
    case .lfs: "whether the repository uses Git LFS"
    case .hooks: "hooks that git would run"
    case .alternates: "object databases from which this one borrows"
    case .lastFetchAt: "time of the last fetch"
    case .commitGraph: "whether there is a commit-graph file"
    case .partial: "whether this is a partial clone"
    case .sparse: "whether sparse checkout is on"
    }
  }
}

extension InspectionReport {
  /// Replaces the facts of some sections by those of another report, without notes.
  mutating func take(_ sections: Set<InspectionSection>, from other: InspectionReport) {
    for section in sections {
      switch section {
      case .head: head = other.head
      case .upstream: upstream = other.upstream
      case .branches: branches = other.branches
      case .defaultBranch: defaultBranch = other.defaultBranch
      case .tags: tags = other.tags
      case .remotes: remotes = other.remotes
      case .status: status = other.status
      case .stashes: stashes = other.stashes
      case .commits: commits = other.commits
      case .authorCount: authorCount = other.authorCount
      case .busFactor: busFactor = other.busFactor
      case .authors: authors = other.authors
      case .activity: activity = other.activity
      case .signedShare: signedShare = other.signedShare
      case .churn: churn = other.churn
      case .languages: languages = other.languages
      case .lines: (lines, skipped) = (other.lines, other.skipped)
      case .licenses: (license, licenses) = (other.license, other.licenses)
      case .size: size = other.size
      case .version: version = other.version
      case .files: files = other.files
      case .largestFiles: largestFiles = other.largestFiles
      case .largestBlobs: largestBlobs = other.largestBlobs
      case .dependencies: dependencies = other.dependencies
      case .submodules: submodules = other.submodules
      case .worktrees: worktrees = other.worktrees
      case .lfs: lfs = other.lfs
      case .hooks: hooks = other.hooks
      case .alternates: alternates = other.alternates
      case .lastFetchAt: lastFetchAt = other.lastFetchAt
      case .commitGraph: commitGraph = other.commitGraph
      case .partial: partial = other.partial
      case .sparse: sparse = other.sparse
      }
    }
  }
}

extension Set<InspectionSection> {
  /// The sections of a page for people: the standard ones without those that are asked for by name.
  package static let ofPages = InspectionSection.standard.subtracting([
    .signedShare, .hooks, .alternates, .commitGraph,
  ])
}
