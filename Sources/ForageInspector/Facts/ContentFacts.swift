import ForageGit

/// Facts from `HEAD`'s tree, the trees of the history, the index, the work tree and the object database.
struct ContentFacts: Sendable {
  /// The sections that these facts cover.
  static let sections = TreeFacts.sections.union([.status, .stashes, .churn, .largestBlobs])

  private(set) var tree: TreeFacts?
  private(set) var size: InspectionReport.Size?
  private(set) var submodules: [InspectionReport.Submodule]?
  private(set) var status: InspectionReport.Status?
  private(set) var stashes: Int?
  private(set) var churn: InspectionReport.Churn?
  private(set) var largestBlobs: [InspectionReport.LargeBlob]?
  private(set) var notes: [InspectionReport.Note] = []

  /// Reads the facts; an error becomes a note.
  init(_ repository: GitRepository, _ request: InspectionRequest) {
    read(repository, request)
  }

  private mutating func read(_ repository: GitRepository, _ request: InspectionRequest) {
    size = computeOrNote(.size, request) { () throws(GitError) in
      let storage = try repository.storage()
      return .init(
        files: nil, bytes: nil, packs: storage.packs, packBytes: storage.packBytes,
        looseObjects: storage.looseObjects, looseBytes: storage.looseBytes)
    }
    let scan = computeOrNote(.status, request) { () throws(GitError) in
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
      note(.status, "\(uncompared) files pass through a filter program and were counted as unchanged")
    }
    stashes = computeOrNote(.stashes, request) { () throws(GitError) in try repository.stashCount() }
    let treeSections = request.sections.intersection(TreeFacts.sections)
    if case .invalid = repository.refs.head {
      guard !treeSections.isEmpty || request.includes(.churn) || request.includes(.largestBlobs) else {
        return
      }
      note(
        .size,
        repository.objectProblem ?? GitError(.invalidHead, "HEAD is invalid, so there are no files to read"))
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
    guard let commit else {
      if request.includes(.churn) { churn = .init(commits: 0, files: []) }
      if request.includes(.largestBlobs) { largestBlobs = [] }
      return
    }
    readHistory(commit, repository, request)
  }

  private mutating func readHistory(
    _ commit: ObjectID, _ repository: GitRepository, _ request: InspectionRequest
  ) {
    if let found = computeOrNote(
      .churn, request,
      { () throws(GitError) in
        try ChurnFacts.churn(of: commit, repository, request)
      })
    {
      churn = found.churn
      if found.unreadable > 0 {
        note(
          .churn, "\(found.unreadable) commits could not be compared, because trees are missing or damaged")
      }
    }
    if let found = computeOrNote(
      .largestBlobs, request,
      { () throws(GitError) in
        try ChurnFacts.largestBlobs(of: commit, repository, request)
      })
    {
      largestBlobs = found.blobs
      if found.missing > 0 { note(.largestBlobs, "\(found.missing) objects are missing or damaged") }
    }
  }

  private mutating func readTree(
    _ commit: ObjectID?, _ clean: () -> CleanFiles, _ repository: GitRepository, _ request: InspectionRequest
  ) {
    var facts = TreeFacts.empty(request)
    do throws(GitError) {
      if let commit { facts = try TreeFacts.of(commit, clean, repository, request) }
    } catch {
      note(.size, error)
      return
    }
    tree = facts
    notes += facts.notes
    size?.files = facts.files
    size?.bytes = facts.bytes
    guard request.includes(.submodules) else { return }
    do throws(GitError) {
      let recorded = facts.submodules.compactMap { item in
        ObjectID(hex: item.commit).map { (path: item.path, commit: $0) }
      }
      let root: ObjectID? = if let commit { try repository.tree(of: commit) } else { nil }
      let (list, isCut) = try repository.submodules(recorded: recorded, tree: root)
      submodules = list.map {
        .init(path: $0.path, url: $0.url, commit: $0.commit?.hex, state: $0.state.rawValue)
      }
      if isCut {
        note(.submodules, "only the first \(GitRepository.submoduleLimit) submodules are listed")
      }
    } catch {
      note(.submodules, error)
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
      note(section, error)
      return nil
    }
  }

  private mutating func note(_ section: InspectionSection, _ error: GitError) {
    note(
      section,
      error.code == .unsupportedIndex && !error.hint.isEmpty ? error.description : error.message)
  }

  private mutating func note(_ section: InspectionSection, _ message: String) {
    notes.append(.init(section: section.rawValue, message: message))
  }
}
