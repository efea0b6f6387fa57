import ForageFoundation
import ForageGit

extension InspectionReport {
  /// Creates a report with the facts that need no object.
  init(_ repository: GitRepository, _ sections: Set<InspectionSection>) {
    let refs = repository.refs
    path = repository.worktree ?? repository.root
    gitDir = repository.gitDir
    bare = repository.isBare
    worktree = repository.isLinkedWorktree
    shallow = !repository.shallow.isEmpty
    // Reading all references is left to who needs them.
    let names = refs.head.commit == nil || sections.contains(.branches) ? (try? refs.names()) ?? [] : []
    empty = refs.head.commit == nil && names.isEmpty
    if sections.contains(.head) || sections.contains(.status) {
      operation = repository.operation?.rawValue
    }
    if sections.contains(.head) { setHead(refs.head, isDamage: repository.objectProblem == nil) }
    if sections.contains(.branches) {
      branches = Branches(
        local: names.count { $0.name.hasPrefix("refs/heads/") },
        remote: names.count { $0.name.hasPrefix("refs/remotes/") && !$0.isSymbolic })
    }
    if sections.contains(.defaultBranch) { defaultBranch = repository.defaultBranch }
    if sections.contains(.remotes) {
      remotes = repository.remotes().map { Remote(name: $0.name, url: $0.url) }
      if repository.hasUnlistedRemotes {
        note(.remotes, "only the first \(GitRepository.remoteLimit) remotes are listed")
      }
    }
    if sections.contains(.worktrees) {
      worktrees = repository.linkedWorktrees().map { Worktree(path: $0.path, branch: $0.branch) }
    }
    if sections.contains(.hooks) { hooks = repository.hooks() }
    if sections.contains(.alternates) { alternates = repository.alternates() }
    if sections.contains(.lastFetchAt) {
      lastFetchAt = repository.lastFetchAt.map { Date(timeIntervalSince1970: Double($0)) }
    }
    if sections.contains(.commitGraph) { commitGraph = repository.hasCommitGraph }
    if sections.contains(.partial) { partial = repository.isPartialClone }
    if sections.contains(.sparse) { sparse = repository.isSparseCheckout }
    for missing in repository.brokenAlternates() {
      note(.size, "objects are shared with \(missing), which does not exist")
    }
    guard !sections.allSatisfy({ $0.isPlain && $0 != .status }) else { return }
    for index in repository.damagedPackIndexes() {
      note(.size, "the pack index \(index) is damaged, so the objects of its pack are not read")
    }
    if repository.hasGrafts {
      let affected = CommitFacts.sections.union(ChangeFacts.sections).union([.tags, .upstream])
      for section in sections.intersection(affected).sorted(by: { $0.rawValue < $1.rawValue }) {
        note(section, "the changes of parents in info/grafts are not applied")
      }
    }
  }

  private mutating func setHead(_ reference: HeadState, isDamage: Bool) {
    switch reference {
    case .symbolic(let ref, let commit):
      head = Head(
        branch: reference.branch, ref: ref.description, detached: false, unborn: commit == nil,
        commit: commit?.hex)
    case .detached(let commit):
      head = Head(branch: nil, ref: nil, detached: true, unborn: false, commit: commit.hex)
    case .invalid(let reason, let ref):
      if let ref {
        head = Head(
          branch: reference.branch, ref: ref.description, detached: false, unborn: false, commit: nil)
      }
      notes.append(Note(section: InspectionSection.head.rawValue, message: reason, isDamage: isDamage))
    }
  }

  private mutating func note(_ section: InspectionSection, _ message: String) {
    notes.append(Note(section: section.rawValue, message: message))
  }
}

extension InspectionReport {
  mutating func add(_ facts: HistoryFacts, _ sections: Set<InspectionSection>) {
    commits = facts.commits
    authorCount = facts.authorCount
    busFactor = facts.busFactor
    authors = facts.authors
    activity = facts.activity
    signedShare = facts.signedShare
    if sections.contains(.tags) { tags = facts.tags }
    upstream = facts.upstream
    notes += facts.notes.list
  }

  mutating func add(_ facts: ChangeFacts) {
    churn = facts.churn
    largestBlobs = facts.largestBlobs
    notes += facts.notes.list
  }

  mutating func add(_ facts: ContentFacts, _ sections: Set<InspectionSection>) {
    size = facts.size
    status = facts.status
    stashes = facts.stashes
    submodules = facts.submodules
    if let tree = facts.tree {
      if sections.contains(.languages) { languages = tree.languages }
      if sections.contains(.lines) { (lines, skipped) = (tree.lines, tree.skipped) }
      if sections.contains(.files) { files = tree.fileLines }
      if sections.contains(.licenses) { licenses = tree.licenses }
      if sections.contains(.largestFiles) { largestFiles = tree.largestFiles }
      if sections.contains(.dependencies) { dependencies = tree.dependencies }
      if sections.contains(.lfs) { lfs = tree.lfs }
    }
    notes += facts.notes.list
  }
}
