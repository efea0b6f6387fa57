/// A cache of tree objects by id; neighbours in a history share most of their trees.
final class TreeCache {
  final class Tree {
    private let object: LoadedObject

    fileprivate init(_ object: consuming LoadedObject) { self.object = object }

    /// A cursor at the first entry; valid as long as this object.
    var cursor: TreeCursor { TreeCursor(object.bytes) }
  }

  /// The size of the cache (3 MiB for each thread): some dozen folders of a thousand entries, each of which
  /// is needed again soon or never.
  private static let byteLimit = 3 << 20
  /// The size limit of a tree (256 MiB); the largest known folder, with some hundred thousand entries, has 10
  /// MB.
  private static let sizeLimit = 256 << 20

  private let repository: GitRepository
  private var trees = RecentCache<ObjectID, Tree>(byteLimit: byteLimit)

  init(_ repository: GitRepository) {
    self.repository = repository
  }

  /// Throws `missingObject`, `corrupt` (also for other objects), `tooLarge`.
  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = trees[id] { return known }
    let object = try repository.treeObject(id)
    let size = object.size
    guard size <= Self.sizeLimit else {
      throw GitError(.tooLarge, "tree \(id.hex) has more than \(Self.sizeLimit) bytes")
    }
    let tree = Tree(object)
    trees.insert(tree, for: id, bytes: size)
    return tree
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
