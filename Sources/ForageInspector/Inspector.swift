import Dispatch
package import ForageFoundation
package import ForageGit
import ForagePlatform
import Synchronization

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
  /// A section that fails is absent from the report, and a note says why; the other sections are computed. The
  /// function blocks its thread, for a large history for seconds, so call it off the cooperative thread pool.
  ///
  /// - Parameters:
  ///   - path: any file or folder in a work tree, or a git directory.
  ///   - sections: the sections to compute.
  ///   - isCancelled: polled regularly, from several threads; true cancels.
  /// - Returns: the report.
  /// - Throws: ``InspectionError`` with code `notFound`, `notARepository`, `notOwned`, `unsupportedExtension`,
  ///   `permission` or `corrupt` when the repository cannot be opened; `cancelled`.
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
    let request = InspectionRequest(sections: sections, cache: cache, now: now, isCancelled: isCancelled)
    let hasContent = !sections.isDisjoint(with: ContentFacts.sections)
    if !sections.allSatisfy(\.isPlain), repository.objectProblem == nil { try repository.refs.load() }
    // The history is bound by unpacking commits and trees, the rest by reading files; one thread and one handle
    // for each.
    let reopen = repository.reopening
    let group = DispatchGroup()
    let box = SharedFacts()
    let attributes = (environment ?? .current).configHome.map { $0 + "/git/attributes" }
    let entry = CacheEntry(repository, request, attributes: attributes)
    var head = entry?.facts ?? HeadFacts()
    let tree = head.tree
    if hasContent { OwnThread.start(in: group) { box.set(ContentFacts(reopen(), request, known: tree)) } }
    let history = HistoryFacts(
      repository, sections: sections, known: head.history, now: now, isCancelled: isCancelled)
    if history.isWhole { head.history = history.commitFacts }
    // Changes are found in trees, which lie elsewhere in a pack than commits.
    repository.closeObjects()
    let changes = ChangeFacts(repository, request, history.graph, &head)
    var report = InspectionReport(repository, sections)
    let read = Result { () throws(GitError) in try reading(repository) }
    group.wait()
    if isCancelled() { throw .cancelled }
    if let tree = box.value?.tree, tree.isWhole { head.tree = tree }
    entry?.update(head)
    try read.get()
    report.add(history, sections)
    report.add(changes)
    if let facts = box.value { report.add(facts, sections) }
    if sections.contains(.version) {
      report.version = Self.version(history.tags, box.value?.tree)
      // A tag has precedence over the manifests.
      if report.version?.source == "tag" {
        report.notes.removeAll { $0.section == InspectionSection.version.rawValue }
      }
    }
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

  /// Returns the highest version among the tags, or else the version in a manifest.
  private static func version(
    _ tags: InspectionReport.Tags?, _ tree: TreeFacts?
  ) -> InspectionReport.Version? {
    guard let tag = tags?.highest else { return tree?.version }
    return .init(name: VersionTag.version(in: tag) ?? tag, source: "tag", path: nil)
  }

  /// Opens the repository without its references, which are read at their first use.
  func open(_ path: String) throws(GitError) -> GitRepository {
    try GitRepository.open(path, environment: environment ?? .current, loadsReferences: false)
  }
}

/// The facts that the second thread found.
private final class SharedFacts: Sendable {
  private let facts = Mutex<ContentFacts?>(nil)
  var value: ContentFacts? { facts.withLock { $0 } }
  func set(_ value: ContentFacts) { facts.withLock { $0 = value } }
}

/// Returns `part / whole`, rounded to four decimals; 0 when `whole` is 0.
func share(_ part: Int, of whole: Int) -> Double {
  whole == 0 ? 0 : (Double(part) / Double(whole) * 10_000).rounded() / 10_000
}

/// The parameters of an inspection.
struct InspectionRequest: Sendable {
  var sections: Set<InspectionSection>
  let cache: InspectionCache?
  /// The time with which the weeks of the activity end.
  let now: Date
  /// Polled regularly, from several threads; true cancels.
  let isCancelled: @Sendable () -> Bool

  func includes(_ section: InspectionSection) -> Bool { sections.contains(section) }
}
