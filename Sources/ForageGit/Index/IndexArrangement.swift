/// One pass over the sorted entries that validates their order and paths and finds the folders.
struct IndexArrangement {
  private(set) var directories: [IndexDirectory] = []
  private(set) var conflictedPaths = 0

  /// The folders of the previous entry, the innermost last.
  private var open: [Int] = []

  mutating func run(_ view: IndexView) throws(GitError) {
    directories.reserveCapacity(view.records.count / 8 + 1)
    directories.append(IndexDirectory(first: 0, end: 0, subtreeEnd: 1, prefixLength: 0))
    open = [0]
    var before = UnsafeRawBufferPointer(start: nil, count: 0)
    var stageBefore = 0
    for entry in 0..<view.records.count {
      let path = view.path(entry)
      let stage = view.stage(entry)
      let shared = Bytes.sharedPrefix(before, path)
      if entry > 0 {
        let isSame = shared == path.count && shared == before.count
        let isSorted =
          isSame
          ? stageBefore > 0 && stage >= stageBefore
          : shared == before.count || shared < path.count && before[shared] < path[shared]
        guard isSorted else { throw IndexFile.corrupt("its entries are not in order") }
        if stage > 0, !isSame { conflictedPaths += 1 }
      } else if stage > 0 {
        conflictedPaths += 1
      }
      let mode = view.mode(entry)
      switch mode & IndexView.Mode.type {
      case IndexView.Mode.file, IndexView.Mode.symlink, IndexView.Mode.gitlink, IndexView.Mode.directory:
        break
      default: throw IndexFile.corrupt("an entry has the unknown mode \(String(mode, radix: 8))")
      }
      try enter(path, shared, Int32(truncatingIfNeeded: entry), mode & IndexView.Mode.type)
      before = path
      stageBefore = stage
    }
    close(downTo: 0, Int32(truncatingIfNeeded: view.records.count))
  }

  /// Leaves the folders that do not contain an entry, and enters those that do.
  @inline(__always) private mutating func enter(
    _ path: UnsafeRawBufferPointer, _ shared: Int, _ entry: Int32, _ type: UInt32
  ) throws(GitError) {
    var depth = open.count
    while depth > 1, Int(directories[open[depth - 1]].prefixLength) > shared { depth -= 1 }
    if depth < open.count { close(downTo: depth, entry) }
    // The preceding part was checked with the first entry of the folder.
    var start = Int(directories[open[depth - 1]].prefixLength)
    while let slash = Bytes.first(UInt8(ascii: "/"), in: path, from: start) {
      try check(path, start..<slash)
      start = slash + 1
      open.append(directories.count)
      directories.append(
        IndexDirectory(
          first: entry, end: entry, subtreeEnd: 0, prefixLength: Int32(truncatingIfNeeded: start)))
    }
    let isFolder = type == IndexView.Mode.directory
    guard isFolder == (start == path.count) else { throw IndexFile.corrupt("a path ends with a slash") }
    if !isFolder { try check(path, start..<path.count) }
  }

  private mutating func close(downTo depth: Int, _ end: Int32) {
    let next = Int32(truncatingIfNeeded: directories.count)
    while open.count > depth, let last = open.popLast() {
      directories[last].end = end
      directories[last].subtreeEnd = next
    }
  }

  /// Refuses names that are not allowed in an index, because they lead out of the work tree or into a git
  /// directory.
  @inline(__always) private func check(_ path: UnsafeRawBufferPointer, _ name: Range<Int>) throws(GitError) {
    guard !name.isEmpty else { throw IndexFile.corrupt("a path has an empty name") }
    guard path[name.lowerBound] == UInt8(ascii: "."), name.count <= 4 else { return }
    let start = name.lowerBound
    let isBad =
      switch name.count {
      case 1: true
      case 2: path[start + 1] == UInt8(ascii: ".")
      case 4:
        lowercased(path[start + 1]) == UInt8(ascii: "g") && lowercased(path[start + 2]) == UInt8(ascii: "i")
          && lowercased(path[start + 3]) == UInt8(ascii: "t")
      default: false
      }
    if isBad { throw IndexFile.corrupt("a path has a name that is not allowed") }
  }
}
