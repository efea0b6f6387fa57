/// Reads commits from packs on one thread: their header lines without the rest, where that is possible.
///
/// What is damaged, unusual or not in a pack is no error here: libgit2 then reads it, and has the last word.
final class PackReader {
  /// Tree, one parent, author and committer have about 250 bytes.
  private static let firstGoal = 288
  /// A header that is longer is read in steps of this size.
  private static let nextGoal = 256
  /// Headers that are longer than this (64 KiB: some thousand parents) are left to libgit2.
  private static let headerLimit = 1 << 16
  /// Commits that are deltas, and their bases, are read whole up to this size (4 MiB).
  private static let deltaLimit = 4 << 20
  /// Git makes chains of at most 50 deltas unless told otherwise.
  private static let chainLimit = 256
  /// Memory is given back after this many commits: some megabytes, and some hundredths of a second of work.
  private static let releaseStride = 8192

  private let store: PackStore
  private var inflater = Inflater(capacity: headerLimit)
  private var deltas = DeltaBuffers()
  private var lastPack = 0
  private var reads = 0

  init(_ store: PackStore) {
    self.store = store
  }

  /// Lends the beginning of a commit, which has all that a scan needs.
  ///
  /// - Returns: nil when the commit cannot be read here.
  @inline(__always)
  func withCommit<Value>(_ id: ObjectID, _ body: (UnsafeRawBufferPointer, CommitScan) -> Value) -> Value? {
    guard let (number, offset) = locate(id) else { return nil }
    reads += 1
    if reads % Self.releaseStride == 0 { store.releasePages() }
    let pack = store.packs[number]
    guard let record = pack.record(at: offset) else { return nil }
    guard record.kind == .commit else {
      guard restore(record, pack) else { return nil }
      return deltas.result.withUnsafeBytes { bytes in CommitScan(bytes).map { body(bytes, $0) } }
    }
    guard inflater.start(UnsafeRawBufferPointer(rebasing: pack.pack.bytes[record.start...])) else {
      return nil
    }
    var goal = min(Self.firstGoal, record.size)
    while true {
      let status = inflater.run(until: goal)
      let bytes = inflater.bytes
      let isWhole = status == .finished || bytes.count >= record.size
      guard status != .failed, bytes.count <= record.size, !isWhole || bytes.count == record.size,
        let scan = CommitScan(bytes, isWhole: isWhole)
      else { return nil }
      if scan.isComplete { return body(bytes, scan) }
      guard !isWhole, bytes.count < Self.headerLimit else { return nil }
      goal = min(bytes.count + Self.nextGoal, record.size)
    }
  }

  /// Where an object is; asks the pack first where the last one was.
  @inline(__always)
  private func locate(_ id: ObjectID) -> (pack: Int, offset: Int)? {
    let packs = store.packs
    if lastPack < packs.count, let offset = packs[lastPack].offset(of: id) { return (lastPack, offset) }
    for number in packs.indices where number != lastPack {
      if let offset = packs[number].offset(of: id) {
        lastPack = number
        return (number, offset)
      }
    }
    return nil
  }

  /// Restores a commit that is stored as a delta; false when it is none or damaged.
  private func restore(_ record: PackFile.Record, _ pack: PackFile) -> Bool {
    var chain = [record]
    while let last = chain.last, last.kind == .offsetDelta || last.kind == .idDelta {
      guard chain.count < Self.chainLimit, let base = pack.record(at: last.base) else { return false }
      chain.append(base)
    }
    guard let base = chain.popLast(), base.kind == .commit, unpack(base, pack) else { return false }
    deltas.begin(inflater.bytes)
    while let delta = chain.popLast() {
      guard unpack(delta, pack), deltas.apply(inflater.bytes, limit: Self.deltaLimit) else { return false }
    }
    return true
  }

  /// Unpacks a whole record.
  private func unpack(_ record: PackFile.Record, _ pack: PackFile) -> Bool {
    guard record.size <= Self.deltaLimit else { return false }
    if record.size > inflater.capacity { inflater = Inflater(capacity: Self.deltaLimit) }
    return inflater.start(UnsafeRawBufferPointer(rebasing: pack.pack.bytes[record.start...]))
      && inflater.run(until: record.size) != .failed && inflater.bytes.count == record.size
  }
}

/// The two buffers between which deltas are applied.
struct DeltaBuffers {
  private var base: [UInt8] = []
  /// What came of the deltas so far.
  private(set) var result: [UInt8] = []

  /// Takes the object that the first delta is against.
  mutating func begin(_ bytes: UnsafeRawBufferPointer) {
    result.removeAll(keepingCapacity: true)
    result.append(contentsOf: bytes)
  }

  /// Applies a delta (gitformat-pack, "Deltified representation"); false when it does not fit.
  mutating func apply(_ delta: UnsafeRawBufferPointer, limit: Int) -> Bool {
    swap(&base, &result)
    var position = 0
    guard let baseSize = Self.size(delta, &position), let resultSize = Self.size(delta, &position),
      baseSize == base.count, resultSize <= limit
    else { return false }
    result.removeAll(keepingCapacity: true)
    result.reserveCapacity(resultSize)
    while position < delta.count {
      let command = delta[position]
      position += 1
      if command & 0x80 != 0 {
        var offset = 0
        var count = 0
        for index in 0..<4 where command & (1 << UInt8(index)) != 0 {
          guard position < delta.count else { return false }
          offset |= Int(delta[position]) << (8 * index)
          position += 1
        }
        for index in 0..<3 where command & (0x10 << UInt8(index)) != 0 {
          guard position < delta.count else { return false }
          count |= Int(delta[position]) << (8 * index)
          position += 1
        }
        if count == 0 { count = 0x10000 }
        guard offset <= base.count, count <= base.count - offset, count <= resultSize - result.count else {
          return false
        }
        result.append(contentsOf: base[offset..<(offset + count)])
      } else {
        let count = Int(command)
        guard count > 0, count <= delta.count - position, count <= resultSize - result.count else {
          return false
        }
        result.append(contentsOf: delta[position..<(position + count)])
        position += count
      }
    }
    return result.count == resultSize
  }

  private static func size(_ delta: UnsafeRawBufferPointer, _ position: inout Int) -> Int? {
    var value = 0
    var shift = 0
    while position < delta.count, shift <= 49 {
      let byte = delta[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    return nil
  }
}
