import ForagePlatform

package struct Churn: Sendable, Hashable {
  package struct File: Sendable, Hashable {
    package let path: String
    package let commits: Int
    /// Who made most of the commits; nil if no name is known.
    package var author: Author?
  }

  /// An author by the name after the mailmap is applied, and the number of commits.
  package struct Author: Sendable, Hashable {
    package let name: String
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

/// The number of commits that changed each path.
struct ChurnCounts: TreeVisitor, Sendable {
  static let seesRemoved = true

  let limits: DifferenceLimits
  var paths = PathTable()
  /// By the number of the path.
  private var counts: [Int32] = []
  /// The last commit that was counted for each path, because a damaged tree may name a path twice.
  private var stamps: [Int32] = []
  /// The changes of the current commit, which count once it is compared completely.
  private var pending: [Int32] = []
  private var compared: Int32 = 0
  /// Each compared commit as the complement of its number, followed by the paths that it changed.
  private var changes: [Int32] = []
  /// Whether there were more changes than ``maximumChanges``; authors are unknown then.
  private var hasMoreChanges = false
  /// The number of commits that could not be compared.
  private(set) var unreadable = 0

  /// The most changes that are kept for the authors (64 MiB), a thousand times those of 1,000 usual commits.
  private static let maximumChanges = 16 << 20

  init(limits: DifferenceLimits) {
    self.limits = limits
  }

  mutating func found(
    _ name: UnsafeRawBufferPointer, below parent: Int32, old: TreeSide?, new: TreeSide?
  ) throws(GitError) {
    pending.append(try folder(name, below: parent))
  }

  /// Compares a commit with its parent, nil for none; counts missing or damaged objects instead of throwing.
  ///
  /// - Parameter number: the number of the commit, for its author.
  mutating func count(
    _ number: Int, _ old: ObjectID?, _ new: ObjectID, _ difference: TreeDifference, isCancelled: () -> Bool
  ) throws(GitError) {
    pending.removeAll(keepingCapacity: true)
    do throws(GitError) {
      let before: ObjectID? = if let old { try difference.tree(of: old) } else { nil }
      try difference.compare(before, difference.tree(of: new), &self, isCancelled: isCancelled)
    } catch {
      guard error.isDamage else { throw error }
      unreadable += 1
      return
    }
    compared += 1
    if counts.count < paths.count {
      counts += repeatElement(0, count: paths.count - counts.count)
      stamps += repeatElement(0, count: paths.count - stamps.count)
    }
    if !hasMoreChanges { changes.append(~Int32(truncatingIfNeeded: number)) }
    for path in pending where stamps[Int(path)] != compared {
      stamps[Int(path)] = compared
      counts[Int(path)] += 1
      if !hasMoreChanges { changes.append(path) }
    }
    dropExcessChanges()
  }

  private mutating func dropExcessChanges() {
    guard hasMoreChanges || changes.count > Self.maximumChanges else { return }
    (hasMoreChanges, changes) = (true, [])
  }

  /// Returns the paths that change most often, equal counts ordered by the bytes of the path.
  ///
  /// - Parameter author: returns the name of a commit's author by the number of the commit; nil if it is
  ///   unknown.
  func top(_ limit: Int, author: (_ commit: Int) -> [UInt8]?) -> [Churn.File] {
    guard limit > 0 else { return [] }
    // Pruned regularly, so that a million files of equal count do not all need their path at once.
    let capacity = max((Count(nearest: limit) * 2).value, 1024)
    var best: [(count: Int32, path: [UInt8], number: Int)] = []
    var worst: Int32 = 0
    func cut() {
      best.sort {
        $0.count != $1.count ? $0.count > $1.count : $0.path.lexicographicallyPrecedes($1.path)
      }
      if best.count > limit { best.removeLast(best.count - limit) }
      if best.count == limit { worst = best.last?.count ?? 0 }
    }
    for (number, count) in counts.enumerated() where count > 0 && count >= worst {
      best.append((count, paths.path(number), number))
      if best.count >= capacity { cut() }
    }
    cut()
    return zip(best, authors(of: best.map(\.number), author)).map { file, author in
      Churn.File(
        path: String(decoding: file.path, as: UTF8.self), commits: Int(file.count), author: author)
    }
  }

  /// Returns who made most of the commits that changed each path, of equal counts the first name in byte
  /// order.
  private func authors(of numbers: [Int], _ author: (_ commit: Int) -> [UInt8]?) -> [Churn.Author?] {
    var places = [Int32](repeating: -1, count: paths.count)
    for (place, number) in numbers.enumerated() { places[number] = Int32(truncatingIfNeeded: place) }
    var commits = [[[UInt8]: Int]](repeating: [:], count: numbers.count)
    var commit: (number: Int, name: [UInt8]?)?
    var next = 0
    for change in changes {
      guard change >= 0 else {
        next = Int(~change)
        continue
      }
      let place = Int(places[Int(change)])
      guard place >= 0 else { continue }
      if commit?.number != next { commit = (next, author(next)) }
      if let name = commit?.name, !name.isEmpty { commits[place][name, default: 0] += 1 }
    }
    return commits.map { names in
      let most = names.max { left, right in
        left.value != right.value
          ? left.value < right.value : right.key.lexicographicallyPrecedes(left.key)
      }
      return most.map { Churn.Author(name: String(decoding: $0.key, as: UTF8.self), commits: $0.value) }
    }
  }
}

extension CommitGraph {
  /// Counts how often the newest commits changed each file, like
  /// `git log --no-merges --name-only --no-renames --format= -1000`.
  ///
  /// Merges are omitted. A root commit, and one at the shallow boundary, changes all its files. Changes of
  /// type and mode count, and those of submodules. Authors are those of `--format=%aN`.
  ///
  /// - Parameter limit: the most commits; `.max` for all, which takes 35 times as long as 1,000 on a long
  ///   history.
  /// - Throws: `missingObject` and `corrupt` for the tip (others, and trees, are only counted), `tooLarge`,
  ///   `cancelled`.
  package mutating func churn(
    commits limit: Int = 1000, files: Int = 20, limits: DifferenceLimits = .standard,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> Churn {
    var walk = try LogWalk(&self)
    var churn = Churn()
    var found: [(old: ObjectID?, new: ObjectID)] = []
    while churn.commits < limit, let step = try walk.next(&self) {
      if isCancelled() { throw .cancelled }
      let parents = parents(of: step.number)
      if parents.count > 1 { continue }
      churn.commits += 1
      if step.isCut {
        churn.unreadable += 1
      } else {
        found.append((parents.first.map { id(Int($0)) }, id(step.number)))
      }
    }
    churn.lost = walk.lost
    var counts = ChurnCounts(limits: limits)
    let difference = TreeDifference(in: repository, limits: limits)
    for (number, commit) in found.enumerated() {
      try counts.count(number, commit.old, commit.new, difference, isCancelled: isCancelled)
    }
    churn.unreadable += counts.unreadable
    let mailmap = repository.mailmap()
    churn.files = counts.top(files) { number in
      // It was read before, for its tree.
      guard let commit = try? repository.commit(found[number].new) else { return nil }
      return mailmap.resolve(name: commit.authorName, email: commit.authorEmail).name
    }
    return churn
  }
}
