package import ForageFoundation
package import ForageGit

/// Reports facts about a clone that no API offers. Uses no network and writes nothing.
public struct Inspector: Sendable {
  private let environment: GitEnvironment?

  /// Creates an inspector that reads the environment of this process.
  public init() {
    environment = nil
  }

  /// Creates an inspector with a given environment, for tests.
  package init(environment: GitEnvironment) {
    self.environment = environment
  }

  /// Inspects the clone at a path or above it.
  ///
  /// A section that fails is absent from the report, and a note says why; the other sections are computed.
  /// The function blocks its thread, for a large history for seconds, so call it off the cooperative thread
  /// pool.
  ///
  /// - Parameters:
  ///   - path: any file or folder in a work tree, or a git directory.
  ///   - sections: the sections to compute.
  ///   - isCancelled: polled regularly, from several threads; true cancels.
  /// - Returns: the report.
  /// - Throws: ``InspectionError`` with code `notFound`, `notARepository`, `notOwned`,
  ///   `unsupportedExtension`, `permission` or `corrupt` when the repository cannot be opened; `cancelled`.
  public func inspect(
    path: String, sections: Set<InspectionSection> = InspectionSection.standard,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(InspectionError) -> InspectionReport {
    do throws(GitError) {
      return try inspect(path: path, sections: sections, cache: nil, isCancelled: isCancelled)
    } catch {
      throw InspectionError(error)
    }
  }

  /// Inspects the clone at a path or above it, with a cache.
  ///
  /// - Parameters:
  ///   - cache: the cache of the facts that depend only on `HEAD`'s commit; nil computes everything.
  ///   - reading: reads more from the repository, once it is open.
  /// - Throws: `notFound`, `notARepository`, `notOwned`, `unsupportedExtension`, `permission` or `corrupt`
  ///   when the repository cannot be opened; `cancelled`; the errors of `reading`.
  package func inspect(
    path: String, sections: Set<InspectionSection> = InspectionSection.standard,
    cache: InspectionCache?, now: Date = Date(),
    isCancelled: @escaping @Sendable () -> Bool = { false },
    reading: (GitRepository) throws(GitError) -> Void = { _ in }
  ) throws(GitError) -> InspectionReport {
    let repository = try open(path)
    if !sections.allSatisfy(\.isPlain), repository.objectProblem == nil { try repository.refs.load() }
    let attributes = (environment ?? .current).configHome.map { $0 + "/git/attributes" }
    let entry = CacheEntry(repository, sections, cache, attributes: attributes)
    let known = entry?.facts
    // The history is bound by unpacking commits and trees, the rest by reading files; one thread and one
    // handle for each.
    var started: StartedWork<(report: InspectionReport, facts: HeadFacts)>?
    if !sections.isDisjoint(with: InspectionSection.ofContents) {
      let reopen = repository.reopening
      started = StartedWork { _ in
        var contents = Inspection(reopen(), sections, known: known, now: now, isCancelled: isCancelled)
        contents.addContents()
        return (contents.report, contents.facts)
      }
    }
    var history = Inspection(repository, sections, known: known, now: now, isCancelled: isCancelled)
    history.addRepository()
    let graph = history.addHistory()
    // Changes are found in trees, which lie elsewhere in a pack than commits.
    repository.closeObjects()
    history.addChanges(graph)
    let read = Result { () throws(GitError) in try reading(repository) }
    let contents = try started?.result { false }
    if isCancelled() { throw .cancelled }
    var (found, facts) = (history.report, history.facts)
    if let contents {
      found.take(InspectionSection.ofContents, from: contents.report)
      found.notes += contents.report.notes
      facts.addTree(of: contents.facts)
    }
    entry?.update(facts)
    try read.get()
    // A tag has precedence over the manifests.
    if sections.contains(.version), let tag = found.tags?.highest {
      found.version = .init(name: VersionTag.version(in: tag) ?? tag, source: "tag", path: nil)
      found.notes.removeAll { $0.section == InspectionSection.version.rawValue }
    }
    var report = InspectionReport(repository)
    report.take(sections, from: found)
    (report.empty, report.operation, report.notes) = (found.empty, found.operation, found.notes)
    return report
  }

  /// The root of the repository at a path or above it, and its source remotes, URLs without credentials;
  /// reads no object.
  ///
  /// - Returns: The folder with `.git`, or the git directory: absolute, without links.
  /// - Throws: as ``inspect(path:isCancelled:)``, when the repository cannot be opened.
  package func location(path: String) throws(GitError) -> (path: String, remotes: [Remote]) {
    let repository = try open(path)
    return (repository.root, repository.sourceRemotes())
  }

  /// Opens the repository without its references, which are read at their first use.
  func open(_ path: String) throws(GitError) -> GitRepository {
    try GitRepository.open(path, environment: environment ?? .current, loadsReferences: false)
  }
}

/// One thread of an inspection: it writes the facts that it finds into its report, and why others are missing
/// into the notes.
///
/// The sections that were not requested may be written too; ``Inspector`` leaves them out.
struct Inspection {
  let repository: GitRepository
  /// The sections that are requested.
  let sections: Set<InspectionSection>
  /// The time with which the weeks of the activity end.
  let now: Date
  /// Polled regularly; true cancels.
  let isCancelled: @Sendable () -> Bool
  var report: InspectionReport
  /// The facts that depend only on `HEAD`'s commit, in the beginning those of the cache.
  var facts: HeadFacts

  init(
    _ repository: GitRepository, _ sections: Set<InspectionSection>, known: HeadFacts? = nil, now: Date,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.repository = repository
    self.sections = sections
    self.now = now
    self.isCancelled = isCancelled
    report = InspectionReport(repository)
    facts = known ?? HeadFacts(report: report)
  }
}

extension Inspection {
  mutating func note(_ section: InspectionSection, _ message: String, isDamage: Bool = false) {
    report.notes.append(.init(section: section.rawValue, message: message, isDamage: isDamage))
  }

  /// Notes the reason of an error.
  ///
  /// - Parameter isWhole: whether a partial clone has the object, too, as all of its commits.
  mutating func note(_ section: InspectionSection, _ error: GitError, isWhole: Bool = false) {
    let isRemote = error.code == .missingObject && repository.isPartialClone && !isWhole
    // What to do about missing objects is the same for all of them, and said once.
    var message = error.code == .missingObject ? error.message : error.description
    if isRemote { message = message.replacing(GitError.absence, with: "not present in this partial clone") }
    note(section, message, isDamage: error.isDamage && !isRemote)
  }

  /// Notes that `HEAD` is invalid, or that its objects cannot be read.
  ///
  /// - Parameter missing: what there is not.
  mutating func noteInvalidHead(_ section: InspectionSection, missing: String) {
    let error = GitError(.invalidHead, "HEAD is invalid, so there \(missing) to read")
    note(section, repository.objectProblem ?? error)
  }

  /// Computes the value of a section if it is requested; an error becomes a note.
  mutating func computeOrNote<Value>(
    _ section: InspectionSection, _ body: () throws(GitError) -> Value
  ) -> Value? {
    guard sections.contains(section) else { return nil }
    do throws(GitError) {
      return try body()
    } catch {
      note(section, error)
      return nil
    }
  }
}

/// Returns a number with a noun, to which an `s` is added for several.
func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

/// Returns `part / whole`, rounded to four decimals; 0 when `whole` is 0.
func share(_ part: Int, of whole: Int) -> Double {
  whole == 0 ? 0 : (Double(part) / Double(whole) * 10_000).rounded() / 10_000
}

extension InspectionReport {
  /// Creates a report with the location of a repository.
  init(_ repository: GitRepository) {
    self.init(
      path: repository.worktree ?? repository.root, gitDir: repository.gitDir, bare: repository.isBare,
      worktree: repository.isLinkedWorktree, shallow: !repository.shallow.isEmpty, empty: false)
  }
}

extension Inspection {
  /// Adds the facts that need no object.
  mutating func addRepository() {
    let refs = repository.refs
    // Reading all references is left to who needs them.
    let names = refs.head.commit == nil || sections.contains(.branches) ? (try? refs.names()) ?? [] : []
    report.empty = refs.head.commit == nil && names.isEmpty
    if sections.contains(.head) || sections.contains(.status) {
      report.operation = repository.operation?.rawValue
    }
    if sections.contains(.head) { setHead(refs.head, isDamage: repository.objectProblem == nil) }
    if sections.contains(.branches) {
      report.branches = .init(
        local: names.count { $0.name.hasPrefix("refs/heads/") },
        remote: names.count { $0.name.hasPrefix("refs/remotes/") && !$0.isSymbolic })
    }
    if sections.contains(.defaultBranch) { report.defaultBranch = repository.defaultBranch }
    if sections.contains(.remotes) {
      report.remotes = repository.remotes().map { .init(name: $0.name, url: $0.url) }
      if repository.hasUnlistedRemotes {
        note(.remotes, "only the first \(GitRepository.remoteLimit) remotes are listed")
      }
    }
    if sections.contains(.worktrees) {
      report.worktrees = repository.linkedWorktrees().map { .init(path: $0.path, branch: $0.branch) }
    }
    if sections.contains(.hooks) { report.hooks = repository.hooks() }
    if sections.contains(.alternates) { report.alternates = repository.alternates() }
    if sections.contains(.lastFetchAt) {
      report.lastFetchAt = repository.lastFetchAt.map { Date(timeIntervalSince1970: Double($0)) }
    }
    if sections.contains(.commitGraph) { report.commitGraph = repository.hasCommitGraph }
    if sections.contains(.partial) { report.partial = repository.isPartialClone }
    if sections.contains(.sparse) { report.sparse = repository.isSparseCheckout }
    for missing in repository.brokenAlternates() {
      note(.size, "objects are shared with \(missing), which does not exist")
    }
    guard !sections.allSatisfy({ $0.isPlain && $0 != .status }) else { return }
    for index in repository.damagedPackIndexes() {
      note(.size, "the pack index \(index) is damaged, so the objects of its pack are not read")
    }
    if repository.hasGrafts {
      let affected = InspectionSection.ofCommits + InspectionSection.ofChanges + [.tags, .upstream]
      for section in sections.intersection(affected).sorted(by: { $0.rawValue < $1.rawValue }) {
        note(section, "the changes of parents in info/grafts are not applied")
      }
    }
  }

  private mutating func setHead(_ reference: HeadState, isDamage: Bool) {
    switch reference {
    case .symbolic(let ref, let commit):
      report.head = .init(
        branch: reference.branch, ref: ref.description, detached: false, unborn: commit == nil,
        commit: commit?.hex)
    case .detached(let commit):
      report.head = .init(branch: nil, ref: nil, detached: true, unborn: false, commit: commit.hex)
    case .invalid(let reason, let ref):
      if let ref {
        report.head = .init(
          branch: reference.branch, ref: ref.description, detached: false, unborn: false, commit: nil)
      }
      note(.head, reason, isDamage: isDamage)
    }
  }
}

/// A cache with one entry for each clone: the facts that depend only on its commit and objects.
package struct InspectionCache: Sendable {
  /// Returns the stored facts of the clone with a git directory; nil if there are none, or not of this
  /// identity.
  package var load: @Sendable (_ gitDir: String, _ identity: String) -> [UInt8]?
  /// Stores the facts of a clone in place of others; a failure only means that the next inspection computes
  /// them again.
  package var store: @Sendable (_ gitDir: String, _ identity: String, _ facts: [UInt8]) -> Void

  /// Creates a cache from two functions, which may be called from several threads.
  package init(
    load: @escaping @Sendable (_ gitDir: String, _ identity: String) -> [UInt8]?,
    store: @escaping @Sendable (_ gitDir: String, _ identity: String, _ facts: [UInt8]) -> Void
  ) {
    self.load = load
    self.store = store
  }
}

/// The facts that depend only on the commit of `HEAD`, the mailmap, and the objects of the clone with their
/// replacements and shallow boundary.
///
/// What depends on the work tree, the references, the settings or the time is not among them. Facts that are
/// incomplete because something is missing or damaged are not added.
struct HeadFacts: Sendable, Hashable, Codable {
  /// A submodule as the tree records it.
  struct Recorded: Sendable, Hashable, Codable {
    var path: String
    /// 40 hexadecimal digits.
    var commit: String
  }

  /// The sections whose facts are known.
  private(set) var sections: Set<InspectionSection> = []
  /// A report with these sections, and with the notes about the tree. Of `size` only the files are known.
  var report: InspectionReport
  /// The activity, which the report has up to the current week.
  var activity: CommitTimes?
  var submodules: [Recorded] = []

  /// Creates facts without any section.
  init(report: InspectionReport) { self.report = report }

  /// Adds or replaces the facts of some sections.
  mutating func add(_ sections: Set<InspectionSection>, of report: InspectionReport) {
    self.sections.formUnion(sections)
    self.report.take(sections, from: report)
  }

  /// Adds what another thread found in the tree.
  mutating func addTree(of other: HeadFacts) {
    add(other.sections.intersection(InspectionSection.ofTree), of: other.report)
    report.notes = other.report.notes
    submodules = other.submodules
  }
}

/// The entry of a clone in a cache.
struct CacheEntry {
  /// The facts of the entry; nil if it is about another commit, damaged or not there.
  let facts: HeadFacts?
  private let cache: InspectionCache
  private let gitDir: String
  private let identity: String

  /// Reads the entry of a clone; nil without a cache, for a clone without a commit, and for sections that are
  /// not in it.
  ///
  /// - Parameter attributes: the attribute file of the user, which says something about languages, too.
  init?(
    _ repository: GitRepository, _ sections: Set<InspectionSection>, _ cache: InspectionCache?,
    attributes: String?
  ) {
    let cached = InspectionSection.ofCommits + InspectionSection.ofChanges + InspectionSection.ofTree
    guard let cache, !sections.isDisjoint(with: cached), let head = repository.refs.head.commit else {
      return nil
    }
    self.cache = cache
    gitDir = repository.gitDir
    identity = [
      head.hex, repository.historyFingerprint(), attributes.map(FileAccess.stamp) ?? "",
    ].joined(separator: " ")
    let bytes = cache.load(gitDir, identity)
    facts = bytes.flatMap { try? JSONDecoder().decode(HeadFacts.self, from: Data($0)) }
  }

  /// Replaces the facts of the entry, unless they are the same.
  func update(_ new: HeadFacts) {
    guard new != facts, let data = try? JSONEncoder().encode(new) else { return }
    cache.store(gitDir, identity, [UInt8](data))
  }
}
