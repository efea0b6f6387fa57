extension IndexFile {
  /// Reads the index of a git directory; an empty one if there is no file.
  ///
  /// The file is read instead of mapped: access to a mapping crashes the process if the file is truncated
  /// meanwhile, and copying the largest known index (some 100 MB) costs less than parsing its entries.
  init(gitDir: String) throws(GitError) {
    self.init()
    let path = gitDir + "/index"
    // The time is read first, so that a later write makes the entries count as racy.
    guard let entry = FileAccess.entry(path) else { return }
    guard let bytes = try FileAccess.read(path, limit: Self.sizeLimit) else {
      throw GitError(
        .corrupt, "\(path) is not a file", hint: "remove it, and run `git reset` in the repository")
    }
    try self.init(bytes, gitDir: gitDir)
    modifiedAt = (entry.modifiedAt, entry.modifiedNanoseconds)
  }

  /// The size limit of an index with its shared index (1 GiB), because offsets have 32 bits.
  private static let sizeLimit = 1 << 30

  /// Parses an index; a shared index is looked up in `gitDir`.
  init(_ bytes: [UInt8], gitDir: String) throws(GitError) {
    self.init()
    let parser = try bytes.withUnsafeBufferPointer { (raw) throws(GitError) in
      try IndexParser(CheckedBytes(UnsafeRawBufferPointer(raw)))
    }
    storage = bytes
    records = parser.records
    treeExtension = parser.treeExtension
    appendPaths(of: parser)
    if let link = parser.linkExtension { try merge(link, gitDir) }
    try arrange()
  }

  /// Adds the paths that were compressed.
  private mutating func appendPaths(of parser: IndexParser) {
    guard parser.isCompressed else { return }
    let base = UInt32(truncatingIfNeeded: storage.count)
    storage += parser.expanded
    for index in records.indices { records[index].path += base }
  }

  private mutating func merge(_ link: Range<Int>, _ gitDir: String) throws(GitError) {
    guard link.count >= ObjectID.byteCount else {
      throw Self.corrupt("its link to a shared index is truncated")
    }
    let id = storage.withUnsafeBytes { CheckedBytes($0).id(at: link.lowerBound) }
    // A null id means that there is no shared index.
    if id.word0 == 0, id.word1 == 0, id.word2 == 0 { return }
    let name = "sharedindex." + id.hex
    guard let bytes = try FileAccess.read(gitDir + "/" + name, limit: Self.sizeLimit) else {
      throw Self.corrupt("\(name) does not exist")
    }
    let shared = try bytes.withUnsafeBufferPointer { (buffer) throws(GitError) in
      let raw = CheckedBytes(UnsafeRawBufferPointer(buffer))
      guard raw.count >= ObjectID.byteCount, raw.id(at: raw.count - ObjectID.byteCount) == id else {
        throw Self.corrupt("\(name) has an unexpected checksum")
      }
      return try IndexParser(raw)
    }
    let own = records
    records = shared.records
    let base = storage.count
    guard base + bytes.count + shared.expanded.count < Int(UInt32.max) else {
      throw GitError(.tooLarge, "the index and its shared index together are too large")
    }
    storage += bytes
    for index in records.indices {
      records[index].entry += UInt32(truncatingIfNeeded: base)
      if !shared.isCompressed { records[index].path += UInt32(truncatingIfNeeded: base) }
    }
    appendPaths(of: shared)
    try overlay(own, try bitmaps(link))
  }

  private func bitmaps(_ link: Range<Int>) throws(GitError) -> (deleted: [Int], replaced: [Int]) {
    if link.count == ObjectID.byteCount { return ([], []) }
    let limit = records.count
    let result: ([Int], [Int])? = storage.withUnsafeBytes { raw in
      let bytes = CheckedBytes(raw)
      let start = link.lowerBound + ObjectID.byteCount
      guard let deleted = EWAHBitmap(CheckedBytes(bytes[start..<link.upperBound]), limit: limit) else {
        return nil
      }
      let last = CheckedBytes(bytes[(start + deleted.byteCount)..<link.upperBound])
      guard let replaced = EWAHBitmap(last, limit: limit), replaced.byteCount == last.count
      else { return nil }
      return (deleted.positions, replaced.positions)
    }
    guard let result else { throw Self.corrupt("its link to a shared index is damaged") }
    return result
  }

  private mutating func overlay(
    _ own: [IndexRecord], _ bitmaps: (deleted: [Int], replaced: [Int])
  ) throws(GitError) {
    guard bitmaps.replaced.count <= own.count else {
      throw Self.corrupt("it replaces more entries than it has")
    }
    for (position, record) in zip(bitmaps.replaced, own) {
      guard record.pathLength == 0 else { throw Self.corrupt("a replaced entry has a name") }
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

  /// Merges two sorted lists; of two entries with the same path and stage the added one wins.
  private mutating func insert(_ added: [IndexRecord], into kept: [IndexRecord]) throws(GitError) {
    var merged: [IndexRecord] = []
    merged.reserveCapacity(kept.count + added.count)
    storage.withUnsafeBytes { buffer in
      let raw = CheckedBytes(buffer)
      func path(_ record: IndexRecord) -> UnsafeRawBufferPointer {
        let start = Int(record.path)
        return raw[start..<(start + Int(record.pathLength))]
      }
      func stage(_ record: IndexRecord) -> UInt8 { raw[Int(record.entry) + IndexView.fieldBytes] >> 4 & 3 }
      var rest = kept[...]
      for record in added {
        while let first = rest.first {
          if Bytes.isLess(path(first), path(record)) {
            merged.append(first)
          } else if Bytes.areEqual(path(first), path(record)) {
            // A merged path replaces all stages of a conflict, and vice versa.
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
}
