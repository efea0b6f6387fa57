public import ForageCore
import ForageGit
public import ForageInspector
import ForageLocal
public import ForageSetup
import ForageStore

/// Work with the clones of the catalogue, and the facts of one on this disk.
extension Forage {
  /// Finds lines in the files of clones, as they are on disk.
  ///
  /// - Parameters:
  ///   - query: What `forage search --kind code` takes: words, `/REGULAR EXPRESSION/`, `symbol:NAME`,
  ///     `uses:NAME`, `path:`, `language:` and the like.
  ///   - names: The clones: paths, folders above them, `owner/name`, globs or words; none for all.
  ///   - context: The lines before and after each line that are wanted, too.
  /// - Returns: A result for each file, by clone and path; its lines are in the field `matches`.
  /// - Throws: ``ForageError`` for a query that is not valid, for names that no clone has, and where the
  ///   store cannot be read; `SearchError`; `CancellationError`.
  public func grep(_ query: String, in names: [String] = [], context: Int = 0) async throws -> [SearchResult]
  {
    try await throwingPublicErrors {
      let condition: QueryExpression
      do { condition = try QueryParser(vocabulary: .common.of(.code)).parse(query).root } catch {
        throw ForageError(describing: error) ?? error
      }
      let clones = names.isEmpty ? nil : try await chosen(names)
      let locations = try clones.map { try grepLocations($0, [], hint: "name a folder with files") }
      var request = CodeLines(condition, in: locations)
      request.context = min(max(0, context), MatchOptions.maximumContext)
      return try await lines(request).items
    }
  }

  /// Fetches what is new on the remotes of clones, several at once.
  ///
  /// - Parameters:
  ///   - names: As for ``grep(_:in:context:)``.
  ///   - ended: Takes each result as soon as it is known.
  /// - Returns: The results in the order of their ends.
  /// - Throws: ``ForageError`` for names that no clone has, and where there is no git program; what `ended`
  ///   throws.
  @discardableResult
  public func fetchClones(_ names: [String] = [], ended: (CloneChange) throws -> Void = { _ in }) async throws
    -> [CloneChange]
  {
    try await update(names, .fetch, ended)
  }

  /// Fetches, and moves the current branch on where nothing can be lost; otherwise as
  /// ``fetchClones(_:ended:)``.
  @discardableResult
  public func pullClones(_ names: [String] = [], ended: (CloneChange) throws -> Void = { _ in }) async throws
    -> [CloneChange]
  {
    try await update(names, .pull, ended)
  }

  /// Reads facts about the clone at a path or above it, without the network.
  ///
  /// - Parameters:
  ///   - path: A folder in a clone, or a bare one.
  ///   - sections: What is read.
  /// - Throws: ``ForageError`` for a path without a clone, and for a clone that cannot be read.
  public func inspect(_ path: String, sections: Set<InspectionSection> = InspectionSection.standard)
    async throws -> InspectionReport
  {
    let cache = InspectionCache.stored(in: paths.cacheFolder)
    return try await throwingPublicErrors {
      try await InspectedClone.of(path, sections, cache: cache).outcome.get()
    }
  }

  /// The clones of the catalogue, by their paths.
  ///
  /// - Throws: ``ForageError`` where the store cannot be read.
  public func clones() async throws -> [SearchResult] {
    let hosts = remoteHosts
    return try await throwingPublicErrors { try store.existing()?.clones().map { $0.result(hosts) } ?? [] }
  }

  /// The folder of the clone in the catalogue that stands for a repository, after a scan of the folders that
  /// were never scanned.
  ///
  /// - Parameter repository: `owner/name`, `host/owner/name`, or a web or clone address.
  /// - Throws: ``ForageError`` where clones of several repositories may be meant; `StoreError` where the
  ///   store cannot be read; `CancellationError`.
  package func clonePath(of repository: String) async throws -> String? {
    try await ClonePreparation(self).scanWhatIsNew()
    return try CloneNames.one(of: cloneNames().of(repository: repository), named: repository)?.path
  }

  /// Counts how often the commits of the clone at a path changed one file.
  ///
  /// - Returns: The counts, with the file if a commit changed it, and whether every commit could be compared.
  package func churn(of file: String, in path: String) async throws
    -> (counts: InspectionReport.Churn, isWhole: Bool)
  {
    try await BlockingGit.run { isCancelled throws(GitError) in
      try Inspector().churn(of: file, path: path, isCancelled: isCancelled)
    }
  }

  /// Finds new, changed and removed clones in the folders of the catalogue, and indexes their code.
  ///
  /// - Parameter folders: Folders that are added to the catalogue first.
  /// - Throws: ``ForageError`` for a path that is no folder, and where the store cannot be written;
  ///   `CancellationError`.
  public func scanClones(adding folders: [String] = []) async throws {
    try await throwingPublicErrors {
      try await ClonePreparation(self).scanAll(adding: folders)
      guard try await CatalogueIndexer(self).update(reports: true) else {
        throw ForageError(
          "the code of some clones could not be indexed", .indexCode, code: .partial)
      }
    }
  }

  private func update(
    _ names: [String], _ action: CloneUpdating.Action, _ ended: (CloneChange) throws -> Void
  ) async throws -> [CloneChange] {
    try await throwingPublicErrors {
      let clones = try await chosen(names)
      var changes: [CloneChange] = []
      try await CloneUpdating(self, action).run(clones, started: { _, _ in }) { update in
        let change = CloneChange(update)
        changes.append(change)
        try ended(change)
      }
      try Task.checkCancellation()
      return changes
    }
  }

  private func chosen(_ names: [String]) async throws -> [CloneState] {
    let chosen = try await ChosenClones(names, allows: { _ in true }, nil, self, lastList: { nil })
    if let failure = chosen.failures.first { throw failure }
    guard !chosen.clones.isEmpty else {
      throw ForageError(
        "no clone of the catalogue fits", hint: "scan their folders first", code: .nothingFound)
    }
    return chosen.clones
  }
}

/// The changes in a clone after a fetch or a pull.
public struct CloneChange: Sendable {
  /// The outcome for a clone. Later versions may add others.
  public enum Status: String, Sendable {
    /// There is something new.
    case updated
    /// There was nothing new.
    case current
    /// Nothing was done, for a reason that is no failure.
    case skipped = "left"
    /// It failed.
    case failed
  }

  /// The root of the clone.
  public var path: String
  /// The id of its repository; `nil` for one without a remote on a forge.
  public var id: String?
  /// The outcome.
  public var status: Status
  /// Why it was left alone or failed.
  public var reason: String?
  /// The action that helps after a failure; empty without one.
  public var hint: String
  /// The names of the branches that have changed.
  public var branches: [String]
  /// The names of new tags.
  public var tags: [String]

  init(_ update: CloneUpdate) {
    (path, id) = (update.clone.path, update.clone.id)
    status = Status(rawValue: update.status.rawValue) ?? .failed
    (reason, hint) = (update.reason, update.hint)
    (branches, tags) = (update.branches.map(\.name), update.tags)
  }
}
