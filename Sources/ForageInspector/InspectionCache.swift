import ForageFoundation
import ForageGit

/// A cache with one entry for each clone: the facts that depend only on its commit and objects.
package struct InspectionCache: Sendable {
  /// Returns the stored facts of the clone with a git directory; nil if there are none, or not of this identity.
  package var load: @Sendable (_ gitDir: String, _ identity: String) -> [UInt8]?
  /// Stores the facts of a clone in place of others; a failure only means that the next inspection computes them again.
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

/// The facts that depend only on the commit of `HEAD`, the mailmap, and the objects of the clone with their replacements
/// and shallow boundary.
///
/// What depends on the work tree, the references, the settings or the time is not among them. Facts that are incomplete
/// because something is missing or damaged are not added.
struct HeadFacts: Sendable, Hashable, Codable {
  static let sections = CommitFacts.sections.union(ChangeFacts.sections).union(TreeFacts.sections)

  var history = CommitFacts()
  var churn: InspectionReport.Churn?
  var largestBlobs: [InspectionReport.LargeBlob]?
  var tree: TreeFacts?
}

/// The entry of a clone in a cache.
struct CacheEntry {
  /// The facts of the entry, none if it is about another commit, damaged or not there.
  let facts: HeadFacts
  private let cache: InspectionCache
  private let gitDir: String
  private let identity: String

  /// Reads the entry of a clone; nil without a cache, for a clone without a commit, and for sections that are not in it.
  ///
  /// - Parameter attributes: the attribute file of the user, which says something about languages, too.
  init?(_ repository: GitRepository, _ request: InspectionRequest, attributes: String?) {
    guard let cache = request.cache, !request.sections.isDisjoint(with: HeadFacts.sections),
      let head = repository.refs.head.commit
    else { return nil }
    self.cache = cache
    gitDir = repository.gitDir
    identity = [
      head.hex, repository.historyFingerprint(), attributes.map(FileAccess.stamp) ?? "",
    ].joined(separator: " ")
    let bytes = cache.load(gitDir, identity)
    facts = bytes.flatMap { try? JSONDecoder().decode(HeadFacts.self, from: Data($0)) } ?? HeadFacts()
  }

  /// Replaces the facts of the entry, unless they are the same.
  func update(_ new: HeadFacts) {
    guard new != facts, let data = try? JSONEncoder().encode(new) else { return }
    cache.store(gitDir, identity, [UInt8](data))
  }
}
