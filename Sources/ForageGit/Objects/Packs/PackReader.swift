/// Reads objects from packs on one thread; of a commit only the header, if possible.
///
/// An object that is damaged, unusual or in no pack is not an error here: libgit2 reads it then, and its
/// error is reported.
final class PackReader {
  /// The bytes that are decompressed first; tree, one parent, author and committer have about 250.
  private static let firstGoal = 288
  /// The step in bytes for longer headers.
  private static let nextGoal = 256
  /// The size limit of a header (64 KiB: some thousand parents); libgit2 reads larger ones.
  private static let headerLimit = 1 << 16
  /// The size limit of whole objects and deltas (4 MiB).
  private static let wholeLimit = 4 << 20
  /// The size limit of the two sizes at the beginning of a delta, nine bytes each.
  private static let deltaHeader = 18
  /// The longest delta chain that is followed; git makes at most 50 by default.
  private static let chainLimit = 256
  /// The bytes of packs after which pages are released (32 MiB); takes some hundredths of a second to read.
  private static let releaseStride = 32 << 20
  /// The smallest unit of reading.
  private static let pageSize = 4096
  /// The most bytes that the deltas of one object may produce (64 MiB); libgit2 caches the bases of large
  /// ones.
  private static let chainBytes = 64 << 20

  /// The bytes of trees that are cached as bases of deltas. With 8 MiB the changed trees of a thousand
  /// commits of a long history need little more decompression than with 32 MiB; with 4 MiB they need a
  /// quarter more.
  private static let cacheBytes = 8 << 20

  /// The location of an object.
  private struct Place: Hashable {
    /// The index of the pack in the store.
    var pack: Int
    var offset: Int
  }

  private let store: PackStore
  private var inflater = Inflater(capacity: headerLimit)
  private var trees = RecentCache<Place, ObjectBytes>(byteLimit: cacheBytes)
  private var lastPack = 0
  /// The bytes of packs that were read since pages were released.
  private var touched = 0

  init(_ store: PackStore) {
    self.store = store
  }

  /// Calls `body` with the beginning of a commit, which has all that a scan needs.
  ///
  /// - Returns: nil if the commit cannot be read here.
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
    // The extra byte detects content that is too long.
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

  /// Returns a whole object; nil if it cannot be read here or has more than 4 MiB.
  func object(_ id: ObjectID) -> (kind: ObjectKind, bytes: ObjectBytes)? {
    find(id).flatMap { place, record in object(record, at: place) }
  }

  /// Returns the type and size of an object in bytes; nil if it cannot be read here.
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

  /// Finds the record of an object.
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

  /// Finds an object, in the pack of the previous one first.
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

  /// Reads the object of a record, with cached trees as bases of deltas; nil if it is damaged.
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

  /// Caches an object if it is a tree.
  private func keep(_ kind: ObjectKind, _ bytes: ObjectBytes, _ place: Place) -> (ObjectKind, ObjectBytes) {
    if kind == .tree { trees.insert(bytes, for: place, bytes: bytes.bytes.count) }
    return (kind, bytes)
  }

  /// Returns a delta and its chain of bases; empty if the chain does not end in an object.
  private func chain(from record: PackFile.Record, _ pack: PackFile) -> [PackFile.Record] {
    var chain = [record]
    while let last = chain.last, last.kind == .offsetDelta || last.kind == .idDelta {
      guard chain.count < Self.chainLimit, let base = pack.record(at: last.base) else { return [] }
      chain.append(base)
    }
    return chain
  }

  /// Decompresses a whole delta, whose size must be exact.
  private func unpack(_ record: PackFile.Record, _ pack: PackFile) -> Bool {
    guard record.size <= Self.wholeLimit else { return false }
    if record.size >= inflater.capacity { inflater = Inflater(capacity: Self.wholeLimit + 1) }
    return inflater.start(UnsafeRawBufferPointer(rebasing: pack.pack.bytes[record.start...]))
      && inflater.run(until: record.size + 1) == .finished && inflater.bytes.count == record.size
  }
}
