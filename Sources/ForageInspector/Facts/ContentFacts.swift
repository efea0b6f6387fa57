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
  init(_ repository: GitRepository, _ request: InspectionRequest) {
    notes = FactNotes(repository)
    read(repository, request)
  }

  private mutating func read(_ repository: GitRepository, _ request: InspectionRequest) {
    size = computeOrNote(.size, repository, request) { () throws(GitError) in
      let storage = try repository.storage(isCancelled: request.isCancelled)
      return .init(
        files: nil, bytes: nil, packs: storage.packs, packBytes: storage.packBytes,
        looseObjects: storage.looseObjects, looseBytes: storage.looseBytes)
    }
    let scan = computeOrNote(.status, repository, request) { () throws(GitError) in
      try repository.scanWorktree(isCancelled: request.isCancelled)
    }
    .flatMap { $0 }
    status = scan.map { scan in
      let status = scan.status
      return .init(
        clean: status.isClean, staged: status.staged, unstaged: status.unstaged, untracked: status.untracked,
        conflicted: status.conflicted)
    }
    if let uncompared = scan?.uncompared, uncompared > 0 {
      notes.add(.status, "\(uncompared) files pass through a filter program and were counted as unchanged")
    }
    stashes = computeOrNote(.stashes, repository, request) { () throws(GitError) in
      try repository.stashCount()
    }
    let treeSections = request.sections.intersection(TreeFacts.sections)
    if case .invalid = repository.refs.head {
      guard let section = Self.order.first(where: request.includes) else { return }
      notes.addInvalidHead(section, missing: "are no files")
      return
    }
    let commit = repository.refs.head.commit
    if !treeSections.isEmpty {
      readTree(
        commit,
        {
          scan?.cleanFiles() ?? (try? repository.cleanFiles(isCancelled: request.isCancelled)) ?? CleanFiles()
        },
        repository, request)
    }
  }

  private mutating func readTree(
    _ commit: ObjectID?, _ clean: () -> CleanFiles, _ repository: GitRepository, _ request: InspectionRequest
  ) {
    var facts = TreeFacts.empty(request)
    do throws(GitError) {
      if let commit { facts = try TreeFacts.of(commit, clean, repository, request) }
    } catch {
      // A partial clone may lack trees, and no commit.
      let isWhole = commit.flatMap { try? repository.tree(of: $0) } == nil
      notes.add(Self.order.first(where: request.includes) ?? .size, error, isWhole: isWhole)
      return
    }
    tree = facts
    // Cached facts may be those of more sections.
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

  /// The sections that need the tree of `HEAD`'s commit; the first that is requested has the note.
  private static let order: [InspectionSection] = [
    .size, .languages, .lines, .files, .licenses, .largestFiles, .dependencies, .version, .submodules, .lfs,
  ]

  /// Computes the value of a section if it is requested; an error becomes a note.
  private mutating func computeOrNote<Value>(
    _ section: InspectionSection, _ repository: GitRepository, _ request: InspectionRequest,
    _ body: () throws(GitError) -> Value
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
