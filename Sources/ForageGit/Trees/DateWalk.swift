/// Commits in the order of `git log`: of those that are known, the newest committer time first; of equal times
/// the one that became known first (`commit_list_insert_by_date` of git's commit.c).
struct DateWalk {
  /// Commits are numbered by 32 bits; the largest known history has some 10 million.
  static let commitLimit = Int(Int32.max) / 2
  /// All parents together (640 MB of ids): three times what the largest known history has.
  static let parentLimit = 32 << 20

  /// A commit, when its turn comes.
  struct Step {
    /// Its dense number, in the order in which commits became known.
    let number: Int
    /// The first parent's number; nil for a root, and where a shallow clone ends.
    let parent: Int?
    let isMerge: Bool
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

  /// Begins at a commit.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(from tip: ObjectID, in repository: GitRepository) throws(GitError) {
    self.repository = repository
    shallow = repository.shallow
    _ = try add(tip)
  }

  /// How many commits are known.
  var count: Int { records.count }

  /// The tree of a known commit.
  func tree(_ number: Int) -> ObjectID { records[number].tree }

  /// The id of a known commit.
  func id(_ number: Int) -> ObjectID { table.ids[number] }

  /// The next commit; nil after the last.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`.
  mutating func next() throws(GitError) -> Step? {
    guard let number = queue.pop() else { return nil }
    let record = records[number]
    var first: Int?
    for index in 0..<Int(record.parentCount) {
      let parent = try add(parents[Int(record.parentStart) + index])
      if index == 0 { first = parent }
    }
    return Step(number: number, parent: first, isMerge: record.parentCount > 1)
  }

  /// The number of a commit, which is read and queued when it is new.
  private mutating func add(_ id: ObjectID) throws(GitError) -> Int {
    let (number, isNew) = table.insert(id)
    guard isNew else { return Int(number) }
    guard records.count < Self.commitLimit, parents.count < Self.parentLimit else {
      throw GitError(.tooLarge, "the history has more commits than can be walked")
    }
    let start = parents.count
    let outline = try outline(id)
    if !shallow.isEmpty, shallow.contains(id) { parents.removeLast(parents.count - start) }
    records.append(
      Record(
        tree: outline.tree, parentStart: Int32(truncatingIfNeeded: start),
        parentCount: Int32(truncatingIfNeeded: parents.count - start)))
    queue.push(Int(number), date: outline.date)
    return Int(number)
  }

  /// Reads a commit and appends its parents.
  private mutating func outline(_ id: ObjectID) throws(GitError) -> CommitOutline {
    let start = parents.count
    // Of a packed commit only the beginning is unpacked, which may end before the committer's time where the author is
    // damaged.
    if let found = repository.objects.withCommit(id, { CommitOutline($0, &parents) }), let found,
      found.date != 0
    {
      return found
    }
    parents.removeLast(parents.count - start)
    let object = try LoadedObject(id, in: repository)
    guard object.kind == .commit else { throw .corruptObject(id, "it is not a commit") }
    let outline = object.withBytes { CommitOutline($0, &parents) }
    guard let outline else { throw .corruptObject(id, "it is not a valid commit, or has too many parents") }
    return outline
  }
}

/// What a walk by date takes from a commit's bytes.
struct CommitOutline {
  /// More parents are refused: the largest known merge has 66.
  private static let parentLimit = 65_536

  let tree: ObjectID
  /// Seconds since 1970 of the committer, read as git reads them: a negative number is a very large one.
  let date: UInt64

  /// Scans a commit and appends its parents; nil when the header is damaged or has too many of them.
  init?(_ bytes: UnsafeRawBufferPointer, _ parents: inout [ObjectID]) {
    let treeLine = 5 + ObjectID.hexCount + 1
    let parentLine = 7 + ObjectID.hexCount + 1
    guard bytes.count >= treeLine, bytes[0] == UInt8(ascii: "t"), bytes[4] == UInt8(ascii: " "),
      bytes[treeLine - 1] == UInt8(ascii: "\n"), let tree = ObjectID(hex: bytes, at: 5)
    else { return nil }
    self.tree = tree
    var position = treeLine
    var count = 0
    while bytes.count - position >= parentLine, bytes[position] == UInt8(ascii: "p"),
      bytes[position + 6] == UInt8(ascii: " ")
    {
      count += 1
      guard count <= Self.parentLimit, bytes[position + parentLine - 1] == UInt8(ascii: "\n"),
        let parent = ObjectID(hex: bytes, at: position + 7)
      else { return nil }
      parents.append(parent)
      position += parentLine
    }
    date = Self.date(bytes, position)
  }

  /// The time in the committer's line, which follows the author's; 0 when it is damaged.
  private static func date(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
    let lineEnd = UInt8(ascii: "\n")
    guard let author = bytes[start...].firstIndex(of: lineEnd), bytes.count - author > 10,
      bytes[start] == UInt8(ascii: "a"), bytes[author + 1] == UInt8(ascii: "c"),
      let end = bytes[(author + 1)...].firstIndex(of: lineEnd)
    else { return 0 }
    var position = end
    while position > author, bytes[position] != UInt8(ascii: ">") { position -= 1 }
    guard position > author else { return 0 }
    position += 1
    while position < end, isSpace(bytes[position]) { position += 1 }
    let isNegative = position < end && bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var value: UInt64 = 0
    while position < end, isDigit(bytes[position]) {
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = product.addingReportingOverflow(UInt64(bytes[position] &- 0x30))
      // As `strtoumax` does it.
      guard !overflows, !isTooLarge else { return .max }
      value = sum
      position += 1
    }
    return isNegative ? 0 &- value : value
  }
}
