/// A version of a file in the detection of renames.
struct FileVersion {
  let path: [UInt8]
  /// The mode as in an index.
  let mode: UInt32
  let id: ObjectID
}

/// The differences between an index and a commit's tree.
struct StagedChanges {
  /// Paths in both with another content or mode; the versions of the tree.
  private(set) var modified: [FileVersion] = []
  /// Entries that the tree does not have.
  private(set) var added: [Int32] = []
  /// Files that the index does not have.
  private(set) var deleted: [FileVersion] = []
  /// Entries for whole folders that differ; the files below them must be compared instead.
  private(set) var sparse: [Int] = []

  private struct Step {
    /// The folder of the index; -1 for none.
    var directory: Int32
    var tree: ObjectID
    /// The node in the cache tree.
    var node: Int?
    /// The path with a trailing slash.
    var prefix: [UInt8]
    var depth: Int
  }

  private let view: IndexView
  private let repository: GitRepository
  private var pending: [Step] = []

  /// Compares an index with a tree; nil before the first commit.
  init(
    _ view: IndexView, _ cache: CacheTree, tree: ObjectID?, in repository: GitRepository,
    isCancelled: () -> Bool
  ) throws(GitError) {
    self.view = view
    self.repository = repository
    guard let tree else {
      add(0..<Int32(truncatingIfNeeded: view.records.count))
      return
    }
    let limits = ListingLimits.standard
    pending = [Step(directory: 0, tree: tree, node: cache.root, prefix: [], depth: 1)]
    var trees = 0
    // As in git, a replacement counts for the root alone; other folders are compared by their ids.
    let isReplaced = repository.replacements()[tree] != nil
    while let step = pending.popLast() {
      if let node = step.node, cache.id(node) == step.tree, !isReplaced || step.depth > 1 { continue }
      if step.directory >= 0, let entry = sparseEntry(step.directory) {
        if view.id(entry) != step.tree { sparse.append(entry) }
        continue
      }
      if isCancelled() { throw .cancelled }
      trees += 1
      try limits.check(files: deleted.count, trees: trees + pending.count, pathBytes: 0)
      guard step.depth <= limits.depth else {
        throw GitError(.tooLarge, "the tree has more than \(limits.depth) levels of folders")
      }
      if step.directory < 0 {
        try repository.visitTree(step.tree) { delete($0, step) }
      } else {
        try compare(step, cache)
      }
    }
    added.sort()
    deleted.sort { $0.path.lexicographicallyPrecedes($1.path) }
    modified.sort { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Returns the entry for a whole folder, if the index has one.
  private func sparseEntry(_ directory: Int32) -> Int? {
    let folder = view.directories[Int(directory)]
    guard folder.end - folder.first == 1,
      Int(view.records[Int(folder.first)].pathLength) == folder.prefixLength,
      folder.prefixLength > 0
    else { return nil }
    return Int(folder.first)
  }

  /// Compares the tree of a step with its folder of the index; both are in the same order.
  private mutating func compare(_ step: Step, _ cache: CacheTree) throws(GitError) {
    let folder = view.directories[Int(step.directory)]
    let prefix = Int(folder.prefixLength)
    let nodes = step.node.map { cache.children(of: $0, view.bytes) } ?? []
    var entry = folder.first
    var child = step.directory + 1
    try repository.visitTree(step.tree) { item in
      let isTree = item.mode == IndexView.Mode.directory
      while entry < folder.end {
        let isFolder = child < folder.subtreeEnd && view.directories[Int(child)].first == entry
        let order = Self.order(name(entry, child, isFolder, prefix), isFolder, item.name, isTree)
        if order > 0 { break }
        let start = entry
        if isFolder {
          let below = view.directories[Int(child)]
          let number = child
          entry = below.end
          child = below.subtreeEnd
          if order == 0 {
            pending.append(
              Step(
                directory: number, tree: item.id,
                node: nodes.isEmpty ? nil : cache.find(item.name, among: nodes, view.bytes),
                prefix: step.prefix + item.name + [UInt8(ascii: "/")], depth: step.depth + 1))
            return
          }
          add(start..<entry)
        } else {
          entry = afterStages(start, folder.end)
          if order == 0 {
            compare(start, item, step)
            return
          }
          add(start..<entry)
        }
      }
      delete(item, step)
    }
    add(entry..<folder.end)
  }

  @inline(__always)
  private func name(_ entry: Int32, _ child: Int32, _ isFolder: Bool, _ prefix: Int) -> UnsafeRawBufferPointer
  {
    let path = view.path(Int(entry))
    if !isFolder { return UnsafeRawBufferPointer(rebasing: path[prefix...]) }
    return UnsafeRawBufferPointer(
      rebasing: path[prefix..<(Int(view.directories[Int(child)].prefixLength) - 1)])
  }

  @inline(__always) private func afterStages(_ start: Int32, _ end: Int32) -> Int32 {
    var entry = start + 1
    if view.stage(Int(start)) == 0 { return entry }
    let path = view.path(Int(start))
    while entry < end, Bytes.areEqual(view.path(Int(entry)), path) { entry += 1 }
    return entry
  }

  private mutating func compare(_ entry: Int32, _ item: TreeItem, _ step: Step) {
    let number = Int(entry)
    // Unmerged paths are counted separately.
    if view.stage(number) != 0 { return }
    if view.isIntentToAdd(number) {
      delete(item, step)
    } else if view.id(number) != item.id || Self.normal(view.mode(number)) != item.mode {
      modified.append(FileVersion(path: step.prefix + item.name, mode: item.mode, id: item.id))
    }
  }

  private mutating func add(_ entries: Range<Int32>) {
    for number in entries {
      let entry = Int(number)
      if view.stage(entry) != 0 || view.isIntentToAdd(entry) { continue }
      if view.mode(entry) & IndexView.Mode.type == IndexView.Mode.directory {
        sparse.append(entry)
      } else {
        added.append(number)
      }
    }
  }

  private mutating func delete(_ item: TreeItem, _ step: Step) {
    let path = step.prefix + item.name
    if item.mode == IndexView.Mode.directory {
      pending.append(
        Step(
          directory: -1, tree: item.id, node: nil, prefix: path + [UInt8(ascii: "/")], depth: step.depth + 1))
    } else {
      deleted.append(FileVersion(path: path, mode: item.mode, id: item.id))
    }
  }

  /// Returns a mode in the form of trees: of the permissions only the executable bit.
  private static func normal(_ mode: UInt32) -> UInt32 {
    guard mode & IndexView.Mode.type == IndexView.Mode.file else { return mode & IndexView.Mode.type }
    return mode & 0o100 == 0 ? 0o100644 : 0o100755
  }

  /// Compares names in the order of trees and indexes, in which a folder's name ends with a slash.
  @inline(__always) private static func order(
    _ left: UnsafeRawBufferPointer, _ leftIsFolder: Bool, _ right: UnsafeRawBufferPointer,
    _ rightIsFolder: Bool
  ) -> Int {
    let shared = Bytes.sharedPrefix(left, right)
    let first = shared < left.count ? Int(left[shared]) : leftIsFolder ? 0x2F : 0
    let second = shared < right.count ? Int(right[shared]) : rightIsFolder ? 0x2F : 0
    if first == second, left.count != right.count { return left.count < right.count ? -1 : 1 }
    return first - second
  }
}
