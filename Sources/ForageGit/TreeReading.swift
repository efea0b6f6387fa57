import CLibGit2

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
  package let size: Int?
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

extension GitRepository {
  /// A listing of more files is refused: the largest known repositories have about a million, and crafted
  /// trees that name each other many times have any number.
  package static let listingLimit = 2_000_000

  /// The entries of one tree object in its order.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func tree(_ id: ObjectID) throws(GitError) -> [TreeEntry] {
    let object = try LoadedObject(id, in: odb)
    guard object.type == GIT_OBJECT_TREE else { throw .corruptObject(id, "it is not a tree") }
    guard let entries = object.withBytes(Self.parseTree) else {
      throw .corruptObject(id, "an entry is cut short or has an unknown mode")
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
  /// - Parameter isCancelled: asked once a folder.
  /// - Throws: `missingObject` (a tree; a missing blob only has no size), `corrupt`, `tooLarge`, `cancelled`.
  package func listing(of tree: ObjectID, isCancelled: () -> Bool = { false }) throws(GitError) -> TreeListing
  {
    var result = TreeListing()
    var pending: [(id: ObjectID, prefix: String)] = [(tree, "")]
    while let (id, prefix) = pending.popLast() {
      if isCancelled() { throw .cancelled }
      for entry in try self.tree(id) {
        let path = prefix + entry.name
        switch entry.kind {
        case .directory:
          pending.append((entry.id, path + "/"))
        case .submodule:
          result.submodules.append((path, entry.id))
        case .file, .executable, .symlink:
          let size = try blobSize(entry.id, someMissing: result.missing > 0)
          if let size { result.bytes += size } else { result.missing += 1 }
          result.files.append(TreeFile(path: path, id: entry.id, kind: entry.kind, size: size))
        }
        guard result.files.count + pending.count + result.submodules.count <= Self.listingLimit else {
          throw GitError(.tooLarge, "the tree has more than \(Self.listingLimit) files")
        }
      }
    }
    return result
  }

  /// A blob's size; nil when it is missing.
  ///
  /// - Parameter someMissing: whether blobs are known to be missing; each vain search by libgit2 lists all
  ///   packs
  ///   again, thus is then avoided.
  private func blobSize(_ id: ObjectID, someMissing: Bool) throws(GitError) -> Int? {
    if someMissing, !has(id) { return nil }
    do throws(GitError) {
      return try header(of: id).size
    } catch {
      if error.code == .missingObject { return nil }
      throw error
    }
  }

  private static func parseTree(_ bytes: UnsafeRawBufferPointer) -> [TreeEntry]? {
    var entries: [TreeEntry] = []
    var position = 0
    while position < bytes.count {
      var mode = 0
      while position < bytes.count, bytes[position] != UInt8(ascii: " ") {
        let digit = bytes[position] &- 0x30
        guard digit < 8, mode < 0o10_000_000 else { return nil }
        mode = mode << 3 | Int(digit)
        position += 1
      }
      let nameStart = position + 1
      guard nameStart < bytes.count, let nameEnd = bytes[nameStart...].firstIndex(of: 0),
        bytes.count - nameEnd > ObjectID.byteCount
      else { return nil }
      let kind: TreeEntry.Kind
      switch mode & 0o170000 {
      case 0o040000: kind = .directory
      case 0o100000: kind = mode & 0o111 == 0 ? .file : .executable
      case 0o120000: kind = .symlink
      case 0o160000: kind = .submodule
      default: return nil
      }
      let name = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self)
      entries.append(TreeEntry(name: name, kind: kind, id: ObjectID(bytes, at: nameEnd + 1)))
      position = nameEnd + 1 + ObjectID.byteCount
    }
    return entries
  }
}
