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
  private static let queue = DispatchQueue(
    label: "forage.inspector", qos: .userInitiated, attributes: .concurrent)

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
  ///   - isCancelled: asked now and then, from several threads.
  /// - Throws: `notFound`, `notARepository`, `notOwned`, `unsupportedExtension`, `permission`, `corrupt`
  ///   when the
  ///   repository cannot be opened; `cancelled`.
  package func inspect(
    path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> InspectionReport {
    let repository = try open(path)
    var report = InspectionReport(repository)
    // History is bound by unpacking commits, the rest by the work tree: each takes one thread and one handle.
    let reopen = repository.reopening
    let group = DispatchGroup()
    let box = SharedFacts()
    Self.queue.async(group: group) {
      box.set(ContentFacts.reopening(reopen, isCancelled: isCancelled))
    }
    let history = HistoryFacts(repository, isCancelled: isCancelled)
    group.wait()
    if isCancelled() { throw .cancelled }
    report.add(history)
    if let facts = box.value { report.add(facts) }
    return report
  }

  /// The remotes of the repository at a path or above it, URLs without credentials; reads no object.
  ///
  /// - Throws: as ``inspect(path:isCancelled:)``, when the repository cannot be opened.
  package func remotes(path: String) throws(GitError) -> [Remote] {
    try open(path).remotes()
  }

  func open(_ path: String) throws(GitError) -> GitRepository {
    try GitRepository.open(path, environment: environment ?? .current)
  }
}

extension InspectionReport {
  /// What is told without reading any object.
  init(_ repository: GitRepository) {
    let refs = repository.refs
    path = repository.worktree ?? repository.gitDir
    gitDir = repository.gitDir
    bare = repository.isBare
    worktree = repository.isLinkedWorktree
    shallow = !repository.shallow.isEmpty
    empty = refs.all.isEmpty && refs.head.commit == nil
    switch refs.head {
    case .symbolic(let ref, let commit):
      head = Head(
        branch: refs.head.branch, ref: ref, detached: false, unborn: commit == nil, commit: commit?.hex)
    case .detached(let commit):
      head = Head(branch: nil, ref: nil, detached: true, unborn: false, commit: commit.hex)
    case .invalid(let reason):
      notes.append(Note(section: "head", message: reason))
    }
    branches = Branches(
      local: refs.with(prefix: "refs/heads/").count,
      remote: refs.with(prefix: "refs/remotes/").count { !$0.isSymbolic })
    remotes = repository.remotes().map { Remote(name: $0.name, url: $0.url) }
    if repository.hasUnlistedRemotes {
      let message = "only the first \(GitRepository.remoteLimit) remotes are listed"
      notes.append(Note(section: "remotes", message: message))
    }
    worktrees = repository.linkedWorktrees().map { Worktree(path: $0.path, branch: $0.branch) }
    lastFetchAt = repository.lastFetchAt.map { Date(timeIntervalSince1970: Double($0)) }
    commitGraph = repository.hasCommitGraph
    partial = repository.isPartialClone
    sparse = repository.isSparseCheckout
    for missing in repository.brokenAlternates() {
      notes.append(
        Note(section: "size", message: "objects are shared with \(missing), which does not exist"))
    }
    if repository.hasReplacements {
      notes.append(
        Note(section: "commits", message: "replacements of objects (refs/replace, grafts) are not applied"))
    }
  }

  mutating func add(_ facts: HistoryFacts) {
    commits = facts.commits
    authors = facts.authors
    authorCount = facts.authors?.count
    tags = facts.tags
    upstream = facts.upstream
    notes += facts.notes
  }

  mutating func add(_ facts: ContentFacts) {
    languages = facts.languages
    licenses = facts.licenses
    size = facts.size
    submodules = facts.submodules
    status = facts.status
    stashes = facts.stashes
    lfs = facts.lfs
    notes += facts.notes
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
