import Dispatch
package import ForageGit
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells the facts of one clone; needs no network and writes nothing.
package struct Inspector: Sendable {

  private let environment: GitEnvironment?

  /// Creates an inspector that reads the environment of this process.
  package init() {
    environment = nil
  }

  /// Creates an inspector with a given environment, as tests do.
  package init(environment: GitEnvironment) {
    self.environment = environment
  }

  /// Everything about the clone at a path or above it.
  ///
  /// A section that fails is left out and noted; the others are told all the same.
  ///
  /// - Parameters:
  ///   - path: any file or folder in a work tree, or a git folder.
  ///   - sections: what to tell; the rest is not computed.
  ///   - memory: where facts of `HEAD`'s commit are kept between runs; nil to compute all anew.
  ///   - isCancelled: asked now and then, from several threads.
  /// - Throws: `notFound`, `notARepository`, `notOwned`, `unsupportedExtension`, `permission`, `corrupt` when the
  ///   repository cannot be opened; `cancelled`.
  package func inspect(
    path: String, sections: Set<InspectionSection> = InspectionSection.standard,
    memory: InspectionMemory? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> InspectionReport {
    let repository = try GitRepository.open(
      path, environment: environment ?? .current, loadsReferences: false)
    let request = InspectionRequest(sections: sections, memory: memory, isCancelled: isCancelled)
    let hasContent = !sections.isDisjoint(with: ContentFacts.sections)
    if sections.allSatisfy(\.isPlain) {
      var report = InspectionReport(repository, sections)
      if hasContent { report.add(ContentFacts(repository, request), sections) }
      if isCancelled() { throw .cancelled }
      return report
    }
    try repository.refs.load()
    var report = InspectionReport(repository, sections)
    // History is bound by unpacking commits, the rest by files and trees: each takes one thread and one handle.
    let reopen = repository.reopening
    let group = DispatchGroup()
    let box = SharedFacts()
    if hasContent { OwnThread.start(in: group) { box.set(ContentFacts(reopen(), request)) } }
    let history = HistoryFacts.remembered(repository, request)
    group.wait()
    if isCancelled() { throw .cancelled }
    report.add(history, sections)
    if let facts = box.value { report.add(facts, sections) }
    if sections.contains(.version) { report.version = Self.version(history.tags, box.value?.tree) }
    return report
  }

  /// The remotes of the repository at a path or above it, URLs without credentials; reads no object.
  ///
  /// - Throws: as ``inspect(path:isCancelled:)``, when the repository cannot be opened.
  package func remotes(path: String) throws(GitError) -> [Remote] {
    try open(path).remotes()
  }

  /// The root of the repository at a path or above it, and its remotes, URLs without credentials; reads no object.
  ///
  /// - Returns: The root of the work tree, of a bare repository the git folder: absolute, without links.
  /// - Throws: as ``inspect(path:isCancelled:)``, when the repository cannot be opened.
  package func location(path: String) throws(GitError) -> (path: String, remotes: [Remote]) {
    let repository = try open(path)
    return (repository.worktree ?? repository.gitDir, repository.remotes())
  }

  /// The newest version that a tag names, else what a manifest says.
  private static func version(
    _ tags: InspectionReport.Tags?, _ tree: TreeFacts?
  ) -> InspectionReport.Version? {
    guard let tag = tags?.highest else { return tree?.version }
    return .init(name: VersionTag.version(in: tag) ?? tag, source: "tag", path: nil)
  }

  func open(_ path: String) throws(GitError) -> GitRepository {
    try GitRepository.open(path, environment: environment ?? .current)
  }
}

/// Where the second thread leaves what it found.
private final class SharedFacts: Sendable {
  private let facts = Mutex<ContentFacts?>(nil)
  var value: ContentFacts? { facts.withLock { $0 } }
  func set(_ value: ContentFacts) { facts.withLock { $0 = value } }
}

/// A part of a whole, rounded to four decimals; 0 of nothing.
func share(_ part: Int, of whole: Int) -> Double {
  whole == 0 ? 0 : (Double(part) / Double(whole) * 10_000).rounded() / 10_000
}
