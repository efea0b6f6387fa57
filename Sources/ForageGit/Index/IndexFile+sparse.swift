extension IndexFile {
  /// The entries that stand for whole folders (sparse index).
  var sparseEntries: [Int] {
    withView { view in
      (0..<view.records.count).filter { view.mode($0) & IndexView.Mode.type == IndexView.Mode.directory }
    }
  }

  /// Replaces entries of whole folders by those of their files, which are outside the sparse checkout as
  /// well.
  mutating func expand(
    _ entries: [Int], in repository: GitRepository, isCancelled: () -> Bool
  ) throws(GitError) {
    var result: [IndexRecord] = []
    var start = 0
    for entry in entries {
      result.append(contentsOf: records[start..<entry])
      start = entry + 1
      let (id, prefix) = withView { view in (view.id(entry), [UInt8](view.path(entry))) }
      try append(files: id, prefix, &result, repository, isCancelled)
    }
    result.append(contentsOf: records[start...])
    records = result
    try arrange()
  }

  private mutating func append(
    files root: ObjectID, _ prefix: [UInt8], _ result: inout [IndexRecord], _ repository: GitRepository,
    _ isCancelled: () -> Bool
  ) throws(GitError) {
    let limits = ListingLimits.standard
    // A stack of pending items with the next one on top, so that paths come out in order.
    var pending: [(path: [UInt8], mode: UInt32, id: ObjectID)] = [(prefix, IndexView.Mode.directory, root)]
    var trees = 0
    while let (path, mode, id) = pending.popLast() {
      guard mode == IndexView.Mode.directory else {
        result.append(try synthesize(path, mode, id))
        continue
      }
      if isCancelled() { throw .cancelled }
      trees += 1
      try limits.check(files: result.count + pending.count, trees: trees, pathBytes: 0)
      guard path.count <= IndexParser.pathLimit else {
        throw GitError(.tooLarge, "a path of the index has more than \(IndexParser.pathLimit) bytes")
      }
      var items: [(path: [UInt8], mode: UInt32, id: ObjectID)] = []
      try repository.visitTree(id) { item in
        var full = path + item.name
        if item.mode == IndexView.Mode.directory { full.append(UInt8(ascii: "/")) }
        items.append((full, item.mode, item.id))
      }
      pending.append(contentsOf: items.reversed())
    }
  }

  /// Creates an entry without stat data for a file that is not in the work tree.
  private mutating func synthesize(
    _ path: [UInt8], _ mode: UInt32, _ id: ObjectID
  ) throws(GitError) -> IndexRecord {
    let entry = storage.count
    guard entry + path.count + 128 < Int(UInt32.max) else {
      throw GitError(.tooLarge, "the index would have more than 4 GiB")
    }
    storage.append(contentsOf: repeatElement(0, count: 24))
    withUnsafeBytes(of: mode.bigEndian) { storage.append(contentsOf: $0) }
    storage.append(contentsOf: repeatElement(0, count: 12))
    withUnsafeBytes(of: id) { storage.append(contentsOf: $0.prefix(ObjectID.byteCount)) }
    // The extended flags: skip-worktree.
    storage.append(contentsOf: [0x40, 0, 0x40, 0])
    let start = storage.count
    storage.append(contentsOf: path)
    storage.append(0)
    return IndexRecord(
      entry: UInt32(truncatingIfNeeded: entry), path: UInt32(truncatingIfNeeded: start),
      pathLength: UInt32(truncatingIfNeeded: path.count))
  }
}
