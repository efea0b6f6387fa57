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

  /// Reads the entry of a clone; nil without a cache, for a clone without a commit, and for sections that are not in it.
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
