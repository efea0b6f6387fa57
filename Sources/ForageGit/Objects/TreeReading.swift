package struct TreeEntry: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case file, executable, symlink, directory, submodule }
  package let name: String
  package let kind: Kind
  package let id: ObjectID
}

/// An entry of a tree object, whose name is borrowed from the object.
struct TreeItem {
  let name: UnsafeRawBufferPointer
  /// The mode as in an index: of the permissions only the executable bit.
  let mode: UInt32
  let id: ObjectID
}

package struct TreeFile: Sendable, Hashable {
  package let path: String
  package let id: ObjectID
  package let kind: TreeEntry.Kind
  /// The size of the blob in bytes; nil if it is missing, as in a partial clone.
  package internal(set) var size: Int?
}

package struct TreeListing: Sendable {
  /// The files and symbolic links, in tree order within each folder.
  package var files: [TreeFile] = []
  /// The submodules with the commits that the tree records.
  package var submodules: [(path: String, commit: ObjectID)] = []
  /// The total size of the blobs that exist, in bytes.
  package var bytes = 0
  /// The number of missing blobs, and of missing folders where they are passed over.
  package var missing = 0
  /// The number of damaged blobs and folders; 0 unless they are passed over.
  package var damaged = 0
  /// The number of folders among these.
  package var lostFolders = 0

  /// Whether there is a file that can be read, or nothing to read.
  package var hasFiles: Bool { missing + damaged == 0 || files.contains { $0.size != nil } }
}

/// The limits of a listing; crafted trees that refer to each other can expand to any number of files.
package struct ListingLimits: Sendable, Hashable {
  /// The entries of a large folder between two polls of `isCancelled`: some milliseconds.
  static let cancellationStride = 1024

  /// Files and submodules; the largest known repositories have about a million.
  package var files = 2_000_000
  /// Folders, with repetition, because empty ones cost time, too.
  package var trees = 2_000_000
  /// The depth of folders with the root; git's default of `core.maxTreeDepth`.
  package var depth = 2_048
  /// The bytes of all paths together (512 MiB); long folder names repeat in each path below.
  package var pathBytes = 512 << 20

  package static let standard = ListingLimits()

  func check(files: Int, trees: Int, pathBytes: Int) throws(GitError) {
    if files > self.files { throw GitError(.tooLarge, "the tree has more than \(self.files) files") }
    if trees > self.trees { throw GitError(.tooLarge, "the tree has more than \(self.trees) folders") }
    if pathBytes > self.pathBytes {
      throw GitError(.tooLarge, "the paths of the tree have more than \(self.pathBytes) bytes")
    }
  }
}

extension GitRepository {
  func treeObject(_ id: ObjectID) throws(GitError) -> LoadedObject {
    let object = try objects().object(id)
    guard object.kind == .tree else { throw .corruptObject(id, "it is not a tree") }
    return object
  }

  func visitTree(_ id: ObjectID, _ body: (TreeItem) -> Void) throws(GitError) {
    let object = try treeObject(id)
    let isValid = object.withBytes { bytes in
      var cursor = TreeCursor(bytes)
      while !cursor.isAtEnd {
        guard let entry = cursor.entry() else { return false }
        body(TreeItem(name: cursor.name(entry), mode: entry.mode, id: cursor.id(entry)))
        cursor.position = entry.end
      }
      return true
    }
    if !isValid { throw .corruptObject(id, "an entry is truncated or has no mode") }
  }

  package func tree(_ id: ObjectID) throws(GitError) -> [TreeEntry] {
    var entries: [TreeEntry] = []
    try visitTree(id) { item in
      let kind: TreeEntry.Kind =
        switch item.mode {
        case TreeCursor.folder: .directory
        case 0o100644: .file
        case 0o100755: .executable
        case 0o120000: .symlink
        default: .submodule
        }
      entries.append(TreeEntry(name: String(decoding: item.name, as: UTF8.self), kind: kind, id: item.id))
    }
    return entries
  }

  package func entry(at path: String, in tree: ObjectID) throws(GitError) -> TreeEntry? {
    var current: TreeEntry?
    for component in path.utf8.split(separator: UInt8(ascii: "/")) {
      if let current, current.kind != .directory { return nil }
      let entries = try self.tree(current?.id ?? tree)
      guard let next = entries.first(where: { $0.name.utf8.elementsEqual(component) }) else { return nil }
      current = next
    }
    return current
  }

  /// Returns the bytes of the path of a blob whose path is known as text, in which what is not UTF-8 is
  /// replaced; nil if there is none.
  package func pathBytes(of path: Substring, blob: ObjectID, in tree: ObjectID) throws(GitError) -> [UInt8]? {
    let slash = path.utf8.firstIndex(of: UInt8(ascii: "/"))
    let name = path[..<(slash ?? path.endIndex)]
    var found: [(name: [UInt8], id: ObjectID)] = []
    try visitTree(tree) { item in
      let isWanted = slash == nil ? item.id == blob : item.mode == TreeCursor.folder
      if isWanted, String(decoding: item.name, as: UTF8.self).utf8.elementsEqual(name.utf8) {
        found.append((Array(item.name), item.id))
      }
    }
    guard let slash else { return found.first?.name }
    for folder in found {
      if let rest = try pathBytes(of: path[path.utf8.index(after: slash)...], blob: blob, in: folder.id) {
        return folder.name + [UInt8(ascii: "/")] + rest
      }
    }
    return nil
  }

  /// Lists all files below a tree with their sizes.
  ///
  /// - Parameter skipsDamage: whether folders below the root that are missing or damaged, and damaged blobs,
  ///   are passed over and counted.
  /// - Throws: `missingObject` for a tree (a missing blob only has no size), `corrupt` (also for invalid
  ///   sizes), `tooLarge`, `cancelled`.
  package func listing(
    of tree: ObjectID, limits: ListingLimits = .standard, skipsDamage: Bool = false,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> TreeListing {
    var result = TreeListing()
    var pending: [(id: ObjectID, prefix: String, depth: Int)] = [(tree, "", 1)]
    var visited = 0
    var pathBytes = 0
    while let (id, prefix, depth) = pending.popLast() {
      if isCancelled() { throw .cancelled }
      visited += 1
      let entries: [TreeEntry]
      do throws(GitError) {
        entries = try self.tree(id)
      } catch {
        guard skipsDamage, depth > 1, error.isDamage else { throw error }
        result.lostFolders += 1
        if error.code == .missingObject { result.missing += 1 } else { result.damaged += 1 }
        continue
      }
      for (position, entry) in entries.enumerated() {
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
    try addSizes(to: &result, skipsDamage: skipsDamage, isCancelled)
    return result
  }
}

extension GitRepository {
  /// Sets the sizes of the files of a listing.
  ///
  /// - Throws: `corrupt` for invalid sizes, unless `skipsDamage`; `cancelled`.
  func addSizes(
    to listing: inout TreeListing, skipsDamage: Bool, _ isCancelled: () -> Bool
  ) throws(GitError) {
    for position in listing.files.indices {
      if position % ListingLimits.cancellationStride == 0, isCancelled() { throw .cancelled }
      let id = listing.files[position].id
      let size = try blobSize(id, skipsDamage)
      guard size >= 0 else {
        if size == Self.missingSize { listing.missing += 1 } else { listing.damaged += 1 }
        continue
      }
      listing.files[position].size = size
      let (sum, overflow) = listing.bytes.addingReportingOverflow(size)
      guard !overflow else { throw .corruptObject(id, "its size makes the total overflow") }
      listing.bytes = sum
    }
  }

  /// What stands for the size of a blob that is missing, and of one that is damaged.
  private static let (missingSize, damagedSize) = (-1, -2)

  private func blobSize(_ id: ObjectID, _ skipsDamage: Bool) throws(GitError) -> Int {
    do throws(GitError) {
      return try header(of: id).size
    } catch {
      if error.code == .missingObject { return Self.missingSize }
      if skipsDamage, error.isDamage { return Self.damagedSize }
      throw error
    }
  }
}

/// A position in the bytes of a tree object.
struct TreeCursor {
  /// An entry, as offsets into the bytes.
  struct Entry {
    /// The type and permissions in git's canonical form; other mode bits are ignored.
    let mode: UInt32
    let name: Range<Int>

    var isFolder: Bool { mode == TreeCursor.folder }
    var idStart: Int { name.upperBound + 1 }
    var end: Int { idStart + ObjectID.byteCount }
  }

  static let folder: UInt32 = 0o040000
  static let kindMask: UInt32 = 0o170000
  static let submodule: UInt32 = 0o160000

  let bytes: CheckedBytes
  var position = 0

  /// Creates a cursor; the bytes must outlive this value.
  init(_ bytes: CheckedBytes) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Parses the next entry; nil if it is truncated, has no name, or has an invalid mode.
  @inline(__always) func entry() -> Entry? {
    var mode: UInt32 = 0
    var place = position
    while place < bytes.count, bytes[place] != UInt8(ascii: " ") {
      let digit = bytes[place] &- 0x30
      guard digit < 8, mode < 0o10_000_000 else { return nil }
      mode = mode << 3 | UInt32(digit)
      place += 1
    }
    let start = place + 1
    guard place > position, let end = bytes.first(0, from: start), end > start,
      bytes.count - end > ObjectID.byteCount
    else { return nil }
    return Entry(mode: Self.canonical(mode), name: start..<end)
  }

  func id(_ entry: Entry) -> ObjectID { bytes.id(at: entry.idStart) }

  func name(_ entry: Entry) -> UnsafeRawBufferPointer { bytes[entry.name] }

  /// Skips the entries that are byte for byte equal at both positions, and returns their number.
  @inline(__always)
  static func skipEqual(_ left: inout TreeCursor, _ right: inout TreeCursor, limit: Int) -> Int {
    let end = left.position + Bytes.sharedPrefix(left.rest, right.rest)
    var position = left.position
    var steps = 0
    // Only whole entries within the equal bytes count; a mode has no NUL, so the first NUL ends the name.
    while steps < limit, let zero = left.bytes.first(0, from: position) {
      let next = zero + 1 + ObjectID.byteCount
      guard next <= end else { break }
      position = next
      steps += 1
    }
    right.position += position - left.position
    left.position = position
    return steps
  }

  /// Compares entries in tree order: by the bytes of the name, with a slash after the name of a folder (git's
  /// `base_name_compare`). Negative if the left one is first.
  @inline(__always)
  static func order(_ left: TreeCursor, _ a: Entry, _ right: TreeCursor, _ b: Entry) -> Int {
    let count = min(a.name.count, b.name.count)
    for index in 0..<count {
      let (x, y) = (left.bytes[a.name.lowerBound + index], right.bytes[b.name.lowerBound + index])
      if x != y { return Int(x) - Int(y) }
    }
    return left.next(a, count) - right.next(b, count)
  }

  /// Returns the byte of a name at an offset, or the byte that stands for its end.
  @inline(__always) private func next(_ entry: Entry, _ offset: Int) -> Int {
    if offset < entry.name.count { return Int(bytes[entry.name.lowerBound + offset]) }
    return entry.isFolder ? Int(UInt8(ascii: "/")) : 0
  }

  private static func canonical(_ mode: UInt32) -> UInt32 {
    switch mode & kindMask {
    case 0o100000: mode & 0o100 == 0 ? 0o100644 : 0o100755
    case 0o120000: 0o120000
    case folder: folder
    default: submodule
    }
  }

  /// The bytes that are compared at a time (256 KiB): some microseconds.
  private static let runLimit = 256 << 10

  private var rest: UnsafeRawBufferPointer {
    bytes[position..<min(bytes.count, position + Self.runLimit)]
  }
}
