/// One entry of a tree object.
package struct TreeEntry: Sendable, Hashable {
  /// What an entry is, told from its mode.
  package enum Kind: Sendable, Hashable { case file, executable, symlink, directory, submodule }
  /// The entry's own name, without folders.
  package let name: String
  package let kind: Kind
  package let id: ObjectID
}

/// A file of a commit's tree.
package struct TreeFile: Sendable, Hashable {
  /// The path from the tree's root.
  package let path: String
  package let id: ObjectID
  package let kind: TreeEntry.Kind
  /// The blob's bytes; nil when a partial clone does not have it.
  package internal(set) var size: Int?
}

/// All files of a commit.
package struct TreeListing: Sendable {
  /// The files and symbolic links, in tree order by folder.
  package var files: [TreeFile] = []
  /// The submodules, with the commit that the tree records.
  package var submodules: [(path: String, commit: ObjectID)] = []
  /// The bytes of the blobs that are there.
  package var bytes = 0
  /// How many blobs are not there.
  package var missing = 0

  /// An empty listing.
  package init() {}
}

/// How much of a tree is listed: crafted trees that name each other many times have any number of files.
package struct ListingLimits: Sendable, Hashable {
  /// In a large folder, this many entries are read between two questions whether to stop: some milliseconds.
  static let cancellationStride = 1024

  /// Files and submodules: the largest known repositories have about a million.
  package var files = 2_000_000
  /// Folders, each counted as often as it is named; empty ones cost time too.
  package var trees = 2_000_000
  /// Levels of folders, the root counted: git's own default for `core.maxTreeDepth`.
  package var depth = 2_048
  /// Bytes of all paths together (512 MiB): long names of folders are repeated in each path below.
  package var pathBytes = 512 << 20

  /// What holds everywhere but in tests.
  package static let standard = ListingLimits()

  /// Throws `tooLarge` beyond a limit.
  func check(files: Int, trees: Int, pathBytes: Int) throws(GitError) {
    if files > self.files { throw GitError(.tooLarge, "the tree has more than \(self.files) files") }
    if trees > self.trees { throw GitError(.tooLarge, "the tree has more than \(self.trees) folders") }
    if pathBytes > self.pathBytes {
      throw GitError(.tooLarge, "the paths of the tree have more than \(self.pathBytes) bytes")
    }
  }
}

extension GitRepository {
  /// The entries of one tree object in its order.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func tree(_ id: ObjectID) throws(GitError) -> [TreeEntry] {
    let object = try LoadedObject(id, in: self)
    guard object.kind == .tree else { throw .corruptObject(id, "it is not a tree") }
    guard let entries = object.withBytes(Self.parseTree) else {
      throw .corruptObject(id, "an entry is cut short or has no mode")
    }
    return entries
  }

  /// The entry at a path below a tree; nil when there is none.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func entry(at path: String, in tree: ObjectID) throws(GitError) -> TreeEntry? {
    var current: TreeEntry?
    for component in path.split(separator: "/") {
      if let current, current.kind != .directory { return nil }
      let entries = try self.tree(current?.id ?? tree)
      guard let next = entries.first(where: { $0.name == component }) else { return nil }
      current = next
    }
    return current
  }

  /// Lists all files below a tree with their sizes.
  ///
  /// - Parameters:
  ///   - limits: how much to list; other than ``ListingLimits/standard`` only in tests.
  ///   - isCancelled: asked once a folder, and now and then in large ones.
  /// - Throws: `missingObject` (a tree; a missing blob only has no size), `corrupt` (also for sizes that no
  ///   objects have), `tooLarge`, `cancelled`.
  package func listing(
    of tree: ObjectID, limits: ListingLimits = .standard, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> TreeListing {
    var result = TreeListing()
    var pending: [(id: ObjectID, prefix: String, depth: Int)] = [(tree, "", 1)]
    var visited = 0
    var pathBytes = 0
    while let (id, prefix, depth) = pending.popLast() {
      if isCancelled() { throw .cancelled }
      visited += 1
      for (position, entry) in try self.tree(id).enumerated() {
        if (position + 1) % ListingLimits.cancellationStride == 0, isCancelled() {
          throw .cancelled
        }
        let path = prefix + entry.name
        pathBytes += path.utf8.count
        switch entry.kind {
        case .directory:
          guard depth < limits.depth else {
            throw GitError(.tooLarge, "the tree has more than \(limits.depth) levels of folders")
          }
          pending.append((entry.id, path + "/", depth + 1))
        case .submodule:
          result.submodules.append((path, entry.id))
        case .file, .executable, .symlink:
          result.files.append(TreeFile(path: path, id: entry.id, kind: entry.kind, size: nil))
        }
        try limits.check(
          files: result.files.count + result.submodules.count, trees: visited + pending.count,
          pathBytes: pathBytes)
      }
    }
    try addSizes(to: &result, isCancelled)
    return result
  }

  private static func parseTree(_ bytes: UnsafeRawBufferPointer) -> [TreeEntry]? {
    var entries: [TreeEntry] = []
    var cursor = TreeCursor(bytes)
    while !cursor.isAtEnd {
      guard let entry = cursor.entry() else { return nil }
      let kind: TreeEntry.Kind =
        switch entry.mode {
        case TreeCursor.folder: .directory
        case 0o100644: .file
        case 0o100755: .executable
        case 0o120000: .symlink
        default: .submodule
        }
      let name = String(decoding: cursor.name(entry), as: UTF8.self)
      entries.append(TreeEntry(name: name, kind: kind, id: cursor.id(entry)))
      cursor.position = entry.end
    }
    return entries
  }
}
