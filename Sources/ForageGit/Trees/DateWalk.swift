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

  /// Starts at a commit.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(from tip: ObjectID, in repository: GitRepository) throws(GitError) {
    self.repository = repository
    shallow = repository.shallow
    _ = try add(tip)
  }

  /// The number of known commits.
  var count: Int { records.count }

  /// Returns the tree of a known commit.
  func tree(_ number: Int) -> ObjectID { records[number].tree }

  /// Returns the id of a known commit.
  func id(_ number: Int) -> ObjectID { table.ids[number] }

  /// Returns the next commit; nil at the end.
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

  /// Returns the number of a commit; reads and queues it if it is new.
  private mutating func add(_ id: ObjectID) throws(GitError) -> Int {
    let (number, isNew) = table.insert(id)
    guard isNew else { return Int(number) }
    guard records.count < Self.commitLimit, parents.count < Self.parentLimit else {
      throw GitError(.tooLarge, "the history has too many commits")
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
    let object = try LoadedObject(id, in: repository)
    guard object.kind == .commit else { throw .corruptObject(id, "it is not a commit") }
    let outline = object.withBytes { CommitOutline($0, &parents) }
    guard let outline else { throw .corruptObject(id, "it is not a valid commit, or has too many parents") }
    return outline
  }
}

/// The parts of a commit that a walk by date needs.
struct CommitOutline {
  /// The most parents; the largest known merge has 66.
  private static let parentLimit = 65_536

  let tree: ObjectID
  /// The committer date in seconds since 1970, as git parses it: a negative number becomes a very large one.
  let date: UInt64

  /// Parses a commit and appends its parents; nil if the header is invalid or has too many parents.
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

  /// Returns the date in the committer line, which follows the author line; 0 if it is invalid.
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
      // Like `strtoumax`.
      guard !overflows, !isTooLarge else { return .max }
      value = sum
      position += 1
    }
    return isNegative ? 0 &- value : value
  }
}
