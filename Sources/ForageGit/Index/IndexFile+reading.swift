#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension IndexFile {
  /// Reads the index of a git folder; an empty one when there is no file.
  ///
  /// It is read and not mapped: a mapping ends the process when the file is cut meanwhile, and a copy of the
  /// largest known (some 100 MB) costs less than its entries.
  ///
  /// - Throws: `corrupt`, `unsupportedIndex`, `tooLarge`, `permission`.
  init(gitDir: String) throws(GitError) {
    self.init()
    let path = gitDir + "/index"
    // The time first: what is written after it was taken counts as younger than the entries.
    guard let time = Self.modificationTime(path), let bytes = try FileAccess.read(path, limit: Self.sizeLimit)
    else {
      return
    }
    try self.init(bytes, gitDir: gitDir)
    modifiedAt = time
  }

  /// An index and its shared part together have at most this many bytes (1 GiB): offsets have 32 bits.
  private static let sizeLimit = 1 << 30

  /// Parses an index; `gitDir` is where a shared one is looked for.
  init(_ bytes: [UInt8], gitDir: String) throws(GitError) {
    self.init()
    let parser = try bytes.withUnsafeBufferPointer { (raw) throws(GitError) in
      try IndexParser(UnsafeRawBufferPointer(raw))
    }
    storage = bytes
    records = parser.records
    treeExtension = parser.treeExtension
    takePaths(of: parser, at: 0)
    if let link = parser.linkExtension { try merge(link, gitDir) }
    try arrange()
  }

  /// Adds the paths that were compressed; `start` is where the parsed bytes begin in `storage`.
  private mutating func takePaths(of parser: IndexParser, at start: Int) {
    guard parser.isCompressed else { return }
    let base = UInt32(truncatingIfNeeded: storage.count)
    storage += parser.expanded
    for index in records.indices { records[index].path += base }
  }

  /// Joins with the shared index that a split one refers to.
  private mutating func merge(_ link: Range<Int>, _ gitDir: String) throws(GitError) {
    guard link.count >= ObjectID.byteCount else {
      throw Self.corrupt("its link to a shared index is cut short")
    }
    let id = storage.withUnsafeBytes { ObjectID($0, at: link.lowerBound) }
    // An id of zeros says that there is no shared index.
    if id.word0 == 0, id.word1 == 0, id.word2 == 0 { return }
    let name = "sharedindex." + id.hex
    guard let bytes = try FileAccess.read(gitDir + "/" + name, limit: Self.sizeLimit) else {
      throw Self.corrupt("\(name) does not exist")
    }
    let shared = try bytes.withUnsafeBufferPointer { (buffer) throws(GitError) in
      let raw = UnsafeRawBufferPointer(buffer)
      guard raw.count >= ObjectID.byteCount, ObjectID(raw, at: raw.count - ObjectID.byteCount) == id else {
        throw Self.corrupt("\(name) is another one than expected")
      }
      return try IndexParser(raw)
    }
    let own = records
    records = shared.records
    let base = storage.count
    guard base + bytes.count + shared.expanded.count < Int(UInt32.max) else {
      throw GitError(.tooLarge, "the index and its shared index are too large together")
    }
    storage += bytes
    for index in records.indices {
      records[index].entry += UInt32(truncatingIfNeeded: base)
      if !shared.isCompressed { records[index].path += UInt32(truncatingIfNeeded: base) }
    }
    takePaths(of: shared, at: base)
    try overlay(own, try bitmaps(link))
  }

  private func bitmaps(_ link: Range<Int>) throws(GitError) -> (deleted: [Int], replaced: [Int]) {
    if link.count == ObjectID.byteCount { return ([], []) }
    let limit = records.count
    let result: ([Int], [Int])? = storage.withUnsafeBytes { raw in
      let rest = UnsafeRawBufferPointer(rebasing: raw[link]).dropFirst(ObjectID.byteCount)
      guard let deleted = EWAHBitmap(UnsafeRawBufferPointer(rebasing: rest), limit: limit) else { return nil }
      let last = rest.dropFirst(deleted.byteCount)
      guard let replaced = EWAHBitmap(UnsafeRawBufferPointer(rebasing: last), limit: limit),
        replaced.byteCount == last.count
      else { return nil }
      return (deleted.positions, replaced.positions)
    }
    guard let result else { throw Self.corrupt("its link to a shared index is damaged") }
    return result
  }

  /// Puts a split index's own entries over the shared ones.
  private mutating func overlay(
    _ own: [IndexRecord], _ bitmaps: (deleted: [Int], replaced: [Int])
  ) throws(GitError) {
    guard bitmaps.replaced.count <= own.count else { throw Self.corrupt("it replaces more than it has") }
    for (position, record) in zip(bitmaps.replaced, own) {
      guard record.pathLength == 0 else { throw Self.corrupt("a replaced entry has a name of its own") }
      records[position].entry = record.entry
    }
    var deleted = bitmaps.deleted[...]
    var kept: [IndexRecord] = []
    kept.reserveCapacity(records.count + own.count)
    for (position, record) in records.enumerated() {
      if deleted.first == position { deleted.removeFirst() } else { kept.append(record) }
    }
    let added = own.dropFirst(bitmaps.replaced.count)
    guard added.allSatisfy({ $0.pathLength > 0 }) else { throw Self.corrupt("a path is empty") }
    try insert(Array(added), into: kept)
  }

  /// Merges two sorted lists; of two entries with the same path and stage the added one holds.
  private mutating func insert(_ added: [IndexRecord], into kept: [IndexRecord]) throws(GitError) {
    var merged: [IndexRecord] = []
    merged.reserveCapacity(kept.count + added.count)
    storage.withUnsafeBytes { raw in
      func path(_ record: IndexRecord) -> UnsafeRawBufferPointer {
        let start = Int(record.path)
        return UnsafeRawBufferPointer(rebasing: raw[start..<(start + Int(record.pathLength))])
      }
      func stage(_ record: IndexRecord) -> UInt8 { raw[Int(record.entry) + IndexView.fieldBytes] >> 4 & 3 }
      var rest = kept[...]
      for record in added {
        while let first = rest.first {
          if Bytes.isLess(path(first), path(record)) {
            merged.append(first)
          } else if Bytes.areEqual(path(first), path(record)) {
            // A merged path replaces the sides of a conflict and the other way round.
            if stage(first) != 0, stage(record) != 0, stage(first) < stage(record) { merged.append(first) }
          } else {
            break
          }
          rest.removeFirst()
        }
        merged.append(record)
      }
      merged.append(contentsOf: rest)
    }
    records = merged
  }

  private static func modificationTime(_ path: String) -> (seconds: Int64, nanoseconds: Int64)? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    let time = info.modified
    return (Int64(time.tv_sec), Int64(time.tv_nsec))
  }
}

extension stat {
  /// When the content last changed.
  @inline(__always)
  var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// When content or attributes last changed.
  @inline(__always)
  var changed: timespec {
    #if canImport(Darwin)
      st_ctimespec
    #else
      st_ctim
    #endif
  }
}
