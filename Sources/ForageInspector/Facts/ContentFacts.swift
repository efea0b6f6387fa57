import ForageGit

/// Facts from `HEAD`'s tree, the index, the work tree and the object database.
struct ContentFacts: Sendable {
  static let sections = TreeFacts.sections.union([.status, .stashes])

  private(set) var tree: TreeFacts?
  private(set) var size: InspectionReport.Size?
  private(set) var submodules: [InspectionReport.Submodule]?
  private(set) var status: InspectionReport.Status?
  private(set) var stashes: Int?
  private(set) var notes: FactNotes

  /// Reads the facts; an error becomes a note.
  ///
  /// - Parameter known: the facts of the tree that are known.
  init(_ repository: GitRepository, _ request: InspectionRequest, known: TreeFacts?) {
    notes = FactNotes(repository)
    size = computeOrNote(.size, request) { () throws(GitError) in
      let storage = try repository.storage(isCancelled: request.isCancelled)
      return .init(
        files: nil, bytes: nil, packs: storage.packs, packBytes: storage.packBytes,
        looseObjects: storage.looseObjects, looseBytes: storage.looseBytes)
    }
    let found = computeOrNote(.status, request) { () throws(GitError) in
      try repository.worktreeStatus(isCancelled: request.isCancelled)
    }
    .flatMap { $0 }
    status = found.map {
      .init(
        clean: $0.isClean, staged: $0.staged, unstaged: $0.unstaged, untracked: $0.untracked,
        conflicted: $0.conflicted)
    }
    if let uncompared = found?.uncompared, uncompared > 0 {
      notes.add(.status, "\(uncompared) files pass through a filter program and were counted as unchanged")
    }
    stashes = computeOrNote(.stashes, request) { () throws(GitError) in
      try repository.stashCount()
    }
    if case .invalid = repository.refs.head {
      guard let section = TreeFacts.order.first(where: request.includes) else { return }
      notes.addInvalidHead(section, missing: "are no files")
      return
    }
    guard !request.sections.isDisjoint(with: TreeFacts.sections) else { return }
    readTree(repository, request, known)
  }

  private mutating func readTree(
    _ repository: GitRepository, _ request: InspectionRequest, _ known: TreeFacts?
  ) {
    let commit = repository.refs.head.commit
    var facts = TreeFacts.empty(request)
    do throws(GitError) {
      if let commit { facts = try TreeFacts.of(commit, repository, request, known: known) }
    } catch {
      // A partial clone may lack trees, and no commit.
      let isWhole = commit.flatMap { try? repository.tree(of: $0) } == nil
      notes.add(TreeFacts.order.first(where: request.includes) ?? .size, error, isWhole: isWhole)
      return
    }
    tree = facts
    // They may be those of more sections.
    notes.add(
      facts.notes.filter { InspectionSection(rawValue: $0.section).map(request.includes) ?? false })
    size?.files = facts.files
    size?.bytes = facts.bytes
    guard request.includes(.submodules) else { return }
    do throws(GitError) {
      let recorded = facts.submodules.compactMap { item in
        ObjectID(hex: item.commit).map { (path: item.path, commit: $0) }
      }
      let root: ObjectID? = if let commit { try repository.tree(of: commit) } else { nil }
      let (list, isCut) = try repository.submodules(
        recorded: recorded, tree: root, isCancelled: request.isCancelled)
      submodules = list.map {
        .init(path: $0.path, url: $0.url, commit: $0.commit?.hex, state: $0.state.rawValue)
      }
      if isCut {
        notes.add(.submodules, "only the first \(GitRepository.submoduleLimit) submodules are listed")
      }
    } catch {
      notes.add(.submodules, error)
    }
  }

  /// Computes the value of a section if it is requested; an error becomes a note.
  private mutating func computeOrNote<Value>(
    _ section: InspectionSection, _ request: InspectionRequest, _ body: () throws(GitError) -> Value
  ) -> Value? {
    guard request.includes(section) else { return nil }
    do throws(GitError) {
      return try body()
    } catch {
      notes.add(section, error)
      return nil
    }
  }
}
