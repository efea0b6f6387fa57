/// A walk in the order of `git log`: of the known commits the newest by committer date, equal dates in order
/// of discovery (git's `commit_list_insert_by_date`).
struct DateWalk {
  /// The most commits, which are numbered by 32 bits; the largest known history has some 10 million.
  static let commitLimit = Int(Int32.max) / 2
  /// The most parents of all commits (640 MB of ids): three times those of the largest known history.
  static let parentLimit = 32 << 20

  /// The current commit of the walk.
  struct Step {
    /// Its number, in order of discovery.
    let number: Int
    /// The number of the first parent; nil for a root commit and at the shallow boundary.
    let parent: Int?
    let isMerge: Bool
    /// Whether the first parent is missing or damaged.
    let isCut: Bool
  }

  private struct Record {
    let tree: ObjectID
    let parentStart: Int32
    let parentCount: Int32
  }

  private let repository: GitRepository
  private let shallow: Set<ObjectID>
  private var table = IDTable()
  private var records: [Record] = []
  private var parents: [ObjectID] = []
  private var queue = DateQueue<UInt64>()
  /// The commits that are missing or damaged; the walk does not go behind them.
  private(set) var unread: Set<Int> = []

  /// Starts at a commit.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(from tip: ObjectID, in repository: GitRepository) throws(GitError) {
    self.repository = repository
    shallow = repository.shallow
    _ = try add(tip, isTip: true)
  }

  /// The number of known commits.
  var count: Int { records.count }

  /// Returns the tree of a known commit.
  func tree(_ number: Int) -> ObjectID { records[number].tree }

  /// Returns the id of a known commit.
  func id(_ number: Int) -> ObjectID { table.ids[number] }

  /// Returns the next commit; nil at the end.
  ///
  /// - Throws: `tooLarge`.
  mutating func next() throws(GitError) -> Step? {
    guard let number = queue.pop() else { return nil }
    let record = records[number]
    var first: Int?
    var isCut = false
    for index in 0..<Int(record.parentCount) {
      let parent = try add(parents[Int(record.parentStart) + index])
      if index == 0 { (first, isCut) = unread.contains(parent) ? (nil, true) : (parent, false) }
    }
    return Step(number: number, parent: first, isMerge: record.parentCount > 1, isCut: isCut)
  }

  /// Returns the number of a commit; reads and queues it if it is new.
  private mutating func add(_ id: ObjectID, isTip: Bool = false) throws(GitError) -> Int {
    let (number, isNew) = table.insert(id)
    guard isNew else { return Int(number) }
    guard records.count < Self.commitLimit, parents.count < Self.parentLimit else {
      throw GitError(.tooLarge, "the history has too many commits")
    }
    let start = parents.count
    let isShallow = !shallow.isEmpty && shallow.contains(id)
    var (tree, date): (ObjectID, UInt64) = (id, 0)
    do throws(GitError) {
      (tree, date) = try repository.withCommit(id) { bytes, scan in
        guard let tree = CommitScan.tree(bytes) else { return nil }
        for index in 0..<(isShallow ? 0 : scan.parentCount) {
          guard let parent = CommitScan.parent(index, bytes) else { return nil }
          parents.append(parent)
        }
        return (tree, scan.date)
      }
    } catch {
      guard error.isDamage, !isTip else { throw error }
      parents.removeLast(parents.count - start)
      unread.insert(Int(number))
    }
    records.append(
      Record(
        tree: tree, parentStart: Int32(truncatingIfNeeded: start),
        parentCount: Int32(truncatingIfNeeded: parents.count - start)))
    if !unread.contains(Int(number)) { queue.push(Int(number), date: date) }
    return Int(number)
  }
}
