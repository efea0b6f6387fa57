/// The files that change most often.
package struct Churn: Sendable, Hashable {
  /// A file and the number of commits that changed it.
  package struct File: Sendable, Hashable {
    /// The path from the root of the tree.
    package let path: String
    package let commits: Int
  }

  /// The number of commits that were compared.
  package var commits = 0
  /// The number of those that could not be compared, because trees are missing or damaged.
  package var unreadable = 0
  /// The number of commits that are missing or damaged; those behind them are not known.
  package var lost = 0
  /// Most often changed first, then by the bytes of the path.
  package var files: [File] = []
}

/// The number of commits that changed each path; each thread has its own.
struct ChurnCounts: TreeVisitor, Sendable {
  static let seesRemoved = true

  private let limits: DifferenceLimits
  private var paths = PathTable()
  /// By the number of the path.
  private var counts: [Int32] = []
  /// The last commit that was counted for each path, because a damaged tree may name a path twice.
  private var stamps: [Int32] = []
  /// The changes of the current commit, which count once it is compared completely.
  private var pending: [Int32] = []
  private var compared: Int32 = 0
  /// The number of commits that could not be compared.
  private(set) var unreadable = 0

  init(limits: DifferenceLimits) {
    self.limits = limits
  }

  mutating func folder(_ name: UnsafeRawBufferPointer, below parent: Int32) throws(GitError) -> Int32 {
    let number = paths.insert(name, below: parent)
    guard paths.count <= limits.paths, paths.nameBytes <= limits.nameBytes else {
      throw DifferenceLimits.exceeded("too many different paths")
    }
    return number
  }

  func enters(_ tree: ObjectID) -> Bool { true }

  mutating func found(
    _ name: UnsafeRawBufferPointer, below parent: Int32, id: ObjectID, isSubmodule: Bool
  ) throws(GitError) {
    pending.append(try folder(name, below: parent))
  }

  /// Compares a commit with its parent, nil for none; counts missing or damaged objects instead of throwing.
  ///
  /// - Throws: `tooLarge`, `cancelled`, `permission`, `other`.
  mutating func count(
    _ old: ObjectID?, _ new: ObjectID, _ difference: TreeDifference, isCancelled: () -> Bool
  ) throws(GitError) {
    pending.removeAll(keepingCapacity: true)
    do throws(GitError) {
      let before: ObjectID? = if let old { try difference.tree(of: old) } else { nil }
      try difference.compare(before, difference.tree(of: new), &self, isCancelled: isCancelled)
    } catch {
      guard error.code == .missingObject || error.code == .corrupt else { throw error }
      unreadable += 1
      return
    }
    compared += 1
    if counts.count < paths.count {
      counts += repeatElement(0, count: paths.count - counts.count)
      stamps += repeatElement(0, count: paths.count - stamps.count)
    }
    for path in pending where stamps[Int(path)] != compared {
      stamps[Int(path)] = compared
      counts[Int(path)] += 1
    }
  }

  /// Adds the counts of another thread.
  mutating func add(_ other: ChurnCounts) {
    let numbers = paths.add(other.paths)
    counts += repeatElement(0, count: paths.count - counts.count)
    for (number, count) in zip(numbers, other.counts) { counts[Int(number)] += count }
    unreadable += other.unreadable
  }

  /// Returns the paths that change most often, equal counts ordered by the bytes of the path.
  func top(_ limit: Int) -> [Churn.File] {
    guard limit > 0 else { return [] }
    // Pruned regularly, so that a million files of equal count do not all need their path at once.
    let (slack, overflows) = limit.multipliedReportingOverflow(by: 2)
    let capacity = overflows ? Int.max : max(slack, 1024)
    var best: [(count: Int32, path: [UInt8])] = []
    var worst: Int32 = 0
    func cut() {
      best.sort {
        $0.count != $1.count ? $0.count > $1.count : $0.path.lexicographicallyPrecedes($1.path)
      }
      if best.count > limit { best.removeLast(best.count - limit) }
      if best.count == limit { worst = best.last?.count ?? 0 }
    }
    for (number, count) in counts.enumerated() where count > 0 && count >= worst {
      best.append((count, paths.path(number)))
      if best.count >= capacity { cut() }
    }
    cut()
    return best.map { Churn.File(path: String(decoding: $0.path, as: UTF8.self), commits: Int($0.count)) }
  }
}
