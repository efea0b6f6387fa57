/// How often files were changed.
package struct Churn: Sendable, Hashable {
  /// A file and in how many of the commits it was changed.
  package struct File: Sendable, Hashable {
    /// The path from the tree's root.
    package let path: String
    package let commits: Int
  }

  /// How many commits were looked at.
  package var commits = 0
  /// How many of these could not be compared, because trees are missing or damaged: they count for no file.
  package var unreadable = 0
  /// Most often changed first, then by the bytes of the paths.
  package var files: [File] = []
}

/// In how many commits each path was changed, for one thread.
struct ChurnCounts: TreeVisitor, Sendable {
  static let seesRemoved = true

  private let limits: DifferenceLimits
  private var paths = PathTable()
  /// By the path's number.
  private var counts: [Int32] = []
  /// The number of the last commit that was counted, by the path's number: a damaged tree can name a path twice.
  private var stamps: [Int32] = []
  /// What the commit that is being compared changes; counted when it was compared wholly.
  private var pending: [Int32] = []
  private var compared: Int32 = 0
  /// How many commits could not be compared.
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

  /// Compares one commit with its parent; what is missing or damaged is counted, not thrown.
  ///
  /// - Throws: `tooLarge`, `cancelled`, `permission`, `other`.
  mutating func count(_ job: ChurnJob, _ difference: TreeDifference, isCancelled: () -> Bool) throws(GitError)
  {
    pending.removeAll(keepingCapacity: true)
    do throws(GitError) {
      try difference.compare(job.old, job.new, &self, isCancelled: isCancelled)
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

  /// Adds what another thread has counted.
  mutating func add(_ other: ChurnCounts) {
    let numbers = paths.add(other.paths)
    counts += repeatElement(0, count: paths.count - counts.count)
    for (number, count) in zip(numbers, other.counts) { counts[Int(number)] += count }
    unreadable += other.unreadable
  }

  /// The paths that were changed most often, then by their bytes.
  func top(_ limit: Int) -> [Churn.File] {
    guard limit > 0 else { return [] }
    // Cut now and then, so that a million files of equal count do not all need their path at once.
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
