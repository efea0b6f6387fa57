/// A commit-graph file as defined in gitformat-commit-graph (version 1, SHA-1).
///
/// What a walk relies on is validated in one pass when the file is opened. Other values may be wrong but
/// never lead out of bounds.
struct CommitGraphLayer: Sendable {
  private static let header = 8
  /// The size of a row in the table of chunks: an id and an offset.
  private static let tableRow = 12
  /// The size of a row of commit data: tree, two parents, generation and date.
  private static let rowSize = ObjectID.byteCount + 16
  private static let trailer = 20
  /// The value for no parent.
  private static let noParent: UInt32 = 0x7000_0000
  /// In the second parent: the other parents are in the list of edges. In an edge: it is the last one.
  private static let edgeFlag: UInt32 = 0x8000_0000
  /// The most chunks; git defines 8 kinds.
  private static let chunkLimit = 64

  private let file: MappedFile
  private let ids: SortedIDs
  /// The offsets of the commit data and of the edges of octopus merges.
  private let rows: Int
  private let edges: Int
  private let edgeCount: Int
  /// The number of commits in the layers below.
  let base: Int

  /// The number of commits in this layer.
  var count: Int { ids.count }

  /// Opens a layer; nil if its version is unknown or it is damaged.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - below: the names of the layers below, lowest first.
  ///   - base: the number of commits in them.
  init?(_ path: String, below: [ObjectID] = [], base: Int = 0) {
    guard let file = MappedFile(path) else { return nil }
    let bytes = file.bytes
    // "CGPH", version 1, hash version 1 (SHA-1), number of chunks, number of layers below.
    guard bytes.count >= Self.header + Self.tableRow + Self.trailer, bytes.bigEndian32(0) == 0x4347_5048,
      bytes[4] == 1, bytes[5] == 1, bytes[6] <= Self.chunkLimit, Int(bytes[7]) == below.count,
      let chunks = Self.chunks(bytes, Int(bytes[6]))
    else { return nil }
    guard let fanout = chunks["OIDF"], fanout.count == SortedIDs.fanoutBytes, let oids = chunks["OIDL"],
      let data = chunks["CDAT"],
      let ids = SortedIDs(bytes, fanout: fanout.lowerBound, ids: oids.lowerBound),
      oids.count == ids.count * ObjectID.byteCount, data.count == ids.count * Self.rowSize
    else { return nil }
    let edges = chunks["EDGE"] ?? 0..<0
    guard base <= Int(Self.noParent) - ids.count else { return nil }
    if !below.isEmpty {
      guard let names = chunks["BASE"], names.count == below.count * ObjectID.byteCount else { return nil }
      for (index, name) in below.enumerated()
      where bytes.id(at: names.lowerBound + index * ObjectID.byteCount) != name { return nil }
    }
    self.file = file
    self.ids = ids
    self.base = base
    rows = data.lowerBound
    self.edges = edges.lowerBound
    edgeCount = edges.count / 4
    guard areSorted, areParentsInRange else { return nil }
  }

  /// Returns the ranges of the chunks by id; nil if they overlap, are truncated or not unique.
  private static func chunks(_ bytes: CheckedBytes, _ count: Int) -> [String: Range<Int>]? {
    let tableEnd = header + (count + 1) * tableRow
    let end = bytes.count - trailer
    guard tableEnd <= end else { return nil }
    var chunks: [String: Range<Int>] = [:]
    var start = 0
    for index in 0...count {
      let row = header + index * tableRow
      guard let offset = Int(exactly: bytes.bigEndian64(row + 4)), offset >= max(start, tableEnd),
        offset <= end
      else { return nil }
      if index > 0 {
        let name = String(decoding: bytes[(row - tableRow)..<(row - tableRow + 4)], as: UTF8.self)
        guard chunks.updateValue(start..<offset, forKey: name) == nil else { return nil }
      }
      start = offset
    }
    // The last row has no id.
    return bytes.bigEndian32(header + count * tableRow) == 0 ? chunks : nil
  }

  /// Whether the ids ascend, by their first eight bytes alone, and agree with the fan-out table.
  private var areSorted: Bool {
    let bytes = file.bytes
    var last: UInt64 = 0
    for index in 0..<count {
      let word = ids.id(index, in: bytes).word0.bigEndian
      guard index == 0 || word > last, ids.isInBucket(index, in: bytes) else { return false }
      last = word
    }
    return true
  }

  /// Whether each parent is a commit of this layer or one below, and no edge is used twice.
  private var areParentsInRange: Bool {
    let bytes = file.bytes
    let end = UInt32(base + count)
    var used = 0
    for index in 0..<count {
      let row = rows + index * Self.rowSize + ObjectID.byteCount
      let (first, second) = (bytes.bigEndian32(row), bytes.bigEndian32(row + 4))
      guard first < end || first == Self.noParent && second == Self.noParent else { return false }
      if second == Self.noParent { continue }
      guard second & Self.edgeFlag != 0 else {
        guard second < end else { return false }
        continue
      }
      var edge = Int(second & ~Self.edgeFlag)
      var parents = 1
      while true {
        used += 1
        parents += 1
        guard edge < edgeCount, used <= edgeCount, parents <= CommitScan.parentLimit else { return false }
        let value = bytes.bigEndian32(edges + 4 * edge)
        guard value & ~Self.edgeFlag < end else { return false }
        if value & Self.edgeFlag != 0 { break }
        edge += 1
      }
    }
    return true
  }

  /// Returns the index of a commit in this layer; nil if it is not there.
  func index(of id: ObjectID) -> Int? { ids.index(of: id, in: file.bytes) }

  /// Returns the id at an index.
  @inline(__always)
  func id(_ index: Int) -> ObjectID { ids.id(index, in: file.bytes) }

  /// Returns the committer date at an index in seconds since 1970: its lower 34 bits.
  @inline(__always)
  func committedAt(_ index: Int) -> Int64 {
    let row = rows + index * Self.rowSize + ObjectID.byteCount + 8
    return Int64(truncatingIfNeeded: file.bytes.bigEndian64(row) & 0x3_FFFF_FFFF)
  }

  /// Calls `body` with the position of each parent of the commit at an index, in order; all are validated.
  @inline(__always)
  func forEachParent(_ index: Int, _ body: (Int) -> Void) {
    let bytes = file.bytes
    let row = rows + index * Self.rowSize + ObjectID.byteCount
    let (first, second) = (bytes.bigEndian32(row), bytes.bigEndian32(row + 4))
    if first == Self.noParent { return }
    body(Int(first))
    if second == Self.noParent { return }
    guard second & Self.edgeFlag != 0 else {
      body(Int(second))
      return
    }
    var edge = Int(second & ~Self.edgeFlag)
    while true {
      let value = bytes.bigEndian32(edges + 4 * edge)
      body(Int(value & ~Self.edgeFlag))
      if value & Self.edgeFlag != 0 { return }
      edge += 1
    }
  }
}
