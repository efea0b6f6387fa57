/// The limits of comparing trees; crafted trees that refer to each other can expand to any number of files.
package struct DifferenceLimits: Sendable, Hashable {
  /// The entries between two polls of `isCancelled`: less than a millisecond.
  static let cancellationStride = 4096

  /// The base budget of entries for all comparisons: some seconds. The largest known trees have about a
  /// million entries.
  package var entries = 100_000_000
  /// The additional entries for each comparison, for commits that change one file of a folder of a hundred
  /// thousand.
  package var entriesEach = 250_000
  /// The base budget of trees for all comparisons; the largest known trees have some hundred thousand
  /// folders.
  package var trees = 2_000_000
  /// The additional trees for each comparison: ten times the average of a history.
  package var treesEach = 100
  /// The depth of folders with the root; git's default of `core.maxTreeDepth`.
  package var depth = 2_048
  /// Distinct paths, folders included (some 200 MB); the largest known repositories have had a million.
  package var paths = 2_000_000
  /// The total length of the names of all paths in bytes, each folder's counted once (128 MiB).
  package var nameBytes = 128 << 20

  package static let standard = DifferenceLimits()

  static func exceeded(_ what: String) -> GitError {
    GitError(.tooLarge, "the trees of the history have \(what)")
  }
}

/// Receives the differences of two trees.
protocol TreeVisitor {
  /// Whether entries that only the old tree has are reported, too.
  static var seesRemoved: Bool { get }
  var limits: DifferenceLimits { get }
  var paths: PathTable { get set }
  /// Whether to enter a folder of the new tree that differs from the old one.
  mutating func enters(_ tree: ObjectID) -> Bool
  /// Called for a file, link or submodule that is new, changed or removed.
  mutating func found(
    _ name: UnsafeRawBufferPointer, below parent: Int32, old: TreeSide?, new: TreeSide?) throws(GitError)
}

/// What one of two trees has at a path: a file, a link or a submodule.
struct TreeSide {
  let id: ObjectID
  let mode: UInt32

  var isSubmodule: Bool { mode == TreeCursor.submodule }
  /// Whether it is a regular file.
  var isFile: Bool { mode & TreeCursor.kindMask == 0o100000 }
}

extension TreeVisitor {
  /// Returns the number of a path by its name and the number of its folder.
  @inline(__always)
  mutating func folder(_ name: UnsafeRawBufferPointer, below parent: Int32) throws(GitError) -> Int32 {
    try paths.insert(name, below: parent, limits)
  }

  func enters(_ tree: ObjectID) -> Bool { true }
}

/// Compares trees entry by entry on their raw bytes; equal subtrees are not read.
final class TreeDifference {
  /// Two folders with the same path that are being compared; one of them may be absent.
  private struct Frame {
    var old: TreeCursor
    var new: TreeCursor
    /// Keeps the bytes alive until the frame is closed.
    let oldTree: Tree?
    let newTree: Tree?
    let path: Int32
  }

  private final class Tree {
    private let object: LoadedObject

    init(_ object: consuming LoadedObject) { self.object = object }

    /// A cursor at the first entry; valid as long as this object.
    var cursor: TreeCursor { TreeCursor(object.bytes) }
  }

  private enum Event {
    case done
    case folder(old: ObjectID?, new: ObjectID?, name: UnsafeRawBufferPointer)
    case damaged
    case stride
  }

  /// The size of the cache of trees (3 MiB): some dozen folders of a thousand entries, each of
  /// which is needed again soon or never.
  private static let cacheBytes = 3 << 20
  /// The size limit of a tree (256 MiB); the largest known folder, with some hundred thousand entries, has 10
  /// MB.
  private static let treeBytes = 256 << 20

  private let repository: GitRepository
  /// Neighbours in a history share most of their trees.
  private var cache = RecentCache<ObjectID, Tree>(byteLimit: cacheBytes)
  /// The trees of commits; some thousand.
  private var roots = RecentCache<ObjectID, ObjectID>(byteLimit: 1 << 20)
  private let limits: DifferenceLimits
  private var frames: [Frame] = []
  private var entriesLeft: Int
  private var treesLeft: Int

  init(in repository: GitRepository, limits: DifferenceLimits) {
    self.repository = repository
    self.limits = limits
    entriesLeft = limits.entries
    treesLeft = limits.trees
  }

  /// Returns the tree of a commit; of the last commits it is remembered, because neighbours share parents.
  func tree(of commit: ObjectID) throws(GitError) -> ObjectID {
    if let known = roots[commit] { return known }
    let tree = try repository.tree(of: commit)
    roots.insert(tree, for: commit, bytes: ObjectID.byteCount)
    return tree
  }

  /// Reports the differences between two trees to a visitor.
  ///
  /// - Parameter old: nil for an empty tree.
  func compare<Visitor: TreeVisitor>(
    _ old: ObjectID?, _ new: ObjectID, _ visitor: inout Visitor, isCancelled: () -> Bool
  ) throws(GitError) {
    if old == new { return }
    entriesLeft += limits.entriesEach
    treesLeft += limits.treesEach
    defer { frames.removeAll(keepingCapacity: true) }
    try open(old, new, PathTable.root)
    while let last = frames.indices.last {
      if isCancelled() { throw .cancelled }
      switch try advance(&frames[last], &visitor) {
      case .done: frames.removeLast()
      case .damaged: throw GitError(.corrupt, "a tree is damaged: an entry is truncated or has no name")
      case .folder(let old, let new, let name):
        guard frames.count < limits.depth else {
          throw DifferenceLimits.exceeded("more than \(limits.depth) levels of folders")
        }
        // The name is in a tree of the frame below, which stays open.
        try open(old, new, try visitor.folder(name, below: frames[last].path))
      case .stride: break
      }
      guard entriesLeft > 0 else { throw DifferenceLimits.exceeded("too many entries to compare") }
    }
  }

  private func open(_ old: ObjectID?, _ new: ObjectID?, _ path: Int32) throws(GitError) {
    treesLeft -= 2
    guard treesLeft > 0 else { throw DifferenceLimits.exceeded("too many folders to compare") }
    let oldTree = if let old { try load(old) } else { nil as Tree? }
    let newTree = if let new { try load(new) } else { nil as Tree? }
    let none = TreeCursor(CheckedBytes(UnsafeRawBufferPointer(start: nil, count: 0)))
    frames.append(
      Frame(
        old: oldTree?.cursor ?? none, new: newTree?.cursor ?? none, oldTree: oldTree, newTree: newTree,
        path: path))
  }

  private func load(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = cache[id] { return known }
    let object = try repository.treeObject(id)
    let size = object.bytes.count
    guard size <= Self.treeBytes else {
      throw GitError(.tooLarge, "tree \(id.hex) has more than \(Self.treeBytes) bytes")
    }
    let tree = Tree(object)
    cache.insert(tree, for: id, bytes: size)
    return tree
  }

  /// Advances in a pair of folders to the next pair of subfolders that differ.
  @inline(__always) private func advance<Visitor: TreeVisitor>(
    _ frame: inout Frame, _ visitor: inout Visitor
  ) throws(GitError) -> Event {
    var steps = 0
    defer { entriesLeft -= steps }
    while steps < DifferenceLimits.cancellationStride {
      steps += 1
      steps += TreeCursor.skipEqual(
        &frame.old, &frame.new, limit: DifferenceLimits.cancellationStride - steps)
      let (hasOld, hasNew) = (!frame.old.isAtEnd, !frame.new.isAtEnd)
      guard hasOld || hasNew else { return .done }
      let old: TreeCursor.Entry? = hasOld ? frame.old.entry() : nil
      let new: TreeCursor.Entry? = hasNew ? frame.new.entry() : nil
      guard (old != nil) == hasOld, (new != nil) == hasNew else { return .damaged }
      let event: Event?
      if let old, let new {
        let order = TreeCursor.order(frame.old, old, frame.new, new)
        if order == 0, old.isFolder == new.isFolder {
          event = try both(&frame, old, new, &visitor)
        } else if order <= 0 {
          event = try onlyOld(&frame, old, &visitor)
        } else {
          event = try onlyNew(&frame, new, &visitor)
        }
      } else if let new {
        event = try onlyNew(&frame, new, &visitor)
      } else if let old {
        guard Visitor.seesRemoved else { return .done }
        event = try onlyOld(&frame, old, &visitor)
      } else {
        event = nil
      }
      if let event { return event }
    }
    return .stride
  }

  @inline(__always) private func both<Visitor: TreeVisitor>(
    _ frame: inout Frame, _ old: TreeCursor.Entry, _ new: TreeCursor.Entry, _ visitor: inout Visitor
  ) throws(GitError) -> Event? {
    frame.old.position = old.end
    frame.new.position = new.end
    let (oldID, newID) = (frame.old.id(old), frame.new.id(new))
    if oldID == newID, old.mode == new.mode { return nil }
    let name = frame.new.name(new)
    if new.isFolder { return visitor.enters(newID) ? .folder(old: oldID, new: newID, name: name) : nil }
    try visitor.found(
      name, below: frame.path, old: TreeSide(id: oldID, mode: old.mode),
      new: TreeSide(id: newID, mode: new.mode))
    return nil
  }

  @inline(__always) private func onlyNew<Visitor: TreeVisitor>(
    _ frame: inout Frame, _ new: TreeCursor.Entry, _ visitor: inout Visitor
  ) throws(GitError) -> Event? {
    frame.new.position = new.end
    let id = frame.new.id(new)
    let name = frame.new.name(new)
    if new.isFolder { return visitor.enters(id) ? .folder(old: nil, new: id, name: name) : nil }
    try visitor.found(name, below: frame.path, old: nil, new: TreeSide(id: id, mode: new.mode))
    return nil
  }

  @inline(__always) private func onlyOld<Visitor: TreeVisitor>(
    _ frame: inout Frame, _ old: TreeCursor.Entry, _ visitor: inout Visitor
  ) throws(GitError) -> Event? {
    frame.old.position = old.end
    guard Visitor.seesRemoved else { return nil }
    let id = frame.old.id(old)
    let name = frame.old.name(old)
    if old.isFolder { return .folder(old: id, new: nil, name: name) }
    try visitor.found(name, below: frame.path, old: TreeSide(id: id, mode: old.mode), new: nil)
    return nil
  }
}

/// A cache of two generations: once the newer one is full it becomes the older one, whose values are dropped.
struct RecentCache<Key: Hashable, Value> {
  /// The approximate size of a value besides its bytes.
  private static var overhead: Int { 128 }

  private let generationLimit: Int
  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]
  private var newerBytes = 0

  /// The newest value stays even if it is larger than the limit in bytes.
  init(byteLimit: Int) { generationLimit = byteLimit / 2 }

  subscript(key: Key) -> Value? { newer[key] ?? older[key] }

  /// Inserts a value; an existing one stays.
  mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
    guard self[key] == nil else { return }
    let bytes = size + Self.overhead
    if newerBytes + bytes > generationLimit { (older, newer, newerBytes) = (newer, [:], 0) }
    newer[key] = value
    newerBytes += bytes
  }
}

/// A table of paths with dense numbers; each is the name of an entry in a folder. The names are in one array.
///
/// ``CommitTally`` uses it for authors, too, each in the folder of the text's encoding.
struct PathTable: Sendable {
  /// The number of the root folder.
  static let root: Int32 = -1

  private struct Node: Sendable {
    let parent: Int32
    let nameCount: Int32
    let nameStart: Int
    let hash: UInt64
  }

  private var nodes: [Node] = []
  private var names: [UInt8] = []
  private var slots = [Int32](repeating: -1, count: 1024)
  /// A random seed, because authors of commits choose the names and could otherwise choose the slots.
  private let seed = UInt64.random(in: .min ... .max)

  var count: Int { nodes.count }

  /// Returns the number of a path, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - name: the last component, less than 2^31 bytes.
  ///   - parent: the number of the folder; ``root`` if there is none.
  mutating func insert(_ name: UnsafeRawBufferPointer, below parent: Int32) -> Int32 {
    let hash = Bytes.hash(name, seed: seed ^ UInt64(UInt32(bitPattern: parent)))
    var position = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[position] >= 0 {
      let node = nodes[Int(slots[position])]
      if node.hash == hash, node.parent == parent, Int(node.nameCount) == name.count,
        has(name, at: node.nameStart)
      {
        return slots[position]
      }
      position = (position + 1) & (slots.count - 1)
    }
    let number = Int32(truncatingIfNeeded: nodes.count)
    slots[position] = number
    nodes.append(
      Node(
        parent: parent, nameCount: Int32(truncatingIfNeeded: name.count), nameStart: names.count, hash: hash))
    names.append(contentsOf: name)
    if nodes.count * 2 > slots.count { grow() }
    return number
  }

  /// The same within the limits of a comparison.
  mutating func insert(
    _ name: UnsafeRawBufferPointer, below parent: Int32, _ limits: DifferenceLimits
  ) throws(GitError) -> Int32 {
    let number = insert(name, below: parent)
    guard count <= limits.paths, names.count <= limits.nameBytes else {
      throw DifferenceLimits.exceeded("too many different paths")
    }
    return number
  }

  /// Returns the last component of a path, and the number of its folder.
  func component(_ number: Int) -> (name: ArraySlice<UInt8>, folder: Int32) {
    let node = nodes[number]
    return (names[node.nameStart..<(node.nameStart + Int(node.nameCount))], node.parent)
  }

  func path(_ number: Int) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    var current = number
    while current >= 0 {
      let (name, folder) = component(current)
      parts.append(name)
      current = Int(folder)
    }
    return Array(parts.reversed().joined(separator: [UInt8(ascii: "/")]))
  }

  private func has(_ name: UnsafeRawBufferPointer, at start: Int) -> Bool {
    names.withUnsafeBytes { raw in
      for index in 0..<name.count where raw[start + index] != name[index] { return false }
      return true
    }
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 4)
    for (number, node) in nodes.enumerated() {
      var position = Int(truncatingIfNeeded: node.hash) & (slots.count - 1)
      while slots[position] >= 0 { position = (position + 1) & (slots.count - 1) }
      slots[position] = Int32(truncatingIfNeeded: number)
    }
  }
}
