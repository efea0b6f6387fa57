/// Reads objects from packs on one thread; of commits the header lines without the rest, where that is possible.
///
/// What is damaged, unusual or not in a pack is no error here: libgit2 then reads it, and has the last word.
final class PackReader {
  /// Tree, one parent, author and committer have about 250 bytes.
  private static let firstGoal = 288
  /// A header that is longer is read in steps of this size.
  private static let nextGoal = 256
  /// Headers that are longer than this (64 KiB: some thousand parents) are left to libgit2.
  private static let headerLimit = 1 << 16
  /// Objects are read whole, and deltas applied, up to this size (4 MiB).
  private static let wholeLimit = 4 << 20
  /// A delta begins with two sizes of up to nine bytes each.
  private static let deltaHeader = 18
  /// Git makes chains of at most 50 deltas unless told otherwise.
  private static let chainLimit = 256
  /// Memory is given back after this many bytes of packs (32 MiB): some hundredths of a second of work.
  private static let releaseStride = 32 << 20
  /// A read takes a page at least.
  private static let pageSize = 4096
  /// What the deltas of one object may come to (64 MiB); libgit2 remembers what large ones have in common.
  private static let chainBytes = 64 << 20

  /// Bytes of trees that are kept, because others may be deltas of them: with 8 MiB the changed trees of a thousand
  /// commits of a long history need little more unpacking than with 32, with 4 a quarter more.
  private static let keptBytes = 8 << 20

  /// Where an object is.
  private struct Place: Hashable {
    /// The pack's number in the store.
    var pack: Int
    var offset: Int
  }

  private let store: PackStore
  private var inflater = Inflater(capacity: headerLimit)
  private var trees = RecentCache<Place, ObjectBytes>(byteLimit: keptBytes)
  private var lastPack = 0
  /// Bytes of packs that were read since memory was given back.
  private var touched = 0

  init(_ store: PackStore) {
    self.store = store
  }

  /// Lends the beginning of a commit, which has all that a scan needs.
  ///
  /// - Returns: nil when the commit cannot be read here.
  @inline(__always)
  func withCommit<Value>(_ id: ObjectID, _ body: (UnsafeRawBufferPointer, CommitScan) -> Value) -> Value? {
    guard let (place, record) = find(id) else { return nil }
    let pack = store.packs[place.pack]
    guard record.kind == .commit else {
      guard let (kind, object) = object(record, at: place), kind == .commit else { return nil }
      return object.withBytes { bytes in CommitScan(bytes).map { body(bytes, $0) } }
    }
    guard inflater.start(UnsafeRawBufferPointer(rebasing: pack.pack.bytes[record.start...])) else {
      return nil
    }
    // One byte more shows whether there is more than is claimed.
    var goal = min(Self.firstGoal, record.size + 1)
    while true {
      let status = inflater.run(until: goal)
      let bytes = inflater.bytes
      let isWhole = status == .finished
      guard status != .failed, bytes.count <= record.size, !isWhole || bytes.count == record.size,
        let scan = CommitScan(bytes, isWhole: isWhole)
      else { return nil }
      if scan.isComplete { return body(bytes, scan) }
      guard !isWhole, bytes.count < Self.headerLimit else { return nil }
      goal = min(bytes.count + Self.nextGoal, record.size + 1)
    }
  }

  /// A whole object; nil when it cannot be read here, or has more than 4 MiB.
  func object(_ id: ObjectID) -> (kind: ObjectKind, bytes: ObjectBytes)? {
    find(id).flatMap { place, record in object(record, at: place) }
  }

  /// An object's kind and size in bytes; nil when they cannot be told here.
  func header(of id: ObjectID) -> (kind: ObjectKind, size: Int)? {
    guard let (place, record) = find(id) else { return nil }
    let pack = store.packs[place.pack]
    if let kind = ObjectKind(record.kind) { return (kind, record.size) }
    guard let kind = chain(from: record, pack).last.flatMap({ ObjectKind($0.kind) }),
      inflater.start(UnsafeRawBufferPointer(rebasing: pack.pack.bytes[record.start...])),
      inflater.run(until: min(Self.deltaHeader, record.size)) != .failed,
      let delta = PackDelta(inflater.bytes)
    else { return nil }
    return (kind, delta.resultSize)
  }

  /// Whether an object is in one of the packs.
  func contains(_ id: ObjectID) -> Bool { locate(id) != nil }

  /// An object's record.
  @inline(__always)
  private func find(_ id: ObjectID) -> (place: Place, record: PackFile.Record)? {
    guard let place = locate(id), let record = store.packs[place.pack].record(at: place.offset) else {
      return nil
    }
    touched += max(Self.pageSize, min(record.size, Self.wholeLimit))
    if touched >= Self.releaseStride {
      touched = 0
      store.releasePages()
    }
    return (place, record)
  }

  /// Where an object is; asks the pack first where the last one was.
  @inline(__always)
  private func locate(_ id: ObjectID) -> Place? {
    let packs = store.packs
    if lastPack < packs.count, let offset = packs[lastPack].offset(of: id) {
      return Place(pack: lastPack, offset: offset)
    }
    for number in packs.indices where number != lastPack {
      if let offset = packs[number].offset(of: id) {
        lastPack = number
        return Place(pack: number, offset: offset)
      }
    }
    return nil
  }

  /// The object of a record, made from a tree that is known where it is a delta of one; nil when it is damaged.
  private func object(_ record: PackFile.Record, at place: Place) -> (kind: ObjectKind, bytes: ObjectBytes)? {
    if let known = trees[place] { return (.tree, known) }
    let pack = store.packs[place.pack]
    var chain = [(record: record, place: place)]
    var made: (kind: ObjectKind, bytes: ObjectBytes)?
    while made == nil, let (last, at) = chain.last {
      if let kind = ObjectKind(last.kind) {
        guard last.size <= Self.wholeLimit,
          let bytes = inflater.unpack(
            UnsafeRawBufferPointer(rebasing: pack.pack.bytes[last.start...]), size: last.size)
        else { return nil }
        chain.removeLast()
        made = keep(kind, bytes, at)
      } else {
        let base = Place(pack: at.pack, offset: last.base)
        if let known = trees[base] {
          made = (.tree, known)
        } else {
          guard chain.count < Self.chainLimit, let next = pack.record(at: last.base) else { return nil }
          chain.append((next, base))
        }
      }
    }
    guard var (kind, bytes) = made else { return nil }
    var restored = 0
    while let (record, at) = chain.popLast() {
      restored += bytes.bytes.count
      guard restored <= Self.chainBytes, unpack(record, pack), let delta = PackDelta(inflater.bytes),
        let next = bytes.withBytes({ delta.apply(to: $0, limit: Self.wholeLimit) })
      else { return nil }
      (kind, bytes) = keep(kind, next, at)
    }
    return (kind, bytes)
  }

  /// Keeps what was read, if it is a tree.
  private func keep(_ kind: ObjectKind, _ bytes: ObjectBytes, _ place: Place) -> (ObjectKind, ObjectBytes) {
    if kind == .tree { trees.insert(bytes, for: place, bytes: bytes.bytes.count) }
    return (kind, bytes)
  }

  /// A delta, what it is against, and so on; empty when that does not end in an object.
  private func chain(from record: PackFile.Record, _ pack: PackFile) -> [PackFile.Record] {
    var chain = [record]
    while let last = chain.last, last.kind == .offsetDelta || last.kind == .idDelta {
      guard chain.count < Self.chainLimit, let base = pack.record(at: last.base) else { return [] }
      chain.append(base)
    }
    return chain
  }

  /// Unpacks a whole delta, which is neither longer nor shorter than it claims.
  private func unpack(_ record: PackFile.Record, _ pack: PackFile) -> Bool {
    guard record.size <= Self.wholeLimit else { return false }
    if record.size >= inflater.capacity { inflater = Inflater(capacity: Self.wholeLimit + 1) }
    return inflater.start(UnsafeRawBufferPointer(rebasing: pack.pack.bytes[record.start...]))
      && inflater.run(until: record.size + 1) == .finished && inflater.bytes.count == record.size
  }
}
