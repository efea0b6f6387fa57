package import ForageGit

/// Facts about what commits changed; those that were not requested are nil.
struct ChangeFacts {
  static let sections: [InspectionSection] = [.churn, .largestBlobs]
  /// The commits that are compared: about a year of a busy project. The whole history costs 35 times as much.
  private static let commitCount = 1000
  private static let fileCount = 20
  private static let blobCount = 10

  private(set) var churn: InspectionReport.Churn?
  private(set) var largestBlobs: [InspectionReport.LargeBlob]?
  private(set) var notes: FactNotes
  private let request: InspectionRequest

  /// Reads the facts; an error becomes a note.
  ///
  /// - Parameters:
  ///   - graph: the commits of `HEAD` as far as they are walked; nil if none was needed so far.
  ///   - known: the facts that are known; those that are computed are added if nothing of them is missing.
  init(
    _ repository: GitRepository, _ request: InspectionRequest, _ graph: CommitGraph?, _ known: inout HeadFacts
  ) {
    notes = FactNotes(repository)
    self.request = request
    guard let first = Self.sections.first(where: request.includes) else { return }
    switch repository.refs.head {
    case .invalid:
      // Otherwise the tree has a note.
      if request.sections.isDisjoint(with: TreeFacts.sections) {
        notes.addInvalidHead(first, missing: "are no files")
      }
    case .symbolic(_, nil):
      if request.includes(.churn) { churn = .init(commits: 0, files: []) }
      if request.includes(.largestBlobs) { largestBlobs = [] }
    case .symbolic(_, let tip?), .detached(let tip):
      read(tip, repository, graph ?? CommitGraph(lazilyFrom: tip, in: repository), &known)
    }
  }

  private mutating func read(
    _ tip: ObjectID, _ repository: GitRepository, _ graph: consuming CommitGraph, _ known: inout HeadFacts
  ) {
    var graph = graph
    let request = request
    churn = facts(.churn, &known.churn) { () throws(GitError) in
      let found = try graph.churn(
        commits: Self.commitCount, files: Self.fileCount, isCancelled: request.isCancelled)
      let loss = Loss(
        count: max(found.unreadable, found.lost), commits: found.lost,
        what: ("commit", "could not be compared, because objects are"))
      return (InspectionReport.Churn(found), loss)
    }
    largestBlobs = facts(.largestBlobs, &known.largestBlobs) { () throws(GitError) in
      let found = try graph.largestBlobs(limit: Self.blobCount, isCancelled: request.isCancelled)
      let loss = Loss(
        count: found.missing + found.unreadable + found.lost, commits: found.lost,
        what: ("object", "could not be read:"))
      let blobs = found.blobs.map {
        InspectionReport.LargeBlob(path: $0.path, bytes: $0.bytes, commit: $0.commit.hex)
      }
      return (blobs, loss)
    }
  }

  /// What is missing or damaged.
  private struct Loss {
    var count = 0
    /// The number of commits among it; a partial clone has all of them.
    var commits = 0
    /// What is lost, and what that means, up to the word before what is wrong with the objects.
    var what = (noun: "", effect: "")
  }

  /// Returns the facts of a section, if it is requested: the known ones, or computed ones, which are then known unless
  /// they are incomplete; notes why they are missing or incomplete.
  private mutating func facts<Facts>(
    _ section: InspectionSection, _ known: inout Facts?, _ make: () throws(GitError) -> (Facts, Loss)
  ) -> Facts? {
    guard request.includes(section) else { return nil }
    if let known { return known }
    do throws(GitError) {
      let (facts, loss) = try make()
      guard loss.count > 0 else {
        known = facts
        return facts
      }
      let isDamage = loss.commits > 0 || !notes.isPartialClone
      let state = isDamage ? "missing or damaged" : "not present in this partial clone"
      let lost = counted(loss.count, loss.what.noun)
      notes.add(section, "\(lost) \(loss.what.effect) \(state)", isDamage: isDamage)
      return facts
    } catch {
      notes.add(section, error)
      return nil
    }
  }
}

extension Inspector {
  /// Counts how often the commits of the clone at a path or above it changed one file.
  ///
  /// - Returns: the counts, with the file if a commit changed it, and whether every commit could be compared.
  /// - Throws: the errors of ``inspect(path:sections:cache:now:isCancelled:)``; `cancelled`.
  package func churn(
    of file: String, path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> (counts: InspectionReport.Churn, isWhole: Bool) {
    let repository = try open(path)
    guard let tip = repository.refs.head.commit else { return (.init(commits: 0, files: []), true) }
    var graph = CommitGraph(lazilyFrom: tip, in: repository)
    var found = try graph.churn(files: .max, isCancelled: isCancelled)
    found.files.removeAll { $0.path != file }
    return (InspectionReport.Churn(found), found.unreadable + found.lost == 0)
  }
}

extension InspectionReport.Churn {
  fileprivate init(_ found: Churn) {
    let files = found.files.map { file in
      File(
        path: file.path, commits: file.commits,
        author: file.author.map { .init(name: $0.name, commits: $0.commits) })
    }
    self.init(commits: found.commits, files: files)
  }
}
