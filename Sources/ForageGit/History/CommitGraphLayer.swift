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
  private static let noParent: UInt32 = 0x7000_0000
  /// In the second parent: the other parents are in the list of edges. In an edge: it is the last one.
  private static let edgeFlag: UInt32 = 0x8000_0000
  /// The most chunks; git defines 8 kinds.
  private static let chunkLimit = 64

  /// The size of the fan-out table: for each first byte of an id the number of ids up to it, in four bytes.
  private static let fanoutBytes = 1024

  /// The whole file. It is read rather than mapped: reading takes less than validating it, and a mapping ends
  /// the process if the file is truncated meanwhile.
  private let file: [UInt8]
  /// The offsets of the fan-out table, the sorted ids, the commit data and the edges of octopus merges.
  private let fanout: Int
  private let ids: Int
  private let rows: Int
  private let edges: Int
  private let edgeCount: Int
  let count: Int
  /// The number of commits in the layers below.
  let base: Int

  /// Opens a layer; nil if its version is unknown or it is damaged.
  ///
  /// - Parameters:
  ///   - below: the names of the layers below, lowest first.
  ///   - base: the number of commits in them.
  init?(_ path: String, below: [ObjectID] = [], base: Int = 0) {
    guard let file = (try? FileAccess.read(path)) ?? nil,
      let chunks = file.withUnsafeBytes({ Self.chunks(CheckedBytes($0), below) }),
      let fanout = chunks["OIDF"], fanout.count == Self.fanoutBytes, let ids = chunks["OIDL"],
      let data = chunks["CDAT"]
    else { return nil }
    let edges = chunks["EDGE"] ?? 0..<0
    count = ids.count / ObjectID.byteCount
    guard ids.count == count * ObjectID.byteCount, data.count == count * Self.rowSize,
      count < Int32.max, base <= Int(Self.noParent) - count
    else { return nil }
    self.file = file
    self.fanout = fanout.lowerBound
    self.ids = ids.lowerBound
    self.base = base
    rows = data.lowerBound
    self.edges = edges.lowerBound
    edgeCount = edges.count / 4
    guard with({ areSorted($0) && areParentsInRange($0) }) else { return nil }
  }

  @inline(__always) private func with<Result>(_ body: (CheckedBytes) -> Result) -> Result {
    file.withUnsafeBytes { body(CheckedBytes($0)) }
  }

  /// Returns the ranges of the chunks by id; nil if the header is not that of such a file with these layers
  /// below, or chunks overlap, are truncated or not unique.
  private static func chunks(_ bytes: CheckedBytes, _ below: [ObjectID]) -> [String: Range<Int>]? {
    // "CGPH", version 1, hash version 1 (SHA-1), number of chunks, number of layers below.
    guard bytes.count >= header + tableRow + trailer, bytes.bigEndian32(0) == 0x4347_5048, bytes[4] == 1,
      bytes[5] == 1, bytes[6] <= chunkLimit, Int(bytes[7]) == below.count
    else { return nil }
    let count = Int(bytes[6])
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
    guard bytes.bigEndian32(header + count * tableRow) == 0 else { return nil }
    if below.isEmpty { return chunks }
    guard let names = chunks["BASE"], names.count == below.count * ObjectID.byteCount else { return nil }
    for (index, name) in below.enumerated()
    where bytes.id(at: names.lowerBound + index * ObjectID.byteCount) != name { return nil }
    return chunks
  }

  /// Returns the number of ids whose first byte is at most `byte`; 0 for -1.
  @inline(__always) private func bound(_ byte: Int, _ bytes: CheckedBytes) -> Int {
    byte < 0 ? 0 : Int(bytes.bigEndian32(fanout + 4 * byte))
  }

  @inline(__always) private func id(_ index: Int, _ bytes: CheckedBytes) -> ObjectID {
    bytes.id(at: ids + index * ObjectID.byteCount)
  }

  /// Whether the ids ascend, by their first eight bytes alone, and agree with the fan-out table, whose counts
  /// do not decrease.
  private func areSorted(_ bytes: CheckedBytes) -> Bool {
    guard bound(255, bytes) == count, (0..<256).allSatisfy({ bound($0 - 1, bytes) <= bound($0, bytes) })
    else { return false }
    var last: UInt64 = 0
    for index in 0..<count {
      let word = id(index, bytes).word0.bigEndian
      let first = Int(truncatingIfNeeded: word >> 56)
      guard index == 0 || word > last, index >= bound(first - 1, bytes), index < bound(first, bytes) else {
        return false
      }
      last = word
    }
    return true
  }

  /// Whether each parent is a commit of this layer or one below, and no edge is used twice.
  private func areParentsInRange(_ bytes: CheckedBytes) -> Bool {
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

  func index(of id: ObjectID) -> Int? {
    with { bytes in
      let first = Int(truncatingIfNeeded: id.word0.bigEndian >> 56)
      let end = bound(first, bytes)
      let index = (bound(first - 1, bytes)..<end).search { self.id($0, bytes) < id }
      return index < end && self.id(index, bytes) == id ? index : nil
    }
  }

  @inline(__always) func id(_ index: Int) -> ObjectID { with { id(index, $0) } }

  /// Returns the committer date at an index in seconds since 1970: its lower 34 bits.
  @inline(__always) func committedAt(_ index: Int) -> Int64 {
    let row = rows + index * Self.rowSize + ObjectID.byteCount + 8
    return Int64(truncatingIfNeeded: with { $0.bigEndian64(row) } & 0x3_FFFF_FFFF)
  }

  /// Calls `body` with the position of each parent of the commit at an index, in order; all are validated.
  @inline(__always) func forEachParent(_ index: Int, _ body: (Int) -> Void) {
    with { bytes in
      let row = rows + index * Self.rowSize + ObjectID.byteCount
      let (first, second) = (bytes.bigEndian32(row), bytes.bigEndian32(row + 4))
      if first == Self.noParent { return }
      body(Int(first))
      if second == Self.noParent { return }
      guard second & Self.edgeFlag != 0 else { return body(Int(second)) }
      var edge = Int(second & ~Self.edgeFlag)
      while true {
        let value = bytes.bigEndian32(edges + 4 * edge)
        body(Int(value & ~Self.edgeFlag))
        if value & Self.edgeFlag != 0 { return }
        edge += 1
      }
    }
  }
}
