package import ForageGit

extension Inspection {
  /// The commits that are compared: about a year of a busy project. The whole history costs 35 times as much.
  private static let comparedCommits = 1000
  private static let churnFiles = 20
  private static let blobCount = 10

  /// Adds the facts about what commits changed; an error becomes a note.
  ///
  /// - Parameter graph: the commits of `HEAD` as far as they are walked; nil if none was needed so far.
  mutating func addChanges(_ graph: consuming CommitGraph?) {
    guard let first = first(of: InspectionSection.ofChanges) else { return }
    switch repository.refs.head {
    case .invalid:
      // Otherwise the tree has a note.
      if sections.isDisjoint(with: InspectionSection.ofTree) {
        noteInvalidHead(first, missing: "are no files")
      }
    case .symbolic(_, nil):
      report.churn = .init(commits: 0, files: [])
      report.largestBlobs = []
    case .symbolic(_, let tip?), .detached(let tip):
      report.take(facts.sections.intersection(InspectionSection.ofChanges), from: facts.report)
      addChanges(graph ?? CommitGraph(lazilyFrom: tip, in: repository))
    }
  }

  private mutating func addChanges(_ graph: consuming CommitGraph) {
    var graph = graph
    addChanges(.churn) { (report, isCancelled) throws(GitError) in
      let found = try graph.churn(
        commits: Self.comparedCommits, files: Self.churnFiles, isCancelled: isCancelled)
      report.churn = .init(found)
      return Loss(
        count: max(found.unreadable, found.lost), commits: found.lost,
        what: ("commit", "could not be compared, because objects are"))
    }
    addChanges(.largestBlobs) { (report, isCancelled) throws(GitError) in
      let found = try graph.largestBlobs(limit: Self.blobCount, isCancelled: isCancelled)
      report.largestBlobs = found.blobs.map {
        .init(path: $0.path, bytes: $0.bytes, commit: $0.commit.hex)
      }
      return Loss(
        count: found.missing + found.unreadable + found.lost, commits: found.lost,
        what: ("object", "could not be read:"))
    }
  }

  /// What is missing or damaged.
  private struct Loss {
    var count: Int
    /// The number of commits among it; a partial clone has all of them.
    var commits: Int
    /// What is lost, and what that means, up to the word before what is wrong with the objects.
    var what: (noun: String, effect: String)
  }

  /// Adds the facts of a section, if it is requested and they are not known; notes why they are missing or incomplete.
  private mutating func addChanges(
    _ section: InspectionSection,
    _ compute: (inout InspectionReport, () -> Bool) throws(GitError) -> Loss
  ) {
    guard sections.contains(section), !facts.sections.contains(section) else { return }
    do throws(GitError) {
      let loss = try compute(&report, isCancelled)
      guard loss.count > 0 else {
        facts.add([section], of: report)
        return
      }
      let isDamage = loss.commits > 0 || !repository.isPartialClone
      let state = isDamage ? "missing or damaged" : "not present in this partial clone"
      let lost = counted(loss.count, loss.what.noun)
      note(section, "\(lost) \(loss.what.effect) \(state)", isDamage: isDamage)
    } catch {
      note(section, error)
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
